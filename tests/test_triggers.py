"""Abilities: triggers and their owners, windows, memories, and what a card's arrival triggers."""

from __future__ import annotations

from typing import Any

import pytest

from targi_dsl.api import choices, play, start
from targi_dsl.api.state import State
from targi_dsl.compiler.load import load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import Stored, Terms
from targi_dsl.ir.expressions import Active, Arith, Compare, Cond, Const, During, Expr, Var
from targi_dsl.ir.statements import (
    Assign,
    Do,
    EachPlayer,
    EndGame,
    Gain,
    MoveCards,
    Statement,
    Store,
    Use,
)
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.source import Source
from tests.models import ME, Table, ability, card, on_gain, place
from tests.small_game import with_change
from tests.texts import game_text

SALT, GOLD = 0, 1
WINDOW, MEMORY, KEPT = 0, 2, 4  # beyond the first window slot
RED_ROW, BLUE_ROW, PILE, STALL = range(4)


class Abilities(Table):
    """Red has card `a` on an active row, blue `b`; `c` lies on the pile. Digits are noted in `log`."""

    def __init__(self) -> None:
        super().__init__(
            resources=("salt", "gold"),
            places=(
                place("row of red", owner=0, active=True),
                place("row of blue", owner=1, active=True),
                place("pile"),
                place("stall", active=True),
                place("second row of red", owner=0, active=True),
            ),
            cards=(card("a", RED_ROW), card("b", BLUE_ROW), card("c", PILE, kind=1)),
            extra=8,
        )
        self.variable("log", high=2**31 - 1)

    def note(self, value: Expr) -> Statement:
        return Assign(
            0,
            Const(0),
            Arith("+", Arith("*", Var(self.variables[0].base, Const(0), 0), Const(10)), value),
        )

    def body(self, digit: int) -> int:
        """A rule that notes a digit and then its `you`."""
        return self.rule(f"body {digit}", self.note(Const(digit)), self.note(ME))

    def played(self, *body: Statement) -> State:
        self.rule("round", *body, EndGame(0))
        return start(self.game())


def gain(resource: int = SALT, who: Expr = ME, source: int = NOTHING, number: int = 1) -> Gain:
    return Gain(who, Const(resource), Const(number), Const(source))


def to(place_number: int, *cards: int) -> MoveCards:
    return MoveCards(Const(cards), Const(place_number), False, "")


@pytest.mark.parametrize(("actor", "noted"), [("you", 10), ("opponent", 21), ("anyone", 1021)])
def test_a_trigger_is_for_its_owners_gains_the_opponents_or_anyones(actor: str, noted: int) -> None:
    table = Abilities()
    bodies = table.body(1), table.body(2)
    table.having(abilities=(ability("of a", of=0), ability("of b", of=1)))
    table.having(
        triggers=tuple(on_gain(n, SALT, body, actor=actor) for n, body in enumerate(bodies))
    )
    assert table.played(gain()).value("log") == noted


def test_the_gainers_own_come_first_then_seat_order_then_by_number() -> None:
    table = Abilities()
    bodies = [table.body(digit) for digit in (1, 2, 3)]
    table.having(abilities=(ability("all"), ability("of a", of=0), ability("of b", of=1)))
    triggers = [on_gain(n, SALT, body, actor="anyone") for n, body in enumerate(bodies)]
    table.having(triggers=tuple(reversed(triggers)))
    assert table.played(gain(who=Const(1))).value("log") == 11311020


def test_a_trigger_asks_for_the_kind_of_the_source() -> None:
    table = Abilities()
    body = table.body(1)
    table.having(abilities=(ability("of a", of=0),), triggers=(on_gain(0, SALT, body, kind=1),))
    state = table.played(
        gain(source=0), gain(), table.note(Const(9)), gain(source=2), gain(GOLD, source=2)
    )
    assert state.value("log") == 910


def test_a_trigger_does_nothing_while_its_card_does_not_lie_with_its_owner() -> None:
    table = Abilities()
    body = table.body(1)
    table.having(abilities=(ability("of c", of=2),), triggers=(on_gain(0, SALT, body),))
    assert table.played(gain(), to(BLUE_ROW, 2), gain(), to(RED_ROW, 2), gain()).value("log") == 10


