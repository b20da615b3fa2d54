"""Why an alternative of a question is not offered: its head read as `engine.heads` reads it, but to
the end.

Where the engine stops at the first thing in the way, this goes on past it and notes every one. It
reads a copy of the position and asks the engine's own closures, so both agree on what holds.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from targi_dsl.engine import Engine, expressions, heads, payment
from targi_dsl.engine.code import BLOCKED, Code, Head, Value, Vector
from targi_dsl.engine.faults import SCRATCH, Fault, newest
from targi_dsl.engine.flow import KEPT
from targi_dsl.ir import types as t
from targi_dsl.ir.model import (
    FRAME_HEAD,
    NOTHING,
    Active,
    Alternative,
    Ask,
    Block,
    CardsOn,
    Do,
    DoAction,
    Expr,
    Forbid,
    If,
    Leave,
    Let,
    Loop,
    Not,
    Pay,
    SetOp,
    Use,
)
from targi_dsl.text.source import Span

MOST = 24
"""Reasons noted for one alternative; a question within it may have very many."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that is in the way.

    name: of the prohibition, or RULE.pay, RULE.WHAT for what is not in the set, the ability that is
    not at work. text: for people. file and line: where the rules say so ("" and 0 where nothing
    does). lifts: what would take it away: the abilities that lift the prohibition, or else its
    condition.
    """

    name: str
    text: str
    file: str = ""
    line: int = 0
    lifts: tuple[str, ...] = ()


def placed(name: str, text: str, span: Span | None, lifts: tuple[str, ...] = ()) -> Reason:
    """A reason with its place in the rules."""
    return Reason(
        name, text, *((span.source.name, span.line) if span is not None else ("", 0)), lifts
    )


class Closures:
    """The engine's closures for parts of rules, made when first wanted."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self._made: dict[
            tuple[str, int], tuple[object, Any]
        ] = {}  # a node is kept, so that its identity stays its own

    def value(self, node: Expr) -> Value:
        found: Value = self._kept("value", node, lambda: expressions.expression(self.code, node))
        return found

    def can_pay(self, node: Pay) -> Value:
        found: Value = self._kept(
            "can pay", node, lambda: payment.can_pay(self.code, node.price, node.terms)
        )
        return found

    def bill(self, node: Pay) -> payment.Bill:
        found: payment.Bill = self._kept(
            "bill", node, lambda: payment.bill(self.code, node.price, node.terms)
        )
        return found

    def lifted(self, node: Forbid) -> heads.Lift:
        found: heads.Lift = self._kept("lifted", node, lambda: heads.lifted(self.code, node))
        return found

    def possible(self, node: Ask) -> Head | None:
        """Whether some answer is possible; None if one always is."""
        found: Head | None = self._kept(
            "possible", node, lambda: heads.possible(self.code, (node,))
        )
        return found

    def first_turn(self, body: Block) -> Block:
        """The body of a loop without the answer that leaves it."""
        found: Block = self._kept("first turn", body, lambda: _without_way_out(body))
        return found

    def _kept(self, what: str, node: object, made: Callable[[], Any]) -> Any:
        key = what, id(node)
        if key not in self._made:
            self._made[key] = node, made()
        return self._made[key][1]


@lru_cache(KEPT)
def closures_of(engine: Engine) -> Closures:
    """The closures of a game."""
    return Closures(engine.code)


class _Enough(Exception):
    """So many reasons are enough."""


