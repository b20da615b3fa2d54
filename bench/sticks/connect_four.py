"""Connect Four in plain Python, with two players that choose uniformly: a measuring stick."""

from __future__ import annotations

from random import Random

ROWS, COLUMNS, FOUR = 6, 7, 4
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def in_line(board: list[list[int]], row: int, column: int) -> bool:
    """Whether the disc that was dropped here makes four in a line."""
    player = board[row][column]
    for down, right in DIRECTIONS:
        length = 1
        for sign in (1, -1):
            r, c = row + sign * down, column + sign * right
            while 0 <= r < ROWS and 0 <= c < COLUMNS and board[r][c] == player:
                length += 1
                r, c = r + sign * down, c + sign * right
        if length >= FOUR:
            return True
    return False


def play_one(seed: int) -> dict[str, int]:
    """A whole game: its winner, or -1, and how many decisions it had."""
    random, player, decisions = Random(seed), 0, 0
    board = [[-1] * COLUMNS for _ in range(ROWS)]
    heights = [0] * COLUMNS
    while free := [c for c in range(COLUMNS) if heights[c] < ROWS]:
        column = random.choice(free)
        decisions += len(free) > 1
        row = heights[column]
        board[row][column] = player
        heights[column] += 1
        if in_line(board, row, column):
            return {"winner": player, "decisions": decisions}
        player = 1 - player
    return {"winner": -1, "decisions": decisions}
