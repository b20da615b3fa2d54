"""The box, its symbols, chance and whole rounds, which no rule test states: B1 to B28, B70, B78."""

from __future__ import annotations

from collections import Counter
from itertools import product

from targi_dsl.api import start
from targi_dsl.engine.chance import Seed
from targi_dsl.ir.constants import NOTHING
from tests.targi_base.tables import after, at, game, offered


def test_the_game_has_80_cards_and_two_players_with_three_targi_and_two_markers() -> (
    None
):  # B1, B3, B4, B6
    base = game()
    assert Counter(base.kinds[card.kind] for card in base.cards) == {
        "tribe_card": 45,
        "goods_card": 19,
        "border_card": 16,
    }
    symbols = Counter(
        card.fields["symbol"] for card in base.cards if card.kind == base.kinds.index("tribe_card")
    )
    assert symbols == dict.fromkeys(("well", "camel", "oasis", "targia", "camp"), 9)
    pieces = Counter((piece.kind, piece.owner) for piece in base.pieces)
    assert pieces == {
        ("targi", 0): 3,
        ("targi", 1): 3,
        ("marker", 0): 2,
        ("marker", 1): 2,
        ("robber", NOTHING): 1,
    }
    assert base.players == ("blue", "white")


def test_the_goods_are_dates_salt_and_pepper_and_gold_is_none() -> None:  # B2, B45
    base = game()
    (goods,) = [members for name, members in base.groups if name == "goods"]
    assert [base.resources[one] for one in goods] == ["dates", "salt", "pepper"]


def test_both_piles_are_shuffled_by_the_seed() -> None:  # B13
    one, other, again = (start(game(), Seed(seed)) for seed in (3, 4, 3))
    assert one == again
    assert one.cards("goods_pile") != other.cards("goods_pile")
    assert one.cards("tribe_pile") != other.cards("tribe_pile")


def test_the_robber_waits_beside_the_first_card_and_steps_onto_it_in_round_1() -> (
    None
):  # B16, B18, C4
    assert at("do check_end").place_of("robber") == "border 1"
    assert start(game(), Seed(3)).place_of("robber") == "border 1"
    assert start(game(), Seed(3)).value("round_number") == 1


def test_the_symbols_have_these_names() -> None:  # C17, C32
    assert dict(game().values)["symbol"] == ("well", "camel", "oasis", "targia", "camp")


def test_the_online_sheet_chooses_the_options_of_its_help_page() -> None:  # C1, C2, C24
    assert dict(game("base_online").options)["own_opposite"] == "forbidden"
    assert dict(game("base_online").options)["discard_with_room_in_hand"] == "forbidden"


def test_33_tribe_cards_have_an_ability_and_12_have_none() -> None:  # B7, B78
    base = game()
    cards = [one for one in base.cards if one.kind == base.kinds.index("tribe_card")]
    plain = {one.id for one in cards if not one.fields.get("ability")}
    symbols = ("well", "camel", "oasis", "targia", "camp")
    assert plain == {f"{one}_{n}" for one, n in product(symbols, (1, 2))} | {"well_5", "oasis_9"}
    assert len(cards) - len(plain) == 33


def test_tribe_cards_do_not_run_out() -> None:  # B70
    assert len(start(game(), Seed(5)).cards("tribe_pile")) == 41 > 26 + 11


def test_there_are_twelve_rounds_of_placement_before_the_fourth_raid() -> None:  # B20, C16
    state = at("starter: blue\nround_number: 0\nblue: 9 points\nwhite: 9 points\ndo round")
    rounds = dict[str | None, None]()
    while state.seat is not None:
        usual = (one for one in ("done", "pay 1 points", "pay 2 points") if one in offered(state))
        choice = next(usual, offered(state)[0])
        if choice.startswith("place_targi"):
            rounds[state.place_of("robber")] = None
        state = after(state, choice)
    assert len(rounds) == 12
    assert state.place_of("robber") == "border 16"


def test_the_parts_of_a_round_come_in_their_order() -> None:  # B17, B28, B77
    state, seen = at("starter: blue\ndo round"), list[str]()
    while state.value("round_number") != 2:
        choice = "done" if "done" in offered(state) else offered(state)[0]
        seen.append(choice.partition(" ")[0])
        markers = [state.place_of(f"marker {n} of blue") for n in (1, 2)]
        assert markers == [None, None] or not choice.startswith("place_targi")
        state = after(state, choice)
    assert seen[:6] == ["place_targi"] * 6 and set(seen[6:]) <= {"done"}
    pieces = (one.name for one in state.game.pieces if one.kind != "robber")
    assert all(state.place_of(name) is None for name in pieces)
