"""Experiments: what they say, how far it can be trusted, and what bad input does."""

from __future__ import annotations

import gc
import importlib
import math
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.calibration import against_itself, truths
from bench.planted import SHEETS, Count, count_one, harmless, loop, unused_rule
from targi_dsl import Choice, Observation, Problems
from targi_dsl.cli.failures import INTERRUPTED
from targi_dsl.lab.compare import compare, verdict_of
from targi_dsl.lab.findings import amount
from targi_dsl.lab.metrics import metrics
from targi_dsl.lab.runner import Arm, Runner, in_all_seats
from targi_dsl.lab.seats import seats
from targi_dsl.lab.statistics.hypotheses import discoveries, p_values
from targi_dsl.lab.statistics.regression import slopes
from targi_dsl.lab.statistics.samples import Pairs, Sums, mean_interval, paired_difference
from targi_dsl.lab.version import Version, game_of
from targi_dsl.players import PLAYERS
from targi_dsl.players.random import Random
from targi_dsl.search.estimates import Interval, proportion
from targi_dsl.search.values import Values, evaluation_of
from tests.commands import process, targi
from tests.texts import game_file

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/lab.md").read_text(encoding="utf-8")
CASE = PAGE[PAGE.index("## A worked case") : PAGE.index("## From Python")]
LINE = re.compile(r"^    targi (lab .*)$", re.MULTILINE)
COMMANDS = [one for one in LINE.findall(PAGE) if one not in LINE.findall(CASE)]


# ---- estimates ----


def test_a_paired_difference_is_that_of_its_source() -> None:
    """Newcombe 1998, table II: 36, 12, 2 and 0 pairs."""
    found = paired_difference(36, 2, 12, 0)
    assert (round(found.value, 4), round(found.low, 4), round(found.high, 4)) == (
        0.2,
        0.0569,
        0.3404,
    )


def test_a_share_is_wilsons() -> None:
    found = proportion(81, 263)  # Newcombe 1998, Two-sided confidence intervals, table I
    assert (round(found.low, 4), round(found.high, 4)) == (0.2553, 0.3662)


def test_differences_that_are_seldom_large_are_covered() -> None:
    """Of 40 pairs of games of which a few are long; the bootstrap holds 84 %."""
    rng, held = np.random.default_rng(0), 0
    for _ in range(300):
        pairs = Pairs()
        pairs.add(*rng.lognormal(0, 1.2, (2, 40)))
        found = pairs.difference(of_share=False)
        held += found.low <= 0 <= found.high
    assert held >= 0.93 * 300


def test_of_few_equal_values_nothing_is_known() -> None:
    assert mean_interval(29, -1, 0) == Interval(-1, -math.inf, math.inf)
    assert mean_interval(1, 1, 0) == Interval(1, -math.inf, math.inf)


def test_equal_values_leave_room_for_what_is_rare() -> None:
    """The rule of three: of 300 games that were alike, 1 in 100 may be another."""
    assert mean_interval(300, 8, 0) == Interval(8, 7.99, 8.01)


@pytest.mark.parametrize(("share", "size"), [(0.05, 100), (0.1, 40), (0.3, 20)])
def test_the_mean_of_what_is_seldom_large_is_covered(share: float, size: int) -> None:
    """Student's interval alone holds it in 81 to 87 %."""
    rng, held = np.random.default_rng(0), 0
    for _ in range(400):
        sums = Sums()
        sums.add((rng.random(size) < share) * rng.exponential(size=size))
        held += sums.interval().holds(share)
    assert held >= 0.9 * 400


def test_sums_are_those_of_the_textbook() -> None:
    sums = Sums()
    sums.add(np.array([1e9 + 1, 1e9 + 2]))
    sums.add(np.array([1e9 + 6]))
    assert sums.count == 3 and sums.mean == 1e9 + 3 and sums.variance == pytest.approx(14 / 3)


