"""Effects: statements that change amounts, pieces, cards and variables, and contain no others."""

from __future__ import annotations

from typing import Literal

from targi_dsl.syntax.ast.base import Facing, Node, Word
from targi_dsl.syntax.ast.expressions import Amount, Expr, Price


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
    """Where the coins of `put 4 coins on PLACE` come from."""


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
    """`put CARD on|under PLACE, face up|down`; with an empty `facing` the zone decides."""

    card: Expr
    where: Literal["on", "under"]
    place: Expr
    facing: Facing


class Draw(Node):
    """`draw N from ZONE to ZONE`: one by one, from the top."""

    number: Expr
    source: Expr
    place: Expr


class Deal(Node):
    """`deal N from ZONE to each ZONE`: one by one, around the table."""

    number: Expr
    source: Expr
    zone: Word


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
