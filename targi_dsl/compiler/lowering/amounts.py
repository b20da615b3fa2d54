"""Lowers gains, payments and exchanges."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.compiler.lowering import abilities, fitting, holders, prices
from targi_dsl.compiler.lowering.context import NOBODY, YES, Context, Frame, Hint
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.expressions import Counted
from targi_dsl.syntax import ast as n


def gain(ctx: Context, frame: Frame, node: n.Gain, who: e.Expr) -> s.Block:
    """A gain; if there is a choice of resources, the acting player makes it."""
    if not isinstance(node.price, n.Price):
        text = "An amount is a number and a resource, for example:"
        known = [*ctx.symbols.resources, *ctx.symbols.groups]
        counted = next((one for one in (node.price.span.text, *known) if one in known), "RESOURCE")
        title, is_meant = "amounts are needed here", counted == node.price.span.text
        one = next((one for one, name in ctx.symbols.plurals.items() if name == counted), counted)
        hint = Hint(f"1 {one}", f"1 {one}" if is_meant else "")
        ctx.fail("E301", title, node.price.span, text, hint)
    if node.price.extra:
        text = "Only a cost has brackets."
        ctx.fail("E308", "only a cost has brackets", node.price.span, text)
    ways = node.price.alternatives
    if len(ways) == 1:
        return all_gained(ctx, frame, ways[0], who)
    asked = tuple(
        s.Alternative(_words(ctx, ways_), None, YES, all_gained(ctx, frame, ways_, who))
        for ways_ in ways
    )
    return (s.Ask(frame.owner, asked),)


def has_choice(ctx: Context, node: n.Gain) -> bool:
    """Whether somebody must choose which resource is gained."""
    match node.price:
        case n.Price(alternatives=((*amounts,),)):
            return any(
                prices.resource_word(ctx, one).text not in ctx.symbols.resources for one in amounts
            )
        case _:
            return True


def lose(ctx: Context, frame: Frame, node: n.Lose) -> s.Block:
    """For each amount an unmodified payment of as much as there is, up to that amount."""
    return tuple(
        _back(item, e.Cond(e.Compare("less_than", have, number), have, number), amount)
        for amount in node.amounts
        for item, have, number in (_amount(ctx, frame, amount),)
    )


def keep(ctx: Context, frame: Frame, node: n.Keep) -> s.Block:
    """For each amount an unmodified payment of the excess."""
    return tuple(
        _back(item, e.Arith("-", have, number), amount)
        for amount in node.amounts
        for item, have, number in (_amount(ctx, frame, amount),)
    )


def _back(item: int, number: e.Expr, amount: n.Amount) -> s.Pay:
    """A payment that nothing modifies."""
    return s.Pay(Counted(((item, number),)), 0, None).at(amount.span)


def _amount(ctx: Context, frame: Frame, amount: n.Amount) -> tuple[int, e.Expr, e.Expr]:
    """The item of an amount, how much of it you have, and the amount itself."""
    if amount.how:
        text = "What is lost or kept is given as a number and a resource."
        ctx.fail("E308", f"`{amount.how}` cannot stand here", amount.span, text)
    item = prices.item(ctx, prices.resource_word(ctx, amount))
    number = fitting.number(ctx, frame, amount.quantity)
    return item, holders.of_player(ctx, item, e.Local(YOU)), number


def all_gained(ctx: Context, frame: Frame, amounts: tuple[n.Amount, ...], who: e.Expr) -> s.Block:
    return tuple(one for amount in amounts for one in _gains(ctx, frame, amount, who))


def _gains(ctx: Context, frame: Frame, amount: n.Amount, who: e.Expr) -> Iterator[s.Statement]:
    if amount.how == "other":
        text = "`other` means a resource other than the one given in the same exchange."
        ctx.fail("E308", "`other` cannot stand here", amount.span, text)
    word = prices.resource_word(ctx, amount)
    item = prices.item(ctx, word)
    source = frame.this or NOBODY
    number = fitting.number(ctx, frame, amount.quantity)
    if item < len(ctx.symbols.resources):
        yield s.Gain(who, e.Const(item), number, source)
        return
    members, slot = ctx.symbols.groups[word.text], frame.slot(t.RESOURCE)
    together = number if amount.how == "one" else e.Const(1)
    each = _choice(frame, members, s.Gain(who, e.Local(slot), together, source), slot)
    if amount.how == "one" or number == e.Const(1):
        yield each
        return
    yield s.Loop(frame.slot(t.NUMBER), number, (each,))


def _choice(frame: Frame, members: tuple[int, ...], done: s.Statement, slot: int) -> s.Ask:
    choice = s.Binding(slot, e.Const(members), t.RESOURCE, members)
    return s.Ask(frame.owner, (s.Alternative("gain", choice, YES, (done,)),))


def pay(ctx: Context, frame: Frame, price: e.PriceExpr, otherwise: s.Block | None) -> s.Statement:
    return s.Pay(price, abilities.terms(ctx, frame), otherwise)


def exchange(ctx: Context, frame: Frame, node: n.Exchange) -> tuple[s.Alternative, ...]:
    """Every way to make an exchange: `one` and `other` are expanded to one answer for each pair
    of resources.
    """
    ones = [amount for amount in node.give if amount.how == "one"]
    if len(ones) > 1 or any(amount.how == "other" for amount in node.give):
        text = "Write it as: 2 of one GROUP -> 1 other GROUP."
        ctx.fail("E308", "one `of one` can be given", node.span, text)
    given = prices.group_members(ctx, prices.resource_word(ctx, ones[0])) if ones else (NOTHING,)
    found = []
    for first in given:
        give = tuple(_spelt(ctx, amount, first) for amount in node.give)
        for take in node.take.alternatives:
            for taken in _others(ctx, take, first):
                gain_ = tuple(_spelt(ctx, amount, taken) for amount in take)
                price = prices.reference(ctx, frame, n.Price((give,), (), (), span=node.span))
                paid = pay(ctx, frame, price, None)
                body = (paid, *all_gained(ctx, frame, gain_, e.Local(YOU)))
                label = f"{_words(ctx, give)} for {_words(ctx, gain_)}"
                found.append(s.Alternative(label, None, YES, body))
    return tuple(found)


def _others(ctx: Context, take: tuple[n.Amount, ...], first: int) -> tuple[int, ...]:
    for amount in take:
        if amount.how == "other":
            members = prices.group_members(ctx, prices.resource_word(ctx, amount))
            return tuple(one for one in members if one != first)
    return (NOTHING,)


def _spelt(ctx: Context, amount: n.Amount, resource: int) -> n.Amount:
    if not amount.how:
        return amount
    word = n.Word(ctx.symbols.resources[resource], span=amount.resource.span)
    return n.Amount(amount.quantity, word, "", span=amount.span)


def _words(ctx: Context, amounts: tuple[n.Amount, ...]) -> str:
    texts = (f"{one.quantity.span.text} {prices.resource_word(ctx, one).text}" for one in amounts)
    return " and ".join(" ".join(text.split()) for text in texts)
