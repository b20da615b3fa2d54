"""Domains: the values that each type has in one game, and their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self, assert_never

from msgspec import field

from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import Amounts, CardInfo, PieceInfo, PlaceInfo
from targi_dsl.ir.game import Game
from targi_dsl.text.structs import Frozen

Names = tuple[str, ...]


class Domain(Frozen):
    """The values of one type.

    members: all values, ascending. low and high: the bounds of a slot of this type, including
    nothing and foreign values. default: the initial value of a variable, unless the rules give
    one. The rest is indexed by value: `ids` are unique in the game, `names` appear in the ids of
    choices, `words` are shown to people. Numbers and prices have none.
    """

    members: Sequence[int]
    low: int
    high: int
    default: int
    ids: Names = ()
    names: Names = ()
    words: Names = ()

    def __len__(self) -> int:
        return len(self.members)

    def id(self, number: int) -> str:
        return _name_of(number, self.ids)

    def name(self, number: int) -> str:
        return _name_of(number, self.names)

    def word(self, number: int) -> str:
        return _name_of(number, self.words)

    def positions(self) -> tuple[int, ...]:
        """For every value, its index among the members, or nothing; the last entry is for
        nothing.
        """
        numbers = [NOTHING] * (len(self.ids) + 1)
        for position, member in enumerate(self.members):
            numbers[member] = position
        return tuple(numbers)


def _name_of(number: int, names: Names) -> str:
    if not names:
        return str(number)
    return "nothing" if number == NOTHING else names[number]


class Domains(Frozen, eq=False):
    """The domains of one game."""

    players: Names
    resources: Names
    groups: Names
    values: dict[str, Names]
    kinds: Names
    places: tuple[PlaceInfo, ...]
    cards: tuple[CardInfo, ...]
    pieces: tuple[PieceInfo, ...]
    _made: dict[t.Type, Domain] = field(default_factory=dict)

    @classmethod
    def of_game(cls, game: Game) -> Self:
        groups = tuple(name for name, _ in game.groups)
        return cls(
            game.players, game.resources, groups, dict(game.values), game.kinds,
            game.places, game.cards, game.pieces,
        )  # fmt: skip

    def of(self, type_: t.Type) -> Domain:
        """The domain of a type; for a set, the domain of its elements."""
        if type_ not in self._made:
            self._made[type_] = self._make(type_)
        return self._made[type_]

    def name(self, type_: t.Type, number: int) -> str:
        """The name of a value in the ids of choices."""
        return self.of(type_).name(number)

    def word(self, type_: t.Type, number: int) -> str:
        """The name of a value as shown to people."""
        return self.of(type_).word(number)

    def keys(self, each: t.Type | None) -> Names:
        """The ids of everything a variable exists for; a single empty id if it exists only once."""
        if each is None:
            return ("",)
        domain = self.of(each)
        return tuple(map(domain.id, domain.members))

    def item(self, number: int) -> str:
        """The name of a resource or group, by item number."""
        return (*self.resources, *self.groups)[number]

    def amounts(self, pairs: Amounts) -> str:
        """Amounts in words, such as "2 apples, 1 nuts"."""
        counted = [f"{number} {self.item(item)}" for item, number in pairs if number]
        return ", ".join(counted) or "nothing"

    def _make(self, type_: t.Type) -> Domain:
        match type_:
            case t.SetOf(of):
                return self.of(of)
            case t.Number(low, high):
                return Domain(range(low, high + 1), low, high, max(low, min(0, high)))
            case t.Truth():
                return Domain((0, 1), 0, 1, 0, *[("no", "yes")] * 3)
            case t.Player():
                return _things(range(len(self.players)), *[self.players] * 3)
            case t.Resource():
                count, names = len(self.resources), (*self.resources, *self.groups)
                return Domain(range(count), NOTHING, count - 1, NOTHING, names, names, names)
            case t.Place():
                return self._places(type_)
            case t.Card(kind):
                cards = self.cards
                members = [n for n, card in enumerate(cards) if not kind or self._is(card, kind)]
                ids = tuple(card.id for card in cards)
                words = tuple(card.names.get("en", card.id) for card in cards)
                return _things(members, ids, ids, words)
            case t.Piece(kind):
                pieces = self.pieces
                members = [n for n, piece in enumerate(pieces) if kind in ("", piece.kind)]
                names = tuple(piece.name for piece in pieces)
                return _things(members, names, names, names)
            case t.Value(of):
                names = self.values[of]
                return _things(range(len(names)), names, names, names)
            case t.Price() | t.Nothing():
                return Domain((), NOTHING, NOTHING, NOTHING)
            case _:
                assert_never(type_)

    def _is(self, card: CardInfo, kind: str) -> bool:
        return card.kind != NOTHING and self.kinds[card.kind] == kind

    def _places(self, type_: t.Place) -> Domain:
        """The domain of spaces or zones. Without a region, the names of spaces include their
        region.
        """
        places, region = self.places, type_.region
        members = [
            number
            for number, place in enumerate(places)
            if place.is_zone == type_.is_zone and region in ("", place.region)
        ]
        names = tuple(
            place.label if region or place.is_zone else f"{place.region} {place.label}"
            for place in places
        )
        ids = tuple(place.name for place in places)
        return _things(members, ids, names, names)


def _things(members: Sequence[int], ids: Names, names: Names, words: Names) -> Domain:
    return Domain(tuple(members), NOTHING, len(ids) - 1, NOTHING, ids, names, words)
