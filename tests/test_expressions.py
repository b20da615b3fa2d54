"""Every kind of expression, evaluated in a frame of a small game; none of them changes the
position.
"""

from __future__ import annotations

from typing import Any, Literal

import pytest

from targi_dsl.api import start
from targi_dsl.engine import Engine, engine_of
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import PieceInfo, Price
from targi_dsl.ir.expressions import (
    Active,
    All,
    AnyOf,
    Arith,
    BottomCard,
    Call,
    CanDo,
    CanPay,
    CardsOn,
    Compare,
    Cond,
    Const,
    Counted,
    During,
    Exists,
    Expr,
    FaceUp,
    Filter,
    First,
    Fold,
    Image,
    Listed,
    Local,
    Lying,
    MakeSet,
    Map,
    Member,
    Not,
    Pick,
    Range,
    SetOp,
    Size,
    Table,
    TopCard,
    Var,
)
from targi_dsl.ir.slots import ENDED
from targi_dsl.ir.statements import EndGame, Forbid, MovePieces
from targi_dsl.text.diagnostics import Problems
from tests import models
from tests.models import ME, ability, card, define, forbid, place, score

ONE, TWO, NONE = Const(1), Const(2), Const(NOTHING)
X = Local(1)  # what the expressions below bind


def game(expression: Expr) -> Any:
    """Cards a, b (top) on deck, c face up on the table; pawns 0, 1 on places 0, 1, pawn 2 off the
    board.
    """
    table = models.Table(
        resources=("gold",),
        places=(
            place("deck", facing="down"),
            place("table"),
            place("row of blue", owner=1, active=True),
        ),
        cards=(card("a"), card("b"), card("c", 1), card("d", 2)),
        pieces=tuple(PieceInfo(f"pawn {n}", "pawn", n % 2) for n in range(3)),
    )
    table.variable("count", start=7)
    table.variable("each", start=3, each="player")
    even = Compare("is", Arith("-", Local(1), Arith("*", Arith("/", Local(1), TWO), TWO)), Const(0))
    table.having(
        defines=(
            define("double", Arith("*", Local(1), TWO)),
            define("evens", Filter(2, Range(ONE, Local(1)), EVEN_2)),
            define("whose", ME),
        ),
        forbids=(forbid("odd"),),
        abilities=(ability("of d", of=3),),
        prices=(Price((((0, 1),),)),),
        scores=(score("value", expression),),
    )
    table.rule("picky", Forbid(0, Not(even)), params=1)
    table.rule("round", *[MovePieces(Const((n,)), Const(n)) for n in range(2)], EndGame(0))
    return table.game()


EVEN_2 = Compare("is", Arith("-", Local(2), Arith("*", Arith("/", Local(2), TWO), TWO)), Const(0))


def value(expression: Expr, player: int = 0) -> Any:
    """The value of the expression for a player after the end of the game; a set is returned as it
    is.
    """
    made = game(expression)
    state = start(made)
    engine = Engine(made)
    v, frame = list(state.vector), [player, *[0] * 8]
    before, slots = v[ENDED:], frame[:]
    found = engine.code.value(engine.code.program.scores[0].value)(v, frame)
    assert v[ENDED:] == before and frame == slots, "an expression changes nothing"
    return int(found) if isinstance(found, bool) else found


