"""Expressions, amounts and prices."""

from __future__ import annotations

from typing import Literal

from targi_dsl.syntax.ast.base import Facing, Node, Word

Comparison = Literal["is", "is_not", "less_than", "at_most", "more_than", "at_least"]
Article = Literal["a", "an", "no"]
BinaryOperator = (
    Comparison
    | Literal["+", "-", "*", "/", "..", "plus", "except", "within", "in", "not_in", "on", "not_on"]
    | Literal["one_of", "not_one_of", "remainder"]
)


class Number(Node):
    value: int


class Keyword(Node):
    """you, opponent, this, nothing, yes, no, players."""

    text: str


class Name(Node):
    """A bare name: a variable, a value, a zone, a set ..."""

    text: str


class Your(Node):
    """`your NAME`: the same as `NAME of you`."""

    name: Word


class Of(Node):
    """`NAME of X`, or with an index `NAME 2 of X`."""

    name: Word
    index: Expr | None
    subject: Expr


class SpaceByName(Node):
    """`REGION 15`, `REGION b2`."""

    region: Word
    element: Word


class Reached(Node):
    """`reached from SPACES by STEP within SPACES`; the first word as written."""

    word: Word
    start: Expr
    step: Word
    within: Expr


class LongestLine(Node):
    """`longest line in SPACES`."""

    within: Expr


class HasCome(Node):
    """`the position has come 3 times`: the one remembered last, itself included."""

    times: int


class List(Node):
    """`(A, B)`: a set of these, or several arguments; without parentheses after `is one of`."""

    items: tuple[Expr, ...]


class On(Node):
    """`PIECES on SPACES`, `card on SPACE`, `cards on SPACES`."""

    things: Expr
    places: Expr


class Binary(Node):
    """Two operands and a word."""

    op: BinaryOperator
    left: Expr
    right: Expr


class Logic(Node):
    """`and` / `or` over two or more conditions."""

    op: Literal["and", "or"]
    parts: tuple[Expr, ...]


class Unary(Node):
    """One operand and a word."""

    op: Literal["not", "any", "no", "top", "bottom", "count", "first"]
    operand: Expr


class IsKind(Node):
    """`X is a NAME` or `X is an NAME`: the card's kind."""

    subject: Expr
    article: Literal["a", "an"]
    kind: Word


class HasField(Node):
    """`X has a FIELD`, `has an FIELD`, `has no FIELD`."""

    subject: Expr
    article: Article
    field: Word


class CardNamed(Node):
    """`the card NAME`, or all copies of it: `the cards NAME`."""

    all: bool
    card: Word


class IsFacing(Node):
    """`X is face up`, `X is face down`."""

    subject: Expr
    facing: Facing


class OptionIs(Node):
    """`option NAME is VALUE`."""

    option: Word
    value: Word


class During(Node):
    """`during NAME`: that rule or action is under way."""

    rule: Word


class CanPay(Node):
    price: Expr


class CanDo(Node):
    rule: Word
    arguments: tuple[Expr, ...]


class Those(Node):
    """`(x in SET where CONDITION)`: the elements for which it holds."""

    name: Word
    within: Expr
    condition: Expr | None


class Every(Node):
    """`every (x in SET ...) satisfies CONDITION`."""

    those: Those
    condition: Expr


class Fold(Node):
    """`sum of E for (...)`, and the same with highest, lowest, different."""

    op: Literal["sum", "highest", "lowest", "different"]
    value: Expr
    those: Those


class Conditional(Node):
    """`A if C otherwise B`; without `otherwise` it is 0."""

    value: Expr
    condition: Expr
    otherwise: Expr | None


class PriceValue(Node):
    """`{1 coin}`: a price as a value."""

    price: Price


Expr = (
    Number | Keyword | Name | Your | Of | List | SpaceByName | Reached | LongestLine |
    HasCome | On | Binary | Logic | Unary | IsKind | HasField | CardNamed | IsFacing |
    OptionIs | During | CanPay | CanDo | Those | Every | Fold | Conditional | PriceValue
)  # fmt: skip


class Amount(Node):
    """`2 apples`; `how` is one for `2 of one wares`, other for `1 other wares`, else empty."""

    quantity: Expr
    resource: Word
    how: Literal["one", "other", ""]


class Price(Node):
    """Alternatives, each of several amounts; `extra` may be paid in addition, for the `reward`."""

    alternatives: tuple[tuple[Amount, ...], ...]
    extra: tuple[Amount, ...]
    reward: tuple[Amount, ...]


# ---- words for people ----


class Quoted(Node):
    """A text for people, with its quotation marks."""

    text: str


class Shown(Node):
    """`shows "TEXT" if CONDITION`"""

    text: Quoted
    condition: Expr | None


class Wording(Node):
    """`as "TEXT" shows "TEXT" if CONDITION`"""

    text: Quoted
    shown: tuple[Shown, ...]


class Worded(Node, kw_only=True):
    """A node that words for people may follow."""

    wording: Wording | None = None
