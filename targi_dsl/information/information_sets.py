"""Cards that a seat does not know: which they are, and the same position with those cards numbered
otherwise.

Cards of one back that the seat does not know are interchangeable. `canonical` numbers them upwards
in the order in which they are met: places in order, top to bottom, then cards that lie nowhere. So
every permutation of what is hidden gives the same vector, and its numbers tell nothing. What
belongs to a card is treated by what it would tell:

- Its place, the card below it and who knows it go with where it lies. So does a variable of each
card, while somebody
  knows the card: that a card in a hand has been there for three rounds was seen by all. Of cards
  that nobody knows, nobody can tell which has which of their values, so these stand in ascending
  order.
- The windows of its abilities and what is stored on it are 0: they belong to abilities, and would
tell the card.
- A variable or a slot of a frame that holds a card goes on holding the card that lies there. A slot
that is written
  before it is read again holds nothing: what is left in it is the past, and before it is first
  written it is card 0.

A number, price or truth that was worked out from a card and kept is open, as is everything that is
not a card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache

from targi_dsl.engine import Engine
from targi_dsl.engine.flow import KEPT, flow_of
from targi_dsl.ir import types as t
from targi_dsl.ir.model import NOTHING, PC, Active, Ask, Game, Store

_ELEMENT = 16  # bits of an option that say which element of its alternative's set, counted from 1


@dataclass(frozen=True, slots=True)
class Belongings:
    """Where the position keeps what belongs to cards or holds cards.

    windows: by card. stored: by card the (resource, slot) pairs. each: for every variable of each
    card its first slot and the cards that have it. holding: slots that hold a card.
    """

    windows: Mapping[int, tuple[int, ...]]
    stored: Mapping[int, tuple[tuple[int, int], ...]]
    each: tuple[tuple[int, tuple[int, ...]], ...]
    holding: tuple[int, ...]


@lru_cache(KEPT)
def belongings_of(engine: Engine) -> Belongings:
    """The belongings of a game's cards."""
    game = engine.game
    windows: dict[int, tuple[int, ...]] = {}
    stored: dict[int, set[tuple[int, int]]] = {}
    kept = [(one.ability, one.resource, one.slot) for terms in game.terms for one in terms.stored]
    bodies = {rule.name: rule.body for rule in game.rules}
    for number, ability in enumerate(game.abilities):
        if ability.card == NOTHING:
            continue
        if ability.window != NOTHING:
            windows[ability.card] = (*windows.get(ability.card, ()), ability.window)
        stores = [(one.resource, one.slot) for one in _stores(bodies.get(ability.name, ()))]
        stores += [(resource, slot) for of, resource, slot in kept if of == number]
        stored.setdefault(ability.card, set()).update(stores)
    return Belongings(
        windows,
        {card: tuple(sorted(found)) for card, found in stored.items() if found},
        tuple(
            (one.base, tuple(engine.code.domains.of(one.each).members))
            for one in game.variables
            if isinstance(one.each, t.Card)
        ),
        tuple(
            slot
            for one in game.variables
            if isinstance(one.type, t.Card)
            for slot in range(one.base, one.base + one.count)
        ),
    )


def _stores(node: object) -> Iterator[Store]:
    """The stores in a block."""
    if isinstance(node, Store):
        yield node
    elif isinstance(node, tuple):
        for one in node:
            yield from _stores(one)
    elif is_dataclass(node):
        for one in fields(node):
            yield from _stores(getattr(node, one.name))


def lying(game: Game, v: Sequence[int], place: int) -> Iterator[int]:
    """The cards on a place, top to bottom."""
    card = v[game.slots.place_top + place]
    while card != NOTHING:
        yield card
        card = v[game.slots.card_next + card]


