"""Ways to settle a price: alternatives, brackets, reductions, substitutes, stored amounts, free
exchanges.
"""

from __future__ import annotations

from typing import Any

import pytest

from targi_dsl.api import choices, play, start
from targi_dsl.api.state import State
from targi_dsl.engine import Engine
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import (
    FreeExchange,
    Price,
    Reduction,
    Stored,
    Substitute,
    Terms,
    Trigger,
)
from targi_dsl.ir.expressions import Arith, CanPay, Const, Counted, Expr, Listed, Var
from targi_dsl.ir.statements import Assign, EndGame, Gain, If, Loop, Pay, Store
from targi_dsl.text.diagnostics import Problems
from tests.models import ME, YES, Table, ability, ask, card, on_gain, option, place

DATES, SALT, GOLD, WATER, POINTS = range(5)
GOODS = 5  # the group's item
RESOURCES = ("dates", "salt", "gold", "water", "points")
INSTEAD = (Assign(0, Const(0), Const(9)),)


class Purse(Table):
    """A game in which red has something and pays once; `after` tells that it went on behind the
    payment.
    """

    def __init__(
        self, dates: int = 0, salt: int = 0, gold: int = 0, water: int = 0, extra: int = 4
    ) -> None:
        row = place("row of red", owner=0, active=True)
        super().__init__(
            resources=RESOURCES,
            groups=(("goods", (DATES, SALT)),),
            places=(row, place("pile")),
            cards=(card("camp"),),
            extra=extra,
            most=20,
        )
        self.has = (dates, salt, gold, water)
        self.variable("done")
        self.having(abilities=(ability("helpful", of=0), ability("second", of=0)))

    def paying(
        self, price: Price | Counted, otherwise: Any = INSTEAD, on_card: int = 0, **terms: Any
    ) -> State:
        of: Any = price
        if isinstance(price, Price):
            self.having(prices=(price,))
            of = Listed(Const(0))
        self.having(terms=(Terms("pay", **terms),))
        gains = [
            Gain(ME, Const(item), Const(number), Const(NOTHING))
            for item, number in enumerate(self.has)
        ]
        self.rule("setup", *gains, Store(self.windows, GOLD, Const(on_card)))
        deed = Assign(0, Const(0), Arith("+", Var(self.variables[0].base, Const(0), 0), Const(1)))
        paid = If(YES, (Pay(of, 0, otherwise), deed), ())
        done = Assign(0, Const(0), Arith("+", Var(self.variables[0].base, Const(0), 0), Const(100)))
        self.rule("round", paid, done, EndGame(0))
        return start(self.game())


def left(state: State) -> tuple[int, ...]:
    return tuple(state.amount("red", one) for one in RESOURCES)


def ids(state: State) -> list[str]:
    return [choice.id for choice in choices(state)]


def after(state: State, *names: str) -> State:
    for name in names:
        v = list(state.vector)
        assert len(choices(state)) > 1, "else it is no question"
        state = play(state, name)[0]
        assert v != list(state.vector)
    return state


def price(*alternatives: dict[int, int], extra: Any = (), reward: Any = ()) -> Price:
    return Price(tuple(tuple(sorted(one.items())) for one in alternatives), extra, reward)


# ---- plans ----


def plans(of: Price, cuts: Any = (), substitutes: Any = ()) -> list[tuple[dict[int, int], bool]]:
    table = Purse()
    table.rule("round")
    found = Engine(table.game()).code.plans(of, cuts, substitutes)
    return [(dict(one.items(len(RESOURCES))), one.bracket) for one in found]


