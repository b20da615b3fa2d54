"""Modifiers: what abilities in play register on the names they change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from targi_dsl.compiler.lowering import fitting, prices
from targi_dsl.compiler.lowering.context import YES, Abandoned, Context, Frame, NumberedAbility
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.prices import Reduction, Stored, Substitute, Terms
from targi_dsl.syntax import ast as n
from targi_dsl.text.light import dataclass

_OF_PRICES = (n.Reduce, n.Substitute, n.StoredPays)


@dataclass(frozen=True, slots=True)
class Override:
    ability: int
    this: e.Expr | None
    body: n.Becomes


def overrides(ctx: Context, define: str) -> Iterator[Override]:
    for one in changes_of(ctx, n.Becomes, define):
        body = one.node.body
        if isinstance(body, n.Becomes):
            yield Override(one.ability, one.this, body)


def permits(ctx: Context, frame: Frame, forbid: str) -> tuple[tuple[int, e.Expr], ...]:
    """The abilities that lift a prohibition; those without a window come first."""
    found = []
    for one in changes_of(ctx, n.Ignore, forbid):
        body = one.node.body
        if isinstance(body, n.Ignore):
            with suppress(Abandoned):
                permit = one.ability, condition(ctx, frame, one, body.condition)
                found.append((one.info.window != NOTHING, permit))
    return tuple(permit for _, permit in sorted(found, key=lambda pair: pair[0]))


def condition(ctx: Context, frame: Frame, one: NumberedAbility, node: n.Expr | None) -> e.Expr:
    """The condition of a modifier, in the frame of what it modifies."""
    if node is None:
        return YES
    before = frame.this, frame.you
    frame.this, frame.you = one.this, e.Local(YOU)
    try:
        return fitting.truth(ctx, frame, node)
    finally:
        frame.this, frame.you = before


def terms(ctx: Context, frame: Frame) -> int:
    """How abilities modify the payment here, as a number in the game's list.

    Their conditions are evaluated where the payment is made, so they can refer to earlier
    choices.
    """
    rule = frame.owner
    reductions: list[Reduction] = []
    substitutes: list[Substitute] = []
    stored: list[Stored] = []
    for one in (one for clause in _OF_PRICES for one in changes_of(ctx, clause, rule)):
        body = one.node.body
        with suppress(Abandoned):
            match body:
                case n.Reduce():
                    when = condition(ctx, frame, one, body.condition)
                    for item, number in prices.literal_amounts(ctx, body.amounts):
                        reductions.append(Reduction(one.ability, item, e.Const(number), when))
                case n.Substitute():
                    when = condition(ctx, frame, one, body.condition)
                    paid, owed = (
                        prices.literal_amounts(ctx, body.paid),
                        prices.literal_amounts(ctx, body.owed),
                    )
                    substitutes.append(Substitute(one.ability, paid, owed, when))
                case n.StoredPays():
                    resource = prices.one_resource(ctx, body.resource)
                    slot = ctx.store_slot(one.info.card, resource)
                    stored.append(Stored(one.ability, resource, slot))
    if not (reductions or substitutes or stored):
        return 0
    found = Terms(rule, tuple(reductions), tuple(substitutes), tuple(stored))
    return ctx.tables.term(found)


def changes_of(ctx: Context, clause: type[n.Node], name: str) -> Sequence[NumberedAbility]:
    """The abilities that change what has this name by such a clause."""
    return ctx.abilities.changing(clause, name)


def replacements(ctx: Context, rule: str) -> Sequence[NumberedAbility]:
    return changes_of(ctx, n.InsteadOf, rule)


def offers(ctx: Context, rule: str) -> Sequence[NumberedAbility]:
    return changes_of(ctx, n.AlsoOffers, rule)


def abilities_to_use(ctx: Context) -> list[NumberedAbility]:
    """Abilities used by choice: `once per ...: effect`."""
    return [
        one
        for one in ctx.abilities.every
        if isinstance(one.node.body, n.EffectBody)
        and all(isinstance(scope, n.OncePer) for scope in one.node.scopes)
    ]


def as_alternative(ctx: Context, one: NumberedAbility) -> s.Alternative:
    """An ability as an answer to a question; a replacement is not offered while it is
    in progress.
    """
    info = one.info
    use: s.Block = (s.Use(one.ability),) if info.window != NOTHING else ()
    guard: e.Expr = e.Active(one.ability)
    if any(isinstance(scope, n.InsteadOf) for scope in one.node.scopes):
        guard = e.All((guard, e.Not(e.During(one.rule))))
    return s.Alternative(info.name, None, guard, (*use, s.Do(one.rule, ())))


def is_announced(ctx: Context, rule: str) -> bool:
    """Whether doing the rule triggers anything."""
    return bool(changes_of(ctx, n.When, rule))
