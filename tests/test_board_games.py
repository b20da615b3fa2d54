"""Clobber, Amazons and Checkers as shipped: how pieces move, and how a game ends."""

from __future__ import annotations

import pytest

from targi_dsl.api import result, start
from targi_dsl.engine.chance import Seed
from tests.games import compiled
from tests.playing import Playing, drawn


def men(name: str, **pieces: str) -> Playing:
    """White to move; pieces: where those of a kind stand, as `white_man="a1 b2"`."""
    stand = [
        f"{square} {kind} of {who}"
        for who_kind, squares in pieces.items()
        for who, kind in [who_kind.split("_")]
        for square in squares.split()
    ]
    return drawn(name, f"board: {'; '.join(stand)}")


# ---- clobber ----


def test_a_stone_goes_only_onto_a_stone_of_the_other_colour_beside_it() -> None:
    game = men("clobber", white_stone="b2 f5 b3", black_stone="b1 c2 a4")
    assert game.ids == ("to_square b1", "to_square c2")


def test_whoever_has_no_stone_to_take_loses() -> None:
    game = men("clobber", white_stone="a1", black_stone="b1 f5 d1")
    assert result(game.state).winner == "white"


# ---- amazons ----


def test_an_amazon_goes_as_a_queen_and_shoots_through_the_square_it_left() -> None:
    game = drawn("amazons", "board: a1 amazon of white; b1 arrow; c3 arrow; j10 amazon of black")
    assert game.ids == ("to_square a2", "to_square b2", *(f"to_square a{n}" for n in range(3, 11)))
    game.choose("to_square a2")
    assert "target a1" in game.ids and "target b1" not in game.ids


def test_whoever_has_no_amazon_that_can_go_anywhere_loses() -> None:
    arrows = "; ".join(f"{square} arrow" for square in ("a2", "b2"))
    game = drawn("amazons", f"board: c1 amazon of white; a1 amazon of black; {arrows}")
    game.choose("to_square d1", "target b1")
    assert result(game.state).winner == "white"


# ---- checkers ----


def test_twelve_men_stand_on_the_dark_squares_of_three_rows() -> None:
    state = start(compiled("checkers"), Seed(0))
    places = [
        state.place_of(f"man {n} of {who}") for who in ("white", "black") for n in range(1, 13)
    ]
    dark = [
        f"board {column}{row}"
        for row in (6, 7, 8, 1, 2, 3)
        for column in ("bdfh" if row % 2 else "aceg")
    ]
    assert places == dark


def test_a_man_goes_forward_and_a_king_backward_too() -> None:
    game = men("checkers", white_man="d4", black_man="h2")
    assert game.ids == ("to_square c3", "to_square e3")
    game = men("checkers", white_king="d4", black_man="h2")
    assert game.ids == tuple(f"to_square {one}" for one in ("c3", "e3", "c5", "e5"))


def test_whoever_can_jump_must_and_jumps_on_with_the_same_man() -> None:
    game = men("checkers", white_man="d6 h8", black_man="c5 e5 g3 b1")
    assert game.ids == ("to_square b4", "to_square f4")
    game.choose("to_square f4")
    assert game.state.place_of("man 1 of white") == "board h2"
    assert [game.state.place_of(f"man {n} of black") for n in (1, 2, 3)] == ["board c5", None, None]


def test_a_man_that_becomes_a_king_does_not_jump_on() -> None:
    game = men("checkers", white_man="b3", black_man="c2 e2 h8")
    assert game.state.seat == "black"


@pytest.mark.parametrize("idle", [38, 39])
def test_forty_moves_without_a_capture_are_a_draw(idle: int) -> None:
    game = drawn("checkers", f"idle_moves: {idle}", "board: b2 king of white; g7 king of black")
    game.choose("to_square a1")
    assert result(game.state).over == (idle == 39)