class Refusal:
    """The reasons why one element of an alternative, or the alternative itself, is not offered in a
    frame.
    """

    def __init__(self, engine: Engine, v: Vector) -> None:
        self.code, self.game, self.closures = engine.code, engine.game, closures_of(engine)
        self.v = v[:]
        self.found: dict[Reason, None] = {}
        self.about = ""  # the answers of questions within, in words
        self.depth = 0

    def reasons(self, fp: int, node: Alternative, element: int) -> tuple[Reason, ...]:
        """All of them; none if it is offered. `element` is nothing if there is nothing to choose."""
        with suppress(_Enough, Fault):  # what cannot be worked out is no reason
            self._alternative(fp, node, element)
        return tuple(self.found)

    # ---- an alternative ----

    def _alternative(self, fp: int, node: Alternative, element: int) -> None:
        if not self._value(node.guard)(self.v, fp):
            self._guarded(fp, node)
            return
        if node.choice is not None:
            if not self._knows(fp, node, element) or element not in self._value(node.choice.within)(
                self.v, fp
            ):
                self._not_in(fp, node, element)
                return
            self.v[fp + node.choice.slot] = element
        self._block(fp, node.body)

    def _guarded(self, fp: int, node: Alternative) -> None:
        if not isinstance(node.guard, Active):
            self._note(node.label, "it cannot be chosen now", self._rule_span(fp))
            return
        ability, you = node.guard.ability, self.v[fp]
        info = self.game.abilities[ability]
        if you not in self.code.owners(self.v, ability):
            text = "it works only while its card lies where your abilities are active"
            self._note(
                node.label,
                text,
                info.span,
                (self.game.cards[info.card].id,) if info.card != NOTHING else (),
            )
            return
        slot = self.code.window(ability, you)
        period = next((rule.name for rule in self.game.rules if slot in rule.opens), "")
        text = f"it has been used in this {period or 'game'}"
        self._note(node.label, text, info.span, (f"a new {period}",) if period else ())

    def _not_in(self, fp: int, node: Alternative, element: int) -> None:
        assert node.choice is not None
        within, name = node.choice.within, self.code.domains.name(node.choice.type, element)
        text = f"{name} is none of those that may be chosen"
        words = self._words(fp, within)
        if words and all(self._knows(fp, node, one) for one in self._value(within)(self.v, fp)):
            text = f"{name} is not in {words}"
        self._note(f"{self._rule(fp)}.{self._what(fp, node)}", text, self._rule_span(fp))

    def _knows(self, fp: int, node: Alternative, element: int) -> bool:
        """Whether the player knows what is chosen. Of a card that they do not know no reason may
        tell where it lies.
        """
        if node.choice is None or not isinstance(node.choice.type, t.Card):
            return True
        return bool(self.v[self.code.slots.card_known + element] >> 1 + self.v[fp] & 1)

    def _what(self, fp: int, node: Alternative) -> str:
        """What is chosen: by its name if the answers have it, or else by its type."""
        assert node.choice is not None
        return node.label if node.label != self._rule(fp) else node.choice.type.name

    # ---- a head ----

    def _block(self, fp: int, body: Block) -> bool:
        """Notes what is in the way; whether the head goes on after the block."""
        for statement in body:
            try:
                if not self._statement(fp, statement):
                    return False
            except Fault:  # past what is in the way a value may make no sense
                return False
        return True

    def _statement(self, fp: int, node: object) -> bool:
        v = self.v
        match node:
            case Let(slot, value):
                v[fp + slot] = int(self._value(value)(v, fp))
                return True
            case Forbid():
                self._forbid(fp, node)
                return True
            case Pay():
                if node.otherwise is None and not self.closures.can_pay(node)(v, fp):
                    self._pay(fp, node)
                return True
            case If(test, then, otherwise):
                return self._block(fp, then if self._value(test)(v, fp) else otherwise)
            case Do(rule, arguments):
                return self._rule_done(
                    fp, rule, tuple(int(self._value(one)(v, fp)) for one in arguments)
                )
            case DoAction(card):
                chosen = self._value(card)(v, fp)
                rule = self.game.actions[chosen] if chosen != NOTHING else NOTHING
                return rule == NOTHING or self._rule_done(fp, rule, self.code.carried(rule, chosen))
            case Ask():
                if not node.otherwise:
                    self._ask(fp, node)
                return False
            case Loop(slot, limit, body):
                v[fp + slot] = 1
                if self._value(limit)(v, fp) > 0:
                    self._block(fp, self.closures.first_turn(body))
                else:
                    self._note(
                        f"{self._rule(fp)}.times",
                        "it may not be done even once",
                        self._rule_span(fp),
                    )
                return False
            case Use():
                return True
            case _:
                return False

    def _rule_done(self, fp: int, rule: int, arguments: tuple[int, ...]) -> bool:
        if self.depth == SCRATCH // 2:  # a rule that does itself past what is in the way
            return False
        inner = self.code.scratch(self.v, fp, rule, self.v[fp], self.code.sizes[rule], arguments)
        self.depth += 1
        try:
            return self._block(inner, self.code.rules[rule].body)
        finally:
            self.depth -= 1
            del self.v[inner - FRAME_HEAD :]

    def _ask(self, fp: int, node: Ask) -> None:
        """What is in the way of each answer to a question that has no possible one."""
        possible = self.closures.possible(node)
        if possible is not None and possible(self.v[:], fp) == BLOCKED:
            for one in node.alternatives:
                self._each(fp, one)

    def _each(self, fp: int, node: Alternative) -> None:
        about = self.about
        if node.choice is None or not self._value(node.guard)(self.v, fp):
            self.about = _joined(about, node.label)
            self._alternative(fp, node, NOTHING)
        else:
            elements = self._value(node.choice.within)(self.v, fp)
            if not elements:
                where = self._words(fp, node.choice.within)
                text = (
                    f"there is nothing to choose in {where}"
                    if where
                    else "there is nothing to choose"
                )
                self._note(f"{self._rule(fp)}.{self._what(fp, node)}", text, self._rule_span(fp))
            for element in elements:
                if self._knows(fp, node, element):
                    self.about = _joined(about, self.code.domains.name(node.choice.type, element))
                    self._alternative(fp, node, element)
                else:
                    self._note(
                        f"{self._rule(fp)}.{self._what(fp, node)}",
                        "not with a hidden card",
                        self._rule_span(fp),
                    )
        self.about = about

    # ---- what is in the way ----

    def _forbid(self, fp: int, node: Forbid) -> None:
        info = self.game.forbids[node.forbid]
        if (
            not self._value(node.condition)(self.v, fp)
            or self.closures.lifted(node)(self.v, fp) != NOTHING
        ):
            return
        lifts = tuple(self.game.abilities[ability].name for ability, _ in info.permits)
        span = newest(info.origins)
        self._note(
            info.name, info.reason or "it is forbidden", span, lifts or _condition(node, span)
        )

    def _pay(self, fp: int, node: Pay) -> None:
        self._note(
            f"{self._rule(fp)}.pay",
            price_words(self.closures, node, self.v, fp),
            self._rule_span(fp),
        )

    def _note(self, name: str, text: str, span: Span | None, lifts: tuple[str, ...] = ()) -> None:
        self.found[placed(name, f"{self.about}: {text}" if self.about else text, span, lifts)] = (
            None
        )
        if len(self.found) == MOST:
            raise _Enough

    # ---- words ----

    def _rule(self, fp: int) -> str:
        return self.code.rules[self.v[fp - 1]].declared

    def _rule_span(self, fp: int) -> Span | None:
        return newest(self.code.rules[self.v[fp - 1]].origins)

    def _words(self, fp: int, node: Expr) -> str:
        """A set of cards in words; "" for what has no plain ones."""
        match node:
            case CardsOn(places):
                return self._places(self._value(places)(self.v, fp), self.v[fp])
            case SetOp("plus", left, right):
                words = self._words(fp, left), self._words(fp, right)
                return " or ".join(words) if all(words) else ""
            case _:
                return ""

    def _places(self, places: tuple[int, ...], you: int) -> str:
        """Places by the names of their regions, those of the player as "your"."""
        infos = [self.game.places[place] for place in places]
        words = (
            f"your {one.region}" if one.owner == you else one.name if one.is_zone else one.region
            for one in infos
        )
        return " or ".join(dict.fromkeys(words))

    def _value(self, node: Expr) -> Value:
        return self.closures.value(node)


