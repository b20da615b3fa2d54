"""Positions as text: what is written can be read back, and invalid text is refused with its
location.
"""

from __future__ import annotations

import pytest

from targi_dsl.api import choices, play, start
from targi_dsl.api.state import State
from targi_dsl.compiler.load import load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Asked, Chance, Seed
from targi_dsl.ir.game import Game
from targi_dsl.records.notation import read, write
from tests import small_game
from tests.games import VARIED, compiled
from tests.invariants import random_game

EXAMPLE = """\
position of pond
day: 3
visits of anna: 2
anna: 2 grey, 1 twigs
shore: 1 frog of anna; 4 frog of bert, heron
garden of anna: a1 raft, bridge; b2 den
plan_pile: den.2, raft.3, raft.2, bridge.3, bridge.2 face up
hand of anna: den.3 (known to bert)
"""


@pytest.fixture(scope="module")
def pond() -> Game:
    return load("pond", of_texts(small_game.FILES))


@pytest.mark.parametrize("name", VARIED)
def test_what_is_written_is_read_back(name: str) -> None:
    game = compiled(name)

    def held(state: State, _: object) -> None:
        again = read(game, write(state), state.chance)
        assert again == state and again.seat == state.seat and choices(again) == choices(state)

    for seed in range(3):
        played = random_game(game, seed, busy=seed == 1, look=held, every=5)
        held(played.end, None)


@pytest.mark.parametrize("chance", [Seed(7), Asked()])
def test_questions_of_chance_are_read_back_too(chance: Chance) -> None:
    game = compiled("kuhn_poker")
    state = start(game, chance)
    while state.seat is not None:
        assert read(game, write(state), state.chance) == state
        state, _ = play(state, choices(state)[0])


def test_a_position_says_where_everything_is(pond: Game) -> None:
    state = read(pond, EXAMPLE + "do hop by bert")
    assert state.seat == "bert" and state.value("day") == 3 and state.value("visits", 0) == 2
    assert state.amount("anna", "grey") == 2 and state.amount("bert", "grey") == 0
    assert state.place_of("frog 1 of bert") == "shore 4" and state.place_of("heron") == "shore 4"
    assert state.cards("garden a1 of anna") == ("raft", "bridge")
    assert state.cards("plan_pile")[0] == "den.2"
    assert state.knows("bert", "den.3") and state.knows("anna", "den.3")


def test_what_is_written_of_it_is_what_was_said(pond: Game) -> None:
    state = read(pond, EXAMPLE + "do hop by bert")
    lines = write(state).splitlines()
    assert lines[: len(EXAMPLE.splitlines())] == EXAMPLE.splitlines()
    assert lines[-1] == "in hop at ask: bert"


def test_rest_stands_for_all_other_cards(pond: Game) -> None:
    state = read(pond, "plan_pile: den.3, rest\nhand of bert: raft\ndo hop by bert")
    assert state.cards("plan_pile") == (
        "den.3",
        "bridge",
        "bridge.2",
        "bridge.3",
        "raft.2",
        "raft.3",
        "den",
        "den.2",
    )
    state = read(pond, "plan_pile: den.3\nplan_waste: rest of plan_pile\ndo hop by bert")
    assert len(state.cards("plan_waste")) == 8
    state = read(pond, "plan_pile: den.3\nnowhere: rest of plan_pile\ndo hop by bert")
    assert state.place_of("raft") is None and read(pond, write(state)) == state


def test_after_setup_begins_where_the_setup_leads_and_lines_stand_over_it(pond: Game) -> None:
    state = read(pond, "after setup\nanna: 1 twigs\nhand of anna: den\ndo hop by bert", Seed(5))
    assert state.amount("anna", "grey") == 0 and state.amount("bert", "grey") == 2
    assert state.cards("hand of anna") == ("den",) and len(state.cards("plan_pile")) == 8
    assert state.chance != Seed(5)


def test_what_a_line_leaves_no_room_for_goes_home_under_the_pile() -> None:
    base = compiled("base")
    state = read(
        base, "after setup\ncentre b2: nothing\ncentre b1: well_1 face down\ndo place_targi by blue"
    )
    assert state.cards("centre b2") == () and not state.face_up("well_1")
    kinds = {card.id: card.kind for card in base.cards}
    assert kinds[state.cards("goods_pile")[-1]] == 1 and len(state.cards("goods_pile")) == 15


def test_rules_are_done_one_after_the_other_then_comes_a_round(pond: Game) -> None:
    state = read(pond, "day: 2\nshore 1: heron\ndo hop by bert, then draw_plan by anna")
    state, _ = play(state, choices(state)[0])
    while state.value("day") == 2:
        state, _ = play(state, choices(state)[0])
    assert state.seat == "anna" and len(state.cards("hand of anna")) >= 1


def test_prices_cards_and_places_can_be_told_to_a_rule() -> None:
    base = compiled("base")
    for price in ("{2 goods or 1 points}", "cost of camel_8"):
        state = read(base, f"blue: 2 dates, 1 salt, 1 points\ndo pay_toll by blue with {price}, 1")
        assert state.amount("blue", "dates") == 0 or len(choices(state)) == 2
    state = read(base, "blue: nothing\nstarter: blue\ndo display by blue with camel_8, nothing")
    assert {one.id for one in choices(state)} == {"cell a1", "cell a2", "cell a3"}


def test_the_end_can_be_drawn(pond: Game) -> None:
    state = read(pond, "anna: 3 fame\nended by round")
    assert state.seat is None and read(pond, write(state)) == state
