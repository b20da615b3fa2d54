"""The LALR automaton: the table that the grammar gives, and a parse by it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from targi_dsl.syntax.lexer import END
from targi_dsl.text.light import dataclass

Row: TypeAlias = Mapping[str, int]
"""What each symbol does in a state: a number from 0 on is the next state, a negative one the
complement of the rule that is complete.
"""


class Rule(NamedTuple):
    """A rule of the grammar, and how the tree of its parts is made.

    construct: the name of the tree. size: the number of parts. passes: a single part is the tree.
    kept: the index of each part that is kept, whether its own parts take its place, and the number
    of omitted parts before it. omitted: the number of those at the end.
    """

    origin: str
    construct: str
    size: int
    passes: bool
    kept: Sequence[tuple[int, bool, int]]
    omitted: int


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of the states, the rules, and the first and last state of each start symbol."""

    rows: Sequence[Row]
    rules: Sequence[Rule]
    first: Mapping[str, int]
    last: Mapping[str, int]

    def reductions(self, row: Row) -> Iterator[Rule]:
        """The rules that can be complete in a state."""
        return (self.rules[~found] for found in set(row.values()) if found < 0)


class Token(NamedTuple):
    """A lexeme as a terminal of the grammar."""

    kind: str
    text: str
    start: int
    end: int


@dataclass(slots=True, eq=False)
class Tree:
    """A construct with its parts: trees, tokens, and None for an omitted one. Its extent is that of
    its words; `outer` is the extent with what is left out around it, such as parentheses.
    """

    construct: str
    parts: list[Part]
    extent: Extent | None = None
    outer: Extent | None = None

    def cover(self, extent: Extent) -> None:
        """Makes this the outer extent."""
        self.extent = self.extent or extent
        self.outer = extent


Part: TypeAlias = Tree | Token | None
Extent: TypeAlias = tuple[int, int]


class Parser:
    """A state of the automaton, which takes one terminal after another and builds nothing."""

    def __init__(self, table: Table, start: str, states: Sequence[int] = ()) -> None:
        self.table, self.start = table, start
        self.states = [*states] or [table.first[start]]

    @property
    def row(self) -> Row:
        """What can follow."""
        return self.table.rows[self.states[-1]]

    def copy(self) -> Parser:
        """Another parser in the same state."""
        return Parser(self.table, self.start, self.states)

    def feed(self, token: Token) -> bool:
        """Takes a terminal; False if it does not fit."""
        states, rows, last = self.states, self.table.rows, self.table.last[self.start]
        while (found := rows[states[-1]].get(token.kind)) is not None:
            if found >= 0:
                states.append(found)
                self.shift(token)
                return True
            rule = self.table.rules[~found]
            del states[len(states) - rule.size :]
            states.append(rows[states[-1]][rule.origin])
            self.reduce(rule)
            if token.kind == END and states[-1] == last:
                return True
        return False

    def shift(self, token: Token) -> None:
        """Called for a terminal that was taken."""

    def reduce(self, rule: Rule) -> None:
        """Called for a rule that is complete."""

    def accepts(self) -> list[str]:
        """The terminals that can come next."""
        terminals = (kind for kind in self.row if kind.isupper())
        return [kind for kind in terminals if self.copy().feed(Token(kind, "", 0, 0))]


class TreeParser(Parser):
    """A parser that builds trees: `trees` has them all, each after its parts."""

    def __init__(self, table: Table, start: str) -> None:
        super().__init__(table, start)
        self.trees = list[Tree]()
        self._values = list[Tree | Token]()

    def shift(self, token: Token) -> None:
        self._values.append(token)

    def reduce(self, rule: Rule) -> None:
        at = len(self._values) - rule.size
        values = self._values[at:]
        made = self._made(rule, list(_kept(rule, values)))
        if isinstance(made, Tree):
            extents = [one for one in map(_outer, values) if one is not None]
            if extents:
                made.cover((extents[0][0], extents[-1][1]))
        self._values[at:] = [made]

    def _made(self, rule: Rule, parts: list[Part]) -> Tree | Token:
        if rule.passes and len(parts) == 1 and parts[0] is not None:
            return parts[0]
        tree = Tree(rule.construct, parts)
        if not rule.origin.startswith("_"):
            self.trees.append(tree)
        return tree


def _kept(rule: Rule, values: Sequence[Tree | Token]) -> Iterator[Part]:
    """The parts of a tree."""
    for at, spread, omitted in rule.kept:
        yield from (None,) * omitted
        value = values[at]
        if spread and isinstance(value, Tree):
            yield from value.parts
        else:
            yield value
    yield from (None,) * rule.omitted


def _outer(value: Tree | Token) -> Extent | None:
    return value.outer if isinstance(value, Tree) else (value.start, value.end)
