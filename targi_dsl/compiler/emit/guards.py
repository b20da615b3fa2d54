"""Derives the guards of blocks: preconditions as conjuncts that record their origins."""

from __future__ import annotations

from collections.abc import Callable

from targi_dsl.ir import expressions as e
from targi_dsl.ir import guards as g
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import YOU

QuestionOf = Callable[[s.Ask | s.Random], int]
DECIDED = g.Decided()


def guard(block: s.Block, rule: int, question_of: QuestionOf) -> g.Guard:
    """The guard of a block of a rule; empty if the block is always possible."""
    found = of_rule(block, rule, question_of)
    return () if always(found) else found


def of_rule(block: s.Block, rule: int, question_of: QuestionOf) -> g.Guard:
    """The guard of a rule's whole body; callers need to know whether it ends decided."""
    found = _conjuncts(block, rule, question_of)
    return tuple(one for one in found if one == DECIDED) if always(found) else found


def always(found: g.Guard) -> bool:
    """Whether a guard holds in every position."""
    return all(isinstance(one, g.Bind | g.Decided) for one in found)


def _conjuncts(block: s.Block, rule: int, question_of: QuestionOf) -> g.Guard:
    found: list[g.Conjunct] = []
    for statement in block:
        found += _conjunct(statement, rule, question_of)
        if found and isinstance(found[-1], g.Answer | g.FirstTurn | g.Decided):
            break
    return tuple(found)


def _conjunct(node: s.Statement, rule: int, question_of: QuestionOf) -> g.Guard:
    match node:
        case s.Let(slot, value):
            return (g.Bind(slot, value),)
        case s.Forbid(forbid, condition):
            return (g.Need(rule, forbid, condition),)
        case s.Pay(price, terms, otherwise):
            return (g.Payable(rule, price, terms),) if otherwise is None else ()
        case s.If(test, then, otherwise):
            return _split(test, *(_conjuncts(one, rule, question_of) for one in (then, otherwise)))
        case s.TurnOf():
            return _turn(node, _conjuncts(node.body, rule, question_of))
        case s.Do(number, arguments):
            return (g.Perform(number, arguments),)
        case s.DoAction(card):
            return (g.PerformAction(card),)
        case s.Ask(_, alternatives, otherwise):
            if otherwise is not None:
                return (DECIDED,)
            return (g.Answer(rule, question_of(node), tuple(range(len(alternatives)))),)
        case s.Random():
            return (g.Answer(rule, question_of(node), (0,)),)
        case s.Loop(slot, limit, body):
            return (g.FirstTurn(rule, slot, limit, _first_turn(body, rule, question_of)),)
        case s.Use():
            return ()
        case _:
            return (DECIDED,)


def _turn(node: s.TurnOf, body: g.Guard) -> g.Guard:
    """The guard of a player's turn, if there is such a player."""
    if not body or body == (DECIDED,):
        return body
    begin = g.Bind(node.slot, e.Local(YOU)), g.Bind(YOU, node.player)
    return _split(node.there, (*begin, *body, g.Bind(YOU, e.Local(node.slot))), ())


def _split(test: e.Expr, then: g.Guard, otherwise: g.Guard) -> g.Guard:
    if not then and not otherwise:
        return ()
    if then == otherwise == (DECIDED,):
        return then
    return (g.Split(test, then, otherwise),)


def _first_turn(body: s.Block, rule: int, question_of: QuestionOf) -> g.Guard:
    """The guard of a loop's body without the answer that leaves the loop."""
    match body:
        case (s.Ask(_, alternatives, None) as node,):
            ways = [at for at, one in enumerate(alternatives) if one.body != (s.Leave(),)]
            return (g.Answer(rule, question_of(node), tuple(ways)),)
        case _:
            return _conjuncts(body, rule, question_of)
