"""Things by name: the stable ids of what can be chosen, and their names for people."""

from __future__ import annotations

from targi_dsl.ir.model import NOTHING, SEVERAL, Game, PlaceInfo, Type


class Names:
    """The names of one game's things; with `telling` a card is called as people call it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.values = dict(game.values)
        self.places = [_place_id(place) for place in game.places]

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
        return (
            resources[number]
            if number < len(resources)
            else self.game.groups[number - len(resources)][0]
        )

    def amounts(self, pairs: tuple[tuple[int, int], ...]) -> str:
        """Amounts as in "2 apples, 1 nuts"."""
        return (
            ", ".join(f"{number} {self.item(item)}" for item, number in pairs if number)
            or "nothing"
        )


def _place_id(place: PlaceInfo) -> str:
    """A zone by its name, a space by its own within its region: column and row in a grid (`b2`),
    else its number.
    """
    return (
        place.name
        if place.is_zone
        else place.name.removeprefix(f"{place.region} ").partition(" of ")[0]
    )