@pytest.mark.parametrize(
    ("of", "cuts", "expected"),
    [
        (price({DATES: 2, SALT: 1}), (), [{DATES: 2, SALT: 1}]),
        (price({DATES: 2}, {GOLD: 1}), (), [{DATES: 2}, {GOLD: 1}]),
        (price({DATES: 2}), ((0, DATES, 1),), [{DATES: 1}]),
        (price({DATES: 2}), ((0, DATES, 3),), [{}]),
        (price({DATES: 2}), ((0, SALT, 1),), [{DATES: 2}]),
        (price({DATES: 2, GOLD: 1}), ((0, GOODS, 1),), [{DATES: 1, GOLD: 1}]),
        (price({DATES: 1, SALT: 1}), ((0, GOODS, 1),), [{SALT: 1}, {DATES: 1}]),
        (price({DATES: 2, SALT: 2}), ((0, GOODS, 2),), [{SALT: 2}, {DATES: 1, SALT: 1}, {DATES: 2}]),
        (price({DATES: 1, GOODS: 1}), ((0, GOODS, 1),), [{GOODS: 1}, {DATES: 1}]),
        (price({GOLD: 2}), ((0, GOODS, 1),), [{GOLD: 2}]),
        (price({DATES: 1, SALT: 1}), ((0, GOODS, 1), (1, DATES, 1)), [{}]),
        (price({DATES: 1, SALT: 1}), ((0, DATES, 0), (1, GOODS, 1)), [{SALT: 1}, {DATES: 1}]),
        (price({DATES: 1}, {SALT: 1}), ((0, GOODS, 1),), [{}]),
    ],
)  # fmt: skip
def test_reductions_save_in_full_and_every_way(
    of: Price, cuts: Any, expected: list[dict[int, int]]
) -> None:
    assert plans(of, cuts) == [(one, False) for one in expected]


def test_the_bracket_is_never_reduced() -> None:
    of = price({DATES: 1}, extra=((SALT, 2),), reward=((POINTS, 1),))
    assert plans(of, ((0, GOODS, 3),)) == [({}, False), ({SALT: 2}, True)]


def test_a_substitute_replaces_what_it_finds_and_is_not_reduced() -> None:
    water = Substitute(0, ((WATER, 1),), ((DATES, 2),), YES)
    assert plans(price({DATES: 3}), (), (water,)) == [
        ({DATES: 3}, False),
        ({DATES: 1, WATER: 1}, False),
    ]
    assert plans(price({DATES: 1}), (), (water,)) == [({DATES: 1}, False)]
    assert plans(price({DATES: 3}), ((1, GOODS, 2),), (water,)) == [
        ({DATES: 1}, False),
        ({WATER: 1}, False),
    ]
    dates = Substitute(0, ((DATES, 1),), ((GOLD, 1),), YES)
    assert plans(price({GOLD: 1}), ((1, DATES, 1),), (dates,)) == [
        ({GOLD: 1}, False),
        ({DATES: 1}, False),
    ]


def test_every_set_of_substitutes_is_a_plan() -> None:
    one, two = (
        Substitute(0, ((WATER, 1),), ((DATES, 1),), YES),
        Substitute(1, ((GOLD, 1),), ((DATES, 1),), YES),
    )
    found = [needs for needs, _ in plans(price({DATES: 2}), (), (one, two))]
    assert found == [{DATES: 2}, {DATES: 1, WATER: 1}, {DATES: 1, GOLD: 1}, {WATER: 1, GOLD: 1}]


def test_a_substitute_for_any_of_a_group_replaces_each_of_it() -> None:
    water = Substitute(0, ((WATER, 1),), ((GOODS, 1),), YES)
    found = [needs for needs, _ in plans(price({DATES: 1, SALT: 1}), (), (water,))]
    assert found == [{DATES: 1, SALT: 1}, {SALT: 1, WATER: 1}, {DATES: 1, WATER: 1}]


# ---- paying ----


def test_one_way_to_pay_is_taken_silently() -> None:
    state = Purse(dates=3, salt=1).paying(price({DATES: 2, SALT: 1}, {GOLD: 1}))
    assert state.seat is None and left(state) == (1, 0, 0, 0, 0) and state.value("done") == 101


