"""The names that people have for the things of a game, in one language."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache

from targi_dsl.codegen import engine_of
from targi_dsl.engine import Engine
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import Amounts
from targi_dsl.ir.game import Game
from targi_dsl.ir.wordings import DEAL
from targi_dsl.text.languages import ENGLISH, Language, words_of
from targi_dsl.text.suggestions import did_you_mean

_KEPT = 16  # games whose names are cached
_AMOUNT = re.compile(r"(\d+) (\w+)")
_FIELD = re.compile(r"\{(\w+)\}")


def amounts_dealt(text: str) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """What is given and what is taken, in a text as in the ids of choices; else nothing."""
    match = DEAL.fullmatch(text)
    given, taken = (match["given"], match["taken"] or "") if match is not None else ("", "")
    return _amounts_in(given), _amounts_in(taken)


def _amounts_in(text: str) -> list[tuple[str, int]]:
    return [(name, int(number)) for number, name in _AMOUNT.findall(text)]


class Naming:
    """The names for one game; a card without a name in the language has its English name, or its
    id.
    """

    def __init__(self, game: Game, language: Language = ENGLISH) -> None:
        self.game, self.language = game, language
        self.say, self.count = language.say, language.count
        self.domains = engine_of(game).code.domains
        self._entries = {card.entry: number for number, card in enumerate(game.cards)}
        self._abilities = {
            ability.name: ability.card for ability in game.abilities if ability.card != NOTHING
        }
        self._amounts = {*game.resources, *(group for group, _ in game.groups)}
        self._known: dict[str, str] = {}
        self._alike = defaultdict[tuple[str, int], list[int]](list)
        for number, piece in enumerate(game.pieces):
            self._alike[piece.kind, piece.owner].append(number)
        self._sizes = Counter((place.region, place.owner) for place in game.places)
        self.numbers = {card.id: number for number, card in enumerate(game.cards)}

    def nearest(self, name: str, known: Iterable[str]) -> str:
        """The question whether another of these names was meant; "" if none is near."""
        near = did_you_mean(name, known)
        return self.say("Did you mean `{meant}`?", meant=near) if near else ""

    # ---- what is declared ----

    @property
    def title(self) -> str:
        return self.language.word(self.game.title)

    def word(self, name: str) -> str:
        """The words for a name of any sort in the rules."""
        return self.language.word(words_of(name))

    def called(self, sort: str, name: str) -> str:
        """The words for people of a declaration."""
        translated = self.game.called.get(f"{sort} {name}")
        return self.language.word(translated) if translated else self.word(name)

    def seat(self, name: str) -> str:
        return self.word(name)

    def player(self, number: int) -> str:
        return self.seat(self.game.players[number])

    def kind(self, number: int) -> str:
        """A kind of card."""
        return self.called("card", self.game.kinds[number])

    def way(self, label: str, wording: int) -> str:
        """An answer without its thing: its words without blanks, or else its name, which is
        English.
        """
        phrase = self.game.wordings[wording].phrase if wording != NOTHING else None
        if phrase is None:
            return self.deal(words_of(label)) or self.action(label) or self.ability(label)
        if not phrase.blanks:
            return self.language.word(phrase.text)
        return words_of(label) if self.language.is_english else ""

    def score(self, name: str) -> str:
        """A part of the score; for what a card scores, the card."""
        return self.action(name) or self.called("score", name)

    # ---- cards ----

    def card(self, number: int) -> str:
        """A card's name."""
        card = self.game.cards[number]
        return self._card_text(number, card.names) or self.language.word(card.id)

    def short(self, number: int) -> str:
        """A card's name for narrow columns."""
        short = self.game.cards[number].shorts.get(self.language.code, "")
        return self._fill_fields(number, short) or self.card(number)

    def text(self, number: int) -> str:
        """The text printed on a card, if the card file has one."""
        return self._card_text(number, self.game.cards[number].texts)

    def _card_text(self, number: int, texts: Mapping[str, str]) -> str:
        """A card's text in this language, or else the translation of its English text."""
        own = texts.get(self.language.code, "")
        return self._fill_fields(number, own) or self.language.word(texts.get("en", ""))

    def _fill_fields(self, number: int, text: str) -> str:
        """The text of a card of a series, with its values in place of the fields in braces."""
        fields = self.game.cards[number].fields
        return _FIELD.sub(lambda match: self.word(str(fields.get(match[1], ""))), text)

    def back(self, number: int) -> str:
        """A card of which only the back is visible."""
        kind = self.game.cards[number].kind
        return self.kind(kind) if kind != NOTHING else self.say("card")

    def action(self, rule: str) -> str:
        """The card whose action a rule is; nothing if it is not an action."""
        at = self._entries.get(rule)
        return self.card(at) if at is not None else ""

    def ability(self, name: str) -> str:
        """An ability, named by its card."""
        return (
            self.card(self._abilities[name]) if name in self._abilities else self.thing_named(name)
        )

    # ---- places ----

    def region(self, number: int) -> str:
        """The region that a place is, or lies in."""
        place = self.game.places[number]
        return self.called("zone" if place.is_zone else "space", place.region)

    def place(self, number: int) -> str:
        """A place with the region it lies in and its owner."""
        place = self.game.places[number]
        if place.is_zone:
            _, of, whose = place.name.partition(" of ")
            return self._of(self.region(number), self.word(whose) if of else "")
        whose = self.player(place.owner) if place.owner != NOTHING else ""
        return self._of(self.own_place(number), whose)

    def own_place(self, number: int) -> str:
        """A place without its owner; the only space of a region needs no number."""
        place, region = self.game.places[number], self.region(number)
        is_alone = self._sizes[place.region, place.owner] == 1
        return region if place.is_zone or is_alone else f"{region} {self.word(place.label)}"

    # ---- pieces ----

    def piece(self, kind: str, owner: int) -> str:
        """A kind of piece and its owner."""
        return self._of(self.called("piece", kind), self.player(owner) if owner != NOTHING else "")

    def single_piece(self, number: int) -> str:
        """One piece, with its number among interchangeable ones."""
        piece = self.game.pieces[number]
        alike = self._alike[piece.kind, piece.owner]
        numbered = f" {alike.index(number) + 1}" if len(alike) > 1 else ""
        whose = self.player(piece.owner) if piece.owner != NOTHING else ""
        return self._of(self.called("piece", piece.kind) + numbered, whose)

    def _of(self, thing: str, owner: str) -> str:
        return self.say("{thing} of {owner}", thing=thing, owner=owner) if owner else thing

    # ---- amounts ----

    def item(self, name: str, number: int) -> str:
        """A resource or group in the form that follows a number."""
        if name not in self._amounts:
            return self.word(name)
        return self.language.amount(words_of(self.game.singular(name)), words_of(name), number)

    def amount(self, name: str, number: int) -> str:
        return f"{number} {self.item(name, number)}"

    def amounts(self, pairs: Amounts) -> str:
        """Amounts, such as "2 apples, 1 nut"."""
        known = ((self.domains.item(item), number) for item, number in pairs if number)
        return ", ".join(self.amount(*amount) for amount in known) or self.say("nothing")

    def deal(self, text: str) -> str:
        """Amounts written as in the ids of choices, or an exchange of some for others; nothing for
        any other text.
        """
        match = DEAL.fullmatch(text)
        if match is None:
            return ""
        paid, gained = (
            ", ".join(self.amount(name, int(number)) for name, number in amounts)
            for amounts in amounts_dealt(text)
        )
        match match["verb"], bool(gained):
            case "pay ", True:
                return self.say("pay {amounts}, for {reward}", amounts=paid, reward=gained)
            case "pay ", False:
                return self.say("pay {amounts}", amounts=paid)
            case "gain ", _:
                return self.say("gain {amounts}", amounts=paid)
            case _, True:
                return self.say("{given} for {taken}", given=paid, taken=gained)
            case _:
                return paid

    def either(self, ways: Iterable[str]) -> str:
        """Alternatives joined by "or"."""
        return f" {self.say('or')} ".join(ways)

    def price(self, number: int) -> str:
        """A price of the game's list; nothing is free."""
        if number == NOTHING:
            return self.say("nothing")
        ways = self.game.prices[number].alternatives
        return self.either(self._together(way) if ways[1:] else self.amounts(way) for way in ways)

    def _together(self, pairs: Amounts) -> str:
        """Amounts of one of several alternatives, joined so as not to read as alternatives."""
        *others, last = [self.amounts((pair,)) for pair in pairs if pair[1]] or [
            self.say("nothing")
        ]
        if not others:
            return last
        return self.say("{others} and {last}", others=", ".join(others), last=last)

    # ---- any of these ----

    def of(self, kind: t.Type, number: int) -> str:
        """The name of a thing of this type."""
        match kind:
            case t.Truth():
                return self.say("yes") if number else self.say("no")
            case t.Number():
                return str(number)
            case _ if number == NOTHING:
                return self.say("nothing")
            case t.Card():
                return self.card(number)
            case t.Place():
                return self.place(number)
            case t.Piece():
                return self.single_piece(number)
            case _:
                return self.word(self.domains.name(kind, number))

    def thing_named(self, name: str) -> str:
        """The thing that has this name in events."""
        if not self._known:
            self._known = dict(self._names())
        return self._known.get(name) or self.word(name)

    def _names(self) -> Iterable[tuple[str, str]]:
        game = self.game
        yield from ((word, self.say(word)) for word in ("nothing", "yes", "no"))
        for number in range(len(game.cards)):
            yield self.domains.word(t.Card(), number), self.card(number)
        yield from ((f"?{kind}", f"?{self.kind(at)}") for at, kind in enumerate(game.kinds))
        yield from (
            (variable.name, self.called("variable", variable.name)) for variable in game.variables
        )
        yield from ((piece.name, self.single_piece(at)) for at, piece in enumerate(game.pieces))
        yield from ((place.name, self.place(at)) for at, place in enumerate(game.places))


@lru_cache(_KEPT)
def in_english(engine: Engine) -> Naming:
    """The English names of an engine's game."""
    return Naming(engine.game)
