"""The things of a game in words: names in a language, and the fields of a card in brief."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from targi_dsl.codegen import engine_of
from targi_dsl.display.ink import columns, cut, words, written
from targi_dsl.display.looks import look_of
from targi_dsl.engine.code import Value
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.ir.wordings import Blank

_LETTERS = 3  # of the abbreviation of a word, if that tells it from the others


_PLAIN = {"done": "nothing more", "decline": "leave it"}


def spoken(name: str) -> str:
    """A name of the rules as words."""
    return name.replace("_", " ")


_BRACKETS = ("[]", "()", "<>", "{}", "||", "//", "!!", "##")


@dataclass(frozen=True, slots=True)
class Brief:
    """What a card's fields say. marks: what it counts as and is worth, from long to short. deal:
    what it costs or does,
    power: its ability; both from long to short."""

    marks: tuple[str, ...]
    deal: tuple[str, ...]
    power: tuple[str, ...]


class Words:
    """The words for one game, cards by their names in one language as far as they have one."""

    def __init__(self, game: Game, language: str = "en") -> None:
        self.game = game
        self.language = language
        self.domains = engine_of(game).code.domains
        self._items = _abbreviations(
            [*game.resources, *(name for name, _ in game.groups)], _LETTERS
        )
        self._values = {
            word: short
            for _, members in game.values
            for word, short in _abbreviations(members, _LETTERS).items()
        }
        keys = dict.fromkeys(
            key
            for card in game.cards
            for key, value in card.fields.items()
            if isinstance(value, int)
        )
        self._keys = _abbreviations([key for key in keys if key != _NUMBER], 1)
        self._powers: dict[int, list[str]] = {}
        for ability in game.abilities:
            self._powers.setdefault(ability.card, []).append(ability.text)
        self._entries = {card.entry: number for number, card in enumerate(game.cards)}
        self._abilities = {one.name: one.card for one in game.abilities if one.card != NOTHING}
        self._briefs: dict[int, Brief] = {}
        self._values_of: dict[int, Value] = {}
        self.numbers = {card.id: number for number, card in enumerate(game.cards)}
        self.marks = _marks(game)

    def card(self, number: int) -> str:
        """A card's name."""
        card = self.game.cards[number]
        return card.names.get(self.language) or card.names.get("en") or card.id

    def short(self, number: int) -> str:
        """A card's name for narrow places."""
        shorts = self.game.cards[number].shorts
        return shorts.get(self.language) or shorts.get("en") or self.card(number)

    def text(self, number: int) -> str:
        """What is printed on a card, if the card file says so."""
        texts = self.game.cards[number].texts
        return texts.get(self.language) or texts.get("en") or ""

    def back(self, number: int) -> str:
        """A card of which only the back is seen."""
        kind = self.game.cards[number].kind
        return spoken(self.game.kinds[kind]) if kind != NOTHING else "card"

    def called(self, sort: str, name: str) -> str:
        """The words for people of what is declared."""
        return self.game.called.get(f"{sort} {name}") or spoken(name)

    def region(self, number: int) -> str:
        """The region that a place is, or lies in."""
        place = self.game.places[number]
        return self.called("zone" if place.is_zone else "space", place.region)

    def place(self, number: int) -> str:
        """A place with the region it lies in."""
        place = self.game.places[number]
        if place.is_zone:
            return spoken(place.name).replace(spoken(place.region), self.region(number), 1)
        whose = f" of {self.game.players[place.owner]}" if place.owner != NOTHING else ""
        return f"{self.region(number)} {place.label}{whose}"

    def action(self, rule: str) -> str:
        """The card whose action a rule is; nothing if it is none."""
        at = self._entries.get(rule)
        return self.card(at) if at is not None else ""

    def answer(self, label: str) -> str:
        """An answer without words of its own; an ability is called like its card, with its text."""
        if label not in self._abilities:
            return _PLAIN.get(label) or self.action(label) or spoken(label)
        card = self._abilities[label]
        power = self.brief(card).power
        return f"{self.card(card)}: {power[0]}" if power else self.card(card)

    def price(self, number: int) -> str:
        """A price of the game's list; nothing is free."""
        if number == NOTHING:
            return "nothing"
        ways = self.game.prices[number].alternatives
        return " or ".join(self.domains.amounts(way) for way in ways)

    def value(self, blank: Blank) -> Value:
        """What gives the value that stands in words."""
        if id(blank) not in self._values_of:
            value = engine_of(self.game).guards.expressions.value(blank.value)
            self._values_of[id(blank)] = value
        return self._values_of[id(blank)]

    def of(self, kind: t.Type, number: int) -> str:
        """The name of a thing of this type."""
        if number != NOTHING and isinstance(kind, t.Card):
            return self.card(number)
        if number != NOTHING and isinstance(kind, t.Place):
            return self.place(number)
        return spoken(self.domains.name(kind, number))

    def brief(self, number: int) -> Brief:
        """A card's fields in brief."""
        if number not in self._briefs:
            self._briefs[number] = self._in_brief(number)
        return self._briefs[number]

    def _in_brief(self, number: int) -> Brief:
        long, middle, short = list[str](), list[str](), list[str]()
        deals, powers = list[str](), list[str]()
        for key, value in self.game.cards[number].fields.items():
            if key == _NUMBER:
                continue
            if isinstance(value, bool):
                long += [spoken(key)] * value
            elif isinstance(value, int):
                long.append(f"{value} {spoken(key)}")
                middle.append(f"{value}{self._keys[key]}")
                short.append(f"{value}{self._keys[key]}")
            elif any(power in value for power in self._powers.get(number, ())):
                powers += self._powers[number]
            elif value.startswith("["):
                long += [f"{spoken(key)} {spoken(value[1:-1])}"] if value != "[]" else []
            elif value in self._values:
                long.append(spoken(value))
                middle.append(spoken(value))
                short.append(self._values[value])
            else:
                deals.append(value)
        star = ["*"] if powers else []
        marks = (
            " ".join([", ".join(long), *star]).strip(),
            " ".join(middle) + "".join(star),
            " ".join(short) + "".join(star),
        )
        printed = self.text(number)
        bare = printed and all(_BARE.fullmatch(deal) for deal in deals)
        deal = (printed,) if deals and bare else self.squeezed("; ".join(deals))
        return Brief(marks, deal, self.squeezed("; ".join(powers)))

    def squeezed(self, text: str) -> tuple[str, ...]:
        """A price or an action from long to short."""
        for pattern, instead in _PLAINER:
            text = re.sub(pattern, instead, text)
        text = text.strip()
        tight = re.sub(
            r"\b(\d+) ([a-z_]+)\b",
            lambda found: found[1] + self._items.get(found[2], f" {found[2]}"),
            text,
        ).replace(", ", " ")
        tighter = re.sub(" ?([/>|]) ?", r"\1", tight)
        return tuple(dict.fromkeys(spoken(one) for one in (text, tight, tighter)))