def test_several_ways_are_a_question() -> None:
    state = Purse(dates=3, salt=1, gold=1).paying(price({DATES: 2, SALT: 1}, {GOLD: 1}))
    assert ids(state) == ["pay 2 dates, 1 salt", "pay 1 gold"]
    assert left(after(state, "pay 1 gold")) == (3, 1, 0, 0, 0)


def test_who_cannot_pay_does_the_otherwise_and_without_one_that_is_a_fault() -> None:
    assert Purse(dates=1).paying(price({DATES: 2})).value("done") == 110
    with pytest.raises(Problems, match="E615 `pay` cannot be answered"):
        Purse(dates=1).paying(price({DATES: 2}), otherwise=None)


def test_the_bracket_is_offered_and_rewarded() -> None:
    state = Purse(dates=3).paying(price({DATES: 1}, extra=((DATES, 2),), reward=((POINTS, 1),)))
    assert ids(state) == ["pay 1 dates", "pay 3 dates, for 1 points"]
    assert left(after(state, "pay 3 dates, for 1 points")) == (0, 0, 0, 0, 1)
    assert left(after(state, "pay 1 dates")) == (2, 0, 0, 0, 0)


def test_wildcards_are_paid_unit_by_unit() -> None:
    state = Purse(dates=2, salt=1, gold=1).paying(price({GOODS: 2, GOLD: 1}))
    assert ids(state) == ["pay dates", "pay salt"]
    assert left(after(state, "pay salt")) == (1, 0, 0, 0, 0), "then only dates are left"
    state = after(state, "pay dates")
    assert ids(state) == ["pay dates", "pay salt"]
    assert left(after(state, "pay dates")) == (0, 1, 0, 0, 0)


def test_wildcards_need_what_the_concrete_part_leaves() -> None:
    assert Purse(dates=2).paying(price({DATES: 1, GOODS: 2})).value("done") == 110
    state = Purse(dates=2, salt=1).paying(price({DATES: 1, GOODS: 2}))
    assert state.value("done") == 0 and left(after(state, "pay salt")) == (0, 0, 0, 0, 0)


def test_counted_amounts_are_looked_at_once() -> None:
    table = Purse(dates=3, salt=2)
    dates = Arith(
        "/",
        Arith("+", Var(table.amounts, Const(0), 0), Var(table.amounts + 2, Const(0), 0)),
        Const(2),
    )
    state = table.paying(Counted(((GOODS, dates), (GOLD, Const(-3)))))
    state = after(state, "pay dates")
    assert left(after(state, "pay salt")) == (2, 1, 0, 0, 0)


def test_nothing_is_free() -> None:
    table = Purse(dates=1)
    assert table.paying(Counted(())).value("done") == 101
    table.having(prices=(price({DATES: 1}),))
    table.rule("round", Pay(Listed(Const(NOTHING)), 0, None), EndGame(0))
    assert left(start(table.game())) == (1, 0, 0, 0, 0)


def test_reductions_work_while_their_card_does() -> None:
    cut = Reduction(0, GOODS, Const(1), YES)
    state = Purse(dates=3, salt=1).paying(price({DATES: 1, SALT: 1}), reductions=(cut,))
    assert ids(state) == ["pay 1 salt", "pay 1 dates"]
    off = Reduction(0, GOODS, Const(1), Const(0))
    assert left(Purse(dates=3, salt=1).paying(price({DATES: 1, SALT: 1}), reductions=(off,))) == (
        2,
        0,
        0,
        0,
        0,
    )
    table = Purse(dates=3, salt=1)
    table.cards = (card("camp", start=1, same=0),)
    assert left(table.paying(price({DATES: 1, SALT: 1}), reductions=(cut,))) == (2, 0, 0, 0, 0)


