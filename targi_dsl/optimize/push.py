"""Conditions on the elements of a set, pushed into the set."""

from __future__ import annotations

from dataclasses import replace

from targi_dsl.ir import model as m
from targi_dsl.ir import program as p
from targi_dsl.optimize.fold import COMPARISONS
from targi_dsl.optimize.rewrite import EMPTY, NO, YES, depends, everywhere, is_safe


def push(program: p.Program) -> p.Program:
    """Pushes conditions into sets, so that they are judged once and not for each element.

    >>> one, free = m.Local(1), m.Const((1, 2))
    >>> push_expression(m.Filter(1, free, m.Compare("is_not", one, m.Local(4))))
    SetOp(op='except', left=Const(value=(1, 2)), right=MakeSet(items=(Local(slot=4),)))

    What does not depend on the element is judged before the set is looked at.

    >>> push_expression(m.Filter(1, free, m.FaceUp(m.Local(4))))
    Cond(condition=FaceUp(card=Local(slot=4)), then=Const(value=(1, 2)), otherwise=Const(value=()))
    """
    program = everywhere(program, push_expression)
    questions = tuple(
        replace(one, ways=tuple(_way(program, way) for way in one.ways))
        for one in program.questions
    )
    return replace(program, questions=questions)


def push_expression(node: m.Expr) -> m.Expr:
    """Pushes the condition of one expression into its set."""
    match node:
        case m.Filter(slot, within, condition):
            return those(slot, within, condition)
        case m.Exists(slot, within, condition) if condition != YES:
            match those(slot, within, condition):
                case m.Filter(at, rest, left) if at == slot:
                    return m.Exists(slot, rest, left)
                case found:
                    return m.Exists(slot, found, YES)
        case _:
            return node


def those(slot: int, within: m.Expr, condition: m.Expr) -> m.Expr:
    """The elements of a set of which a condition on the slot holds."""
    if condition == YES:
        return within
    if condition == NO:
        return EMPTY
    if not depends(condition, slot) and is_safe(condition):
        return m.Cond(condition, within, EMPTY)
    match condition:
        case m.All(parts):
            hard = list[m.Expr]()
            for part in parts:
                pushed = those(slot, within, part)
                if isinstance(pushed, m.Filter) and pushed.within is within:
                    hard.append(part)
                else:
                    within = pushed
            return m.Filter(slot, within, _all(hard)) if hard else within
        case m.Not(m.AnyOf(parts)):
            return those(slot, within, m.All(tuple(_not(part) for part in parts)))
        case m.Not(inner) if (members := _members(slot, inner)) is not None:
            return m.SetOp("except", within, members)
        case m.Compare("is_not", left, right) if (
            members := _members(slot, m.Compare("is", left, right))
        ) is not None:
            return m.SetOp("except", within, members)
    members = _members(slot, condition)
    if members is None:
        return m.Filter(slot, within, condition)
    return m.SetOp("within", within, members)


def _all(parts: list[m.Expr]) -> m.Expr:
    return parts[0] if len(parts) == 1 else m.All(tuple(parts))


def _members(slot: int, condition: m.Expr) -> m.Expr | None:
    """The set of all elements of which a condition on the slot holds, if it can be made without
    looking at them.
    """
    match condition:
        case m.Compare(op, m.Table(values, m.Local(at)), m.Const(wanted)) if at == slot:
            holds = COMPARISONS[op]
            return m.Const(tuple(n for n, one in enumerate(values[:-1]) if holds(one, wanted)))
        case m.Member(m.Local(at), within) if at == slot and _free(within, slot):
            return within
        case m.Compare("is", m.Local(at), other) | m.Compare("is", other, m.Local(at)) if (
            at == slot and _free(other, slot)
        ):
            return m.MakeSet((other,))
        case m.Exists(_, m.Lying(base, things, places), m.Const(1)) if _free(things, slot):
            taken = m.Places(base, things)
            match places:
                case m.MakeSet((m.Local(at),)) if at == slot:
                    return taken
                case m.Pick(sets, m.Local(at)) if at == slot:
                    back = _converse(sets[:-1])
                    met = m.Const(tuple(range(len(back))))
                    return m.Image(back, m.SetOp("within", taken, met))
            return None
        case m.AnyOf(parts):
            found = [_members(slot, part) for part in parts]
            if any(one is None for one in found):
                return None
            union: m.Expr = EMPTY
            for one in found:
                union = m.SetOp("plus", union, one) if union != EMPTY and one else one or union
            return union
        case _:
            return None


def _free(node: m.Expr, slot: int) -> bool:
    return not depends(node, slot) and is_safe(node)


def _converse(sets: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """Of a relation the one that leads back."""
    found: dict[int, list[int]] = {}
    for element, related in enumerate(sets):
        for one in related:
            found.setdefault(one, []).append(element)
    return tuple(tuple(found.get(one, ())) for one in range(max(found, default=-1) + 1))


# ---- the ways of a question ----


def _way(program: p.Program, way: p.Way) -> p.Way:
    """A way whose first prohibitions are pushed into the set that is offered."""
    if way.choice is None:
        return way
    slot, within, when = way.choice.slot, way.choice.within, way.when
    kept = list[p.Conjunct]()
    for at, conjunct in enumerate(way.guard):
        match conjunct:
            case p.Need() if (allowed := _allowed(program, slot, within, conjunct)) is not None:
                within = allowed
            case p.Need():
                kept.append(conjunct)
            case p.Payable(_, price, terms) if not depends((price, program.terms[terms]), slot):
                payable = m.CanPay(price, terms)
                when = payable if when == YES else m.All((when, payable))
            case _:
                kept += way.guard[at:]
                break
    return replace(way, choice=replace(way.choice, within=within), when=when, guard=tuple(kept))


def _allowed(program: p.Program, slot: int, within: m.Expr, need: p.Need) -> m.Expr | None:
    """The elements of a set that a prohibition allows, if it can be pushed into the set."""
    permits = program.prohibitions[need.forbid].permits
    if not permits:
        found = those(slot, within, _not(need.condition))
        return None if isinstance(found, m.Filter) and found.within is within else found
    lifted = m.AnyOf(tuple(_both(m.Active(ability), test) for ability, test in permits))
    barred = _members(slot, need.condition)
    if barred is None or depends(lifted, slot):
        return None
    return m.SetOp("except", within, m.Cond(lifted, EMPTY, barred))


def _both(active: m.Expr, test: m.Expr) -> m.Expr:
    return active if test == YES else m.All((active, test))


def _not(condition: m.Expr) -> m.Expr:
    return condition.of if isinstance(condition, m.Not) else m.Not(condition)
