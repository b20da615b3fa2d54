"""Compiles expressions to closures over a position and a frame; they change neither. See
docs/program.md, *Expressions*.

An expression becomes the text of one Python expression over a position `v` and a frame `f`, which
is compiled once: a call would cost more than most parts of an expression do. Parts that go
through elements, and long ones, are closures of their own that the text calls. Texts contain only
numbers of the program: sets, tables and closures are bound to names. The names `i` and `j` carry
a value from one part of a text to the next, never further.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import compress, filterfalse
from typing import Any

from targi_dsl.engine import paths, sets
from targi_dsl.engine.code import Code, Value
from targi_dsl.engine.faults import (
    HIGHEST,
    LOWEST,
    PARTS,
    SCRATCH,
    overflow,
    too_much,
    too_nested,
)
from targi_dsl.engine.run import too_deep
from targi_dsl.engine.texts import LONGEST, Texts
from targi_dsl.ir import expressions as e
from targi_dsl.ir.comparisons import COMPARISONS
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.slots import METER

_FOLDS = {
    "sum": f"i if {LOWEST} <= (i := sum(found)) <= {HIGHEST} else overflow(i)",
    "highest": "max(found, default=0)",
    "lowest": "min(found, default=0)",
    "different": f"len({{*found}} - {{{NOTHING}}})",
}
_TRUTHS = e.Compare | e.Not | e.All | e.AnyOf | e.Member | e.Active | e.During
_ANY = e.Const(1)
Asks = Callable[[e.CanDo | e.CanPay], Value]


class Expressions(Texts):
    """Compiles expressions; `asks` compiles those about what can be done or paid."""

    def __init__(self, code: Code, asks: Asks) -> None:
        self.code, self.asks = code, asks
        slots = code.slots
        names = {
            "compress": compress,
            "filterfalse": filterfalse,
            "overflow": overflow,
            "too_much": too_much,
            "too_nested": too_nested,
            "too_deep": too_deep,
            "quotient": sets.quotient,
            "owner_of": code.table.owner_of,
            "made": sets.made,
            "union": sets.union,
            "numbers": sets.numbers,
            "lying": sets.lying,
            "values_of": sets.values_of,
            "cards_on": sets.cards_on(slots.place_top, slots.card_next),
            "bottom_card": sets.bottom_card(slots.place_top, slots.card_next),
        }
        super().__init__(names)

    def value(self, node: e.Expr) -> Value:
        """The closure of an expression."""
        return self.written(self.text(node))

    def judged(self, node: e.Expr) -> Value:
        """Like `value`, for callers that only need the truth of the result."""
        return self.written(self.test(node))

    def condition(self, node: e.Expr) -> Value | None:
        """Like `judged`; None for a condition that is always true."""
        return None if isinstance(node, e.Const) and node.value else self.judged(node)

    def entered(self, size: int, bit: int, arguments: Sequence[e.Expr]) -> Value:
        """Builds the frame of a guard or definition, of this size; the first argument is the
        player. Every such frame counts as one element on the meter.
        """
        level = self.code.frames.mask + 1
        slots = [self.text(argument) for argument in arguments] + ["0"] * (size - len(arguments))
        lines = [
            f"context = {f'(f[-1] | {bit})' if bit else 'f[-1]'} + {level}",
            f"if context >= {SCRATCH * level}: too_nested()",
            f"spent = v[{METER}] = v[{METER}] + 1",
            f"if spent > {PARTS}: too_much()",
            f"return [{', '.join(slots)}, context]",
        ]
        return self.function("v, f", lines)

    # ---- texts ----

    def text(self, node: e.Expr) -> str:
        """The text of an expression."""
        if isinstance(node, _TRUTHS) or (isinstance(node, e.Exists) and node.condition == _ANY):
            return self.short(f"(1 if {self.test(node)} else 0)")
        return self.short(self._value_of(node))

    def _value_of(self, node: e.Expr) -> str:
        slots, text, value = self.code.slots, self.text, self.value
        match node:
            case e.Const(int(number)):
                return str(int(number)) if number >= 0 else f"({number})"
            case e.Const(members):
                return self.bound(members)
            case e.Local(slot):
                return f"f[{slot}]"
            case e.Var(base, index, missing):
                return self._at(base, index, missing)
            case e.Table(values, index) | e.Pick(values, index):
                return self._entry(values, index)
            case e.Arith("/", left, right):
                return _bounded(f"quotient({text(left)}, {text(right)})")
            case e.Arith(op, left, right):
                return _bounded(f"{text(left)} {op} {text(right)}")
            case e.Cond(condition, then, otherwise):
                return f"({text(then)} if {self.test(condition)} else {text(otherwise)})"
            case e.TopCard(place):
                return self._at(slots.place_top, place, NOTHING)
            case e.BottomCard(place):
                return f"bottom_card(v, {text(place)})"
            case e.FaceUp(card):
                return f"(v[{slots.card_known} + i] & 1 if (i := {text(card)}) >= 0 else 0)"
            case e.Size(of):
                return f"len({text(of)})"
            case e.First(of):
                return f"(i[0] if (i := {text(of)}) else {NOTHING})"
            case e.MakeSet((item,)):
                return f"((i,) if (i := {text(item)}) != {NOTHING} else ())"
            case e.MakeSet(items):
                return f"made(({', '.join(map(text, items))}))" if items else "()"
            case e.Range(low, high):
                return f"numbers({text(low)}, {text(high)})"
            case e.SetOp("plus", left, right):
                return f"union({text(left)}, {text(right)})"
            case e.SetOp():
                return f"tuple({self._each(node)})"
            case e.Image(related, of):
                return f"{self.bound(sets.image(related))}({text(of)})"
            case e.CardsOn(places):
                return f"cards_on(v, {text(places)})"
            case e.Places(base, things):
                return f"made({self._values_at(base, things)})"
            case e.Lying():
                return self._lying(node)
            case e.Filter(slot, within, condition):
                keep = f"if {self.test(condition)}: found.append(element)"
                return self._collected(slot, within, keep, "tuple(found)")
            case e.Map(slot, within, inner):
                return self._collected(slot, within, f"found.append({text(inner)})", "made(found)")
            case e.Fold(op, slot, within, inner):
                return self._collected(slot, within, f"found.append({text(inner)})", _FOLDS[op])
            case e.Exists(slot, within, condition):
                keep = f"if {self.test(condition)}: found.append(element); break"
                return self._collected(slot, within, keep, "len(found)")
            case e.Reached(slot, start, step, within):
                return self.called(paths.reached(slot, value(step), value(start), value(within)))
            case e.LongestLine(ways, within):
                return self.called(paths.longest_line(ways, value(within)))
            case e.Call(define, arguments):
                return self.called(self._call(define, arguments))
            case e.CanDo() | e.CanPay():
                return self.called(self.asks(node))
            case _:
                raise AssertionError(node)

    def called(self, function: Value) -> str:
        """The text that calls a closure."""
        return f"{self.bound(function)}(v, f)"

    def test(self, node: e.Expr) -> str:
        """Like `text`, for callers that only need the truth of the result."""
        match node:
            case e.Compare(op, left, right):
                return self.short(f"({self.text(left)} {COMPARISONS[op].sign} {self.text(right)})")
            case e.Not(of):
                return self.short(f"(not {self.test(of)})")
            case e.All(parts) | e.AnyOf(parts):
                joined = " and " if isinstance(node, e.All) else " or "
                tests = joined.join(self.test(part) for part in parts)
                return self.short(f"({tests})" if parts else str(int(isinstance(node, e.All))))
            case e.Member(item, within):
                return self.short(f"({self.text(item)} in {self._members(within)})")
            case e.Active(ability):
                return self.active(ability)
            case e.During(rule):
                return f"(f[-1] & {self.code.table.bits[rule]})"
            case e.Exists(_, e.Lying() as within, e.Const(1)):
                return self.short(self._any_lying(within))
            case e.Exists(_, within, e.Const(1)):
                return self.text(within)
            case _:
                return self.text(node)

    def active(self, ability: int) -> str:
        """Whether an ability is active for you and its window is open."""
        return self.code.table.active(ability, f"f[{YOU}]")

    def short(self, text: str) -> str:
        """A text short enough to be part of another; a longer one becomes a closure."""
        return text if len(text) <= LONGEST else self.called(self.written(text))

    def _at(self, base: int, index: e.Expr, missing: int) -> str:
        """The slot of the position at base + index."""
        match index:
            case e.Const(int(at)):
                return f"v[{base + at}]" if at >= 0 else f"({missing})"
            case _:
                return f"(v[{base} + i] if (i := {self.text(index)}) >= 0 else {missing})"

    def _entry(self, values: tuple[Any, ...], index: e.Expr) -> str:
        last = len(values) - 1
        if isinstance(index, e.Table):
            through = (values[at] if 0 <= at < last else values[-1] for at in index.values)
            return self._entry(tuple(through), index.index)
        name = self.bound(values)
        match index:
            case e.Local(slot) if slot == YOU and last == self.code.players:
                return f"{name}[f[{YOU}]]"
            case _:
                return f"({name}[i] if 0 <= (i := {self.text(index)}) < {last} else {name}[-1])"

    # ---- sets ----

    def _each(self, node: e.Expr) -> str:
        """The elements of a set in ascending order, for a single pass."""
        match node:
            case e.SetOp("within" | "except" as op, left, right):
                filtering = "filter" if op == "within" else "filterfalse"
                among = self._among(right) if _is_of_things(left) else self._members(right)
                return self.short(f"{filtering}({among}.__contains__, {self._each(left)})")
            case _:
                return self.text(node)

    def _members(self, node: e.Expr) -> str:
        """A set of which only membership matters."""
        match node:
            case e.Const(tuple(members)):
                return self.bound(frozenset(members))
            case _:
                return self.text(node)

    def _among(self, node: e.Expr) -> str:
        """Like `_members`; may contain nothing, since nobody looks it up."""
        match node:
            case e.Places(base, things):
                return self.short(self._values_at(base, things))
            case e.MakeSet(items):
                return self.short(f"({''.join(f'{self.text(item)}, ' for item in items)})")
            case e.Cond(condition, then, otherwise):
                ways = self._among(then), self._among(otherwise)
                return self.short(f"({ways[0]} if {self.test(condition)} else {ways[1]})")
            case _:
                return self._members(node)

    # ---- what lies where ----

    def _values_at(self, base: int, things: e.Expr) -> str:
        """The values of a slot for each element of a set."""
        match things:
            case e.Const(tuple(members)):
                return f"{self.bound(sets.values_at(base, members))}(v)"
            case e.Pick(rows, index):
                getters = tuple(sets.values_at(base, row) for row in rows)
                return f"{self._entry(getters, index)}(v)"
            case _:
                return f"values_of(v, {base}, {self._each(things)})"

    def _lying(self, node: e.Lying) -> str:
        members = self._members(node.places)
        if not _is_known(node.things):
            return f"lying(v, {node.base}, {self.text(node.things)}, {members})"
        values = self._values_at(node.base, node.things)
        return f"tuple(compress({self.text(node.things)}, map({members}.__contains__, {values})))"

    def _any_lying(self, node: e.Lying) -> str:
        """Whether any of these things is on any of these places."""
        match node.places:
            case e.Const((place,)) if _is_known(node.things):
                return f"({place} in {self._values_at(node.base, node.things)})"
            case e.MakeSet((place,)) if _is_known(node.things):
                values = self._values_at(node.base, node.things)
                return f"((j := {self.text(place)}) != {NOTHING} and j in {values})"
            case _:
                return self.text(node)

    # ---- closures of their own ----

    def _collected(self, slot: int, within: e.Expr, each: str, result: str) -> str:
        """What a list comes to that is filled element by element."""
        lines = ["found = []", *self.through(slot, within, each), f"return {result}"]
        return self.called(self.function("v, f", lines))

    def through(self, slot: int, within: e.Expr, *lines: str) -> list[str]:
        """The lines that do something for each element of a set."""
        return [
            f"elements = {self.text(within)}",
            f"v[{METER}] += len(elements)",
            f"if v[{METER}] > {PARTS}: too_much()",
            f"before = f[{slot}]",
            "for element in elements:",
            f"    f[{slot}] = element",
            *[f"    {line}" for line in lines],
            f"f[{slot}] = before",
        ]

    def _call(self, define: int, arguments: tuple[e.Expr, ...]) -> Value:
        """A definition, evaluated in a new frame."""
        values, size = self.code.defines, len(self.code.program.defines[define].slots)
        entered = self.entered(size, 0, arguments)
        return lambda v, f: values[define](v, entered(v, f))


def _bounded(result: str) -> str:
    return f"(i if {LOWEST} <= (i := {result}) <= {HIGHEST} else overflow(i))"


def _is_known(things: e.Expr) -> bool:
    """Whether a set is constant, or picked from constant sets by a slot."""
    match things:
        case e.Const() | e.Pick(_, e.Local() | e.Table(_, e.Local())):
            return True
        case _:
            return False


def _is_of_things(node: e.Expr) -> bool:
    """Whether a set certainly does not contain nothing."""
    match node:
        case e.Const(tuple(members)):
            return NOTHING not in members
        case e.Pick(rows, _) | e.Image(rows, _):
            return all(NOTHING not in row for row in rows)
        case e.Places() | e.MakeSet() | e.Map() | e.CardsOn():
            return True
        case e.Filter(_, within, _) | e.Lying(_, within, _):
            return _is_of_things(within)
        case e.SetOp("plus", left, right) | e.Cond(_, left, right):
            return _is_of_things(left) and _is_of_things(right)
        case e.SetOp(_, left, _):
            return _is_of_things(left)
        case _:
            return False
