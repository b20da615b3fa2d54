"""Statements: what a rule does."""

from __future__ import annotations

from typing import Literal

from targi_dsl.syntax.ast.base import Facing, Node, Word
from targi_dsl.syntax.ast.expressions import Amount, Expr, Price
from targi_dsl.syntax.ast.wordings import Worded, Wording
from targi_dsl.text.light import dataclass

Block = tuple["Statement", ...]


@dataclass(frozen=True, slots=True)
class Gain(Node):
    price: Price | Expr


@dataclass(frozen=True, slots=True)
class Pay(Node):
    price: Price | Expr
    otherwise: Statement | None


@dataclass(frozen=True, slots=True)
class Lose(Node):
    """`lose 2 coins`: as many of them as there are."""

    amounts: tuple[Amount, ...]


@dataclass(frozen=True, slots=True)
class Keep(Node):
    """`keep at most 10 coins`: what is more than that goes back."""

    amounts: tuple[Amount, ...]


@dataclass(frozen=True, slots=True)
class By(Node):
    """`opponent pays 1 coins`: the deed of a player, in the words of whoever speaks."""

    who: Expr
    deed: Statement


@dataclass(frozen=True, slots=True)
class Exchange(Node):
    """`2 of one wares -> 1 other wares`."""

    give: tuple[Amount, ...]
    take: Price


@dataclass(frozen=True, slots=True)
class Store(Node):
    """`store 1 coins on this`."""

    amounts: tuple[Amount, ...]


@dataclass(frozen=True, slots=True)
class Place(Node):
    """`place PIECE on SPACES`: a piece of yours that is not on the board yet, on each of them."""

    piece: Word
    space: Expr


@dataclass(frozen=True, slots=True)
class RemovePieces(Node):
    """`remove PIECES`: from the board."""

    pieces: Expr


@dataclass(frozen=True, slots=True)
class Move(Node):
    """`move PIECE to SPACE`."""

    piece: Expr
    space: Expr


@dataclass(frozen=True, slots=True)
class Swap(Node):
    """`swap CARD and CARD`: each goes where the other was."""

    card: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class Supply(Node):
    """Where the coins of `put 4 coins on PLACE` come from."""


@dataclass(frozen=True, slots=True)
class Transfer(Node):
    """`move 2 coins from A to B`, `take` to you, `put` from you or from the supply. `quantity` is
    None for all, `source` and `target` for who acts.
    """

    quantity: Expr | None
    resource: Word
    source: Expr | Supply | None
    target: Expr | None


@dataclass(frozen=True, slots=True)
class Put(Node):
    """`put CARD on|under PLACE, face up|down`; with an empty `facing` the zone decides."""

    card: Expr
    where: Literal["on", "under"]
    place: Expr
    facing: Facing


@dataclass(frozen=True, slots=True)
class Draw(Node):
    """`draw N from ZONE to ZONE`: one by one, from the top."""

    number: Expr
    source: Expr
    place: Expr


@dataclass(frozen=True, slots=True)
class Deal(Node):
    """`deal N from ZONE to each ZONE`: one by one, around the table."""

    number: Expr
    source: Expr
    zone: Word


@dataclass(frozen=True, slots=True)
class Fill(Node):
    """`fill SPACES with cards from ZONE, face up|down`: a card on each space that has none."""

    spaces: Expr
    source: Expr
    facing: Facing


@dataclass(frozen=True, slots=True)
class Turn(Node):
    cards: Expr
    facing: Facing


@dataclass(frozen=True, slots=True)
class Shuffle(Node):
    zone: Expr


@dataclass(frozen=True, slots=True)
class Reveal(Node):
    cards: Expr


@dataclass(frozen=True, slots=True)
class LookAt(Node):
    """`look at CARDS`: you come to know them."""

    cards: Expr


@dataclass(frozen=True, slots=True)
class Tell(Node):
    """`tell which cards in CARDS have FIELD VALUE`: all come to know it of each card."""

    cards: Expr
    field: Word
    value: Expr


@dataclass(frozen=True, slots=True)
class Remember(Node):
    """`remember the position`: what is on the board, and whose turn it is."""


@dataclass(frozen=True, slots=True)
class Assign(Node):
    target: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Let(Node):
    name: Word
    value: Expr


