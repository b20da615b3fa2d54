"""Expressions that make sets or look at them one by one. A set is a tuple of numbers, ascending,
without repeats.

What binds its elements to a slot gives the slot its old value back, because the frame may belong to
a rule that goes on.
"""

from __future__ import annotations

from functools import lru_cache
from typing import assert_never

from targi_dsl.engine import expressions, lying, sieves
from targi_dsl.engine.code import Code, Value, Vector
from targi_dsl.engine.faults import HIGHEST, LOWEST, OPTIONS, Fault, overflow
from targi_dsl.ir.model import (
    NOTHING,
    Call,
    CardsOn,
    Const,
    Exists,
    Expr,
    Filter,
    First,
    Fold,
    Image,
    Local,
    Lying,
    MakeSet,
    Map,
    Member,
    Range,
    SetOp,
    Size,
    Var,
)

_KEPT = 1_000  # images of one relation
Set = tuple[int, ...]
OfSets = (
    Image | MakeSet | Range | SetOp | Filter | Map | Fold | Size | First | Exists | Member | CardsOn | Lying
)  # fmt: skip


def expression(code: Code, node: OfSets) -> Value:
    """The closure of an expression about sets."""

    def of(inner: Expr) -> Value:
        return expressions.expression(code, inner)

    def each(within: Expr, asked: Expr) -> Value:
        return code.fuel.per_element(within, code.fuel.of_expression(asked), of(within))

    match node:
        case Image(sets, inner):
            return _image(sets, of(inner))
        case MakeSet(items):
            return _make_set([of(item) for item in items])
        case Range(low, high):
            return _range(of(low), of(high))
        case SetOp(op, left, right):
            return _set_op(op, of(left), of(right))
        case Filter(slot, within, condition):
            return _filter(code, node)
        case Map(slot, within, Var(base, Local(at), _)) if at == slot:
            return _places(base, of(within))
        case Map(slot, within, value):
            return _map(slot, each(within, value), of(value))
        case Fold(op, slot, within, value):
            return _fold(op, slot, each(within, value), of(value))
        case Size(CardsOn() as on):
            return lying.count_on(code, on)
        case Size(inner):
            members = of(inner)
            return lambda v, fp: len(members(v, fp))
        case First(Lying() as some):
            return lying.first_lying(code, some)
        case First(inner):
            return _first(of(inner))
        case Exists(_, Lying() as some, Const(1)):
            return lying.any_lying(code, some)
        case Exists(_, CardsOn() as on, Const(1)):
            return lying.any_card_on(code, on)
        case Exists(_, Call(define, arguments), Const(1)):
            return expressions.call(code, define, arguments, code.any_defined)
        case Exists(_, Filter(slot, within, condition), Const(1)):
            return _exists(slot, each(within, condition), of(condition))
        case Exists(_, within, Const(1)):
            members = of(within)
            return lambda v, fp: members(v, fp) != ()
        case Exists(slot, within, condition):
            return _exists(slot, each(within, condition), of(condition))
        case Member(Local(slot), Const(tuple(members))):
            among = frozenset(members)
            return lambda v, fp: v[fp + slot] in among
        case Member(item, within):
            wanted, members = of(item), of(within)
            return lambda v, fp: wanted(v, fp) in members(v, fp)
        case CardsOn():
            return lying.cards_on(code, node)
        case Lying():
            return lying.lying(code, node)
        case _:
            assert_never(node)


def _image(sets: tuple[Set, ...], of: Value) -> Value:
    @lru_cache(_KEPT)
    def image(elements: Set) -> Set:
        return tuple(sorted({found for element in elements for found in sets[element]}))

    return lambda v, fp: image(of(v, fp))


def _make_set(items: list[Value]) -> Value:
    if len(items) == 1:
        only = items[0]

        def one(v: Vector, fp: int) -> Set:
            item = only(v, fp)
            return () if item == NOTHING else (item,)

        return one

    def make_set(v: Vector, fp: int) -> Set:
        return tuple(sorted({item(v, fp) for item in items} - {NOTHING}))

    return make_set


def _range(low: Value, high: Value) -> Value:
    def numbers(v: Vector, fp: int) -> Set:
        first, last = low(v, fp), high(v, fp)
        if last - first >= OPTIONS:
            raise Fault(
                "E610",
                f"a range from {first} to {last}",
                f"A range may hold at most {OPTIONS} numbers.",
            )
        return tuple(range(first, last + 1))

    return numbers


def _set_op(op: str, left: Value, right: Value) -> Value:
    def plus(v: Vector, fp: int) -> Set:
        one, two = left(v, fp), right(v, fp)
        return tuple(sorted({*one, *two})) if one and two else one or two

    def without(v: Vector, fp: int) -> Set:
        taken = right(v, fp)
        return tuple([element for element in left(v, fp) if element not in taken])

    def within(v: Vector, fp: int) -> Set:
        kept = right(v, fp)
        return tuple([element for element in left(v, fp) if element in kept])

    return {"plus": plus, "except": without, "within": within}[op]


def _filter(code: Code, node: Filter) -> Value:
    slot = node.slot
    first, rest = sieves.split(code, slot, node.condition)
    elements, condition = sieves.sifted(code, node.within, first), expressions.condition(code, rest)
    if condition is None:
        return lambda v, fp: tuple(elements(v, fp))
    elements = code.fuel.per_element(node.within, code.fuel.of_expression(node.condition), elements)

    def those(v: Vector, fp: int) -> Set:
        i = fp + slot
        before, found = v[i], []
        for element in elements(v, fp):
            v[i] = element
            if condition(v, fp):
                found.append(element)
        v[i] = before
        return tuple(found)

    return those


def _map(slot: int, within: Value, value: Value) -> Value:
    def values(v: Vector, fp: int) -> Set:
        i = fp + slot
        before, found = v[i], set()
        for element in within(v, fp):
            v[i] = element
            found.add(value(v, fp))
        v[i] = before
        found.discard(NOTHING)
        return tuple(sorted(found))

    return values


def _places(base: int, things: Value) -> Value:
    """The set of the places where things lie, or of any slots in a row."""

    def places(v: Vector, fp: int) -> Set:
        found = {v[base + thing] for thing in things(v, fp)}
        found.discard(NOTHING)
        return tuple(sorted(found))

    return places


def _fold(op: str, slot: int, within: Value, value: Value) -> Value:
    def values(v: Vector, fp: int) -> list[int]:
        i = fp + slot
        before, found = v[i], []
        for element in within(v, fp):
            v[i] = element
            found.append(value(v, fp))
        v[i] = before
        return found

    def total(v: Vector, fp: int) -> int:
        result = sum(values(v, fp))
        return result if LOWEST <= result <= HIGHEST else overflow(result)

    match op:
        case "sum":
            return total
        case "highest":
            return lambda v, fp: max(values(v, fp), default=0)
        case "lowest":
            return lambda v, fp: min(values(v, fp), default=0)
        case _:
            return lambda v, fp: len(set(values(v, fp)) - {NOTHING})


def _first(of: Value) -> Value:
    def first(v: Vector, fp: int) -> int:
        members = of(v, fp)
        return members[0] if members else NOTHING

    return first


def _exists(slot: int, within: Value, condition: Value) -> Value:
    def exists(v: Vector, fp: int) -> bool:
        i = fp + slot
        before = v[i]
        for element in within(v, fp):
            v[i] = element
            if condition(v, fp):
                v[i] = before
                return True
        v[i] = before
        return False

    return exists
