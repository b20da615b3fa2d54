"""Expressions as closures: each reads a position in a frame, and changes nothing.

A set is a tuple of numbers, ascending, without repeats. What binds elements to a slot gives the
slot its old value back, because the frame may belong to a rule that goes on. For every set whose
elements are looked at, and every definition, the meter goes up; see `faults.PARTS`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from targi_dsl.engine.code import Code, Value
from targi_dsl.engine.faults import (
    HIGHEST,
    LOWEST,
    PARTS,
    RANGE,
    Fault,
    overflow,
    too_much,
)
from targi_dsl.engine.run import Frame, Vector
from targi_dsl.ir import model as m
from targi_dsl.ir.model import METER, NOTHING

COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "is": operator.eq,
    "is_not": operator.ne,
    "less_than": operator.lt,
    "at_most": operator.le,
    "more_than": operator.gt,
    "at_least": operator.ge,
}
_KEPT = 1_000  # images of one relation
Set = tuple[int, ...]
Asks = Callable[[m.CanDo | m.CanPay], Value]


class Expressions:
    """The closures of expressions; whether something can be done or paid is for `asks` to say."""

    def __init__(self, code: Code, asks: Asks) -> None:
        self.code, self.asks = code, asks

    def value(self, node: m.Expr) -> Value:
        """The closure of an expression."""
        slots = self.code.slots
        match node:
            case m.Const(value):
                return lambda v, f: value
            case m.Local(slot):
                return lambda v, f: f[slot]
            case m.Var(base, index, missing):
                return _var(base, missing, index, self.value(index))
            case m.Table(values, index) | m.Pick(values, index):
                return _looked_up(values, index, self.value(index))
            case m.Arith(op, left, right):
                return _arith(op, self.value(left), self.value(right))
            case m.Compare(op, left, right):
                return _compare(op, self.value(left), right, self.value(right))
            case m.Not(of):
                inner = self.value(of)
                return lambda v, f: 0 if inner(v, f) else 1
            case m.All(parts):
                return _all([self.value(part) for part in parts])
            case m.AnyOf(parts):
                return _any([self.value(part) for part in parts])
            case m.Cond(test, then, otherwise):
                return _cond(self.value(test), self.value(then), self.value(otherwise))
            case m.TopCard(place):
                return _top_card(slots.place_top, self.value(place))
            case m.BottomCard(place):
                return _bottom_card(slots.place_top, slots.card_next, self.value(place))
            case m.FaceUp(card):
                return _face_up(slots.card_known, self.value(card))
            case m.Call(define, arguments):
                return self._call(define, arguments)
            case m.During(rule):
                bit = self.code.table.bits[rule]
                return lambda v, f: 1 if f[-1] & bit else 0
            case m.Active(ability):
                active = self.code.activity(ability)
                return lambda v, f: 1 if active(v, f[0]) else 0
            case m.CanDo() | m.CanPay():
                return self.asks(node)
            case _:
                return self._of_sets(node)

    def _of_sets(self, node: m.Expr) -> Value:
        """The closure of an expression about sets."""
        slots, value = self.code.slots, self.value
        match node:
            case m.Image(sets, of):
                return _image(sets, value(of))
            case m.MakeSet(items):
                return _make_set([value(item) for item in items])
            case m.Range(low, high):
                return _range(value(low), value(high))
            case m.SetOp(op, left, right):
                return _set_op(op, value(left), value(right))
            case m.Filter(slot, within, condition):
                return _filter(slot, value(within), value(condition))
            case m.Map(slot, within, inner):
                return _map(slot, value(within), value(inner))
            case m.Fold(op, slot, within, inner):
                return _fold(op, slot, value(within), value(inner))
            case m.Size(of):
                members = value(of)
                return lambda v, f: len(members(v, f))
            case m.First(of):
                return _first(value(of))
            case m.Exists(slot, within, condition):
                return _exists(slot, value(within), condition, value(condition))
            case m.Member(item, within):
                wanted, among = value(item), value(within)
                return lambda v, f: 1 if wanted(v, f) in among(v, f) else 0
            case m.CardsOn(places):
                return _cards_on(slots.place_top, slots.card_next, value(places))
            case m.Places(base, things):
                return _places(base, value(things))
            case m.Lying(base, things, places):
                return _lying(base, value(things), value(places))
            case _:
                raise AssertionError(node)

    def condition(self, node: m.Expr) -> Value | None:
        """As `value`; None for what is always true."""
        return None if isinstance(node, m.Const) and node.value else self.value(node)

    def _call(self, define: int, arguments: tuple[m.Expr, ...]) -> Value:
        """A definition in a frame of its own."""
        code = self.code
        values, size = code.defines, len(code.program.defines[define].slots)
        entered = code.inner(size, 0, [self.value(one) for one in arguments])
        return lambda v, f: values[define](v, entered(v, f))


def counted(v: Vector, elements: Set) -> Set:
    """Elements that are looked at one by one."""
    v[METER] += len(elements)
    if v[METER] > PARTS:
        too_much()
    return elements


def _var(base: int, missing: int, index: m.Expr, of: Value) -> Value:
    match index:
        case m.Const(int(at)):
            slot = base + at
            return (lambda v, f: v[slot]) if at != NOTHING else (lambda v, f: missing)
        case m.Local(m.YOU):
            return lambda v, f: v[base + f[0]]
        case m.Local(slot):
            return lambda v, f: v[base + f[slot]] if f[slot] >= 0 else missing

    def var(v: Vector, f: Frame) -> int:
        i = of(v, f)
        return v[base + i] if i >= 0 else missing

    return var


def _looked_up(values: tuple[Any, ...], index: m.Expr, of: Value) -> Value:
    last = len(values) - 1
    if isinstance(index, m.Local):
        slot = index.slot
        return lambda v, f: values[f[slot]] if 0 <= f[slot] < last else values[last]

    def looked_up(v: Vector, f: Frame) -> Any:
        i = of(v, f)
        return values[i] if 0 <= i < last else values[last]

    return looked_up


def _arith(op: str, left: Value, right: Value) -> Value:
    def plus(v: Vector, f: Frame) -> int:
        result: int = left(v, f) + right(v, f)
        return result if LOWEST <= result <= HIGHEST else overflow(result)

    def minus(v: Vector, f: Frame) -> int:
        result: int = left(v, f) - right(v, f)
        return result if LOWEST <= result <= HIGHEST else overflow(result)

    def times(v: Vector, f: Frame) -> int:
        result: int = left(v, f) * right(v, f)
        return result if LOWEST <= result <= HIGHEST else overflow(result)

    def divided(v: Vector, f: Frame) -> int:
        result, by = left(v, f), right(v, f)
        result = result // by if by else 0
        return result if LOWEST <= result <= HIGHEST else overflow(result)

    return {"+": plus, "-": minus, "*": times, "/": divided}[op]


def _compare(op: str, left: Value, right: m.Expr, of: Value) -> Value:
    test = COMPARISONS[op]
    match op, right:
        case "is", m.Const(constant):
            return lambda v, f: 1 if left(v, f) == constant else 0
        case _, m.Const(constant):
            return lambda v, f: 1 if test(left(v, f), constant) else 0
        case "is", _:
            return lambda v, f: 1 if left(v, f) == of(v, f) else 0
    return lambda v, f: 1 if test(left(v, f), of(v, f)) else 0


def _all(parts: list[Value]) -> Value:
    if len(parts) == 2:
        first, second = parts
        return lambda v, f: 1 if first(v, f) and second(v, f) else 0

    def every(v: Vector, f: Frame) -> int:
        for part in parts:
            if not part(v, f):
                return 0
        return 1

    return every


def _any(parts: list[Value]) -> Value:
    if len(parts) == 2:
        first, second = parts
        return lambda v, f: 1 if first(v, f) or second(v, f) else 0

    def some(v: Vector, f: Frame) -> int:
        for part in parts:
            if part(v, f):
                return 1
        return 0

    return some


def _cond(test: Value, then: Value, otherwise: Value) -> Value:
    return lambda v, f: then(v, f) if test(v, f) else otherwise(v, f)


# ---- what lies where ----


def _top_card(tops: int, place: Value) -> Value:
    def top_card(v: Vector, f: Frame) -> int:
        at = place(v, f)
        return v[tops + at] if at >= 0 else NOTHING

    return top_card


def _bottom_card(tops: int, below: int, place: Value) -> Value:
    def bottom_card(v: Vector, f: Frame) -> int:
        at = place(v, f)
        card = v[tops + at] if at >= 0 else NOTHING
        while card >= 0 and v[below + card] >= 0:
            card = v[below + card]
        return card

    return bottom_card


def _face_up(known: int, card: Value) -> Value:
    def face_up(v: Vector, f: Frame) -> int:
        at = card(v, f)
        return v[known + at] & 1 if at >= 0 else 0

    return face_up


def _cards_on(tops: int, below: int, places: Value) -> Value:
    def cards(v: Vector, f: Frame) -> Set:
        found = []
        for place in places(v, f):
            card = v[tops + place]
            while card >= 0:
                found.append(card)
                card = v[below + card]
        if len(found) > 1:
            found.sort()
        return tuple(found)

    return cards


def _lying(base: int, things: Value, places: Value) -> Value:
    def lying(v: Vector, f: Frame) -> Set:
        where = places(v, f)
        return tuple([thing for thing in things(v, f) if v[base + thing] in where])

    return lying


def _places(base: int, things: Value) -> Value:
    def places(v: Vector, f: Frame) -> Set:
        found = {v[base + thing] for thing in things(v, f)}
        found.discard(NOTHING)
        return tuple(sorted(found))

    return places


# ---- sets ----


def _image(sets: tuple[Set, ...], of: Value) -> Value:
    @lru_cache(_KEPT)
    def image(elements: Set) -> Set:
        return tuple(sorted({found for element in elements for found in sets[element]}))

    return lambda v, f: image(of(v, f))


def _make_set(items: list[Value]) -> Value:
    if len(items) == 1:
        only = items[0]

        def one(v: Vector, f: Frame) -> Set:
            item = only(v, f)
            return () if item == NOTHING else (item,)

        return one

    def make_set(v: Vector, f: Frame) -> Set:
        return tuple(sorted({item(v, f) for item in items} - {NOTHING}))

    return make_set


def _range(low: Value, high: Value) -> Value:
    def numbers(v: Vector, f: Frame) -> Set:
        first, last = low(v, f), high(v, f)
        if last - first >= RANGE:
            raise Fault(
                "E610",
                f"a range from {first} to {last}",
                f"A range may hold at most {RANGE} numbers.",
            )
        return tuple(range(first, last + 1))

    return numbers


def _set_op(op: str, left: Value, right: Value) -> Value:
    def plus(v: Vector, f: Frame) -> Set:
        one, two = left(v, f), right(v, f)
        return tuple(sorted({*one, *two})) if one and two else one or two

    def without(v: Vector, f: Frame) -> Set:
        taken = right(v, f)
        return tuple([element for element in left(v, f) if element not in taken])

    def within(v: Vector, f: Frame) -> Set:
        kept = right(v, f)
        return tuple([element for element in left(v, f) if element in kept])

    return {"plus": plus, "except": without, "within": within}[op]


def _filter(slot: int, within: Value, condition: Value) -> Value:
    def those(v: Vector, f: Frame) -> Set:
        before, found = f[slot], []
        for element in counted(v, within(v, f)):
            f[slot] = element
            if condition(v, f):
                found.append(element)
        f[slot] = before
        return tuple(found)

    return those


def _map(slot: int, within: Value, value: Value) -> Value:
    def values(v: Vector, f: Frame) -> Set:
        before, found = f[slot], set()
        for element in counted(v, within(v, f)):
            f[slot] = element
            found.add(value(v, f))
        f[slot] = before
        found.discard(NOTHING)
        return tuple(sorted(found))

    return values


def _fold(op: str, slot: int, within: Value, value: Value) -> Value:
    def values(v: Vector, f: Frame) -> list[int]:
        before, found = f[slot], []
        for element in counted(v, within(v, f)):
            f[slot] = element
            found.append(value(v, f))
        f[slot] = before
        return found

    def total(v: Vector, f: Frame) -> int:
        result = sum(values(v, f))
        return result if LOWEST <= result <= HIGHEST else overflow(result)

    match op:
        case "sum":
            return total
        case "highest":
            return lambda v, f: max(values(v, f), default=0)
        case "lowest":
            return lambda v, f: min(values(v, f), default=0)
        case _:
            return lambda v, f: len(set(values(v, f)) - {NOTHING})


def _first(of: Value) -> Value:
    def first(v: Vector, f: Frame) -> int:
        members = of(v, f)
        return members[0] if members else NOTHING

    return first


def _exists(slot: int, within: Value, node: m.Expr, condition: Value) -> Value:
    if node == m.Const(1):
        return lambda v, f: 1 if within(v, f) else 0

    def exists(v: Vector, f: Frame) -> int:
        before, holds = f[slot], 0
        for element in counted(v, within(v, f)):
            f[slot] = element
            if condition(v, f):
                holds = 1
                break
        f[slot] = before
        return holds

    return exists
