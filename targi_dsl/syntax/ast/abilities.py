"""Abilities: when something holds or happens, and what."""

from __future__ import annotations

from typing import Literal

from targi_dsl.syntax.ast.base import Node, Word
from targi_dsl.syntax.ast.expressions import Amount, Expr
from targi_dsl.syntax.ast.statements import Block

Actor = Literal["you", "opponent", "anyone"]
Difference = Literal["more", "less", ""]


class OnArrival(Node):
    """`once`"""


class Always(Node):
    """`always`"""


class AtEnd(Node):
    """`at end`"""


class OncePer(Node):
    period: Word


class InsteadOf(Node):
    rule: Word


class When(Node):
    """`when ACTOR gain|pay|do NAME`; `kind` is the kind of card that a gain comes from."""

    actor: Actor
    verb: Literal["gain", "pay", "do"]
    name: Word
    kind: Word | None


class EvenEarlier(Node):
    period: Word


Scope = OnArrival | Always | AtEnd | OncePer | InsteadOf | When | EvenEarlier


class Ignore(Node):
    forbid: Word
    condition: Expr | None


class Reduce(Node):
    rule: Word
    amounts: tuple[Amount, ...]
    condition: Expr | None


class Becomes(Node):
    """Another value, or so much `more` or `less` (else `by` is empty)."""

    define: Word
    value: Expr
    by: Difference
    condition: Expr | None


class AlsoOffers(Node):
    rule: Word
    body: Block


class Substitute(Node):
    """`in RULE, PAID may replace OWED`."""

    rule: Word
    paid: tuple[Amount, ...]
    owed: tuple[Amount, ...]
    condition: Expr | None


class StoredPays(Node):
    resource: Word
    rule: Word


class EffectBody(Node):
    body: Block


class ScoreBody(Node):
    value: Expr


AbilityBody = (
    EffectBody | ScoreBody | Ignore | Reduce | Becomes | AlsoOffers | Substitute | StoredPays
)


class Ability(Node):
    scopes: tuple[Scope, ...]
    body: AbilityBody
