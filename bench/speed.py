"""Measures the engines, compared with each other and with a loop written by hand.

    python bench/speed.py base expansion --stick base=PATH/targi_hand.py
    python bench/speed.py --growth
    python bench/speed.py --openspiel        where the extra `openspiel` is installed
    python bench/speed.py --natural          a set said in other ways than the shipped rules say it

All play whole games with uniformly random players, in turns of equal time on one core, so that the
load of the machine affects them alike. A ratio is the median of the ratios of all turns, by
processor time. A measuring stick is a module with `play_one(seed)`, which returns the number of
`decisions`; those in bench/sticks are used automatically.
"""

from __future__ import annotations

import importlib.util
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent.parent))

import click

from targi_dsl import Seed, Stream, choices, load, rollout, start, step
from targi_dsl.api import uniform
from targi_dsl.codegen.c.bulk import bulk
from targi_dsl.codegen.c.errors import NotInC
from targi_dsl.codegen.tally import Row
from targi_dsl.engine import Engine
from targi_dsl.ir.game import Game
from targi_dsl.simulation.bulk import seating

if TYPE_CHECKING:
    from tests.adapters.lockstep import Pairing

STICKS = Path(__file__).parent / "sticks"
GROWTH = {
    "board": ("tic_tac_toe", "hex_5", "connect_four", "hex", "gomoku"),
    "players": ("liars_dice", "liars_dice_4"),
    "cards": ("kuhn_poker", "leduc_poker", "goofspiel", "base", "expansion"),
}
"""Games, in increasing order of what is to be compared."""

Work = Callable[[int, int], int]
"""Plays the games of consecutive seeds; returns their decisions."""


@dataclass(slots=True)
class Runner:
    """Something that plays. games: of one turn; the seconds for a game and for a decision, in each
    turn.
    """

    name: str
    work: Work
    games: int = 1
    of_game: list[float] = field(default_factory=list)
    of_decision: list[float] = field(default_factory=list)

    def warm(self, seconds: float) -> None:
        """Plays until a turn takes about that long."""
        while True:
            began = time.process_time()
            self.work(0, self.games)
            used = time.process_time() - began
            if used >= seconds / 2:
                return
            self.games = max(self.games + 1, int(self.games * min(8, seconds / max(used, 1e-4))))

    def turn(self, first: int) -> None:
        """Plays one turn."""
        began = time.process_time()
        decisions = self.work(first, self.games)
        seconds = time.process_time() - began
        self.of_game.append(seconds / self.games)
        self.of_decision.append(seconds / max(1, decisions))


# ---- engines ----


def one_by_one(play_one: Callable[[int], int]) -> Work:
    """Games played one after the other."""
    return lambda first, games: sum(play_one(seed) for seed in range(first, first + games))


def by_hand(path: Path) -> Work:
    """A game written by hand; the modules it imports are beside it."""
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None, path
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return one_by_one(lambda seed: int(module.play_one(seed)["decisions"]))


def by_engine(engine: Engine) -> Work:
    """An engine's own loop."""
    return one_by_one(lambda seed: engine.playout(seed)[1])


def by_verbs(game: Game) -> Work:
    """The public verbs, without a listener: the games of the engine's own loop."""

    def play_one(seed: int) -> int:
        state, below, decisions = start(game, Seed(seed)), Stream(~seed).below, 0
        while offered := choices(state):
            state = step(state, offered[below(len(offered))])
            decisions += 1
        return decisions

    return one_by_one(play_one)


def by_rollout(game: Game) -> Work:
    """`rollout` from the first decision with `uniform`, which draws once for each decision: the
    state of its generator shows how often it has drawn.
    """
    twin = Stream(0)
    twin.below(2)
    draws = pow(twin.number, -1, 1 << 64)

    def play_one(seed: int) -> int:
        stream = Stream(~seed)
        before = stream.number
        rollout(start(game, Seed(seed)), uniform(stream))
        return (stream.number - before) * draws % (1 << 64)

    return one_by_one(play_one)


def in_c(game: Game) -> Work:
    """Whole games in C."""
    player, seats = bulk(game), [seating(game, ("random",) * len(game.players))]

    def play(first: int, games: int) -> int:
        rows = player.run(0, range(first, first + games), seats, is_counted=False).rows
        assert len(rows) == games * player.layout.width
        return sum(rows[Row.DECISIONS :: player.layout.width])

    return play


def in_openspiel(pairing: Pairing) -> Work:
    """A game of OpenSpiel, stepped in C++ by its own random players."""
    import pyspiel

    game = pyspiel.load_game(pairing.theirs)
    bots = [pyspiel.make_uniform_random_bot(at, at) for at in range(game.num_players())]

    def play_one(seed: int) -> int:
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, seed)
        return int(state.move_number())

    return one_by_one(play_one)


def beside_openspiel(turns: int, seconds: float) -> None:
    """Also measures every game that OpenSpiel has, in C beside theirs."""
    from tests.adapters.pairings import PAIRINGS

    for pairing in PAIRINGS:
        game = pairing.begin().ours.game
        both = [Runner("C", in_c(game)), Runner("stick", in_openspiel(pairing))]
        measured(both, turns, seconds)
        table(f"{pairing.sheet} ({len(game.players)})", both)