def test_what_is_the_same_in_every_batch_is_certain() -> None:
    assert p_values([30, 29], [1, 1], [0, 0]).tolist() == [0, 1]


def test_slopes_of_few_games_hold_the_truth() -> None:
    """Nothing that is used has to do with who wins, and the intervals are of 95 %."""
    random, held = np.random.default_rng(0), list[bool]()
    for _ in range(20):
        uses = random.poisson(1, (60, 2, 20)).astype(np.float32)
        first = random.random(60) < 0.5
        wins = np.stack([first, ~first], axis=1) - 0.5
        for together in (False, True):
            found = slopes(uses - uses.mean(axis=1, keepdims=True), wins, together=together)
            held += [one.low <= 0 <= one.high for one in found]
    assert np.mean(held) > 0.93


def test_slopes_of_fewer_games_than_things_are_not_known() -> None:
    uses = np.random.default_rng(0).normal(size=(10, 2, 8))
    wins = np.tile([0.5, -0.5], (10, 1))
    found = slopes(uses - uses.mean(axis=1, keepdims=True), wins, together=True)
    assert not any(math.isfinite(one.high) for one in found)


def test_nothing_has_one_sign() -> None:
    assert amount("share of ann", -0.0, signed=True) == "+0.0 %"
    assert amount("points of ann", -0.0, signed=True) == "+0.00"
    assert amount("points of ann", -0.0) == "0.00"


def test_few_of_many_tests_are_discovered() -> None:
    """By Student with 99 degrees of freedom their p-values are 0.001, 0.04, 0.5 and 0.9."""
    means = np.array([3.39, -2.08, 0.68, 0.13])
    assert discoveries([100] * 4, means, [99] * 4) == [1, 0, 0, 0]
    assert discoveries([100] * 2, -means[:2], [99] * 2) == [-1, 1]


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (-1, 1, "same"),
        (0.5, 3, "more"),
        (-3, -2, "less"),
        (-3, 1, "not known yet"),
        (0, 3, "not known yet"),
    ],
)
def test_a_verdict_needs_the_whole_interval(low: float, high: float, verdict: str) -> None:
    assert verdict_of(Interval((low + high) / 2, low, high), 1) == verdict


# ---- calibration ----


def test_known_truths_are_covered() -> None:
    """1,000 repetitions by `python -m bench.calibration`; here fewer."""
    for name, told, held in truths(200):
        assert held >= 0.9 * told, name


def test_a_game_does_not_differ_from_itself_on_other_deals() -> None:
    rows = [*against_itself("dice_race", 60, 100)]
    assert sum(held for *_, held in rows) >= 0.93 * sum(told for _, told, _ in rows)
    assert all(held >= 0.85 * told for _, told, held in rows), rows
    assert any(held < told for _, told, held in rows)


# ---- what is said ----


def test_what_is_used_less_is_found() -> None:
    base = Version("base")
    found = compare(base, base.changed({}, {}, {"gold_limit": "0"}), ["busy"], Runner(200))
    uses = {one.measure: one.verdict for one in found.sections[0].findings}
    assert uses["rounds"] == "same" and "less" in uses.values()


def test_a_card_that_nobody_can_pay_any_more_is_found_and_a_richer_opening(tmp_path: Path) -> None:
    """Neither shows in who wins. The stall's price is more than there is; crimson's coin comes
    before the first round, while what is bought in the setup is asked.
    """
    head = 'language 2\ngame {0} "Changed" based on bazaar\n\n'
    told = list[dict[str, str]]()
    for name, text in {
        "dead": 'change card loom: cost "30 silk and 30 tin"',
        "rich": "extend rule setup\n  crimson gains 1 coins",
    }.items():
        sheet = tmp_path / f"{name}.targi"
        sheet.write_text(f"{head.format(name)}{text}\n", encoding="utf-8")
        found = compare(Version("bazaar"), Version(str(sheet)), ["busy"], Runner(300))
        told.append({one.measure: one.verdict for one in found.sections[0].findings})
    dead, rich = told
    assert dead["card loom, had at the end"] in ("less", "never used")
    openings = {name: said for name, said in rich.items() if name.endswith("at the opening")}
    assert openings == {"coins of crimson at the opening": "more"}


