"""The names that things have in the text of a position."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.codegen import engine_of
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game

NOWHERE = "nowhere"
FACES = {" face up": True, " face down": False}


class Known:
    """The things of a game by their names in the text of a position."""

    def __init__(self, game: Game) -> None:
        self.game, self.engine = game, engine_of(game)
        self.domains, slots = self.engine.code.domains, game.slots
        self.cards = self.values(t.Card())
        self.pieces = self.values(t.Piece())
        self.places = self.values(t.Place())
        self.alike: dict[str, list[int]] = {}
        for number in range(len(game.pieces)):
            self.alike.setdefault(self.kind_of(number), []).append(number)
        self.regions: dict[str, dict[str, int]] = {}
        for number, place in enumerate(game.places):
            if not place.is_zone:
                whose = f" of {game.players[place.owner]}" if place.owner != NOTHING else ""
                self.regions.setdefault(place.region + whose, {})[place.label] = number
        self.variables = dict(self._variables())
        self.secrets = {
            variable.of(key): variable.secret + number
            for variable in game.variables
            if variable.secret != NOTHING
            for number, key in enumerate(self.domains.keys(variable.each))
        }
        self.windows = {}
        for ability in game.abilities:
            if ability.window != NOTHING and ability.card != NOTHING:
                self.windows[ability.name] = ability.window
            elif ability.window != NOTHING:
                self.windows |= {
                    f"{ability.name} by {who}": ability.window + p
                    for p, who in enumerate(game.players)
                }
        self.memories = {
            f"{game.abilities[trigger.ability].name} of {player}": trigger.memory + number
            for trigger in game.triggers
            if trigger.memory != NOTHING
            for number, player in enumerate(game.players)
        }
        stored = sorted(
            {
                (term.slot, term.resource, term.ability)
                for terms in game.terms
                for term in terms.stored
            }
        )
        self.stored = {
            f"{game.resources[resource]} on {game.cards[game.abilities[ability].card].id}": slot
            for slot, resource, ability in stored
        }
        self.amounts = {
            (player, resource): slots.amounts + r * len(game.players) + p
            for p, player in enumerate(game.players)
            for r, resource in enumerate(game.resources)
        }
        self.rules: dict[str, int] = {}
        for number, rule in enumerate(self.engine.program.procedures):
            name = rule.name
            while name in self.rules:
                name += " again"
            self.rules[name] = number

    def point(self, rule: int, label: str) -> int | None:
        """The point of a rule with this label."""
        points = self.engine.program.points
        numbers = (
            n for n, point in enumerate(points) if (point.rule, point.label) == (rule, label)
        )
        return next(numbers, None)

    def kind_of(self, piece: int) -> str:
        """A piece by its kind and owner."""
        info = self.game.pieces[piece]
        return info.kind + (f" of {self.game.players[info.owner]}" if info.owner != NOTHING else "")

    def _variables(self) -> Iterator[tuple[str, tuple[int, t.Type, int]]]:
        """Name, slot, type and start of every variable."""
        game = self.game
        for variable in game.variables:
            for number, key in enumerate(self.domains.keys(variable.each)):
                yield variable.of(key), (variable.base + number, variable.type, variable.start)

    def worded(self, type_: t.Type, value: int) -> str:
        """A value of this type as text; `number N` if it is not one."""
        domain = self.domains.of(type_)
        fits = not domain.ids or NOTHING <= value < len(domain.ids)
        return domain.id(value) if fits else f"number {value}"

    def values(self, type_: t.Type) -> dict[str, int]:
        """The things of a type by their names; empty for numbers."""
        return {name: number for number, name in enumerate(self.domains.of(type_).ids)}
