"""Warns of payments that may be impossible although the action was offered, of prices that nobody
can ever pay, and of free exchanges that are useless, reversible or forced on players.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import chain, combinations, product

from msgspec.structs import replace

from targi_dsl.compiler.lints.flow import (
    ASKED,
    Bound,
    Fold,
    bindings,
    blocks,
    constants,
    origins,
    reached,
)
from targi_dsl.compiler.lowering.context import Compilation
from targi_dsl.compiler.symbols.decks import with_prices
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import Amounts, FreeExchange, Price, Trigger
from targi_dsl.ir.game import Game
from targi_dsl.ir.walk import parts, within
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.source import Span
from targi_dsl.text.structs import Frozen

_LATER = (
    "Only the beginning of an action is examined before it is offered, and this payment comes"
    " later. Pay first, or say what happens if it is impossible"
)
_SECOND = (
    "Each payment is examined as if the others were free. Make both one payment, or say what"
    " happens if this one is impossible"
)
_LAST = re.compile(r" *(#|\n|\Z)")
"""What follows the last statement on a line."""


def impossible(game: Game) -> Iterator[Problem]:
    """The warnings of all payments (W913), and of what exchanges do to them (W914)."""
    payments = _Payments(game)
    payments.run()
    yield from payments.found.values()
    yield from (*_changed_by_exchanges(game), *_costly_triggers(game))


# ---- payments that guards do not examine ----


class _Before(Frozen):
    """The fact before a statement.

    paid: the resources paid so far. due: those of them that may be lacking, in the part that guards
    examine. is_late, end: whether that part has ended, and by which statement. counted: the
    variables that have been incremented or decremented. unpaid: what to write after `otherwise` in
    a repair: `stop` would also end the turns of others.
    """

    paid: frozenset[int] = frozenset()
    due: frozenset[int] = frozenset()
    is_late: bool = False
    end: Span | None = None
    counted: frozenset[int] = frozenset()
    unpaid: str = "stop"

    def then(self, paid: Iterable[int] = (), due: Iterable[int] = ()) -> _Before:
        """The fact after a payment."""
        due = self.due if self.is_late else self.due.union(due)
        return replace(self, paid=self.paid.union(paid), due=due)

    def over(self, node: s.Statement) -> _Before:
        """The fact after a statement that ends the part that guards examine."""
        return self if self.is_late else replace(self, is_late=True, end=node.span)

    def join(self, other: _Before) -> _Before:
        """The fact after two statements, in sequence or as alternatives."""
        return _Before(
            self.paid | other.paid,
            self.due if self.is_late else self.due | other.due,
            self.is_late or other.is_late,
            self.end or other.end,
            self.counted | other.counted,
            self.unpaid,
        )


class _Payments(Fold[_Before]):
    """Follows rules as guards do. A payment is late if it comes after the part that a guard
    examines, is repeated, or is in a triggered rule. Payments under a condition on amounts are
    trusted.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.found: dict[Span | None, Problem] = {}
        self._bound: dict[int, Bound] = {}
        triggered = {one.body for one in game.triggers} | {one.arrival for one in game.abilities}
        for number in range(len(game.rules)):
            self.enter(number, _Before(is_late=number in triggered))

    def inside(self, node: s.Statement, fact: _Before) -> Iterator[tuple[s.Block, _Before]]:
        match node:
            case s.If(condition) if not self._is_of_amounts(condition):
                start = fact
            case s.TurnOf():
                start = _Before(is_late=fact.is_late, counted=fact.counted, end=fact.end)
            case s.Each() | s.EachPlayer() | s.Until():
                start = _Before(is_late=True, counted=fact.counted, unpaid="nothing")
            case _:
                late = isinstance(node, s.Pay)
                start = _Before(is_late=late, counted=fact.counted, unpaid=fact.unpaid)
        return ((body, start) for body in blocks(node))

    def after(self, node: s.Statement, fact: _Before, ends: list[_Before]) -> _Before:
        match node:
            case s.Let() | s.Forbid() | s.Use():
                return fact
            case s.If():
                return reduce(_Before.join, ends, fact)
            case s.TurnOf():
                late = fact.is_late or ends[0].is_late
                return replace(fact, is_late=late, end=fact.end or ends[0].end)
            case s.Pay(otherwise=None):
                items = self._items(node)
                due = set[int]() if self._is_trusted(node, fact.counted) else items
                self._warn_of(node, due, fact)
                return fact.then(items, due)
            case s.Pay():
                return fact
            case s.Do(rule):
                end = self.end_of(rule) or _Before()
                self._warn_of(node, end.due, fact)
                return fact.join(end)
            case s.Ask(_, alternatives, otherwise):
                ways = [one.due for one in ends[: len(alternatives)]]
                lacking = frozenset[int]().union(*ways) if all(ways) and otherwise is None else ()
                self._warn_of(node, lacking, fact)
                return fact.then((), lacking).over(node)
            case s.Assign(_, _, e.Arith(_, e.Var(base))):
                return replace(fact, counted=fact.counted | {base}).over(node)
            case _:
                return fact.over(node)

    def _warn_of(self, node: s.Pay | s.Do | s.Ask, due: Iterable[int], fact: _Before) -> None:
        """Warns of a statement if the resources that it pays may be lacking."""
        late = fact.is_late and not isinstance(node, s.Do)
        if (due and late) or not fact.paid.isdisjoint(due):
            end = fact.end if late else None
            self.found[node.span] = _problem(node, _LATER if late else _SECOND, fact.unpaid, end)

    def _items(self, pay: s.Pay) -> set[int]:
        """The resources that may be paid; all, if they are not known at compile time or can be
        exchanged.
        """
        match pay.price:
            case e.Listed(e.Const(int(number))) if not self.game.exchanges:
                return _named(self.game, pay.price, (number,))
            case e.Counted() if not self.game.exchanges:
                return _named(self.game, pay.price)
            case _:
                return {*range(len(self.game.resources))}

    def _is_trusted(self, pay: s.Pay, counted: frozenset[int]) -> bool:
        """Whether a payment is certain, or its amount is stored in a variable, such as a bid."""
        numbers = pay.price.amounts if isinstance(pay.price, e.Counted) else ()
        stored = {one.base for one in parts(numbers, e.Var) if _resource(self.game, one) == NOTHING}
        return bool(stored - counted) or _is_certain(self.game, pay)

    def _is_of_amounts(self, condition: e.Expr) -> bool:
        """Whether a condition depends on amounts, or on what can be paid or done, perhaps through
        local names.
        """
        if self.rule not in self._bound:
            self._bound[self.rule] = bindings(self.game, self.game.rules[self.rule])
        bound = self._bound[self.rule]
        named = (one.slot for one in parts(condition, e.Local))
        asked = (condition, *(value for slot in named for value in bound.slots.get(slot, ())))
        found = reached(self.game, asked, (e.CanPay, e.CanDo, e.Var), ASKED)
        return any(
            not isinstance(one, e.Var) or _resource(self.game, one) != NOTHING for one in found
        )


