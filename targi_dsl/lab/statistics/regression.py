"""Regression of wins on uses, where the seats of a game depend on each other."""

from __future__ import annotations

import numpy as np
from scipy import stats

from targi_dsl.lab.statistics.samples import LEVEL
from targi_dsl.search.estimates import Interval


def slopes(uses: np.ndarray, wins: np.ndarray, *, together: bool) -> list[Interval]:
    """By thing, a seat's additional share of the win for each use more than the others, by least
    squares: for one thing at a time, or for all together. Standard errors are clustered by game, by
    the jackknife (CR3). Too few games tell nothing.

    uses: games by seats by things; wins: games by seats; both centred in each game.
    """
    values, by_game, rank = (_together if together else _each)(uses.astype(float), wins)
    seen = (uses != 0).any(axis=1).sum(axis=0)
    degrees = np.minimum(len(uses) - rank, seen - 1)
    if len(uses) < 2 * rank:
        degrees[:] = 0
    errors = np.sqrt((by_game * by_game).sum(axis=0))
    quantiles = stats.t.ppf((1 + LEVEL) / 2, np.maximum(1, degrees))
    halves = np.where(degrees > 0, quantiles * errors, np.inf)
    return [*map(Interval.around, values.tolist(), halves.tolist())]


def _together(uses: np.ndarray, wins: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The slopes of all things together, each game's influence on them, and the rank."""
    flat = uses.reshape(-1, uses.shape[2])
    inverse = np.linalg.pinv(flat.T @ flat, hermitian=True)
    values = inverse @ flat.T @ wins.reshape(-1)
    own = np.eye(wins.shape[1]) - uses @ inverse @ uses.transpose(0, 2, 1)
    left = np.einsum("gsr,gr->gs", np.linalg.pinv(own, 1e-9, hermitian=True), wins - uses @ values)
    rank = np.linalg.matrix_rank(flat.T @ flat, hermitian=True)
    return values, np.einsum("gst,gs->gt", uses, left) @ inverse, rank


def _each(uses: np.ndarray, wins: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """The slopes of one thing at a time, each game's influence on them, and the rank."""
    squares = (uses * uses).sum(axis=1)
    total = squares.sum(axis=0)
    total[total == 0] = np.inf
    shared = np.einsum("gst,gs->gt", uses, wins)
    values = shared.sum(axis=0) / total
    rest = total - squares
    rest[rest <= 0] = np.inf
    return values, (shared - squares * values) / rest, 1
