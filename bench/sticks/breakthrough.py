"""Breakthrough in plain Python, with two players that choose uniformly: a measuring stick.

As in the rule file a move is two decisions, which man and where to; a decision has at least two
answers.
"""

from __future__ import annotations

from random import Random

SIZE = 8


def landings(board: list[list[int]], row: int, column: int, player: int) -> list[tuple[int, int]]:
    """Where a man can go: forward to an empty square, slantwise to any but one's own."""
    ahead, found = row + (1 if player == 0 else -1), []
    for c in (column - 1, column, column + 1):
        if 0 <= c < SIZE:
            there = board[ahead][c]
            if there < 0 or (c != column and there != player):
                found.append((ahead, c))
    return found


def play_one(seed: int) -> dict[str, int]:
    """A whole game: its winner and how many decisions it had."""
    random, player, decisions = Random(seed), 0, 0
    board = [[-1] * SIZE for _ in range(SIZE)]
    for column in range(SIZE):
        board[0][column] = board[1][column] = 0
        board[6][column] = board[7][column] = 1
    men = [2 * SIZE, 2 * SIZE]
    while True:
        moves = [
            (row, column, to)
            for row in range(SIZE)
            for column in range(SIZE)
            if board[row][column] == player and (to := landings(board, row, column, player))
        ]
        row, column, to = random.choice(moves)
        r, c = random.choice(to)
        decisions += (len(moves) > 1) + (len(to) > 1)
        if board[r][c] >= 0:
            men[1 - player] -= 1
        board[row][column], board[r][c] = -1, player
        if r in (0, SIZE - 1) or not men[1 - player]:
            return {"winner": player, "decisions": decisions}
        player = 1 - player