def unknown_to(engine: Engine, v: list[int], seat: int) -> tuple[int, ...]:
    """The cards that a player does not know. Whoever is asked sees what is offered."""
    known = engine.game.slots.card_known
    seen = set(_offered(engine, v)) if engine.seat(v) == seat else set()
    return tuple(
        card
        for card in range(len(engine.game.cards))
        if not v[known + card] >> 1 + seat & 1 and card not in seen
    )


def _offered(engine: Engine, v: list[int]) -> Iterator[int]:
    """The cards that the open question offers, or of which it offers an ability."""
    waiting = flow_of(engine).waiting[v[PC]]
    if not isinstance(waiting.node, Ask):
        return
    for option in engine.options(v[:]):
        at, element = option >> _ELEMENT, option & (1 << _ELEMENT) - 1
        if at < len(waiting.node.alternatives):
            way = waiting.node.alternatives[at]
            if way.choice is not None and isinstance(way.choice.type, t.Card):
                yield element - 1
            if isinstance(way.guard, Active):
                yield engine.game.abilities[way.guard.ability].card


def canonical(engine: Engine, v: list[int], unknown: Iterable[int]) -> list[int]:
    """The position with nothing in it that tells the unknown cards apart; see above."""
    game, slots, belongings = engine.game, engine.game.slots, belongings_of(engine)
    hidden = set(unknown)
    met = [
        card
        for place in range(len(game.places))
        for card in lying(game, v, place)
        if card in hidden
    ]
    nowhere = sorted(hidden.difference(met), key=lambda card: _told(engine, v, card))
    left = {kind: iter(sorted(hidden & of_kind)) for kind, of_kind in _by_kind(game).items()}
    w = renumbered(engine, v, {card: next(left[game.cards[card].kind]) for card in met + nowhere})
    for card in hidden:
        for slot in (
            *belongings.windows.get(card, ()),
            *(slot for _, slot in belongings.stored.get(card, ())),
        ):
            w[slot] = 0
    nobody = [card for card in sorted(hidden) if not w[slots.card_known + card] >> 1]
    for base, cards in belongings.each:
        kept = [base + cards.index(card) for card in nobody if card in cards]
        for slot, value in zip(kept, sorted(w[slot] for slot in kept), strict=True):
            w[slot] = value
    for slot in _held(engine, w, live=False):
        w[slot] = NOTHING
    return w


def renumbered(engine: Engine, v: list[int], numbers: Mapping[int, int]) -> list[int]:
    """The position with other numbers for some cards: a permutation of them, within each kind."""
    game, slots, w = engine.game, engine.game.slots, v[:]
    for card, number in numbers.items():
        for base in (slots.card_place, slots.card_next, slots.card_known):
            w[base + number] = v[base + card]
        for base, cards in belongings_of(engine).each:
            if card in cards:
                w[base + cards.index(number)] = v[base + cards.index(card)]
    holding = (
        *range(slots.card_next, slots.card_next + len(game.cards)),
        *range(slots.place_top, slots.place_top + len(game.places)),
        *belongings_of(engine).holding,
        *_held(engine, v, live=True),
    )
    for slot in holding:
        w[slot] = numbers.get(w[slot], w[slot])
    return w


def _by_kind(game: Game) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for number, card in enumerate(game.cards):
        found.setdefault(card.kind, set()).add(number)
    return found


def _told(engine: Engine, v: list[int], card: int) -> tuple[int, ...]:
    """What is open of a card that lies nowhere: who knows it, and its values if somebody does."""
    known = v[engine.game.slots.card_known + card]
    values = (
        v[base + cards.index(card)] for base, cards in belongings_of(engine).each if card in cards
    )
    return (known, *(values if known >> 1 else ()))


def _held(engine: Engine, v: list[int], live: bool) -> Iterator[int]:
    """The slots of frames that hold a card and will be read again, or will not."""
    for fp, rule, read in flow_of(engine).frames(v):
        for slot, type_ in enumerate(engine.code.rules[rule].slots):
            if isinstance(type_, t.Card) and (slot in read) == live:
                yield fp + slot
