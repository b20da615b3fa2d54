"""Why something is not offered, case by case: asked in a person's words, it names every rule in the
way and what lifts it; when the position is changed accordingly, it is offered.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import pytest

from targi_dsl.api import choices, play
from targi_dsl.api.state import State
from targi_dsl.compiler.load import load
from targi_dsl.display.choosing import called, elsewhere, offers, refused
from targi_dsl.display.view import view_of
from targi_dsl.display.words import Words
from targi_dsl.engine.chance import Seed
from targi_dsl.explain.why_not import why_not
from targi_dsl.ir.game import Game
from targi_dsl.records.notation import read


@dataclass(frozen=True)
class Situation:
    """A request for something that is not offered. said: the person's words; names: everything in
    the way. lift: a change of the position after which it is offered, as (old, new); without an old
    text the new line comes before the others. first: choices made before the request.
    """

    about: str
    position: str
    said: str
    names: set[str]
    lift: tuple[tuple[str, str], ...]
    game: str = "base"
    first: tuple[str, ...] = ()
    options: dict[str, str] = field(default_factory=dict)

    def state(self, text: str) -> State:
        # The bazaar's setup asks something, so that there everything is said.
        opening = "" if self.game == "bazaar" else "after setup\n"
        state = read(_game(self.game, tuple(self.options.items())), opening + text, Seed(1))
        for one in self.first:
            state, _ = play(state, one)
        return state

    def lifted(self) -> str:
        text = self.position
        for old, new in self.lift:
            assert old in text, old
            text = text.replace(old, new) if old else f"{new}\n{text}"
        return text


@cache
def _game(name: str, options: tuple[tuple[str, str], ...]) -> Game:
    return load(name, options=dict(options))


PLACE = "do place_targi by blue"
ACT = (
    "border 1: robber, targi of blue\nborder 5: targi of blue\nborder 10: targi of blue\ndo"
    " action_turn by blue"
)
GOODS = "border 1: robber\nborder 2: targi of blue\nborder 3: targi of blue\n"
SETTLE = "do take_tribe_card by blue with well_6"  # it costs 1 dates, 2 salt
HELD = f"round_number: 3\nhand of blue: well_6\ntaken_in of well_6: 1\nblue: 1 dates, 2 salt\n{ACT}"
FULL = (
    "a1 oasis_1; b1 oasis_3; c1 oasis_4; d1 oasis_9; a2 well_1; b2 targia_1; c2 camp_1; d2 camel_1;"
    " a3 well_2; b3 camel_2; c3 targia_2; d3 camel_3"
)
MIRAGE = """\
centre a1: marker of blue
centre b1: well_1, marker of white
centre c1: camel_1 face down
do mirage by blue, then place_targi by blue"""
PURSES = "crimson: 4 tin, 3 tea, 1 silk, 9 coins\nemerald: 1 coins\nviolet: 1 coins\n"
VISIT = f"day: 2\n{PURSES}market 1: oil_press\ntable of crimson: loom face up\ndo visit by crimson"
BUILD = f"""\
day: 2
{PURSES}market: 1 oil_press; 2 lamp_stand; 3 madder_field
do build by crimson, then rest by violet"""

SITUATIONS = (
    # ---- placing ----
    Situation(
        "the robber",
        f"border 5: robber\n{PLACE}",
        "trader",
        {"robber_blocks"},
        (("5: robber", "6: robber"),),
    ),
    Situation(
        "the robber, for who has no card against it",
        f"border 5: robber\n{PLACE}",
        "border 5",
        {"robber_blocks"},
        (("", "display of blue: a1 targia_4"),),
    ),
    Situation(
        "a Targi of one's own",
        f"border 1: robber\nborder 5: targi of blue\n{PLACE}",
        "place targi border 5",
        {"occupied"},
        (("5: targi", "6: targi"),),
    ),
    Situation(
        "a Targi of the opponent",
        f"border 1: robber\nborder 9: targi of white\n{PLACE}",
        "fata morgana",
        {"occupied"},
        (("9: targi", "6: targi"),),
    ),
    Situation(
        "the opponent opposite",
        f"border 1: robber\nborder 15: targi of white\n{PLACE}",
        "trader",
        {"faces_opponent"},
        (("15: targi", "14: targi"),),
    ),
    Situation(
        "the opponent opposite, for who has no card against it",
        f"border 1: robber\nborder 15: targi of white\n{PLACE}",
        "trader",
        {"faces_opponent"},
        (("", "display of blue: b2 camp_8"),),
    ),
    Situation(
        "the opponent opposite, and the card against it used this round",
        "border 1: robber\nborder 15: targi of white\ndisplay of blue: a1 camp_8\nused camp_8 1"
        f" times\n{PLACE}",
        "trader",
        {"faces_opponent"},
        (("used camp_8 1 times\n", ""),),
    ),
    Situation(
        "oneself opposite, where that is barred too",
        f"border 1: robber\nborder 15: targi of blue\n{PLACE}",
        "trader",
        {"faces_own"},
        (("15: targi", "14: targi"),),
        options={"own_opposite": "forbidden"},
    ),
    Situation(
        "the robber and a Targi",
        f"border 5: robber, targi of white\n{PLACE}",
        "trader",
        {"robber_blocks", "occupied"},
        (("5: robber", "6: robber"),),
    ),
    Situation(
        "a Targi there and one opposite",
        f"border 1: robber\nborder 5: targi of white\nborder 15: targi of white\n{PLACE}",
        "trader",
        {"occupied", "faces_opponent"},
        (("border 5:", "border 6:"), ("border 15:", "border 14:")),
    ),
    Situation(
        "a dune on which a Targi stands",
        f"border 1: robber\ndunes 1: rest, targi of white\n{PLACE}",
        "dunes 1",
        {"occupied"},
        (("", "display of blue: a1 camel_12"),),
        game="expansion",
    ),
    Situation(
        "a dune, and the card for it used this game",
        "display of blue: a1 camel_12\nused camel_12 1 times\n"
        f"border 1: robber\ndunes 1: rest, targi of white\n{PLACE}",
        "dunes 1",
        {"occupied"},
        (("used camel_12 1 times\n", ""),),
        game="expansion",
    ),
    # ---- one's actions ----
    Situation(
        "another phase",
        ACT,
        "place targi border 7",
        {"not_now"},
        (("border 10: targi of blue\n", ""), ("action_turn", "place_targi")),
    ),
    Situation(
        "a card without a Targi",
        ACT,
        "use border 3",
        {"action_turn.space"},
        (("border 5", "border 3"),),
    ),
    Situation(
        "a centre card without a marker",
        ACT,
        "b2",
        {"action_turn.cell"},
        (("", "centre b2: well_6, marker of blue"),),
    ),
    Situation(
        "a centre card with the other's marker",
        f"centre b2: well_6, marker of white\n{ACT}",
        "use centre b2",
        {"action_turn.cell"},
        (("marker of white", "marker of blue"),),
    ),
    Situation(
        "the Noble with an empty hand",
        f"round_number: 3\nblue: 1 dates, 2 salt\n{ACT}",
        "use border noble",
        {"display_from_hand.card", "discard_from_hand.card"},
        (("", "hand of blue: well_6"),),
    ),
    Situation(
        "the trader, one salt short",
        f"{GOODS}border 5: targi of blue\nblue: 1 salt\ndo action_turn by blue",
        "trader",
        {"trader.pay", "camel_3"},  # that card would let its owner change 1 for 1
        (("1 salt", "2 salt"),),
    ),
    Situation(
        "the silversmith, one salt short",
        f"{GOODS}border 10: targi of blue\nblue: 1 salt\ndo action_turn by blue",
        "silversmith",
        {"smith.pay"},
        (("1 salt", "2 salt"),),
    ),
    Situation(
        "the silversmith's large exchange",
        "blue: 3 salt, 2 gold\ndo smith by blue",
        "4 salt for 3 points",
        {"smith.pay"},
        (("3 salt", "4 salt"),),
    ),
    Situation(
        "the silversmith's two gold",
        "blue: 3 salt, 1 gold\ndo smith by blue",
        "2 gold for 4 points",
        {"smith.pay"},
        (("1 gold", "2 gold"),),
    ),
    Situation(
        "Fata Morgana from a card without one's marker",
        MIRAGE,
        "here b2",
        {"mirage.here"},
        (("centre a1", "centre b2"),),
    ),
    Situation(
        "Fata Morgana to a card with a marker",
        MIRAGE,
        "there b1",
        {"mirage.there"},
        ((", marker of white", ""),),
        first=("here a1",),
    ),
    Situation(
        "Fata Morgana to a card that lies face down",
        MIRAGE,
        "c1",
        {"mirage.there"},
        ((" face down", ""),),
        first=("here a1",),
    ),
    # ---- tribe cards ----
    Situation(
        "a tribe card, one salt short",
        f"blue: 1 dates, 1 salt\n{SETTLE}",
        "display",
        {"display.pay"},
        (("1 salt", "2 salt"),),
    ),
    Situation(
        "a tribe card, for who has no card that makes it cheaper",
        f"blue: 1 dates, 1 salt\n{SETTLE}",
        "display",
        {"display.pay"},
        (("", "display of blue: a1 well_3"),),
    ),
    Situation(
        "a full hand",
        f"blue: 1 dates, 2 salt\nhand of blue: well_1\n{SETTLE}",
        "keep in hand",
        {"hand_full"},
        (("hand of blue: well_1\n", ""),),
    ),
    Situation(
        "a full display",
        f"blue: 1 dates, 2 salt\ndisplay of blue: {FULL}\n{SETTLE}",
        "display",
        {"display_full", "display.cell"},
        (("; d3 camel_3", ""),),
    ),
    Situation(
        "to discard while the hand has room",
        f"blue: 1 dates, 2 salt\n{SETTLE}",
        "discard",
        {"room_in_hand"},
        (("", "hand of blue: well_1"),),
        options={"discard_with_empty_hand": "forbidden"},
    ),
    Situation(
        "from the hand without the Noble",
        HELD,
        "display without noble",
        {"noble_needed"},
        (("", "display of blue: a1 targia_7"),),
    ),
    Situation(
        "from the hand in the same round, without the Noble",
        HELD.replace("well_6: 1", "well_6: 3"),
        "display without noble",
        {"noble_needed", "too_soon"},
        (("well_6: 3", "well_6: 2"), ("", "display of blue: a1 targia_7")),
    ),
    Situation(
        "to change places with nobody",
        "display of blue: a1 oasis_1\ndo rearrange by blue",
        "swap two",
        {"swap_two.other_card"},
        (("a1 oasis_1", "a1 oasis_1; b1 oasis_3"),),
    ),
    Situation(
        "Fata Morgana farther than to a neighbour",
        "border 9: fata_morgana\ncentre a1: marker of blue\n"
        "do fata_morgana by blue, then place_targi by blue",
        "there centre c3",
        {"mirage.there"},
        (("border 9: fata_morgana", "border 9: pepper_11\nborder 11: fata_morgana"),),
        game="expansion",
        first=("here a1",),
    ),
    Situation(
        "an ability for once a game",
        f"blue: 2 dates\ndisplay of blue: a1 well_13\nused well_13 1 times\n{ACT}",
        "well 13",
        {"well_13"},
        (("used well_13 1 times\n", ""),),
        game="expansion",
    ),
    Situation(
        "an ability of the opponent",
        f"blue: 3 dates\ndisplay of white: a1 targia_15\n{ACT}",
        "targia 15",
        {"targia_15"},
        (("of white", "of blue"),),
        game="expansion",
    ),
    Situation(
        "an ability that cannot be paid",
        f"blue: 1 dates\ndisplay of blue: a1 targia_15\n{ACT}",
        "targia 15",
        {"free_smith.pay"},
        (("1 dates", "2 dates"),),
        game="expansion",
    ),
    # ---- payments, raids and the rest ----
    Situation(
        "to give what one does not have",
        "blue: 1 dates, 2 salt\ndo keep_limits by blue, then raid by blue with {2 goods or 1"
        " points}, 1",
        "pay pepper",
        {"pay_toll.pay"},
        (("2 salt", "2 salt, 1 pepper"),),
    ),
    Situation(
        "water that one does not have",
        f"blue: 2 dates, 1 water\n{ACT}",
        "water for goods salt",
        {"water_for_goods salt.pay"},
        (("1 water", "2 water"),),
        game="expansion",
    ),
    Situation(
        "after the end",
        "ended by finish",
        "place targi border 7",
        {"game_over"},
        (("ended by finish", PLACE),),
    ),
    # ---- another game ----
    Situation(
        "to peddle while somebody is poorer",
        VISIT,
        "peddle",
        {"shut", "clock_tower.2"},  # the clock tower would let its owner peddle in another way
        (("emerald: 1 coins", "emerald: 99 coins"),),
        game="bazaar",
    ),
    Situation(
        "a rival's helper across",
        f"square 3: helper of emerald\nsquare 5: crier\n{VISIT}",
        "send out square 7",
        {"watched"},
        (("square 3", "square 4"),),
        game="bazaar",
    ),
    Situation(
        "beside the crier, and a helper is there",
        f"square 3: helper of emerald, crier\n{VISIT}",
        "square 3",
        {"crowded", "hushed"},
        (("square 3", "square 4"),),
        game="bazaar",
    ),
    Situation(
        "a second helper where one is all there is",
        f"square 3: helper of crimson\nsquare 5: crier\n{VISIT}",
        "send out square 1",
        {"sent_all"},
        (
            ("square 3: helper of crimson", "street of crimson: kiln"),
        ),  # which gives the turn something else to do first
        game="bazaar",
        first=("done",),
        options={"helpers": "single"},
    ),
    Situation(
        "a stall of which one has the like",
        f"street of crimson: kiln\n{BUILD}",
        "oil press",
        {"twin"},
        (("street of crimson: kiln\n", ""),),
        game="bazaar",
    ),
    Situation(
        "an ability used this round",
        f"street of crimson: kiln\nused kiln 1 times\nsquare 3: helper of crimson\n{VISIT}",
        "kiln",
        {"kiln"},
        (("used kiln 1 times\n", ""),),
        game="bazaar",
    ),
)


def test_there_are_enough_of_them_and_all_differ() -> None:
    assert len(SITUATIONS) >= 40
    assert len({one.about for one in SITUATIONS}) == len(
        {(one.position, one.said, one.lift) for one in SITUATIONS}
    )
    assert len(set().union(*(one.names for one in SITUATIONS))) >= 25


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda one: one.about)
def test_all_that_stands_against_it_is_named_and_what_lifts_it_does(situation: Situation) -> None:
    state = situation.state(situation.position)
    id_ = _asked(state, situation.said)
    assert id_ not in [one.id for one in choices(state)]
    reasons = why_not(state, id_)
    assert {reason.name for reason in reasons} == situation.names
    assert all(reason.text for reason in reasons)
    lifted = situation.state(situation.lifted())
    assert id_ in [one.id for one in choices(lifted)]
    assert why_not(lifted, id_) == ()


def _asked(state: State, said: str) -> str:
    """The one answer that these words mean to the person who is asked; when the game is over it has
    none.
    """
    seats = (state.seat,) if state.seat else state.game.players[:1]
    view = view_of(state, Words(state.game), seats)
    found = called(said, (*offers(view), *refused(view))) or called(said, elsewhere(view))[:1]
    (one,) = found
    return one.choice.id
