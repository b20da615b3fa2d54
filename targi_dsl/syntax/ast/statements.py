"""Statements: what a rule does, step by step."""

from __future__ import annotations

from typing import Literal

from targi_dsl.syntax.ast.base import Facing, Node, Word
from targi_dsl.syntax.ast.expressions import Amount, Expr, Price, Worded, Wording

Block = tuple["Statement", ...]


class Pay(Node):
    """`to`: the player who gets what is paid; None for the supply."""

    price: Price | Expr
    to: Expr | None
    otherwise: Statement | None


class By(Node):
    """`opponent pays 1 coins`: what another player does; `your` still refers to the speaker."""

    who: Expr
    statement: Statement


class Let(Node):
    name: Word
    value: Expr


class Several(Node):
    """`2` or `up to 3`: how many are chosen."""

    fewer: bool
    number: int


class Choose(Worded):
    """`choose x in SET where CONDITION`; x is bound in the rest of the block. With `several` it is
    a set of so many. in_any_case: it is asked for even if there is only one answer.
    """

    several: Several | None
    name: Word
    within: Expr
    condition: Expr | None
    at_random: bool
    in_any_case: bool


class ChooseInSecret(Worded):
    """`all choose VARIABLE in SET where CONDITION in secret`; in_any_case as for `Choose`."""

    name: Word
    within: Expr
    condition: Expr | None
    in_any_case: bool


class Roll(Node):
    name: Word
    low: Expr
    high: Expr


class RollVariable(Node):
    """`roll VARIABLE`: it becomes one of its values; `of` several things, each of theirs."""

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
    """`P wins`, `P loses`, `P is out`, `the game is a draw`; `who` is None for everybody."""

    who: Expr | None
    outcome: Literal["won", "lost", "out", "drawn"]


class Stop(Node):
    """`stop`: leaves the rule."""


class PassBy(Node):
    """`nothing`: does nothing."""


class If(Node):
    condition: Expr
    then: Block
    otherwise: Block


class Governs(Node):
    """A statement with a block that is executed by others, or repeatedly."""


class Each(Governs):
    name: Word
    within: Expr
    condition: Expr | None
    body: Block


class EachPlayer(Governs):
    """`each player from P`: `you` is each in turn, from the first seat if `start` is None."""

    start: Expr | None
    body: Block


class TurnOf(Governs):
    """`turn of P`: in the block P is `you`."""

    player: Expr
    body: Block


class ByTurns(Governs):
    """`by turns from P until C`: round and round in seat order; in the block each is `you`."""

    start: Expr | None
    until: Expr | None
    body: Block


class Pass(Node):
    """`pass`: ends your turn and your part in the enclosing `by turns`."""


class Repeat(Governs):
    """`repeat N times`"""

    times: Expr
    body: Block


class RepeatUntil(Governs):
    """`repeat until C`: C is asked before every turn."""

    condition: Expr
    body: Block


class Times(Governs):
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


# ---- effects: statements that contain no others ----


class Gain(Node):
    price: Price | Expr


class Lose(Node):
    """`lose 2 coins`: as many of them as there are."""

    amounts: tuple[Amount, ...]


class Keep(Node):
    """`keep at most 10 coins`: what is more than that goes back."""

    amounts: tuple[Amount, ...]


class Exchange(Node):
    """`2 of one wares -> 1 other wares`."""

    give: tuple[Amount, ...]
    take: Price


class Store(Node):
    """`store 1 coins on this`."""

    amounts: tuple[Amount, ...]


class Place(Node):
    """`place PIECE on SPACES`: a piece of yours that is not on the board yet, on each of them."""

    piece: Word
    space: Expr


class RemovePieces(Node):
    """`remove PIECES`: from the board."""

    pieces: Expr


class Move(Node):
    """`move PIECE to SPACE`."""

    piece: Expr
    space: Expr


class Swap(Node):
    """`swap CARD and CARD`: each goes where the other was."""

    card: Expr
    other: Expr


class Supply(Node):
    """The supply, from which the coins of `put 4 coins on PLACE` come."""


class Transfer(Node):
    """`move 2 coins from A to B`, `take` to you, `put` from you or from the supply. `quantity` is
    None for all, `source` and `target` for who acts; `onto` is on or in after `put`, else empty.
    """

    quantity: Expr | None
    resource: Word
    source: Expr | Supply | None
    onto: Literal["on", "in", ""]
    target: Expr | None


class Put(Node):
    """`put CARD on|under PLACE in any order, face up|down`; with an empty `facing` the zone
    decides.
    """

    card: Expr
    where: Literal["on", "under"]
    place: Expr
    in_any_order: bool
    facing: Facing


class Draw(Node):
    """`draw N from ZONE to ZONE`: one by one, from the top."""

    number: Expr
    source: Expr
    place: Expr
    facing: Facing


class Deal(Node):
    """`deal N from ZONE to each ZONE`: one by one, around the table; without a number, all."""

    number: Expr | None
    source: Expr
    zone: Word
    facing: Facing


class Fill(Node):
    """`fill SPACES with cards from ZONE, face up|down`: a card on each space that has none."""

    spaces: Expr
    source: Expr
    facing: Facing


class Turn(Node):
    cards: Expr
    facing: Facing


class Shuffle(Node):
    zone: Expr


class Reveal(Node):
    cards: Expr


class LookAt(Node):
    """`look at CARDS`: you come to know them."""

    cards: Expr


class Tell(Node):
    """`tell which cards in CARDS have FIELD VALUE`: all come to know it of each card."""

    cards: Expr
    field: Word
    value: Expr


class Remember(Node):
    """`remember the position`: what is on the board, and whose turn it is."""


class Assign(Node):
    target: Expr
    value: Expr


Effect = (
    Gain | Lose | Keep | Exchange | Store | Place | RemovePieces | Move | Swap | Transfer | Put
    | Draw | Deal | Fill | Turn | Shuffle | Reveal | LookAt | Tell | Remember | Assign
)  # fmt: skip


# ---- abilities: when something holds or happens, and what ----


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


Statement = (
    Effect | Pay | By | Let | Choose | ChooseInSecret | Roll | RollVariable | Forbid | Do |
    DoAction | EndGame | Outcome | Stop | PassBy | If | Each | EachPlayer | TurnOf | ByTurns |
    Pass | Repeat | RepeatUntil | Times | OneOf | May | AnyOrder
)  # fmt: skip
