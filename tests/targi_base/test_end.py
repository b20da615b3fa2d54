"""When the game ends: B20, B63, B64."""

from __future__ import annotations

from targi_dsl.api import result
from targi_dsl.api.state import State
from tests.targi_base.tables import FULL, after, at, has, offered, on

ENDING = (
    "round_number: 6\nblue: 1 salt, 1 gold\nwhite: 1 salt, 1 gold\ndisplay of {first}: "
    + FULL
    + "\ncentre b1: camel_7, marker of {first}\nborder: 6 robber; 2 targi of {second}; 15 targi of"
    " {second}\nstarter: {starter}\ndo actions, then uncovering, then check_end"
)


def twelfth(state: State) -> State:
    """The marker on the tribe card used, and the card displayed."""
    return after(state, "use_centre b1", "display")


def test_after_the_twelfth_card_of_the_starting_player_the_other_still_has_his_turn() -> (
    None
):  # B63, C24
    state = twelfth(at(ENDING.format(first="blue", second="white", starter="blue")))
    assert on(state, "display d3 of blue") == "camel_7" and state.seat == "white"
    state = after(state, "use_border 2", "use_border 15")
    assert state.seat is None and result(state).ended_by == "finish"
    assert has(state, "white") == "1 dates, 2 salt, 1 gold"


def test_after_the_twelfth_card_of_the_other_player_the_round_is_finished() -> None:  # B63, C24
    state = at(ENDING.format(first="white", second="blue", starter="blue"))
    state = twelfth(after(state, "use_border 2", "use_border 15"))
    assert state.seat is None and state.value("round_number") == 6


def test_who_displays_the_twelfth_card_finishes_his_own_actions() -> None:  # B63, C24
    text = ENDING.format(first="white", second="blue", starter="white").replace(
        "border: 6 robber;", "border: 6 robber; 3 targi of white;"
    )
    state = twelfth(at(text))
    assert state.seat == "white" and "use_border 3" in offered(state)


def test_online_the_game_ends_at_once_when_the_second_player_completes_the_display() -> None:  # C24
    text = ENDING.format(first="white", second="blue", starter="blue").replace(
        "border: 6 robber;", "border: 6 robber; 3 targi of white;"
    )
    state = at(text, name="base_online")
    state = after(state, "use_border 2", "use_border 15", "use_centre b1")
    assert state.seat is None and has(state, "white") == "nothing"
    plain = twelfth(after(at(text), "use_border 2", "use_border 15"))
    assert plain.seat is not None or has(plain, "white") != "nothing"


def test_online_the_starting_players_opponent_still_has_his_turn() -> None:  # C24
    state = at(ENDING.format(first="blue", second="white", starter="blue"), name="base_online")
    state = after(state, "use_centre b1")
    assert state.seat == "white"


def test_both_players_may_reach_twelve() -> None:  # A33
    others = (
        "a1 oasis_2; b1 oasis_6; c1 oasis_7; d1 oasis_8; a2 well_3; "
        "b2 targia_3; c2 camp_5; d2 camel_3; a3 well_5; b3 camel_8; c3 targia_8"
    )
    state = at(
        "starter: blue\nround_number: 6\nblue: 1 salt, 1 gold\nwhite: 1 dates, 1 gold\ndisplay of"
        f" blue: {FULL}\ndisplay of white: {others}\nborder 6: robber\ncentre: b1 camel_7, marker"
        " of blue; a2 targia_9, marker of white\ndo actions, then uncovering, then check_end"
    )
    state = twelfth(state)
    state = after(state, "use_centre a2", "display")
    assert state.seat is None
    assert (
        on(state, "display d3 of blue") == "camel_7"
        and on(state, "display d3 of white") == "targia_9"
    )


def test_there_is_no_raid_after_the_twelfth_card() -> None:  # A34
    text = ENDING.format(first="blue", second="white", starter="blue").replace(
        "6 robber", "7 robber"
    )
    state = after(twelfth(at(text)), "done")
    assert state.seat is None and state.place_of("robber") == "border 7"


def test_with_eleven_cards_the_game_goes_on() -> None:  # B63
    state = at(
        f"starter: blue\nround_number: 6\nborder 5: robber\ndisplay of blue: {FULL}\ndo check_end"
    )
    assert state.seat == "blue" and offered(state)[0].startswith("place_targi")


def test_the_fourth_raid_ends_the_game_before_another_placement() -> None:  # B20, B64
    state = at(
        "starter: blue\nround_number: 12\nborder 15: robber\nblue: 3 points\nwhite: 1 gold\ndo"
        " round"
    )
    assert state.seat is None and state.value("round_number") == 12
    assert has(state, "blue") == "nothing" and has(state, "white") == "nothing"


def test_tribe_cards_do_not_run_out() -> None:  # B70
    from targi_dsl.api import start
    from targi_dsl.engine.chance import Seed
    from tests.targi_base.tables import game

    assert len(start(game(), Seed(5)).cards("tribe_pile")) == 41 > 26 + 11
