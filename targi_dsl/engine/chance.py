"""Sources of chance: a seed, a list of outcomes, or a seat that is asked.

The generator is SplitMix64: its whole state is one number below 2**64, and every number is a good
seed:

    number = (number + 0x9E3779B97F4A7C15) mod 2**64
    z = number
    z = (z xor z >> 30) * 0xBF58476D1CE4E5B9 mod 2**64
    z = (z xor z >> 27) * 0x94D049BB133111EB mod 2**64
    the draw is the upper half, 32 bits, of z xor z >> 31

To get a number below n (at most 2**32), draws are repeated until one is below the greatest
multiple of n that is at most 2**32; the result is that draw modulo n. Nothing is drawn when n is
1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_GOLDEN = 0x9E3779B97F4A7C15
_MASK = 0xFFFFFFFFFFFFFFFF


@dataclass(frozen=True, slots=True)
class Seed:
    """Chance drawn from a number. After each draw, the seed is the generator's next number."""

    number: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.number <= _MASK:
            raise ValueError(f"a seed is a number from 0 to {_MASK}, not {self.number}")


@dataclass(frozen=True, slots=True)
class Listed:
    """Chance read from a list of outcome ids, of which `used` have been read; for tests and
    replays.
    """

    outcomes: Sequence[str]
    used: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "outcomes", tuple(self.outcomes)
        )  # of a list, for one; a position must have a hash


@dataclass(frozen=True, slots=True)
class Asked:
    """Chance as a seat of its own that is asked for every outcome."""


Chance = Seed | Listed | Asked


class Stream:
    """A generator of numbers; `number` is its whole state."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number & _MASK

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, uniformly distributed."""
        if n == 1:
            return 0
        limit = 0x100000000 - 0x100000000 % n
        number = self.number
        while True:
            number = (number + _GOLDEN) & _MASK
            z = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
            draw = (z ^ (z >> 31)) >> 32
            if draw < limit:
                self.number = number
                return draw % n
