"""Renumbering of cards and pieces in a position.

Everything that belongs to a card moves with its number: its place, the card below it, who knows it,
its variables. Slots that hold a card still hold the one in the same situation. Windows of abilities
and stored amounts do not move, since they belong to abilities.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from targi_dsl.api.position import Position
from targi_dsl.engine.alike import Alike
from targi_dsl.engine.machine import Engine
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import Amounts
from targi_dsl.ir.game import Game
from targi_dsl.ir.statements import Store
from targi_dsl.ir.walk import parts
from targi_dsl.text.structs import Frozen

GAMES = 16  # games whose tables are cached


class Belongings(Frozen):
    """The slots that belong to cards or hold cards, and what is interchangeable.

    slots: by card, what moves with its number, as in `Alike`. windows: by card. stored: by card,
    its (resource, slot) pairs. each: for every variable of cards, its first slot and the cards that
    have it. told: by variable that records what players have been told about cards, the bit of each
    card's value. holding: slots below the frames that hold a card.
    """

    alike: Alike
    slots: tuple[tuple[int, ...], ...]
    windows: Mapping[int, tuple[int, ...]]
    stored: Mapping[int, Amounts]
    each: tuple[tuple[int, tuple[int, ...]], ...]
    told: Mapping[int, tuple[int, ...]]
    holding: tuple[int, ...]


@lru_cache(GAMES)
def belongings_of(engine: Engine) -> Belongings:
    """The belongings of a game's cards."""
    game, alike = engine.game, engine.code.alike
    windows: dict[int, tuple[int, ...]] = {}
    stored: dict[int, set[tuple[int, int]]] = {}
    stored_amounts = [
        (store.ability, store.resource, store.slot)
        for terms in game.terms
        for store in terms.stored
    ]
    bodies = {rule.name: rule.body for rule in game.rules}
    for number, ability in enumerate(game.abilities):
        if ability.card == NOTHING:
            continue
        if ability.window != NOTHING:
            windows[ability.card] = (*windows.get(ability.card, ()), ability.window)
        stores = [
            (store.resource, store.slot) for store in parts(bodies.get(ability.name, ()), Store)
        ]
        stores += [(resource, slot) for of, resource, slot in stored_amounts if of == number]
        stored.setdefault(ability.card, set()).update(stores)
    return Belongings(
        alike,
        tuple(alike.belongings(card) for card in range(len(game.cards))),
        windows,
        {card: tuple(sorted(slots)) for card, slots in stored.items() if slots},
        tuple(
            (variable.base, tuple(engine.code.domains.of(variable.each).members))
            for variable in game.variables
            if isinstance(variable.each, t.Card)
        ),
        {variable.base: variable.bits for variable in game.variables if variable.bits},
        tuple(_holding(game)),
    )


def _holding(game: Game) -> Iterator[int]:
    slots = game.slots
    yield from range(slots.card_next, slots.card_next + len(game.cards))
    yield from range(slots.place_top, slots.place_top + len(game.places))
    yield from _variables_of(game, t.Card)


def _variables_of(game: Game, sort: type) -> Iterator[int]:
    for variable in game.variables:
        if isinstance(variable.type, sort):
            yield from range(variable.base, variable.base + variable.count)


def frame_slots(engine: Engine, v: Sequence[int], sort: type) -> Iterator[int]:
    """The frame slots kept that hold a thing of this sort."""
    program = engine.program
    for start, rule, point in engine.code.frames(v):
        types = program.procedures[rule].slots
        kept = program.points[point].kept
        yield from (start + slot for slot in kept if isinstance(types[slot], sort))


def renumber(engine: Engine, v: Sequence[int], numbers: Mapping[int, int]) -> list[int]:
    """The position after a permutation of cards within each kind."""
    w, belongings = list(v), belongings_of(engine)
    for card, number in numbers.items():
        for slot, after in zip(belongings.slots[card], belongings.slots[number], strict=True):
            w[after] = v[slot]
    for slot in (*belongings.holding, *frame_slots(engine, v, t.Card)):
        w[slot] = numbers.get(w[slot], w[slot])
    return w


