"""The course of whole rounds, and where nobody may stand online: B17, B20, B28, B77."""

from __future__ import annotations

from targi_dsl.api.state import State
from tests.targi_base.tables import after, at, barred, game, offered


def markers(state: State, player: str) -> list[str]:
    """The places of a player's markers."""
    return sorted(place for n in (1, 2) if (place := state.place_of(f"marker {n} of {player}")))


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


def test_online_nobody_may_face_his_own_figure() -> None:  # C1
    state = at("border 2: targi of blue\ndo place_targi by blue", name="base_online")
    assert barred(state, "place_targi 10") == {"faces_own"}
