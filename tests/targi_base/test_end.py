"""When the game ends online: C24; and that tribe cards do not run out: B70."""

from __future__ import annotations

from targi_dsl.api.state import State
from tests.targi_base.tables import FULL, after, at, has

ENDING = (
    "round_number: 6\nblue: 1 salt, 1 gold\nwhite: 1 salt, 1 gold\ndisplay of {first}: "
    + FULL
    + "\ncentre b1: camel_7, marker of {first}\nborder: 6 robber; 2 targi of {second}; 15 targi of"
    " {second}\nstarter: {starter}\ndo actions, then uncovering, then check_end"
)


def twelfth(state: State) -> State:
    """The marker on the tribe card used, and the card displayed."""
    return after(state, "use_centre b1", "display")


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


def test_tribe_cards_do_not_run_out() -> None:  # B70
    from targi_dsl.api import start
    from targi_dsl.engine.chance import Seed
    from tests.targi_base.tables import game

    assert len(start(game(), Seed(5)).cards("tribe_pile")) == 41 > 26 + 11