def test_the_same_experiment_says_the_same_with_any_number_of_workers() -> None:
    alone, two = (
        compare(Version("pig"), Version("dice_race"), ["busy"], Runner(300, workers=number))
        for number in (1, 2)
    )
    assert alone.data() == two.data()


def test_the_seats_of_a_fair_game_are_even() -> None:
    found = seats(Version("dice_race"), "busy", Runner(1000))
    assert [one.verdict for one in found.sections[0].findings if one.measure[:5] == "share"] == [
        "even"
    ] * 2


def test_a_seat_that_is_ahead_must_give() -> None:
    """The first in tic-tac-toe wins 58.5 % of random games, and 12.7 % are draws: half a win."""
    found = seats(Version("tic_tac_toe"), "random", Runner(2000)).sections[0].findings
    assert [one.verdict for one in found if one.measure.startswith("share")] == ["more", "less"]
    assert found[0].interval.low < 0.6485 < found[0].interval.high


def test_a_seat_that_is_behind_is_told_what_it_would_have_to_get() -> None:
    """The handicap that was planted, by points in played games and by variants."""
    found = seats(Version("goofspiel", gains=("ann gains 2 points",)), "busy", Runner(3000))
    assert "compensation by ann: 2 points" in found.sections[0].findings[-2].says
    (gain,) = found.sections[1].findings
    assert gain.measure == "points for ben" and gain.interval.low <= 2 <= gain.interval.high


def test_a_seat_that_is_behind_where_the_lowest_score_wins_has_too_many_points() -> None:
    found = seats(Version("stray_cats", gains=("ann loses 11 sardines",)), "busy", Runner(600))
    shares = [one for one in found.sections[0].findings if one.measure.startswith("share")]
    compensations = [one for one in found.sections[0].findings if "compensation" in one.measure]
    assert shares[0].verdict == "less" and compensations[0].interval.high < 0


def test_what_is_not_enough_is_said_so() -> None:
    found = seats(Version("goofspiel", gains=("ann gains 40 points",)), "busy", Runner(200))
    (gain,) = found.sections[1].findings
    assert gain.verdict == "not known yet" and "4 are not enough" in gain.says


@pytest.mark.parametrize("line", COMMANDS)
def test_the_page_says_commands_that_work(line: str) -> None:
    done = targi(*shlex.split(line))
    assert done.code == 0 and done.err == "" and done.out


def test_the_worked_case_comes_to_what_the_page_says() -> None:
    compared, tuned, reported = (
        targi(*shlex.split(line), "--json").document for line in LINE.findall(CASE)
    )
    found = {one["measure"]: one for one in compared["sections"][0]["findings"]}
    assert found["points"]["verdict"] == "less" and found["rounds"]["verdict"] == "less"
    nearest = tuned["sections"][1]
    assert "days 5" in nearest["about"] and nearest["findings"][0]["verdict"].startswith("met")
    assert [len(one["commands"]) for one in reported["questions"]] == [2, 2, 2, 2]


def test_changes_that_were_planted_are_named() -> None:
    """`python -m bench.planted` has more of all sorts; here is one of each, without cards."""
    for sort in (unused_rule, loop, harmless):
        count = Count()
        count_one(sort(SHEETS[1], 0), 400, 0, count)
        assert count.named == 1 and count.alarms == 0, sort.__doc__


# ---- direct and adapted ----


def written(folder: Path, name: str, change: str, worth: float | None) -> Version:
    """A variant of the dice race, with what a spark is worth in it, if that was learned."""
    path = folder / f"{name}.targi"
    head = f'language 2\ngame {name} "Another race" based on dice_race\n'
    path.write_text(f"{head}\n{change}\n", encoding="utf-8")
    version = Version(str(path))
    if worth is not None:
        values = Values(game_of(version).hash, 0, 1000, {"each sparks": (worth, worth)})
        path.with_suffix(".values").write_text(values.text(name), encoding="utf-8")
    return version


