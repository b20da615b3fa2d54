"""Statements: what a rule does, step by step."""

from __future__ import annotations

from typing import Literal

from targi_dsl.syntax.ast.base import Node, Word
from targi_dsl.syntax.ast.effects import Effect
from targi_dsl.syntax.ast.expressions import Expr, Price
from targi_dsl.syntax.ast.wordings import Worded, Wording

Block = tuple["Statement", ...]


class Pay(Node):
    price: Price | Expr
    otherwise: Statement | None


class By(Node):
    """`opponent pays 1 coins`: what a player does, said by whoever speaks."""

    who: Expr
    statement: Statement


class Let(Node):
    name: Word
    value: Expr


class Several(Node):
    """`2` or `up to 3`, of what is chosen."""

    fewer: bool
    number: int


class Choose(Worded):
    """`choose x in SET where CONDITION`; x is known in the rest of the block. With `several` it is
    a set of so many.
    """

    several: Several | None
    name: Word
    within: Expr
    condition: Expr | None
    at_random: bool


class ChooseInSecret(Worded):
    """`all choose VARIABLE in SET where CONDITION in secret`"""

    name: Word
    within: Expr
    condition: Expr | None


class Roll(Node):
    name: Word
    low: Expr
    high: Expr


class RollVariable(Node):
    """`roll VARIABLE`: it becomes one of its values."""

    variable: Expr


class Forbid(Node):
    name: Word
    condition: Expr
    reason: str | None


class Do(Node):
    rule: Word
    arguments: tuple[Expr, ...]


class DoAction(Node):
    """`do action of CARD`"""

    card: Expr


class EndGame(Node):
    """`end game`"""


class Outcome(Node):
    """`P wins`, `P loses`, `P is out`; `who` is None for everybody, `outcome` won, lost or out."""

    who: Expr | None
    outcome: Literal["won", "lost", "out"]


class Stop(Node):
    """`stop`: leaves the rule."""


class PassBy(Node):
    """`nothing`: does nothing."""


class If(Node):
    condition: Expr
    then: Block
    otherwise: Block


class Each(Node):
    name: Word
    within: Expr
    condition: Expr | None
    body: Block


class EachPlayer(Node):
    """`each player from P`: `you` is each in turn, from the first seat if `start` is None."""

    start: Expr | None
    body: Block


class TurnOf(Node):
    """`turn of P`: in the block P is `you`."""

    player: Expr
    body: Block


class ByTurns(Node):
    """`by turns from P until C`: round and round in seat order; in the block each is `you`."""

    start: Expr | None
    until: Expr | None
    body: Block


class Pass(Node):
    """`pass`: your turn ends, and you get no more of those it stands in."""


class Repeat(Node):
    """`repeat N times`"""

    times: Expr
    body: Block


class RepeatUntil(Node):
    """`repeat until C`: C is asked before every turn."""

    condition: Expr
    body: Block


class Times(Node):
    """`up to N times`, or `any number of times` when limit is None."""

    limit: Expr | None
    wording: Wording | None
    body: Block


class Alternative(Node):
    """One answer to a question; with `name` and `within`, one for each element of a set."""

    label: Word | None
    name: Word | None
    within: Expr | None
    condition: Expr | None
    wording: Wording | None
    body: Block


class YourAbilities(Node):
    """`your abilities`: each of your abilities that can be used now is an answer."""


class OneOf(Node):
    """`one of`; `otherwise` is done if no alternative is possible."""

    alternatives: tuple[Alternative | YourAbilities, ...]
    otherwise: Block


class May(Node):
    wording: Wording | None
    body: Block


class AnyOrder(Node):
    alternatives: tuple[Alternative | YourAbilities, ...]


Statement = (
    Effect | Pay | By | Let | Choose | ChooseInSecret | Roll | RollVariable | Forbid | Do |
    DoAction | EndGame | Outcome | Stop | PassBy | If | Each | EachPlayer | TurnOf | ByTurns |
    Pass | Repeat | RepeatUntil | Times | OneOf | May | AnyOrder
)  # fmt: skip
