"""All that one viewer sees of a table, as one plain value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from msgspec.structs import replace

from targi_dsl.api.told import clues_about
from targi_dsl.information.observation import HIDDEN, Observation
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import Variable
from targi_dsl.view.equipment import equipment, slots_of_values
from targi_dsl.view.offers import Answers
from targi_dsl.view.questions import question
from targi_dsl.view.seen import Seen
from targi_dsl.view.shape import Amount, Card, Contents, News, Outcome, Value, View
from targi_dsl.view.words import Words


def view(
    observation: Observation,
    words: Words,
    viewers: tuple[str, ...] | None = None,
    news: Iterable[News] = (),
    outcome: Outcome | None = None,
) -> View:
    """All that an observer sees, in the language of the words. It depends on nothing but what it is
    given, so it is equal wherever the observer cannot tell positions apart.

    viewers: the seats that look together, if they are not the observer alone; what they see is
    what everybody knows.
    """
    seen = Seen(observation, words)
    game, position, answers = seen.game, observation.position, Answers(seen)
    if viewers is None:
        viewers = (observation.seat,) if observation.seat in game.players else ()
    offers = answers.offers()
    places = {
        place.name: found
        for number, place in enumerate(game.places)
        if not place.is_box and (found := _contents(seen, number)) != _EMPTY
    }
    return View(
        equipment(words),
        viewers,
        observation.turn or "",
        places,
        tuple(game.pieces[one].name for one in position.pieces_on(NOTHING)),
        {
            player: {
                name: have
                for at, name in enumerate(game.resources)
                if (have := position.amount(at, number))
            }
            for number, player in enumerate(game.players)
        },
        {key: _value(seen, one, slot) for slot, one, key in slots_of_values(game)},
        question(answers.phrases, offers),
        offers,
        tuple(news),
        outcome,
    )


_EMPTY = Contents()


def _contents(seen: Seen, place: int) -> Contents:
    """What lies on a place; equal unknown cards in a row as one entry."""
    cards = groupby(_card(seen, card) for card in seen.cards(place))
    grouped = ((card, sum(1 for _ in alike)) for card, alike in cards)
    return Contents(
        tuple(replace(card, count=count) for card, count in grouped),
        tuple(seen.game.pieces[piece].name for piece in seen.pieces(place)),
        tuple(Amount(name, have) for have, name in seen.amounts_on(t.Place, place)),
        tuple(_values_on(seen, place)),
    )


def _card(seen: Seen, card: int) -> Card:
    info, is_down = seen.game.cards[card], not seen.face_up(card)
    back = seen.game.kinds[info.kind] if info.kind != NOTHING else ""
    if not seen.knows(card):
        return Card("", back, clues_about(seen.words, seen.observation.vector, card), is_down)
    held = tuple(Amount(name, have) for have, name in seen.amounts_on(t.Card, card))
    return Card(info.id, back, "", is_down, held)


def _values_on(seen: Seen, place: int) -> Iterator[Value]:
    """The values of a space in words, without what is zero, no or nothing."""
    for one in seen.game.variables:
        members = seen.words.domains.of(one.each).members if one.is_of_spaces and one.each else ()
        if place in members:
            value = _value(seen, one, one.base + members.index(place))
            if value.hidden or value.number or value.id not in ("", "no"):
                yield replace(value, text="") if value.sort == "truth" else value


def _value(seen: Seen, one: Variable, slot: int) -> Value:
    """The value in a slot of a variable."""
    name, number = seen.words.called("variable", one.name), seen.observation.vector[slot]
    if slot in seen.observation.hidden:
        return Value(name, HIDDEN, hidden=True)
    is_card = isinstance(one.type, t.Card) and number != NOTHING
    text = seen.card(number) if is_card else seen.words.of(one.type, number)
    ref = seen.ref(one.type, number)
    return Value(name, text, ref.sort, ref.id, ref.number) if ref is not None else Value(name, text)
