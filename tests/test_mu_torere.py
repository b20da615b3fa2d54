"""Mū tōrere: where a stone may go, how the game ends, and that nobody wins with best play."""

from __future__ import annotations

from targi_dsl.api import choices, play, result, start
from targi_dsl.api.state import State
from targi_dsl.engine.chance import Seed
from tests.games import compiled
from tests.playing import Playing, drawn

Position = tuple[str | None, tuple[str, ...], tuple[tuple[str, ...], ...]]


def standing(white: str, black: str, *lines: str) -> Playing:
    """White to move, with stones on these spots."""
    stones = [
        f"{spot} stone of {who}" for who, on in (("white", white), ("black", black)) for spot in on
    ]
    return drawn("mu_torere", f"star: {'; '.join(stones)}", *lines)


def test_the_centre_is_open_only_beside_a_stone_of_the_opponent() -> None:
    assert standing("1234", "5678").ids == ("from_spot 1", "from_spot 4")


def test_a_stone_moves_to_the_free_point_beside_it() -> None:
    game = standing("1346", "2579")  # only the stone on 1 can move, to 8
    assert game.state.value("moves") == 1
    assert game.ids == ("from_spot 2", "from_spot 9")


def test_from_the_centre_a_stone_moves_to_any_free_point() -> None:
    game = standing("1239", "4568")  # only the stone in the centre can move, to 7
    assert game.state.place_of("stone 4 of white") == "star 7"
    assert game.ids == ("from_spot 4", "from_spot 6", "from_spot 8")


def test_whoever_leaves_the_opponent_without_a_move_wins() -> None:
    game = standing("1589", "3467")
    game.choose("from_spot 1")
    assert result(game.state).outcomes == ("won", "playing")


def test_nobody_wins_after_100_moves() -> None:
    for moves, is_over in ((96, False), (97, True)):
        game = standing("1234", "5678", f"moves: {moves}")
        game.choose("from_spot 1")
        assert (game.state.seat is None) == is_over
        assert result(game.state).outcomes == ("playing", "playing")


def position(state: State) -> Position:
    """Who is asked, what is offered, and where the stones of both stand."""
    stones = tuple(
        tuple(sorted(str(state.place_of(f"stone {n} of {who}")) for n in range(1, 5)))
        for who in state.game.players
    )
    return state.seat, tuple(one.id for one in choices(state)), stones


def test_nobody_wins_with_best_play() -> None:
    """M. Ascher, 1987. A position is won if some choice wins it, and lost if every choice loses it;
    what is neither is drawn.
    """
    first = start(compiled("mu_torere"), Seed(0))
    after, winner, open_ = dict[Position, list[Position]](), dict[Position, str](), [first]
    while open_:
        state = open_.pop()
        key = position(state)
        if key in after or key in winner:
            continue
        outcomes = result(state).outcomes
        if "won" in outcomes:
            winner[key] = state.game.players[outcomes.index("won")]
            continue
        reached = [play(state, one)[0] for one in choices(state)]
        after[key] = [position(one) for one in reached]
        open_ += reached
    assert {"white", "black"} <= set(winner.values())
    while found := {
        key: won for key in after.keys() - winner if (won := of_all(key, after, winner))
    }:
        winner |= found
    assert position(first) not in winner


def of_all(
    key: Position, after: dict[Position, list[Position]], winner: dict[Position, str]
) -> str | None:
    """Who wins a position, as far as is known from those that follow."""
    wins = {winner.get(one) for one in after[key]}
    if key[0] in wins:
        return key[0]
    return wins.pop() if len(wins) == 1 else None
