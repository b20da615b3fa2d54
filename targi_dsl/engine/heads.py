"""Whether a block can be begun: its head, read in the present position before anything is done.

A head is made backwards, statement by statement, each holding what comes after it. Most blocks
cannot fail: then the head is one of the two constants, and nobody asks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass

from targi_dsl.engine import expressions, offers, payment
from targi_dsl.engine.code import BLOCKED, ENDED, THROUGH, Code, Head, Value, Vector
from targi_dsl.engine.folding import folded
from targi_dsl.ir.model import (
    FRAME_HEAD,
    NOTHING,
    YOU,
    Ask,
    Block,
    CanPay,
    Const,
    Do,
    DoAction,
    Expr,
    Forbid,
    If,
    Leave,
    Let,
    Local,
    Loop,
    Not,
    Pay,
    Use,
)

Lift = Callable[[Vector, int], int]  # the ability that lifts a prohibition now, or nothing


def through(v: Vector, fp: int) -> int:
    return THROUGH


def ended(v: Vector, fp: int) -> int:
    return ENDED


def possible(code: Code, block: Block) -> Head | None:
    """Whether a block can be begun (not BLOCKED); None: it always can."""
    head = _head(code, block, through)
    return None if head is ended or head is through else head


def of_rule(code: Code, rule: int) -> Head:
    """The head of a rule, to be called in a frame of it; made when first wanted."""
    if rule not in code.heads:
        code.heads[rule] = lambda v, fp: code.heads[rule](
            v, fp
        )  # while it is made it may meet itself
        try:
            made = _head(code, code.rules[rule].body, through)
        finally:
            del code.heads[rule]
        code.heads[rule] = made
    return code.heads[rule]


def done(code: Code, rule: int, arguments: tuple[Expr, ...]) -> Head:
    """The head of a rule that is done by you with these arguments."""
    of_rule(code, rule)
    given = [expressions.number(code, argument) for argument in (Local(YOU), *arguments)]
    framed = code.framed(rule, given, code.sizes[rule], code.heads, rule)
    return code.fuel.per_call(code.fuel.of_rule(rule), framed)


def _head(code: Code, block: Block, rest: Head) -> Head:
    for statement in reversed(block):
        match statement:
            case Let(slot, value):
                rest = (
                    rest
                    if rest in (through, ended)
                    else _let(slot, expressions.number(code, value), rest)
                )
            case Forbid():
                rest = _forbid(code, statement, rest)
            case Pay(price, terms, _, otherwise):
                rest = (
                    rest
                    if otherwise is not None
                    else _pay(payment.can_pay(code, price, terms), rest)
                )
            case If(test, then, otherwise):
                rest = _if(
                    expressions.expression(code, test),
                    _head(code, then, rest),
                    _head(code, otherwise, rest),
                )
            case Do(rule, arguments):
                rest = _do(code, rule, arguments, rest)
            case Ask(_, alternatives, otherwise):
                rest = ended if otherwise else offers.answerable(code, alternatives)
            case DoAction(card):
                rest = _do_action(code, expressions.expression(code, card), rest)
            case Loop(slot, limit, body):
                rest = _loop(
                    slot,
                    expressions.expression(code, limit),
                    _head(code, _without_way_out(body), through),
                )
            case Use():
                pass
            case _:
                rest = ended
    return rest


def _let(slot: int, value: Value, rest: Head) -> Head:
    def let(v: Vector, fp: int) -> int:
        i = fp + slot
        before, v[i] = v[i], value(v, fp)
        holds = rest(v, fp)
        v[i] = before
        return holds

    return let


def _forbid(code: Code, node: Forbid, rest: Head) -> Head:
    """A prohibition must not hold, or something lifts it."""
    condition = folded(code, node.condition)
    if condition == Const(0):
        return rest
    if code.game.forbids[node.forbid].permits:
        holds, lift = expressions.expression(code, condition), lifted(code, node)
        return lambda v, fp: BLOCKED if holds(v, fp) and lift(v, fp) == NOTHING else rest(v, fp)
    if isinstance(condition, Not):
        wanted = expressions.expression(code, condition.of)
        if rest is ended:
            return wanted  # truth is BLOCKED or ENDED
        return lambda v, fp: rest(v, fp) if wanted(v, fp) else BLOCKED
    hinders = expressions.expression(code, condition)
    return lambda v, fp: BLOCKED if hinders(v, fp) else rest(v, fp)


def _pay(payable: Value, rest: Head) -> Head:
    if rest is ended:
        return payable  # truth is BLOCKED or ENDED
    return lambda v, fp: rest(v, fp) if payable(v, fp) else BLOCKED


def _if(test: Value, then: Head, otherwise: Head) -> Head:
    if then is otherwise:
        return then
    return lambda v, fp: then(v, fp) if test(v, fp) else otherwise(v, fp)


def _do(code: Code, rule: int, arguments: tuple[Expr, ...], rest: Head) -> Head:
    head = of_rule(code, rule)
    if head is ended:
        return ended
    if head is through:
        return rest
    called = done(code, rule, arguments)

    def do(v: Vector, fp: int) -> int:
        holds = called(v, fp)
        return rest(v, fp) if holds == THROUGH else holds

    return called if rest is through else do


def _do_action(code: Code, card: Value, rest: Head) -> Head:
    actions = {card: rule for card, rule in enumerate(code.game.actions) if rule != NOTHING}
    carried = {card: code.carried(rule, card) for card, rule in actions.items()}

    def do(v: Vector, fp: int) -> int:
        chosen = card(v, fp)
        if chosen not in actions:
            return rest(v, fp)
        rule = actions[chosen]
        head = code.heads.get(rule) or of_rule(code, rule)
        if head is ended:
            return ENDED
        inner = code.scratch(v, fp, rule, v[fp], code.sizes[rule], carried[chosen])
        holds = head(v, inner)
        del v[inner - FRAME_HEAD :]
        return rest(v, fp) if holds == THROUGH else holds

    return code.fuel.per_call(code.fuel.of_actions(), do)


def _loop(slot: int, limit: Value, body: Head) -> Head:
    """A loop can be begun when its first turn can, other than by leaving at once."""

    def loop(v: Vector, fp: int) -> int:
        i = fp + slot
        before, v[i] = v[i], 1
        holds = limit(v, fp) > 0 and body(v, fp)
        v[i] = before
        return ENDED if holds else BLOCKED

    return loop


def reads(code: Code, block: Block, slot: int) -> bool:
    """Whether the head of a block may look at this slot."""
    for statement in block:
        match statement:
            case Ask() | Loop():
                return _mentions(code, statement, slot)
            case Let() | Forbid() | Pay() | If() | Do() | DoAction() | Use():
                if _mentions(code, statement, slot):
                    return True
            case _:
                return False
    return False


def _mentions(code: Code, node: object, slot: int) -> bool:
    match node:
        case Local(at):
            return at == slot
        case Pay(price, terms) | CanPay(price, terms):
            changed = code.game.terms[terms] if terms != NOTHING else None
            return _mentions(code, price, slot) or _mentions(code, changed, slot)
        case Forbid(forbid, condition):
            return _mentions(code, (condition, code.game.forbids[forbid].permits), slot)
        case tuple():
            return any(not isinstance(part, int) and _mentions(code, part, slot) for part in node)
        case _:
            return is_dataclass(node) and any(
                _mentions(code, getattr(node, one.name), slot) for one in fields(node)
            )


def _without_way_out(body: Block) -> Block:
    match body:
        case (Ask(name, alternatives, otherwise),):
            return (
                Ask(name, tuple(one for one in alternatives if one.body != (Leave(),)), otherwise),
            )
        case _:
            return body


def lifted(code: Code, node: Forbid) -> Lift:
    """What lifts a prohibition for you now: the number of an ability, or nothing."""
    permits = [
        (ability, code.activity(ability), expressions.condition(code, test))
        for ability, test in code.game.forbids[node.forbid].permits
    ]

    def lift(v: Vector, fp: int) -> int:
        for ability, active, test in permits:
            if active(v, v[fp]) and (test is None or test(v, fp)):
                return ability
        return NOTHING

    return lift
