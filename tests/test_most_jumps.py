"""The most jumps, by a rule that calls itself (docs/recipes.md)."""

from __future__ import annotations

import pytest

from targi_dsl.api import choices, play, start
from targi_dsl.compiler.load import load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Asked, Seed, Stream
from targi_dsl.ir.game import Game
from targi_dsl.records.notation import read
from tests.texts import game_text

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
