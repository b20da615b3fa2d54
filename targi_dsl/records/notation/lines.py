"""Parses the lines of a position. Nothing is placed yet."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field
from functools import partial

from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.game import Game
from targi_dsl.ir.prices import Amounts, Price
from targi_dsl.records.notation.names import FACES, NOWHERE, Known
from targi_dsl.records.notation.words import Words
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.light import dataclass
from targi_dsl.text.source import Source


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card on a place, and how it lies if that is given."""

    card: int
    words: Words
    up: bool | None
    known: int | None  # who knows it: instead of those who would, or in addition to them
    only: bool


@dataclass(slots=True)
class Lines:
    """The contents of the lines, by kind."""

    after_setup: bool = False
    slots: dict[int, tuple[int, Words]] = field(default_factory=dict)
    cards: dict[int, list[PlacedCard | tuple[int, Words]]] = field(
        default_factory=dict
    )  # or the rest of that place
    pieces: list[tuple[int, Words]] = field(default_factory=list)
    frames: list[tuple[Words, int, int, list[int]]] = field(default_factory=list)
    ended: int = NOTHING
    calls: list[tuple[int, int, tuple[int, ...]]] = field(default_factory=list)


class Reader:
    """Parses the lines of one text: `lines` is what they say, `problems` what is wrong."""

    def __init__(self, game: Game, source: Source) -> None:
        self.game, self.source = game, source
        self.known = Known(game)
        self.code = self.known.engine.code
        self.lines = Lines()
        self.problems: list[Problem] = []

    def read(self) -> None:
        """Parses every line that is not empty."""
        for match in re.finditer(r"[^\n]+", self.source.text):
            text = match[0].partition("#")[0]
            line = Words(self.source, match.start(), match.start() + len(text)).part(0, len(text))
            if line.text:
                self.tried(partial(self._line, line))

    def tried(self, step: Callable[[], None]) -> None:
        """Runs a step and collects its problems."""
        try:
            step()
        except Problems as error:
            self.problems += error.problems

    def _line(self, line: Words) -> None:
        text = line.text
        if text == "after setup":
            self.lines.after_setup = True
        elif text.startswith("position of "):
            name = line.after("position of ")
            if name.text != self.game.name:
                name.fail(
                    "E650", f"a position of `{name.text}`", f"The game is `{self.game.name}`."
                )
        elif text.startswith("do "):
            self.lines.calls += [self._call(call) for call in line.after("do ").split(", then ")]
        elif text.startswith("ended by "):
            self.lines.ended = self._one(line.after("ended by "), "rule", self.known.rules)
        elif text.startswith("secret "):
            self._secret(line.after("secret "))
        elif text.startswith("stored "):
            self._stored(line.after("stored "))
        elif text.startswith("used "):
            self._used(line.after("used "))
        elif text.startswith("remembered "):
            name = line.after("remembered ")
            self._set(self._one(name, "memory", self.known.memories), 1, name)
        else:
            key, rest = line.cut(":")
            if rest is None:
                line.fail(
                    "E650",
                    "this line cannot be understood",
                    "A line has a name, a colon, and what is true of it.",
                )
            if key.text.startswith("in ") and " at " in key.text:
                self._frame(key, rest)
            else:
                self._thing(key, rest)

    def _thing(self, key: Words, rest: Words) -> None:
        known, name = self.known, key.text
        if name in self.game.players:
            self._amounts(name, rest)
        elif name in known.variables:
            slot, kind, _ = known.variables[name]
            self._set(slot, self._value(kind, rest), rest)
        elif name in known.places:
            self._things(known.places[name], rest)
        elif name == NOWHERE:
            self._things(NOTHING, rest)
        elif name in known.regions:
            for entry in rest.split(";"):
                space, things = entry.cut(" ")
                if things is None:
                    entry.fail(
                        "E650",
                        f"what lies on `{entry.text}`?",
                        "Name a space and what is on it.",
                        f"{entry.text} nothing",
                    )
                self._things(self._one(space, "space", known.regions[name]), things)
        else:
            key.unknown(
                "thing",
                [*known.variables, *known.regions, *known.places, *self.game.players, NOWHERE],
            )

    def _one(self, words: Words, what: str, known: dict[str, int]) -> int:
        if words.text not in known:
            words.unknown(what, known)
        return known[words.text]

    def _set(self, slot: int, value: int, words: Words) -> None:
        if slot in self.lines.slots:
            words.fail("E653", "this is given twice", "Write one line for each thing.")
        self.lines.slots[slot] = value, words

    def _amounts(self, player: str, rest: Words) -> None:
        for amount in rest.split(",") if rest.text != "nothing" else ():
            number, resource = amount.cut(" ")
            if resource is None:
                amount.fail(
                    "E650",
                    "how much of what?",
                    "An amount is a number and a resource.",
                    f"2 {self.game.resources[0]}",
                )
            name = self.game.counted(resource.text)
            if name not in self.game.resources:
                resource.unknown("resource", self.game.resources)
            self._set(self.known.amounts[player, name], number.number(), amount)
        for name in self.game.resources:
            self.lines.slots.setdefault(self.known.amounts[player, name], (0, rest))

    def _secret(self, words: Words) -> None:
        number, name = words.cut(" ")
        if name is None:
            words.fail("E650", "what is secret?", "secret 1 VARIABLE")
        self._set(self._one(name, "secret", self.known.secrets), number.number(), words)

    def _stored(self, words: Words) -> None:
        number, where = words.cut(" ")
        if where is None:
            words.fail("E650", "how much is stored, and where?", "stored 1 RESOURCE on CARD")
        self._set(self._one(where, "store", self.known.stored), number.number(), words)

    def _used(self, words: Words) -> None:
        match = re.fullmatch(r"(.*) (\d{1,4}) times", words.text)
        name = words.part(0, match.end(1)) if match else words
        self._set(
            self._one(name, "ability that is used up", self.known.windows),
            int(match[2]) if match else 1,
            words,
        )

    def _value(self, kind: t.Type, words: Words) -> int:
        if words.text.startswith("number "):
            return words.after("number ").number()
        values = self.known.values(kind)
        if not values:
            return words.number()
        return NOTHING if words.text == "nothing" else self._one(words, kind.name, values)

    def _things(self, place: int, rest: Words) -> None:
        """The cards and pieces on a place."""
        cards: list[PlacedCard | tuple[int, Words]] = []
        emptied = False
        for words in rest.split(","):
            text = words.text
            if text == "nothing":
                emptied = True
            elif text == "rest" or text.startswith("rest of "):
                source = (
                    self._one(words.after("rest of "), "place", self.known.places)
                    if text != "rest"
                    else place
                )
                cards.append((source, words))
            elif text in self.known.pieces or text in self.known.alike:
                self.lines.pieces.append((place, words))
            else:
                cards.append(self._placed_card(words))
        if cards or emptied:
            self.lines.cards.setdefault(place, []).extend(cards)

    def _placed_card(self, words: Words) -> PlacedCard:
        name, known, only = words, None, False
        if match := re.fullmatch(
            r"(?P<card>.*?) *\(known (?P<only>only )?to (?P<who>.*)\)", words.text
        ):
            name, only = (
                words.part(*match.span("card")),
                bool(match["only"]) or match["who"] == "nobody",
            )
            who = [] if match["who"] == "nobody" else words.part(*match.span("who")).split(" and ")
            seats = {player: number for number, player in enumerate(self.game.players)}
            known = sum(2 << self._one(player, "player", seats) for player in who)
        up = None
        for face, way in FACES.items():
            if name.text.endswith(face):
                name, up = name.part(0, len(name.text) - len(face)), way
        if name.text not in self.known.cards:
            name.unknown("card or piece", [*self.known.cards, *self.known.alike, "rest", "nothing"])
        return PlacedCard(self.known.cards[name.text], name, up, known, only)

    # -- rules in progress --

    def _call(self, words: Words) -> tuple[int, int, tuple[int, ...]]:
        head, arguments = words.cut(" with ")
        name, by = head.cut(" by ")
        rule = self._one(name, "rule", self.known.rules)
        seats = {player: number for number, player in enumerate(self.game.players)}
        you = YOU if by is None else self._one(by, "player", seats)
        info = self.code.program.procedures[rule]
        kinds = info.arguments
        if arguments is None and rule in self.game.actions and kinds:
            return rule, you, self.code.table.carried(rule, self.game.actions.index(rule))
        values = arguments.split(",") if arguments is not None else []
        if len(values) != len(kinds):
            words.fail(
                "E654", f"`{info.name}` is told {len(kinds)} things", f"Here are {len(values)}."
            )
        return (
            rule,
            you,
            tuple(
                self._argument(kind, argument) for kind, argument in zip(kinds, values, strict=True)
            ),
        )

    def _argument(self, kind: t.Type, words: Words) -> int:
        text = words.text
        if (
            not isinstance(kind, t.Price)
            or re.fullmatch(r"(number )?-?\d+", text)
            or text == "nothing"
        ):
            return NOTHING if text == "nothing" else self._value(kind, words)
        field, of, _ = text.partition(" of ")
        if of and any(field in card.fields for card in self.game.cards):
            card = self._one(words.after(field + of), "card", self.known.cards)
            text = str(self.game.cards[card].fields.get(field, ""))
        wanted = self._price(text.strip("{} "), words)
        numbers = [number for number, price in enumerate(self.game.prices) if price == wanted]
        if wanted.alternatives == ((),):
            return NOTHING
        if not numbers:
            words.fail("E654", "no such price", "A price must be one of the rules or of a card.")
        return numbers[0]

    def _price(self, text: str, words: Words) -> Price:
        """A price of plain amounts."""
        ways, _, bracket = text.partition("(plus ")
        extra, _, reward = bracket.rstrip(") ").partition(" for ")
        return Price(
            tuple(self._pairs(way, words) for way in ways.split(" or ")),
            self._pairs(extra, words),
            self._pairs(reward, words),
        )

    def _pairs(self, text: str, words: Words) -> Amounts:
        items = [*self.game.resources, *(name for name, _ in self.game.groups)]
        amounts: dict[int, int] = {}
        for amount in text.split(" and ") if text.strip() else []:
            number, _, word = amount.strip().partition(" ")
            item = self.game.counted(word)
            if not number.isdecimal() or item not in items:
                words.fail(
                    "E652",
                    f"`{amount.strip()}` is not an amount",
                    "An amount is a number and a resource.",
                )
            amounts[items.index(item)] = amounts.get(items.index(item), 0) + int(number)
        return tuple(sorted((item, number) for item, number in amounts.items() if number))

    def _frame(self, key: Words, rest: Words) -> None:
        """A rule in progress: its point, and the values it will read."""
        program, (name, label) = self.code.program, key.after("in ").cut(" at ")
        assert label is not None
        rule = self._one(name, "rule", self.known.rules)
        at = self.known.point(rule, label.text)
        if at is None:
            labels = [point.label for point in program.points if point.rule == rule]
            label.unknown("point of the rule", labels)
        live, kinds = program.points[at].live, program.procedures[rule].slots
        values = rest.split(",")
        if len(values) != len(live):
            text = f"Here are {len(values)}."
            rest.fail("E654", f"`{name.text}` keeps {len(live)} things there", text)
        slots = [0] * len(kinds)
        for slot, value in zip(live, values, strict=True):
            slots[slot] = self._value(kinds[slot], value)
        self.lines.frames.append((key, rule, at, slots))