def _problem(node: s.Pay | s.Do | s.Ask, why: str, unpaid: str, end: Span | None = None) -> Problem:
    """The warning; with a repair if the payment ends its line, and a label at the end of the
    examined part.
    """
    hint, span = "", node.span
    if span is not None and isinstance(node, s.Pay) and _LAST.match(span.source.text, span.end):
        hint = f"{span.text} otherwise {unpaid}"
    title, text = "this payment may turn out to be impossible", why + (":" if hint else ".")
    labels = () if end is None else (Label(end, "only what comes before this is examined"),)
    return Problem("W913", title, span, text, hint, labels)


def _is_certain(game: Game, pay: s.Pay) -> bool:
    """Whether no more is paid than there is, as in `lose` and `keep at most`."""
    match pay.price:
        case e.Counted(((item, e.Cond(_, have, _) | e.Arith("-", have, _)),)):
            return _amounts(game, (have,)) == _resources(game, (item,))
        case _:
            return False


def _resources(game: Game, items: Iterable[int]) -> set[int]:
    """The resources of items, some of which may be groups."""
    return {one for item in items for one in game.members(item)}


def _named(game: Game, price: e.PriceExpr, numbers: Iterable[int] = ()) -> set[int]:
    """The resources that a price names. `numbers`: the possible prices, if it is one of the
    table.
    """
    listed = (way for one in numbers for way in game.prices[one].alternatives)
    ways = (price.amounts,) if isinstance(price, e.Counted) else listed
    return _resources(game, (item for way in ways for item, _ in way))


