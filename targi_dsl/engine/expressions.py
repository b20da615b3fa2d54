"""The values of expressions in a position and a frame; they change neither. See docs/program.md,
*Expressions*.

Each expression of the program becomes one closure over the closures of its parts. A set is an
ascending tuple of distinct numbers. A closure that binds elements to a slot restores its old value,
since the frame may belong to a rule that continues.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from targi_dsl.engine.code import Code, Value
from targi_dsl.engine.faults import HIGHEST, LOWEST, SCRATCH, overflow, too_nested
from targi_dsl.engine.paths import longest_line, reached
from targi_dsl.engine.run import Frame, Vector
from targi_dsl.engine.sets import (
    Set,
    bottom_card,
    cards_on,
    count,
    counted,
    image,
    made,
    numbers,
    quotient,
    union,
)
from targi_dsl.ir import expressions as e
from targi_dsl.ir.constants import NOTHING

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "is": operator.eq,
    "is_not": operator.ne,
    "less_than": operator.lt,
    "at_most": operator.le,
    "more_than": operator.gt,
    "at_least": operator.ge,
}
_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": quotient,
}
_ANY = e.Const(1)
Asks = Callable[[e.CanDo | e.CanPay], Value]


class Expressions:
    """The closures of a program's expressions; `asks` gives those of what can be done or paid."""

    def __init__(self, code: Code, asks: Asks) -> None:
        self.code, self.asks = code, asks

    def value(self, node: e.Expr) -> Value:
        """The closure of an expression."""
        slots, value, code = self.code.slots, self.value, self.code
        match node:
            case e.Const(constant):
                held = int(constant) if isinstance(constant, bool) else constant
                return lambda v, f: held
            case e.Local(slot):
                return lambda v, f: f[slot]
            case e.Var(base, index, missing):
                return _slot(base, value(index), missing)
            case e.Table(entries, index) | e.Pick(entries, index):
                return _entry(entries, value(index))
            case e.Image(related, of):
                return _applied(image(related), value(of))
            case e.MakeSet(items):
                members = [value(item) for item in items]
                return lambda v, f: made([member(v, f) for member in members])
            case e.Range(low, high):
                return _joined(numbers, value(low), value(high))
            case e.SetOp(op, left, right):
                return _joined(_SETS[op], value(left), value(right))
            case e.Filter(slot, within, condition):
                return _filter(slot, value(within), value(condition))
            case e.Map(slot, within, inner):
                return _applied(made, _values(slot, value(within), value(inner)))
            case e.Fold(op, slot, within, inner):
                return _applied(_FOLDS[op], _values(slot, value(within), value(inner)))
            case e.Size(of):
                return _applied(len, value(of))
            case e.First(of):
                return _applied(lambda elements: elements[0] if elements else NOTHING, value(of))
            case e.Exists(_, within, condition) if condition == _ANY:
                return _applied(lambda elements: 1 if elements else 0, value(within))
            case e.Exists(slot, within, condition):
                return _exists(slot, value(within), value(condition))
            case e.Reached(slot, start, step, within):
                return reached(slot, value(step), value(start), value(within))
            case e.LongestLine(ways, within):
                return longest_line(ways, value(within))
            case e.Arith(op, left, right):
                return _arithmetic(_ARITHMETIC[op], value(left), value(right))
            case e.Compare(op, left, right):
                return _compared(_COMPARISONS[op], value(left), value(right))
            case e.Member(item, within):
                return _compared(lambda one, among: one in among, value(item), value(within))
            case e.Not(of):
                return _applied(lambda truth: 0 if truth else 1, value(of))
            case e.All(parts):
                return _all([value(part) for part in parts])
            case e.AnyOf(parts):
                return _any([value(part) for part in parts])
            case e.Cond(condition, then, otherwise):
                return _cond(value(condition), value(then), value(otherwise))
            case e.CardsOn(places):
                return _seen(cards_on(slots.place_top, slots.card_next), value(places))
            case e.TopCard(place):
                return _slot(slots.place_top, value(place), NOTHING)
            case e.BottomCard(place):
                return _seen(bottom_card(slots.place_top, slots.card_next), value(place))
            case e.Lying(base, things, places):
                return _lying(base, value(things), value(places))
            case e.Places(base, things):
                return _seen(lambda v, of: made([v[base + one] for one in of]), value(things))
            case e.FaceUp(card):
                known = _slot(slots.card_known, value(card), 0)
                return lambda v, f: known(v, f) & 1
            case e.Call(define, arguments):
                return self._call(define, arguments)
            case e.During(rule):
                bit = code.table.bits[rule]
                return lambda v, f: 1 if f[-1] & bit else 0
            case e.Active(ability):
                active = code.activity(ability)
                return lambda v, f: 1 if active(v, f[0]) else 0
            case e.CanDo() | e.CanPay():
                return self.asks(node)
            case _:
                raise AssertionError(node)

    def condition(self, node: e.Expr) -> Value | None:
        """Like `value`; None for a condition that is always true."""
        return None if isinstance(node, e.Const) and node.value else self.value(node)

    def entered(self, size: int, bit: int, arguments: Sequence[e.Expr]) -> Value:
        """Builds the frame of a guard or definition, of this size; the first argument is the
        player. Every such frame counts as one element on the meter.
        """
        level = self.code.frames.mask + 1
        values = [self.value(argument) for argument in arguments]
        rest = [0] * (size - len(arguments))

        def enter(v: Vector, f: Frame) -> Frame:
            context = (f[-1] | bit) + level
            if context >= SCRATCH * level:
                too_nested()
            count(v, 1)
            return [*[argument(v, f) for argument in values], *rest, context]

        return enter

    def _call(self, define: int, arguments: tuple[e.Expr, ...]) -> Value:
        """A definition, evaluated in a new frame."""
        values, size = self.code.defines, len(self.code.program.defines[define].slots)
        enter = self.entered(size, 0, arguments)
        return lambda v, f: values[define](v, enter(v, f))


