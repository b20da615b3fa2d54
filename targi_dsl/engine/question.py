"""Questions to players and to chance."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from targi_dsl.engine.alike import Distinct
from targi_dsl.engine.code import Code, Part
from targi_dsl.engine.happenings import Happenings
from targi_dsl.engine.options import EXCHANGE
from targi_dsl.engine.run import Frame, Run, Vector
from targi_dsl.ir.constants import NOTHING

WAITS = -2  # WAITS - n: question n waits


class Question(ABC):
    """What is asked at a point. options: in order. declines: the options that do nothing.
    distinct: the filter that removes interchangeable things.
    """

    title: str
    options: Callable[[Vector, Frame], list[int]]
    chance = False
    declines: frozenset[int] = frozenset()
    distinct: Distinct | None = None

    @abstractmethod
    def take(self, v: Vector, option: int, run: Run) -> int:
        """Takes an option; returns the address to continue at."""

    @abstractmethod
    def part(self, v: Vector, f: Frame, option: int) -> Part:
        """What an option says."""

    def weight(self, v: Vector, f: Frame, option: int) -> int:
        """The relative probability of an outcome."""
        return 1


class PlayerQuestion(Question):
    """A question to a player, who may make a free exchange before answering it."""

    def __init__(self, code: Code, happenings: Happenings, address: int) -> None:
        self.code, self.market, self.happenings = code, code.market, happenings
        self.address = address

    def exchange(self, v: Vector, option: int, run: Run) -> int:
        """Makes a free exchange and asks again."""
        calls = self.happenings.exchange(v, run, option - EXCHANGE)
        return self.code.frames.push(run, calls, self.address)

    def part(self, v: Vector, f: Frame, option: int) -> Part:
        if option < EXCHANGE:
            return self.named(v, f, option)
        return self.market.exchanges[option - EXCHANGE].id, None, NOTHING

    @abstractmethod
    def named(self, v: Vector, f: Frame, option: int) -> Part:
        """Like `part`, for an option of the question itself."""
