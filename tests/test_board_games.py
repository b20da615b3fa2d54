"""Games on boards as shipped: how pieces move, and how a game ends."""

from __future__ import annotations

import pytest

from targi_dsl.api import choices, play, result, start
from targi_dsl.compiler.load import load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Asked, Seed, Stream
from targi_dsl.ir.game import Game
from targi_dsl.records.notation import read
from tests.games import compiled
from tests.playing import Playing, drawn
from tests.texts import game_text


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
    game = men("checkers", white_man="d5", black_man="h3")
    assert game.ids == ("to_square c4", "to_square e4")
    game = men("checkers", white_king="d5", black_man="h3")
    assert game.ids == tuple(f"to_square {one}" for one in ("c4", "e4", "c6", "e6"))


def test_whoever_can_jump_must_and_jumps_on_with_the_same_man() -> None:
    game = men("checkers", white_man="c6 g8", black_man="b5 d5 f3 b1")
    assert game.ids == ("to_square a4", "to_square e4")
    game.choose("to_square e4")
    assert game.state.place_of("man 1 of white") == "board g2"
    assert [game.state.place_of(f"man {n} of black") for n in (1, 2, 3)] == ["board b5", None, None]


def test_a_man_that_becomes_a_king_does_not_jump_on() -> None:
    game = men("checkers", white_man="b3", black_man="c2 e2 h8")
    assert game.state.seat == "black"


@pytest.mark.parametrize("idle", [38, 39])
def test_forty_moves_without_a_capture_are_a_draw(idle: int) -> None:
    game = drawn("checkers", f"idle_moves: {idle}", "board: b3 king of white; g8 king of black")
    game.choose("to_square a2")
    assert result(game.state).over == (idle == 39)


# ---- dots and boxes ----


def test_whoever_closes_a_box_owns_it_and_draws_again() -> None:
    lines = "dot_line: ha1 pen_stroke; va1 pen_stroke; vb1 pen_stroke; ha3 pen_stroke; va2 pen_stroke; vb2 pen_stroke"
    game = drawn("dots_and_boxes", lines)
    game.choose("draw_line hd5")
    assert game.state.seat == "ben"
    game.choose("draw_line ha2")
    assert game.state.seat == "ben"
    assert [game.state.place_of(f"mark {n} of ben") for n in (1, 2)] == ["box a1", "box a2"]


# ---- ultimate tic-tac-toe ----


def test_the_square_says_on_which_board_the_other_plays() -> None:
    game = drawn("ultimate_tic_tac_toe", "next_field: field b2")
    game.choose("round f4")
    assert game.ids == tuple(f"round {column}{row}" for row in (1, 2, 3) for column in "ghi")


def test_a_finished_board_is_not_played_on_and_any_other_may_be() -> None:
    marks = "board: d4 mark of cross; e4 mark of cross; a1 mark of nought"
    game = drawn("ultimate_tic_tac_toe", "next_field: field b2", marks, "field: c1 crown of nought")
    game.choose("round f4")
    assert game.state.place_of("crown 1 of cross") == "field b2"
    assert game.ids == tuple(
        f"choose_field {one}" for one in ("a1", "b1", "a2", "c2", "a3", "b3", "c3")
    )


def test_three_boards_in_a_line_win() -> None:
    marks = "board: a1 mark of cross; b1 mark of cross"
    game = drawn(
        "ultimate_tic_tac_toe",
        "next_field: field a1",
        marks,
        "field: b2 crown of cross; c3 crown of cross",
    )
    game.choose("round c1")
    assert result(game.state).winner == "cross"


# ---- quoridor ----

RIM = "; ".join(
    f"{edge} fence"
    for n, letter in zip(range(1, 6), "abcde", strict=True)
    for edge in (f"h{letter}1", f"h{letter}6", f"va{n}", f"vf{n}")
)


def walls(*edges: str, white: str = "c5", black: str = "c1", post: str = "") -> Playing:
    """White to move on the small board."""
    fences = "; ".join([RIM, *(f"{edge} fence" for edge in edges)])
    pawns = f"board: {white} pawn of white; {black} pawn of black"
    return drawn("quoridor_5", pawns, f"groove: {fences}", *[f"post: {post}"] * bool(post))


