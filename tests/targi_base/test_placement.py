"""The robber's way, the placement of figures, and the markers: B16 to B28."""

from __future__ import annotations

import pytest

from targi_dsl.api.state import State
from tests.targi_base.tables import after, at, barred, game, offered, on


def spaces(state: State) -> set[int]:
    """Where a Targi may be placed."""
    return {int(one.removeprefix("place_targi ")) for one in offered(state)}


def markers(state: State, player: str) -> list[str]:
    """The places of a player's markers."""
    return sorted(place for n in (1, 2) if (place := state.place_of(f"marker {n} of {player}")))


# ---- the robber


@pytest.mark.parametrize("number", [1, 2, 5, 6, 9, 10, 13, 14])
def test_the_robber_moves_one_card_clockwise(number: int) -> None:  # B18
    state = at(f"starter: blue\nborder {number}: robber\nblue: nothing\nwhite: nothing")
    assert state.place_of("robber") == f"border {number + 1}"


@pytest.mark.parametrize("corner", [4, 8, 12])
def test_at_a_corner_there_is_a_raid_and_the_robber_moves_on_in_the_same_round(
    corner: int,
) -> None:  # B19
    state = at(
        f"starter: blue\nborder {corner - 1}: robber\nround_number: 4\nblue: 1 points\nwhite: 1"
        " points"
    )
    for _ in range(2):
        state = after(state, "pay 1 points") if "pay 1 points" in offered(state) else state
    assert state.place_of("robber") == f"border {corner + 1}"
    assert state.value("round_number") == 5 and state.seat == "blue"
    assert spaces(state)


def test_there_are_twelve_rounds_of_placement_before_the_fourth_raid() -> None:  # B20, C16
    state = at("starter: blue\nround_number: 0\nblue: 9 points\nwhite: 9 points\ndo round")
    rounds = []
    while state.seat is not None:
        choice = next(
            (one for one in ("done", "pay 1 points", "pay 2 points") if one in offered(state)),
            offered(state)[0],
        )
        if choice.startswith("place_targi"):
            rounds.append(state.place_of("robber"))
        state = after(state, choice)
    assert len(dict.fromkeys(rounds)) == 12
    assert state.place_of("robber") == "border 16"


def test_the_parts_of_a_round_come_in_their_order() -> None:  # B17, B28, B77
    base = game()
    state = at("starter: blue\ndo round")
    seen = list[str]()
    for _ in range(400):
        if state.value("round_number") == 2:
            break
        choice = "done" if "done" in offered(state) else offered(state)[0]
        seen.append(choice.partition(" ")[0])
        assert markers(state, "blue") == [] or not choice.startswith("place_targi")
        state = after(state, choice)
    assert seen[:6] == ["place_targi"] * 6 and set(seen[6:]) <= {"done"}
    assert all(
        state.place_of(piece.name) is None for piece in base.pieces if piece.kind != "robber"
    )


# ---- the figures


def test_nobody_may_stand_on_the_robbers_card_a_corner_or_an_occupied_card() -> None:  # B22, C22
    state = at("border: 5 robber; 2 targi of blue; 6 targi of white\ndo place_targi by blue")
    assert spaces(state) == {1, 3, 7, 9, 10, 11, 13, 15}
    assert barred(state, "place_targi 5") == {"robber_blocks"}
    assert barred(state, "place_targi 2") == {"occupied"}
    assert barred(state, "place_targi 6") == {"occupied"}
    for corner in (4, 8, 12, 16):
        assert barred(state, f"place_targi {corner}") == {"raid_corner"}


@pytest.mark.parametrize(("one", "other"), [(1, 11), (2, 10), (3, 9), (5, 15), (6, 14), (7, 13)])
def test_nobody_may_face_the_opponent(one: int, other: int) -> None:  # B12, B22
    for here, there in ((one, other), (other, one)):
        state = at(f"border {here}: targi of white\ndo place_targi by blue")
        assert barred(state, f"place_targi {there}") == {"faces_opponent"}
        assert spaces(state) == {1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15} - {here, there}


def test_ones_own_figure_and_the_robber_may_be_faced() -> None:  # B23, C1
    state = at("border: 2 targi of blue; 13 robber\ndo place_targi by blue")
    assert {10, 7} <= spaces(state)


