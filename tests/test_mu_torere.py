"""Mū tōrere: nobody wins with best play; the rest is in its rule tests."""

from __future__ import annotations

from targi_dsl.api import choices, play, result, start
from targi_dsl.api.state import State
from targi_dsl.engine.chance import Seed
from tests.games import compiled

Position = tuple[str | None, tuple[str, ...], tuple[tuple[str, ...], ...]]


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