# ---- payments that free exchanges affect ----


def _changed_by_exchanges(game: Game) -> Iterator[Problem]:
    """Payments whose amount, reduction or substitute depends on resources that can be exchanged."""
    certain = (one for one in game.exchanges if one.when is None)
    exchanged = {item for one in certain for item, _ in (*one.give, *one.take)}
    for rule in game.rules if exchanged else ():
        for pay in rule.every(s.Pay):
            changed = _resources_asked(game, pay) & exchanged
            if changed and pay.otherwise is None and not _is_certain(game, pay):
                names = " and ".join(game.resources[one] for one in sorted(changed))
                title = "an exchange can change this price"
                text = (
                    f"The price depends on your {names}, which can be exchanged before it is paid."
                    " It may then be impossible to pay. Choose the amount before, or end the"
                    " payment with `otherwise stop`."
                )
                yield Problem("W914", title, pay.span, text)


def _resources_asked(game: Game, pay: s.Pay) -> set[int]:
    """The resources on whose amounts a price depends, except those that it consists of."""
    terms = game.terms[pay.terms]
    modified = [one.condition for one in terms.reductions]
    conditions = _amounts(game, modified + [one.condition for one in terms.substitutes])
    match pay.price:
        case e.Counted(amounts):
            asked = _amounts(game, [number for _, number in amounts])
            return conditions | (asked - _named(game, pay.price))
        case e.Listed(number):
            return conditions | _amounts(game, [number])
        case _:
            return conditions


def _amounts(game: Game, nodes: Iterable[e.Expr]) -> set[int]:
    """The resources whose amounts expressions read, directly or through definitions."""
    return {_resource(game, one) for one in reached(game, nodes, e.Var, ASKED)} - {NOTHING}


def _resource(game: Game, var: e.Var) -> int:
    """The resource whose amounts a variable holds, or NOTHING."""
    at = (var.base - game.slots.amounts) // len(game.players)
    return at if 0 <= at < len(game.resources) else NOTHING


def _costly_triggers(game: Game) -> Iterator[Problem]:
    """Triggers that an exchange sets off and that contain a payment."""
    for trigger in game.triggers:
        setting_off = [one.name for one in game.exchanges if _sets_off(one, trigger)]
        if setting_off and any(game.rules[trigger.body].every(s.Pay)):
            title, span = "an exchange sets off a payment", game.abilities[trigger.ability].span
            text = (
                f"`{setting_off[0]}` sets this off even while a price is owed, and it may then be"
                " impossible to pay. Let it be set off by something that no exchange gives or"
                " takes, or let it take nothing."
            )
            yield Problem("W914", title, span, text)


def _sets_off(exchange: FreeExchange, trigger: Trigger) -> bool:
    """Whether an exchange sets off a trigger."""
    items = {"pay": exchange.give, "gain": exchange.take}.get(trigger.verb, ())
    return trigger.kind == NOTHING and trigger.subject in {item for item, _ in items}


# ---- prices that nobody can pay ----


def unpayable_prices(game: Compilation) -> Iterator[Problem]:
    """Prices (W928) of which every alternative contains a resource that nobody ever gains."""
    checked = game.checked
    lacking = never_gained(checked)
    for span, price in _prices(game, checked) if lacking else ():
        names = [_lacking(checked, way, lacking) for way in price.alternatives]
        if names and all(names):
            missing = " and ".join(dict.fromkeys(names))
            text = f"No rule, card or exchange ever gives anybody {missing}."
            yield Problem("W928", "nobody can ever pay this", span, text)


