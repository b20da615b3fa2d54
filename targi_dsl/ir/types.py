"""The types of a game's values: what a number in a slot or an expression stands for.

`Type` is a closed union: code that tells types apart is one `match` that ends in `assert_never`, so
that mypy lists every place a new type has to be thought of. What the values of a type are in one
game, and what they are called, is the business of `ir.domains`.
"""

from __future__ import annotations

from dataclasses import dataclass

LOWEST, HIGHEST = -(2**31), 2**31 - 1


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number within bounds."""

    low: int = LOWEST
    high: int = HIGHEST

    @property
    def name(self) -> str:
        return "number"


@dataclass(frozen=True, slots=True)
class Truth:
    """No or yes, as 0 or 1."""

    @property
    def name(self) -> str:
        return "truth"


@dataclass(frozen=True, slots=True)
class Player:
    @property
    def name(self) -> str:
        return "player"


@dataclass(frozen=True, slots=True)
class Resource:
    @property
    def name(self) -> str:
        return "resource"


@dataclass(frozen=True, slots=True)
class Place:
    """A space of the board or a zone; of that region, or of any if it is empty."""

    region: str = ""
    is_zone: bool = False

    @property
    def name(self) -> str:
        return self.region or "place"


@dataclass(frozen=True, slots=True)
class Card:
    """A card of a kind, or of any if it is empty."""

    kind: str = ""

    @property
    def name(self) -> str:
        return self.kind or "card"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a kind, or of any if it is empty."""

    kind: str = ""

    @property
    def name(self) -> str:
        return self.kind or "piece"


@dataclass(frozen=True, slots=True)
class Value:
    """A member of a declared list of values."""

    of: str

    @property
    def name(self) -> str:
        return self.of


@dataclass(frozen=True, slots=True)
class Price:
    """A price of the game's list."""

    @property
    def name(self) -> str:
        return "price"


@dataclass(frozen=True, slots=True)
class Nothing:
    """The type of `nothing`, which fits every type that can be nothing."""

    @property
    def name(self) -> str:
        return "nothing"


@dataclass(frozen=True, slots=True)
class Unknown:
    """The compiler's poison: what could not be understood. That has been reported, so it fits
    everywhere; no program contains it.
    """

    @property
    def name(self) -> str:
        return "unknown"


Single = (
    Number | Truth | Player | Resource | Place | Card | Piece | Value | Price | Nothing | Unknown
)


@dataclass(frozen=True, slots=True)
class SetOf:
    """A set of values of one type."""

    of: Single

    @property
    def name(self) -> str:
        return self.of.name


Type = Single | SetOf


def set_of(type_: Type) -> Type:
    """The type of a set of such values. A set of poison is poison."""
    return type_ if isinstance(type_, SetOf | Unknown) else SetOf(type_)


def element(type_: Type) -> Single:
    """The type of one element of a set; a single type is its own."""
    return type_.of if isinstance(type_, SetOf) else type_


def has_nothing(type_: Single) -> bool:
    """Whether a value of this type may be nothing; a number and a truth may not."""
    return not isinstance(type_, Number | Truth)


def alike(left: Single, right: Single) -> bool:
    """Whether values of both types can be equal: those of one sort, and of one list of values."""
    return type(left) is type(right) and (not isinstance(left, Value) or left == right)


def join(left: Single, right: Single) -> Single:
    """The narrowest type that holds the values of two types that are alike."""
    match left, right:
        case Number(low, high), Number(other_low, other_high):
            return Number(min(low, other_low), max(high, other_high))
        case _ if left == right:
            return left
        case (Nothing(), _) | (_, Unknown()):
            return right
        case (_, Nothing()) | (Unknown(), _):
            return left
        case Place(), Place():
            return Place(is_zone=left.is_zone and right.is_zone)
        case Card(), Card():
            return Card()
        case Piece(), Piece():
            return Piece()
        case _:
            raise ValueError(f"{left} and {right} have no type in common")
