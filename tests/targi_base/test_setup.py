"""How a game begins: B1 to B16, and the tables of the board."""

from __future__ import annotations

from collections import Counter

from targi_dsl.api import start
from targi_dsl.engine.chance import Seed
from targi_dsl.ir.constants import NOTHING
from tests.targi_base.tables import after, at, game, has, offered, on


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


def test_goods_and_tribe_cards_alternate_in_the_centre_face_up() -> None:  # B13, B14
    state = start(game(), Seed(3))
    kinds = {card.id: state.game.kinds[card.kind] for card in state.game.cards}
    rows = [[kinds[on(state, f"centre {column}{row}")] for column in "abc"] for row in (1, 2, 3)]
    goods, tribe = "goods_card", "tribe_card"
    assert rows == [[goods, tribe, goods], [tribe, goods, tribe], [goods, tribe, goods]]
    assert all(
        state.face_up(on(state, f"centre {column}{row}")) for column in "abc" for row in (1, 2, 3)
    )
    assert len(state.cards("goods_pile")) == 14 and len(state.cards("tribe_pile")) == 41
    assert not any(
        state.face_up(card) for card in state.cards("goods_pile") + state.cards("tribe_pile")
    )


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
    assert dict(game("base_online").options)["discard_with_empty_hand"] == "forbidden"


def test_points_and_goods_never_run_out() -> None:  # B36, A3, A35
    state = at("blue: 60 dates, 5 salt, 50 points\nborder 2: targi of blue\ndo actions by blue")
    assert has(after(state, "use_border 2"), "blue").startswith("6")
    assert offered(state)
