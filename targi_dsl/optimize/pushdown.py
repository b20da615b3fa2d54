"""Predicate pushdown: conditions on the elements of a set become part of the set."""

from __future__ import annotations

from collections.abc import Set
from functools import partial

from msgspec.structs import replace

from targi_dsl.ir import expressions as e
from targi_dsl.ir import guards as g
from targi_dsl.ir.expressions import COMPARISONS
from targi_dsl.ir.program import Program, Way
from targi_dsl.optimize.rewrite import EMPTY, NO, YES, depends, everywhere, is_safe, safe_defines


def push(program: Program) -> Program:
    """Pushes conditions into sets, so that they are judged once and not for each element.

    >>> one, free = e.Local(1), e.Const((1, 2))
    >>> push_expression(e.Filter(1, free, e.Compare("is_not", one, e.Local(4))))
    SetOp(op='except', left=Const(value=(1, 2)), right=MakeSet(items=(Local(slot=4),)))

    What does not depend on the element is judged before the set is looked at.

    >>> push_expression(e.Filter(1, free, e.FaceUp(e.Local(4))))
    Cond(condition=FaceUp(card=Local(slot=4)), then=Const(value=(1, 2)), otherwise=Const(value=()))

    So is a definition that can be evaluated at any time.

    >>> push_expression(e.Filter(1, free, e.Member(one, e.Call(0, (e.Local(0),)))), safe={0})
    SetOp(op='within', left=Const(value=(1, 2)), right=Call(define=0, arguments=(Local(slot=0),)))
    """
    safe = safe_defines(program)
    program = everywhere(program, partial(push_expression, safe=safe))
    questions = tuple(
        replace(question, ways=tuple(_way(program, way, safe) for way in question.ways))
        for question in program.questions
    )
    return replace(program, questions=questions)


def push_expression(node: e.Expr, safe: Set[int] = frozenset()) -> e.Expr:
    """Pushes the condition of one expression into its set. safe: the definitions whose values can
    be computed at any time.
    """
    match node:
        case e.Filter(slot, within, condition):
            return those(slot, within, condition, safe)
        case e.Exists(slot, within, condition) if condition != YES:
            match those(slot, within, condition, safe):
                case e.Filter(at, rest, left) if at == slot:
                    return e.Exists(slot, rest, left)
                case filtered:
                    return e.Exists(slot, filtered, YES)
        case _:
            return node


def those(slot: int, within: e.Expr, condition: e.Expr, safe: Set[int]) -> e.Expr:
    """The elements of a set for which a condition on the slot holds."""
    if condition == YES:
        return within
    if condition == NO:
        return EMPTY
    if _free(condition, slot, safe):
        return e.Cond(condition, within, EMPTY)
    match condition:
        case e.All(parts):
            hard = list[e.Expr]()
            for part in parts:
                pushed = those(slot, within, part, safe)
                if isinstance(pushed, e.Filter) and pushed.within is within:
                    hard.append(part)
                else:
                    within = pushed
            return e.Filter(slot, within, _all(hard)) if hard else within
        case e.Not(e.AnyOf(parts)):
            return those(slot, within, e.All(tuple(_not(part) for part in parts)), safe)
        case e.Not(inner) if (members := _members(slot, inner, safe)) is not None:
            return e.SetOp("except", within, members)
        case e.Compare("is_not", left, right) if (
            members := _members(slot, e.Compare("is", left, right), safe)
        ) is not None:
            return e.SetOp("except", within, members)
    members = _members(slot, condition, safe)
    if members is None:
        return e.Filter(slot, within, condition)
    return e.SetOp("within", within, members)


def _all(parts: list[e.Expr]) -> e.Expr:
    return parts[0] if len(parts) == 1 else e.All(tuple(parts))


def _members(slot: int, condition: e.Expr, safe: Set[int]) -> e.Expr | None:
    """The set of all elements for which a condition on the slot holds, if it can be computed
    without testing them one by one.
    """
    match condition:
        case e.Compare(op, e.Table(values, e.Local(at)), e.Const(wanted)) if at == slot:
            holds = COMPARISONS[op].holds
            return e.Const(tuple(n for n, value in enumerate(values[:-1]) if holds(value, wanted)))
        case e.Member(e.Local(at), within) if at == slot and _free(within, slot, safe):
            return within
        case e.Compare("is", e.Local(at), other) | e.Compare("is", other, e.Local(at)) if (
            at == slot and _free(other, slot, safe)
        ):
            return e.MakeSet((other,))
        case e.Exists(_, e.Lying(base, things, places), e.Const(1)) if _free(things, slot, safe):
            occupied = e.Places(base, things)
            match places:
                case e.MakeSet((e.Local(at),)) if at == slot:
                    return occupied
                case e.Pick(sets, e.Local(at)) if at == slot:
                    back = _converse(sets[:-1])
                    known = e.Const(tuple(range(len(back))))
                    return e.Image(back, e.SetOp("within", occupied, known))
            return None
        case e.AnyOf(parts):
            alternatives = [_members(slot, part, safe) for part in parts]
            if any(members is None for members in alternatives):
                return None
            union: e.Expr = EMPTY
            for members in alternatives:
                union = (
                    e.SetOp("plus", union, members)
                    if union != EMPTY and members
                    else members or union
                )
            return union
        case _:
            return None


def _free(node: e.Expr, slot: int, safe: Set[int]) -> bool:
    return not depends(node, slot) and is_safe(node, safe)


def _converse(sets: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """The converse of a relation."""
    converse: dict[int, list[int]] = {}
    for element, related in enumerate(sets):
        for other in related:
            converse.setdefault(other, []).append(element)
    return tuple(tuple(converse.get(number, ())) for number in range(max(converse, default=-1) + 1))


# ---- the ways of a question ----


def _way(program: Program, way: Way, safe: Set[int]) -> Way:
    """A way whose leading prohibitions are pushed into the set it offers."""
    if way.choice is None:
        return way
    slot, within, when = way.choice.slot, way.choice.within, way.when
    remaining = list[g.Conjunct]()
    for at, conjunct in enumerate(way.guard):
        match conjunct:
            case g.Need() if (
                allowed := _elements_allowed(program, slot, within, conjunct, safe)
            ) is not None:
                within = allowed
            case g.Need():
                remaining.append(conjunct)
            case g.Payable(_, price, terms) if not depends((price, program.terms[terms]), slot):
                payable = e.CanPay(price, terms)
                when = payable if when == YES else e.All((when, payable))
            case _:
                remaining += way.guard[at:]
                break
    return replace(
        way, choice=replace(way.choice, within=within), when=when, guard=tuple(remaining)
    )


def _elements_allowed(
    program: Program, slot: int, within: e.Expr, need: g.Need, safe: Set[int]
) -> e.Expr | None:
    """The elements of a set that a prohibition allows, if the prohibition can be pushed into the
    set.
    """
    permits = program.prohibitions[need.forbid].permits
    if not permits:
        allowed = those(slot, within, _not(need.condition), safe)
        return None if isinstance(allowed, e.Filter) and allowed.within is within else allowed
    lifted = e.AnyOf(tuple(_both(e.Active(ability), test) for ability, test in permits))
    barred = _members(slot, need.condition, safe)
    if barred is None or depends(lifted, slot):
        return None
    return e.SetOp("except", within, e.Cond(lifted, EMPTY, barred))


def _both(active: e.Expr, test: e.Expr) -> e.Expr:
    return active if test == YES else e.All((active, test))


def _not(condition: e.Expr) -> e.Expr:
    return condition.of if isinstance(condition, e.Not) else e.Not(condition)
