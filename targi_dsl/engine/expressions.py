"""The values of expressions in a position and a frame; they change neither. See docs/program.md,
*Expressions*.

Each expression is compiled to one closure over the closures of its parts. A set is an ascending
tuple of distinct numbers. A bound element is written to a slot of a copy of the frame.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from targi_dsl.engine.abilities import Abilities
from targi_dsl.engine.faults import PARTS, RANGE, SCRATCH, Fault, overflow, too_much, too_nested
from targi_dsl.engine.run import RULES, Frame, Vector, cards_on
from targi_dsl.ir import expressions as e
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.domains import Domains
from targi_dsl.ir.program import Program
from targi_dsl.ir.reachability import reachability
from targi_dsl.ir.slots import METER
from targi_dsl.ir.types import HIGHEST, LOWEST, Type
from targi_dsl.optimize.folding import ARITHMETIC, SETS

Value = Callable[[Vector, Frame], Any]  # from a position and a frame to a number or a set
Set = tuple[int, ...]


class Expressions(Abilities):
    """Evaluates the expressions of a program. define: that of a definition, in its own frame."""

    def __init__(self, program: Program, domains: Domains) -> None:
        super().__init__(program, domains)
        self.define = cache(lambda define: self.value(program.defines[define].value))

    def value(self, node: e.Expr) -> Value:
        """Compiles an expression to a closure."""
        value, slots = self.value, self.slots
        match node:
            case e.Const(constant):
                return lambda v, f: constant
            case e.Local(slot):
                return lambda v, f: f[slot]
            case e.Var(base, index, missing):
                at = value(index)
                return lambda v, f: v[base + n] if (n := at(v, f)) >= 0 else missing
            case e.Table(entries, index) | e.Pick(entries, index):
                at, last, size = value(index), entries[-1], len(entries)
                return lambda v, f: entries[n] if 0 <= (n := at(v, f)) < size else last
            case e.Image(sets, of):
                return _of(lambda v, of: _ascending(x for one in of for x in sets[one]), value(of))
            case e.MakeSet(items):
                return _of(lambda v, *items: set_of(items), *map(value, items))
            case e.Range(low, high):
                return _of(lambda v, low, high: _numbers(low, high), value(low), value(high))
            case e.SetOp(op, left, right):
                combined, one, other = SETS[op], value(left), value(right)
                return lambda v, f: tuple(sorted(combined({*one(v, f)}, {*other(v, f)})))
            case e.Filter(slot, within, condition):
                each = bind_each(slot, value(within), value(condition))
                return lambda v, f: tuple([element for element, holds in each(v, f) if holds])
            case e.Map(slot, within, of):
                each = bind_each(slot, value(within), value(of))
                return lambda v, f: set_of([value for _, value in each(v, f)])
            case e.Fold(op, slot, within, of):
                each, fold = bind_each(slot, value(within), value(of)), _FOLDS[op]
                return lambda v, f: fold([value for _, value in each(v, f)])
            case e.Size(of):
                return _of(lambda v, of: len(of), value(of))
            case e.First(of):
                return _of(lambda v, of: of[0] if of else NOTHING, value(of))
            case e.Exists(_, within, e.Const(1)) if (found := reachability(within)) is not None:
                start, among = value(found.reached.start), value(found.reached.within)
                return _joins(found.steps, start, among, value(found.to))
            case e.Exists(_, within, e.Const(1)):
                return _of(lambda v, of: int(of != ()), value(within))
            case e.Exists(slot, within, condition):
                each = bind_each(slot, value(within), value(condition))
                return lambda v, f: int(any(holds for _, holds in each(v, f)))
            case e.Reached(slot, start, step, within):
                return _reach(slot, value(start), value(step), value(within))
            case e.LongestLine(ways, within):
                return _of(lambda v, of: _longest(ways, count_elements(v, of)), value(within))
            case e.Arith(op, left, right):
                result, one, other = ARITHMETIC[op], value(left), value(right)
                return lambda v, f: _bounded(result(one(v, f), other(v, f)))
            case e.Compare(op, left, right):
                holds, one, other = e.COMPARISONS[op].holds, value(left), value(right)
                return lambda v, f: int(holds(one(v, f), other(v, f)))
            case e.Member(item, within):
                return _of(lambda v, one, among: int(one in among), value(item), value(within))
            case e.Not(of):
                return _of(lambda v, truth: int(not truth), value(of))
            case e.All(parts):
                return _until(0, [value(part) for part in parts])
            case e.AnyOf(parts):
                return _until(1, [value(part) for part in parts])
            case e.Cond(condition, then, otherwise):
                test, one, other = value(condition), value(then), value(otherwise)
                return lambda v, f: one(v, f) if test(v, f) else other(v, f)
            case e.CardsOn(places):
                return _of(self._cards_on, value(places))
            case e.TopCard(place):
                return value(e.Var(slots.place_top, place, NOTHING))
            case e.BottomCard(place):
                return _of(self._bottom_card, value(place))
            case e.Lying(base, things, places):
                return _of(
                    lambda v, of, among: tuple([one for one in of if v[base + one] in among]),
                    value(things),
                    value(places),
                )
            case e.Places(base, things):
                return _of(lambda v, of: set_of([v[base + x] for x in of]), value(things))
            case e.FaceUp(card):
                return _of(lambda v, known: known & 1, value(e.Var(slots.card_known, card, 0)))
            case e.Call(define, arguments):
                return self._call(define, arguments)
            case e.During(rule):
                return lambda v, f: f[-1] >> rule + RULES & 1
            case e.Active(ability):
                return lambda v, f: int(self.is_active(v, ability, f[YOU]))
            case _:
                raise AssertionError(node)

    def _call(self, define: int, arguments: Sequence[e.Expr]) -> Value:
        """The value of a definition; a fault records which definitions were running."""
        enter = self.entered(self.program.defines[define].slots, 0, arguments)

        def call(v: Vector, f: Frame) -> Any:
            try:
                return self.define(define)(v, enter(v, f))
            except Fault as fault:
                fault.defines.append(define)
                raise

        return call

    def entered(self, slots: Sequence[Type], rules: int, arguments: Sequence[e.Expr]) -> Value:
        """A new frame for a guard or definition; the first argument is the player. `rules` are
        added to the rules in progress. Every such frame counts as one element on the meter.
        """
        values = [self.value(argument) for argument in arguments]
        rest = [0] * (len(slots) - len(values))

        def enter(v: Vector, f: Frame) -> Frame:
            context = f[-1] + 1 | rules
            if context % (1 << RULES) >= SCRATCH:
                too_nested()
            count(v, 1)
            return [*[argument(v, f) for argument in values], *rest, context]

        return enter

    def _cards_on(self, v: Vector, places: Set) -> Set:
        return _ascending(card for place in places for card in cards_on(self.slots, v, place))

    def _bottom_card(self, v: Vector, place: int) -> int:
        cards = cards_on(self.slots, v, place) if place >= 0 else []
        return cards[-1] if cards else NOTHING


def _of(function: Callable[..., Any], *operands: Value) -> Value:
    """A function of the position and the values of its operands."""
    match operands:
        case (one,):
            return lambda v, f: function(v, one(v, f))
        case (one, other):
            return lambda v, f: function(v, one(v, f), other(v, f))
        case _:
            return lambda v, f: function(v, *[operand(v, f) for operand in operands])


def _until(deciding: int, conditions: Sequence[Value]) -> Value:
    """Conditions evaluated up to the first whose truth equals `deciding`."""

    def joined(v: Vector, f: Frame) -> int:
        for holds in conditions:
            if (not holds(v, f)) != deciding:
                return deciding
        return 1 - deciding

    return joined


def bind_each(
    slot: int, within: Value, value: Value
) -> Callable[[Vector, Frame], Iterator[tuple[int, Any]]]:
    """The elements of a set, each with the value of an expression with it in the slot."""

    def each(v: Vector, f: Frame) -> Iterator[tuple[int, Any]]:
        elements, f = count_elements(v, within(v, f)), f[:]
        for f[slot] in elements:
            yield f[slot], value(v, f)

    return each


def count(v: Vector, number: int) -> None:
    """Adds to the meter; a fault beyond its limit."""
    v[METER] += number
    if v[METER] > PARTS:
        too_much()


def count_elements(v: Vector, elements: Collection[int]) -> Collection[int]:
    """The elements of a set, counted on the meter."""
    count(v, len(elements))
    return elements


def set_of(items: Iterable[int]) -> Set:
    """The set of these values, without nothing."""
    return tuple(sorted({*items} - {NOTHING}))


def _ascending(items: Iterable[int]) -> Set:
    return tuple(sorted({*items}))


def _numbers(low: int, high: int) -> Set:
    if high - low >= RANGE:
        text = f"A range may hold at most {RANGE} numbers."
        raise Fault("E610", f"a range from {low} to {high}", text)
    return tuple(range(low, high + 1))


def _bounded(number: int) -> int:
    """The number, which must fit into 32 bits."""
    return number if LOWEST <= number <= HIGHEST else overflow(number)


_FOLDS: dict[e.Aggregate, Callable[[list[int]], int]] = {
    "sum": lambda values: _bounded(sum(values)),
    "highest": lambda values: max(values, default=0),
    "lowest": lambda values: min(values, default=0),
    "different": lambda values: len({*values} - {NOTHING}),
}


def _reach(slot: int, start: Value, step: Value, within: Value) -> Value:
    """Breadth-first search: steps are evaluated once for each element."""

    def reached(v: Vector, f: Frame) -> Set:
        level, among, bound = {*count_elements(v, start(v, f))}, {*within(v, f)}, f[:]
        found = among & level
        while level:
            ends = set[int]()
            for bound[slot] in level:
                ends.update(step(v, bound))
            level = (ends & among) - found
            found |= level
        return _ascending(found)

    return reached


def _joins(steps: Sequence[Set], start: Value, within: Value, to: Value) -> Value:
    """Whether steps lead to one of these elements; the meter counts the sets, not the steps."""

    def joins(v: Vector, f: Frame) -> int:
        pending, left = [*start(v, f)], {*within(v, f)}
        count(v, len(pending) + len(left))
        ends = left.intersection(to(v, f))
        if not ends.isdisjoint(pending):
            return 1
        left.difference_update(pending)
        for at in pending:
            new = left.intersection(steps[min(at, len(steps) - 1)])
            if not ends.isdisjoint(new):
                return 1
            left -= new
            pending += new
        return 0

    return joins


def _longest(ways: Iterable[tuple[int, ...]], places: Collection[int]) -> int:
    """The length of the longest line within a set of places."""
    longest = min(1, len(places))
    for way in ways:
        left = {*places}
        begin = left.difference([way[place] for place in places])
        for at in (*begin, *places):  # a full ring may begin anywhere
            number = 0
            while at in left:
                left.remove(at)
                number, at = number + 1, way[at]
            longest = max(longest, number)
    return longest