def test_a_change_with_a_window_uses_it_only_when_it_changed_the_price() -> None:
    def paid(of: Price) -> int:
        table = Purse(dates=3, gold=3)
        table.having(abilities=(ability("once", of=0, window=table.windows),))
        return table.paying(of, reductions=(Reduction(0, GOODS, Const(1), YES),)).vector[
            table.windows
        ]

    assert paid(price({DATES: 2})) == 1
    assert paid(price({GOLD: 2})) == 0


@pytest.mark.parametrize(
    ("of", "gold", "on_card", "left_over"),
    [
        (price({GOLD: 1}), 1, 1, (1, 0)),
        (price({GOLD: 2}), 1, 1, (0, 0)),
        (price({GOLD: 1}), 0, 2, (0, 1)),
        (price({GOLD: 1}), 1, 0, (0, 0)),
        (price({DATES: 1}), 0, 2, None),
    ],
)
def test_what_is_stored_pays_first_and_only_its_resource(
    of: Price, gold: int, on_card: int, left_over: Any
) -> None:
    table = Purse(gold=gold)
    state = table.paying(of, stored=(Stored(0, GOLD, table.windows),), on_card=on_card)
    assert state.value("done") == (101 if left_over else 110)
    if left_over:
        assert (state.amount("red", "gold"), state.vector[table.windows]) == left_over


# ---- free exchanges ----

WATER_EXCHANGE = FreeExchange("exchange_water", ((WATER, 1),), ((GOODS, 1),))


def exchanging(*exchanges: FreeExchange, **has: int) -> Purse:
    table = Purse(**has)
    table.having(exchanges=exchanges)
    return table


def test_an_exchange_makes_a_price_payable() -> None:
    state = exchanging(WATER_EXCHANGE, dates=1, water=2).paying(price({DATES: 2, SALT: 1}))
    assert ids(state) == ["exchange_water dates", "exchange_water salt"]
    state = after(state, "exchange_water salt")
    assert state.seat is None and left(state) == (0, 0, 0, 0, 0), (
        "the last exchange is the only way, then the price is paid"
    )
    assert state.value("done") == 101


def test_an_exchange_after_which_nothing_can_be_paid_is_not_offered() -> None:
    table = exchanging(FreeExchange("sell", ((DATES, 1),), ((GOLD, 1),)), dates=2, salt=2)
    state = table.paying(price({DATES: 2}, {SALT: 1}))
    assert ids(state) == ["pay 2 dates", "pay 1 salt", "sell"]
    state = exchanging(FreeExchange("sell", ((DATES, 1),), ((GOLD, 1),)), dates=2).paying(
        price({DATES: 2}, {DATES: 1})
    )
    assert ids(after(state, "sell")) == [] and left(after(state, "sell")) == (0, 0, 1, 0, 0)


def test_exchanges_are_offered_while_wildcards_are_paid() -> None:
    table = exchanging(FreeExchange("sell", ((DATES, 1),), ((GOLD, 1),)), dates=2, salt=1)
    state = table.paying(price({GOODS: 2}))
    assert ids(state) == ["pay dates", "pay salt", "sell"]
    assert left(after(state, "sell", "pay salt")) == (0, 0, 1, 0, 0)
    assert ids(after(state, "pay dates")) == ["pay dates", "pay salt", "sell"]


def test_exchanges_are_offered_beside_a_real_question_only() -> None:
    def asked(*options: str) -> list[str]:
        table = exchanging(WATER_EXCHANGE, water=1)
        table.rule("setup", Gain(ME, Const(WATER), Const(1), Const(NOTHING)))
        table.rule(
            "round", Loop(1, Const(1), (ask(*[option(one) for one in options]),)), EndGame(0)
        )
        return ids(start(table.game()))

    assert asked("go") == []
    assert asked("go", "stay") == ["go", "stay", "exchange_water dates", "exchange_water salt"]


def test_after_an_exchange_the_same_question_is_asked_again() -> None:
    table = exchanging(WATER_EXCHANGE)
    table.rule("setup", Gain(ME, Const(WATER), Const(1), Const(NOTHING)))
    table.rule("round", ask(option("go"), option("stay")), EndGame(0))
    state = after(start(table.game()), "exchange_water salt")
    assert ids(state) == ["go", "stay"] and left(state) == (0, 1, 0, 0, 0)


