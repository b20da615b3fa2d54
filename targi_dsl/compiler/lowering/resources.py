"""Lowers amounts, prices and payments; and transfers between holders of resources: players, spaces,
cards and pools.

Amounts that spaces, cards and pools hold are stored in variables that the compiler declares: one
for each resource and region, kind of card or pool.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import product
from typing import Literal, NoReturn, assert_never

from msgspec.structs import replace

from targi_dsl.compiler.lowering import abilities, coercion
from targi_dsl.compiler.lowering.context import NOBODY, YES, Abandoned, Context, Hint, instead
from targi_dsl.compiler.symbols.table import LARGEST_AMOUNT, Typed, describe
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.declarations import Amounts, Price, Reduction, Stored, Substitute, Terms
from targi_dsl.ir.expressions import Counted
from targi_dsl.syntax import ast as n
from targi_dsl.text.source import Span
from targi_dsl.text.structs import Frozen

MOST_IN_A_PRICE = 99


def resource_word(ctx: Context, node: n.Amount | n.Transfer) -> n.Word:
    """The resource or group of an amount in the plural, or the chosen one. A singular is allowed
    only after 1 and after `of one`.
    """
    word = node.resource
    if isinstance(word, n.Chosen):
        return word
    name = ctx.symbols.plurals.get(word.text, word.text)
    of_one = isinstance(node, n.Amount) and node.how == "one"
    if name == word.text or of_one or node.quantity == n.Number(1, span=word.span):
        return n.Word(name, span=word.span)
    text = "It is used only after 1 and after `of one`."
    ctx.fail("E201", f"`{word.text}` is a singular", word.span, text, instead(name))


def is_amount(ctx: Context, name: str) -> bool:
    """Whether this is the name of a resource, of a group, or a local name whose value is a
    resource.
    """
    return name in ctx.symbols.resources or name in ctx.symbols.groups or _is_chosen(ctx, name)


def _is_chosen(ctx: Context, name: str) -> bool:
    """Whether this is a local name whose value is a resource, used as in `your good`."""
    bound = ctx.frame.local(name)
    return bound is not None and isinstance(bound[1], t.Resource)


def _chosen(ctx: Context, word: n.Word) -> tuple[e.Expr, tuple[int, ...]]:
    """The resource that is the value of a name, and all resources that it can be."""
    which, type_ = ctx.lower(n.Name(word.text, span=word.span), t.RESOURCE)
    coercion.fit(ctx, which, type_, t.RESOURCE, word.span)
    if isinstance(which, e.Const):
        text = "After `of` comes a name whose value is a resource. The resource itself has no `of`:"
        ctx.fail("E308", f"`{word.text}` is a resource itself", word.span, text, f"1 {word.text}")
    group = type_.group if isinstance(type_, t.Resource) else ""
    return which, ctx.symbols.groups.get(group) or tuple(range(len(ctx.symbols.resources)))


def _if_chosen(which: e.Expr | None, resource: int, number: e.Expr) -> e.Expr:
    """The number if that resource is the chosen one, or else 0; the number if nothing is chosen."""
    if which is None:
        return number
    return e.Cond(e.Compare("is", which, e.Const(resource, t.RESOURCE)), number, e.Const(0))


def item_named(ctx: Context, word: n.Word) -> int:
    """The item with a name: a resource, or a group, which stands for any of its resources."""
    symbols = ctx.symbols
    ctx.require_known(word.text)
    if word.text in symbols.resources:
        return symbols.resources.index(word.text)
    if word.text in symbols.groups:
        return symbols.group_number(word.text)
    if _is_chosen(ctx, word.text):
        title, text = (
            f"`{word.text}` is no resource itself",
            "Its value is one, which is said with `of`.",
        )
        ctx.fail("E201", title, word.span, text, instead(f"of {word.text}"))
    if word.text in ctx.tables.variables:
        text = f"{_SET} by `set`."
        ctx.fail("E201", f"`{word.text}` is a variable", word.span, text)
    text, known = "An amount needs a resource or a group of resources.", symbols.plurals
    ctx.fail_unknown("resource", word, text, [*symbols.resources, *symbols.groups, *known])


_SET = "It is no resource, which is gained or lost; a variable is set"


def refuse_variable(ctx: Context, node: n.Gain | n.Pay | n.Lose) -> None:
    """Refuses an amount of a variable where nothing else is gained or lost, with how it is set."""
    match node:
        case n.Gain(n.Price(((amount,),), ())):
            sign = "+"
        case n.Pay(n.Price(((amount,),), ()), None, None) | n.Lose((amount,)):
            sign = "-"
        case _:
            return
    name, variable = amount.resource.text, ctx.tables.variables.get(amount.resource.text)
    if variable is None or is_amount(ctx, name) or ctx.frame.is_about_another:
        return
    which = f"your {name}" if isinstance(variable.each, t.Player) else name
    number = amount.quantity.span.text
    number = number if isinstance(amount.quantity, n.Number) else f"({number})"
    new = instead(f"set {which} to {which} {sign} {number}")
    ctx.fail("E201", f"`{name}` is a variable", node.span, f"{_SET}.", new)


def constant(ctx: Context, node: n.Price | n.Expr) -> e.Const:
    """A constant price, as its number in the table of prices."""
    assert isinstance(node, n.Price)
    return e.Const(constant_number(ctx, node))


def constant_number(ctx: Context, node: n.Price) -> int:
    alternatives = tuple(literal_amounts(ctx, amounts) for amounts in node.alternatives)
    for amount in node.reward:  # refuses a group: the reward cannot be a choice
        one_resource(ctx, resource_word(ctx, amount))
    price = Price(alternatives, literal_amounts(ctx, node.extra), literal_amounts(ctx, node.reward))
    return ctx.tables.price(price)


def literal_amounts(ctx: Context, amounts: tuple[n.Amount, ...]) -> Amounts:
    """Amounts that are literal numbers, summed by item."""
    found: dict[int, int] = {}
    for amount in amounts:
        if not isinstance(amount.quantity, n.Number):
            text = "On cards, in braces and in alternatives amounts must be plain numbers."
            ctx.fail("E308", "this amount is computed", amount.quantity.span, text)
        _check_plain(ctx, amount)
        if amount.quantity.value > MOST_IN_A_PRICE:
            text = f"An amount is at most {MOST_IN_A_PRICE}."
            ctx.fail("E303", "this is too much to pay", amount.span, text)
        key = item_named(ctx, resource_word(ctx, amount))
        found[key] = found.get(key, 0) + amount.quantity.value
    return tuple(sorted((key, count) for key, count in found.items() if count))


def _check_plain(ctx: Context, amount: n.Amount) -> None:
    if isinstance(amount.resource, n.Chosen):
        text = "On cards, in braces and in alternatives each resource is named."
        ctx.fail("E308", f"`of {amount.resource.text}` cannot stand here", amount.span, text)
    if amount.how:
        text = "It is only for exchanges: 2 of one wares -> ..."
        ctx.fail("E308", f"`{amount.how}` cannot stand here", amount.span, text)


def reference(ctx: Context, node: n.Price | n.Expr) -> e.PriceExpr:
    """The price of a payment: one of the table, or computed amounts."""
    if not isinstance(node, n.Price):
        return e.Listed(coercion.of_kind(ctx, node, t.PRICE))
    first, *others = node.alternatives
    computed = (one for one in first if one.how or not isinstance(one.quantity, n.Number))
    chosen = (one for one in first if isinstance(one.resource, n.Chosen))
    if others or node.extra or not [*computed, *chosen]:
        return e.Listed(constant(ctx, node))
    found, seen = dict[int, e.Expr](), set[int]()
    for amount in first:
        number = coercion.number(ctx, amount.quantity)
        if isinstance(amount.resource, n.Chosen):
            which, members = _chosen(ctx, amount.resource)
            due = {one: _if_chosen(which, one, number) for one in members}
        else:
            _check_plain(ctx, amount)
            key = item_named(ctx, resource_word(ctx, amount))
            if key in seen:
                text = "A computed payment can name each resource only once."
                ctx.fail("E308", f"`{amount.resource.text}` appears twice", amount.span, text)
            seen.add(key)
            due = {key: number}
        for one, some in due.items():
            found[one] = e.Arith("+", found[one], some) if one in found else some
    return e.Counted(tuple(sorted(found.items(), key=lambda pair: pair[0])))


def one_resource(ctx: Context, word: n.Word) -> int:
    """The resource with a name; a group is refused."""
    found = item_named(ctx, word)
    if found >= len(ctx.symbols.resources):
        text = f"`{word.text}` is a group; a single resource is needed here."
        ctx.fail("E301", "a group is not allowed here", word.span, text)
    return found


def group_members(ctx: Context, word: n.Word) -> tuple[int, ...]:
    """The resources of a group, or the single resource of that name."""
    return _members(ctx, item_named(ctx, word))


def _members(ctx: Context, item: int) -> tuple[int, ...]:
    """The resources of an item."""
    resources = len(ctx.symbols.resources)
    return (item,) if item < resources else [*ctx.symbols.groups.values()][item - resources]


OF_PRICES = (n.Reduce, n.Substitute, n.StoredPays)


def terms(ctx: Context) -> int:
    """The number of the terms of payment in this rule: how abilities modify its prices. Conditions
    are lowered in the rule's frame, so they can refer to earlier choices.
    """
    rule = ctx.frame.owner
    reductions, substitutes, stored = list[Reduction](), list[Substitute](), list[Stored]()
    for one in (one for clause in OF_PRICES for one in ctx.abilities.changing(clause, rule)):
        body = one.node.body
        with suppress(Abandoned):
            match body:
                case n.Reduce():
                    when = abilities.condition(ctx, one, body.condition)
                    for item, number in literal_amounts(ctx, body.amounts):
                        reductions.append(Reduction(one.ability, item, e.Const(number), when))
                case n.Substitute():
                    when = abilities.condition(ctx, one, body.condition)
                    paid, owed = (literal_amounts(ctx, body.paid), literal_amounts(ctx, body.owed))
                    substitutes.append(Substitute(one.ability, paid, owed, when))
                case n.StoredPays():
                    resource = one_resource(ctx, body.resource)
                    slot = ctx.store_slot(one.info.card, resource)
                    stored.append(Stored(one.ability, resource, slot))
    if not (reductions or substitutes or stored):
        return 0
    found = Terms(rule, tuple(reductions), tuple(substitutes), tuple(stored))
    return ctx.tables.term(found)


class Player(Frozen):
    who: e.Expr


class Thing(Frozen):
    """A space, a card or a pool; a pool has no type, and its name is that of its span."""

    which: e.Expr
    type: t.Place | t.Card | None
    span: Span


class Supply(Frozen):
    """The supply, which is unlimited."""


Holder = Player | Thing | Supply

_YOU = Player(e.Local(YOU))


# ---- declarations ----


Declaring = tuple[str, Span, Callable[[int], d.Variable]]
"""A variable to be declared: the name that becomes an error symbol if that fails, its span, and a
function from its first slot to the variable.
"""


def holdings(ctx: Context) -> Iterator[Declaring]:
    """The variables for resources that spaces, cards and pools hold."""
    for _, declaration in ctx.nodes(n.Resources):
        for word, on in product(declaration.names, declaration.on):
            yield word.text, on.span, partial(_variable_on, ctx, word.text, on)
    for name, pool in ctx.nodes(n.Pool):
        for resource in _resources_of_pool(ctx, pool):
            make = partial(_variable, f"{resource} of {name}", resource, None, 1)
            yield name, pool.span, make


def _resources_of_pool(ctx: Context, node: n.Pool) -> Iterator[str]:
    """The resources that a pool can hold."""
    for word in node.resources:
        try:
            members = group_members(ctx, word)
        except Abandoned:
            ctx.symbols.errors.names.add(node.name.text)
            return
        yield from (ctx.symbols.resources[one] for one in members)


def _variable_on(ctx: Context, resource: str, on: n.Word, slot: int) -> d.Variable:
    """The variable for the amounts of a resource on the spaces of a region or the cards of a
    kind.
    """
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


def is_resource(ctx: Context, name: str) -> bool:
    """Whether a bare name stands for a resource or a group."""
    return _is_chosen(ctx, name) if name in ctx.frame.names else is_amount(ctx, name)


def is_pool(ctx: Context, node: n.Expr) -> bool:
    """Whether an expression is the name of a pool."""
    return ctx.is_declared("pool", ctx.frame.global_name(node))


def in_pool(ctx: Context, pool: str) -> list[d.Variable]:
    """The variables of a pool."""
    return [one for one in ctx.tables.variables.values() if one.pool == pool]


def amount_on(ctx: Context, resource: n.Word, places: n.Expr) -> Typed:
    """The amount of a resource on a space or card; the sum over several."""
    found, type_ = ctx.lower(places)
    thing, slot = found, NOTHING
    if isinstance(type_, t.SetOf):
        slot = ctx.frame.slot(type_.of)
        thing = e.Local(slot)
    amount = _amount(ctx, resource, _thing(ctx, thing, t.element(type_), places.span))
    return (amount if slot == NOTHING else e.Fold("sum", slot, found, amount)), t.NUMBER


def amount_of_pool(ctx: Context, resource: n.Word, pool: n.Expr) -> Typed:
    return _amount(ctx, resource, _pool(ctx, pool)), t.NUMBER


def amount_of_player(ctx: Context, resource: n.Word, who: e.Expr) -> Typed:
    return _amount(ctx, resource, Player(who)), t.NUMBER


def _amount(ctx: Context, resource: n.Word, holder: Player | Thing) -> e.Expr:
    is_chosen = _is_chosen(ctx, resource.text)
    which, members = _chosen(ctx, resource) if is_chosen else (None, group_members(ctx, resource))
    held = [_if_chosen(which, one, _amount_held(ctx, one, holder)) for one in members]
    return coercion.total(held) if held else e.Const(0)


def _amount_held(ctx: Context, resource: int, holder: Player | Thing) -> e.Expr:
    """The amount of one resource that a holder has."""
    if isinstance(holder, Player):
        return e.Var(ctx.slots.amounts + resource * len(ctx.symbols.players), holder.who, 0)
    return coercion.total(var for _, var in _slots(ctx, resource, holder))


def _slots(ctx: Context, resource: int, holder: Thing) -> list[tuple[int, e.Var]]:
    """The variables for a resource on a thing, each with its number. There are several if the
    region or kind of card is not known at compile time; the index is valid in at most one.
    """
    found = list[tuple[int, e.Var]]()
    for number, one in _variables_of(ctx, resource, holder):
        index = holder.which
        if one.each is not None:
            index = e.Table(ctx.domains.of(one.each).positions(), index)
        found.append((number, e.Var(one.base, index, 0)))
    if found:
        return found
    name, thing = ctx.symbols.resources[resource], holder.span.text
    text = "Declare what holds a resource besides the players:"
    title, hint = f"`{thing}` holds no {name}", f"pool {thing}: {name}"
    if holder.type is not None:
        title, hint = f"no {name} can lie on `{thing}`", f"resource {name} on {holder.type.name}"
    ctx.fail("E334", title, holder.span, text, hint)


def _variables_of(ctx: Context, resource: int, holder: Thing) -> Iterator[tuple[int, d.Variable]]:
    """Each variable that may store a resource of a holder, with its number."""
    name = ctx.symbols.resources[resource]
    for number, one in enumerate(ctx.tables.variables.values()):
        if one.holds != name:
            continue
        match holder.type:
            case None:
                applies = one.pool == holder.span.text
            case t.Place(region="") | t.Card(kind="") as any_:
                applies = type(one.each) is type(any_)
            case type_:
                applies = one.each == type_
        if applies:
            yield number, one


# ---- transfers ----


def transfer(ctx: Context, node: n.Transfer) -> s.Block:
    """Transfers an amount, or as much as there is, from one holder to another; for several holders,
    one after the other.
    """
    is_own = node.source is None and _is_chosen(ctx, node.resource.text)
    is_chosen = is_own or isinstance(node.resource, n.Chosen)
    which, moved = _chosen(ctx, node.resource) if is_chosen else (None, _resources_moved(ctx, node))
    wanted = None if node.quantity is None else coercion.number(ctx, node.quantity)

    def done(source: Holder, target: Holder) -> s.Block:
        if isinstance(source, Supply) and wanted is None:
            _refuse_all(ctx, node)
        steps = (_move_amount(ctx, one, which, wanted, source, target, node.span) for one in moved)
        return tuple(step for one in steps for step in one)

    return _apply(ctx, node.source, lambda source: _apply(ctx, node.target, partial(done, source)))


def _refuse_all(ctx: Context, node: n.Transfer) -> NoReturn:
    """Refuses to transfer all of the unlimited supply."""
    text = "The supply is unlimited. To put everything you have, write:"
    hint = ""
    if node.target is not None:
        where = "in" if is_pool(ctx, node.target) else "on"
        hint = f"put all of your {node.resource.text} {where} {node.target.span.text}"
    ctx.fail("E335", "all of the supply", node.span, text, instead(hint))


def _resources_moved(ctx: Context, node: n.Transfer) -> tuple[int, ...]:
    """The resources transferred; a number of a group is refused, as it would have to be chosen."""
    region = ctx.symbols.regions.get(node.resource.text)
    if node.quantity is None and region is not None and region.is_zone and region.owned:
        text = "A zone stands for the cards in it. Write:"
        target = f" on {node.target.span.text}" if node.target is not None else ""
        new = instead(f"put your {region.name}{target}")
        ctx.fail("E201", f"`{region.name}` is no resource", node.span, text, new)
    word = resource_word(ctx, node)
    found = group_members(ctx, word)
    if node.quantity is not None and word.text in ctx.symbols.groups:
        text = "It is unclear which. You can put all of a group, or a number of one resource:"
        names = ", ".join(ctx.symbols.resources[one] for one in found)
        ctx.fail("E308", f"`{word.text}` are {names}", word.span, text, f"all {word.text}")
    return found


def _apply(
    ctx: Context, end: n.Expr | n.Supply | None, done: Callable[[Holder], s.Block]
) -> s.Block:
    """Applies a change to a holder, or to each of several; without an expression, to the acting
    player.
    """
    if end is None:
        return done(_YOU)
    if isinstance(end, n.Supply):
        return done(Supply())
    if is_pool(ctx, end):
        return done(_pool(ctx, end))
    which, type_ = ctx.lower(end)
    one = t.element(type_)
    if isinstance(one, t.Nothing):
        return done(Supply())
    if not isinstance(one, t.Player):
        _thing(ctx, which, one, end.span)
    slot = ctx.frame.slot(one)

    def holder() -> Holder:
        if isinstance(one, t.Player):
            return Player(e.Local(slot))
        return _thing(ctx, e.Local(slot), one, end.span)

    if isinstance(type_, t.SetOf):
        return (s.Each(slot, which, done(holder())),)
    if which == e.Local(YOU):
        return done(_YOU)
    return (s.Let(slot, which), *done(holder()))


def _pool(ctx: Context, node: n.Expr) -> Thing:
    ctx.require_known(node.span.text)
    return Thing(e.Const(0), None, node.span)


def _thing(ctx: Context, which: e.Expr, type_: t.Single, span: Span) -> Thing:
    if isinstance(type_, t.Place) and type_.is_zone:
        text = "A resource can be on spaces of the board, on cards, or in a pool; this is a zone."
        ctx.fail("E301", "a zone only holds cards", span, text, "pool POOL: RESOURCE")
    if not isinstance(type_, t.Place | t.Card):
        text = f"Players, spaces, cards and pools hold resources; this is {describe(type_)}."
        ctx.fail("E301", "this holds no resources", span, text)
    return Thing(which, type_, span)


def _move_amount(
    ctx: Context, resource: int, which: e.Expr | None, wanted: e.Expr | None,
    source: Holder, target: Holder, span: Span,
) -> Iterator[s.Statement]:  # fmt: skip
    """Transfers an amount of one resource, or as much as there is. `which`: the chosen resource, if
    there is one; nothing moves unless it is this one.
    """
    number = wanted or e.Const(0)
    if not isinstance(source, Supply):
        have = _amount_held(ctx, resource, source)
        number = have if wanted is None else _least(have, wanted)
    slot = ctx.frame.slot(t.NUMBER)
    number, moved = e.Local(slot), _if_chosen(which, resource, number)
    taken = _change(ctx, resource, source, "-", number)
    given = _change(ctx, resource, target, "+", number)
    yield s.Let(slot, moved)
    steps = tuple(one.at(span) for one in (*taken, *given))
    yield s.If(e.Compare("more_than", number, e.Const(0)), steps, ())


def _change(
    ctx: Context, resource: int, holder: Holder, op: Literal["+", "-"], number: e.Expr
) -> s.Block:
    """Adds to or subtracts from what a holder has."""
    match holder:
        case Supply():
            return ()
        case Player(who=who) if op == "+":
            item = e.Const(resource, t.RESOURCE)
            return (s.Gain(who, item, number, ctx.frame.this or NOBODY),)
        case Player(who=who):
            paid = (s.Pay(Counted(((resource, number),)), 0, None),)
            return paid if holder == _YOU else (s.TurnOf(ctx.frame.slot(t.PLAYER), who, paid),)
        case Thing():
            return tuple(
                s.Assign(variable, var.index, e.Arith(op, var, number))
                for variable, var in _slots(ctx, resource, holder)
            )
        case _:
            assert_never(holder)


def pay_to(ctx: Context, pay: s.Pay, to: n.Expr) -> s.Block:
    """A payment, and the transfer of what was paid to a holder."""
    count = len(ctx.symbols.resources)
    paid = ctx.frame.slot(t.NUMBER, count)
    due = _items_of(ctx, pay.price)

    def received(holder: Holder) -> s.Block:
        thing = holder if isinstance(holder, Thing) else None
        fits = (thing is None or any(_variables_of(ctx, one, thing)) for one in range(count))
        receivable = [one for one, is_fit in enumerate(fits) if is_fit or one in due]
        gains = (_change(ctx, one, holder, "+", e.Local(paid + one)) for one in receivable)
        return tuple(one for each in gains for one in each)

    unpaid = range(count) if pay.otherwise is not None else ()
    none = (s.Let(paid + one, e.Const(0)) for one in unpaid)
    return (*none, replace(pay, paid=paid), *_apply(ctx, to, received))


def _items_of(ctx: Context, price: e.PriceExpr) -> set[int]:
    """The resources that a price names, as far as they are known at compile time."""
    items = list[int]()
    match price:
        case Counted(amounts):
            items = [item for item, _ in amounts]
        case e.Listed(e.Const(int(number))) if number >= 0:
            ways = ctx.tables.prices[number].alternatives
            items = [item for way in ways for item, _ in way]
    return {one for item in items for one in _members(ctx, item)}


def gain(ctx: Context, node: n.Gain, who: e.Expr) -> s.Block:
    """A gain; the acting player chooses, if there is a choice of resources."""
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
        return all_gained(ctx, ways[0], who)
    asked = tuple(
        s.Alternative(_words(ctx, ways_), None, YES, all_gained(ctx, ways_, who)) for ways_ in ways
    )
    return (s.Ask(ctx.frame.owner, asked),)


def has_choice(ctx: Context, node: n.Gain) -> bool:
    """Whether the gained resources must be chosen."""
    match node.price:
        case n.Price(alternatives=((*amounts,),)):
            plain = (one for one in amounts if not isinstance(one.resource, n.Chosen))
            return any(resource_word(ctx, one).text not in ctx.symbols.resources for one in plain)
        case _:
            return True


def lose(ctx: Context, node: n.Lose | n.Keep) -> s.Block:
    """Pays each amount, or as much of it as there is; for `keep`, what exceeds it. Abilities do not
    modify these payments.
    """
    found = list[s.Statement]()
    for amount in node.amounts:
        if amount.how:
            text = "What is lost or kept is given as a number and a resource."
            ctx.fail("E308", f"`{amount.how}` cannot stand here", amount.span, text)
        number, lost = coercion.number(ctx, amount.quantity), list[tuple[int, e.Expr]]()
        word = resource_word(ctx, amount)
        is_chosen = isinstance(word, n.Chosen)
        which, items = _chosen(ctx, word) if is_chosen else (None, (item_named(ctx, word),))
        for item in items:
            held = (_amount_held(ctx, one, _YOU) for one in _members(ctx, item))
            have = coercion.total(held)
            less = e.Arith("-", have, number) if isinstance(node, n.Keep) else _least(have, number)
            lost.append((item, _if_chosen(which, item, less)))
        found.append(s.Pay(Counted(tuple(lost)), 0, None, is_loss=True).at(amount.span))
    return tuple(found)


def _least(one: e.Expr, other: e.Expr) -> e.Expr:
    return e.Cond(e.Compare("less_than", one, other), one, other)


def all_gained(ctx: Context, amounts: tuple[n.Amount, ...], who: e.Expr) -> s.Block:
    return tuple(one for amount in amounts for one in _gains(ctx, amount, who))


def _gains(ctx: Context, amount: n.Amount, who: e.Expr) -> Iterator[s.Statement]:
    if amount.how == "other":
        text = "`other` means a resource other than the one given in the same exchange."
        ctx.fail("E308", "`other` cannot stand here", amount.span, text)
    source = ctx.frame.this or NOBODY
    number = coercion.number(ctx, amount.quantity)
    if isinstance(amount.resource, n.Chosen):
        yield s.Gain(who, _chosen(ctx, amount.resource)[0], number, source)
        return
    word = resource_word(ctx, amount)
    item = item_named(ctx, word)
    if item < len(ctx.symbols.resources):
        yield s.Gain(who, e.Const(item), number, source)
        return
    members, slot = ctx.symbols.groups[word.text], ctx.frame.slot(t.RESOURCE)
    together = number if amount.how == "one" else e.Const(1)
    choice = s.Binding(slot, e.Const(members), t.RESOURCE, members)
    gained = s.Gain(who, e.Local(slot), together, source)
    each = s.Ask(ctx.frame.owner, (s.Alternative("gain", choice, YES, (gained,)),))
    if amount.how == "one" or number == e.Const(1):
        yield each
        return
    counted, number = coercion.once(ctx, number)
    yield from (*counted, s.Loop(ctx.frame.slot(t.NUMBER), number, (each,)))


def exchange(ctx: Context, node: n.Exchange) -> tuple[s.Alternative, ...]:
    """All ways to make an exchange: `one` and `other` are expanded to one alternative for each pair
    of resources.
    """
    ones = [amount for amount in node.give if amount.how == "one"]
    if len(ones) > 1 or any(amount.how == "other" for amount in node.give):
        text = "Write it as: 2 of one GROUP -> 1 other GROUP."
        ctx.fail("E308", "one `of one` can be given", node.span, text)
    given = group_members(ctx, resource_word(ctx, ones[0])) if ones else (NOTHING,)
    found = []
    for first in given:
        give = tuple(_with_resource(ctx, amount, first) for amount in node.give)
        for take in node.take.alternatives:
            for taken in _others(ctx, take, first):
                gain_ = tuple(_with_resource(ctx, amount, taken) for amount in take)
                price = reference(ctx, n.Price((give,), (), (), span=node.span))
                body = (s.Pay(price, terms(ctx), None), *all_gained(ctx, gain_, e.Local(YOU)))
                label = f"{_words(ctx, give)} for {_words(ctx, gain_)}"
                found.append(s.Alternative(label, None, YES, body))
    return tuple(found)


def _others(ctx: Context, take: tuple[n.Amount, ...], first: int) -> tuple[int, ...]:
    for amount in take:
        if amount.how == "other":
            members = group_members(ctx, resource_word(ctx, amount))
            return tuple(one for one in members if one != first)
    return (NOTHING,)


def _with_resource(ctx: Context, amount: n.Amount, resource: int) -> n.Amount:
    if not amount.how:
        return amount
    word = n.Word(ctx.symbols.resources[resource], span=amount.resource.span)
    return n.Amount(amount.quantity, word, "", span=amount.span)


def _words(ctx: Context, amounts: tuple[n.Amount, ...]) -> str:
    texts = (f"{one.quantity.span.text} {resource_word(ctx, one).text}" for one in amounts)
    return " and ".join(" ".join(text.split()) for text in texts)