def price_words(closures: Closures, node: Pay, v: Vector, fp: int) -> str:
    """What is asked, as it stands after all that changes it, and what of it you have."""
    code, bill = closures.code, closures.bill(node)
    plans, have = bill.plans(v, fp), bill.purse(v, fp)
    count = len(code.game.resources)
    ways = [
        (*plan.needs, *((count + group, number) for group, number, _ in plan.wild))
        for plan in plans
    ]
    items = dict.fromkeys(item for way in ways for item, _ in way)
    groups = code.market.groups
    owned = {
        item: have[item] if item < count else sum(have[one] for one in groups[item - count])
        for item in items
    }
    yours = ", ".join(f"{number} {code.domains.item(item)}" for item, number in owned.items())
    costs = " or ".join(dict.fromkeys(code.domains.amounts(way) for way in ways))
    return f"costs {costs}; you have {yours}"


def _without_way_out(body: Block) -> Block:
    """The body of a loop without the answer that leaves it."""
    match body:
        case (Ask(name, alternatives, otherwise),):
            return (
                Ask(name, tuple(one for one in alternatives if one.body != (Leave(),)), otherwise),
            )
        case _:
            return body


def _joined(about: str, answer: str) -> str:
    return f"{about} {answer}".strip()


def _condition(node: Forbid, span: Span | None) -> tuple[str, ...]:
    """The condition of a prohibition as it is written: not this; or this, where it belongs to a
    choice.
    """
    words = " ".join(span.text.split()) if span is not None else ""
    head, _, rest = words.partition(": ")
    if head.startswith("forbid "):
        return (f"not: {rest.partition(' because ')[0]}",)
    return (words,) if words and isinstance(node.condition, Not) else ()