def test_a_group_given_is_any_one_resource_for_the_whole_number() -> None:
    table = exchanging(FreeExchange("barter", ((GOODS, 2),), ((GOODS, 1),)))
    table.rule(
        "setup", *[Gain(ME, Const(one), Const(2 - one), Const(NOTHING)) for one in (DATES, SALT)]
    )
    table.rule("round", ask(option("go"), option("stay")), EndGame(0))
    assert ids(start(table.game())) == ["go", "stay", "barter dates salt"]


def test_what_is_stored_is_not_exchanged() -> None:
    table = exchanging(FreeExchange("sell", ((GOLD, 1),), ((DATES, 1),)))
    state = table.paying(price({DATES: 1}), stored=(Stored(0, GOLD, table.windows),), on_card=1)
    assert state.value("done") == 110


# ---- heads, triggers ----


@pytest.mark.parametrize(
    ("dates", "water", "offered"), [(2, 0, True), (1, 1, True), (1, 0, False), (0, 1, False)]
)
def test_a_payment_in_a_head_means_that_some_plan_is_reachable(
    dates: int, water: int, offered: bool
) -> None:
    for expression in (False, True):
        table = exchanging(WATER_EXCHANGE)
        table.having(prices=(price({DATES: 2}),))
        gains = [
            Gain(ME, Const(item), Const(n), Const(NOTHING))
            for item, n in ((DATES, dates), (WATER, water))
        ]
        table.rule("setup", *gains)
        can: Expr = CanPay(Listed(Const(0)), 0)
        buy = (
            option("buy", guard=can)
            if expression
            else option("buy", Pay(Listed(Const(0)), 0, None))
        )
        table.rule("round", ask(buy, option("go"), option("stay")), EndGame(0))
        assert ("buy" in ids(start(table.game()))) is offered


def test_a_payment_sets_off_triggers_once_for_each_resource() -> None:
    table = Purse(dates=2, salt=1)
    body = table.rule("body", Gain(ME, Const(GOLD), Const(1), Const(NOTHING)))
    triggers = [Trigger(0, "pay", one, "you", NOTHING, body, NOTHING, YES) for one in (DATES, SALT)]
    table.having(triggers=tuple(triggers[:1]))
    assert left(table.paying(price({DATES: 2, SALT: 1}))) == (0, 0, 1, 0, 0)


def test_the_reward_is_gained_with_its_triggers() -> None:
    table = Purse(dates=2)
    body = table.rule("body", Gain(ME, Const(GOLD), Const(1), Const(NOTHING)))
    table.having(triggers=(on_gain(0, POINTS, body),))
    state = table.paying(price({DATES: 1}, extra=((DATES, 1),), reward=((POINTS, 2),)))
    assert left(after(state, "pay 2 dates, for 2 points")) == (0, 0, 1, 0, 2)


def test_wildcards_of_ten_groups_are_owed_at_once() -> None:
    resources = tuple(f"{kind}{n}" for n in range(10) for kind in ("a", "b"))
    groups = tuple((f"g{n}", (2 * n, 2 * n + 1)) for n in range(10))
    table = Table(resources=resources, groups=groups)
    gains = [Gain(ME, Const(one), Const(200), Const(NOTHING)) for one in range(20)]
    owed = tuple((20 + group, Const(150)) for group in range(10))
    table.rule("round", *gains, Pay(Counted(owed), NOTHING, None), EndGame(0))
    state = start(table.game())
    assert ids(state) == ["pay a0", "pay b0"]
    assert State.from_bytes(state.game, state.to_bytes()) == state
    for _ in range(150):
        state = play(state, "pay a0")[0]
    assert ids(state) == ["pay a1", "pay b1"] and state.amount("red", "a0") == 50
