"""Renumbering of cards and pieces in a position.

Everything that belongs to a card moves with its number: its place, the card below it, who knows
it, its variables. Slots that hold a card still hold the one in the same situation. Windows of
abilities and stored amounts do not move, since they belong to abilities.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from targi_dsl.api.position import Position
from targi_dsl.engine.machine import Engine
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import Amounts
from targi_dsl.ir.game import Game
from targi_dsl.ir.statements import Store
from targi_dsl.ir.walk import parts
from targi_dsl.text.structs import Frozen

Classes = tuple[tuple[int, ...], ...]
GAMES = 16  # games whose tables are cached


class Belongings(Frozen):
    """The slots that belong to cards or hold cards.

    windows: by card. stored: by card, its (resource, slot) pairs. each: for every variable of cards
    its first slot and the cards that have it. told: by variable that records what players have been
    told about cards, the bit of each card's value. holding: slots below the frames that hold a
    card.
    """

    windows: Mapping[int, tuple[int, ...]]
    stored: Mapping[int, Amounts]
    each: tuple[tuple[int, tuple[int, ...]], ...]
    told: Mapping[int, tuple[int, ...]]
    holding: tuple[int, ...]


@lru_cache(GAMES)
def belongings_of(engine: Engine) -> Belongings:
    """The belongings of a game's cards."""
    game = engine.game
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
    """The live frame slots that hold a thing of this sort."""
    program = engine.program
    for start, rule, point in engine.code.frames(v):
        types = program.procedures[rule].slots
        live = program.points[point].live
        yield from (start + slot for slot in live if isinstance(types[slot], sort))


def renumbered(engine: Engine, v: Sequence[int], numbers: Mapping[int, int]) -> list[int]:
    """The position after a permutation of cards within each kind."""
    slots, w, belongings = engine.game.slots, list(v), belongings_of(engine)
    for card, number in numbers.items():
        for base in (slots.card_place, slots.card_next, slots.card_known):
            w[base + number] = v[base + card]
        for base, cards in belongings.each:
            if card in cards:
                w[base + cards.index(number)] = v[base + cards.index(card)]
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
    """Gives cards their values of each variable in ascending order; what players have been told
    about a card belongs to its location.
    """
    belongings = belongings_of(engine)
    for base, members in belongings.each:
        if base in belongings.told:
            continue
        slots = [base + members.index(card) for card in cards if card in members]
        for slot, value in zip(slots, sorted(w[slot] for slot in slots), strict=True):
            w[slot] = value


def open_values(engine: Engine, v: Sequence[int], card: int) -> tuple[int, ...]:
    """The values of a card that everybody can attribute to it: for a card that nobody knows, what
    players have been told about it.
    """
    belongings, is_known = belongings_of(engine), Position(engine.game, v).known_to(card)
    return tuple(
        v[base + of.index(card)]
        for base, of in belongings.each
        if card in of and (is_known or base in belongings.told)
    )


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
    w = list(v)
    classes = _classes(engine)
    if classes[0]:
        w = renumbered(engine, w, _card_numbers(engine, w, classes[0]))
    if classes[1]:
        _renumber_pieces(engine, w, classes[1])
    return w


class _Pieces(Frozen):
    """Pieces of one kind and owner; every column has one slot for each of them."""

    pieces: tuple[int, ...]
    columns: tuple[tuple[int, ...], ...]


@lru_cache(GAMES)
def _classes(engine: Engine) -> tuple[Classes, tuple[_Pieces, ...]]:
    """The classes of copies that no ability or action distinguishes, and of pieces of one kind
    and owner.
    """
    game = engine.game
    able = {ability.card for ability in game.abilities}
    copies: dict[tuple[int, ...], list[int]] = {}
    for number, card in enumerate(game.cards):
        if number not in able:
            same = card.same, card.kind, game.actions[number]
            copies.setdefault(same, []).append(number)
    pieces: dict[tuple[str, int], list[int]] = {}
    for number, piece in enumerate(game.pieces):
        pieces.setdefault((piece.kind, piece.owner), []).append(number)
    several = _several(pieces.values())
    return _several(copies.values()), tuple(
        _Pieces(group, _columns(engine, group)) for group in several
    )


def _columns(engine: Engine, pieces: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The slots of these pieces' places, and of each of their variables."""
    game, domains = engine.game, engine.code.domains
    columns = [tuple(game.slots.piece_place + piece for piece in pieces)]
    for variable in game.variables:
        having = domains.of(variable.each).members if isinstance(variable.each, t.Piece) else ()
        if pieces[0] in having:
            columns.append(tuple(variable.base + having.index(piece) for piece in pieces))
    return tuple(columns)


def _several(groups: Iterable[list[int]]) -> Classes:
    return tuple(tuple(group) for group in groups if len(group) > 1)


def _card_numbers(engine: Engine, v: list[int], classes: Classes) -> dict[int, int]:
    """New numbers for copies, ascending in the order of their situations."""
    position, game = Position(engine.game, v), engine.game
    order = [card for place in range(len(game.places)) for card in position.cards_on(place)]
    encountered = {card: at for at, card in enumerate(order)}
    held = [*_variables_of(game, t.Card), *frame_slots(engine, v, t.Card)]

    def sign(card: int) -> tuple[int, ...]:
        values = [
            v[base + cards.index(card)]
            for base, cards in belongings_of(engine).each
            if card in cards
        ]
        at = encountered.get(card, len(order))
        return (at, *position.known_to(card), *values, *[slot for slot in held if v[slot] == card])

    return {
        card: number
        for group in classes
        for number, card in zip(group, sorted(group, key=sign), strict=True)
    }


def _renumber_pieces(engine: Engine, w: list[int], classes: tuple[_Pieces, ...]) -> None:
    """Numbers the pieces of a class by their places, their values and what holds them."""
    held = [*_variables_of(engine.game, t.Piece), *frame_slots(engine, w, t.Piece)]
    numbers: dict[int, int] = {}
    for group in classes:
        if not held and len(group.columns) == 1:  # nothing but places: the quick way
            (column,) = group.columns
            for slot, place in zip(column, sorted([w[slot] for slot in column]), strict=True):
                w[slot] = place
            continue
        values: list[list[Any]] = [[w[slot] for slot in column] for column in group.columns]
        if held:
            values.append([[slot for slot in held if w[slot] == piece] for piece in group.pieces])
        rows = sorted(zip(*values, group.pieces, strict=True))
        for number, row in zip(group.pieces, rows, strict=True):
            numbers[row[-1]] = number
        for at, column in enumerate(group.columns):
            for slot, row in zip(column, rows, strict=True):
                w[slot] = row[at]
    for slot in held:
        w[slot] = numbers.get(w[slot], w[slot])