_NUMBER = "number"
_BARE = re.compile(r"do [a-z_]+( with [a-z_, ]+)?")
"""An action that is nothing but a rule's name: what is printed on the card says more."""

_PLAINER = (
    (r"^(always|at end)[:,] ", ""),
    (r"\b(any number of times:?|one of|of one|do|with)(?!\w) ?", ""),
    (r"[(){}]", ""),
    (r"\bgain (\d)", r"+\1"),
    (r"\bgain\b", "+"),
    (r" and ", ", "),
    (r" or | \| ", " / "),
    (r" -> ", " > "),
)
"""What is left out of a text of the rules to have it in brief."""


def widest(texts: Iterable[str], room: int) -> str:
    """The first of these texts that fits, else the last of them cut."""
    last = ""
    for last in texts:
        if columns(last) <= room:
            return last
    return cut(last, room)


def in_lines(texts: Iterable[str], room: int, most: int) -> list[str]:
    """The first of these texts that fits into one line, else the first that fits into so many, else
    the last cut.
    """
    texts = tuple(texts)
    if not texts or (short := widest(texts, room)) in texts:
        return [short] if texts else []
    broken = [
        [written(part, colour=False, plain=False) for part in words(text, room)] for text in texts
    ]
    if fitting := next((lines for lines in broken if len(lines) <= most), None):
        return fitting
    *lines, last = broken[-1][:most]
    return [*lines, cut(f"{last}…", room) if columns(last) < room else cut(f"{last}  ", room)]


def _abbreviations(words: Iterable[str], letters: int) -> dict[str, str]:
    """For each word its shortest beginning, of so many letters at least, that no other word has."""
    known = list(dict.fromkeys(words))
    found = {}
    for word in known:
        others = [one for one in known if one != word]
        lengths = range(min(letters, len(word)), len(word) + 1)
        found[word] = next(
            (word[:n] for n in lengths if not any(one.startswith(word[:n]) for one in others)), word
        )
    return found


def initials(words: Iterable[str]) -> dict[str, str]:
    """For each word its shortest beginning that no other has, in capitals."""
    return {word: short.upper() for word, short in _abbreviations(words, 1).items()}


def letters(game: Game, names: Iterable[str]) -> dict[str, str]:
    """The letter of each of these things: declared, or else its initials."""
    return {name: look_of(game, name).letter or one for name, one in initials(names).items()}


def _marks(game: Game) -> dict[tuple[str, int], str]:
    """The mark of each kind of piece and owner: the letter of the owner, or of the kind;
    each kind in its own brackets, if there are several or cards to tell it from.
    """
    owned = list(dict.fromkeys(piece.kind for piece in game.pieces if piece.owner != NOTHING))
    kinds = list(dict.fromkeys([*owned, *(piece.kind for piece in game.pieces)]))
    seats, things = letters(game, game.players), letters(game, kinds)
    is_bare = len(kinds) == 1 and not game.cards
    found = {}
    for piece in game.pieces:
        pair = _BRACKETS[kinds.index(piece.kind) % len(_BRACKETS)]
        inner = things[piece.kind] if piece.owner == NOTHING else seats[game.players[piece.owner]]
        found[piece.kind, piece.owner] = inner if is_bare else f"{pair[0]}{inner}{pair[-1]}"
    return found
