"""A card, looked up by any of its names, with everything that is printed on it."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.display.view import View
from targi_dsl.display.words import Words, spoken
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.text.suggestions import suggestion


def called(game: Game, name: str) -> tuple[int, ...]:
    """The cards with this id, name in any language, or short name; of equal copies only the
    first.
    """
    wanted, found = name.casefold(), dict[int, int]()
    for number, card in enumerate(game.cards):
        if wanted in map(str.casefold, (card.id, *card.shorts.values(), *card.names.values())):
            found.setdefault(card.same, number)
    return tuple(found.values())


def card_text(view: View, name: str) -> Iterator[str]:
    """What is known of a card, given by its name or by the place where it lies."""
    game, words = view.game, view.words
    found = called(game, name) or _lying_on(view, name)
    if not found:
        known = [one for card in game.cards for one in (card.id, *card.names.values())]
        yield f"There is no card `{name}` to be seen. {suggestion(name, known)}".rstrip()
    for number in found:
        yield from about(words, number)
        if view.knows(number) and (place := view.place_of(number)):
            yield f"  lies: {spoken(place)}"


def _lying_on(view: View, name: str) -> tuple[int, ...]:
    """The known top cards of places with this name."""
    wanted = name.casefold()
    tops = [
        next(view.cards(place), NOTHING)
        for place in range(len(view.game.places))
        if wanted in (view.words.place(place).casefold(), view.game.places[place].label.casefold())
    ]
    return tuple(card for card in tops if card != NOTHING and view.knows(card))


def about(words: Words, number: int) -> Iterator[str]:
    """A card's name, kind, fields and text."""
    card, game = words.game.cards[number], words.game
    copies = sum(one.same == card.same for one in game.cards)
    yield f"{words.card(number)}, a {words.back(number)}" + (
        f" ({copies} alike)" if copies > 1 else ""
    )
    for name, value in card.fields.items():
        yield f"  {spoken(name)}: {value}"
    if words.text(number):
        yield f"  {words.text(number)}"
    for ability in game.abilities:
        if ability.card == number and ability.missing:
            yield f"  No effect here: this game has no `{ability.missing}`."