def test_with_the_option_nobody_may_face_any_figure() -> None:  # C1
    state = at(
        "border: 2 targi of blue; 13 robber\ndo place_targi by blue", own_opposite="forbidden"
    )
    assert barred(state, "place_targi 10") == {"faces_own"} and 7 in spaces(state)
    assert 10 not in spaces(
        at("border 2: targi of blue\ndo place_targi by blue", name="base_online")
    )


def test_there_is_a_card_left_when_as_many_as_can_be_are_barred() -> None:  # B24
    state = at(
        "border: 1 robber; 2 targi of blue; 3 targi of blue; 5 targi of white; 6 targi of white; 7"
        " targi of white\ndo place_targi by blue"
    )
    assert spaces(state) == {9, 10, 11}


def test_players_place_one_figure_in_turn_until_all_six_stand() -> None:  # B21
    for starter, other in (("blue", "white"), ("white", "blue")):
        state = at(f"starter: {starter}\nborder 6: robber\ndo placement, then actions")
        seats = []
        for space in (1, 2, 3, 5, 7, 14):
            seats.append(state.seat)
            state = after(state, f"place_targi {space}")
        assert seats == [starter, other] * 3
        assert not offered(state)[0].startswith("place_targi")


def test_the_example_of_placement() -> (
    None
):  # B75, C29: blue on 2, white on 5, each bars the card opposite to the other
    state = at("starter: blue\nborder 3: robber\ndo placement, then actions")
    state = after(state, "place_targi 2")
    assert state.seat == "white" and barred(state, "place_targi 10") == {"faces_opponent"}
    state = after(state, "place_targi 5")
    assert state.seat == "blue" and barred(state, "place_targi 15") == {"faces_opponent"}
    state = after(state, "place_targi 14")
    assert state.seat == "white" and "place_targi 9" in offered(state)


# ---- the markers


@pytest.mark.parametrize(
    ("figures", "cells"),
    [
        ((1, 2, 5), ["centre a1", "centre b1"]),
        ((3, 5, 6), ["centre c1", "centre c2"]),
        ((11, 9, 13), ["centre a3", "centre c3"]),
        ((10, 14, 15), ["centre b1", "centre b2"]),
        ((1, 11, 6), ["centre a2"]),
        ((7, 13, 2), ["centre b3"]),
        ((1, 2, 3), []),
        ((5, 14, 7), []),
        ((1, 9, 11), []),
    ],
)
def test_a_marker_stands_wherever_two_lines_of_one_player_cross(
    figures: tuple[int, ...], cells: list[str]
) -> None:  # B25, B26, C7
    border = "; ".join(f"{number} targi of blue" for number in figures)
    state = at(f"starter: blue\nborder: {border}\ndo markers, then actions")
    assert markers(state, "blue") == cells
    assert markers(state, "white") == []


def test_markers_are_placed_by_themselves_and_using_them_is_free() -> None:  # A15, B31
    state = at(
        "starter: blue\nborder: 1 targi of blue; 2 targi of blue; 5 targi of blue\ndo markers, then"
        " actions"
    )
    assert offered(state)[-1] == "done"
    assert {"use_centre a1", "use_centre b1"} <= set(offered(state))


def test_the_markers_of_two_players_do_not_meet() -> None:  # B27
    for cell, mine, theirs in (("a1", (1, 5), (11, 15)), ("c3", (9, 7), (3, 13))):
        for number in theirs:
            facing = {1: 11, 11: 1, 5: 15, 15: 5, 9: 3, 3: 9, 7: 13, 13: 7}[number]
            assert facing in mine, cell
            state = at(f"border {facing}: targi of blue\ndo place_targi by white")
            assert barred(state, f"place_targi {number}") == {"faces_opponent"}


def test_the_card_that_allows_facing_can_bring_both_markers_onto_one_card() -> None:  # A1, B27
    state = at(
        "starter: blue\ndisplay a1 of white: camp_8\n"
        "border: 1 targi of blue; 5 targi of blue; 10 targi of blue\n"
        "border: 11 targi of white; 15 targi of white; 7 targi of white\n"
        "do markers, then actions"
    )
    assert "centre a1" in markers(state, "blue") and "centre a1" in markers(state, "white")


def test_at_the_end_of_the_round_cards_are_turned_up_and_the_token_passes() -> None:  # B37, C5
    state = at("starter: blue\ncentre b2: well_1 face down\ndo uncovering")
    assert state.face_up("well_1") and on(state, "centre b2") == "well_1"
    assert state.seat == "white"
