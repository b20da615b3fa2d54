"""Searches in many positions of random games: what a seat cannot know makes no difference, every
form of the engine finds the same, and games of searches end.

    python -m bench.searches                    # every shipped sheet
    python -m bench.searches --positions 1000 --seconds 10    # as many as time allows
    python -m bench.searches base --positions 200 --compiled 1000 --playouts 200 --games 1000

A row for each sheet: the `positions`, the `worlds` that a seat cannot tell from them and that are
others, `choices` and `trees` that differ in one of them; the positions in which C in memory and C
by an optimizing compiler have both grown a tree (`compiled`), and the trees that differ (`forms`);
and of playouts without a tree, in a few positions, those that differ from `Python`. Then the games
that were played, and those that came to no end. The exit code is 1 if anything differs.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import takewhile
from math import inf
from pathlib import Path
from typing import TypeVar
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parent.parent))

import click

from bench.players import match
from targi_dsl.api import choices, start, step
from targi_dsl.api.renumbering import renumber
from targi_dsl.api.state import State
from targi_dsl.codegen.c.compilers import QUICK
from targi_dsl.codegen.c.errors import NotInC
from targi_dsl.codegen.c.search import rows_for_search
from targi_dsl.codegen.tiered import SEARCH, use_c
from targi_dsl.compiler.load import load
from targi_dsl.engine import Engine, engine_of
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.information.determinization import sample
from targi_dsl.information.information_sets import unknown_to
from targi_dsl.information.observation import Observation, observe
from targi_dsl.ir.game import Game
from targi_dsl.players import lookahead, player_of
from targi_dsl.search import Budget, Estimate, Search, Settings, task_of
from targi_dsl.search.reference import ReferencePlayouts
from tests.games import ALL

WORLDS = 5
"""Other positions of an information set that each position is compared with."""

LONGEST = 2_000  # decisions of a random game

TREE, FLAT = Settings(grows=True), Settings()
KINDS = ("search", "lookahead")
DIFFERENT = ("choices", "trees", "forms", "Python", "endless")
COUNTS = (
    *("positions", "worlds", "choices", "trees"),
    *("compiled", "forms", "Python", "games", "endless"),
)


def positions(game: Game, games: int, every: int, first: int = 0) -> Iterator[State]:
    """Some positions of random games in which a player is asked."""
    below = Stream(len(game.name) + first).below
    for seed in range(first, first + games):
        state = start(game, Seed(seed))
        for _ in range(LONGEST):
            if state.seat is None:
                break
            if below(every) == 0 and state.seat in game.players:
                yield state
            offered = [one for one in choices(state) if not one.declines] or list(choices(state))
            state = step(state, offered[below(len(offered))])


def otherwise(state: State, seed: int) -> State:
    """Another position of the information set, with another future: cards and values that the asked
    seat does not know are drawn anew.
    """
    return sample(observe(state, str(state.seat)), Stream(seed))


def permuted(state: State, seed: int) -> State:
    """The position with the cards that the asked seat does not know in another order: made without
    what searches draw their own worlds by.
    """
    game, engine, below = state.game, engine_of(state.game), Stream(seed).below
    numbers: dict[int, int] = {}
    unknown = unknown_to(engine, list(state.vector), game.players.index(str(state.seat)))
    for kind in range(len(game.kinds)):
        cards = [card for card in unknown if game.cards[card].kind == kind]
        left = cards[:]
        numbers |= {card: left.pop(below(len(left))) for card in cards}
    return State(game, renumber(engine, state.vector, numbers), Seed(seed), state.seat)


def found(state: State, settings: Settings, playouts: int) -> tuple[list[Estimate], list[int]]:
    """All that a search finds in a position."""
    search = Search(observe(state, str(state.seat)), 7, settings)
    search.run(Budget(playouts))
    return search.estimates(), search.ends


def chosen(state: State, kind: str, playouts: int) -> tuple[str, object]:
    """The choice of a new player, and all that its search has found."""
    player, searches = player_of(kind, 5, str(state.seat), Budget(playouts)), list[Search]()

    class Kept(Search):
        def __init__(self, observation: Observation, seed: int, settings: Settings) -> None:
            super().__init__(observation, seed, settings)
            searches.append(self)

    with patch.object(lookahead, "Search", Kept):
        choice = player.choose(observe(state, str(state.seat)), choices(state))
    return choice.id, [(one.estimates(), one.ends) for one in searches]


def compared(state: State, playouts: int) -> Counter[str]:
    """What differs in other worlds of the information set of a position."""
    counts, worlds = Counter[str](), [otherwise(state, seed) for seed in range(WORLDS - 1)]
    worlds.append(permuted(state, WORLDS))
    counts["worlds"] = sum(other.vector != state.vector for other in worlds)
    for kind in KINDS:
        choice, tree = chosen(state, kind, playouts)
        for other in worlds:
            other_choice, other_tree = chosen(other, kind, playouts)
            counts["choices"] += other_choice != choice
            counts["trees"] += other_tree != tree
    return counts


def by_python(state: State, playouts: int) -> list[int]:
    """The ends of the playouts that the interpreter carries out."""
    search = Search(observe(state, str(state.seat)), 7, FLAT)
    task = task_of(search.deal(0), 7, FLAT)
    in_python = ReferencePlayouts(Engine(state.game), task, search.deal)
    in_python.run(playouts // len(task.options) * len(task.options))
    return in_python.ends


def counted(
    name: str, wanted: int, playouts: int, compiled: int = 0, games: int = 0, seconds: float = inf
) -> Counter[str]:
    """What is found in so many positions of a sheet, in so many by both compiled forms, and in so
    many games of searches; in fewer of each if they take longer, in processor time.
    """
    game, counts = load(name), Counter[str]()
    game.program.engines[SEARCH] = rows_for_search(game)
    for state in _within(seconds, _some(game, wanted)):
        if not counts["positions"]:
            few = 2 * len(state.option_ids)
            counts["Python"] = by_python(state, few) != found(state, FLAT, few)[1]
        counts["positions"] += 1
        counts += compared(state, playouts)
    if compiled or games:
        other = load(name)
        with suppress(NotInC):
            use_c(other, QUICK)
        for state in _within(seconds, _some(game, compiled)):
            there = State(other, state.vector, state.chance, state.seat)
            counts["compiled"] += 1
            counts["forms"] += found(state, TREE, playouts) != found(there, TREE, playouts)
        for seed in _within(seconds, range(games)):
            counts["games"] += 1
            try:
                list(match(other, f"search:{playouts}", f"search:{playouts}", 1, seed))
            except RuntimeError:
                counts["endless"] += 1
    return counts


Thing = TypeVar("Thing")


def _within(seconds: float, things: Iterable[Thing]) -> Iterator[Thing]:
    """As many as there is time for."""
    end = time.process_time() + seconds
    return takewhile(lambda _: time.process_time() < end, things)


def _some(game: Game, wanted: int) -> Iterator[State]:
    """So many positions, of as many games as it takes."""
    left, first = wanted, 0
    while left:
        for state in positions(game, 1, 8, first):
            if left and len(choices(state)) > 1:
                left -= 1
                yield state
        first += 1


@click.command()
@click.argument("names", nargs=-1)
@click.option("--positions", "wanted", default=20, help="Positions compared with other worlds.")
@click.option("--compiled", default=20, help="Positions in which both compiled forms search.")
@click.option("--playouts", default=40, help="Playouts of each search.")
@click.option("--games", default=1, help="Games of searches of each sheet.")
@click.option("--seconds", default=inf, help="Processor time for each of these, by sheet.")
def command(
    names: tuple[str, ...], wanted: int, compiled: int, playouts: int, games: int, seconds: float
) -> None:
    """Compare searches in positions of the games NAMES."""
    click.echo(f"{'':24}" + "".join(f"{one:>13}" for one in COUNTS))
    whole = Counter[str]()
    for name in names or ALL:
        counts = counted(name, wanted, playouts, compiled, games, seconds)
        whole += counts
        click.echo(f"{name:24}" + "".join(f"{counts[one]:13,}" for one in COUNTS))
    click.echo(f"{'all':24}" + "".join(f"{whole[one]:13,}" for one in COUNTS))
    sys.exit(any(whole[one] for one in DIFFERENT))


if __name__ == "__main__":
    command()
