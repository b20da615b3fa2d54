"""Facts about expressions that lowering records for the symbol index and the checks."""

from __future__ import annotations

from dataclasses import field

from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.syntax import ast as n
from targi_dsl.text.light import dataclass
from targi_dsl.text.source import Section, Source, Span

Home = Source | Section

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
    """The types of names as written, where local ones were bound, and tests of kinds of cards."""

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
