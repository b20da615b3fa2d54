"""Type inference for expressions; the bounds of numbers follow from those of their parts.

Literals and tables carry the type the compiler gave them, or else count as the numbers they
contain. All other types follow from the types of slots, variables and definitions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.ir.game import Game
from targi_dsl.ir.program import Program


class Inference:
    """Infers the types of one game's expressions."""

    def __init__(self, game: Game | Program) -> None:
        self._defines = game.defines
        self._largest = max(len(game.cards), len(game.pieces), len(game.places), 1024)
        self._cards = len(game.cards)
        slots = game.slots
        amounts = range(slots.amounts, slots.card_place, max(len(game.players), 1))
        self._bases: Mapping[int, t.Type] = {
            **{base: t.Number(0, slots.highs[base]) for base in amounts},
            slots.card_place: t.Place(),
            slots.card_next: t.Card(),
            slots.piece_place: t.Place(),
            slots.place_top: t.Card(),
            **{variable.base: variable.type for variable in game.variables},
        }

    def of(self, node: e.Expr, slots: Sequence[t.Type]) -> t.Type:
        """The type of an expression in a frame whose slots have these types."""
        match node:
            case e.Const(value):
                return node.type or _of_numbers(value)
            case e.Local(slot):
                return slots[slot]
            case e.Var(base, _, _):
                return self._bases.get(base, t.Number())
            case e.Table(values, _):
                return _narrowed(node.type, values)
            case e.Pick(sets, _) | e.Image(sets, _):
                return node.type or t.SetOf(_hull([element for each in sets for element in each]))
            case e.Arith(op, left, right):
                return _arith(op, self.number(left, slots), self.number(right, slots))
            case e.Fold(op, _, within, value):
                return self._fold(op, within, value, slots)
            case e.Size(of) | e.LongestLine(_, of):
                return t.Number(0, self.size(of))
            case e.Cond(_, then, otherwise):
                return _join(self.of(then, slots), self.of(otherwise, slots))
            case e.Call(define, _):
                return self._defines[define].type
            case e.TopCard() | e.BottomCard():
                return t.Card()
            case e.First(of):
                return t.element(self.of(of, slots))
            case (
                e.Compare() | e.Member() | e.Not() | e.All() | e.AnyOf() | e.Exists() | e.FaceUp()
                | e.During() | e.Active() | e.CanDo() | e.CanPay()
            ):  # fmt: skip
                return t.Truth()
            case (
                e.MakeSet() | e.Range() | e.SetOp() | e.Filter() | e.Map() | e.CardsOn()
                | e.Lying() | e.Places() | e.Reached()
            ):  # fmt: skip
                return self._of_set(node, slots)
            case _:
                assert_never(node)

    def _of_set(self, node: e.Expr, slots: Sequence[t.Type]) -> t.Type:
        match node:
            case e.MakeSet(items):
                joined: t.Type = t.Nothing()
                for item in items:
                    joined = _join(joined, self.of(item, slots))
                return t.set_of(joined)
            case e.Range(low, high):
                return t.SetOf(t.Number(self.number(low, slots).low, self.number(high, slots).high))
            case e.SetOp("plus", left, right):
                return _join(self.of(left, slots), self.of(right, slots))
            case e.SetOp(_, left, _):
                return self.of(left, slots)
            case e.Filter(_, within, _):
                return self.of(within, slots)
            case e.Map(_, _, value):
                return t.set_of(self.of(value, slots))
            case e.CardsOn():
                return t.SetOf(t.Card())
            case e.Lying(_, things, _):
                return self.of(things, slots)
            case e.Reached(slot):
                return t.set_of(slots[slot])
            case e.Places():
                return t.SetOf(t.Place())
            case _:
                raise AssertionError(node)

    def number(self, node: e.Expr, slots: Sequence[t.Type]) -> t.Number:
        """The bounds of a number; for any other type, those of all numbers."""
        inferred = self.of(node, slots)
        return inferred if isinstance(inferred, t.Number) else t.Number()

    def size(self, node: e.Expr) -> int:
        """The largest number of elements a set can have."""
        match node:
            case e.Const(tuple(value)):
                return len(value)
            case e.MakeSet(items):
                return len(items)
            case e.Pick(sets, _):
                return max(map(len, sets), default=0)
            case e.Range(e.Const(int(low)), e.Const(int(high))):
                return max(0, high - low + 1)
            case (
                e.Filter(_, within, _)
                | e.Map(_, within, _)
                | e.Lying(_, within, _)
                | e.Places(_, within)
                | e.Reached(_, _, _, within)
            ):
                return self.size(within)
            case e.SetOp("plus", left, right):
                return self.size(left) + self.size(right)
            case e.SetOp("within", left, right):
                return min(self.size(left), self.size(right))
            case e.SetOp(_, left, _):
                return self.size(left)
            case e.CardsOn():
                return self._cards
            case _:
                return self._largest

    def _fold(self, op: str, within: e.Expr, value: e.Expr, slots: Sequence[t.Type]) -> t.Number:
        size = self.size(within)
        if op == "different":
            return t.Number(0, size)
        element = self.number(value, slots)
        if op == "sum":
            return t.Number(_clamp(size * min(element.low, 0)), _clamp(size * max(element.high, 0)))
        return t.Number(min(element.low, 0), max(element.high, 0))


def _clamp(value: int) -> int:
    return max(t.LOWEST, min(t.HIGHEST, value))


def _hull(values: Sequence[int]) -> t.Number:
    return t.Number(min(values, default=0), max(values, default=0))


def _of_numbers(value: int | tuple[int, ...]) -> t.Type:
    if isinstance(value, int):
        return t.Number(value, value)
    return t.SetOf(_hull(value) if value else t.Nothing())


def _narrowed(type_: t.Type | None, values: Sequence[int]) -> t.Type:
    """The type of a table; a number gets the bounds of its entries."""
    return _hull(values) if type_ is None or isinstance(type_, t.Number) else type_


def _join(left: t.Type, right: t.Type) -> t.Type:
    ones = t.element(left), t.element(right)
    named = [
        type_ for type_ in ones if not isinstance(type_, t.Number)
    ]  # a literal may have no type
    joined = t.join(*ones) if len(named) != 1 else named[0]
    return t.set_of(joined) if isinstance(left, t.SetOf) or isinstance(right, t.SetOf) else joined


def _arith(op: str, left: t.Number, right: t.Number) -> t.Number:
    lows, highs = (left.low, left.high), (right.low, right.high)
    match op:
        case "+":
            bounds = [left.low + right.low, left.high + right.high]
        case "-":
            bounds = [left.low - right.high, left.high - right.low]
        case "*":
            bounds = [a * b for a in lows for b in highs]
        case "remainder":
            bounds = [min(right.low + 1, 0), max(right.high - 1, 0)]
        case _:
            divisors = [
                divisor
                for divisor in (*highs, -1, 1)
                if divisor and right.low <= divisor <= right.high
            ]
            bounds = [0, *(a // b for a in lows for b in divisors)]
    return t.Number(_clamp(min(bounds)), _clamp(max(bounds)))
