"""Lowers amounts and prices."""

from __future__ import annotations

from targi_dsl.compiler.lowering import fitting
from targi_dsl.compiler.lowering.context import Context, Frame, instead
from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.ir.prices import Amounts, Price
from targi_dsl.syntax import ast as n

MOST_IN_A_PRICE = 99


def resource_word(ctx: Context, node: n.Amount | n.Transfer) -> n.Word:
    """The resource or group of an amount; the singular is allowed after 1 and `of one`."""
    word = node.resource
    name = ctx.symbols.plurals.get(word.text, word.text)
    of_one = isinstance(node, n.Amount) and node.how == "one"
    if name == word.text or of_one or node.quantity == n.Number(1, span=word.span):
        return n.Word(name, span=word.span)
    text = "It is used only after 1 and after `of one`."
    ctx.fail("E201", f"`{word.text}` is a singular", word.span, text, instead(name))


def item(ctx: Context, word: n.Word) -> int:
    """The item that a word names: a resource, or a group meaning any of its resources."""
    symbols = ctx.symbols
    ctx.require_known(word.text)
    if word.text in symbols.resources:
        return symbols.resources.index(word.text)
    if word.text in symbols.groups:
        return symbols.group_number(word.text)
    known = [*symbols.resources, *symbols.groups, *symbols.plurals]
    text = "An amount needs a resource or a group of resources."
    ctx.fail_unknown("resource", word, text, known)


def constant(ctx: Context, node: n.Price | n.Expr) -> e.Const:
    """A constant price, as a number in the game's list."""
    assert isinstance(node, n.Price)
    return e.Const(constant_number(ctx, node))


def constant_number(ctx: Context, node: n.Price) -> int:
    alternatives = tuple(literal_amounts(ctx, amounts) for amounts in node.alternatives)
    for amount in node.reward:
        one_resource(
            ctx, resource_word(ctx, amount)
        )  # the reward of the bracket cannot be a choice
    price = Price(alternatives, literal_amounts(ctx, node.extra), literal_amounts(ctx, node.reward))
    return ctx.tables.price(price)


def literal_amounts(ctx: Context, amounts: tuple[n.Amount, ...]) -> Amounts:
    """Literal amounts, by item."""
    found: dict[int, int] = {}
    for amount in amounts:
        if not isinstance(amount.quantity, n.Number):
            text = "On cards, in braces and in alternatives amounts must be plain numbers."
            ctx.fail("E308", "this amount is computed", amount.quantity.span, text)
        _check_plain(ctx, amount)
        if amount.quantity.value > MOST_IN_A_PRICE:
            text = f"An amount is at most {MOST_IN_A_PRICE}."
            ctx.fail("E303", "this is too much to pay", amount.span, text)
        key = item(ctx, resource_word(ctx, amount))
        found[key] = found.get(key, 0) + amount.quantity.value
    return tuple(sorted((key, count) for key, count in found.items() if count))


def _check_plain(ctx: Context, amount: n.Amount) -> None:
    if amount.how:
        text = "It is only for exchanges: 2 of one wares -> ..."
        ctx.fail("E308", f"`{amount.how}` cannot stand here", amount.span, text)


def is_fixed(amounts: tuple[n.Amount, ...]) -> bool:
    return all(isinstance(amount.quantity, n.Number) and not amount.how for amount in amounts)


def reference(ctx: Context, frame: Frame, node: n.Price | n.Expr) -> e.PriceExpr:
    """The price of a payment: from the list, or with computed amounts."""
    if not isinstance(node, n.Price):
        return e.Listed(fitting.of_kind(ctx, frame, node, t.PRICE))
    if (
        all(is_fixed(amounts) for amounts in node.alternatives)
        or len(node.alternatives) > 1
        or node.extra
    ):
        return e.Listed(constant(ctx, node))
    amounts = node.alternatives[0]
    found: dict[int, e.Expr] = {}
    for amount in amounts:
        _check_plain(ctx, amount)
        key = item(ctx, resource_word(ctx, amount))
        if key in found:
            text = "A computed payment can name each resource only once."
            ctx.fail("E308", f"`{amount.resource.text}` appears twice", amount.span, text)
        found[key] = fitting.number(ctx, frame, amount.quantity)
    return e.Counted(tuple(sorted(found.items(), key=lambda pair: pair[0])))


def one_resource(ctx: Context, word: n.Word) -> int:
    """A resource that is not a group."""
    found = item(ctx, word)
    if found >= len(ctx.symbols.resources):
        text = f"`{word.text}` is a group; a single resource is needed here."
        ctx.fail("E301", "a group is not allowed here", word.span, text)
    return found


def group_members(ctx: Context, word: n.Word) -> tuple[int, ...]:
    """The resources of a group; for a single resource, itself."""
    found = item(ctx, word)
    return ctx.symbols.groups[word.text] if found >= len(ctx.symbols.resources) else (found,)
