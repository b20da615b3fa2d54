"""The symbol table: everything that a game declares by name, with its number; and types in a
designer's words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct, field

from targi_dsl.compiler.cards.decks import SENTENCES
from targi_dsl.compiler.layers.error_symbols import ErrorSymbols, Unresolved
from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import PieceInfo, PlaceInfo
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Label, Problem, Reporter
from targi_dsl.text.source import Span
from targi_dsl.text.structs import Frozen
from targi_dsl.text.suggestions import suggestion

Typed = tuple[e.Expr, t.Type]
"""A lowered expression and its type."""


def describe(type_: t.Type) -> str:
    """A type in a designer's words, with an article."""
    if isinstance(type_, t.SetOf):
        return f"a set of {_plural(type_.of)}"
    match type_:
        case t.Number():
            return "a number"
        case t.Truth():
            return "yes or no"
        case t.Place(is_zone=is_zone):
            return "a zone" if is_zone else "a space"
        case t.Card():
            return "a card"
        case t.Piece():
            return "a piece"
        case t.Nothing():
            return "nothing"
        case _:
            article = "an" if type_.name[0] in "aeiou" else "a"
            return f"{article} {type_.name}"


def _plural(type_: t.Single) -> str:
    match type_:
        case t.Place():
            return "spaces"
        case t.Card():
            return "cards"
        case t.Piece():
            return "pieces"
        case t.Value():
            return "values"
        case _:
            return f"{type_.name}s"


LARGEST_AMOUNT = 9999
DIRECTIONS = {
    "above": (-1, 0), "upper_right": (-1, 1), "right": (0, 1), "lower_right": (1, 1),
    "below": (1, 0), "lower_left": (1, -1), "left": (0, -1), "upper_left": (-1, -1),
}  # fmt: skip
"""The directions of a grid, with their steps in rows and columns."""
SpaceShape = Literal[
    "ring", "row", "spots", "grid", "grid with diagonals", "hex", "edges", "corners", "blocks"
]
"""How the spaces of a region are arranged."""
GRIDS = ("grid", "grid with diagonals", "hex", "corners")
Point = tuple[int, int]
"""A row and a column in a grid refined by its lines: both odd at the centre of a cell, both even at
a corner, mixed on an edge.
"""
LISTS = {t.DIRECTION.of: tuple(DIRECTIONS)}
"""Lists of values that every game has as soon as it uses them."""
TYPE_WORDS = (*LISTS, *t.NAMED, *SENTENCES)
VALUE_WORDS = tuple(value for values in LISTS.values() for value in values)


class Region(Frozen):
    """A declared space or zone: `size` places for each owner, numbered from `base`. values: the
    list of values for each of which there is a place. names: the names of its spaces. of: the grid
    of which these are edges, corners or blocks. block: rows and columns of a block.
    """

    name: str
    base: int
    size: int
    owned: bool
    is_zone: bool
    shape: SpaceShape | Literal[""]
    rows: int
    columns: int
    kind: str
    values: str = ""
    names: tuple[str, ...] = ()
    of: str = ""
    block: tuple[int, int] = (1, 1)

    @property
    def is_grid(self) -> bool:
        """Whether its spaces have rows and columns."""
        return self.shape in GRIDS

    @property
    def is_block(self) -> bool:
        """Whether its spaces are blocks of a grid."""
        return self.of != "" and self.shape not in ("edges", "corners")

    @property
    def is_common_zone(self) -> bool:
        """Whether it is a single zone without an owner."""
        return self.is_zone and not self.owned and not self.values

    def of_player(self, player: int) -> tuple[int, ...]:
        """The places of one player; all places if they have no owner."""
        start = self.base + (player * self.size if self.owned else 0)
        return tuple(range(start, start + self.size))

    def labels(self) -> list[str]:
        """The labels of its spaces: names, or 1, 2, ...; on a grid, `b2` is column b, row 2."""
        if self.names:
            return [*self.names]
        if self.shape == "edges":
            return [
                f"{'v' if y % 2 else 'h'}{_letters(x // 2)}{y // 2 + 1}"
                for ((y, x),) in map(self.points, range(self.size))
            ]
        if not self.is_grid:
            return [str(number + 1) for number in range(self.size)]
        columns = [_letters(column) for column in range(self.columns)]
        return [f"{column}{row + 1}" for row in range(self.rows) for column in columns]

    @property
    def extent(self) -> str:
        """The labels for a message: first and last, or all names."""
        labels = self.labels()
        return ", ".join(labels) if self.names else f"{labels[0]} to {labels[-1]}"

    def cell(self, number: int) -> tuple[int, int]:
        """The row and column of a space, from 0."""
        if self.shape == "edges":
            ((y, x),) = self.points(number)
            return y // 2, x // 2
        return divmod(number, self.columns)

    def points(self, number: int) -> tuple[Point, ...]:
        """The points that a space, edge, corner or block occupies."""
        if self.shape == "edges":
            return (divmod(2 * number + 1, 2 * self.columns + 1),)
        row, column = self.cell(number)
        if self.shape == "corners":
            return ((2 * row, 2 * column),)
        high, wide = self.block
        rows = range(row * high, (row + 1) * high)
        columns = range(column * wide, (column + 1) * wide)
        return tuple((2 * y + 1, 2 * x + 1) for y in rows for x in columns)