def never_gained(game: Game) -> frozenset[int]:
    """The resources that nobody can gain or be spared; none if that is not known at compile
    time.
    """
    given = {item for one in game.exchanges for item, _ in one.take}
    given |= {item for price in game.prices for item, _ in price.reward}
    for terms in game.terms:
        given |= {one.item for one in terms.reductions}
        given |= {item for one in terms.substitutes for item, _ in one.owed}
    for rule in game.rules:
        given |= {one.resource for one in rule.every(s.Store)}
        for gain in rule.every(s.Gain):
            for origin in origins(gain.resource, bindings(game, rule)):
                values = constants(origin)
                if values is None:
                    return frozenset()
                given |= set(values)
    return frozenset(range(len(game.resources))) - _resources(game, given)


def _prices(game: Compilation, checked: Game) -> Iterator[tuple[Span | None, Price]]:
    """The constant prices with their spans; those on cards only if some payment is not constant."""
    pays = [one for rule in checked.rules for one in rule.every(s.Pay)]
    for pay in pays:
        match pay.price:
            case e.Listed(e.Const(int(number))) if number >= 0:
                yield pay.span, checked.prices[number]
            case e.Counted(amounts):
                certain = ((item, one.value) for item, one in amounts if isinstance(one, e.Const))
                numbers = ((item, one) for item, one in certain if isinstance(one, int))
                yield pay.span, Price((tuple(numbers),))
    listed = [one.price.number for one in pays if isinstance(one.price, e.Listed)]
    if not all(isinstance(number, e.Const) for number in listed):
        cards = game.context.cards
        for card, info in zip(cards.entries, with_prices(cards), strict=True):
            for field, number in info.prices.items():
                yield card.entry.fields[field].span, checked.prices[number]


def _lacking(game: Game, way: Amounts, lacking: frozenset[int]) -> str:
    """The name of the first item, of an alternative, that nobody has; "" if there is none."""
    items = (item for item, number in way if number > 0)
    one = next((item for item in items if lacking.issuperset(game.members(item))), None)
    names = (*game.resources, *(name for name, _ in game.groups))
    return names[one] if one is not None else ""


# ---- free exchanges ----


def exchanges_in_vain(game: Compilation) -> Iterator[Problem]:
    """Free exchanges that give nothing, and pairs that can be repeated forever (W919)."""
    spans = {name: node.span for name, node in game.context.nodes(n.FreeExchange)}
    for one in game.exchanges:
        if not any(number for _, number in one.take):
            text = "Nobody gains anything by it. Say what it gives."
            title = f"exchange `{one.name}` gives nothing"
            yield Problem("W919", title, spans[one.name], text)
    for one, other in combinations(game.exchanges, 2):
        if _undo(one, other):
            text = "One gives what the other takes, so the two can be made again and again."
            title = f"exchanges `{one.name}` and `{other.name}` undo each other"
            labels = (Label(spans[one.name], "the other one"),)
            yield Problem("W919", title, spans[other.name], text, "", labels)


_MOST = 12  # repetitions of an exchange that are tried


def _undo(one: FreeExchange, other: FreeExchange) -> bool:
    """Whether some repetitions of both exchanges together lose nothing."""
    items = {item for each in (one, other) for item, _ in (*each.give, *each.take)}
    return any(
        all(i * _gain(one, item) + j * _gain(other, item) >= 0 for item in items)
        for i, j in product(range(1, _MOST + 1), repeat=2)
    )


def _gain(one: FreeExchange, item: int) -> int:
    return dict(one.take).get(item, 0) - dict(one.give).get(item, 0)


# ---- forced exchanges ----


