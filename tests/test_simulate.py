"""`targi simulate`: many games, reported as numbers; each of them can be replayed on its own."""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from array import array
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from io import StringIO
from itertools import pairwise
from pathlib import Path
from threading import Event
from typing import Any, Literal

import pyarrow.parquet
import pytest
from click.testing import CliRunner
from matplotlib.axes import Axes
from msgspec.structs import replace

import targi_dsl
import targi_dsl.cli as cli
from bench.tallies import differ
from targi_dsl import load
from targi_dsl.api import begin, choices, play, result, start, step
from targi_dsl.cli.simulation import page
from targi_dsl.cli.summary import Rounds
from targi_dsl.codegen.c.bulk import Bulk, Games, bulk
from targi_dsl.codegen.c.compilers import BRISK, CAREFUL, QUICK
from targi_dsl.codegen.c.emit.source import source
from targi_dsl.codegen.c.errors import NotInC
from targi_dsl.codegen.c.library import library
from targi_dsl.codegen.tally import CUT_OFF, MOST_DECISIONS, Row
from targi_dsl.codegen.tiered import ENGINES, engine_of
from targi_dsl.engine import Engine
from targi_dsl.engine.chance import Seed
from targi_dsl.information.observation import observe
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.players import PLAYERS
from targi_dsl.records import MOST_CHOICES, Step
from targi_dsl.search import deal_for
from targi_dsl.search.estimates import (
    difference,
    histogram,
    mean,
    mean_interval,
    share,
    spread,
)
from targi_dsl.simulation import workers
from targi_dsl.simulation.bulk import BackgroundCompiler, BulkWorker, UpgradingWorker, seating
from targi_dsl.simulation.bulk import worker as worker_in_c
from targi_dsl.simulation.chunk import Chunk, ChunkResult, Chunks, LoopWorker, Plan
from targi_dsl.simulation.engines import play_chunk, with_engine, worker_for
from targi_dsl.simulation.game_loop import GameLoop
from targi_dsl.simulation.report import Report
from targi_dsl.text.diagnostics import Problems
from tests.games import compiled
from tests.texts import game_file, game_text

ROOT = Path(__file__).parent.parent


def plan_of(game: Game, games: int, kinds: tuple[str, ...] = (), rotations: int = 1) -> Plan:
    """Games of random players by default."""
    seats = kinds or ("random",) * len(game.players)
    return Plan(game.sheet, game.hash, seats, 5, games, rotations)


def simulated(plan: Plan, game: Game, cuts: tuple[int, ...] = ()) -> Report:
    """A report of the games of a plan, cut into chunks at these numbers."""
    report, worker = Report(plan, game), LoopWorker(plan, engine_of(game))
    for first, end in pairwise((0, *cuts, plan.games)):
        report.add(worker.play(Chunk(first, end)))
    return report


@dataclass(frozen=True, slots=True)
class Told:
    """The exit code of a command, and what it printed."""

    code: int
    out: str
    err: str


def targi(*arguments: str) -> Told:
    with CliRunner().isolation() as (out, err, _):
        code = cli.run(arguments)
    return Told(code, out.getvalue().decode(), err.getvalue().decode())


def simulate(*arguments: str) -> Told:
    return targi("simulate", *arguments)


def document(*arguments: str) -> dict[str, Any]:
    """The JSON that the command prints."""
    found = simulate(*arguments, "--json")
    assert found.code == 0, found.err
    read: dict[str, Any] = json.loads(found.out)
    return read


# ---- games and rows ----


