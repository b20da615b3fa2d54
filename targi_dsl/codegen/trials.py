"""Paired trials: several options of one question, each played out with the same luck."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from targi_dsl.text.structs import Frozen

DECISION = 8
"""What a decision counts beside its options and the elements that were looked at."""


class Horizon(Frozen):
    """How far a trial goes. After an option everybody plays at random, but prefers to do something,
    until a number of rounds have begun, and at most `farthest` decisions.

    rounds: that number; or 0, and the first option that can be tried finds it: one round, or twice
    as many until it has made `ahead` decisions with the first, or else `further`. declines: the
    seat itself does nothing, where it can, until somebody else is asked.
    """

    rounds: int
    ahead: int
    further: int
    farthest: int
    declines: bool = False


class Worth(Frozen):
    """What a position is worth beside the score, in tenths of a point, while a game goes on.

    Each of the first `few` units of a resource counts `each`, any more of it `more`. cards: by
    place, its owner and what a card there counts.
    """

    few: int
    each: int
    more: int
    cards: tuple[tuple[int, int], ...]


class Tried(Frozen):
    """The result of trials. values: of each option, how far the seat was ahead of the best other
    seat at the end, in tenths of a point; None if the rules could not go on. rounds: those that
    began. effort: all decisions, their options, and the elements that were looked at; it is the
    same on every machine.
    """

    values: tuple[int | None, ...]
    rounds: int
    effort: int


class Beginning(Protocol):
    """A position at which trials begin."""

    def run(self, options: Sequence[int], seat: int, seed: int, horizon: Horizon) -> Tried:
        """Tries each of these options of the open question, all with this seed."""
