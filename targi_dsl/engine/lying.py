"""What lies where: the questions that rules ask most often, in the shapes in which they ask them.

Things that stand in a row of slots are read by one slice, and a single place is looked for in it.
"""

from __future__ import annotations

from collections.abc import Callable

from targi_dsl.engine import expressions
from targi_dsl.engine.code import Code, Value, Vector
from targi_dsl.ir.model import NOTHING, CardsOn, Const, Expr, Local, Lying, MakeSet, Pick

Set = tuple[int, ...]


def lying(code: Code, node: Lying) -> Value:
    """Those things that lie on these places."""
    base, things = node.base, expressions.expression(code, node.things)
    only = _single(code, node.places)
    if only is not None:

        def on_one(v: Vector, fp: int) -> Set:
            place = only(v, fp)
            return (
                tuple([thing for thing in things(v, fp) if v[base + thing] == place])
                if place != NOTHING
                else ()
            )

        return on_one
    if isinstance(node.places, Const) and isinstance(node.places.value, tuple):
        among = frozenset(node.places.value)
        return lambda v, fp: tuple([thing for thing in things(v, fp) if v[base + thing] in among])
    places = expressions.expression(code, node.places)

    def on_any(v: Vector, fp: int) -> Set:
        where = places(v, fp)
        return tuple([thing for thing in things(v, fp) if v[base + thing] in where])

    return on_any


def first_lying(code: Code, node: Lying) -> Value:
    """The first of the things that lies on these places, or nothing."""
    base, things = node.base, expressions.expression(code, node.things)
    only = _single(code, node.places)
    if only is not None:

        def first_on_one(v: Vector, fp: int) -> int:
            place = only(v, fp)
            if place != NOTHING:
                for thing in things(v, fp):
                    if v[base + thing] == place:
                        return int(thing)
            return NOTHING

        return first_on_one
    places = expressions.expression(code, node.places)

    def first(v: Vector, fp: int) -> int:
        where = places(v, fp)
        for thing in things(v, fp):
            if v[base + thing] in where:
                return int(thing)
        return NOTHING

    return first


def any_lying(code: Code, node: Lying) -> Value:
    """Whether any of the things lies on these places."""
    standing, only = row(code, node.base, node.things), _single(code, node.places)
    if only is not None:

        def on_one(v: Vector, fp: int) -> bool:
            place = only(v, fp)
            return place != NOTHING and place in standing(v, fp)

        return on_one
    places = expressions.expression(code, node.places)

    def on_any(v: Vector, fp: int) -> bool:
        where = places(v, fp)
        if len(where) == 1:
            return where[0] in standing(v, fp)
        return bool(where) and not set(where).isdisjoint(standing(v, fp))

    return on_any


def cards_on(code: Code, node: CardsOn) -> Value:
    """The cards on these places."""
    tops, below = code.slots.place_top, code.slots.card_next
    places = expressions.expression(code, node.places)

    def cards(v: Vector, fp: int) -> Set:
        found = []
        for place in places(v, fp):
            card = v[tops + place]
            while card >= 0:
                found.append(card)
                card = v[below + card]
        if len(found) > 1:
            found.sort()
        return tuple(found)

    return cards


def any_card_on(code: Code, node: CardsOn) -> Value:
    """Whether a card lies on any of these places."""
    tops, only = code.slots.place_top, _single(code, node.places)
    if only is not None:
        return lambda v, fp: (place := only(v, fp)) != NOTHING and v[tops + place] >= 0
    places = expressions.expression(code, node.places)

    def any_card(v: Vector, fp: int) -> bool:
        found = False
        for place in places(v, fp):
            found = v[tops + place] >= 0
            if found:
                break
        return found

    return any_card


def count_on(code: Code, node: CardsOn) -> Value:
    """How many cards lie on these places."""
    tops, below = code.slots.place_top, code.slots.card_next
    places = expressions.expression(code, node.places)

    def count(v: Vector, fp: int) -> int:
        found = 0
        for place in places(v, fp):
            card = v[tops + place]
            while card >= 0:
                found += 1
                card = v[below + card]
        return found

    return count


def top_card(code: Code, node: Expr) -> Value:
    """The top card of a place, or nothing."""
    tops = code.slots.place_top
    if isinstance(node, Local):
        slot = node.slot
        return lambda v, fp: v[tops + v[fp + slot]] if v[fp + slot] >= 0 else NOTHING
    place = expressions.expression(code, node)

    def top_card(v: Vector, fp: int) -> int:
        p = place(v, fp)
        return v[tops + p] if p >= 0 else NOTHING

    return top_card


def bottom_card(code: Code, place: Value) -> Value:
    """The bottom card of a place, or nothing."""
    tops, below = code.slots.place_top, code.slots.card_next

    def bottom_card(v: Vector, fp: int) -> int:
        p = place(v, fp)
        card = v[tops + p] if p >= 0 else NOTHING
        while card >= 0 and v[below + card] >= 0:
            card = v[below + card]
        return card

    return bottom_card


def face_up(code: Code, card: Value) -> Value:
    """Whether a card lies face up."""
    known = code.slots.card_known

    def face_up(v: Vector, fp: int) -> int:
        c = card(v, fp)
        return v[known + c] & 1 if c >= 0 else 0

    return face_up


def _single(code: Code, places: Expr) -> Value | None:
    """The place of a set that has one at most, or nothing."""
    match places:
        case MakeSet((place,)):
            return expressions.expression(code, place)
        case _:
            return None


def row(code: Code, base: int, things: Expr) -> Callable[[Vector, int], list[int]]:
    """Where each of the things lies."""
    match things:
        case Const(tuple(fixed)) if _in_a_row(fixed):
            part = _slice(base, fixed)
            return lambda v, fp: v[part]
        case Pick(sets, Local(slot)) if all(map(_in_a_row, sets)):
            parts = [_slice(base, one) for one in sets]
            last = len(parts) - 1

            def chosen(v: Vector, fp: int) -> list[int]:
                i = v[fp + slot]
                return v[parts[i if 0 <= i < last else last]]

            return chosen
    of = expressions.expression(code, things)
    return lambda v, fp: [v[base + thing] for thing in of(v, fp)]


def _in_a_row(things: Set) -> bool:
    return things == tuple(range(things[0], things[-1] + 1)) if things else True


def _slice(base: int, things: Set) -> slice:
    return slice(base + things[0], base + things[-1] + 1) if things else slice(0, 0)
