"""The bazaar: the effects of each favour and each ability of a stall, when they do not apply, and
when the window opens again. After the events that a test examines, violet is asked how to rest,
where play stops.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from targi_dsl.api import result
from targi_dsl.text.diagnostics import Problems
from tests.playing import Playing, drawn

WAIT = "rest by violet"
RESTS: tuple[str, ...] = ("gain_1_wares_and_1_coins", "gain_3_coins", "draw_up")


def bazaar(*lines: str) -> Playing:
    """A position; the last line states the action, its player and its arguments, before violet
    rests.
    """
    return drawn("bazaar", *lines[:-1], f"do {lines[-1]}, then {WAIT}")


def then(*done: str) -> str:
    """One after the other."""
    return ", then ".join(done)


def impossible(question: str, *lines: str) -> None:
    """The last line states an action that cannot be carried out: this has no answer, or forbids it."""
    with pytest.raises(Problems, match=f"E615 `{question}`"):
        bazaar(*lines)


def waits(game: Playing) -> bool:
    """Whether no action is left."""
    return game.state.seat == "violet" and game.ids[:2] == RESTS[:2]


def wealth(game: Playing, player: str = "crimson") -> dict[str, int]:
    found = {name: game.has(player, name) for name in game.state.game.resources}
    return {name: number for name, number in found.items() if number}


def called(favour: str, *lines: str) -> Playing:
    """Crimson has this favour done."""
    return bazaar(*lines, f"call_in by crimson with {favour}")


# ---- favours ----


def test_lucky_day_brings_two_wares_of_any_kind() -> None:
    game = called("lucky_day")
    game.choose("gain silk", "gain tea")
    assert waits(game)
    assert wealth(game) == {"silk": 1, "tea": 1}


def test_windfall_brings_four_coins() -> None:
    assert wealth(called("windfall")) == {"coins": 4}


def test_grand_opening_builds_a_stall_or_nothing() -> None:
    game = called("grand_opening", "crimson: 1 tin, 1 tea", "hand of crimson: kiln")
    assert waits(game)
    assert game.state.cards("street of crimson") == ("kiln",)
    game = called("grand_opening", "crimson: 1 tin", "hand of crimson: kiln")
    assert waits(game)
    assert game.state.cards("hand of crimson") == ("kiln",)


def test_a_swap_meet_swaps_up_to_two_wares() -> None:
    game = called("swap_meet", "crimson: 3 silk")
    game.choose("1 silk for 1 tin", "1 silk for 1 tea")
    assert waits(game)
    assert wealth(game) == {"silk": 1, "tin": 1, "tea": 1}
    assert waits(called("swap_meet"))


def test_market_gossip_gives_the_others_a_coin_and_you_one_of_each_ware() -> None:
    game = called("market_gossip")
    assert [wealth(game, player) for player in ("crimson", "emerald", "violet")] == [
        {"silk": 1, "tin": 1, "tea": 1},
        {"coins": 1},
        {"coins": 1},
    ]


def test_the_errand_boy_is_sent_where_one_may_be_sent_but_to_no_gate_and_is_heard_beside_the_crier() -> (
    None
):
    game = called("errand_boy", "square 2: helper of emerald", "square 3: crier")
    assert game.ids == tuple(
        f"errand_boy {spot}" for spot in (3, 4, 7, 8)
    )  # 6 lies across from emerald's helper
    game.choose("errand_boy 3")
    assert game.state.place_of("helper 1 of crimson") == "square 3"
    assert waits(called("errand_boy", "square: 2 helper of crimson; 5 helper of crimson"))


def test_the_town_clock_moves_the_crier_and_goes_under_the_pile() -> None:
    game = called("town_clock")
    game.choose("town_clock 6")
    assert game.state.place_of("crier") == "square 6"
    assert game.state.cards("favour_pile")[-1] == "town_clock"


def test_the_pawn_shop_takes_wares_until_you_are_done() -> None:
    game = called("pawn_shop", "crimson: 3 silk")
    game.choose("1 wares for 2 coins", "1 wares for 2 coins", "done")
    assert wealth(game) == {"silk": 1, "coins": 4}
    assert waits(called("pawn_shop"))


def test_a_patron_asks_for_three_of_at_least_five_coins() -> None:
    game = called("patron", "crimson: 5 coins")
    game.choose("gain_1_fame_and_1_tea")
    assert wealth(game) == {"coins": 2, "fame": 1, "tea": 1}
    game = called("patron", "crimson: 4 coins")
    assert waits(game)
    assert wealth(game) == {"coins": 4}


def test_on_credit_any_stall_of_the_hand_costs_two_coins() -> None:
    game = called("on_credit", "crimson: 2 coins", "hand of crimson: velvet_hall")
    assert game.state.cards("street of crimson") == ("velvet_hall",)
    assert wealth(game) == {}
    game = called("on_credit", "crimson: 1 coins", "hand of crimson: velvet_hall")
    assert waits(game)
    assert game.state.cards("hand of crimson") == ("velvet_hall",)


def test_an_inheritance_is_the_oldest_stall_of_the_waste_at_its_cost() -> None:
    game = called("inheritance", "crimson: 1 tin, 1 tea", "stall_waste: loom, kiln")
    game.choose("pay_cost_of_heirloom")
    assert game.state.cards("cellar 1 of crimson") == ("kiln",)
    assert wealth(game) == {"coins": 1}
    game = called("inheritance", "crimson: 1 tin, 1 tea", "stall_waste: loom, kiln")
    game.choose("decline")
    assert game.state.cards("stall_waste") == ("loom", "kiln")
    for nothing in (["crimson: 1 tin", "stall_waste: kiln"], ["crimson: 1 tin, 1 tea"]):
        game = called("inheritance", *nothing)
        assert waits(game) and game.has("crimson", "coins") == 1


def test_the_beggar_bowl_helps_who_has_nothing() -> None:
    game = called("beggar_bowl")
    game.choose("gain tea")
    assert wealth(game) == {"coins": 3, "tea": 1}
    game = called("beggar_bowl", "crimson: 2 coins, 1 tin, 1 tea", "hand of crimson: kiln")
    assert waits(game)
    assert wealth(game) == {"coins": 2, "tin": 1, "tea": 1}


@pytest.mark.parametrize(("coins", "kept"), [(2, {}), (1, {"coins": 1, "tea": 1})])
def test_guild_dues_are_paid_or_mocked(coins: int, kept: dict[str, int]) -> None:
    game = called("guild_dues", f"crimson: {coins} coins")
    game.choose("2 tin")
    assert wealth(game) == {**kept, "tin": 2}


def test_every_favour_is_tested_here() -> None:
    game = drawn("bazaar", f"do {WAIT}").state.game
    favours = {
        card.id.partition(".")[0] for card in game.cards if game.kinds[card.kind] == "favour"
    }
    text = Path(__file__).read_text(encoding="utf-8")
    assert {name for name in favours if f'called("{name}"' not in text} == set()


# ---- stalls: what happens when they open ----


def opened(stall: str, *lines: str) -> Playing:
    """Crimson opens this stall for nothing."""
    return bazaar(
        f"hand of crimson: {stall}", *lines, f"open_stall by crimson with {stall}, {{0 coins}}"
    )


def test_the_loom_brings_two_wares_when_it_opens() -> None:
    game = opened("loom")
    game.choose("gain tin", "gain tin")
    assert waits(game)
    assert wealth(game) == {"tin": 2}


def test_the_clock_tower_brings_a_rest_when_it_opens() -> None:
    game = opened("clock_tower")
    assert game.state.seat == "crimson" and game.ids == RESTS


def test_the_oil_press_stores_coins_that_pay_for_stalls_only() -> None:
    game = opened("oil_press")
    assert wealth(game) == {"tea": 1}
    lines = ["street of crimson: oil_press", "stored 2 coins on oil_press"]
    game = bazaar(*lines, "crimson: 1 tea", "hand of crimson: woad_cart", "build by crimson")
    assert game.state.cards("street of crimson") == ("woad_cart", "oil_press")
    assert wealth(game) == {}
    game = bazaar(*lines, "call_in by crimson with guild_dues")
    assert wealth(game) == {"tea": 1}


# ---- stalls: what happens when something happens ----


def with_stall(stall: str, *lines: str) -> Playing:
    """Crimson has this stall open."""
    return bazaar(f"street of crimson: {stall}", *lines)


def test_the_rope_walk_brings_more_silk_from_the_first_favour_of_a_round() -> None:
    game = with_stall(
        "rope_walk",
        then("call_in by crimson with market_gossip", "call_in by crimson with market_gossip.2"),
    )
    assert wealth(game) == {"silk": 3, "tin": 2, "tea": 2}
    assert wealth(with_stall("rope_walk", "call_in by emerald with market_gossip")) == {"coins": 1}


def test_the_rope_walk_remembers_what_was_gained_earlier_this_round() -> None:
    lines = ["hand of crimson: rope_walk"]
    opening = "open_stall by crimson with rope_walk, {0 coins}"
    assert (
        wealth(bazaar(*lines, f"call_in by crimson with market_gossip, then {opening}"))["silk"]
        == 2
    )
    assert wealth(bazaar(*lines, opening)) == {}


def test_the_tea_house_gives_a_coin_whenever_tea_is_paid() -> None:
    game = with_stall(
        "tea_house", "crimson: 1 tin, 1 tea", "hand of crimson: kiln", "build by crimson"
    )
    assert wealth(game) == {"coins": 1}
    game = with_stall(
        "tea_house", "crimson: 1 tin, 1 silk", "hand of crimson: lamp_stand", "build by crimson"
    )
    assert wealth(game) == {}


def test_the_bell_founder_earns_whoever_sends_a_helper() -> None:
    for who in ("crimson", "emerald"):
        game = with_stall(
            "bell_founder", f"send_out by {who} with square 2, then send_out by {who} with square 3"
        )
        assert wealth(game) == {"coins": 2}


def test_the_carpet_gallery_earns_once_a_round_from_anybodys_fame() -> None:
    fame = "call_in by emerald with patron, then call_in by violet with patron.2"
    game = with_stall("carpet_gallery", "emerald: 5 coins", "violet: 5 coins", fame)
    game.choose("gain_2_fame", "gain_2_fame")
    assert wealth(game) == {"coins": 1}


def test_the_porcelain_room_earns_once_a_round_from_anybodys_tin() -> None:
    lines = ["emerald: 2 tin, 1 tea, 1 silk", "hand of emerald: kiln, lamp_stand"]
    twice = (
        "open_stall by emerald with kiln, cost of kiln, then open_stall by emerald with lamp_stand,"
        " cost of lamp_stand"
    )
    game = with_stall("porcelain_room", *lines, twice)
    game.choose("gain silk")
    assert waits(game)
    assert wealth(game) == {"silk": 1}


def test_the_kettle_cart_makes_tea_for_the_first_helper_who_comes_home_in_a_round() -> None:
    lines = ["square: 3 helper of crimson; 4 helper of crimson, helper of emerald"]
    game = with_stall(
        "kettle_cart",
        *lines,
        then("fetch_home by emerald with square 4", "fetch_home by crimson with square 3"),
    )
    assert game.has("crimson", "tea") == 1
    game = with_stall(
        "kettle_cart",
        *lines,
        then("fetch_home by crimson with square 3", "fetch_home by crimson with square 4"),
    )
    assert game.has("crimson", "tea") == 1


# ---- stalls: what they change ----


def bill(stall: str, wanted: str, *lines: str) -> bool:
    """Whether crimson can open the wanted stall with this one in the street."""
    opening = "call_in by crimson with grand_opening"
    game = with_stall(stall, f"hand of crimson: {wanted}", *lines, opening)
    return wanted in game.state.cards("street of crimson")


@pytest.mark.parametrize(
    ("stall", "wanted", "enough", "other"),
    [
        ("tent_maker", "loom", "1 tea", "kiln"),  # one ware less, for weavers
        (
            "indigo_vat",
            "lamp_stand",
            "1 silk, 1 tea",
            "rope_walk",
        ),  # tea for tin; the rope walk wants a coin too
    ],
)
def test_a_stall_makes_another_cheaper(stall: str, wanted: str, enough: str, other: str) -> None:
    assert bill(stall, wanted, f"crimson: {enough}")
    assert not bill("henna_booth", wanted, f"crimson: {enough}")
    assert not bill(stall, other, f"crimson: {enough}")


def test_the_toy_maker_saves_two_wares_and_a_coin_at_a_grand_opening() -> None:
    lines = ["street of crimson: toy_maker", "hand of crimson: kettle_cart", "crimson: 1 coins"]
    assert "kettle_cart" in bazaar(*lines, "call_in by crimson with grand_opening").state.cards(
        "street of crimson"
    )
    impossible("build", *lines, "build by crimson")


def test_the_tile_yard_lets_six_cards_in_the_hand() -> None:
    hand = "hand of crimson: lucky_day, lucky_day.2, windfall, windfall.2, patron, patron.2"
    assert waits(with_stall("tile_yard", hand, "tidy_up by crimson"))
    assert with_stall("kiln", hand, "tidy_up by crimson").state.seat == "crimson"


def test_the_jar_shop_keeps_more_wares_from_the_second_day_on() -> None:
    kept = [
        with_stall("jar_shop", f"day: {day}", "crimson: 14 tea", "tidy_up by crimson")
        for day in (1, 2)
    ]
    assert [game.has("crimson", "tea") for game in kept] == [10, 14]


def test_the_ribbon_tray_offers_coins_for_silk_to_pedlars() -> None:
    lines = ["fair_today: yes", "crimson: 1 silk", "peddle by crimson"]
    game = with_stall("ribbon_tray", *lines)
    assert game.ids == ("ribbon_tray", "done")
    game.choose("ribbon_tray")
    assert game.has("crimson", "coins") == 2
    impossible("peddle", "street of crimson: kiln", *lines)


def test_the_henna_booth_makes_room_in_a_crowd() -> None:
    lines = ["square: 3 helper of emerald", "send_out by crimson with square 3"]
    assert with_stall("henna_booth", *lines).state.place_of("helper 1 of crimson") == "square 3"
    impossible("crowded", "street of crimson: kiln", *lines)


def test_the_woad_cart_is_not_seen_once_a_round() -> None:
    lines = ["square: 2 helper of emerald; 3 helper of emerald"]
    once = with_stall("woad_cart", *lines, "send_out by crimson with square 6")
    assert once.state.place_of("helper 1 of crimson") == "square 6"
    twice = "send_out by crimson with square 6, then send_out by crimson with square 7"
    impossible("watched", "street of crimson: woad_cart", *lines, twice)
    free = with_stall(
        "woad_cart",
        *lines,
        "send_out by crimson with square 8, then send_out by crimson with square 7",
    )
    assert free.state.place_of("helper 2 of crimson") == "square 7", (
        "where nobody watched the cart was not needed"
    )


def test_the_lock_smithy_opens_the_shut_market_to_who_has_five_coins_or_fewer() -> None:
    for stall, coins, opens in (
        ("lock_smithy", 5, True),
        ("lock_smithy", 6, False),
        ("kiln", 5, False),
    ):
        lines = [f"street of crimson: {stall}", f"crimson: {coins} coins, 2 silk"]
        if opens:
            assert "done" in bazaar(*lines, "peddle by crimson").ids
        else:
            impossible("peddle", *lines, "peddle by crimson")


def test_the_lamp_stand_has_something_better_than_rest_once_a_game() -> None:
    game = with_stall("lamp_stand", "rest by crimson, then rest by crimson")
    assert game.ids == ("rest", "lamp_stand")
    game.choose("lamp_stand", "gain tin", "gain tea")
    assert wealth(game) == {"tin": 1, "tea": 1, "coins": 2}
    assert game.state.seat == "crimson" and game.ids == RESTS


def test_the_clock_tower_has_a_ware_in_place_of_peddling_once_a_round() -> None:
    lines = ["fair_today: yes", "crimson: 2 silk", "peddle by crimson, then peddle by crimson"]
    game = with_stall("clock_tower", *lines)
    assert game.ids == ("peddle", "clock_tower.2")
    game.choose("clock_tower.2", "gain tea")
    assert wealth(game) == {"silk": 2, "tea": 1}
    assert "done" in game.ids, "this time it is peddling itself"


@pytest.mark.parametrize(
    ("stall", "lines", "score"),
    [
        ("velvet_hall", ["crimson: 2 silk"], 1),
        ("velvet_hall", ["crimson: 1 silk"], 0),
        ("purple_house", ["leader: crimson"], 2),
        ("purple_house", ["leader: violet"], 0),
        ("madder_field", [], 0),
        ("madder_field, loom, ribbon_tray", [], 2),
    ],
)
def test_a_stall_scores_at_the_end(stall: str, lines: list[str], score: int) -> None:
    game = bazaar(*lines, f"street of crimson: {stall}", "send_out by emerald with square 2")
    name = stall.partition(",")[0]
    assert result(game.state).breakdown[0][name] == score


# ---- windows of a round and of a game ----


def offered(game: Playing, until_day: int) -> dict[int, bool]:
    """Whether the kiln or ink seller of crimson is offered, by day; crimson uses it whenever it is."""
    found: dict[int, bool] = {}
    while game.state.value("day") <= until_day and game.state.seat is not None:
        use = [one for one in game.ids if one in ("kiln", "ink_seller")]
        if use:
            assert not found.get(game.state.value("day")), "twice in a round"
            found[game.state.value("day")] = True
        quiet = [one for one in game.ids if one in ("done", "decline", "rest", "gain_3_coins")]
        game.choose(*[*use, *quiet, *game.ids][:1])
    return found


@pytest.mark.parametrize(
    ("stall", "days"), [("kiln", {1: True, 2: True, 3: True}), ("ink_seller", {1: True})]
)
def test_a_window_opens_again_when_its_period_begins(stall: str, days: dict[int, bool]) -> None:
    game = drawn(
        "bazaar",
        f"street of crimson: {stall}",
        "crimson: 5 tin",
        "hand of crimson: windfall, lucky_day",
    )
    assert offered(game, 3) == days


def test_every_ability_of_a_stall_is_tested_here() -> None:
    game = drawn("bazaar", f"do {WAIT}").state.game
    able = {re.split("[ .]", ability.name)[0] for ability in game.abilities if ability.card >= 0}
    text = Path(__file__).read_text(encoding="utf-8").partition("# ---- stalls")[2]
    assert {name for name in able if not re.search(rf"\b{name}\b", text)} == set()


def test_a_full_street_takes_no_more_stalls() -> None:
    lines = [
        "crimson: 9 coins, 9 silk, 9 tin, 9 tea",
        "hand of crimson: woad_cart",
        "build by crimson",
    ]
    three = "street of crimson: loom, clock_tower, oil_press"
    assert "woad_cart" in bazaar(three, *lines).state.cards("street of crimson")
    impossible("build", f"{three}, rope_walk", *lines)
