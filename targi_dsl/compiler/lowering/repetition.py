"""`remember the position`, and `the position has come 3 times`.

A position is what is on the spaces of the board, and whose turn it is, packed into a few numbers.
The compiler declares a variable with a ring buffer of the last positions and generates the code
that compares them, so that engines need no support for this.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NoReturn

from targi_dsl.compiler.lowering import coercion
from targi_dsl.compiler.lowering.context import Context
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.syntax import ast as n
from targi_dsl.text.source import Span
from targi_dsl.text.structs import Frozen

MOST_REMEMBERED = 256
MOST_NUMBERS = 64
"""The most numbers into which a position is packed."""

_TIMES, _KEPT, _NEXT, _HEAD = range(4)
"""The indices of the variable: how often the last position has come, how many are stored, and where
the next one goes; then the positions.
"""


class _Digit(Frozen):
    """A digit of a position in a mixed radix: a number from 0 to base - 1, and its expression.
    pieces: for a count of interchangeable pieces on a space, these pieces and the space.
    """

    base: int
    value: e.Expr
    pieces: tuple[int, ...] = ()
    place: int = NOTHING


# ---- declarations ----


def declare(ctx: Context, written: Iterable[n.Node]) -> None:
    """Declares the variable, if anything remembers the position."""
    if not any(node.every(n.Remember) for node in written):
        return
    count = _HEAD + MOST_REMEMBERED * min(len(_packed_numbers(ctx)), MOST_NUMBERS)
    each = t.Number(0, count - 1)
    name, slot = d.REMEMBERED, ctx.new_slots(count)
    ctx.tables.variables[name] = d.Variable(name, slot, count, each, t.NUMBER, 0, t.HIGHEST, 0)


# ---- what a position is ----


def _packed_numbers(ctx: Context) -> list[list[tuple[int, _Digit]]]:
    """The numbers of a position, each as its digits with their weights."""
    found: list[list[tuple[int, _Digit]]] = []
    weight = 1
    for digit in _digits(ctx):
        if not found or weight * digit.base > t.HIGHEST:
            found.append([])
            weight = 1
        found[-1].append((weight, digit))
        weight *= digit.base
    return found


def _digits(ctx: Context) -> Iterator[_Digit]:
    yield _Digit(len(ctx.symbols.players), e.Local(YOU))
    spaces = [number for number, one in enumerate(ctx.symbols.places) if not one.is_zone]
    for pieces in _interchangeable(ctx):
        yield from (_Digit(len(pieces) + 1, e.Const(0), pieces, place) for place in spaces)
    for one in ctx.tables.variables.values():
        if isinstance(one.each, t.Place):
            low, base = e.Const(one.low), one.high - one.low + 1
            values = (e.Var(one.base, e.Const(at), one.low) for at in range(one.count))
            yield from (_Digit(base, e.Arith("-", value, low)) for value in values)


def _interchangeable(ctx: Context) -> Iterator[tuple[int, ...]]:
    """The pieces of each kind and owner."""
    pieces = ctx.symbols.pieces

    def sort(piece: int) -> tuple[str, int]:
        return pieces[piece].kind, pieces[piece].owner

    for _, same in groupby(sorted(range(len(pieces)), key=sort), sort):
        yield tuple(same)


def _number(ctx: Context, digits: list[tuple[int, _Digit]]) -> e.Expr:
    """The expression of one packed number."""
    parts = [_times(weight, digit.value) for weight, digit in digits if not digit.pieces]
    counted = [(weight, digit) for weight, digit in digits if digit.pieces]
    for pieces, same in groupby(counted, lambda one: one[1].pieces):
        weights = {digit.place: weight for weight, digit in same}
        slot = ctx.frame.slot(t.PIECE)
        lies_on = e.Var(ctx.slots.piece_place, e.Local(slot), NOTHING)
        by_place = (*(weights.get(at, 0) for at in range(len(ctx.symbols.places))), 0)
        within = e.Const(pieces, t.set_of(t.PIECE))
        parts.append(e.Fold("sum", slot, within, e.Table(by_place, lies_on)))
    return coercion.total(parts)


def _times(weight: int, value: e.Expr) -> e.Expr:
    return value if weight == 1 else e.Arith("*", value, e.Const(weight))


# ---- sentences ----


def remember(ctx: Context, node: n.Remember) -> s.Block:
    """Counts the stored positions that equal this one, and overwrites the oldest with it."""
    variable, packed = ctx.tables.variables[d.REMEMBERED], _packed_numbers(ctx)
    _check(ctx, node.span, variable, packed)
    size = len(packed)
    now = [ctx.frame.slot(t.NUMBER) for _ in packed]
    lets = [s.Let(slot, _number(ctx, digits)) for slot, digits in zip(now, packed, strict=True)]

    def assign(index: e.Expr, value: e.Expr) -> s.Statement:
        return s.Assign(ctx.tables.number_of(variable), index, value).at(node.span)

    stored, following = (_at(variable, e.Const(one)) for one in (_KEPT, _NEXT))
    earlier = ctx.frame.slot(t.NUMBER)
    same = [
        e.Compare("is", _at(variable, _place(size, e.Local(earlier), at)), e.Local(slot))
        for at, slot in enumerate(now)
    ]
    before = e.Range(e.Const(0), e.Arith("-", stored, e.Const(1)))
    count = e.Size(e.Filter(earlier, before, e.All(tuple(same))))
    return (
        *lets,
        assign(e.Const(_TIMES), e.Arith("+", count, e.Const(1))),
        *(assign(_place(size, following, at), e.Local(slot)) for at, slot in enumerate(now)),
        assign(e.Const(_KEPT), _one_more(stored, MOST_REMEMBERED)),
        assign(e.Const(_NEXT), _one_more(following, 0)),
    )


def _one_more(number: e.Expr, at_last: int) -> e.Expr:
    """The next number; `at_last` after the highest."""
    more = e.Arith("+", number, e.Const(1))
    is_full = e.Compare("at_least", more, e.Const(MOST_REMEMBERED))
    return e.Cond(is_full, e.Const(at_last), more)


def _at(variable: d.Variable, index: e.Expr) -> e.Var:
    return e.Var(variable.base, index, 0)


def _place(size: int, position: e.Expr, at: int) -> e.Expr:
    """The index of one number of a stored position."""
    return e.Arith("+", _times(size, position), e.Const(_HEAD + at))


def has_come(ctx: Context, node: n.HasCome) -> e.Expr:
    """Whether the last remembered position has come that often."""
    variable = ctx.tables.variables.get(d.REMEMBERED)
    if variable is None:
        text = (
            "No rule remembers the position. At the end of a turn, or wherever it matters, write:"
        )
        ctx.fail("E338", "no position is remembered", node.span, text, "remember the position")
    if not 2 <= node.times <= MOST_REMEMBERED:
        text = f"From 2 to {MOST_REMEMBERED} times are possible; only so many positions are kept."
        ctx.fail("E303", f"the position does not come {node.times} times", node.span, text)
    return e.Compare("at_least", _at(variable, e.Const(_TIMES)), e.Const(node.times))


def _check(
    ctx: Context, span: Span, variable: d.Variable, packed: list[list[tuple[int, _Digit]]]
) -> None:
    """Refuses to remember a position that would be incomplete, empty or too large."""

    def fail(text: str) -> NoReturn:
        ctx.fail("E338", "this position cannot be remembered", span, text)

    text = "Positions are compared by what is on the spaces and whose turn it is."
    if ctx.symbols.kinds:
        fail(f"{text} This game also has cards, which would not be compared.")
    for one in ctx.tables.variables.values():
        if isinstance(one.each, t.Piece):
            fail(f"{text} `{one.name}` belongs to pieces, and would not be compared.")
    if len(packed) == 1 and len(packed[0]) == 1:
        fail(f"{text} This game has nothing on spaces.")
    if variable.count != _HEAD + MOST_REMEMBERED * len(packed):
        fail(f"{text} Here these are {len(packed):,} numbers; at most {MOST_NUMBERS} are possible.")
