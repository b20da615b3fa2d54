"""Shortens guards: removes conjuncts that decide nothing, and inlines short guards."""

from __future__ import annotations

from msgspec.structs import replace

from targi_dsl.ir import expressions as e
from targi_dsl.ir import guards as g
from targi_dsl.ir import instructions as ins
from targi_dsl.ir.constants import YOU
from targi_dsl.ir.program import Program, Way, with_expressions
from targi_dsl.ir.walk import parts
from targi_dsl.optimize.rewrite import (
    NO,
    YES,
    depends_on_frame,
    substituted,
)

DECIDED = (g.Decided(),)
Guards = list[g.Guard]  # of the rules, by number


def trim(program: Program) -> Program:
    """Removes from guards what always holds and what is never evaluated. A rule that can always
    begin needs no test, nor does a question with an alternative that is always open. A rule's guard
    that depends only on its arguments is inlined where it is tested.

    Whether a guard was *decided* matters only for that of a rule, after which others continue; that
    of a way or a test either holds or not.

    >>> ask((g.Need(0, 0, e.Local(1)), g.Bind(1, YES), g.Decided()))
    (Need(rule=0, forbid=0, condition=Local(slot=1)),)
    """
    watched = {during.rule for during in parts(with_expressions(program), e.During)}
    rules = [procedure.guard for procedure in program.procedures]
    while True:
        program = _with_ways(program, rules, watched)
        known = [trimmed(program, guard, rules, watched) for guard in rules]
        if known == rules:
            break
        rules = known
    procedures = tuple(
        replace(procedure, guard=guard)
        for procedure, guard in zip(program.procedures, rules, strict=True)
    )
    code = tuple(_line(program, line, rules, watched) for line in program.code)
    return replace(program, code=code, procedures=procedures, engines={})


def _with_ways(program: Program, rules: Guards, watched: set[int]) -> Program:
    questions = tuple(
        replace(
            question,
            ways=tuple(
                replace(way, guard=ask(trimmed(program, way.guard, rules, watched)))
                for way in question.ways
            ),
        )
        for question in program.questions
    )
    return replace(program, questions=questions)


def _line(
    program: Program, line: ins.Instruction, rules: Guards, watched: set[int]
) -> ins.Instruction:
    match line.operation:
        case ins.Test(guard, otherwise):
            test = ins.Test(ask(trimmed(program, guard, rules, watched)), otherwise)
            return replace(line, operation=test if test.guard else ins.Nop())
        case _:
            return line


def trimmed(program: Program, guard: g.Guard, rules: Guards, watched: set[int]) -> g.Guard:
    """A guard without conjuncts that always hold, up to where it is decided."""
    conjuncts = list[g.Conjunct]()
    for conjunct in guard:
        conjuncts += _conjunct(program, conjunct, rules, watched)
        if conjuncts and conjuncts[-1] in DECIDED:
            while len(conjuncts) > 1 and isinstance(conjuncts[-2], g.Bind):
                del conjuncts[-2]
            break
    return tuple(conjuncts)


def _conjunct(program: Program, conjunct: g.Conjunct, rules: Guards, watched: set[int]) -> g.Guard:
    match conjunct:
        case g.Need(_, _, condition) if condition == NO:
            return ()
        case g.Split(test, then, otherwise):
            ways = [trimmed(program, branch, rules, watched) for branch in (then, otherwise)]
            if test in (YES, NO):
                return ways[0] if test == YES else ways[1]
            return ways[0] if ways[0] == ways[1] else (g.Split(test, ways[0], ways[1]),)
        case g.Perform(rule, arguments):
            guard = rules[rule]
            if guard in ((), DECIDED):
                return guard
            if rule not in watched and all(map(_only_looks, guard)):
                return tuple(substituted(need, (e.Local(YOU), *arguments)) for need in guard)
            return (conjunct,)
        case g.Answer(_, question, ways_):
            asked_ = [program.questions[question].ways[at] for at in ways_]
            return DECIDED if any(map(_is_open, asked_)) else (conjunct,)
        case _:
            return (conjunct,)


def _is_open(way: Way) -> bool:
    return way.choice is None and way.when == YES and not way.guard


def _only_looks(conjunct: g.Conjunct) -> bool:
    """Whether a conjunct reads nothing of its frame except slots that it names."""
    match conjunct:
        case g.Need(_, _, condition):
            return not depends_on_frame(condition)
        case g.Perform(_, arguments):
            return not depends_on_frame(arguments)
        case g.PerformAction(card):
            return not depends_on_frame(card)
        case g.Decided():
            return True
        case _:
            return False


def ask(guard: g.Guard) -> g.Guard:
    """A guard of which only matters whether it holds."""
    conjuncts = list(guard)
    while conjuncts and isinstance(conjuncts[-1], g.Decided | g.Bind):
        conjuncts.pop()
    return tuple(conjuncts)
