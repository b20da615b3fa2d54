"""Cards that are placed unseen on spaces of a board: drawn in their cells as backs for whoever does
not know them, and as faces for whoever does.
"""

from __future__ import annotations

from functools import cache

import pytest

from targi_dsl import PUBLIC, Seed, State, choices, observe, sample, start, step
from targi_dsl.display.ink import render_line
from targi_dsl.display.picture import picture
from targi_dsl.display.scene import scene_of
from targi_dsl.display.screen import screen
from targi_dsl.engine.chance import Stream
from targi_dsl.view.views import view
from targi_dsl.view.words import Words
from tests.games import compiled

NAME = "capture_the_flag"


@cache
def lined_up() -> State:
    """Both have put the flag at the left, and the others beside it."""
    state = start(compiled(NAME), Seed(1))
    while state.cards("camp of blue"):
        state = step(state, choices(state)[0])
    return state


def cells(seats: tuple[str, ...], row: str) -> list[str]:
    """The cells of a row at the terminal, as some seats see them."""
    lines = screen(scene_of(lined_up(), Words(compiled(NAME)), seats))
    said = (render_line(one, colour=False, plain=False) for one in lines)
    (found,) = (one for one in said if one.startswith(f"│a{row}"))
    return [one.strip() for one in found.strip("│").split("│")]


def test_at_the_terminal_a_cell_has_the_name_or_the_back() -> None:
    assert cells(("red",), "4")[0] == "a4 red flag (down)"
    assert cells(("red",), "1") == [f"{column}1 ?blue soldier" for column in "abcd"]
    assert cells(("blue",), "4") == [f"{column}4 ?red soldier" for column in "abcd"]
    assert cells(("blue",), "1")[0] == "a1 BF (down)"
    assert cells(("red", "blue"), "1") == cells(("red",), "1")


@pytest.mark.parametrize(
    ("seat", "flags", "backs"), [("red", 1, 4), ("blue", 1, 4), (PUBLIC, 0, 8)]
)
def test_in_a_picture_a_cell_has_the_face_or_the_back(seat: str, flags: int, backs: int) -> None:
    drawn = picture(observe(lined_up(), seat))
    assert (drawn.count(">flag</text>"), drawn.count(">◆</text>")) == (flags, backs)


@pytest.mark.parametrize("seat", ["red", "blue", PUBLIC])
def test_a_view_names_the_cards_that_the_viewer_knows(seat: str) -> None:
    seen = view(observe(lined_up(), seat), Words(compiled(NAME))).places
    for row, owner in ((4, "red"), (1, "blue")):
        (cards,) = zip(*(seen[f"field {column}{row}"].cards for column in "abcd"), strict=True)
        assert all(card.down and card.back == f"{owner}_soldier" for card in cards)
        assert {bool(card.id) for card in cards} == {seat == owner}


def test_no_flag_is_sampled_where_the_rules_forbid_it() -> None:
    state, stream = lined_up(), Stream(3)
    away = 0
    while state.seat is not None:
        for seat in ("red", "blue", PUBLIC):
            seen = observe(state, seat)
            for _ in range(5):
                possible = sample(seen, stream)
                assert observe(possible, seat) == seen
                assert (possible.place_of("red_flag") or "a4")[-1] == "4"
                assert (possible.place_of("blue_flag") or "a1")[-1] == "1"
        away += sum(
            bool(state.cards(f"field {column}{row}")) for column in "abcd" for row in (2, 3)
        )
        offered = choices(state)
        state = step(state, offered[stream.below(len(offered))])
    assert away > 5
