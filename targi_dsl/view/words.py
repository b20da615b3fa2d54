"""A game in words of a language: names, and versions of costs, effects and marks of cards, from
full texts to abbreviations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from targi_dsl.api.naming import Naming
from targi_dsl.codegen import engine_of
from targi_dsl.engine.expressions import Value
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import FieldValue
from targi_dsl.ir.game import Game
from targi_dsl.ir.look import PLAIN
from targi_dsl.ir.wordings import Blank
from targi_dsl.syntax import ast as n
from targi_dsl.syntax import parse_ability, parse_action, parse_cost
from targi_dsl.text.languages import ENGLISH, Language, message, words_of
from targi_dsl.text.source import Source
from targi_dsl.view.shape import Amount, Face, Field

_Part = str | tuple[int, str]
"""Literal text, or an amount of a resource."""
_Parts = tuple[_Part, ...]

_PLUS, _FOR = message("plus"), message("for")
_AND, _OR, _GIVES = ", ", " / ", " > "
_CLOSER = {_AND: " "}
_CLOSEST = {_AND: " ", _OR: "/", _GIVES: ">"}


class ShortTexts:
    """Shortens sentences on cards that consist of amounts and prices. items: the abbreviations of
    resources.
    """

    def __init__(self, names: Naming, items: Mapping[str, str]) -> None:
        self.names, self.items = names, items
        cards, abilities = names.game.cards, names.game.abilities
        self._costs = {str(card.fields[key]) for card in cards for key in card.prices}
        self._abilities = {ability.text for ability in abilities}
        self.parts = cache(self._parts)
        """A sentence as literal text and amounts; None if it contains anything else. Cached."""

    def is_said(self, text: str) -> bool:
        """Whether a sentence consists of amounts and prices."""
        return self.parts(text) is not None

    def versions(self, texts: Iterable[str]) -> tuple[str, ...]:
        """Versions of sentences from long to short; none if one of them cannot be shortened and the
        language is not English.
        """
        known = [(text, self.parts(text)) for text in texts]
        if not (self.names.language.is_english or all(parts is not None for _, parts in known)):
            return ()
        versions = (
            "; ".join(
                words_of(text) if parts is None else self._write(parts, signs, is_short)
                for text, parts in known
            )
            for signs, is_short in (({}, False), (_CLOSER, True), (_CLOSEST, True))
        )
        return tuple(dict.fromkeys(versions))

    def _write(self, parts: _Parts, signs: Mapping[str, str], is_short: bool) -> str:
        return "".join(
            signs.get(part, part) if isinstance(part, str) else self._amount(*part, is_short)
            for part in parts
        )

    def _amount(self, number: int, item: str, is_short: bool) -> str:
        return f"{number}{self.items[item]}" if is_short else self.names.amount(item, number)

    def _parts(self, text: str) -> _Parts | None:
        try:
            return tuple(self._read(text))
        except _Unsaid:
            return None

    def _read(self, text: str) -> Iterator[_Part]:
        source = Source("", text)
        if text in self._costs:
            return self._price(parse_cost(source)[0])
        if text in self._abilities:
            return self._ability(parse_ability(source)[0])
        return self._block(parse_action(source)[0] or ())

    def _ability(self, ability: n.Ability | None) -> Iterator[_Part]:
        match ability:
            case n.Ability((n.Always() | n.AtEnd(),), n.EffectBody(block)):
                return self._block(block)
            case _:
                raise _Unsaid

    def _block(self, block: n.Block) -> Iterator[_Part]:
        match block:
            case (n.Gain(n.Price() as price),):
                yield "+"
                yield from self._price(price)
            case (n.Exchange(give, take),):
                yield from self._amounts(give)
                yield _GIVES
                yield from self._price(take)
            case (n.Times(None, None, body),):
                yield from self._block(body)
            case (n.OneOf(alternatives, ()),):
                for number, one in enumerate(alternatives):
                    yield from (_OR,) * (number > 0)
                    match one:
                        case n.Alternative(None, None, None, None, None, body):
                            yield from self._block(body)
                        case _:
                            raise _Unsaid
            case _:
                raise _Unsaid

    def _price(self, price: n.Price | None) -> Iterator[_Part]:
        if price is None:
            raise _Unsaid
        for number, amounts in enumerate(price.alternatives):
            yield from (_OR,) * (number > 0)
            yield from self._amounts(amounts)
        if price.extra:
            yield f" {self.names.say(_PLUS)} "
            yield from self._amounts(price.extra)
            yield f" {self.names.say(_FOR)} "
            yield from self._amounts(price.reward)

    def _amounts(self, amounts: tuple[n.Amount, ...]) -> Iterator[_Part]:
        for number, amount in enumerate(amounts):
            yield from (_AND,) * (number > 0)
            match amount:
                case n.Amount(n.Number(count), n.Word(name), "one" | ""):
                    item = self.names.game.item_of(name)
                    if item not in self.items:
                        raise _Unsaid
                    yield count, item
                case _:
                    raise _Unsaid


class _Unsaid(Exception):
    """A sentence contains more than amounts and prices."""


_NUMBER = "number"
_NO_MARKS = "", "", ""
ONE_OF_EACH_FORM = (1, 2, 5)
"""Numbers that cover all plural forms of the supported languages."""
_LETTERS = 3  # of an abbreviation, where that is unambiguous


_PLAIN = {
    **{one: one for one in (message("gain"), message("put"), message("nothing"))},
    "done": message("nothing more"),
    "decline": message("leave it"),
}


class Words(Naming):
    """The words for one game in one language, and the faces of its cards."""

    def __init__(self, game: Game, language: Language = ENGLISH) -> None:
        super().__init__(game, language)
        groups = (name for name, _ in game.groups)
        self.items = _short_names(self, [*game.resources, *groups], _LETTERS)
        self.values = {
            name: short
            for _, members in game.values
            for name, short in _short_names(self, members, _LETTERS).items()
        }
        labels = (place.label for place in game.places if not place.is_zone)
        named = {name: self.word(name) for name in (*game.players, *labels)}
        self.names = {**named, **self.items, **self.values}
        """The short forms of values of fields that are names."""
        numbers = [
            (number, key, str(value))
            for number, card in enumerate(game.cards)
            for key, value in card.fields.items()
            if isinstance(value, int)
        ]
        self.keys = _short_names(self, [key for _, key, _ in numbers if key != _NUMBER], 1)
        numbered = {
            (game.cards[number].kind, key, value in self.card(number).split())
            for number, key, value in numbers
        }
        self._named = {(*one,) for *one, said in numbered if said and (*one, False) not in numbered}
        """The number fields (kind, key) whose value is part of every card's name."""
        self._order: dict[int, dict[str, None]] = {}
        """The fields shown for each kind of card, in a common order."""
        for card in game.cards:
            shows = game.look.get(game.kinds[card.kind], PLAIN).shows if card.kind >= 0 else ()
            self._order.setdefault(card.kind, {}).update(dict.fromkeys(shows or card.fields))
        self._powers: dict[int, list[str]] = {}
        for ability in game.abilities:
            self._powers.setdefault(ability.card, []).append(ability.text)
        self.exchanges = {one.id: one for one in game.program.exchanges}
        self.face = cache(self._face)
        """The face of a card, by number; cached."""
        self._computed: dict[int, Value] = {}
        self._texts = ShortTexts(self, self.items)
        self.addresses = _addresses(self)
        """The label of each place; where another region has the same one, after the beginning of
        the region's name.
        """
        self.numbered = _is_numbered(game)
        """Whether a number alone can name something of the game: a space, or a choice."""

    def answer(self, label: str, chosen: str = "") -> str:
        """An answer without a wording; for an ability, its card's name with the ability."""
        card = self.card_of(label)
        if card == NOTHING:
            action, thing = self._plain(label), self.word(chosen)
            if thing and label == self.game.rules[self.game.round].name:
                return thing
            return self.language.labelled(action, thing) if thing else action
        power = self.face(card).power
        return self.language.labelled(self.card(card), power[0]) if power else self.card(card)

    def card_of(self, label: str) -> int:
        """The number of the card whose ability an answer uses, or NOTHING."""
        return self._abilities.get(label, NOTHING)

    def exchange(self, id_: str) -> str:
        """A free exchange in words."""
        name, one = id_.partition(" ")[0], self.exchanges[id_]
        if f"exchange {name}" in self.game.called:
            return self.called("exchange", name)
        given, taken = self.amounts(one.give), self.amounts(one.take)
        return self.say("exchange {given} for {taken}", given=given, taken=taken)

    def _plain(self, label: str) -> str:
        if label in _PLAIN:
            return self.say(_PLAIN[label])
        return self.deal(words_of(label)) or self.action(label) or self.word(label)

    def value(self, blank: Blank) -> Value:
        """The compiled function that evaluates a blank; cached."""
        if id(blank) not in self._computed:
            value = engine_of(self.game).guards.value(blank.value)
            self._computed[id(blank)] = value
        return self._computed[id(blank)]

    def is_said(self, number: int, value: object) -> bool:
        """Whether a field is readable without the rules, or no text on the card explains it."""
        if not self.text(number):
            return True
        if not isinstance(value, str):
            return not isinstance(value, bool)  # a number or a list
        return value in self.names or self._texts.is_said(value)

    def _face(self, number: int) -> Face:
        card, powers = self.game.cards[number], self._powers.get(number, ())
        fields = {key: self._field(number, key, value) for key, value in card.fields.items()}
        shown = [key for key in self._order[card.kind] if key in fields]
        marks = [fields[key][1] for key in shown if key != _NUMBER]
        long, middle, short = ([*filter(None, (one[at] for one in marks))] for at in range(3))
        said = (card.fields[key] for key in shown)
        texts = (one for one in said if isinstance(one, str) and one not in self.names)
        star = "*" if powers else ""
        briefly = (f"{' '.join(one)}{star}" for one in (middle, short))
        return Face(
            card.id,
            self.card(number),
            self.short(number),
            self.game.kinds[card.kind] if card.kind >= 0 else "",
            self.text(number),
            (f"{', '.join(long)} {star}".strip(), *briefly),
            self.in_brief(number, [one for one in texts if not self._is_power(number, one)]),
            self.in_brief(number, powers),
            tuple(field for field, _ in fields.values()),
        )

    def _is_power(self, number: int, value: str | tuple[str, ...]) -> bool:
        return any(power in value for power in self._powers.get(number, ()))

    def _field(self, number: int, key: str, value: FieldValue) -> tuple[Field, tuple[str, ...]]:
        """A field, with its marks from long to short."""
        card, name, powers = self.game.cards[number], self.word(key), self._powers.get(number, ())
        match value:
            case bool():
                said = self.say("yes") if value else self.say("no")
                long = name if value and self.is_said(number, value) else ""
                return Field(key, name, said, "truth", number=int(value)), (long, "", "")
            case int():
                long = self.amount(key, value) if key in self.items else f"{name} {value}"
                marks = long, *[f"{value}{self.keys.get(key, '')}"] * 2
                is_named, said = (card.kind, key) in self._named, str(value)
                return Field(key, name, said, "number", number=value, is_named=is_named), marks
            case str() if value in self.names:
                said, is_thing = self.word(value), value in self.values or value in self.items
                marks = said, said, self.names[value]
                those = (value,) if is_thing else ()
                return Field(key, name, said, "value" if those else "text", values=those), marks
            case _ if self._is_power(number, value):
                said = next(iter(self.in_brief(number, powers)), "")
                return Field(key, name, said), _NO_MARKS
            case tuple():
                said, listed = (joint.join(map(self.word, value)) for joint in ("+", ", "))
                brief = "+".join(self.names.get(one) or self.word(one) for one in value)
                marks = (f"{name} {said}", said, brief) if value else _NO_MARKS
                return Field(key, name, listed, "values", values=value), marks
            case str():
                parts = self._texts.parts(value) or ()
                text = tuple(one if isinstance(one, str) else Amount(*one[::-1]) for one in parts)
                said = next(iter(self.in_brief(number, [value])), "")
                return Field(key, name, said, "text", text, key in card.prices), _NO_MARKS

    def in_brief(self, number: int, texts: Sequence[str]) -> tuple[str, ...]:
        """Versions of sentences from long to short; those that cannot be shortened are replaced by
        the text printed on the card.
        """
        printed, is_english = self.text(number), self.language.is_english
        short = [one for one in texts if self._texts.is_said(one) or (is_english and not printed)]
        brief = self._texts.versions(short)
        if len(short) == len(texts):
            return brief
        return tuple(dict.fromkeys("; ".join(filter(None, (one, printed))) for one in brief))


