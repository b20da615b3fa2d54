"""The things of a game by the names they have in the text of a position."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.engine import engine_of
from targi_dsl.engine.state import things_of
from targi_dsl.ir.model import NOTHING, Game, Type

NOWHERE = "nowhere"
FACES = {" face up": True, " face down": False}


class Known:
    """The things of a game by the names they have in a position."""

    def __init__(self, game: Game) -> None:
        self.game, self.engine = game, engine_of(game)
        names, slots = self.engine.code.names, game.slots
        self.cards = {card.id: number for number, card in enumerate(game.cards)}
        self.pieces = {piece.name: number for number, piece in enumerate(game.pieces)}
        self.places = {place.name: number for number, place in enumerate(game.places)}
        self.alike: dict[str, list[int]] = {}
        for number in range(len(game.pieces)):
            self.alike.setdefault(self.kind_of(number), []).append(number)
        self.regions: dict[str, dict[str, int]] = {}
        for number, place in enumerate(game.places):
            if not place.is_zone:
                whose = f" of {game.players[place.owner]}" if place.owner != NOTHING else ""
                self.regions.setdefault(place.region + whose, {})[names.places[number]] = number
        self.variables = dict(self._variables())
        self.windows = {}
        for one in game.abilities:
            if one.window != NOTHING and one.card != NOTHING:
                self.windows[one.name] = one.window
            elif one.window != NOTHING:
                self.windows |= {
                    f"{one.name} by {who}": one.window + p for p, who in enumerate(game.players)
                }
        self.memories = {
            f"{game.abilities[one.ability].name} of {player}": one.memory + number
            for one in game.triggers
            if one.memory != NOTHING
            for number, player in enumerate(game.players)
        }
        kept = sorted(
            {(one.slot, one.resource, one.ability) for terms in game.terms for one in terms.stored}
        )
        self.stored = {
            f"{game.resources[resource]} on {game.cards[game.abilities[ability].card].id}": slot
            for slot, resource, ability in kept
        }
        self.amounts = {
            (player, resource): slots.amounts + r * len(game.players) + p
            for p, player in enumerate(game.players)
            for r, resource in enumerate(game.resources)
        }
        self.rules: dict[str, int] = {}
        for number, rule in enumerate(self.engine.code.rules):
            name = rule.name
            while name in self.rules:
                name += " again"
            self.rules[name] = number

    def kind_of(self, piece: int) -> str:
        """A piece by its kind and owner."""
        info = self.game.pieces[piece]
        return info.kind + (f" of {self.game.players[info.owner]}" if info.owner != NOTHING else "")

    def _variables(self) -> Iterator[tuple[str, tuple[int, Type, int]]]:
        """Name, slot, type and start of every variable."""
        game = self.game
        for one in game.variables:
            for number, key in enumerate(things_of(game, one)):
                yield (
                    f"{one.name} of {key}" if key else one.name,
                    (one.base + number, one.type, one.start),
                )

    def worded(self, kind: Type, value: int) -> str:
        """A value of this type; as `number N` what is none."""
        if kind.kind in ("number", "price"):
            return str(value)
        if value == NOTHING:
            return "nothing"
        names = self.values(kind)
        return names[value] if 0 <= value < len(names) else f"number {value}"

    def values(self, kind: Type) -> list[str]:
        """What all values of a type are called, by number; nothing for numbers."""
        game = self.game
        match kind.kind:
            case "player":
                return list(game.players)
            case "resource":
                return [*game.resources, *(name for name, _ in game.groups)]
            case "place":
                return list(self.places)
            case "card":
                return list(self.cards)
            case "piece":
                return list(self.pieces)
            case "value":
                return list(dict(game.values)[kind.of])
            case "truth":
                return ["no", "yes"]
            case _:
                return []
