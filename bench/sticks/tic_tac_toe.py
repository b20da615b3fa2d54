"""Tic-tac-toe in plain Python, with two players that choose uniformly: a measuring stick."""

from __future__ import annotations

from random import Random

LINES = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8),
    (0, 3, 6), (1, 4, 7), (2, 5, 8),
    (0, 4, 8), (2, 4, 6),
)  # fmt: skip


def has_line(board: list[int], player: int) -> bool:
    """Whether a player has three in a row."""
    return any(board[a] == board[b] == board[c] == player for a, b, c in LINES)


def play_one(seed: int) -> dict[str, int]:
    """A whole game: its winner, or -1, and how many decisions it had."""
    random, board, player, decisions = Random(seed), [-1] * 9, 0, 0
    while empty := [square for square in range(9) if board[square] < 0]:
        board[random.choice(empty)] = player
        decisions += len(empty) > 1
        if has_line(board, player):
            return {"winner": player, "decisions": decisions}
        player = 1 - player
    return {"winner": -1, "decisions": decisions}
