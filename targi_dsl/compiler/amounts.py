"""Gains, payments and exchanges, from written to meant."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.compiler import abilities, fitting, prices
from targi_dsl.compiler.context import NOBODY, NUMBER, PLAYER, RESOURCE, YES, Context, Frame
from targi_dsl.ir import model as m
from targi_dsl.syntax import ast as n


def gain(ctx: Context, frame: Frame, node: n.Gain) -> m.Block:
    """`gain`, `P gains`: the receiver gets, you choose where there is a choice."""
    who = m.Local(m.YOU) if node.who is None else fitting.of_kind(ctx, frame, node.who, PLAYER)
    if not isinstance(node.price, n.Price):
        text = "An amount is a number and a resource, such as:"
        known = [*ctx.world.resources, *ctx.world.groups]
        counted = next((one for one in (node.price.span.text, *known) if one in known), "RESOURCE")
        ctx.fail("E301", "amounts are needed here", node.price.span, text, f"1 {counted}")
    if node.price.extra:
        ctx.fail(
            "E308", "a bracket belongs to a cost", node.price.span, "What is gained has no bracket."
        )
    ways = node.price.alternatives
    if len(ways) == 1:
        return all_gained(ctx, frame, ways[0], who)
    asked = tuple(
        m.Alternative(_words(ways_), None, YES, all_gained(ctx, frame, ways_, who))
        for ways_ in ways
    )
    return (m.Ask(frame.owner, asked, ()),)


def all_gained(ctx: Context, frame: Frame, amounts: tuple[n.Amount, ...], who: m.Expr) -> m.Block:
    return tuple(one for amount in amounts for one in _gained(ctx, frame, amount, who))


def _gained(ctx: Context, frame: Frame, amount: n.Amount, who: m.Expr) -> Iterator[m.Statement]:
    if amount.how == "other":
        text = "`other` means another than what is given in the same exchange."
        ctx.fail("E308", "`other` cannot stand here", amount.span, text)
    item = prices.item(ctx, amount.resource)
    source = frame.this or NOBODY
    number = fitting.number(ctx, frame, amount.quantity)
    if item < len(ctx.world.resources):
        yield m.Gain(who, m.Const(item), number, source)
        return
    members = ctx.world.groups[amount.resource.text]
    if amount.how == "one":
        yield _chosen(
            frame, members, m.Gain(who, m.Local(slot := frame.slot(RESOURCE)), number, source), slot
        )
        return
    slot = frame.slot(RESOURCE)
    each = _chosen(frame, members, m.Gain(who, m.Local(slot), m.Const(1), source), slot)
    if isinstance(number, m.Const) and number.value == 1:
        yield each
        return
    yield m.Loop(frame.slot(NUMBER), number, (each,))


def _chosen(frame: Frame, members: tuple[int, ...], done: m.Statement, slot: int) -> m.Ask:
    choice = m.Binding(slot, m.Const(members), RESOURCE, members)
    return m.Ask(frame.owner, (m.Alternative("gain", choice, YES, (done,)),), ())


def pay(ctx: Context, frame: Frame, price: m.PriceExpr, otherwise: m.Block | None) -> m.Statement:
    return m.Pay(price, abilities.terms(ctx, frame), otherwise)


def exchange(ctx: Context, frame: Frame, node: n.Exchange) -> tuple[m.Alternative, ...]:
    """Every way to do an exchange: `one` and `other` are spelt out, one answer for each pair of
    resources.
    """
    ones = [amount for amount in node.give if amount.how == "one"]
    if len(ones) > 1 or any(amount.how == "other" for amount in node.give):
        ctx.fail(
            "E308",
            "one `of one` can be given",
            node.span,
            "Write it as: 2 of one GROUP -> 1 other GROUP.",
        )
    given = prices.group_members(ctx, ones[0].resource) if ones else (m.NOTHING,)
    found = []
    for first in given:
        give = tuple(_spelt(ctx, amount, first) for amount in node.give)
        for take in node.take.alternatives:
            for taken in _others(ctx, take, first):
                gain_ = tuple(_spelt(ctx, amount, taken) for amount in take)
                body = (
                    pay(
                        ctx,
                        frame,
                        prices.reference(ctx, frame, n.Price((give,), (), (), span=node.span)),
                        None,
                    ),
                    *all_gained(ctx, frame, gain_, m.Local(m.YOU)),
                )
                found.append(m.Alternative(f"{_words(give)} for {_words(gain_)}", None, YES, body))
    return tuple(found)


def _others(ctx: Context, take: tuple[n.Amount, ...], first: int) -> tuple[int, ...]:
    for amount in take:
        if amount.how == "other":
            return tuple(one for one in prices.group_members(ctx, amount.resource) if one != first)
    return (m.NOTHING,)


def _spelt(ctx: Context, amount: n.Amount, resource: int) -> n.Amount:
    if not amount.how:
        return amount
    word = n.Word(ctx.world.resources[resource], span=amount.resource.span)
    return n.Amount(amount.quantity, word, "", span=amount.span)


def _words(amounts: tuple[n.Amount, ...]) -> str:
    texts = (f"{amount.quantity.span.text} {amount.resource.text}" for amount in amounts)
    return " and ".join(" ".join(text.split()) for text in texts)
