"""The counts of many games, and their layout.

Every game has a row of numbers, and all games share one tally: a flat array of sums. Games can
therefore be split in any way and their tallies added. docs/simulation.md describes every number.
"""

from __future__ import annotations

from enum import IntEnum

from msgspec.structs import replace

from targi_dsl.engine.options import EXCHANGE, unpack
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.domains import Domains
from targi_dsl.ir.game import Game
from targi_dsl.ir.program import Question
from targi_dsl.text.structs import Frozen

MOST_DECISIONS = 20_000
"""The number of decisions after which a game is cut off."""

CUT_OFF = -2
"""The ending of a game that was cut off."""

WIDEST = 256
"""The most cells of a way that chooses a number: all greater numbers share the last one."""


class Row(IntEnum):
    """The columns of a game's row; the scores of the players follow, and then the parts of their
    scores, player by player.
    """

    DECISIONS = 0
    BRANCHING = 1
    ROUNDS = 2
    ENDED_BY = 3
    TIE = 4
    WINNERS = 5
    LEAD_CHANGES = 6
    SCORES = 7


class Cells(Frozen):
    """The cells of a way: one for each element from `low` on; the last one also counts all beyond.
    names_card, names_place: whether the way chooses a card or a place.
    """

    first: int
    low: int
    size: int
    names_card: bool = False
    names_place: bool = False

    @property
    def names_thing(self) -> bool:
        """Whether the way chooses something on the table."""
        return self.names_card or self.names_place

    def cell_of(self, element: int) -> int:
        """The cell of an element, or of the way itself."""
        return self.first + min(max(element - self.low, 0), self.size - 1)


class Layout(Frozen):
    """The sections of a tally, by the index where each begins.

    branching: all options that were offered. part_sums: by player and part of the score. offered,
    taken: by cell and player. card_offered, card_taken, held, won, points: by card and player.
    begun: by procedure. Pairs are numbered thing * players + player. ways: the cells of every way,
    by question; the free exchanges follow from `exchanges` on.
    """

    players: int
    parts: int
    ways: tuple[tuple[Cells, ...], ...]
    exchanges: int
    branching: int
    part_sums: int
    offered: int
    taken: int
    card_offered: int
    card_taken: int
    begun: int
    held: int
    won: int
    points: int
    size: int

    @property
    def width(self) -> int:
        """The number of columns of a row."""
        return Row.SCORES + self.players * (1 + self.parts)

    def cell_of(self, question: int, option: int) -> int:
        """The cell of an option of a question."""
        if option >= EXCHANGE:
            return self.exchanges + option - EXCHANGE
        way, element = unpack(option)
        return self.ways[question][way].cell_of(element)

    @classmethod
    def of(cls, game: Game) -> Layout:
        """The layout of a game."""
        program, domains = game.program, Domains.of_game(game)
        ways, cells = [], 0
        for question in program.questions:
            found, cells = _ways(question, domains, len(program.resources), cells)
            ways.append(found)
        exchanges, cells = cells, cells + len(program.exchanges)
        players = len(program.players)
        by_cell, by_card = cells * players, len(program.cards) * players
        before = (1, players * len(program.scores), by_cell, by_cell, by_card, by_card)
        sizes = (*before, len(program.procedures), *[by_card] * 3)
        starts = [sum(sizes[:number]) for number in range(len(sizes) + 1)]
        return cls(players, len(program.scores), tuple(ways), exchanges, *starts)


def _ways(
    question: Question, domains: Domains, resources: int, first: int
) -> tuple[tuple[Cells, ...], int]:
    """The cells of a question's ways from a given cell on; and the next free cell."""
    found = []
    for one in _cells(question, domains, resources):
        found.append(replace(one, first=first))
        first += one.size
    return tuple(found), first


def _cells(question: Question, domains: Domains, resources: int) -> list[Cells]:
    match question.kind:
        case "ask":
            types = [None if way.choice is None else way.choice.type for way in question.ways]
            return [_of_type(type_, domains) for type_ in types]
        case "pay":
            return [Cells(0, NOTHING, 1)]
        case "unit":
            return [Cells(0, 0, resources)]
        case _:
            return []


def _of_type(type_: t.Type | None, domains: Domains) -> Cells:
    if type_ is None:
        return Cells(0, NOTHING, 1)
    if isinstance(type_, t.Number):
        low = max(type_.low, 0)
        return Cells(0, low, max(1, min(type_.high - low + 1, WIDEST)))
    members = domains.of(type_).members
    low, high = (members[0], members[-1]) if members else (0, 0)
    return Cells(0, low, high - low + 1, isinstance(type_, t.Card), isinstance(type_, t.Place))
