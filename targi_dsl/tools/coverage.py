"""Coverage of a game by play: which rules, statements, branches, prohibitions, abilities, cards and
options were used, each with its place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from math import inf
from typing import Literal, get_args

from msgspec import Struct, field

from targi_dsl.api.results import result
from targi_dsl.api.state import State
from targi_dsl.compiler.load import option_values
from targi_dsl.engine.chance import Seed
from targi_dsl.engine.run import Waiting
from targi_dsl.explain.tracing import Hits, Tracer
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.ir.instructions import Branch, Nop
from targi_dsl.ir.origins import Origin
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.source import Span
from targi_dsl.text.structs import Frozen

Sort = Literal["rule", "statement", "branch", "prohibition", "ability", "card", "option"]
SORTS: tuple[Sort, ...] = get_args(Sort)

_CONDITIONAL = re.compile(r"if\b|.*\buntil\b")
"""The first line of a statement with a condition; other branches are generated."""

MOST_CHOICES = 20_000
"""A game with more choices is taken for endless."""


class Item(Frozen, order=True):
    """Something that can be used, with its place; "" and 0 if it has none."""

    sort: Sort
    file: str
    line: int
    name: str


Coverage = Counter[Item]
"""How often each item was used, 0 included."""


def coverage(game: Game, hits: Hits) -> Coverage:
    """The coverage of a game, from hits."""
    found = Coverage()
    for item, times in _items(game, hits):
        found[item] += times
    return found


def shares(covered: Coverage) -> dict[Sort, tuple[int, int]]:
    """For each sort the number of used items and of all."""
    by_sort = ((sort, [n for item, n in covered.items() if item.sort == sort]) for sort in SORTS)
    return {sort: (sum(n > 0 for n in times), len(times)) for sort, times in by_sort if times}


def unused(covered: Coverage) -> list[Item]:
    """The items that were never used, sorted."""
    return sorted(item for item, times in covered.items() if not times)


def _items(game: Game, hits: Hits) -> Iterator[tuple[Item, int]]:
    program = game.program
    for rule, procedure in zip(game.rules, program.procedures, strict=False):
        if not rule.part_of:
            name, span = _place(rule.name, rule.origins)
            yield _item("rule", span, name), hits.instructions[procedure.entry]
    for address, line in enumerate(program.code):
        if line.span is None or isinstance(line.operation, Nop):
            continue
        yield _item("statement", line.span, ""), hits.instructions[address]
        if isinstance(line.operation, Branch) and _CONDITIONAL.match(line.span.text):
            for holds, side in ((True, "holds"), (False, "does not hold")):
                yield _item("branch", line.span, side), hits.branches[address, holds]
    for number, forbid in enumerate(game.forbids):
        if forbid.condition:  # others are implied by statements
            name, span = _place(forbid.name, forbid.origins)
            yield _item("prohibition", span, name), hits.barred[number] + hits.lifted[number]
    entries = [procedure.entry for procedure in program.procedures]
    for number, ability in enumerate(game.abilities):
        name = ability.name.partition("#")[0]
        arrived = hits.instructions[entries[ability.arrival]] if ability.arrival != NOTHING else 0
        yield _item("ability", ability.span, name), hits.abilities[number] + arrived
    rules = {procedure.name: procedure.entry for procedure in program.procedures}
    for card in game.cards:
        acted = hits.instructions[rules[card.id]] if card.id in rules else 0
        yield Item("card", "", 0, card.entry), hits.things[card.id] + acted


def of_options(games: Iterable[Game]) -> Coverage:
    """The coverage of option values by some games."""
    found = Coverage()
    for game in games:
        played = dict(game.options)
        for name, values in option_values(game.sheet).items() if game.sheet else ():
            for value in values:
                found[Item("option", "", 0, f"{name}: {value}")] += played.get(name) == value
    return found


def _place(name: str, origins: tuple[Origin, ...]) -> tuple[str, Span | None]:
    return name, next((one.span for one in origins if one.span is not None), None)


def _item(sort: Sort, span: Span | None, name: str) -> Item:
    return (
        Item(sort, "", 0, name) if span is None else Item(sort, span.source.name, span.line, name)
    )


# ---- traced games ----


class First(Frozen):
    """The first use of an item: the seed of the game, and the number of questions before it."""

    seed: int
    questions: int


class RandomGames(Struct):
    """Traced random games. left: how many were not played because of the limit. lengths: in
    questions. faults: by seed.
    """

    game: Game
    played: int = 0
    left: int = 0
    lengths: list[int] = field(default_factory=list)
    winners: Counter[str] = field(default_factory=Counter)
    faults: dict[int, str] = field(default_factory=dict)
    firsts: dict[Item, First] = field(default_factory=dict)
    covered: Coverage = field(default_factory=Coverage)


def trace_games(game: Game, seeds: Iterable[int], elements: float = inf) -> RandomGames:
    """Plays games with random choices and records what they use, and when first. No further game
    begins after this many visited elements.
    """
    games, tracer = RandomGames(game), Tracer(game)
    for seed in seeds:
        if tracer.metered > elements:
            games.left += 1
            continue
        games.played += 1
        kinds, positions = tracer.hits.kinds, list[Waiting]()
        try:
            for left in tracer.game_of(seed, MOST_CHOICES):
                positions.append(left)
                if tracer.hits.kinds > kinds:
                    kinds = tracer.hits.kinds
                    _note_firsts(games, tracer.hits, First(seed, len(positions) - 1))
        except Problems as error:
            games.faults[seed] = f"{error.problems[0].code} {error.problems[0].title}"
            continue
        games.lengths.append(len(positions) - 1)
        if positions[-1].point != NOTHING:
            games.faults[seed] = f"it does not end within {MOST_CHOICES:,} questions"
            continue
        state = State(game, tracer.engine.pack(positions[-1]), Seed(seed), None)
        tracer.stand(state)
        games.winners.update(result(state).winners or ("nobody",))
    games.covered = coverage(game, tracer.hits)
    games.covered.update(of_options([game]))
    return games


def _note_firsts(games: RandomGames, hits: Hits, first: First) -> None:
    for item, times in coverage(games.game, hits).items():
        if times:
            games.firsts.setdefault(item, first)
