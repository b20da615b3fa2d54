"""Predicate pushdown: conditions on the elements of a set become part of the set."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import partial, reduce

from msgspec.structs import replace

from targi_dsl.ir import expressions as e
from targi_dsl.ir import guards as g
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import DefineInfo
from targi_dsl.ir.expressions import COMPARISONS
from targi_dsl.ir.program import Program, Way
from targi_dsl.ir.walk import rewritten
from targi_dsl.optimize.folding import fold_expression
from targi_dsl.optimize.rewrite import (
    EMPTY,
    NO,
    YES,
    depends,
    everywhere,
    is_safe,
    safe_defines,
    without_steps,
)

MOST_WAYS = 16
"""The most elements of a set over which conditions are combined."""


class Definitions:
    """The definitions of a program. safe: those that can be evaluated at any time. made: added
    ones, each the set for which a definition holds.
    """

    def __init__(self, defines: Sequence[DefineInfo], safe: Set[int]) -> None:
        self.safe, self.made = {*safe}, list[DefineInfo]()
        self._defines, self._found = defines, dict[tuple[int, int], int | None]()

    def holding(self, define: int, slot: int) -> int | None:
        """The definition of the set of values of a slot for which a definition holds; None if they
        must be tested one by one.
        """
        if (define, slot) not in self._found:
            self._found[define, slot] = None  # in case of recursion
            info = self._defines[define]
            members = _members(slot, info.value, self) if slot else None
            if members is not None and _free(members, slot, self):
                number = len(self._defines) + len(self.made)
                self.made.append(replace(info, value=members, type=t.set_of(info.slots[slot])))
                self.safe.add(number)
                self._found[define, slot] = number
        return self._found[define, slot]


NONE = Definitions((), frozenset())


def push(program: Program, *, prohibitions: bool = True) -> Program:
    """Pushes conditions into sets, so that they are evaluated once rather than for each element;
    without `prohibitions` only those of definitions and choices.

    >>> one, free = e.Local(1), e.Const((1, 2))
    >>> push_expression(e.Filter(1, free, e.Compare("is_not", one, e.Local(4))))
    SetOp(op='except', left=Const(value=(1, 2)), right=MakeSet(items=(Local(slot=4),)))

    What does not depend on the element is tested before the set is visited.

    >>> push_expression(e.Filter(1, free, e.FaceUp(e.Local(4))))
    Cond(condition=FaceUp(card=Local(slot=4)), then=Const(value=(1, 2)), otherwise=Const(value=()))

    So is a definition that can be evaluated at any time.

    >>> asked = e.Member(one, e.Call(0, (e.Local(0),)))
    >>> push_expression(e.Filter(1, free, asked), Definitions((), {0}))
    SetOp(op='within', left=Const(value=(1, 2)), right=Call(define=0, arguments=(Local(slot=0),)))

    A condition on one of a few ways becomes the union of their sets.

    >>> leads = e.Member(one, e.Pick(((1,), (2, 3), ()), e.Local(2)))
    >>> push_expression(e.Filter(1, free, e.Exists(2, e.Const((0, 1)), leads)))
    SetOp(op='within', left=Const(value=(1, 2)), right=SetOp(op='plus', \
left=Const(value=(1,)), right=Const(value=(2, 3))))
    """
    known = Definitions(program.defines, safe_defines(program))
    program = everywhere(program, partial(push_expression, known=known))
    if not prohibitions:
        return replace(program, defines=(*program.defines, *known.made))
    questions = tuple(
        replace(question, ways=tuple(_way(program, way, known) for way in question.ways))
        for question in program.questions
    )
    return replace(program, questions=questions, defines=(*program.defines, *known.made))


def push_expression(node: e.Expr, known: Definitions = NONE) -> e.Expr:
    """Pushes the condition of one expression into its set."""
    match node:
        case e.Filter(slot, within, condition):
            return those(slot, within, condition, known)
        case e.Exists(slot, within, condition) if condition != YES:
            match those(slot, within, condition, known):
                case e.Filter(at, rest, left) if at == slot:
                    return e.Exists(slot, rest, left)
                case filtered:
                    return e.Exists(slot, filtered, YES)
        case _:
            return node


def those(slot: int, within: e.Expr, condition: e.Expr, known: Definitions) -> e.Expr:
    """The elements of a set that satisfy a condition on the slot."""
    if condition == YES:
        return within
    if condition == NO:
        return EMPTY
    if _free(condition, slot, known):
        return e.Cond(condition, within, EMPTY)
    match condition:
        case e.All(parts):
            hard = list[e.Expr]()
            for part in parts:
                pushed = those(slot, within, part, known)
                if isinstance(pushed, e.Filter) and pushed.within is within:
                    hard.append(part)
                else:
                    within = pushed
            return e.Filter(slot, within, _all(hard)) if hard else within
        case e.Not(e.AnyOf(parts)):
            return those(slot, within, e.All(tuple(_not(part) for part in parts)), known)
        case e.Not(inner) if (members := _members(slot, inner, known)) is not None:
            return e.SetOp("except", within, members)
        case e.Compare("is_not", left, right) if (
            members := _members(slot, e.Compare("is", left, right), known)
        ) is not None:
            return e.SetOp("except", within, members)
    members = _members(slot, condition, known)
    if members is None:
        return e.Filter(slot, within, condition)
    return e.SetOp("within", within, members)


def _all(parts: list[e.Expr]) -> e.Expr:
    return parts[0] if len(parts) == 1 else e.All(tuple(parts))


def _members(slot: int, condition: e.Expr, known: Definitions) -> e.Expr | None:
    """The set of all values of the slot that satisfy a condition, if it can be computed without
    testing them one by one.
    """
    match condition:
        case e.Compare(op, e.Table(values, e.Local(at)), e.Const(wanted)) if at == slot:
            holds = COMPARISONS[op].holds
            return e.Const(tuple(n for n, value in enumerate(values[:-1]) if holds(value, wanted)))
        case e.Member(e.Local(at), within) if at == slot and _free(within, slot, known):
            return within
        case e.Compare("is", e.Local(at), other) | e.Compare("is", other, e.Local(at)) if (
            at == slot and _free(other, slot, known)
        ):
            return e.MakeSet((other,))
        case e.Exists(_, e.Lying(base, things, places), e.Const(1)) if _free(things, slot, known):
            occupied = e.Places(base, things)
            match places:
                case e.MakeSet((e.Local(at),)) if at == slot:
                    return occupied
                case e.Pick(sets, e.Local(at)) if at == slot:
                    back = _converse(sets[:-1])
                    among = e.Const(tuple(range(len(back))))
                    return e.Image(back, e.SetOp("within", occupied, among))
            return None
        case e.Exists(_, e.SetOp("within", found, e.MakeSet((e.Local(at),))), e.Const(1)) if (
            at == slot and _free(found, slot, known)
        ):
            return found
        case e.Member(goal, e.Reached(at, e.MakeSet((e.Local(start),)), step, within)) if (
            start == slot and _free((goal, within), slot, known)
        ):
            return _leading(goal, at, step, within)
        case e.Call(define, arguments) if arguments.count(e.Local(slot)) == 1:
            at = arguments.index(e.Local(slot))
            others = arguments[:at], arguments[at + 1 :]
            free = _free(others, slot, known)
            if not free or (holding := known.holding(define, at)) is None:
                return None
            return e.Call(holding, (*others[0], e.Const(NOTHING), *others[1]))
        case e.AnyOf(parts):
            return _union([_members(slot, part, known) for part in parts])
        case e.Exists(at, e.Pick(sets, e.Local(of)) as within, inner) if (
            inner != YES and of == slot
        ):
            return _union(
                [
                    _within(_elements(sets, one), _members(slot, _with(inner, at, one), known))
                    for one in _possible(within)
                ]
            )
        case e.Exists(at, within, inner) if inner != YES and _free(within, slot, known):
            return _union(
                [
                    _if_among(e.Const(one), within, _members(slot, _with(inner, at, one), known))
                    for one in _possible(within)
                ]
            )
        case _:
            return None


def _leading(goal: e.Expr, slot: int, step: e.Expr, within: e.Expr) -> e.Expr | None:
    """All elements from which a goal can be reached by steps within a set: those in it that
    reversed steps reach from the goal, and those outside from which a step leads to one of them.
    """
    match step:
        case e.Pick(sets, e.Local(at)) if at == slot:
            pass
        case e.MakeSet((e.Table(values, e.Local(at)),)) if at == slot:
            sets = tuple(() if one == NOTHING else (one,) for one in values)
        case _:
            return None
    back = _converse(sets[:-1])
    back += ((),) * (len(sets) - len(back))
    start = e.SetOp("within", e.MakeSet((goal,)), within)
    there = e.Reached(slot, start, e.Pick(back, e.Local(slot)), within)
    return e.SetOp("plus", there, e.Image(back, there))


def _union(sets: list[e.Expr | None]) -> e.Expr | None:
    """The union of some sets, if they are all known."""
    found = [one for one in sets if one is not None]
    return reduce(_either, found) if 0 < len(found) == len(sets) else None


def _either(one: e.Expr, other: e.Expr) -> e.Expr:
    return e.SetOp("plus", one, other)


def _possible(within: e.Expr) -> Sequence[int]:
    """All numbers that may be in a set, if they are few; else none."""
    match within:
        case e.Const(tuple(members)):
            found = {*members}
        case e.Pick(sets, _):
            found = {one for members in sets for one in members}
        case _:
            found = set()
    return sorted(found) if len(found) <= MOST_WAYS else ()


def _elements(sets: tuple[tuple[int, ...], ...], one: int) -> e.Const:
    """The elements from which a relation leads to a number."""
    return e.Const(tuple(at for at, related in enumerate(sets[:-1]) if one in related))


def _within(those: e.Expr, members: e.Expr | None) -> e.Expr | None:
    return None if members is None else e.SetOp("within", members, those)


def _if_among(one: e.Const, within: e.Expr, members: e.Expr | None) -> e.Expr | None:
    """A set, if a number is in another set."""
    if members is None or isinstance(within, e.Const):
        return members
    return e.Cond(e.Member(one, within), members, EMPTY)


def _with(node: e.Expr, slot: int, number: int) -> e.Expr:
    """An expression for a number in a slot."""
    local = e.Local(slot)
    found: e.Expr = rewritten(
        node, lambda one: e.Const(number) if one == local else fold_expression(one)
    )
    return found


def _free(node: object, slot: int, known: Definitions) -> bool:
    """Whether something does not depend on a slot and can be evaluated at any time. Reachability is
    cheap enough to be computed once rather than for each element.
    """
    return not depends(node, slot) and is_safe(without_steps(node), known.safe)


def _converse(sets: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """The converse of a relation."""
    converse: dict[int, list[int]] = {}
    for element, related in enumerate(sets):
        for other in related:
            converse.setdefault(other, []).append(element)
    return tuple(tuple(converse.get(number, ())) for number in range(max(converse, default=-1) + 1))


# ---- the ways of a question ----


def _way(program: Program, way: Way, known: Definitions) -> Way:
    """A way with its leading prohibitions pushed into the set it offers."""
    if way.choice is None:
        return way
    slot, within, when = way.choice.slot, way.choice.within, way.when
    remaining = list[g.Conjunct]()
    for at, conjunct in enumerate(way.guard):
        match conjunct:
            case g.Need() if (
                allowed := _elements_allowed(program, slot, within, conjunct, known)
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
    program: Program, slot: int, within: e.Expr, need: g.Need, known: Definitions
) -> e.Expr | None:
    """The elements of a set that a prohibition allows; None if it cannot be pushed into the set."""
    permits = program.prohibitions[need.forbid].permits
    if not permits:
        allowed = those(slot, within, _not(need.condition), known)
        return None if isinstance(allowed, e.Filter) and allowed.within is within else allowed
    lifted = e.AnyOf(tuple(_both(e.Active(ability), test) for ability, test in permits))
    barred = _members(slot, need.condition, known)
    if barred is None or depends(lifted, slot):
        return None
    return e.SetOp("except", within, e.Cond(lifted, EMPTY, barred))


def _both(active: e.Expr, test: e.Expr) -> e.Expr:
    return active if test == YES else e.All((active, test))


def _not(condition: e.Expr) -> e.Expr:
    return condition.of if isinstance(condition, e.Not) else e.Not(condition)