def beside_other_words(turns: int, seconds: float) -> None:
    """Also measures Amazons with other sentences for what a queen reaches, in C."""
    from tests.natural import REACH, amazons

    said = [Runner(words, in_c(amazons(reach))) for words, reach in REACH.items()]
    both = [*said, Runner("stick", in_c(load("amazons")))]
    measured(both, turns, seconds)
    table("amazons", both)


def runners(game: Game, stick: Path | None, verbs: bool = True) -> list[Runner]:
    """Every engine for a game; the measuring stick comes last, if there is one."""
    runners = [Runner("interpreter", by_engine(Engine(game)))]
    if verbs:
        runners += [Runner("verbs", by_verbs(game)), Runner("rollout", by_rollout(game))]
    try:
        runners.append(Runner("C", in_c(game)))
    except NotInC as error:
        click.echo(f"no C: {error}")
    return runners + ([Runner("stick", by_hand(stick))] if stick is not None else [])


def measured(all_: list[Runner], turns: int, seconds: float) -> None:
    """Lets all of them play in turns."""
    for runner in all_:
        runner.warm(seconds)
    for turn in range(turns):
        for runner in all_:
            runner.turn(turn * runner.games)


# ---- output ----


def table(name: str, all_: Iterable[Runner]) -> None:
    """Games and decisions per second of the fastest turn, and the ratios to the stick."""
    rows = [*all_]
    stick = rows[-1] if rows[-1].name == "stick" else None
    click.echo(f"\n{name:34} games/s  decisions/s  of the stick's")
    for row in rows:
        line = f"  {row.name:30} {1 / min(row.of_game):9,.0f} {1 / min(row.of_decision):12,.0f}"
        if stick is not None:
            games = ratio(stick.of_game, row.of_game)
            line += f"  {games:7.2f} {ratio(stick.of_decision, row.of_decision):7.2f}"
        click.echo(line)


def ratio(seconds: Sequence[float], other: Sequence[float]) -> float:
    """The median of one time divided by the other, turn by turn."""
    return median(one / two for one, two in zip(seconds, other, strict=True))


FIRST = """
import time, sys
began = time.perf_counter()
from targi_dsl import load
from targi_dsl.codegen.c.bulk import bulk
from targi_dsl.codegen.c.compilers import IN_MEMORY, QUICK
from targi_dsl.engine import Engine
imported = time.perf_counter()
game = load(sys.argv[1])
loaded = time.perf_counter()
if sys.argv[2] == "tcc":
    bulk(game, IN_MEMORY)
elif sys.argv[2] == "cc":
    bulk(game, QUICK)
else:
    Engine(game).playout(1)
print(loaded - imported, time.perf_counter() - loaded)
"""
"""From a rule file to its first game, in a new process."""


def to_first_game(name: str) -> None:
    """The seconds to load and to prepare an engine, with an empty cache and with a filled one."""
    for engine in ("interpreter", "tcc", "cc"):
        with tempfile.TemporaryDirectory() as cache:
            environment = {**os.environ, "XDG_CACHE_HOME": cache}
            for when in ("cold", "cached"):
                command = [sys.executable, "-c", FIRST, name, engine]
                done = subprocess.run(command, env=environment, capture_output=True, text=True)
                read, ready = map(float, done.stdout.split() or ("nan", "nan"))
                click.echo(f"  {engine:11} {when:7} rules {read:6.2f} s, engine {ready:6.2f} s")


def paths(named: Iterable[str]) -> Mapping[str, Path]:
    """The measuring sticks: those in bench/sticks, and those that are named."""
    sticks = {path.stem: path for path in STICKS.glob("*.py")}
    return sticks | {
        name: Path(path) for name, _, path in (stick.partition("=") for stick in named)
    }


@click.command()
@click.argument("names", nargs=-1, metavar="[GAME...]")
@click.option("--stick", "sticks", multiple=True, metavar="GAME=PATH", help="A game by hand.")
@click.option("--turns", default=25, show_default=True, help="How many turns each has.")
@click.option("--seconds", default=0.2, show_default=True, help="What a turn takes.")
@click.option("--openspiel", is_flag=True, help="Generated C beside OpenSpiel's C++.")
@click.option("--natural", is_flag=True, help="A set said in other ways than the shipped one.")
@click.option("--growth", is_flag=True, help="How cost grows with boards, players and cards.")
def command(
    names: tuple[str, ...],
    sticks: tuple[str, ...],
    turns: int,
    seconds: float,
    openspiel: bool,
    natural: bool,
    growth: bool,
) -> None:
    """Measure the engines on some games."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    by_name = paths(sticks)
    for name in names or (() if growth or openspiel or natural else ("base", *by_name)):
        game = load(name)
        all_ = runners(game, by_name.get(name))
        measured(all_, turns, seconds)
        table(name, all_)
        to_first_game(name)
    for what, games in GROWTH.items() if growth else ():
        click.echo(f"\n== more {what}")
        for name in games:
            all_ = runners(load(name), None, verbs=False)
            measured(all_, turns, seconds)
            table(name, all_)
    if openspiel:
        beside_openspiel(turns, seconds)
    if natural:
        beside_other_words(turns, seconds)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    click.echo(f"\npeak memory {peak:.0f} MB")


if __name__ == "__main__":
    command()
