"""The types of values: what a number in a slot or an expression stands for.

`Type` is a closed union. The values of a type and their names depend on the game; see `ir.domains`,
where mypy reports a type that is missing.
"""

from __future__ import annotations

from typing import Literal, cast

from targi_dsl.text.structs import Frozen

LOWEST, HIGHEST = -(2**31), 2**31 - 1


class Number(Frozen):
    """A whole number within bounds."""

    low: int = LOWEST
    high: int = HIGHEST

    @property
    def name(self) -> str:
        return "number"


class Truth(Frozen):
    """No or yes, as 0 or 1."""

    @property
    def name(self) -> str:
        return "truth"


class Player(Frozen):
    @property
    def name(self) -> str:
        return "player"


class Resource(Frozen):
    """A resource of this group, or any if it is empty."""

    group: str = ""

    @property
    def name(self) -> str:
        return "resource"


class Place(Frozen):
    """A space of the board or a zone: of this region, or of any if it is empty."""

    region: str = ""
    is_zone: bool = False

    @property
    def name(self) -> str:
        return self.region or "place"


class Card(Frozen):
    """A card of this kind, or of any if it is empty."""

    kind: str = ""

    @property
    def name(self) -> str:
        return self.kind or "card"


class Piece(Frozen):
    """A piece of this kind, or of any if it is empty."""

    kind: str = ""

    @property
    def name(self) -> str:
        return self.kind or "piece"


class Value(Frozen):
    """A member of a declared list of values."""

    of: str

    @property
    def name(self) -> str:
        return self.of


class Price(Frozen):
    """A price of the game's list."""

    @property
    def name(self) -> str:
        return "price"


class Nothing(Frozen):
    """The type of `nothing`, which is compatible with every type that includes nothing."""

    @property
    def name(self) -> str:
        return "nothing"


Single = Number | Truth | Player | Resource | Place | Card | Piece | Value | Price | Nothing


class SetOf(Frozen):
    """A set of values of one type."""

    of: Single

    @property
    def name(self) -> str:
        return self.of.name


Type = Single | SetOf

Sort = Literal[
    "number", "truth", "player", "resource", "place", "card", "piece", "value", "price", "nothing"
]
"""The classes of types, by name."""


def sort_of(type_: Single) -> Sort:
    """The class of a type, by name."""
    return cast(Sort, type(type_).__name__.lower())


def set_of(type_: Type) -> SetOf:
    """The type of a set of such values."""
    return type_ if isinstance(type_, SetOf) else SetOf(type_)


def element(type_: Type) -> Single:
    """The type of a set's elements; any other type is returned as it is."""
    return type_.of if isinstance(type_, SetOf) else type_


def kind(type_: Type) -> str:
    """The region of spaces, the kind of cards or pieces; empty if they are of any, or a set."""
    match type_:
        case Place(of) | Card(of) | Piece(of):
            return of
        case _:
            return ""


def has_nothing(type_: Single) -> bool:
    """Whether the type includes nothing; numbers and truths do not."""
    return not isinstance(type_, Number | Truth)


def alike(left: Single, right: Single) -> bool:
    """Whether values of the two types can be equal: same sort, and same list of values."""
    return type(left) is type(right) and (not isinstance(left, Value) or left == right)


def join(left: Single, right: Single) -> Single:
    """The narrowest type that includes both of two types that are alike."""
    match left, right:
        case Number(low, high), Number(other_low, other_high):
            return Number(min(low, other_low), max(high, other_high))
        case _ if left == right:
            return left
        case Nothing(), _:
            return right
        case _, Nothing():
            return left
        case Place(), Place():
            return Place(is_zone=left.is_zone and right.is_zone)
        case Card(), Card():
            return Card()
        case Piece(), Piece():
            return Piece()
        case Resource(), Resource():
            return Resource()
        case _:
            raise ValueError(f"{left} and {right} have no type in common")


NUMBER, TRUTH, PLAYER, RESOURCE, PRICE = Number(), Truth(), Player(), Resource(), Price()
PLACE, CARD, PIECE = Place(), Card(), Piece()
DIRECTION = Value("direction")
NONE = Nothing()

NAMED: dict[str, Single] = {
    "number": NUMBER,
    "truth": TRUTH,
    "player": PLAYER,
    "space": PLACE,
    "card": CARD,
    "piece": PIECE,
    "resource": RESOURCE,
    "cost": PRICE,
}
"""The types that the language has names for. The others are called what a game calls them."""
