"""Plays many games with all invariants on, by players who look for trouble.

    python -m bench.soak base expansion --games 1000
    python -m bench.soak base --engine c --games 20000

The players take turns with the seeds of a game: `uniform` takes any choice; `busy` declines only
when nothing else is offered; `trader` makes every second free exchange that is offered; `rare`
prefers the kinds of choices that it has made least often. After every choice
`targi_dsl.tools.invariants` checks the position and the step. A fault is printed with the game's
seed and player, and the exit code is 1.

With `--engine c` generated C plays the same games and checks the same invariants. The reference
then repeats the choices of a game with a fault and reports it.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count

import click

from bench.checked import ENDLESS, Checked
from targi_dsl import Choice, Problems, Seed, Stream, choices, load, play, start
from targi_dsl.ir.game import Game
from targi_dsl.tools.invariants import hold

PLAYERS = ("uniform", "busy", "trader", "rare")
CALL = 500  # games that generated C plays in one call

Offered = Sequence[Choice]


@dataclass(slots=True)
class Soak:
    """The games of one sheet."""

    game: Game
    games: int = 0
    choices: int = 0
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)
    taken: Counter[str] = field(default_factory=Counter)

    def play(self, seed: int) -> None:
        """One game, with the faults found in it."""
        player, stream = player_of(seed), Stream(seed)
        began = time.process_time()
        try:
            self._play(seed, lambda offered: self.choose(player, offered, stream))
        except Problems as problems:
            self._wrong(seed, problems)
        self.games += 1
        self.seconds += time.process_time() - began

    def play_in_c(self, seeds: range, checked: Checked) -> None:
        """The games of these seeds, up to the first with a fault."""
        began, before = time.process_time(), self.choices
        result = checked.soak(seeds)
        self.games += result.games
        self.seconds += time.process_time() - began
        if result.games < len(seeds):
            self._tell_again(seeds[result.games], result.trail)
        self.choices = before + result.choices

    def _tell_again(self, seed: int, trail: tuple[int, ...]) -> None:
        """What the reference finds in a game with these choices."""
        codes = iter(trail)

        def chosen(offered: Offered) -> Choice:
            code = next(codes)
            return next(choice for choice in offered if choice.code == code)

        try:
            self._play(seed, chosen)
        except Problems as problems:
            self._wrong(seed, problems)
        except (StopIteration, RuntimeError):
            self._wrong(seed, f"only generated C finds a fault at choice {len(trail)}")

    def _wrong(self, seed: int, what: Problems | str) -> None:
        self.faults.append(f"{self.game.name}, seed {seed}, {player_of(seed)}: {what}")

    def _play(self, seed: int, choose: Callable[[Offered], Choice]) -> None:
        state = start(self.game, Seed(seed))
        for number in count():
            offered = choices(state)
            if not offered:
                return
            if number == ENDLESS:
                self._wrong(seed, "no end in sight")
                return
            choice = choose(offered)
            after, events = play(state, choice)
            hold(state, events, after)
            self.choices += 1
            state = after

    def choose(self, player: str, offered: Offered, stream: Stream) -> Choice:
        """The player's choice."""
        wanted = offered if player == "uniform" else active(offered)
        if player == "trader":
            free = [choice for choice in offered if head(choice) in exchanges(self.game)]
            wanted = tuple(free) if free and stream.below(2) else wanted
        if player == "rare":
            least = min(self.taken[head(choice)] for choice in wanted)
            wanted = tuple(choice for choice in wanted if self.taken[head(choice)] == least)
        choice = wanted[stream.below(len(wanted))]
        self.taken[head(choice)] += 1
        return choice


def player_of(seed: int) -> str:
    """The player of the game of a seed."""
    return PLAYERS[seed % len(PLAYERS)]


def active(offered: Offered) -> Offered:
    """The choices that do something; all choices if none does."""
    return tuple(choice for choice in offered if not choice.declines) or offered


def head(choice: Choice) -> str:
    """The kind of a choice: the first word of its id."""
    return choice.id.partition(" ")[0]


def exchanges(game: Game) -> set[str]:
    return {exchange.name for exchange in game.exchanges}


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="SHEET...")
@click.option("--games", default=sys.maxsize, help="At most so many games of each.")
@click.option("--minutes", default=10.0, show_default=True, help="At most so long for each.")
@click.option("--first", default=0, help="The first seed.")
@click.option("--engine", type=click.Choice(["reference", "c"]), default="reference")
def main(names: tuple[str, ...], games: int, minutes: float, first: int, engine: str) -> None:
    """Plays games of the sheets until one of the limits is reached."""
    failed = False
    for name in names:
        soak, end = Soak(load(name)), time.monotonic() + 60 * minutes
        checked = Checked(soak.game) if engine == "c" else None
        number = 1 if checked is None else CALL
        for seed in range(first, first + games, number):
            if time.monotonic() >= end or soak.faults:
                break
            if checked is None:
                soak.play(seed)
            else:
                soak.play_in_c(range(seed, min(seed + number, first + games)), checked)
        click.echo(
            f"{name}: {soak.games:,} games, {soak.choices:,} choices, {soak.seconds:.0f} s, "
            f"{len(soak.faults)} faults"
        )
        for fault in soak.faults[:5]:
            click.echo(fault)
        failed |= bool(soak.faults)
    raise SystemExit(failed)


if __name__ == "__main__":
    main()
