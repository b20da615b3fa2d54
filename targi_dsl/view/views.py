"""Makes the view of an observation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from msgspec.structs import replace

from targi_dsl.api.clues import clues_about
from targi_dsl.information.observation import HIDDEN, Observation
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import Variable
from targi_dsl.view.equipment import equipment, slots_of_values
from targi_dsl.view.offers import Answers
from targi_dsl.view.phrases import passed_by_turns, players_out
from targi_dsl.view.questions import question
from targi_dsl.view.seen import Seen
from targi_dsl.view.shape import Card, Contents, News, Outcome, Ref, Value, View
from targi_dsl.view.words import Words


def view(
    observation: Observation,
    words: Words,
    viewers: tuple[str, ...] | None = None,
    news: Iterable[News] = (),
    outcome: Outcome | None = None,
) -> View:
    """The view of an observer, in the language of the words. It depends on the arguments alone, so
    it is equal for positions that the observer cannot distinguish.

    viewers: the seats that look together, if not the observer alone; they see what all of them
    know.
    """
    seen = Seen(observation, words)
    game, answers = seen.game, Answers(seen)
    if viewers is None:
        viewers = (observation.seat,) if observation.seat in game.players else ()
    offers = answers.offers()
    return View(
        viewers,
        observation.turn or "",
        dict(_places(seen)),
        tuple(_names(seen, NOTHING)),
        {player: _amounts(seen, number) for number, player in enumerate(game.players)},
        {key: _value(seen, one, slot) for slot, one, key in slots_of_values(game)},
        question(answers.phrases, offers),
        offers,
        tuple(news),
        outcome,
        players_out(answers.engine, observation.vector),
        next(reversed(passed_by_turns(answers.engine, observation.vector).values()), ()),
    )


def _amounts(seen: Seen, player: int) -> dict[str, int]:
    """A player's amounts by resource, without zeros."""
    amount = seen.observation.position.amount
    have = ((name, amount(at, player)) for at, name in enumerate(seen.game.resources))
    return {name: number for name, number in have if number}


def _places(seen: Seen) -> Iterator[tuple[str, Contents]]:
    """The contents of places that are not empty. Equal unknown cards in a row form one entry; a
    known, unordered hand is sorted.
    """
    values, infos = _values(seen), equipment(seen.words).places
    for number, place in enumerate(seen.game.places):
        if place.is_box:
            continue
        lying = [*seen.cards(number)]
        is_ordered = infos[place.name].is_ordered
        if place.seen == "owner" and not is_ordered and all(map(seen.knows, lying)):
            lying.sort()
        cards = groupby(_card(seen, card) for card in lying)
        found = Contents(
            tuple(replace(card, count=sum(1 for _ in alike)) for card, alike in cards),
            tuple(_names(seen, number)),
            tuple(seen.amounts_on(t.Place, number)),
            tuple(values.get(number, ())),
        )
        if found != Contents():
            yield place.name, found


def _names(seen: Seen, place: int) -> Iterator[str]:
    """The pieces on a place, or off the board."""
    return (seen.game.pieces[one].name for one in seen.observation.position.pieces_on(place))


def _card(seen: Seen, card: int) -> Card:
    info, is_down = seen.game.cards[card], not seen.observation.position.is_face_up(card)
    back = seen.game.kinds[info.kind] if info.kind != NOTHING else ""
    known_to = seen.observation.position.knowing(card)
    is_open = known_to == (1 << len(seen.game.players)) - 1
    clues = "" if is_open else clues_about(seen.words, seen.observation.vector, card)
    if not seen.knows(card):
        return Card("", back, clues, is_down)
    return Card(info.id, back, clues, is_down, tuple(seen.amounts_on(t.Card, card)))


def _values(seen: Seen) -> dict[int, list[Value]]:
    """The values of variables of spaces, by place. Zero, no and nothing are omitted, except for
    numbers that start at another value.
    """
    found: dict[int, list[Value]] = {}
    for one in seen.game.variables:
        if not (one.is_of_spaces and one.each):
            continue
        for at, place in enumerate(seen.words.domains.of(one.each).members):
            value = _value(seen, one, one.base + at)
            is_told = value.hidden or value.number or value.id not in ("", "no")
            if is_told or (one.start and isinstance(one.type, t.Number)):
                shown = replace(value, text="") if value.sort == "truth" else value
                found.setdefault(place, []).append(shown)
    return found


def _value(seen: Seen, one: Variable, slot: int) -> Value:
    """The value in a slot of a variable."""
    pools = [other.pool for other in seen.game.variables if one.pool]
    name = one.pool if pools.count(one.pool) == 1 else one.name
    name, number = seen.words.called("variable", name), seen.observation.vector[slot]
    if slot in seen.observation.hidden:
        return Value(name, HIDDEN, hidden=True)
    is_card = isinstance(one.type, t.Card) and number != NOTHING
    text = seen.card(number) if is_card else seen.words.of(one.type, number)
    ref = Ref("resource", one.holds, number=number) if one.holds else seen.ref(one.type, number)
    return Value(name, text, ref.sort, ref.id, ref.number) if ref is not None else Value(name, text)