def _letters(number: int) -> str:
    return ("" if number < 26 else chr(96 + number // 26)) + chr(97 + number % 26)


class PieceKind(Frozen):
    """per_player: the number that each player owns; 0 if the pieces have no owner."""

    name: str
    ids: tuple[int, ...]
    per_player: int

    def of_player(self, player: int) -> tuple[int, ...]:
        """The pieces of one player."""
        return self.ids[player * self.per_player : (player + 1) * self.per_player]


class SymbolTable(Struct):
    """The symbols of a game, with their numbers."""

    players: tuple[str, ...] = ()
    resources: list[str] = []
    plurals: dict[str, str] = {}
    """The resources and groups by their singular."""
    groups: dict[str, tuple[int, ...]] = {}
    values: dict[str, tuple[str, ...]] = {}
    numbers: dict[str, tuple[int, ...]] = {}
    kinds: dict[str, dict[str, n.Field]] = {}
    places: list[PlaceInfo] = []
    regions: dict[str, Region] = {}
    pieces: list[PieceInfo] = []
    piece_kinds: dict[str, PieceKind] = {}
    spaces: dict[str, tuple[str, int]] = {}
    """The region of each named space, and its number there."""
    sets: dict[str, tuple[int, ...]] = {}
    relations: dict[str, dict[int, tuple[int, ...]]] = {}
    options: dict[str, str] = {}
    option_values: dict[str, tuple[str, ...]] = {}
    errors: ErrorSymbols = field(default_factory=ErrorSymbols)

    @property
    def seats(self) -> range:
        """The numbers of the players."""
        return range(len(self.players))

    def is_owned(self, each: t.Type | None) -> bool:
        """Whether there is one for each player, or for each space of a player."""
        region = self.regions.get(each.region) if isinstance(each, t.Place) else None
        return isinstance(each, t.Player) or (region is not None and region.owned)

    def group_number(self, name: str) -> int:
        """The item number of a group."""
        return len(self.resources) + list(self.groups).index(name)

    def boards(self) -> list[str]:
        """The regions that are not zones."""
        return [name for name, one in self.regions.items() if not one.is_zone]

    def use_list(self, name: str) -> None:
        """Adds a list of values from LISTS, if that is one."""
        if name in LISTS:
            self.values.setdefault(name, LISTS[name])

    def values_with(self, member: str) -> list[str]:
        """The lists of values that have such a member."""
        return [name for name, members in self.values.items() if member in members]

    def owners(self, owned: bool) -> Iterator[tuple[int, str]]:
        """Each owner with a suffix for labels; NOTHING and no suffix if there are no owners."""
        if owned:
            yield from ((number, f" of {name}") for number, name in enumerate(self.players))
        else:
            yield NOTHING, ""


class Entry(Reporter, Struct):
    """A symbol table under construction, with the problems of declarations."""

    table: SymbolTable
    problems: list[Problem]

    def refuse(
        self, name: str, code: str, title: str, span: Span, text: str, hint: str = ""
    ) -> None:
        """Reports a declaration and makes its name an error symbol."""
        self.report(code, title, span, text, hint)
        self.table.errors.names.add(name)

    def report_unknown(self, what: str, word: n.Word, text: str, known: Iterable[str]) -> None:
        """Reports a name that is not declared, with the closest known one as a hint."""
        title, hint = f"unknown {what} `{word.text}`", suggestion(word.text, known)
        self.problems.append(Unresolved("E201", title, word.span, text, hint, name=word.text))

    def report_duplicates(self, words: Iterable[n.Word]) -> None:
        """Reports words that are repeated in a list."""
        seen: dict[str, Span] = {}
        for word in words:
            if word.text in seen:
                title = f"`{word.text}` appears twice"
                labels = (Label(seen[word.text], "first here"),)
                self.report("E202", title, word.span, "Once is enough.", labels=labels)
            seen.setdefault(word.text, word.span)
