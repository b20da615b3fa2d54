"""What lowering a declaration asks of the rest of the game, and what it makes besides its result.

Both are kept until the next check: if every question still has the same answer, the declaration
does not have to be lowered again (see `reuse`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from operator import is_
from typing import Any, TypeVar

from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.syntax import ast as n
from targi_dsl.text.light import dataclass
from targi_dsl.text.source import Section, Source, Span

Question = Callable[..., Any]
"""A function of the context and its arguments that answers the same however often it is asked."""

Result = TypeVar("Result")

_NAMING = (n.Your, n.Of)


@dataclass(frozen=True, slots=True)
class KindAsked:
    """A test in a rule whether a card is of a kind."""

    rule: int
    card: e.Expr
    kind: int
    span: Span


Home = Source | Section


@dataclass(slots=True)
class Noted:
    """Facts about expressions for the symbol index, by their homes: their types, and where local
    names were bound.
    """

    types: dict[Home, dict[Span, t.Type]] = field(default_factory=dict)
    locals: dict[Home, dict[Span, Span]] = field(default_factory=dict)
    kinds: list[KindAsked] = field(default_factory=list)

    def note(self, node: n.Expr, type_: t.Type, bound: Span | None) -> None:
        """Records the type of an expression that is a name, and where it is bound, if it is a local
        one.
        """
        if isinstance(node, n.Name):
            self._type(node.span, type_)
            if bound is not None:
                self.locals.setdefault(node.span.home, {})[node.span] = bound
        elif isinstance(node, _NAMING):
            self._type(node.name.span, type_)

    def _type(self, span: Span, type_: t.Type) -> None:
        self.types.setdefault(span.home, {})[span] = type_

    def add(self, other: Noted) -> None:
        """Adds what has been noted about another declaration."""
        for home, types in other.types.items():
            self.types[home] = self.types.get(home, {}) | types
        for home, binders in other.locals.items():
            self.locals[home] = self.locals.get(home, {}) | binders
        self.kinds += other.kinds


@dataclass(slots=True)
class Trace:
    """The questions of one declaration with their answers, the names of which it has asked whether
    they are error symbols, what it notes, and the rules that it finds to ask something.

    problems: how many have been reported by what it depends on. is_kept: whether the questions are
    everything that it depends on.
    """

    asked: dict[tuple[Question, tuple[Any, ...]], object] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    noted: Noted = field(default_factory=Noted)
    asking: set[str] = field(default_factory=set)
    problems: int = 0
    is_kept: bool = True


@dataclass(frozen=True, slots=True)
class Lowered:
    """A lowered declaration: what it was made from, and everything that making it did.

    ends: where the tables ended before. errors: the names asked of that were error symbols. more:
    what was appended to the tables. lists: the lists of values of every game that it used first.
    """

    inputs: tuple[object, ...]
    ends: tuple[int, ...]
    errors: set[str]
    trace: Trace
    result: Any
    more: tuple[list[Any], ...]
    lists: tuple[str, ...]


@dataclass(slots=True)
class LoweredGame:
    """The lowered declarations of a game, and the surroundings that all of them depend on; and
    other results, with all that each of them depends on.

    symbols: all symbols of the latest index, by kind and name. parts: the occurrences in each
    declaration and card of that index, by place, with all that they depend on but the symbols.
    """

    surroundings: object = None
    declarations: dict[tuple[str, ...], Lowered] = field(default_factory=dict)
    symbols: dict[Any, Any] = field(default_factory=dict)
    parts: dict[object, tuple[tuple[object, ...], Any]] = field(default_factory=dict)
    _results: dict[object, tuple[tuple[object, ...], Any]] = field(default_factory=dict)

    def copy(self) -> LoweredGame:
        """The same results, to which others can be added."""
        return LoweredGame(
            self.surroundings,
            dict(self.declarations),
            dict(self.symbols),
            dict(self.parts),
            dict(self._results),
        )

    def result(self, key: object, inputs: tuple[object, ...], make: Callable[[], Result]) -> Result:
        """The result of a function of these inputs, made again if one of them has changed."""
        before = self._results.get(key)
        if before is None or not same(inputs, before[0]):
            before = self._results[key] = inputs, make()
        result: Result = before[1]
        return result


def same(inputs: tuple[object, ...], before: tuple[object, ...]) -> bool:
    """Whether the inputs are those of before."""
    if len(inputs) != len(before):
        return False
    return all(map(is_, inputs, before)) or all(map(is_same, inputs, before))


def is_same(one: object, other: object) -> bool:
    """Whether they are equal. Nodes that are equal say the same, but may stand elsewhere."""
    return one is other or (one == other and not isinstance(one, n.Node))