def steps(game: Playing) -> set[str]:
    """The squares that the pawn may go to."""
    return {one.split()[-1] for one in game.ids if one.startswith("move")}


def test_a_pawn_goes_one_square_and_not_through_a_wall() -> None:
    assert steps(walls("hc5", "hd5")) == {"b5", "d5"}


def test_a_pawn_jumps_over_the_other_or_passes_it_slantwise_before_a_wall() -> None:
    assert steps(walls(white="c3", black="c2")) == {"c1", "b3", "d3", "c4"}
    assert steps(walls("hc2", white="c3", black="c2")) == {"b2", "d2", "b3", "d3", "c4"}


def test_no_wall_shuts_a_pawn_off_from_its_goal() -> None:
    game = walls("vd1", "vd2", "ha3", "hb3")
    game.choose("build_wall")
    assert "build_wall hc3" not in game.ids and "build_wall hd3" in game.ids


def test_walls_do_not_cross() -> None:
    game = walls("hb2", "hc2", post="c2 wall of white")
    game.choose("build_wall")
    assert "build_wall vc1" not in game.ids and "build_wall vc2" in game.ids


def test_whoever_reaches_the_opposite_side_wins() -> None:
    game = walls(white="a2", black="e2")
    game.choose("move_your_pawn_to_square a1")
    assert result(game.state).winner == "white"


# ---- the most jumps, by a rule that calls itself (docs/recipes.md) ----

Square = tuple[int, int]


def _most(men: dict[Square, tuple[str, str]], start: Square, at: Square, over: set[Square]) -> int:
    """The most jumps of the piece on `start` that can follow one another from `at`."""
    who, kind = men[start]
    found = [0]
    for right, down in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
        jumped, to = (at[0] + right, at[1] + down), (at[0] + 2 * right, at[1] + 2 * down)
        is_there = jumped in men and men[jumped][0] != who and jumped not in over
        is_free = to not in men or to == start
        is_ahead = kind == "king" or down == (-1 if who == "white" else 1)
        if is_there and is_free and is_ahead and 0 <= to[0] < 8 and 1 <= to[1] <= 8:
            found.append(1 + _most(men, start, to, over | {jumped}))
    return max(found)


@pytest.fixture(scope="module")
def taking_most() -> Game:
    return load("most_jumps", of_texts({"most_jumps.targi": game_text("most_jumps.targi")}))


def test_the_most_jumps_are_counted_from_every_man_and_landing(taking_most: Game) -> None:
    """The man on c6 takes two to either side, that on h7 only one; without the last, c6 to a4 one."""
    men = "c6 man of white; h7 man of white; d5 man of black; f3 man of black; b5 man of black"
    for more, landings in (("b3 man of black", ["a4", "e4"]), ("h1 man of black", None)):
        board = f"{men}; g6 man of black; {more}; rest nothing"
        text = f"position of most_jumps\nboard: {board}\ndo round\n"
        state = read(taking_most, text, Asked())
        offered = [choice.id for choice in choices(state)]
        if landings is not None:
            assert offered == [f"to_square {square}" for square in landings]
        else:
            assert state.seat == "black", "white had no choice"


@pytest.mark.parametrize("seed", range(4))
def test_whoever_jumps_must_begin_where_most_can_be_taken(taking_most: Game, seed: int) -> None:
    state, stream = start(taking_most, Seed(seed)), Stream(seed)
    while state.seat is not None:
        offered = [choice.id for choice in choices(state)]
        men = {
            ("abcdefgh".index(place[-2]), int(place[-1])): (who, kind)
            for who in state.game.players
            for kind in ("man", "king")
            for number in range(1, 13)
            if (place := state.place_of(f"{kind} {number} of {who}"))
        }
        own = [square for square, (who, _) in men.items() if who == state.seat]
        jumps = {square: _most(men, square, square, set()) for square in own}
        most = {
            f"from_square {'abcdefgh'[x]}{y}" for x, y in own if jumps[x, y] == max(jumps.values())
        }
        if max(jumps.values()) and offered[0].startswith("from_square"):
            assert set(offered) == most
        state = play(state, offered[stream.below(len(offered))])[0]