def _abbreviations(words: Iterable[str], letters: int) -> dict[str, str]:
    """For each word its shortest unique prefix of at least `letters` letters."""
    known = list(dict.fromkeys(words))
    found = {}
    for word in known:
        others = [one for one in known if one != word]
        lengths = range(min(letters, len(word)), len(word) + 1)
        found[word] = next(
            (word[:n] for n in lengths if not any(one.startswith(word[:n]) for one in others)), word
        )
    return found


def _short_names(known: Naming, names: Iterable[str], letters: int) -> dict[str, str]:
    """The abbreviation of each name's word."""
    words = {name: known.word(name) for name in names}
    shorts = _abbreviations(words.values(), letters)
    return {name: shorts[word] for name, word in words.items()}


def letters(known: Naming, names: Mapping[str, str]) -> dict[str, str]:
    """One-letter marks of things: declared ones, or unique initials of their words."""
    shorts = _abbreviations(names.values(), 1)
    look = known.game.look
    return {
        name: look.get(name, PLAIN).letter or shorts[said].upper() for name, said in names.items()
    }


def _is_numbered(game: Game) -> bool:
    names = [place.label for place in game.places]
    names += [name for card in game.cards for name in card.names.values()]
    ways = (way for question in game.program.questions for way in question.ways)
    return any(name.isdecimal() for name in names) or any(
        way.choice is not None and isinstance(way.choice.type, t.Number) for way in ways
    )


def _addresses(known: Naming) -> tuple[str, ...]:
    """Unique labels of places: where regions share labels, all but the first prefix an abbreviation
    of their name. Common regions come first.
    """
    places = known.game.places
    spaces = [number for number, place in enumerate(places) if not place.is_zone]
    spaces.sort(key=lambda number: places[number].owner != NOTHING)
    beginnings = _abbreviations(map(known.region, spaces), 1)
    regions: dict[str, list[int]] = {}
    for number in spaces:
        regions.setdefault(places[number].region, []).append(number)
    taken, prefixes = set[str](), dict[str, str]()
    for region, (first, *others) in regions.items():
        labels = {places[number].label for number in (first, *others)}
        prefixes[region] = f"{beginnings[known.region(first)]} " if labels & taken else ""
        taken |= labels
    return tuple(f"{prefixes.get(place.region, '')}{known.word(place.label)}" for place in places)
