"""Types of expressions: what follows from them, and that nothing in a game contradicts them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from targi_dsl.compiler.load import load
from targi_dsl.ir import model as m
from targi_dsl.ir import types as t
from targi_dsl.ir.domains import Domains
from targi_dsl.ir.inference import Inference
from targi_dsl.ir.verify_types import type_errors

GAME = load("bazaar")
SLOTS = (t.Player(), t.Number(2, 5), t.Card(), t.Truth())
YOU, NUMBER, CARD, TRUTH = (m.Local(slot) for slot in range(4))


@pytest.mark.parametrize("sheet", ["base", "expansion", "mixed_border", "bazaar", "kuhn_poker"])
def test_the_expressions_of_a_sheet_have_the_types_that_they_need(sheet: str) -> None:
    game = load(sheet)
    assert type_errors(game.program, Domains.of_game(game)) == ()


@pytest.mark.parametrize(
    ("node", "type_"),
    [
        (m.Const(3), t.Number(3, 3)),
        (m.Const(0, t.Player()), t.Player()),
        (m.Const((1, 4)), t.SetOf(t.Number(1, 4))),
        (m.Arith("+", NUMBER, m.Const(1)), t.Number(3, 6)),
        (m.Arith("-", m.Const(1), NUMBER), t.Number(-4, -1)),
        (m.Arith("*", NUMBER, m.Arith("-", NUMBER, m.Const(3))), t.Number(-5, 10)),
        (m.Arith("/", m.Const(9), NUMBER), t.Number(0, 4)),
        (m.Arith("/", m.Const(9), m.Arith("-", NUMBER, m.Const(3))), t.Number(-9, 9)),
        (m.Table((2, 7, 0), CARD), t.Number(0, 7)),
        (m.Cond(TRUTH, NUMBER, m.Const(0)), t.Number(0, 5)),
        (m.Size(m.MakeSet((YOU, YOU))), t.Number(0, 2)),
        (m.Fold("sum", 2, m.Const((0, 1, 2), t.SetOf(t.Card())), NUMBER), t.Number(0, 15)),
        (m.Compare("is", YOU, YOU), t.Truth()),
        (m.First(m.CardsOn(m.Const((0,)))), t.Card()),
        (m.MakeSet((CARD, m.Const(m.NOTHING, t.Nothing()))), t.SetOf(t.Card())),
    ],
)
def test_a_type_follows_from_the_parts(node: m.Expr, type_: t.Type) -> None:
    assert Inference(GAME).of(node, SLOTS) == type_


@pytest.mark.parametrize(
    ("node", "error"),
    [
        (m.Arith("+", CARD, m.Const(1)), "Arith needs Number"),
        (m.Compare("is", YOU, CARD), "Compare needs Card"),
        (m.Compare("is", YOU, m.Const(99)), "Compare needs Number"),
        (m.Member(CARD, m.Const((0,), t.SetOf(t.Player()))), "Member needs Player"),
        (m.Not(NUMBER), "Not needs Truth"),
        (m.Size(CARD), "Size needs SetOf"),
        (m.TopCard(YOU), "TopCard needs Place"),
        (m.Filter(1, m.CardsOn(m.Const((0,))), TRUTH), "Filter needs SetOf(of=Number"),
    ],
)
def test_a_part_of_another_type_is_reported(node: m.Expr, error: str) -> None:
    define = m.DefineInfo("odd", SLOTS, node, t.Number(), ())
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
    assert domains.name(t.Player(), m.NOTHING) == "nothing"
    assert domains.name(t.Number(), -1) == "-1"


def test_cards_can_be_hashed_and_a_place_in_the_rules_is_no_part_of_a_statement() -> None:
    assert len({*GAME.cards}) == len(GAME.cards)
    here, stop = GAME.cards[0].span, m.Stop()
    assert here is not None
    assert stop.at(here) == stop
    assert (stop.at(here).span, stop.span) == (here, None)
