"""Names in the text of a position, and slices of the text with their spans."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NoReturn

from targi_dsl.codegen import engine_of
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.text.diagnostics import WIDTH, Problem, Problems
from targi_dsl.text.source import Span, Text
from targi_dsl.text.structs import Frozen
from targi_dsl.text.suggestions import did_you_mean


class Words(Frozen):
    """A slice of the text without surrounding blanks."""

    source: Text
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def span(self) -> Span:
        return self.source.span(self.start, self.end)

    def part(self, start: int, end: int) -> Words:
        """A slice of this slice."""
        text = self.text[start:end]
        start += len(text) - len(text.lstrip())
        return Words(self.source, self.start + start, self.start + start + len(text.strip()))

    def after(self, prefix: str) -> Words:
        return self.part(len(prefix), len(self.text))

    def split(self, by: str) -> list[Words]:
        parts, at = [], 0
        for match in re.finditer(re.escape(by), self.text):
            parts.append(self.part(at, match.start()))
            at = match.end()
        return [*parts, self.part(at, len(self.text))]

    def partition(self, at: str) -> tuple[Words, Words | None]:
        """The parts before and after a separator; None if it does not occur."""
        place = self.text.find(at)
        if place < 0:
            return self, None
        return self.part(0, place), self.part(place + len(at), len(self.text))

    def pair(self, at: str, title: str, text: str, hint: str = "") -> tuple[Words, Words]:
        """`partition`, where the separator must occur."""
        first, rest = self.partition(at)
        if rest is None:
            self.fail("E650", title, text, hint)
        return first, rest

    def fail(self, code: str, title: str, text: str, hint: str = "") -> NoReturn:
        raise Problems([Problem(code, title, self.span, text, hint)])

    def unknown(self, what: str, known: Iterable[str]) -> NoReturn:
        names = list(known)
        near, all_ = did_you_mean(self.text, names), ", ".join(names)
        hint = f"There are: {all_}." if names and len(all_) < WIDTH else ""
        hint = f"Did you mean `{near}`?" if near else hint
        text = "Nothing in this game has that name."
        if of := _meant_by(self.text, names):
            text, hint = "The whole name is needed here.", f"There is: {', '.join(of[:5])}."
        self.fail("E651", f"unknown {what} `{self.text}`", text, hint)

    def number(self) -> int:
        if not re.fullmatch(r"-?[0-9]{1,19}", self.text):
            self.fail("E652", f"`{self.text}` is not a number", "A whole number is needed here.")
        return int(self.text)


def _meant_by(name: str, known: Iterable[str]) -> list[str]:
    """Longer names that were probably meant: `chips of pot` for `pot`, `seen of board a1` for `seen
    of a1`, `dial noon of ann` for `noon`.
    """
    first, _, last = name.rpartition(" ")
    return [
        one
        for one in known
        if (one.endswith(f" {last}") and one.startswith(first) and "," not in one)
        or f" {name} of " in f"{one} of "
    ]


NOWHERE = "nowhere"
FACES = {" face up": True, " face down": False}


class Known:
    """The things of a game by the names that they have in positions."""

    def __init__(self, game: Game) -> None:
        self.game, self.engine = game, engine_of(game)
        self.domains = self.engine.code.domains
        self.cards = self.values(t.Card())
        self.pieces = self.values(t.Piece())
        self.places = self.values(t.Place())
        self.seats = {player: number for number, player in enumerate(game.players)}
        self.alike = self._alike()
        self.regions = self._regions()
        self.variables = dict(self._variables())
        self.secrets = dict(self._secrets())
        self.windows = dict(self._windows())
        self.memories = dict(self._memories())
        self.stored = dict(self._stores())
        self.amounts = {
            (player, resource): game.slots.amounts + r * len(game.players) + p
            for p, player in enumerate(game.players)
            for r, resource in enumerate(game.resources)
        }
        self.rules = self._rules()

    def is_thing(self, name: str) -> bool:
        """Whether this is a name before a colon."""
        game = (self.game.players, self.variables, self.places, self.regions)
        return any(name in names for names in game)

    def _alike(self) -> dict[str, list[int]]:
        """The pieces by kind and owner."""
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
                    yield variable.wording_key(key), variable.secret + number

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

    def _stores(self) -> Iterator[tuple[str, int]]:
        game, all_ = self.game, (one for terms in self.game.terms for one in terms.stored)
        for slot, resource, ability in sorted(
            {(one.slot, one.resource, one.ability) for one in all_}
        ):
            card = game.cards[game.abilities[ability].card]
            yield f"{game.resources[resource]} on {card.id}", slot

    def _rules(self) -> dict[str, int]:
        """The rules by name; later ones of the same name get a suffix."""
        rules: dict[str, int] = {}
        for number, rule in enumerate(self.engine.program.procedures):
            name = rule.name
            while name in rules:
                name += " again"
            rules[name] = number
        return rules

    def point(self, rule: int, label: str) -> int | None:
        """The point of a rule with this label."""
        points = enumerate(self.engine.program.points)
        return next((n for n, at in points if (at.rule, at.label) == (rule, label)), None)

    def kind_of(self, piece: int) -> str:
        """The kind and owner of a piece."""
        info = self.game.pieces[piece]
        return info.kind + (f" of {self.game.players[info.owner]}" if info.owner != NOTHING else "")

    def _variables(self) -> Iterator[tuple[str, tuple[int, t.Type, int]]]:
        """Name, slot, type and start of every variable."""
        game = self.game
        for variable in game.variables:
            for number, key in enumerate(self.domains.keys(variable.each)):
                yield (
                    variable.wording_key(key),
                    (variable.base + number, variable.type, variable.start),
                )

    def value_text(self, type_: t.Type, value: int) -> str:
        """A value of this type as text; `number N` if it is out of range."""
        domain = self.domains.of(type_)
        fits = not domain.ids or NOTHING <= value < len(domain.ids)
        return domain.id(value) if fits else f"number {value}"

    def values(self, type_: t.Type) -> dict[str, int]:
        """The things of a type by their names; empty for numbers."""
        return {name: number for number, name in enumerate(self.domains.of(type_).ids)}
