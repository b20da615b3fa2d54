"""Holders of resources: players, spaces, cards and pools; and transfers between them.

Amounts on spaces and cards and in pools are kept by variables that the compiler declares: one for
each resource and region, kind of card or pool.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Literal, NoReturn, assert_never

from targi_dsl.compiler.lowering import fitting, prices
from targi_dsl.compiler.lowering.context import NOBODY, Abandoned, Context, Frame, instead
from targi_dsl.compiler.symbols.table import LARGEST_AMOUNT
from targi_dsl.compiler.symbols.types import Typed, describe
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.expressions import Counted
from targi_dsl.syntax import ast as n
from targi_dsl.text.light import dataclass
from targi_dsl.text.source import Span


@dataclass(frozen=True, slots=True)
class Player:
    who: e.Expr


@dataclass(frozen=True, slots=True)
class Pool:
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Thing:
    """A space or a card."""

    which: e.Expr
    type: t.Place | t.Card
    span: Span


@dataclass(frozen=True, slots=True)
class Supply:
    """The supply, which is unlimited."""


Holder = Player | Pool | Thing | Supply

_YOU = Player(e.Local(YOU))


# ---- declarations ----


def holdings(ctx: Context) -> Iterator[tuple[str, Span, Callable[[int], d.Variable]]]:
    """Each resource that something besides players holds: the name to blame if that is impossible,
    where it is declared, and the variable for it, given its first slot.
    """
    for _, declaration in ctx.nodes(n.Resources):
        for word, on in product(declaration.names, declaration.on):
            yield word.text, on.span, partial(_variable_on, ctx, word.text, on)
    for name, pool in ctx.nodes(n.Pool):
        for resource in _resources_of_pool(ctx, pool):
            make = partial(_variable, f"{resource} of {name}", resource, None, 1)
            yield name, pool.span, make


def _resources_of_pool(ctx: Context, node: n.Pool) -> Iterator[str]:
    """The resources that a pool holds."""
    for word in node.resources:
        try:
            members = prices.group_members(ctx, word)
        except Abandoned:
            ctx.symbols.errors.names.add(node.name.text)
            return
        yield from (ctx.symbols.resources[one] for one in members)


def _variable_on(ctx: Context, resource: str, on: n.Word, slot: int) -> d.Variable:
    """The variable for what lies on the spaces of a region, or on the cards of a kind."""
    ctx.require_known(on.text)
    spaces = ctx.symbols.boards()
    each: t.Place | t.Card
    if on.text in spaces:
        each = t.Place(on.text)
    elif on.text in ctx.symbols.kinds:
        each = t.Card(on.text)
    else:
        text = "A resource can only be kept on spaces of the board or on cards of a kind."
        near = ctx.near(on, [*spaces, *ctx.symbols.kinds])
        ctx.fail("E201", f"nothing can be kept on `{on.text}`", on.span, text, near)
    return _variable(f"{resource} on {on.text}", resource, each, len(ctx.domains.of(each)), slot)


def _variable(name: str, resource: str, each: t.Single | None, count: int, slot: int) -> d.Variable:
    type_ = t.Number(0, LARGEST_AMOUNT)
    return d.Variable(name, slot, count, each, type_, 0, LARGEST_AMOUNT, 0, holds=resource)


# ---- amounts ----


def is_resource(ctx: Context, frame: Frame, node: n.Expr) -> bool:
    """Whether an expression is the bare name of a resource, or of a group of them."""
    name, symbols = frame.global_name(node), ctx.symbols
    return name in symbols.resources or name in symbols.groups


def is_pool(ctx: Context, frame: Frame, node: n.Expr) -> bool:
    """Whether an expression is the bare name of a pool."""
    return ctx.is_declared("pool", frame.global_name(node))


def in_pool(ctx: Context, pool: str) -> list[d.Variable]:
    """The variables for the resources of a pool."""
    return [one for one in ctx.tables.variables.values() if one.name == f"{one.holds} of {pool}"]


def amount_on(ctx: Context, frame: Frame, resource: n.Word, places: n.Expr) -> Typed:
    """The amount of a resource on a space or a card, or on several."""
    found, type_ = fitting.lower(ctx, frame, places)
    if isinstance(type_, t.Unknown):
        return found, type_
    thing, slot = found, NOTHING
    if isinstance(type_, t.SetOf):
        slot = frame.slot(type_.of)
        thing = e.Local(slot)
    amount = _amount(ctx, resource, _thing(ctx, thing, t.element(type_), places.span))
    return (amount if slot == NOTHING else e.Fold("sum", slot, found, amount)), t.NUMBER


def amount_of_pool(ctx: Context, resource: n.Word, pool: n.Expr) -> Typed:
    """The amount of a resource in a pool."""
    ctx.require_known(pool.span.text)
    return _amount(ctx, resource, Pool(pool.span.text, pool.span)), t.NUMBER


def of_player(ctx: Context, item: int, who: e.Expr) -> e.Expr:
    """How much of a resource or group a player has."""
    resources = len(ctx.symbols.resources)
    members = (item,) if item < resources else [*ctx.symbols.groups.values()][item - resources]
    return fitting.total(_held(ctx, one, Player(who)) for one in members)


def _amount(ctx: Context, resource: n.Word, holder: Pool | Thing) -> e.Expr:
    held = [_held(ctx, one, holder) for one in prices.group_members(ctx, resource)]
    return fitting.total(held) if held else e.Const(0)


def _held(ctx: Context, resource: int, holder: Player | Pool | Thing) -> e.Expr:
    """The amount of one resource there."""
    if isinstance(holder, Player):
        return e.Var(ctx.slots.amounts + resource * len(ctx.symbols.players), holder.who, 0)
    return fitting.total(var for _, var in _slots(ctx, resource, holder))


def _slots(ctx: Context, resource: int, holder: Pool | Thing) -> list[tuple[int, e.Var]]:
    """The variables for a resource there, each with its number. If the region or the kind of card
    is unknown, there are several, one of which applies.
    """
    name = ctx.symbols.resources[resource]
    found = [
        (number, e.Var(one.base, _index(ctx, one, holder), 0))
        for number, one in enumerate(ctx.tables.variables.values())
        if one.holds == name and _holds(one, holder)
    ]
    if found:
        return found
    text = "Declare what holds a resource besides the players:"
    match holder:
        case Pool(name=pool):
            title, hint = f"`{pool}` holds no {name}", f"pool {pool}: {name}"
        case Thing(type=type_):
            title = f"no {name} can lie on `{holder.span.text}`"
            hint = f"resource {name} on {type_.name}"
        case _:
            assert_never(holder)
    ctx.fail("E334", title, holder.span, text, hint)


def _holds(variable: d.Variable, holder: Pool | Thing) -> bool:
    match holder:
        case Pool(name=name):
            return variable.name == f"{variable.holds} of {name}"
        case Thing(type=t.Place(region="") | t.Card(kind="") as any_):
            return type(variable.each) is type(any_)
        case Thing(type=type_):
            return variable.each == type_
        case _:
            assert_never(holder)


def _index(ctx: Context, variable: d.Variable, holder: Pool | Thing) -> e.Expr:
    if variable.each is None or isinstance(holder, Pool):
        return e.Const(0)
    return e.Table(ctx.domains.of(variable.each).positions(), holder.which)


# ---- what goes from one to another ----


def transfer(ctx: Context, frame: Frame, node: n.Transfer) -> s.Block:
    """Transfers up to an amount from one holder to the other; several holders one after
    the other.
    """
    moved = _resources_moved(ctx, node)
    wanted = None if node.quantity is None else fitting.number(ctx, frame, node.quantity)

    def done(source: Holder, target: Holder) -> s.Block:
        if isinstance(source, Supply) and wanted is None:
            _refuse_all(ctx, frame, node)
        steps = (_goes(ctx, frame, one, wanted, source, target, node.span) for one in moved)
        return tuple(step for one in steps for step in one)

    return _at(
        ctx, frame, node.source, lambda source: _at(ctx, frame, node.target, partial(done, source))
    )


def _refuse_all(ctx: Context, frame: Frame, node: n.Transfer) -> NoReturn:
    """Refuses to transfer all of an unlimited amount."""
    text = "The supply is unlimited. To put everything you have, write:"
    hint = ""
    if node.target is not None:
        where = "in" if is_pool(ctx, frame, node.target) else "on"
        hint = f"put all of your {node.resource.text} {where} {node.target.span.text}"
    ctx.fail("E335", "all of the supply", node.span, text, instead(hint))


def _resources_moved(ctx: Context, node: n.Transfer) -> tuple[int, ...]:
    """The resources transferred; an amount of a group would have to be chosen."""
    word = prices.resource_word(ctx, node)
    found = prices.group_members(ctx, word)
    if node.quantity is not None and word.text in ctx.symbols.groups:
        text = "It is unclear which. You can put all of a group, or a number of one resource:"
        names = ", ".join(ctx.symbols.resources[one] for one in found)
        ctx.fail("E308", f"`{word.text}` are {names}", word.span, text, f"all {word.text}")
    return found


def _at(
    ctx: Context,
    frame: Frame,
    end: n.Expr | n.Supply | None,
    done: Callable[[Holder], s.Block],
) -> s.Block:
    """Applies statements to a holder, or to each of several; the acting player is one that is not
    named.
    """
    if end is None:
        return done(_YOU)
    if isinstance(end, n.Supply):
        return done(Supply())
    if is_pool(ctx, frame, end):
        ctx.require_known(end.span.text)
        return done(Pool(end.span.text, end.span))
    which, type_ = fitting.lower(ctx, frame, end)
    one = t.element(type_)
    if isinstance(one, t.Unknown):
        return ()
    if isinstance(one, t.Nothing):
        return done(Supply())
    if not isinstance(one, t.Player):
        _thing(ctx, which, one, end.span)
    slot = frame.slot(one)

    def holder() -> Holder:
        if isinstance(one, t.Player):
            return Player(e.Local(slot))
        return _thing(ctx, e.Local(slot), one, end.span)

    if isinstance(type_, t.SetOf):
        return (s.Each(slot, which, done(holder())),)
    if which == e.Local(YOU):
        return done(_YOU)
    return (s.Let(slot, which), *done(holder()))


def _thing(ctx: Context, which: e.Expr, type_: t.Single, span: Span) -> Thing:
    ctx.require_types(type_)
    if isinstance(type_, t.Place) and type_.is_zone:
        text = "A resource can be on spaces of the board, on cards, or in a pool; this is a zone."
        ctx.fail("E301", "a zone only holds cards", span, text, "pool POOL: RESOURCE")
    if not isinstance(type_, t.Place | t.Card):
        text = f"Players, spaces, cards and pools hold resources; this is {describe(type_)}."
        ctx.fail("E301", "this holds no resources", span, text)
    return Thing(which, type_, span)


def _goes(
    ctx: Context,
    frame: Frame,
    resource: int,
    wanted: e.Expr | None,
    source: Holder,
    target: Holder,
    span: Span,
) -> Iterator[s.Statement]:
    """Transfers an amount of one resource, or as much as there is."""
    number = wanted or e.Const(0)
    if not isinstance(source, Supply):
        there = _held(ctx, resource, source)
        number = there
        if wanted is not None:
            number = e.Cond(e.Compare("less_than", there, wanted), there, wanted)
    slot = frame.slot(t.NUMBER)
    number, kept = e.Local(slot), number
    taken = _change(ctx, frame, resource, source, "-", number)
    given = _change(ctx, frame, resource, target, "+", number)
    yield s.Let(slot, kept)
    steps = tuple(one.at(span) for one in (*taken, *given))
    yield s.If(e.Compare("more_than", number, e.Const(0)), steps, ())


def _change(
    ctx: Context, frame: Frame, resource: int, holder: Holder, op: Literal["+", "-"], number: e.Expr
) -> s.Block:
    """Increases or decreases the amount of a holder."""
    match holder:
        case Supply():
            return ()
        case Player(who=who) if op == "+":
            item = e.Const(resource, t.RESOURCE)
            return (s.Gain(who, item, number, frame.this or NOBODY),)
        case Player(who=who):
            paid = (s.Pay(Counted(((resource, number),)), 0, None),)
            return paid if holder == _YOU else (s.TurnOf(frame.slot(t.PLAYER), who, paid),)
        case Pool() | Thing():
            return tuple(
                s.Assign(variable, var.index, e.Arith(op, var, number))
                for variable, var in _slots(ctx, resource, holder)
            )
        case _:
            assert_never(holder)