def debts(game: Compilation) -> Iterator[Problem]:
    """Exchanges (W932) that give a resource asked for by a mandatory payment together with one that
    lowers the score: players without the first are forced to exchange.
    """
    checked = game.checked
    lowering = _lowering(checked) if game.exchanges else frozenset[int]()
    nodes, owed = dict(game.context.nodes(n.FreeExchange)), [*_owed(checked)] if lowering else []
    for one in game.exchanges:
        gives = _resources(checked, (item for item, _ in one.take))
        forced = next((span for span, items in owed if items & (gives - lowering)), None)
        if one.when is None and gives & lowering and forced is not None:
            names = " and ".join(checked.resources[resource] for resource in gives & lowering)
            text = f"Whoever could pay with its help is made to use it, and the {names} it also"
            text += " gives lower their score. To leave the choice to the players:"
            node, title = nodes[one.name], f"exchange `{one.name}` is forced on whoever owes this"
            whole, end = node.span, node.take[-1].span
            until = end.end - whole.start
            hint = f"{whole.text[:until]} if you like{whole.text[until:]}"
            labels = (Label(forced, "whoever can pay this must"),)
            yield Problem("W932", title, whole, text, hint, labels).with_edit()


def _lowering(game: Game) -> frozenset[int]:
    """The resources of which more is never better for the score, and sometimes worse."""
    ways = {way for part in game.scores for way in _ways(game, part.value, game.merit(1))}
    return frozenset(
        {one for one, sign in ways if sign < 0} - {one for one, sign in ways if sign > 0}
    )


def _ways(game: Game, value: e.Expr, sign: int) -> Iterator[tuple[int, int]]:
    """The resources that a value depends on, each with the sign of the dependence; both signs if it
    is unknown.
    """
    match value:
        case e.Var():
            if (resource := _resource(game, value)) != NOTHING:
                yield resource, sign
        case e.Arith("+" | "-" as op, left, right):
            yield from _ways(game, left, sign)
            yield from _ways(game, right, sign if op == "+" else -sign)
        case e.Arith("*", e.Const(int(by)), of) | e.Arith("*" | "/", of, e.Const(int(by))) if by:
            yield from _ways(game, of, sign if by > 0 else -sign)
        case e.Cond(_, left, right):
            yield from (*_ways(game, left, sign), *_ways(game, right, sign))
        case e.Call(define):
            yield from _ways(game, game.defines[define].value, sign)
        case _:  # the sign is unknown
            for one in parts(value, e.Var):
                yield from (*_ways(game, one, 1), *_ways(game, one, -1))


def _owed(game: Game) -> Iterator[tuple[Span, set[int]]]:
    """The payments that are mandatory for whoever can make them, with the resources that they may
    name.
    """
    for number, rule in enumerate(game.rules):
        asked = [one for one in rule.every(s.Ask) if one.otherwise is not None]
        only = (one.body for ask in asked if len(ask.alternatives) == 1 for one in ask.alternatives)
        pays = [one for one in rule.every(s.Pay) if one.otherwise is not None]
        for pay in (*pays, *within(tuple(only), s.Pay)):
            if pay.span is not None:
                listed = () if isinstance(pay.price, e.Counted) else (pay.price.number,)
                known = (_numbers(game, number, one, frozenset()) for one in listed)
                yield pay.span, _named(game, pay.price, chain(*known))


def _numbers(
    game: Game, rule: int, number: e.Expr, seen: frozenset[tuple[int, int]]
) -> Iterator[int]:
    """The prices that an expression in a rule may be, by number; all prices if it is a field of a
    card. `seen`: the parameters that have been followed to their callers.
    """
    match number:
        case e.Const(int(one)):
            yield from () if one == NOTHING else (one,)
        case e.Local(slot) if slot <= game.rules[rule].params:
            for caller, other in enumerate(game.rules):
                for do in parts(other.body, s.Do) if (rule, slot) not in seen else ():
                    if do.rule == rule:
                        given, known = do.arguments[slot - 1], seen | {(rule, slot)}
                        yield from _numbers(game, caller, given, known)
        case _:
            yield from range(len(game.prices))