def test_a_last_round_in_which_nobody_is_asked_does_not_count() -> None:
    game = load(game_file("short"))
    plan = plan_of(game, 5)
    for worker in (LoopWorker(plan, engine_of(game)), worker_in_c(plan, game)):
        row = worker.play(Chunk(0, 1)).rows
        assert (row[Row.ROUNDS], row[Row.DECISIONS]) == (3, 4)


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("tic_tac_toe", ("random", "busy")),
        ("kuhn_poker", ("busy", "lookahead")),
        ("base", ("busy", "random")),
        ("bazaar", ("random", "busy", "busy")),
    ],
)
def test_a_row_tells_what_the_face_tells_of_the_same_game(
    name: str, kinds: tuple[str, ...]
) -> None:
    game, seed = compiled(name), 11
    plan = replace(plan_of(game, 1, kinds), seed=seed)
    row = LoopWorker(plan, engine_of(game)).play(Chunk(0, 1)).rows
    state, opening = begin(game, Seed(seed))
    branching, decisions, rounds = 0, 0, Rounds(state, opening)
    players = {
        seat: PLAYERS[kind](seed, seat) for seat, kind in zip(game.players, kinds, strict=True)
    }
    while state.seat is not None:
        before, offered = state, choices(state)
        choice = players[state.seat].choose(observe(state, state.seat), offered)
        state, events = play(before, choice)
        rounds.count(Step(before, choice, events, state))
        branching, decisions = branching + len(offered), decisions + 1
    ended = result(state)
    assert [*row[:3]] == [decisions, branching, rounds.number]
    assert game.program.procedures[row[Row.ENDED_BY]].declared == ended.ended_by
    winners = [seat for at, seat in enumerate(game.players) if row[Row.WINNERS] >> at & 1]
    assert tuple(winners) == ended.winners
    assert (row[Row.TIE] != NOTHING) == (ended.tiebreak is not None)
    scores = row[Row.SCORES : Row.SCORES + len(game.players)]
    assert tuple(scores) == ended.scores


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("base", ("lookahead:20", "search:20")),
        ("expansion", ("lookahead:10", "busy")),
        ("bazaar", ("search:10", "random", "lookahead:10")),
        ("tic_tac_toe", ("search:200", "lookahead:30")),
        ("lamplighters", ("lookahead:10", "lookahead:20")),  # C cannot draw all of its deals
        ("who_is_it", ("search:30", "lookahead:10")),  # nor of these
    ],
)
def test_players_that_search_choose_in_c_as_they_do_decision_by_decision(
    name: str, kinds: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("targi_dsl.codegen.c.bulk.SECONDS", 0.001)  # a search takes several calls
    game, drawn = compiled(name), list[tuple[bytes, int, int]]()

    def deal(game: Game, row: bytes, seed: int, number: int) -> bytes:
        drawn.append((row, seed, number))
        return deal_for(game, row, seed, number)

    monkeypatch.setattr("targi_dsl.simulation.bulk.deal_for", deal)
    plan = plan_of(game, 3, kinds, rotations=len(kinds))
    in_c = worker_in_c(replace(plan, engine="tcc"), game).play(Chunk(0, 3))
    assert in_c == LoopWorker(plan, engine_of(game)).play(Chunk(0, 3))
    assert bool(drawn) == (name in {"lamplighters", "who_is_it"}) and len(set(drawn)) == len(drawn)


def test_the_tally_adds_up() -> None:
    game = compiled("base")
    plan = plan_of(game, 3, ("busy", "busy"))
    loop = GameLoop(engine_of(game))
    played = LoopWorker(plan, engine_of(game)).play(Chunk(0, 3))
    (summary,), layout = played.summaries, loop.layout
    tally = summary.tally
    decisions = sum(number * count for number, count in summary.decisions.items())
    assert sum(tally[layout.offered : layout.taken]) == summary.branching
    assert sum(tally[layout.taken : layout.card_offered]) == decisions
    assert tally[layout.begun + game.program.setup] == 3
    counted = sum(number * count for number, count in summary.rounds.items())
    assert tally[layout.begun + game.program.round] == counted + 3, "one that no rule counts each"
    held, won = tally[layout.held : layout.won], tally[layout.won : layout.points]
    assert sum(held) and all(a >= b for a, b in zip(held, won, strict=True))


def test_a_card_brought_what_the_score_would_lack_without_it() -> None:
    """In `base` a card in play is worth its printed points at least."""
    report = simulated(plan_of(compiled("base"), 4, ("busy", "busy")), compiled("base"))
    cards = [one for one in report.document()["cards"] if one["in_play"]]
    points = [one["points"] for one in cards if one["points"] is not None]
    assert len(points) == len(cards) > 0 and min(points) >= 1


def test_a_report_tells_the_options_of_the_game_beside_the_choices_in_it() -> None:
    game = compiled("base_online")
    report = simulated(plan_of(game, 1, ("busy", "busy")), game).document()
    assert report["options"] == dict(game.options) != {}
    assert "1 dates" in {one["label"] for one in report["choices"]}


def test_a_game_is_cut_off_after_as_many_decisions_as_a_record_holds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert MOST_DECISIONS == MOST_CHOICES
    monkeypatch.setattr("targi_dsl.simulation.game_loop.MOST_DECISIONS", 3)
    game = compiled("tic_tac_toe")
    played = LoopWorker(plan_of(game, 2), engine_of(game)).play(Chunk(0, 2))
    assert played.summaries[0].endings == Counter({CUT_OFF: 2})
    assert played.summaries[0].winners == Counter({0: 2})


# ---- chunks, workers ----


@pytest.mark.parametrize("rotations", [1, 2])
def test_it_does_not_matter_how_the_games_are_cut(rotations: int) -> None:
    game = compiled("tic_tac_toe")
    plan = plan_of(game, 40, ("busy", "random"), rotations)
    assert simulated(plan, game).document() == simulated(plan, game, (4, 10, 38)).document()


def test_chunks_cover_the_plan_and_grow_to_the_time_wanted() -> None:
    chunks, games = Chunks(1001, 2), list[int]()
    for chunk in chunks:
        games += chunk.games
        assert chunk.first % 2 == 0
        chunks.took(chunk, len(chunk.games) / 100)
    assert games == [*range(1001)]
    assert chunks.size == 50


def test_the_last_chunks_are_small_where_several_workers_take_them() -> None:
    chunks = Chunks(10_000, 1, 2)
    sizes = list[int]()
    for chunk in chunks:
        sizes.append(len(chunk.games))
        chunks.took(chunk, sizes[-1] / 2_000)
    assert sum(sizes) == 10_000 and max(sizes) == 1_000 and sizes[-1] <= 125


@pytest.mark.parametrize("begins", ["fork", "spawn"])
def test_workers_give_what_one_process_gives_though_one_is_killed(
    begins: Literal["fork", "spawn"], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = compiled("tic_tac_toe")
    plan = plan_of(game, 60, ("busy", "random"), 2)
    monkeypatch.setattr(workers, "BEGIN", begins)
    chunks, report, rows = Chunks(60, 2, 2), Report(plan, game), array("q")
    work = partial(play_or_die, str(tmp_path / "dead"), plan)
    for played in workers.carried_out(chunks, work, 2, chunks.took):
        report.add(played)
        rows += played.rows
    assert (tmp_path / "dead").exists()
    assert rows == LoopWorker(plan, engine_of(game)).play(Chunk(0, 60)).rows
    assert report.document() == simulated(plan, game).document()


def play_or_die(file: str, plan: Plan, chunk: Chunk) -> ChunkResult:
    """Plays a chunk; the first process that is given the games from 10 on dies."""
    if chunk.first == 10 and not Path(file).exists():
        Path(file).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return play_chunk(plan, chunk)


def test_workers_that_keep_dying_are_a_problem() -> None:
    with pytest.raises(Problems) as raised:
        [*workers.carried_out(range(9), die, 2, lambda task, seconds: None)]
    assert raised.value.problems[0].code == "E617"


def die(task: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize(
    ("name", "engine"),
    [
        *(("bazaar", ""), ("stray_cats", ""), ("liars_dice", "tcc"), ("base", "tcc")),
        *(("base", "cc"), ("liars_dice", "cc"), ("stray_cats", "cc")),
    ],
)
def test_an_engine_gives_what_the_reference_gives(name: str, engine: str) -> None:
    game = compiled(name)
    kinds = ("busy", *["random"] * (len(game.players) - 1))
    plan = plan_of(game, 2 * len(game.players), kinds, len(game.players))
    found = [
        worker_for(replace(plan, engine=one), game).play(Chunk(0, plan.games))
        for one in ("interpreter", engine)
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize("name", ["base", "kuhn_poker", "blind_bluff"])
def test_optimized_c_counts_what_the_reference_counts(name: str) -> None:
    assert differ(compiled(name), range(4), BRISK) == []


def test_games_are_the_same_however_often_they_are_resumed() -> None:
    game = compiled("bazaar")
    player, kinds = bulk(game, QUICK), ("busy", *["random"] * (len(game.players) - 1))
    for is_counted in (True, False):
        found = []
        for budget in (10**12, 50):
            player._budget = budget
            found.append(player.run(3, range(1, 3), [seating(game, kinds)], is_counted))
        assert found[0] == found[1] and len(found[0].rows) == 2 * player.layout.width


def test_an_engine_that_cannot_play_gives_way_to_another(monkeypatch: pytest.MonkeyPatch) -> None:
    game = compiled("kuhn_poker")
    plan = plan_of(game, 10)
    for engine in ("", *ENGINES):
        named = replace(plan, engine=engine)
        assert with_engine(named, game) == (named, "")
    by_mixing = replace(plan, seats=("mixing", "random"))
    assert with_engine(by_mixing, game) == (by_mixing, "")
    told = "mixing is played decision by decision"
    assert with_engine(replace(by_mixing, engine="cc"), game) == (by_mixing, told)

    def without(game: Game, level: int) -> Bulk:
        raise NotInC("no C compiler is there")

    monkeypatch.setattr("targi_dsl.simulation.bulk.bulk", without)
    told = "no C compiler is there: another engine plays the games"
    assert with_engine(replace(plan, engine="cc"), game) == (plan, told)
    assert isinstance(worker_for(plan, game), UpgradingWorker)


def test_a_faster_library_takes_over_when_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    game = load("tic_tac_toe")
    plan = plan_of(game, 20)
    worker = worker_for(plan, game)
    assert isinstance(worker, UpgradingWorker)
    before, first = worker.play(Chunk(0, 10)), worker.worker
    assert first is worker.worker
    library(source(Engine(game)), BRISK)
    after = worker.play(Chunk(10, 20))
    assert first is not worker.worker and isinstance(worker.worker, BulkWorker)
    assert [before.rows, after.rows] == [
        LoopWorker(plan, Engine(game)).play(chunk).rows for chunk in (Chunk(0, 10), Chunk(10, 20))
    ]


def test_a_compiler_works_beside_only_if_the_games_left_make_it_pay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun = []

    def compiler(text: str, level: int, stop: Event) -> None:
        begun.append(level)
        assert stop.wait(10)

    monkeypatch.setattr("targi_dsl.simulation.bulk.library", compiler)
    game = compiled("kuhn_poker")
    for games, level in ((200, []), (1_000, [BRISK]), (10_000_000, [CAREFUL])):
        begun.clear()
        with closing(BackgroundCompiler(plan_of(game, games), game)) as beside:
            beside._began -= 1  # a second for a hundred games
            beside.count(100)
            while beside._thread is not None and not begun:
                time.sleep(0.01)
        assert begun == level
        assert beside._thread is None or not beside._thread.is_alive()


# ---- statistics ----


def test_intervals_of_shares_are_those_of_wilson() -> None:
    """The examples of Newcombe's papers of 1998."""
    assert share(56, 70) == pytest.approx((0.8, 0.6917, 0.8770), abs=5e-4)
    assert share(0, 10) == pytest.approx((0, 0, 0.2775), abs=5e-4)
    assert share(0, 0) is None


def test_a_difference_of_shares_that_exclude_each_other_is_as_wide_as_it_is() -> None:
    """If one of two players wins each game, the interval of the difference is twice as wide as that
    of a share.
    """
    one, other = share(56, 70), share(14, 70)
    assert one is not None and other is not None
    assert difference(one, other) == pytest.approx([2 * bound - 1 for bound in one])
    assert difference(None, one) is None


@pytest.mark.parametrize(
    ("counts", "value"), [({1: 20}, 1), ({-1: 20}, -1), ({0: 20}, 0), ({1: 17, -1: 3}, 0.7)]
)
def test_few_games_are_never_certain_and_never_beyond_what_can_be(
    counts: dict[int, int], value: float
) -> None:
    edge = mean_interval(counts, -1, 1)
    assert edge is not None and edge.value == pytest.approx(value)
    assert -1 <= edge.low < edge.high <= 1 and edge.high - edge.low > 0.2


def test_the_interval_of_a_mean_of_yes_and_no_is_that_of_agresti_and_coull() -> None:
    """With `z` squared more games, half of them won, as their paper of 1998 has it."""
    assert mean_interval({0: 14, 1: 56}, 0, 1) == pytest.approx((0.8, 0.6903, 0.8784), abs=5e-4)
    assert mean_interval({}, 0, 1) is None


def test_means_spreads_and_histograms() -> None:
    counts = Counter({2: 2, 4: 1, 10: 1})
    assert mean(counts) == 4.5
    assert spread(counts) == pytest.approx(3.7859, abs=1e-4)
    assert histogram(counts, 3) == [(2, 4, 3), (5, 7, 0), (8, 10, 1)]
    assert histogram(Counter({2: 1}), 3, [10]) == [(2, 4, 1), (5, 7, 0), (8, 10, 0)]
    assert histogram(Counter({1: 1, 4: 1}), 3) == [(1, 2, 1), (3, 4, 1)]
    assert histogram(Counter({1: 1, 5: 1}), 3) == [(1, 2, 1), (3, 4, 0), (5, 6, 1)]
    assert histogram(Counter(), 3) == []


# ---- the command ----


def test_pairs_of_equal_players_are_no_game_twice() -> None:
    game = compiled("tic_tac_toe")
    assert targi_dsl.simulate(game, 30, pairs=True) == targi_dsl.simulate(game, 30)


def test_a_program_gets_what_the_command_prints() -> None:
    game = load("base", options={"own_opposite": "forbidden"})
    found = targi_dsl.simulate(game, 30, seats={"blue": "busy"}, seed=5, pairs=True)
    given = ("--seat", "blue=busy", "--seed", "5", "--pairs", "--option", "own_opposite=forbidden")
    assert json.loads(json.dumps(found)) == document("base", "--games", "30", *given)
    workers = targi_dsl.simulate(game, 30, seats={"blue": "busy"}, seed=5, pairs=True, workers=2)
    assert workers == found
    for wrong in ({"seats": {"red": "busy"}}, {"seats": {"blue": "x"}}, {"engine": "x"}):
        with pytest.raises(ValueError, match=r"no `(red|x)` in "):
            targi_dsl.simulate(game, 3, **wrong)
    with pytest.raises(ValueError, match="at least one game"):
        targi_dsl.simulate(game, 0)


def test_the_results_do_not_depend_on_the_workers() -> None:
    one = simulate("kuhn_poker", "--games", "40", "--json")
    assert simulate("kuhn_poker", "--games", "40", "--json", "--workers", "2") == one


@pytest.mark.parametrize("name", ["kuhn_poker", "heiress"])
def test_a_line_of_the_rows_is_a_game_that_can_be_played(tmp_path: Path, name: str) -> None:
    file = tmp_path / "rows.csv"
    seats = ("--seat", "ann=busy", "--pairs", "--csv", str(file))
    assert simulate(name, "--games", "5", "--seed", "20", *seats).code == 0
    rows = [*csv.DictReader(StringIO(file.read_text()))]
    assert [row["seed"] for row in rows] == ["20", "20", "21", "21", "22", "22"]
    assert [row["player_ann"] for row in rows] == ["busy", "random"] * 3
    for row in rows:
        said = [f"--seat={seat}={row[f'player_{seat}']}" for seat in ("ann", "ben")]
        told = json.loads(targi("play", name, "--json", "--seed", row["seed"], *said).out)
        assert str(told["decisions"]) == row["decisions"]
        for seat, score in (told["scores"] or {}).items():
            assert str(score) == row[f"score_{seat}"]
        assert str(told["rounds"]) == row["rounds"]


def test_the_first_use_of_something_is_found() -> None:
    found = document("kuhn_poker", "--games", "50", "--find", "call")
    game, seats = compiled("kuhn_poker"), ("random", "random")
    assert found["seats"] == [*seats]
    took = list[int]()
    for seed in range(found["seed"] + 1):
        state, made = start(game, Seed(seed)), 0
        players = {seat: PLAYERS["random"](seed, seat) for seat in game.players}
        while state.seat is not None:
            choice = players[state.seat].choose(observe(state, state.seat), choices(state))
            state, made = step(state, choice), made + 1
            took += [seed, made] * (choice.id == "call")
    assert took[:2] == [found["seed"], found["choice"]]
    assert f"--seed {found['seed']} " in simulate("kuhn_poker", "--find", "call").out
    assert document("kuhn_poker", "--find", "setup")["choice"] == 0


def test_a_game_is_counted_as_the_csv_counts_it() -> None:
    found = document("kuhn_poker", "--seed", "3", "--find", "call")
    assert found["game"] == found["seed"] - 3
    assert f"(game {found['game']})" in simulate("kuhn_poker", "--seed", "3", "--find", "call").out


def test_the_scores_of_all_players_have_the_same_classes() -> None:
    found = document("base", "--games", "40", "--seat", "blue=busy")["players"]
    ranges = [[one[:2] for one in player["score"]["histogram"]] for player in found]
    assert ranges[0] == ranges[1] and len({high - low for low, high in ranges[0]}) == 1


def test_a_disk_that_is_full_in_the_middle_leaves_what_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, write, left = tmp_path / "rows.csv", os.write, [600]

    def until_full(descriptor: int, data: bytes) -> int:
        if not left[0]:
            raise OSError(28, "No space left on device")
        written = write(descriptor, data[: left[0]])
        left[0] -= written
        return written

    monkeypatch.setattr(os, "write", until_full)
    found = simulate("tic_tac_toe", "--games", "60", "--csv", str(file))
    assert found.code == 1 and "No space left on device" in found.err
    games = [int(row["game"]) for row in csv.DictReader(StringIO(file.read_text()))]
    assert games == [*range(len(games))] and games
    assert " of 60 games from seed 0\n" in found.out


LONG = ("tic_tac_toe", "--games", "9000000", "--csv", "/dev/stderr")


def test_an_interrupt_shows_the_games_so_far() -> None:
    process = subprocess.Popen(
        [*(sys.executable, "cli.py", "simulate"), *LONG],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    for _ in range(3):
        process.stderr.readline()  # it has begun to play
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert " of 9,000,000 games from seed 0" in output and "\nspaces" in output


UNLUCKY = game_text("unlucky.targi")


def test_a_game_that_goes_wrong_ends_the_simulation_where_it_is(tmp_path: Path) -> None:
    """The games before it are shown, the fault is that of the game alone."""
    (tmp_path / "unlucky").mkdir()
    (tmp_path / "unlucky/unlucky.targi").write_text(UNLUCKY)
    sheet = tmp_path / "unlucky.targi"
    sheet.write_text('language 2\ngame unlucky "Unlucky"\n  rules unlucky\n')
    found = simulate(str(sheet), "--games", "900")
    assert found.code == 1
    assert found.err.startswith("E605 sixes would become 2")
    assert found == simulate(str(sheet), "--games", "900", "--workers", "2")
    assert found == simulate(str(sheet), "--games", "900", "--engine", "cc")
    number = int(found.out.split()[1])
    alone = ("--games", "1", "--seed", str(number))
    assert f"This is game {number + 1}, with seed {number}." in found.err
    fault, again = found.err.rstrip().rsplit("\n  ", 1)
    assert targi(*shlex.split(again)[1:]).err.startswith(fault.partition(" This is game")[0])
    assert simulate(str(sheet), *alone).code == 1
    assert simulate(str(sheet), "--games", str(number)).code == 0


# ---- files ----


def test_a_page_is_one_file_with_a_plot_for_everything(tmp_path: Path) -> None:
    files = [tmp_path / "one.html", tmp_path / "two.html"]
    for file in files:
        assert simulate("kuhn_poker", "--games", "30", "--html", str(file)).code == 0
    one, two = (file.read_text() for file in files)
    assert one == two
    assert one.count("<svg") == one.count("<figure>") == 6
    assert "<script" not in one and not re.search(r"(src|href)=.https?:", one)
    assert "scores of ann (random)" in one


def test_parquet_has_the_rows_of_csv_in_a_file_or_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, single, parts = tmp_path / "rows.csv", tmp_path / "rows.parquet", tmp_path / "parts"
    parts.mkdir()
    monkeypatch.setattr("targi_dsl.cli.simulation.parquet.GROUP", 10)
    monkeypatch.setattr("targi_dsl.cli.simulation.parquet.PART", 20)
    said = ("kuhn_poker", "--games", "50", "--csv", str(table), "--parquet")
    assert simulate(*said, str(single)).code == simulate(*said, str(parts)).code == 0
    rows = [*csv.DictReader(StringIO(table.read_text()))]
    assert sorted(one.name for one in parts.iterdir()) == [
        f"part-0000{n}.parquet" for n in range(3)
    ]
    for path in (single, parts):
        read = pyarrow.parquet.read_table(path).to_pylist()
        assert [{key: str(value) for key, value in row.items()} for row in read] == rows


def test_a_library_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "targi_dsl.cli.simulation.parquet", raising=False)
    found = simulate("tic_tac_toe", "--games", "5", "--parquet", "rows.parquet")
    assert found.code == 2
    assert "needs the library pyarrow: pip install 'targi_dsl[parquet]'" in found.err


# ---- games that generated C gives up ----

WIDE = game_text("wide.targi")


@pytest.mark.parametrize(
    ("kinds", "rotations"), [(("random", "random"), 1), (("busy", "random"), 2)]
)
def test_a_game_with_a_set_too_large_for_c_is_played_all_the_same(
    tmp_path: Path, kinds: tuple[str, ...], rotations: int
) -> None:
    (tmp_path / "wide").mkdir()
    (tmp_path / "wide/wide.targi").write_text(WIDE)
    (tmp_path / "wide.targi").write_text('language 2\ngame wide "Far and wide"\n  rules wide\n')
    game = load(str(tmp_path / "wide.targi"))
    plan = plan_of(game, 60, kinds, rotations)
    in_c = worker_in_c(replace(plan, engine="tcc"), game)
    assert isinstance(in_c, BulkWorker)
    found = [in_c.play(chunk) for chunk in (Chunk(0, 44), Chunk(44, 60))]
    given_up = [number for number in range(60) if not in_c._run(number, number + 1).rows]
    assert 0 < len(given_up) < 60
    report = Report(plan, game)
    for played in found:
        assert played.failed is None
        report.add(played)
    assert report.document() == simulated(plan, game).document()


def test_a_game_that_only_c_cannot_finish_is_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    game = compiled("tic_tac_toe")
    worker = worker_in_c(replace(plan_of(game, 3), engine="tcc"), game)
    assert isinstance(worker, BulkWorker)
    monkeypatch.setattr(worker.bulk, "run", lambda *_, **__: Games(array("q"), []))
    with pytest.raises(RuntimeError, match="only generated C finds a fault in game 0"):
        worker.play(Chunk(0, 3))


def test_names_in_plots_are_plain_text_and_results_are_printed_before_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def barred(axes: Axes) -> None:
        axes.barh(["$x_$"], [1])

    assert "$x_$" in page._svg("cards", 2.0, barred)

    def failing(*_: object) -> str:
        raise ValueError("no picture")

    monkeypatch.setattr(page, "page", failing)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    done = targi("simulate", "pig", "--games", "10", "--html", str(tmp_path / "page.html"))
    assert "10 games" in done.out and (done.code, done.err.count("bug-")) == (70, 1)
