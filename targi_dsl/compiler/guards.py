"""Preconditions: whether a block can be begun, as conjuncts that say where they come from."""

from __future__ import annotations

from collections.abc import Callable

from targi_dsl.ir import model as m
from targi_dsl.ir import program as p

QuestionOf = Callable[[m.Ask], int]
DECIDED = p.Decided()


def guard(block: m.Block, rule: int, question_of: QuestionOf) -> p.Guard:
    """The guard of a block of a rule; empty when the block can always be begun."""
    found = of_rule(block, rule, question_of)
    return () if always(found) else found


def of_rule(block: m.Block, rule: int, question_of: QuestionOf) -> p.Guard:
    """The guard of the whole body of a rule; whether it is decided there matters to callers."""
    found = _conjuncts(block, rule, question_of)
    return tuple(one for one in found if one == DECIDED) if always(found) else found


def always(found: p.Guard) -> bool:
    """Whether a guard holds whatever the position."""
    return all(isinstance(one, p.Bind | p.Decided) for one in found)


def _conjuncts(block: m.Block, rule: int, question_of: QuestionOf) -> p.Guard:
    found: list[p.Conjunct] = []
    for statement in block:
        found += _conjunct(statement, rule, question_of)
        if found and isinstance(found[-1], p.Answer | p.FirstTurn | p.Decided):
            break
    return tuple(found)


def _conjunct(node: m.Statement, rule: int, question_of: QuestionOf) -> p.Guard:
    match node:
        case m.Let(slot, value):
            return (p.Bind(slot, value),)
        case m.Forbid(forbid, condition):
            return (p.Need(rule, forbid, condition),)
        case m.Pay(price, terms, otherwise):
            return (p.Payable(rule, price, terms),) if otherwise is None else ()
        case m.If(test, then, otherwise):
            return _split(test, *(_conjuncts(one, rule, question_of) for one in (then, otherwise)))
        case m.Do(number, arguments):
            return (p.Perform(number, arguments),)
        case m.DoAction(card):
            return (p.PerformAction(card),)
        case m.Ask(_, alternatives, otherwise):
            if otherwise:
                return (DECIDED,)
            return (p.Answer(rule, question_of(node), tuple(range(len(alternatives)))),)
        case m.Loop(slot, limit, body):
            return (p.FirstTurn(rule, slot, limit, _first_turn(body, rule, question_of)),)
        case m.Use():
            return ()
        case _:
            return (DECIDED,)


def _split(test: m.Expr, then: p.Guard, otherwise: p.Guard) -> p.Guard:
    if not then and not otherwise:
        return ()
    if then == otherwise == (DECIDED,):
        return then
    return (p.Split(test, then, otherwise),)


def _first_turn(body: m.Block, rule: int, question_of: QuestionOf) -> p.Guard:
    """The guard of a loop's body without the answer that leaves the loop."""
    match body:
        case (m.Ask(_, alternatives, ()) as node,):
            ways = [at for at, one in enumerate(alternatives) if one.body != (m.Leave(),)]
            return (p.Answer(rule, question_of(node), tuple(ways)),)
        case _:
            return _conjuncts(body, rule, question_of)