SETS: tuple[tuple[int, ...], ...] = ((1, 2), (2, 3), (), ())
SOME = Const((1, 2, 3, 4))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (Const(5), 5),
        (Const((1, 2)), (1, 2)),
        (ME, 0),
        (Table((4, 5, 9), ONE), 5),
        (Table((4, 5, 9), NONE), 9),
        (Pick(SETS, ONE), (2, 3)),
        (Pick(SETS, NONE), ()),
        (Pick(SETS, Const(8)), ()),
        (Pick(SETS, ME), (1, 2)),
        (Pick(SETS, Arith("+", ME, Const(7))), ()),
        (Image(SETS, Const((0, 1))), (1, 2, 3)),
        (Image(SETS, Const((1,))), (2, 3)),
        (Image(SETS, Const(())), ()),
        (MakeSet((TWO, NONE, ONE, TWO)), (1, 2)),
        (MakeSet((NONE,)), ()),
        (MakeSet((ME,)), (0,)),
        (MakeSet((Arith("-", ME, ONE), ME, TWO)), (0, 2)),
        (Range(ONE, Const(3)), (1, 2, 3)),
        (Range(TWO, ONE), ()),
        (SetOp("plus", Const((1, 3)), Const((2, 3))), (1, 2, 3)),
        (SetOp("plus", Const(()), Const((2, 3))), (2, 3)),
        (SetOp("except", Const((1, 3)), Const((2, 3))), (1,)),
        (SetOp("within", Const((1, 3)), Const((2, 3))), (3,)),
        (Filter(1, SOME, Compare("more_than", X, TWO)), (3, 4)),
        (
            Filter(1, SOME, All((Compare("is_not", X, TWO), Compare("less_than", X, Const(4))))),
            (1, 3),
        ),
        (Filter(1, SOME, Member(X, Const((2, 9)))), (2,)),
        (Filter(1, SOME, Not(Member(X, Const((2, 9))))), (1, 3, 4)),
        (Filter(1, SOME, ME), ()),
        (Map(1, SOME, Arith("/", X, TWO)), (0, 1, 2)),
        (Map(1, SOME, Cond(Compare("is", X, ONE), NONE, X)), (2, 3, 4)),
        (Fold("sum", 1, SOME, X), 10),
        (Fold("sum", 1, Const(()), X), 0),
        (Fold("highest", 1, SOME, Arith("-", Const(0), X)), -1),
        (Fold("highest", 1, Const(()), X), 0),
        (Fold("lowest", 1, SOME, X), 1),
        (Fold("lowest", 1, Const(()), X), 0),
        (Fold("different", 1, SOME, Arith("/", X, TWO)), 3),
        (Fold("different", 1, SOME, NONE), 0),
        (Size(SOME), 4),
        (First(SOME), 1),
        (First(Const(())), NOTHING),
        (Exists(1, SOME, Compare("is", X, Const(3))), 1),
        (Exists(1, SOME, Compare("is", X, Const(9))), 0),
        (Exists(1, SOME, ONE), 1),
        (Exists(1, Const(()), ONE), 0),
        (Exists(1, Filter(2, SOME, Compare("is", Local(2), Const(9))), ONE), 0),
        (Arith("+", TWO, Const(3)), 5),
        (Arith("-", TWO, Const(3)), -1),
        (Arith("*", TWO, Const(3)), 6),
        (Arith("/", Const(-3), TWO), -2),
        (Arith("/", TWO, Const(0)), 0),
        (Compare("is", Const((1, 2)), Const((1, 2))), 1),
        (Compare("is_not", ME, ONE), 1),
        (Compare("less_than", ONE, TWO), 1),
        (Compare("at_most", TWO, TWO), 1),
        (Compare("more_than", TWO, TWO), 0),
        (Compare("at_least", TWO, TWO), 1),
        (Compare("more_than", Size(SOME), Const(0)), 1),
        (Compare("at_least", Size(Const(())), ONE), 0),
        (Compare("is", Size(Const(())), Const(0)), 1),
        (Compare("less_than", Size(SOME), ONE), 0),
        (Member(TWO, SOME), 1),
        (Member(Const(9), SOME), 0),
        (Not(ONE), 0),
        (Not(Not(Compare("less_than", ONE, TWO))), 1),
        (Not(Compare("less_than", ONE, TWO)), 0),
        (All((ONE, Compare("is", ME, Const(0)), ONE)), 1),
        (All((ME, Arith("/", ONE, ME), ONE)), 0),
        (All(()), 1),
        (AnyOf((ME, Compare("is", ME, Const(0)))), 1),
        (AnyOf((ME, ME, ME)), 0),
        (AnyOf(()), 0),
        (Cond(ONE, TWO, Const(3)), 2),
        (Cond(ME, TWO, Const(3)), 3),
        (CardsOn(Const((0, 1))), (0, 1, 2)),
        (CardsOn(MakeSet((ME,))), (0, 1)),
        (Size(CardsOn(Const((0, 1)))), 3),
        (Exists(1, CardsOn(Const((0, 1))), ONE), 1),
        (Exists(1, CardsOn(MakeSet((Arith("-", ME, ONE),))), ONE), 0),
        (TopCard(Const(0)), 0),
        (TopCard(NONE), NOTHING),
        (BottomCard(Const(0)), 1),
        (BottomCard(NONE), NOTHING),
        (FaceUp(Const(2)), 1),
        (FaceUp(Const(0)), 0),
        (FaceUp(NONE), 0),
        (Call(0, (ME, Const(4))), 8),
        (Call(1, (ME, Const(5))), (2, 4)),
        (Exists(1, Call(1, (ME, Const(5))), ONE), 1),
        (Exists(1, Call(1, (ME, Const(1))), ONE), 0),
        (Call(0, (ME, Call(0, (ME, Const(4))))), 16),
        (Call(2, (ONE,)), 1),
        (During(0), 0),
        (Active(0), 0),
        (CanDo(0, (Const(4),)), 1),
        (CanDo(0, (Const(5),)), 0),
        (CanPay(Listed(NONE), 0), 1),
        (CanPay(Listed(Const(0)), 0), 0),
        (CanPay(Counted(((0, Const(-2)),)), 0), 1),
        (CanPay(Counted(((0, Const(0)), (0, ONE))), 0), 0),
    ],
)
def test_an_expression_has_its_value(expression: Expr, expected: object) -> None:
    assert value(expression) == expected