def test_a_condition_is_judged_with_the_owner_as_you() -> None:
    table = Abilities()
    body = table.body(1)
    table.having(abilities=(ability("of b", of=1),))
    table.having(
        triggers=(on_gain(0, SALT, body, actor="anyone", condition=Compare("is", ME, Const(1))),)
    )
    assert table.played(gain()).value("log") == 11


def test_a_window_lets_a_trigger_through_once_until_it_is_opened() -> None:
    table = Abilities()
    window = table.windows
    body = table.body(1)
    table.rule("opening", opens=(window,))
    table.having(
        abilities=(ability("of a", of=0, window=window),), triggers=(on_gain(0, SALT, body),)
    )
    state = table.played(gain(), gain(), table.note(Const(9)), Do(1, ()), gain(), gain())
    assert state.value("log") == 10910 and state.vector[window] == 1


def test_a_standing_ability_has_a_window_for_each_player() -> None:
    table = Abilities()
    body = table.body(1)
    table.having(
        abilities=(ability("all", window=table.windows),), triggers=(on_gain(0, SALT, body),)
    )
    state = table.played(gain(), gain(), gain(who=Const(1)), gain(who=Const(1)))
    assert state.value("log") == 1011


def test_a_trigger_is_not_set_off_by_what_it_does_itself() -> None:
    table = Abilities()
    body = table.rule("body", table.note(Const(1)), gain(number=2))
    table.having(abilities=(ability("of a", of=0),), triggers=(on_gain(0, SALT, body),))
    state = table.played(gain())
    assert state.value("log") == 1 and state.amount("red", "salt") == 3


def test_triggers_that_set_each_other_off_come_to_an_end() -> None:
    table = Abilities()
    one = table.rule("one", table.note(Const(1)), gain(GOLD))
    two = table.rule("two", table.note(Const(2)), gain(SALT))
    table.having(
        abilities=(ability("of a", of=0),), triggers=(on_gain(0, SALT, one), on_gain(0, GOLD, two))
    )
    assert table.played(gain()).value("log") == 12


def test_a_trigger_hears_what_happens_while_it_waits_behind_another() -> None:
    table = Abilities()
    bodies = table.rule("body 1", table.note(Const(1)), gain(), table.note(Const(3))), table.body(2)
    table.having(abilities=(ability("of a", of=0), ability("of a too", of=0)))
    table.having(triggers=tuple(on_gain(n, SALT, body) for n, body in enumerate(bodies)))
    assert table.played(gain()).value("log") == 1_20_3_20, (
        "once for what the first gains, and for what set both off"
    )


def test_more_than_32_triggers_within_each_other_are_a_fault() -> None:
    table = Abilities()
    written = Source("test.targi", "rule round\n  gain 1 salt\n").span(13, 24)
    bodies = [table.rule(f"body {n}", gain().at(written)) for n in range(33)]
    conditions = [Compare("is", Var(table.amounts, ME, 0), Const(n + 1)) for n in range(33)]
    table.having(abilities=(ability("of a", of=0),))
    triggers = [
        on_gain(0, SALT, body, condition=test)
        for body, test in zip(bodies, conditions, strict=True)
    ]
    table.having(triggers=tuple(triggers[:32]))
    assert table.played(gain()).amount("red", "salt") == 33
    del table.rules["round"]
    table.having(triggers=tuple(triggers))
    with pytest.raises(Problems, match=r"E608[\s\S]*test.targi:2:3[\s\S]*  gain 1 salt\n"):
        table.played(gain())


# ---- arrival ----


def test_arrival_on_an_active_place_is_done_for_its_owner() -> None:
    table = Abilities()
    body = table.body(1)
    table.having(abilities=(ability("of c", of=2, arrival=body),))
    assert table.played(to(BLUE_ROW, 2)).value("log") == 11


def test_moving_within_a_display_and_leaving_it_are_no_arrival() -> None:
    table = Abilities()
    body = table.body(1)
    table.having(abilities=(ability("of c", of=2, arrival=body),))
    state = table.played(
        to(RED_ROW, 2), to(4, 2), table.note(Const(9)), to(BLUE_ROW, 2), to(PILE, 2)
    )
    assert state.value("log") == 10911


def test_arrival_on_a_place_of_nobody_is_done_for_the_mover() -> None:
    table = Abilities()
    body = table.body(1)
    table.having(abilities=(ability("of c", of=2, arrival=body),))
    assert table.played(EachPlayer(1, Const(1), (to(STALL, 2), to(PILE, 2)))).value("log") == 1110


