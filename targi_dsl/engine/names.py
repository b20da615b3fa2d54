"""Things by name: the stable ids of what can be chosen, and their names for people."""

from __future__ import annotations

from targi_dsl.model import NOTHING, SEVERAL, Game, PlaceInfo, Type


class Names:
    """The names of one game's things; with `telling` a card is called as people call it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.values = dict(game.values)
        regions: dict[str, list[PlaceInfo]] = {}
        for place in game.places:
            regions.setdefault(place.region, []).append(place)
        self.places = [_place_id(place, regions[place.region]) for place in game.places]

    def of(self, kind: Type, number: int, telling: bool = False) -> str:
        """The name of a thing of this type."""
        game = self.game
        if number == NOTHING and kind.kind != "number":
            return "nothing"
        match kind.kind:
            case "player":
                return game.players[number]
            case "resource":
                return self.item(number)
            case "place":
                place = game.places[number]
                return (
                    self.places[number]
                    if kind.of != SEVERAL or place.is_zone
                    else f"{place.region} {self.places[number]}"
                )
            case "card":
                return self.card(number, telling)
            case "piece":
                return game.pieces[number].name
            case "value":
                return self.values[kind.of][number]
            case "truth":
                return "yes" if number else "no"
            case _:
                return str(number)

    def card(self, number: int, telling: bool = False) -> str:
        card = self.game.cards[number]
        return card.names.get("en", card.id) if telling else card.id

    def item(self, number: int) -> str:
        resources = self.game.resources
        return resources[number] if number < len(resources) else self.game.groups[number - len(resources)][0]

    def amounts(self, pairs: tuple[tuple[int, int], ...]) -> str:
        """Amounts as in "2 apples, 1 nuts"."""
        return ", ".join(f"{number} {self.item(item)}" for item, number in pairs if number) or "nothing"


def _place_id(place: PlaceInfo, region: list[PlaceInfo]) -> str:
    """A zone by its name, a space of a grid by column and row (`b2`), any other by its number in its region, from 1."""
    if place.is_zone:
        return place.name
    columns, rows = sorted({one.column for one in region}), sorted({one.row for one in region})
    if len(columns) > 1 and len(rows) > 1:
        return f"{_letters(columns.index(place.column))}{rows.index(place.row) + 1}"
    return str(sorted(one.number for one in region).index(place.number) + 1)


def _letters(number: int) -> str:
    """a .. z, aa, ab and so on."""
    return (_letters(number // 26 - 1) if number >= 26 else "") + chr(ord("a") + number % 26)