def test_players_that_think_are_direct_and_adapted(tmp_path: Path) -> None:
    """What things are worth in each version is used in that version, and nowhere else."""
    first = written(tmp_path, "known", "", 5)
    second = written(tmp_path, "sparky", "extend rule setup\n  hare gains 3 sparks", -5)
    met = list[list[int | None]]()

    class Watching(Runner):
        def play(self, jobs: Sequence[Any], games: int = 0, seconds: float = 0) -> Any:
            found = [job.evaluation for job in jobs]
            met.append([None if one is None else one.weights[0][1] for one in found])
            return super().play(jobs, games, seconds)

    direct, adapted = compare(first, second, ["lookahead:2"], Watching(4)).sections
    assert "direct" in direct.about and "adapted" in adapted.about
    assert direct.games == adapted.games == 4
    assert met == [[None, 50], [50, -50]]  # in tenths of a point
    assert evaluation_of(game_of(second)).weights[0][1] == -50, "whoever plays next judges as usual"


def test_values_for_other_options_are_as_if_nothing_was_learned() -> None:
    other = Version("base", (("own_opposite", "forbidden"),))
    found = compare(Version("base"), other, ["lookahead:2"], Runner(2))
    assert "nothing that helps was learned" in found.sections[1].about


def test_without_what_was_learned_adapted_is_not_told(tmp_path: Path) -> None:
    first, second = (
        written(tmp_path, "known", "", 5),
        written(tmp_path, "sparky", "extend rule setup\n  hare gains 3 sparks", None),
    )
    direct, adapted = compare(first, second, ["lookahead:2"], Runner(2)).sections
    assert direct.games == 2 and adapted.games == 0 and "--learn" in adapted.about


# ---- bad input ----


def test_a_number_that_is_none_is_refused_by_the_rules() -> None:
    with pytest.raises(Problems):
        game_of(Version("base").changed({}, {}, {"hand_limit": "many things"}))


def test_one_game_tells_nothing() -> None:
    for other in ("base_short", "expansion"):
        found = compare(Version("base"), Version(other), ["busy"], Runner(1))
        told = [one for one in found.sections[0].findings if "opening" not in one.measure]
        assert {one.verdict for one in told} == {"not known yet"}
    found = seats(Version("base"), "busy", Runner(1))
    points = [one for one in found.sections[0].findings if "%" not in one.says]
    assert len(points) == 4 and not any(math.isfinite(one.interval.low) for one in points)


def test_a_game_without_a_score_has_shares_only() -> None:
    found = seats(Version("tic_tac_toe"), "busy", Runner(50))
    assert not any("points" in one.measure for one in found.sections[0].findings)


def test_of_versions_with_other_seats_what_both_have_is_compared() -> None:
    single = Version(game_file("single"))
    found = compare(Version("tic_tac_toe"), single, ["busy"], Runner(20)).sections[0]
    assert "rounds" in {one.measure for one in found.findings}
    assert "not in both, so not compared: ann, ben, cross, nought" in found.remarks
    assert "not in both, so not compared: coins" in found.remarks


ASKED: tuple[Callable[[Runner], object], ...] = (
    lambda runner: seats(Version("dice_race"), "busy", runner),
    lambda runner: compare(Version("pig"), Version("dice_race"), ["busy"], runner, 0.0001),
    lambda runner: metrics(Version("pig"), "busy", runner),
)


