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
        self.domains = self.engine.code.domains
        self.cards = self.values(t.Card())
        self.pieces = self.values(t.Piece())
        self.places = self.values(t.Place())
        self.alike = self._alike()
        self.regions = self._regions()
        self.variables = dict(self._variables())
        self.secrets = dict(self._secrets())
        self.windows = dict(self._windows())
        self.memories = dict(self._memories())
        self.stored = dict(self._stored())
        self.amounts = {
            (player, resource): game.slots.amounts + r * len(game.players) + p
            for p, player in enumerate(game.players)
            for r, resource in enumerate(game.resources)
        }
        self.rules = self._rules()

    def _alike(self) -> dict[str, list[int]]:
        """The pieces of each kind and owner."""
        alike: dict[str, list[int]] = {}
        for number in range(len(self.game.pieces)):
            alike.setdefault(self.kind_of(number), []).append(number)
        return alike

    def _regions(self) -> dict[str, dict[str, int]]:
        """The spaces of each region by their labels."""
        regions: dict[str, dict[str, int]] = {}
        for number, place in enumerate(self.game.places):
            if not place.is_zone:
                whose = f" of {self.game.players[place.owner]}" if place.owner != NOTHING else ""
                regions.setdefault(place.region + whose, {})[place.label] = number
        return regions

    def _secrets(self) -> Iterator[tuple[str, int]]:
        for variable in self.game.variables:
            if variable.secret != NOTHING:
                for number, key in enumerate(self.domains.keys(variable.each)):
                    yield variable.of(key), variable.secret + number

    def _windows(self) -> Iterator[tuple[str, int]]:
        for ability in self.game.abilities:
            if ability.window != NOTHING and ability.card != NOTHING:
                yield ability.name, ability.window
            elif ability.window != NOTHING:
                for number, player in enumerate(self.game.players):
                    yield f"{ability.name} by {player}", ability.window + number

    def _memories(self) -> Iterator[tuple[str, int]]:
        for trigger in self.game.triggers:
            if trigger.memory != NOTHING:
                name = self.game.abilities[trigger.ability].name
                for number, player in enumerate(self.game.players):
                    yield f"{name} of {player}", trigger.memory + number

    def _stored(self) -> Iterator[tuple[str, int]]:
        game = self.game
        stored = {
            (term.slot, term.resource, term.ability)
            for terms in game.terms
            for term in terms.stored
        }
        for slot, resource, ability in sorted(stored):
            yield (
                f"{game.resources[resource]} on {game.cards[game.abilities[ability].card].id}",
                slot,
            )

    def _rules(self) -> dict[str, int]:
        """The rules by their names, of which the later of two is told apart."""
        rules: dict[str, int] = {}
        for number, rule in enumerate(self.engine.program.procedures):
            name = rule.name
            while name in rules:
                name += " again"
            rules[name] = number
        return rules

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