@dataclass(frozen=True, slots=True)
class Several(Node):
    """`2` or `up to 3`, of what is chosen."""

    fewer: bool
    number: int


@dataclass(frozen=True, slots=True)
class Choose(Worded):
    """`choose x in SET where CONDITION`; x is known in the rest of the block. With `several` it is
    a set of so many.
    """

    several: Several | None
    name: Word
    within: Expr
    condition: Expr | None
    at_random: bool


@dataclass(frozen=True, slots=True)
class ChooseInSecret(Worded):
    """`all choose VARIABLE in SET where CONDITION in secret`"""

    name: Word
    within: Expr
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class Roll(Node):
    name: Word
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class RollVariable(Node):
    """`roll VARIABLE`: it becomes one of its values."""

    variable: Expr


@dataclass(frozen=True, slots=True)
class Forbid(Node):
    name: Word
    condition: Expr
    reason: str | None


@dataclass(frozen=True, slots=True)
class Do(Node):
    rule: Word
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class DoAction(Node):
    """`do action of CARD`"""

    card: Expr


@dataclass(frozen=True, slots=True)
class EndGame(Node):
    """`end game`"""


@dataclass(frozen=True, slots=True)
class Outcome(Node):
    """`P wins`, `P loses`, `P is out`; `who` is None for everybody, `outcome` won, lost or out."""

    who: Expr | None
    outcome: Literal["won", "lost", "out"]


@dataclass(frozen=True, slots=True)
class Stop(Node):
    """`stop`: leaves the rule."""


@dataclass(frozen=True, slots=True)
class PassBy(Node):
    """`nothing`: does nothing."""


@dataclass(frozen=True, slots=True)
class If(Node):
    condition: Expr
    then: Block
    otherwise: Block


@dataclass(frozen=True, slots=True)
class Each(Node):
    name: Word
    within: Expr
    condition: Expr | None
    body: Block


@dataclass(frozen=True, slots=True)
class EachPlayer(Node):
    """`each player from P`: `you` is each in turn, from the first seat if `start` is None."""

    start: Expr | None
    body: Block


@dataclass(frozen=True, slots=True)
class TurnOf(Node):
    """`turn of P`: in the block P is `you`."""

    player: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class ByTurns(Node):
    """`by turns from P until C`: round and round in seat order; in the block each is `you`."""

    start: Expr | None
    until: Expr | None
    body: Block


@dataclass(frozen=True, slots=True)
class Pass(Node):
    """`pass`: your turn ends, and you get no more of those it stands in."""


@dataclass(frozen=True, slots=True)
class Repeat(Node):
    """`repeat N times`"""

    times: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class RepeatUntil(Node):
    """`repeat until C`: C is asked before every turn."""

    condition: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class Times(Node):
    """`up to N times`, or `any number of times` when limit is None."""

    limit: Expr | None
    wording: Wording | None
    body: Block


@dataclass(frozen=True, slots=True)
class Alternative(Node):
    """One answer to a question; with `name` and `within`, one for each element of a set."""

    label: Word | None
    name: Word | None
    within: Expr | None
    condition: Expr | None
    wording: Wording | None
    body: Block


@dataclass(frozen=True, slots=True)
class YourAbilities(Node):
    """`your abilities`: each of your abilities that can be used now is an answer."""


@dataclass(frozen=True, slots=True)
class OneOf(Node):
    """`one of`; `otherwise` is done if no alternative is possible."""

    alternatives: tuple[Alternative | YourAbilities, ...]
    otherwise: Block


@dataclass(frozen=True, slots=True)
class May(Node):
    wording: Wording | None
    body: Block


@dataclass(frozen=True, slots=True)
class AnyOrder(Node):
    alternatives: tuple[Alternative | YourAbilities, ...]


Statement = (
    Gain | Pay | Lose | Keep | By | Exchange | Store | Place | RemovePieces | Move | Transfer |
    Put | Swap | Draw | Deal | Fill | Turn | Shuffle | Reveal | LookAt | Tell | Remember |
    Assign | Let | Choose | ChooseInSecret | Roll | RollVariable | Forbid | Do | DoAction |
    EndGame | Outcome |
    Stop | PassBy | If | Each | EachPlayer | TurnOf | ByTurns | Pass | Repeat | RepeatUntil |
    Times | OneOf | May | AnyOrder
)  # fmt: skip
