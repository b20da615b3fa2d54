"""Only one of several indistinguishable things is offered."""

from __future__ import annotations

from targi_dsl import why_not
from targi_dsl.ir import types as t
from targi_dsl.ir.declarations import PieceInfo
from targi_dsl.ir.expressions import Const
from targi_dsl.ir.statements import MovePieces, Turn
from tests.models import Table, ask, card, choose, ids, noted, option, place


def hand() -> Table:
    hand = place("hand of red", owner=0, seen="owner", facing="down")
    cards = [card("a", same=7), card("a.2", same=7), card("b", same=8), card("a.3", same=7)]
    return Table(places=(hand,), cards=tuple(cards))


PLAY = option("play", choice=choose(1, Const((0, 1, 2, 3)), t.Card()))


def test_of_copies_that_lie_alike_the_first_is_offered() -> None:
    state = noted(hand(), ask(PLAY))
    assert ids(state) == ["play a", "play b"]
    (reason,) = why_not(state, "play a.2")
    assert reason.name == "round.play" and "offered in its place" in reason.text


def test_a_copy_that_lies_otherwise_is_another_thing() -> None:
    assert ids(noted(hand(), Turn(Const((1,)), True), ask(PLAY))) == [
        "play a",
        "play a.2",
        "play b",
    ]


def test_pieces_of_one_kind_and_owner_on_one_place_are_one() -> None:
    spaces = tuple(place(f"row {n}", "row", is_zone=False, number=n) for n in (1, 2))
    pieces = tuple(PieceInfo(f"pawn {n}", "pawn", 0) for n in range(4))
    table = Table(places=spaces, pieces=pieces)
    moves = [MovePieces(Const((n,)), Const(n // 2)) for n in range(4)]
    way = option("move", choice=choose(1, Const((0, 1, 2, 3)), t.Piece()))
    assert ids(noted(table, *moves, ask(way))) == ["move pawn 0", "move pawn 2"]
