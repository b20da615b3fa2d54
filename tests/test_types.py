"""Types of expressions: they are inferred correctly, and nothing in a game contradicts them."""

from __future__ import annotations

from typing import get_args

import pytest
from msgspec.structs import replace

from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.domains import Domains
from targi_dsl.ir.inference import Inference
from tests.games import compiled
from tests.verifier import type_errors

GAME = compiled("bazaar")
SLOTS = (t.Player(), t.Number(2, 5), t.Card(), t.Truth())
YOU, NUMBER, CARD, TRUTH = (e.Local(slot) for slot in range(4))
SEATS = e.Const((0, 1), t.SetOf(t.Player()))


def test_every_class_of_types_has_a_name() -> None:
    assert {*get_args(t.Sort)} == {one.__name__.lower() for one in get_args(t.Single)}
    assert t.sort_of(t.Place("market")) == "place"


@pytest.mark.parametrize("sheet", ["base", "expansion", "mixed_border", "bazaar", "kuhn_poker"])
def test_the_expressions_of_a_sheet_have_the_types_that_they_need(sheet: str) -> None:
    game = compiled(sheet)
    assert type_errors(game.program, Domains.of_game(game)) == ()


@pytest.mark.parametrize(
    ("node", "type_"),
    [
        (e.Const(3), t.Number(3, 3)),
        (e.Const(0, t.Player()), t.Player()),
        (e.Const((1, 4)), t.SetOf(t.Number(1, 4))),
        (e.Arith("+", NUMBER, e.Const(1)), t.Number(3, 6)),
        (e.Arith("-", e.Const(1), NUMBER), t.Number(-4, -1)),
        (e.Arith("*", NUMBER, e.Arith("-", NUMBER, e.Const(3))), t.Number(-5, 10)),
        (e.Arith("/", e.Const(9), NUMBER), t.Number(0, 4)),
        (e.Arith("/", e.Const(9), e.Arith("-", NUMBER, e.Const(3))), t.Number(-9, 9)),
        (e.Table((2, 7, 0), CARD), t.Number(0, 7)),
        (e.Cond(TRUTH, NUMBER, e.Const(0)), t.Number(0, 5)),
        (e.Size(e.MakeSet((YOU, YOU))), t.Number(0, 2)),
        (e.Size(e.SetOp("within", SEATS, e.MakeSet((YOU,)))), t.Number(0, 1)),
        (e.Size(e.SetOp("within", e.MakeSet((YOU,)), SEATS)), t.Number(0, 1)),
        (e.Fold("sum", 2, e.Const((0, 1, 2), t.SetOf(t.Card())), NUMBER), t.Number(0, 15)),
        (e.Compare("is", YOU, YOU), t.Truth()),
        (e.First(e.CardsOn(e.Const((0,)))), t.Card()),
        (e.MakeSet((CARD, e.Const(NOTHING, t.Nothing()))), t.SetOf(t.Card())),
    ],
)
def test_a_type_follows_from_the_parts(node: e.Expr, type_: t.Type) -> None:
    assert Inference(GAME).of(node, SLOTS) == type_


@pytest.mark.parametrize(
    ("node", "error"),
    [
        (e.Arith("+", CARD, e.Const(1)), "Arith needs Number"),
        (e.Compare("is", YOU, CARD), "Compare needs Card"),
        (e.Compare("is", YOU, e.Const(99)), "Compare needs Number"),
        (e.Member(CARD, e.Const((0,), t.SetOf(t.Player()))), "Member needs Player"),
        (e.Not(NUMBER), "Not needs Truth"),
        (e.Size(CARD), "Size needs SetOf"),
        (e.TopCard(YOU), "TopCard needs Place"),
        (e.Filter(1, e.CardsOn(e.Const((0,))), TRUTH), "Filter needs SetOf(of=Number"),
    ],
)
def test_a_part_of_another_type_is_reported(node: e.Expr, error: str) -> None:
    define = d.DefineInfo("odd", SLOTS, node, t.Number(), ())
    program = replace(GAME.program, defines=(*GAME.program.defines, define))
    found = type_errors(program, Domains.of_game(GAME))
    assert len(found) == 1
    assert found[0].startswith(f"odd: {error}")


def test_domains_name_the_values_of_every_type() -> None:
    domains = Domains.of_game(GAME)
    used = {slot for rule in GAME.rules for slot in rule.slots}
    for type_ in used:
        domain = domains.of(type_)
        assert all(domain.low <= number <= domain.high for number in domain.members[:300])
        assert len({domain.id(number) for number in domain.members[:300]}) == min(len(domain), 300)
    assert domains.name(t.Truth(), 1) == "yes"
    assert domains.name(t.Player(), NOTHING) == "nothing"
    assert domains.name(t.Number(), -1) == "-1"


def test_cards_can_be_hashed_and_a_place_in_the_rules_is_no_part_of_a_statement() -> None:
    assert len({*GAME.cards}) == len(GAME.cards)
    here, stop = GAME.cards[0].span, s.Stop()
    assert here is not None
    assert stop.at(here) == stop
    assert (stop.at(here).span, stop.span) == (here, None)