# ---- functions of values ----


def _applied(function: Callable[[Any], Any], of: Value) -> Value:
    return lambda v, f: function(of(v, f))


def _joined(function: Callable[[Any, Any], Any], left: Value, right: Value) -> Value:
    return lambda v, f: function(left(v, f), right(v, f))


def _compared(holds: Callable[[Any, Any], bool], left: Value, right: Value) -> Value:
    return lambda v, f: 1 if holds(left(v, f), right(v, f)) else 0


def _arithmetic(function: Callable[[int, int], int], left: Value, right: Value) -> Value:
    return lambda v, f: _bounded(function(left(v, f), right(v, f)))


def _bounded(number: int) -> int:
    """A number of 32 bits."""
    return number if LOWEST <= number <= HIGHEST else overflow(number)


def _entry(entries: Sequence[Any], index: Value) -> Value:
    """The entry at an index; the last one for an index out of range."""
    last = len(entries) - 1

    def entry(v: Vector, f: Frame) -> Any:
        at = index(v, f)
        return entries[at] if 0 <= at < last else entries[-1]

    return entry


# ---- conditions ----


def _all(parts: Sequence[Value]) -> Value:
    def holds(v: Vector, f: Frame) -> int:
        for part in parts:
            if not part(v, f):
                return 0
        return 1

    return holds


def _any(parts: Sequence[Value]) -> Value:
    def holds(v: Vector, f: Frame) -> int:
        for part in parts:
            if part(v, f):
                return 1
        return 0

    return holds


def _cond(condition: Value, then: Value, otherwise: Value) -> Value:
    return lambda v, f: then(v, f) if condition(v, f) else otherwise(v, f)


# ---- the position ----


def _seen(function: Callable[[Vector, Any], Any], of: Value) -> Value:
    """What a function finds in the position."""
    return lambda v, f: function(v, of(v, f))


def _slot(base: int, index: Value, missing: int) -> Value:
    """The slot at base + index; `missing` for nothing."""

    def slot(v: Vector, f: Frame) -> int:
        at = index(v, f)
        return v[base + at] if at >= 0 else missing

    return slot


def _lying(base: int, things: Value, places: Value) -> Value:
    def lying(v: Vector, f: Frame) -> Set:
        every, among = things(v, f), places(v, f)
        return tuple([thing for thing in every if v[base + thing] in among])

    return lying


# ---- elements one by one ----


def _filter(slot: int, within: Value, condition: Value) -> Value:
    def chosen(v: Vector, f: Frame) -> Set:
        elements, before, chosen = counted(v, within(v, f)), f[slot], []
        for element in elements:
            f[slot] = element
            if condition(v, f):
                chosen.append(element)
        f[slot] = before
        return tuple(chosen)

    return chosen


def _values(slot: int, within: Value, value: Value) -> Value:
    """The list of the values for each element."""

    def values(v: Vector, f: Frame) -> list[int]:
        elements, before, values = counted(v, within(v, f)), f[slot], []
        for element in elements:
            f[slot] = element
            values.append(value(v, f))
        f[slot] = before
        return values

    return values


def _exists(slot: int, within: Value, condition: Value) -> Value:
    def exists(v: Vector, f: Frame) -> int:
        elements, before, exists = counted(v, within(v, f)), f[slot], 0
        for element in elements:
            f[slot] = element
            if condition(v, f):
                exists = 1
                break
        f[slot] = before
        return exists

    return exists


_SETS: dict[str, Callable[[Set, Set], Set]] = {
    "plus": union,
    "except": lambda left, right: tuple([one for one in left if one not in right]),
    "within": lambda left, right: tuple([one for one in left if one in right]),
}
_FOLDS: dict[str, Callable[[list[int]], int]] = {
    "sum": lambda values: _bounded(sum(values)),
    "highest": lambda values: max(values, default=0),
    "lowest": lambda values: min(values, default=0),
    "different": lambda values: len({*values} - {NOTHING}),
}
