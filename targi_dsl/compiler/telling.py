"""`tell which cards in CARDS have FIELD VALUE`: what everybody learns of cards without seeing them.

Each field that is told of has a variable for each card. It stores the values that everybody knows
the card not to have, as a bit for each value of the field.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from targi_dsl.compiler import fitting, moves
from targi_dsl.compiler.context import Context, Frame
from targi_dsl.compiler.types import describe
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.syntax import ast as n

MOST_TOLD, MOST_APART = 30, 256
"""Limits for a field that is told of: its number of values, and their span."""


def declare(ctx: Context, written: Iterable[n.Node]) -> None:
    """Declares the variables for the fields that rules or sentences on cards tell of."""
    told = {part.field.text for node in written for part in node.every(n.Tell)}
    for field in (name for name in ctx.cards.fields if name in told):
        bits = _bits(ctx, field)
        if not bits:
            continue
        values, _ = ctx.cards.fields[field]
        name, most = _name(field), (1 << len(bits)) - 1
        ctx.tables.variables[name] = d.Variable(
            name, ctx.new_slots(len(values)), len(values), t.CARD, t.Number(0, most), 0, most, 0,
            bits=tuple(bits[value] for value in values if isinstance(value, int)),
        )  # fmt: skip


def _bits(ctx: Context, field: str) -> Mapping[int, int]:
    """The bit of each value that a card has there; none if the field cannot be told of."""
    values, type_ = ctx.cards.fields[field]
    found = sorted({value for value in values if isinstance(value, int)})
    if not isinstance(type_, t.Value | t.Number) or not 0 < len(found) <= MOST_TOLD:
        return {}
    if found[-1] - found[0] > MOST_APART:
        return {}
    return {value: 1 << at for at, value in enumerate(found)}


def _name(field: str) -> str:
    return d.TOLD + field


def tell(ctx: Context, frame: Frame, node: n.Tell) -> s.Block:
    """Tells everybody of each of the cards whether it has the value."""
    cards = moves.cards(ctx, frame, node.cards)
    variable, type_ = _told(ctx, node.field)
    value = fitting.of_kind(ctx, frame, node.value, type_)
    asked, slot = frame.slot(type_), frame.slot(t.CARD)
    now = _after(ctx, node.field.text, variable, e.Local(asked), e.Local(slot))
    told = s.Assign(ctx.tables.number_of(variable), e.Local(slot), now).at(node.span)
    return s.Let(asked, value), s.Each(slot, cards, (told,))


def _after(ctx: Context, field: str, variable: d.Variable, asked: e.Expr, card: e.Expr) -> e.Expr:
    """The bits added for a card when this value is told of: all others, or this one too."""
    bits, two = _bits(ctx, field), e.Const(2)
    first, last = min(bits), max(bits)
    by_value = (*(bits.get(value, 0) for value in range(first, last + 1)), 0)
    bit = e.Table(by_value, e.Arith("-", asked, e.Const(first)))
    before = e.Var(variable.base, card, 0)
    above = e.Arith("/", before, e.Arith("*", two, bit))
    is_set = e.Arith("-", e.Arith("/", before, bit), e.Arith("*", two, above))
    others = e.Arith("-", e.Const(variable.high), bit)
    added = e.Arith("*", bit, e.Arith("-", e.Const(1), is_set))
    has = e.Compare("is", e.Table((*variable.bits, NOTHING), card), bit)
    return e.Cond(has, others, e.Arith("+", before, added))


def _told(ctx: Context, field: n.Word) -> tuple[d.Variable, t.Single]:
    """The variable, and the type of the field."""
    ctx.known(field.text)
    if field.text not in ctx.cards.fields:
        text = "No kind of card has a field with that name."
        ctx.unknown("field", field, text, ctx.cards.fields)
    _, type_ = ctx.cards.fields[field.text]
    variable = ctx.tables.variables.get(_name(field.text))
    if variable is None or isinstance(type_, t.SetOf):
        text = f"`tell` needs a field with a value or a number, of at most {MOST_TOLD}; this is"
        title = f"`{field.text}` cannot be told"
        ctx.fail("E301", title, field.span, f"{text} {describe(type_)}.")
    return variable, type_
