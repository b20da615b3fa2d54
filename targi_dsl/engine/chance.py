"""Sources of chance: a seed, a list of outcomes, or a seat that is asked; see docs/program.md,
*Chance*.

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

import struct
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import chain

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
        force_setattr(self, "outcomes", tuple(self.outcomes))  # a position must have a hash


class Asked(Frozen):
    """Chance as a separate seat that is asked for every outcome."""


Chance = Seed | Listed | Asked


def whole_number(number: int, steps: int) -> int:
    """All 64 bits of what the generator gives so many steps after this state."""
    z = (number + steps * _GOLDEN) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


class Stream:
    """A generator of numbers; `number` is its whole state."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number & _MASK

    def skip(self, draws: int) -> None:
        """Advances the state as if that many draws had been made."""
        self.number = (self.number + draws * _GOLDEN) & _MASK

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, uniformly distributed."""
        if n == 1:
            return 0
        limit = DRAWS - DRAWS % n
        number = self.number
        while True:
            number = (number + _GOLDEN) & _MASK
            z = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
            draw = (z ^ (z >> 31)) >> 32
            if draw < limit:
                self.number = number
                return draw % n

    def falling(self, n: int) -> list[int]:
        """A number below n, one below n - 1, and so on to 0: what a shuffle of n cards draws."""
        if n >= _MANY:
            drawn = _block(n).after(self.number)
            if max(drawn) < DRAWS - n:
                self.skip(n - 1)
                return [
                    number % below for number, below in zip(drawn, range(n, 0, -1), strict=True)
                ]
        return [self.below(below) for below in range(n, 0, -1)]


# ---- many draws at once ----

_MANY = 7  # from here on a block is faster than single draws
_SHORT, _LONG = 16, 128  # draws of the first block and of each later one
_LANE = 128  # bits, so that a product stays in its own lane


class _Block:
    """Makes many draws at once, each in its own lane of one large integer."""

    def __init__(self, size: int) -> None:
        lanes = range(size)
        self.ones = sum(1 << _LANE * lane for lane in lanes)
        self.mask = _MASK * self.ones
        self.steps = sum(((lane + 1) * _GOLDEN & _MASK) << _LANE * lane for lane in lanes)
        self.past = size * _GOLDEN
        self.bytes = size * _LANE // 8
        self.unpack = struct.Struct("<" + "4xI8x" * size).unpack

    def after(self, number: int) -> tuple[int, ...]:
        """The draws that follow when the state of the generator is this number."""
        z = (number * self.ones + self.steps) & self.mask
        z = ((z ^ (z >> 30 & self.mask)) * 0xBF58476D1CE4E5B9) & self.mask
        z = ((z ^ (z >> 27 & self.mask)) * 0x94D049BB133111EB) & self.mask
        return self.unpack((z ^ (z >> 31 & self.mask)).to_bytes(self.bytes, "little"))


@cache
def _block(size: int) -> _Block:
    return _Block(size)


_FIRST, _REST = _block(_SHORT), _block(_LONG)


def draws(number: int) -> Callable[[], int]:
    """A function that gives one draw after another, of 32 bits each, like a `Stream` that begins
    with this number.
    """
    return chain.from_iterable(_blocks(number & _MASK)).__next__


def picks(number: int) -> Callable[[int], int]:
    """Like `Stream.below` of a generator in this state."""
    draw = draws(number)

    def below(n: int) -> int:
        drawn = draw()
        while drawn >= DRAWS - DRAWS % n:
            drawn = draw()
        return drawn % n

    return below


def _blocks(number: int) -> Iterator[tuple[int, ...]]:
    yield _FIRST.after(number)
    number += _FIRST.past
    while True:
        number &= _MASK
        yield _REST.after(number)
        number += _REST.past
