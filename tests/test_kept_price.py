"""A price that was offered as payable and chosen is paid: no free exchange can prevent it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from targi_dsl.api import choices, play, start
from targi_dsl.api.state import State
from targi_dsl.codegen.tiered import INTERPRETER, TCC, TieredEngine
from targi_dsl.compiler.load import load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed
from targi_dsl.engine.machine import ENGINE
from tests.targi_base.tables import after, at, offered
from tests.texts import game_file, game_text

MOST = 2000
"""Positions looked at behind one choice."""


def rests(state: State, resting: str) -> Iterator[State]:
    """Every position behind this one in which `resting` is offered first, or the other is asked."""
    waiting, seat, met = [state], state.seat, 0
    while waiting:
        met += 1
        assert met < MOST
        one = waiting.pop()
        ids = [choice.id for choice in choices(one)]
        if one.seat != seat or resting in ids:
            yield one
        else:
            waiting += [play(one, name)[0] for name in ids]


# ---- in the game (X20, B31, B46, B48)

TURN = "after setup\nwhite: {}\nblue: nothing\nstarter: white\nround_number: 2\n{}\n"
ACTIONS = (
    "do action_turn by white, then take_back_unused by white, "
    "then keep_water by white, then keep_limits by white"
)

POSITIONS = {
    "a card of the centre": (
        "1 salt, 2 water",
        "border: 1 robber; 3 targi of white\ncentre: b2 well_16, marker of white",
        ("use_centre b2",),
    ),
    "a drawn card": (
        "1 salt, 2 water",
        "border: 1 robber; 3 targi of white; 14 targi of white\ntribe_pile: well_16, rest",
        ("use_border 14", "done"),
    ),
    "a card for water": (
        "3 water",
        "border: 1 robber; 3 targi of white\ndunes 1: card_for_water, targi of white\n"
        "centre: b2 well_16, marker of white; a1 camp_10, marker of white",
        ("use_dune 1",),
    ),
    "a free card": (
        "1 salt, 2 water",
        "border: 1 robber; 3 targi of white\ndunes 1: free_card, targi of white\n"
        "centre: b2 well_16",
        ("use_dune 1",),
    ),
}


def displaying(position: str, *chosen: str) -> State:
    """The position after these choices, with well_16 about to be displayed."""
    state = after(at(position + ACTIONS, "expansion"), *chosen)
    for one in ("cell b2", "display"):
        state = after(state, one) if one in offered(state) else state
    return state


@pytest.mark.parametrize("name", POSITIONS)
def test_a_chosen_tribe_card_is_displayed_whatever_is_exchanged(name: str) -> None:
    purse, there, chosen = POSITIONS[name]
    state = displaying(TURN.format(purse, there), *chosen)
    found = list(rests(state, "done"))
    assert found
    for one in found:
        assert settled(one), one


@pytest.mark.parametrize("name", POSITIONS)
def test_the_exchange_is_offered_where_the_price_stays_payable(name: str) -> None:
    """With water to spare, and before anything is chosen, it is free as ever."""
    _, there, chosen = POSITIONS[name]
    state = displaying(TURN.format("1 salt, 6 water", there), *chosen)
    assert "water_for_goods dates" in offered(state)


def settled(state: State) -> bool:
    """Whether one card at most lies on each cell, and none where cards only pass through."""
    places = state.game.places
    stacks = [one.name for one in places if one.region in ("display", "centre")]
    passed = [one.name for one in places if one.region in ("drawn", "looked_at", "set_aside")]
    return all(len(state.cards(one)) <= 1 for one in stacks) and not any(map(state.cards, passed))


# ---- in the language: a bakery where flour can be sold at any moment

BAKERY = game_text("bakery.targi")

SHEET = """\
language 2

game bakery "A bakery"
  rules bakery
"""


def bakery(flour: int, *chosen: str) -> State:
    """The bakery after these choices."""
    files = {"bakery/b.targi": BAKERY.replace("FLOUR", str(flour)), "bakery.targi": SHEET}
    return after(start(load("bakery", of_texts(files)), Seed(0)), *chosen)


@pytest.mark.parametrize("flour", [2, 3, 4, 5])
def test_a_free_exchange_leaves_what_a_chosen_price_needs(flour: int) -> None:
    assert "sell" in offered(bakery(flour))
    asked = bakery(flour, "bake")
    assert ("sell" in offered(asked)) == (flour >= 4)
    for one in rests(asked, "bake"):
        assert one.amount("ann", "loaves") == 1
        assert one.amount("ann", "flour") + 2 * one.amount("ann", "coins") == flour - 2


def test_what_is_sold_before_bars_the_choice() -> None:
    assert bakery(2).seat == "ann" and bakery(2, "sell").seat == "bob"


# ---- substitutes that would only pay more ----


@pytest.mark.parametrize("engine", [INTERPRETER, TCC])
def test_a_substitute_is_not_offered_where_it_would_only_pay_more(engine: str) -> None:
    game = load(game_file("jokers"))
    game.program.engines[ENGINE] = TieredEngine(game, engine)
    ids = [choice.id for choice in choices(start(game, Seed(1)))]
    assert ids == ["pay 2 onyxes", "pay 1 onyxes, 1 gold", "pay 2 gold"]
