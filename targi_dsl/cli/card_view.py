"""Finds a card by any of its names, and shows everything printed on it."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.api.naming import spoken
from targi_dsl.display.view import View
from targi_dsl.display.words import Words
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import in_one_line
from targi_dsl.text.suggestions import did_you_mean


def called(words: Words, name: str) -> tuple[int, ...]:
    """The cards with this id, name in any language, or short name; of equal copies only the
    first.
    """
    wanted, ways = name.casefold(), dict[int, int]()
    for number, card in enumerate(words.game.cards):
        known = (card.id, words.card(number), *card.shorts.values(), *card.names.values())
        if wanted in map(str.casefold, known):
            ways.setdefault(card.same, number)
    return tuple(ways.values())


def card_text(view: View, name: str) -> Iterator[str]:
    """The known facts about a card, given by its name or by its place."""
    game, words = view.game, view.words
    numbers = called(words, name) or _lying_on(view, name)
    if not numbers:
        known = [word for card in game.cards for word in (card.id, *card.names.values())]
        known += map(words.card, range(len(game.cards)))
        lines = [words.say("There is no card `{name}` to be seen.", name=name)]
        if meant := did_you_mean(name, known):
            lines.append(words.say("Did you mean `{meant}`?", meant=meant))
        yield " ".join(lines)
    for number in numbers:
        yield from about(words, number)
        if view.knows(number) and (place := view.place_of(number)) != NOTHING:
            yield f"  {words.say('lies: {place}', place=words.place(place))}"


def _lying_on(view: View, name: str) -> tuple[int, ...]:
    """The known top cards of places with this name or address."""
    wanted, words = name.casefold(), view.words
    tops = [
        next(view.cards(place), NOTHING)
        for place, address in enumerate(words.addresses)
        if wanted in map(str.casefold, (words.place(place), words.own_place(place), address))
    ]
    return tuple(card for card in tops if card != NOTHING and view.knows(card))


def about(words: Words, number: int) -> Iterator[str]:
    """A card's name, kind, fields and text."""
    card, game = words.game.cards[number], words.game
    copies = sum(other.same == card.same for other in game.cards)
    alike = f" ({words.say('{number} alike', number=copies)})" if copies > 1 else ""
    head = words.say("{card}, a {kind}", card=words.card(number), kind=words.back(number))
    yield head + alike
    if words.language.is_english:
        said = (one for one in card.fields.items() if words.is_said(number, one[1]))
        yield from (f"  {spoken(name)}: {in_one_line(value)}" for name, value in said)
    else:
        brief = words.brief(number)
        yield from (f"  {text[0]}" for text in (brief.marks, brief.deal) if text and text[0])
    if words.text(number):
        yield f"  {words.text(number)}"
    for ability in game.abilities:
        if ability.card == number and ability.missing:
            text = "No effect here: this game has no `{missing}`."
            yield f"  {words.say(text, missing=ability.missing)}"