def empty_belongings(engine: Engine, w: list[int], cards: Iterable[int]) -> None:
    """Resets what is stored on cards, and the uses of their abilities."""
    belongings = belongings_of(engine)
    for card in cards:
        for slot in belongings.windows.get(card, ()):
            w[slot] = 0
        for _, slot in belongings.stored.get(card, ()):
            w[slot] = 0


def sort_values(engine: Engine, w: list[int], cards: Iterable[int]) -> None:
    """Gives cards their values of each variable in ascending order; clues about a card belong to
    its location.
    """
    belongings = belongings_of(engine)
    for base, members in belongings.each:
        if base in belongings.told:
            continue
        slots = [base + members.index(card) for card in cards if card in members]
        for slot, value in zip(slots, sorted(w[slot] for slot in slots), strict=True):
            w[slot] = value


def situations(engine: Engine, v: Sequence[int], is_open: bool) -> Callable[[int], tuple[int, ...]]:
    """The sort key of interchangeable cards: who knows a card, its values, what holds it, and at
    last its number. With `is_open`, the values of a card that nobody knows are only the clues about
    it.
    """
    belongings = belongings_of(engine)
    held = [*_variables_of(engine.game, t.Card), *frame_slots(engine, v, t.Card)]
    told = 1 + len(belongings.told)

    def situation(card: int) -> tuple[int, ...]:
        slots = belongings.slots[card]
        count = told if is_open and v[slots[0]] <= 1 else len(slots)
        values = [v[slot] for slot in slots[:count]]
        return *values, *[slot for slot in held if v[slot] == card], len(v), card

    return situation


def agrees(engine: Engine, v: Sequence[int], at: int, card: int) -> bool:
    """Whether a card fits what players have been told about the card `at` of `v`."""
    hints = belongings_of(engine).told
    return not any(v[base + at] & bits[card] for base, bits in hints.items())


def slots_of(engine: Engine, card: int) -> Iterator[tuple[int, int]]:
    """The slots of a card, each with the first slot of its sort."""
    slots = engine.game.slots
    for base in (slots.card_place, slots.card_next, slots.card_known):
        yield base + card, base
    for base, members in belongings_of(engine).each:
        if card in members:
            yield base + members.index(card), base


def canonical_key(engine: Engine, v: Sequence[int]) -> list[int]:
    """The position with interchangeable things numbered by their situation, so that positions
    that differ only in such numbers have equal keys.
    """
    w, alike = list(v), belongings_of(engine).alike
    if alike.copies:
        w = renumber(engine, w, _card_numbers(engine, w, alike.copies))
    if alike.classes[t.Piece]:
        _renumber_pieces(engine, w, alike.classes[t.Piece])
    return w


def _card_numbers(engine: Engine, v: list[int], copies: Iterable[Sequence[int]]) -> dict[int, int]:
    """New numbers for copies, ascending in the order of their situations."""
    position, situation = Position(engine.game, v), situations(engine, v, is_open=False)
    places = range(len(engine.game.places))
    order = [card for place in places for card in position.cards_on(place)]
    encountered = {card: at for at, card in enumerate(order)}

    def sign(card: int) -> tuple[int, ...]:
        return encountered.get(card, len(order)), *situation(card)

    return {
        card: number
        for group in copies
        for number, card in zip(group, sorted(group, key=sign), strict=True)
    }


def _renumber_pieces(engine: Engine, w: list[int], pieces: Mapping[int, tuple[int, ...]]) -> None:
    """Numbers the pieces of a class by their places, their values and what holds them."""
    v, numbers, groups = w[:], dict[int, int](), dict[int, list[int]]()
    held = [*_variables_of(engine.game, t.Piece), *frame_slots(engine, w, t.Piece)]

    def sign(piece: int) -> tuple[int, ...]:
        values = [v[slot] for slot in pieces[piece][1:]]
        return *values, *[slot for slot in held if v[slot] == piece], len(v), piece

    for piece, (class_, *_) in pieces.items():
        groups.setdefault(class_, []).append(piece)
    for group in groups.values():
        for number, piece in zip(group, sorted(group, key=sign), strict=True):
            numbers[piece] = number
            for slot, after in zip(pieces[piece][1:], pieces[number][1:], strict=True):
                w[after] = v[slot]
    for slot in held:
        w[slot] = numbers.get(w[slot], w[slot])
