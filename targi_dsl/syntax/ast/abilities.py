"""Abilities: when something holds or happens, and what."""

from __future__ import annotations

from typing import Literal

from targi_dsl.syntax.ast.base import Node, Word
from targi_dsl.syntax.ast.expressions import Amount, Expr
from targi_dsl.syntax.ast.statements import Block
from targi_dsl.text.light import dataclass

Actor = Literal["you", "opponent", "anyone"]
Difference = Literal["more", "less", ""]


@dataclass(frozen=True, slots=True)
class OnArrival(Node):
    """`once`"""


@dataclass(frozen=True, slots=True)
class Always(Node):
    """`always`"""


@dataclass(frozen=True, slots=True)
class AtEnd(Node):
    """`at end`"""


@dataclass(frozen=True, slots=True)
class OncePer(Node):
    period: Word


@dataclass(frozen=True, slots=True)
class InsteadOf(Node):
    rule: Word


@dataclass(frozen=True, slots=True)
class When(Node):
    """`when ACTOR gain|pay|do NAME`; `kind` is the kind of card that a gain comes from."""

    actor: Actor
    verb: Literal["gain", "pay", "do"]
    name: Word
    kind: Word | None


@dataclass(frozen=True, slots=True)
class EvenEarlier(Node):
    period: Word


Scope = OnArrival | Always | AtEnd | OncePer | InsteadOf | When | EvenEarlier


@dataclass(frozen=True, slots=True)
class Ignore(Node):
    forbid: Word
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class Reduce(Node):
    rule: Word
    amounts: tuple[Amount, ...]
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class Becomes(Node):
    """Another value, or so much `more` or `less` (else `by` is empty)."""

    define: Word
    value: Expr
    by: Difference
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class AlsoOffers(Node):
    rule: Word
    body: Block


@dataclass(frozen=True, slots=True)
class Substitute(Node):
    """`in RULE, PAID may replace OWED`."""

    rule: Word
    paid: tuple[Amount, ...]
    owed: tuple[Amount, ...]
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class StoredPays(Node):
    resource: Word
    rule: Word


@dataclass(frozen=True, slots=True)
class EffectBody(Node):
    body: Block


@dataclass(frozen=True, slots=True)
class ScoreBody(Node):
    value: Expr


AbilityBody = (
    EffectBody | ScoreBody | Ignore | Reduce | Becomes | AlsoOffers | Substitute | StoredPays
)


@dataclass(frozen=True, slots=True)
class Ability(Node):
    scopes: tuple[Scope, ...]
    body: AbilityBody