@pytest.mark.parametrize("ask", ASKED, ids=["seats", "compare", "metrics"])
def test_many_games_need_no_more_memory(
    ask: Callable[[Runner], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """600 games more need less than a byte each: ten million are no more than some megabytes. Of
    twice 600 one may have what is allocated once, such as when another library takes over.
    """
    sizes = dict[int, int]()
    monkeypatch.setattr("targi_dsl.lab.metrics.COURSES", 1)

    def look(played: int) -> None:
        if played in (600, 1_200, 1_800):
            gc.collect()
            sizes[played] = tracemalloc.get_traced_memory()[0]

    ask(Runner(20))  # compiles
    tracemalloc.start()
    ask(Runner(1_800, progress=look))
    tracemalloc.stop()
    assert min(sizes[1_200] - sizes[600], sizes[1_800] - sizes[1_200]) < 600


def test_an_interrupt_of_the_command_prints_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    count = Runner._count

    def stop(self: Runner, *args: Any) -> None:
        count(self, *args)
        if self.played >= 200:
            raise KeyboardInterrupt

    monkeypatch.setattr(Runner, "_count", stop)
    done = targi("lab", "seats", "dice_race")
    assert done.code == INTERRUPTED and done.err == ""
    assert "180 games" in done.out and "To do it again" in done.out


class Failing(Random):
    """Fails in one game."""

    kind = "failing"

    def __init__(self, seed: int, seat: str) -> None:
        super().__init__(seed, seat)
        self._fails = seed == 7

    def choose(self, observation: Observation, choices: Sequence[Choice]) -> Choice:
        if self._fails:
            raise ZeroDivisionError("nothing left")
        return super().choose(observation, choices)


def test_a_game_that_fails_is_named_and_counted_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYERS, "failing", Failing)
    runner = Runner(12)
    found = seats(Version("dice_race"), "failing", runner)
    assert runner.played == 11 and found.failed == 1
    assert found.failures[0].seed == 7 and "nothing left" in found.failures[0].why


def test_an_interrupt_leaves_what_there_is() -> None:
    runner = Runner(10_000)
    arm, batches = Arm(Version("pig"), ("busy",) * len(game_of(Version("pig")).players)), []

    def stop(played: int) -> None:
        if played >= 100:
            raise KeyboardInterrupt

    runner = Runner(10_000, progress=stop)
    batches = [*runner.play([arm])]
    assert runner.interrupted and runner.played == 100 and len(batches) == 4


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupt_while_games_are_added_up_leaves_what_there_is(workers: int) -> None:
    runner, before, games = Runner(2_000, workers=workers), signal.getsignal(signal.SIGINT), 0
    for (batch,) in runner.play([in_all_seats(Version("dice_race"), "busy")]):
        games += len(batch.numbers)
        if games == 200:
            signal.raise_signal(signal.SIGINT)
    assert runner.interrupted and games == 200
    assert signal.getsignal(signal.SIGINT) is before


def test_workers_end_with_their_parent() -> None:
    line = [sys.executable, str(ROOT / "cli.py"), "lab", "seats", "base", "--time", "60s"]
    parent = subprocess.Popen(
        [*line, "--workers", "2"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    tasks = Path(f"/proc/{parent.pid}/task/{parent.pid}/children")
    if not tasks.exists():
        parent.kill()
        pytest.skip("this system does not list the children of a process")
    children = list[str]()
    for _ in range(300):
        children = tasks.read_text().split()
        if len(children) == 2:
            break
        time.sleep(0.1)
    assert len(children) == 2
    time.sleep(1)
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    time.sleep(1)
    assert not [
        one
        for one in children
        if Path(f"/proc/{one}/stat").exists() and " Z " not in Path(f"/proc/{one}/stat").read_text()
    ]


def test_without_its_libraries_it_says_how_to_install_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("targi_dsl.lab")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr("targi_dsl.lab", raising=False)  # which the import sets, and is put back
    monkeypatch.setitem(sys.modules, "scipy", None)
    done = targi("lab", "seats", "pig")
    assert done.code == 2 and "pip install 'targi_dsl[lab]'" in done.err
    monkeypatch.undo()
    importlib.invalidate_caches()


def test_help_needs_no_library() -> None:
    assert process("lab", "--help").out.startswith("Usage: targi lab")