def pawns(*numbers: int) -> Const:
    return Const(numbers)


PIECES = 3 + 2 + 3 * 4  # where the places of the pieces begin in `game`


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (Lying(PIECES, pawns(0, 1, 2), Const((0, 1))), (0, 1)),
        (Lying(PIECES, pawns(0, 1, 2), Const((NOTHING,))), (2,)),
        (Lying(PIECES, pawns(0, 1, 2), MakeSet((ME,))), (0,)),
        (Lying(PIECES, pawns(0, 1, 2), MakeSet((Arith("-", ME, ONE),))), ()),
        (Lying(PIECES, pawns(0, 1, 2), Pick(((0, 1), ()), ME)), (0, 1)),
        (First(Lying(PIECES, pawns(1, 2), Const((0, 1)))), 1),
        (First(Lying(PIECES, pawns(2), Const((0, 1)))), NOTHING),
        (Exists(1, Lying(PIECES, pawns(0, 2), Const((0, 1))), ONE), 1),
        (Exists(1, Lying(PIECES, pawns(2), Const((0, 1))), ONE), 0),
        (Exists(1, Lying(PIECES, pawns(2), MakeSet((Arith("-", ME, ONE),))), ONE), 0),
        (Exists(1, Lying(PIECES, Pick(((0, 1), (2,), ()), ME), MakeSet((ME,))), ONE), 1),
        (Exists(1, Lying(PIECES, Pick(((0, 1), (2,), ()), ME), Const((NOTHING,))), ONE), 0),
        (Exists(1, Lying(PIECES, pawns(0, 1, 2), Pick(((1,), ()), ME)), ONE), 1),
        (Map(1, pawns(0, 1, 2), Var(PIECES, X, NOTHING)), (0, 1)),
        (Filter(1, SOME, Exists(2, Lying(PIECES, pawns(0, 1), MakeSet((X,))), ONE)), (1,)),
        (
            Filter(
                1,
                SOME,
                Exists(
                    2, Lying(PIECES, pawns(0, 1), Pick(((), (3,), (1, 3), (), (0,), ()), X)), ONE
                ),
            ),
            (2, 4),
        ),
        (Filter(1, SOME, Compare("is", Var(PIECES, Const(1), NOTHING), X)), (1,)),
        (Var(PIECES, ONE, 9), 1),
        (Var(PIECES, NONE, 9), 9),
        (Var(PIECES, ME, 9), 0),
        (Var(PIECES, Arith("-", ME, ONE), 9), 9),
        (Fold("sum", 1, pawns(0, 1), Var(PIECES, X, 9)), 1),
        (Fold("sum", 1, Const((NOTHING,)), Var(PIECES, X, 9)), 9),
    ],
)
def test_what_lies_where(expression: Expr, expected: object) -> None:
    assert value(expression) == expected


def test_active_is_for_the_owner_alone() -> None:
    assert value(Active(0), player=1) == 1


def test_an_expression_may_be_deep() -> None:
    deep: Expr = ONE
    for _ in range(4000):
        deep = Arith("+", deep, Cond(ONE, ONE, TWO))
    v = list(start(game(ONE)).vector)
    assert Engine(game(ONE)).guards.value(deep)(v, [0, 0]) == 4001


@pytest.mark.parametrize("op", ["+", "*"])
def test_a_number_beyond_32_bits_is_a_fault(op: Literal["+", "*"]) -> None:
    made = game(Arith(op, Const(2**31 - 1), TWO))
    engine = Engine(made)
    with pytest.raises(Problems, match="E606 a number is too large"):
        engine.scores(list(start(made).vector))


def test_a_sum_beyond_32_bits_is_a_fault() -> None:
    made = game(Fold("sum", 1, SOME, Const(2**30)))
    with pytest.raises(Problems, match="E606"):
        engine_of(made).scores(list(start(made).vector))
