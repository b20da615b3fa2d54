"""Warns of payments that can turn out to be impossible although the action was offered: those that
are not examined beforehand, and those that a free exchange can make impossible.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field

from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import FreeExchange, Trigger
from targi_dsl.ir.game import Game
from targi_dsl.ir.walk import parts
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.light import dataclass
from targi_dsl.text.source import Span

_LATER = (
    "Only the beginning of an action is examined before it is offered, and this payment comes"
    " later. Pay first, or say what happens if it is impossible"
)
_SECOND = (
    "Each payment is examined as if the others were free. Make both one payment, or say what"
    " happens if this one is impossible"
)
_LAST = re.compile(r" *(#|\n|\Z)")
"""What follows the last statement of a line."""

_EXAMINED = s.Let | s.Forbid | s.Use | s.Pay | s.If | s.TurnOf | s.Do
"""What a guard passes on its way."""


def warnings(game: Game) -> Iterator[Problem]:
    """The warnings, once for each line, however many copies of its card there are."""
    told = set[Span | None]()
    for found in (_Walk(game).late(), _changed_by_exchanges(game), _costly_triggers(game)):
        for problem in found:
            if problem.span not in told:
                told.add(problem.span)
                yield problem


# ---- payments that are not examined ----


@dataclass(slots=True)
class _Walk:
    """Follows rules as guards do. A payment behind the part that a guard examines is late, and so
    is one that is repeated or set off; but those under a condition there are trusted.

    beyond: the rules behind which all are late. paying: for each rule the resources that the part
    which guards examine pays.
    """

    game: Game
    beyond: set[int] = field(default_factory=set)
    paying: dict[int, set[int]] = field(default_factory=dict)
    _late: list[Problem] = field(default_factory=list)

    def __post_init__(self) -> None:
        callers: dict[int, list[int]] = {}
        for number, rule in enumerate(self.game.rules):
            for do in rule.every(s.Do):
                callers.setdefault(do.rule, []).append(number)
        bodies = enumerate(rule.body for rule in self.game.rules)
        pending = [number for number, body in bodies if _goes_beyond(body)]
        while pending:
            number = pending.pop()
            pending += callers.get(number, ()) if number not in self.beyond else ()
            self.beyond.add(number)
        self._find_paying()

    def late(self) -> Iterator[Problem]:
        triggered = {one.body for one in self.game.triggers}
        triggered |= {one.arrival for one in self.game.abilities}
        for number, rule in enumerate(self.game.rules):
            self._follow(rule.body, set(), is_late=number in triggered)
        yield from self._late

    def _follow(self, block: s.Block, paid: set[int], is_late: bool = False) -> bool:
        """Follows a block, behind payments of these resources, to which it adds its own; returns
        whether a payment behind it would be late.
        """
        for node in block:
            match node:
                case s.Pay(otherwise=None):
                    items = self._items(node)
                    if (is_late or paid & items) and not _is_trusted(self.game, node):
                        self._late.append(_problem(node, _LATER if is_late else _SECOND))
                    paid |= items
                case s.If(_, then, otherwise):
                    for body in (then, otherwise):
                        own = set[int]()
                        is_late |= self._follow(body, own)
                        paid |= own
                case s.TurnOf(body=body):
                    is_late = self._follow(body, set(), is_late)
                case s.Do(rule):
                    if paid & self.paying[rule]:
                        self._late.append(_problem(node, _SECOND))
                    paid |= self.paying[rule]
                    is_late |= rule in self.beyond
                case s.Ask(_, alternatives, otherwise):
                    for body in (*(one.body for one in alternatives), otherwise):
                        self._follow(body, set())
                    is_late = True
                case s.Each(body=body) | s.EachPlayer(body=body) | s.Until(body=body):
                    self._follow(body, set(), is_late=True)
                    is_late = True
                case _ if not isinstance(node, _EXAMINED):
                    self._follow(getattr(node, "body", ()), set())
                    is_late = True
        return is_late

    def _find_paying(self) -> None:
        callers: dict[int, list[int]] = {}
        for number, rule in enumerate(self.game.rules):
            paid, called = set[int](), list[int]()
            self._examine(rule.body, paid, called)
            self.paying[number] = paid
            for other in called:
                callers.setdefault(other, []).append(number)
        pending = [*self.paying]
        while pending:
            number = pending.pop()
            for caller in callers.get(number, ()):
                if not self.paying[number] <= self.paying[caller]:
                    self.paying[caller] |= self.paying[number]
                    pending.append(caller)

    def _examine(self, block: s.Block, paid: set[int], called: list[int]) -> None:
        """Adds the resources that a block pays, and the rules that it calls, in the part that
        guards examine.
        """
        for node in block:
            match node:
                case s.Pay(otherwise=None) if not _is_trusted(self.game, node):
                    paid |= self._items(node)
                case s.If(_, then, otherwise):
                    self._examine(then, paid, called)
                    self._examine(otherwise, paid, called)
                case s.Do(rule):
                    called.append(rule)
            if _goes_beyond((node,)) or (isinstance(node, s.Do) and node.rule in self.beyond):
                break

    def _items(self, pay: s.Pay) -> set[int]:
        """The resources that may be paid: all, if only play will tell, or if they can be
        exchanged.
        """
        match pay.price:
            case e.Listed(e.Const(int(number))) if not self.game.exchanges:
                alternatives = self.game.prices[number].alternatives
                return _resources(self.game, (item for one in alternatives for item, _ in one))
            case e.Counted(amounts) if not self.game.exchanges:
                return _resources(self.game, (item for item, _ in amounts))
            case _:
                return {*range(len(self.game.resources))}


def _problem(node: s.Pay | s.Do, why: str) -> Problem:
    """The warning, with the line to write if a payment is at the end of one."""
    hint, span = "", node.span
    if span is not None and isinstance(node, s.Pay) and _LAST.match(span.source.text, span.end):
        hint = f"{span.text} otherwise stop"
    title, text = "this payment may turn out to be impossible", why + (":" if hint else ".")
    return Problem("W913", title, span, text, hint, "warning")


def _is_trusted(game: Game, pay: s.Pay) -> bool:
    """Whether it is certain, or of an amount that a rule keeps in a variable, such as a bid."""
    numbers = pay.price.amounts if isinstance(pay.price, e.Counted) else ()
    variables = (_resource(game, one) == NOTHING for one in parts(numbers, e.Var))
    return any(variables) or _is_certain(game, pay)


def _is_certain(game: Game, pay: s.Pay) -> bool:
    """Whether no more is paid than there is, as for `lose` and `keep at most`."""
    match pay.price:
        case e.Counted(((item, e.Cond(_, have, _) | e.Arith("-", have, _)),)):
            return _amounts(game, (have,)) == _resources(game, (item,))
        case _:
            return False


def _goes_beyond(block: s.Block) -> bool:
    """Whether a block has a statement, called rules apart, behind which guards examine nothing."""
    return any(
        not isinstance(node, _EXAMINED)
        or (isinstance(node, s.If) and (_goes_beyond(node.then) or _goes_beyond(node.otherwise)))
        or (isinstance(node, s.TurnOf) and _goes_beyond(node.body))
        for node in block
    )


def _resources(game: Game, items: Iterable[int]) -> set[int]:
    """The resources of items, which may be groups."""
    first = len(game.resources)
    several = ((item,) if item < first else game.groups[item - first][1] for item in items)
    return {one for members in several for one in members}


# ---- payments that a free exchange can make impossible ----


def _changed_by_exchanges(game: Game) -> Iterator[Problem]:
    """Payments whose amount, reduction or substitute depends on what can be exchanged."""
    exchanged = {item for one in game.exchanges for item, _ in (*one.give, *one.take)}
    for rule in game.rules if exchanged else ():
        for pay in rule.every(s.Pay):
            changed = _asked(game, pay) & exchanged
            if changed and pay.otherwise is None and not _is_certain(game, pay):
                names = " and ".join(game.resources[one] for one in sorted(changed))
                title = "an exchange can change this price"
                text = (
                    f"The price depends on your {names}, which can be exchanged before it is paid."
                    " It may then be impossible to pay. Choose the amount before, or end the"
                    " payment with `otherwise stop`."
                )
                yield Problem("W914", title, pay.span, text, severity="warning")


def _asked(game: Game, pay: s.Pay) -> set[int]:
    """The resources that a price depends on, apart from those that it consists of."""
    terms = game.terms[pay.terms]
    conditions = [one.condition for one in terms.reductions]
    conditions += [one.condition for one in terms.substitutes]
    match pay.price:
        case e.Counted(amounts):
            paid = _resources(game, (item for item, _ in amounts))
            numbers = _amounts(game, [number for _, number in amounts]) - paid
        case e.Listed(number):
            numbers = _amounts(game, [number])
        case _:
            numbers = set()
    return numbers | _amounts(game, conditions)


def _amounts(game: Game, nodes: Iterable[e.Expr]) -> set[int]:
    """The resources whose amounts expressions read, themselves or by definitions."""
    read, defines, pending = set[int](), set[int](), [*nodes]
    for node in pending:
        read |= {_resource(game, one) for one in parts(node, e.Var)} - {NOTHING}
        called = {one.define for one in parts(node, e.Call)} - defines
        defines |= called
        pending += [game.defines[one].value for one in called]
    return read


def _resource(game: Game, var: e.Var) -> int:
    """The resource whose amount a slot holds; nothing for any other slot."""
    at = (var.base - game.slots.amounts) // len(game.players)
    return at if 0 <= at < len(game.resources) else NOTHING


def _costly_triggers(game: Game) -> Iterator[Problem]:
    """Triggers on what an exchange gives or takes that take something away themselves."""
    for trigger in game.triggers:
        setting_off = [one.name for one in game.exchanges if _sets_off(one, trigger)]
        if setting_off and any(game.rules[trigger.body].every(s.Pay)):
            title, span = "an exchange sets off a payment", game.abilities[trigger.ability].span
            text = (
                f"`{setting_off[0]}` sets this off even while a price is owed, and it may then be"
                " impossible to pay. Let it be set off by something that no exchange gives or"
                " takes, or let it take nothing."
            )
            yield Problem("W914", title, span, text, severity="warning")


def _sets_off(exchange: FreeExchange, trigger: Trigger) -> bool:
    """Whether an exchange is a gain or a payment that a trigger waits for."""
    items = {"pay": exchange.give, "gain": exchange.take}.get(trigger.verb, ())
    return trigger.kind == NOTHING and trigger.subject in {item for item, _ in items}
