"""What lowering a declaration asks of the rest of the game, and what it makes besides its result.

Both are kept until the next check: if every question still has the same answer, the declaration
does not have to be lowered again (see `reuse`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.syntax import ast as n
from targi_dsl.text.light import dataclass
from targi_dsl.text.source import Span

Question = Callable[..., Any]
"""A function of the context and its arguments that answers the same however often it is asked."""

_NAMING = (n.Your, n.Of)


@dataclass(frozen=True, slots=True)
class KindAsked:
    """A test in a rule whether a card is of a kind."""

    rule: int
    card: e.Expr
    kind: int
    span: Span


@dataclass(slots=True)
class Noted:
    """Facts about expressions for the symbol index: their types, and where local names were
    bound.
    """

    types: dict[Span, t.Type] = field(default_factory=dict)
    locals: dict[Span, Span] = field(default_factory=dict)
    kinds: list[KindAsked] = field(default_factory=list)

    def note(self, node: n.Expr, type_: t.Type, bound: Span | None) -> None:
        """Records the type of an expression that is a name, and where it is bound, if it is a local
        one.
        """
        if isinstance(node, n.Name):
            self.types[node.span] = type_
            if bound is not None:
                self.locals[node.span] = bound
        elif isinstance(node, _NAMING):
            self.types[node.name.span] = type_

    def add(self, other: Noted) -> None:
        """Adds what has been noted about another declaration."""
        self.types |= other.types
        self.locals |= other.locals
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
    what was appended to the tables.
    """

    inputs: tuple[object, ...]
    ends: tuple[int, ...]
    errors: set[str]
    trace: Trace
    result: Any
    more: tuple[list[Any], ...]


@dataclass(slots=True)
class LoweredGame:
    """The lowered declarations of a game, and the surroundings that all of them depend on."""

    surroundings: object = None
    declarations: dict[tuple[str, ...], Lowered] = field(default_factory=dict)
