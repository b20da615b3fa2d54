"""Encodes sets in frames. A set that is passed to a rule, or evaluated once, is stored as a bit
vector over the members of its type, split into numbers. So frames hold only numbers, and engines
need no set values in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial, reduce

from targi_dsl.compiler.lowering import calls
from targi_dsl.compiler.lowering.context import Abandoned, Context
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Label

BITS = 30
"""The number of members that one slot encodes."""


def bind_parameters(ctx: Context, params: tuple[n.Param, ...]) -> int:
    """Binds the parameters of a rule in its frame; returns the number of slots that they occupy."""
    frame, sets = ctx.frame, list[tuple[n.Param, int, t.SetOf, list[Sequence[int]]]]()
    first = len(frame.slots)
    for param in params:
        try:
            type_ = calls.declared_type(ctx, param)
        except Abandoned:
            frame.name(param.name, None)
            continue
        parts = [*_parts(ctx, type_)] if isinstance(type_, t.SetOf) else []
        if isinstance(type_, t.SetOf) and isinstance(type_.of, t.Card):
            _refuse_hidden(ctx, param, type_.of.kind)
        if isinstance(type_, t.SetOf) and parts:
            sets.append((param, frame.slot(t.NUMBER, len(parts)), type_, parts))
        else:
            slot = frame.bind(param.name, calls.param_type(ctx, param), is_unsure=True)
            if isinstance(type_, t.Place) and type_.region:
                frame.given[slot] = type_
    taken = len(frame.slots) - first
    for param, slot, type_, parts in sets:
        member = frame.slot(type_.of)
        frame.name(param.name, (_decoded(slot, member, parts), type_))
    return taken


def _refuse_hidden(ctx: Context, param: n.Param, kind: str) -> None:
    """Refuses a set of cards that may be hidden, since arguments of rules are public."""
    for name, zone in ctx.nodes(n.Zone):
        if zone.kind.text == kind and (zone.facing == "down" or zone.seen not in ("", "all")):
            text = f"Everybody sees what a rule is given, but not the cards on `{name}`. Write the"
            text += " set in the rule itself, or define it."
            title, labels = f"{kind} cards may be hidden", (Label(zone.name.span, "the zone"),)
            ctx.report("E308", title, param.span, text, labels=labels)
            return


def passed(ctx: Context, rule: n.Word, given: tuple[n.Expr, ...]) -> tuple[e.Expr, ...]:
    """The arguments of a call, encoded as they are put into slots."""
    found = calls.call_arguments(ctx, rule, given)
    if not ctx.is_declared("rule", rule.text):
        return found
    params = ctx.node(n.Rule, rule.text).params
    pairs = (
        (one, calls.declared_type(ctx, param)) for one, param in zip(found, params, strict=True)
    )
    return tuple(number for pair in pairs for number in _encoded(ctx, *pair))


def once(ctx: Context, found: e.Expr, type_: t.SetOf) -> tuple[s.Block, e.Expr]:
    """Statements that evaluate a set, and an expression for its value from then on."""
    match found:
        case e.Const() | e.MakeSet((e.Local() | e.Table(_, e.Local()),)):
            return (), found
        case e.MakeSet((one,)):
            slot = ctx.frame.slot(type_.of)
            return (s.Let(slot, one),), e.MakeSet((e.Local(slot),))
    parts, numbers = [*_parts(ctx, type_)], [*_encoded(ctx, found, type_)]
    if not parts:
        return (), found
    slot = ctx.frame.slot(t.NUMBER, len(parts))
    stores = tuple(s.Let(slot + at, number) for at, number in enumerate(numbers))
    return stores, _decoded(slot, ctx.frame.slot(type_.of), parts)


def width(ctx: Context, param: n.Param) -> int:
    """The number of slots that a parameter occupies."""
    type_ = calls.declared_type(ctx, param)
    return len([*_parts(ctx, type_)]) or 1 if isinstance(type_, t.SetOf) else 1


def _parts(ctx: Context, type_: t.SetOf) -> Iterator[Sequence[int]]:
    """The members of a type, in chunks of BITS; none for numbers and prices, which are
    unlimited.
    """
    if not isinstance(type_.of, t.Number | t.Price):
        members = ctx.domains.of(type_.of).members
        for at in range(0, len(members), BITS):
            yield members[at : at + BITS]


def _encoded(ctx: Context, found: e.Expr, type_: t.Type) -> Iterator[e.Expr]:
    """A value encoded as numbers: one for each chunk of a set's type, or itself."""
    parts = [*_parts(ctx, type_)] if isinstance(type_, t.SetOf) else []
    if not isinstance(type_, t.SetOf) or not parts:
        yield found
        return
    member = ctx.frame.slot(type_.of)
    for part in parts:
        yield e.Fold("sum", member, found, e.Table(_powers(part), e.Local(member)))


def _decoded(slot: int, member: int, parts: Sequence[Sequence[int]]) -> e.Expr:
    """The set that the slots from `slot` on encode."""
    subsets = list[e.Expr]()
    for number, part in enumerate(parts, slot):
        shifted = e.Arith("/", e.Local(number), e.Table(_powers(part), e.Local(member)))
        holds = e.Compare("is", e.Arith("remainder", shifted, e.Const(2)), e.Const(1))
        subsets.append(e.Filter(member, e.Const(tuple(part)), holds))
    return reduce(partial(e.SetOp, "plus"), subsets)


def _powers(part: Sequence[int]) -> tuple[int, ...]:
    """By member, its bit in the number of its chunk; 0 for members of other chunks and for
    nothing.
    """
    places = {one: 1 << at for at, one in enumerate(part)}
    return tuple(places.get(one, 0) for one in range(part[-1] + 2))
