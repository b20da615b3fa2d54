"""Sources of chance: a seed, a list of outcomes, or a seat that is asked; see docs/program.md,
*Chance*, which defines the generator.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import force_setattr

from targi_dsl.text.structs import Frozen

_GOLDEN = 0x9E3779B97F4A7C15
_MASK = 0xFFFFFFFFFFFFFFFF
DRAWS = 1 << 32  # a draw is below this


class Seed(Frozen):
    """Chance drawn from a number. After each draw, the seed is the generator's next number."""

    number: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.number, int):
            raise TypeError(f"a seed is a whole number, not {self.number!r}")
        if not 0 <= self.number <= _MASK:
            raise ValueError(f"a seed is a number from 0 to {_MASK}, not {self.number}")


class Listed(Frozen):
    """Chance read from a list of outcome ids, of which `used` have been read; for tests and
    replays.
    """

    outcomes: Sequence[str]
    used: int = 0

    def __post_init__(self) -> None:
        force_setattr(self, "outcomes", tuple(self.outcomes))  # positions are hashable


class Asked(Frozen):
    """Chance as a separate seat that is asked for every outcome."""


Chance = Seed | Listed | Asked


def whole_number(number: int, steps: int) -> int:
    """The generator's full 64-bit output, so many steps after a state."""
    z = (number + steps * _GOLDEN) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


class Stream:
    """A random number generator; `number` is its whole state."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number & _MASK

    def word(self) -> int:
        """A number of 64 bits."""
        self.number = self.number + _GOLDEN & _MASK
        return whole_number(self.number, 0)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, uniformly distributed."""
        if n == 1:
            return 0
        while True:
            draw = whole_number(self.number, 1) >> 32
            self.number = self.number + _GOLDEN & _MASK
            if draw < DRAWS - DRAWS % n:
                return draw % n
