"""Plays on from a position with random choices."""

from __future__ import annotations

from abc import ABC, abstractmethod

from targi_dsl.engine.chance import Stream
from targi_dsl.engine.run import Counting, Run, Waiting
from targi_dsl.ir.constants import NOTHING

ENDLESS = 2**62  # rounds that no game has


class Rollouts(ABC):
    """An engine as far as a rollout needs it."""

    @abstractmethod
    def turn(self, before: Waiting, option: int, run: Run) -> None:
        """Takes an option and plays on to the next question; `before` does not change."""

    def answer(self, before: Waiting, option: int, run: Run) -> Waiting:
        """The position at the next question after an option, for a run that is used again."""
        self.turn(before, option, run)
        return Waiting(run)

    @abstractmethod
    def declining(self, point: int) -> frozenset[int]:
        """The options of the question at a point that do nothing."""

    def rollout(
        self, left: Waiting, run: Counting, stream: Stream, busy: bool, limit: int, rounds: int
    ) -> Waiting:
        """Plays on for a number of decisions, to the end if `limit` is below 0, or until a number
        of rounds have begun; with `busy`, nobody declines who can do something.
        """
        while left.point != NOTHING and limit and run.rounds < rounds:
            options = run.options
            if busy:
                options = useful(options, self.declining(left.point))
            left = self.answer(left, options[stream.below(len(options))], run)
            limit -= 1
        return left


def useful(options: list[int], declining: frozenset[int]) -> list[int]:
    """The options that do something, if there are any."""
    if not declining:
        return options
    return [option for option in options if option not in declining] or options
