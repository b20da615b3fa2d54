"""Lowers expressions to the type their context requires: one thing, a condition, a set."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from targi_dsl.compiler.lowering import grouping
from targi_dsl.compiler.lowering.context import Context, Frame, instead
from targi_dsl.compiler.symbols.types import Typed, describe
from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.syntax import ast as n
from targi_dsl.text.source import Span


def lower(ctx: Context, frame: Frame, node: n.Expr, expected: t.Type | None = None) -> Typed:
    """The lowered expression and its type. `expected` helps to resolve bare names; it is not
    checked here.
    """
    return ctx.recursion.expression(ctx, frame, node, expected)


def truth(ctx: Context, frame: Frame, node: n.Expr) -> e.Expr:
    """A condition."""
    found, type_ = lower(ctx, frame, node, t.TRUTH)
    if not isinstance(type_, t.Truth | t.Unknown):
        hint = instead(_as_condition(ctx, node)) if isinstance(type_, t.SetOf) else ""
        text = (
            f"A condition is needed here, which is either true or false; this is {describe(type_)}."
        )
        ctx.fail("E301", "this is not a condition", node.span, text, hint)
    return found


def _as_condition(ctx: Context, node: n.Expr) -> str:
    """The question that a set may have been meant as."""
    match node:
        case n.On(things=n.Name(text=piece), places=places) if piece in ctx.symbols.piece_kinds:
            if len(ctx.symbols.piece_kinds[piece].ids) == 1:
                return f"{piece} is on {places.span.text}"
    return f"any {node.span.text}"


def number(ctx: Context, frame: Frame, node: n.Expr) -> e.Expr:
    return of_kind(ctx, frame, node, t.NUMBER)


def of_kind(ctx: Context, frame: Frame, node: n.Expr, wanted: t.Type) -> e.Expr:
    """One thing of the required type."""

    def fitted(one: n.Expr) -> e.Expr:
        found, type_ = lower(ctx, frame, one, wanted)
        return fit(ctx, found, type_, wanted, one.span)

    return grouping.read(ctx, frame, node, fitted)


def one_or_several(
    ctx: Context, frame: Frame, node: n.Expr, wanted: t.Single
) -> tuple[e.Expr, t.Single | None]:
    """One thing of the required type, or a set of them and the type of its elements."""

    def one(way: n.Expr) -> tuple[e.Expr, t.Single | None]:
        found, type_ = lower(ctx, frame, way, wanted)
        return fit(ctx, found, type_, wanted, way.span), None

    def several(way: n.Expr) -> tuple[e.Expr, t.Single | None]:
        found, type_ = lower(ctx, frame, way, wanted)
        if isinstance(type_, t.SetOf) and t.alike(type_.of, wanted):
            return found, type_.of
        return fit(ctx, found, type_, wanted, way.span), None

    return grouping.either(ctx, frame, node, one, several)


def fit(ctx: Context, found: e.Expr, type_: t.Type, wanted: t.Type, span: Span) -> e.Expr:
    """The expression converted to the required type, or a problem."""
    if isinstance(type_, t.Unknown):
        return found
    ctx.require_types(type_, wanted)
    if isinstance(wanted, t.SetOf):
        return as_set(ctx, found, type_, span, wanted.of)
    if isinstance(type_, t.Nothing) and t.has_nothing(wanted):
        return found
    if isinstance(type_, t.SetOf):
        text = f"A single thing is needed here, {describe(wanted)}; this is {describe(type_)}."
        hint = instead(f"{_single(type_.of, wanted)} {span.text}")
        ctx.fail("E302", "a single thing is needed, not a set", span, text, hint)
    if not t.alike(type_, wanted):
        title = f"{describe(wanted)} is needed here"
        if _is_resource_for_number(type_, wanted):
            text = "This is a resource, not an amount of it."
            ctx.fail("E301", title, span, text, instead(f"your {span.text}"))
        ctx.fail("E301", title, span, f"This is {describe(type_)}.")
    return found


def as_set(
    ctx: Context, found: e.Expr, type_: t.Type, span: Span, wanted: t.Single | None = None
) -> e.Expr:
    """The expression as a set: a zone becomes its cards, a single thing the set containing it."""
    is_set, of = isinstance(type_, t.SetOf), t.element(type_)
    if isinstance(of, t.Unknown):
        return found
    if isinstance(of, t.Place) and of.is_zone and isinstance(wanted, t.Card | None):
        return e.CardsOn(found if is_set else set_of(found))
    if wanted is not None and not isinstance(of, t.Nothing) and type(of) is not type(wanted):
        ctx.fail("E301", f"{describe(wanted)} is needed here", span, f"This is {describe(type_)}.")
    if isinstance(of, t.Truth | t.Price) or (isinstance(of, t.Number) and not is_set):
        ctx.fail("E301", "a set is needed here", span, f"This is {describe(type_)}.")
    return found if is_set else set_of(found)


def element_of(type_: t.Type) -> t.Single:
    """The element type of a set made by `as_set`."""
    of = t.element(type_)
    return t.CARD if isinstance(of, t.Place) and of.is_zone else of


def lower_set(ctx: Context, frame: Frame, node: n.Expr) -> tuple[e.Expr, t.Single]:
    """A set and its element type."""
    found, type_ = lower(ctx, frame, node)
    return as_set(ctx, found, type_, node.span), element_of(type_)


def set_of(found: e.Expr) -> e.Expr:
    if isinstance(found, e.Const) and isinstance(found.value, int):
        type_ = t.set_of(found.type) if found.type is not None else None
        return e.Const(() if found.value == NOTHING else (found.value,), type_)
    return e.MakeSet((found,))


def total(parts: Iterable[e.Expr]) -> e.Expr:
    """The sum of one or more numbers."""
    return reduce(lambda left, right: e.Arith("+", left, right), parts)


def kind_number(ctx: Context, word: n.Word) -> int:
    """The number of a card kind."""
    ctx.require_known(word.text)
    kinds = list(ctx.symbols.kinds)
    if word.text not in kinds:
        text = "No kind of card with that name is declared."
        ctx.fail_unknown("kind of card", word, text, kinds)
    return kinds.index(word.text)


def number_of_value(ctx: Context, value: e.Expr, type_: t.Value, span: Span) -> e.Expr:
    """The number of a value of a list; 0 for nothing."""
    numbers = ctx.symbols.numbers.get(type_.of)
    if numbers is None:
        ctx.require_known(type_.of)
        members = ctx.symbols.values[type_.of]
        hint = ", ".join(f"{name} {number + 1}" for number, name in enumerate(members))
        title, text = (
            f"the values of {type_.of} have no numbers",
            "Give them numbers to compare them by:",
        )
        ctx.fail("E333", title, span, text, f"values {type_.of}: {hint}")
    return e.Table((*numbers, 0), value)


def _single(element: t.Single, wanted: t.Type) -> str:
    """The word that makes a set of these elements what is wanted."""
    if _is_resource_for_number(element, wanted):
        return "your"
    return "count of" if isinstance(wanted, t.Number) else "first"


def _is_resource_for_number(type_: t.Type, wanted: t.Type) -> bool:
    """Whether a resource is used as a number, meaning how much of it you have."""
    return isinstance(type_, t.Resource) and isinstance(wanted, t.Number)