def test_several_arrivals_are_done_in_the_order_of_the_cards() -> None:
    table = Abilities()
    bodies = table.body(1), table.body(2)
    table.having(
        abilities=(
            ability("of b", of=1, arrival=bodies[0]),
            ability("of c", of=2, arrival=bodies[1]),
        )
    )
    assert table.played(to(STALL, 1, 2)).value("log") == 1020


def remembering(**changes: Any) -> Abilities:
    table = Abilities()
    body = table.body(1)
    window = table.windows + WINDOW
    trigger = on_gain(0, SALT, body, memory=table.windows + MEMORY, **changes)
    table.having(abilities=(ability("of c", of=2, window=window),), triggers=(trigger,))
    return table


def test_a_trigger_that_remembers_is_set_off_by_arrival_in_the_same_period() -> None:
    table = remembering()
    assert table.played(gain(), table.note(Const(9)), to(RED_ROW, 2), gain()).value("log") == 910
    table = remembering()
    assert table.played(gain(), to(BLUE_ROW, 2)).value("log") == 0
    table = remembering(kind=1)
    assert table.played(gain(), to(RED_ROW, 2)).value("log") == 0
    table = remembering(actor="opponent")
    assert table.played(gain(), to(BLUE_ROW, 2)).value("log") == 11


def test_leaving_for_good_resets_windows_and_what_is_stored_but_moving_within_a_display_does_not() -> (
    None
):
    table = Abilities()
    window, kept = table.windows + WINDOW, table.windows + KEPT
    table.having(abilities=(ability("of a", of=0, window=window),))
    table.having(terms=(Terms("pay", stored=(Stored(0, GOLD, kept),)),))
    used = (Use(0), Store(kept, GOLD, Const(2)))
    state = table.played(*used, to(4, 0))
    assert (state.vector[window], state.vector[kept]) == (1, 2)
    table.rules.pop("round")
    state = table.played(*used, to(PILE, 0))
    assert (state.vector[window], state.vector[kept]) == (0, 0)


def test_active_looks_at_place_owner_and_window() -> None:
    table = Abilities()
    table.having(abilities=(ability("of a", of=0, window=table.windows),))
    looks = table.note(Cond(Active(0), Const(1), Const(2)))
    state = table.played(
        EachPlayer(1, Const(0), (looks,)), Use(0), looks, to(PILE, 0), looks, to(RED_ROW, 0), looks
    )
    assert state.value("log") == 12221


def test_during_sees_every_rule_that_is_being_done() -> None:
    table = Abilities()
    seen = table.rule("seen", table.note(Cond(During(1), Const(1), Const(2))))
    outer = table.rule("outer", Do(seen, ()))
    assert table.played(Do(seen, ()), Do(outer, ())).value("log") == 21


# ---- replacements ----


def test_a_replacement_is_not_offered_within_itself() -> None:
    module = "pond/pond.targi"
    files = with_change(
        module, "rule draw_plan\n", "standing leap: instead of hop: do hop\n\nrule draw_plan\n"
    )
    state = start(load("pond", of_texts(files)))
    assert [choice.id for choice in choices(state)] == ["hop", "leap"]
    within, _ = play(state, "leap")
    plainly, _ = play(state, "hop")
    assert choices(within) == choices(plainly) and len(choices(within)) > 2
    again, _ = play(within, choices(within)[0])
    while again.seat == state.seat:
        again, _ = play(again, choices(again)[-1])
    assert [choice.id for choice in choices(again)] == ["hop", "leap"], (
        "it is offered again when it is over"
    )


INN = game_text("inn.targi")


def test_a_trigger_that_asks_during_a_free_exchange_is_not_begun_within_itself() -> None:
    """A rule that asks at once is in progress while a player trades before the answer."""
    sheet = 'language 2\ngame inn "An inn"\n  rules inn\n'
    state = start(load("inn", of_texts({"inn/inn.targi": INN, "inn.targi": sheet})), Seed(1))
    for chosen in ("work", "barter", "sell", "n 2", "n 1", "rest"):
        state, _ = play(state, chosen)
    assert state.seat is None
    assert (state.amount("ann", "marks"), state.amount("ann", "stars")) == (1, 2)
