"""The instructions of a program as steps: each does one thing and returns the next address; see
docs/program.md, *Instructions*.
"""

from __future__ import annotations

from collections.abc import Sequence

from targi_dsl.engine.code import Code, Value
from targi_dsl.engine.effects import Effects
from targi_dsl.engine.guards import Guards
from targi_dsl.engine.happenings import Happenings
from targi_dsl.engine.questions import Questions
from targi_dsl.engine.run import Run, Step, Vector
from targi_dsl.ir import expressions as e
from targi_dsl.ir import instructions as ins
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.program import NEXT_ROUND, OVER

FINISHED = -1  # what the step of the end gives


class Steps:
    """The steps of a program; those that ask are made by `Questions`."""

    def __init__(self, code: Code, guards: Guards) -> None:
        self.program, self.frames = code.program, code.frames
        self.guards, self.expressions = guards, guards.expressions
        conditions = [
            self.expressions.condition(trigger.condition) for trigger in code.program.triggers
        ]
        happenings = Happenings(code, conditions)
        self.effects = Effects(code, happenings)
        self.questions = Questions(code, guards, happenings)

    def step(self, address: int, line: ins.Instruction) -> Step:
        """The step of the instruction at an address."""
        after, value = line.next, self.expressions.value
        match line.operation:
            case ins.Over():
                return lambda v, run: FINISHED
            case ins.NextRound():
                return self._next_round
            case ins.Return():
                return _return
            case ins.Nop():
                return lambda v, run: after
            case ins.Open(slots):
                return _open(slots, after)
            case ins.Branch(condition, otherwise):
                return _branch(value(condition), after, otherwise)
            case ins.Test(guard, otherwise):
                return _branch(self.guards.head(guard), after, otherwise)
            case ins.NextElement(slot, within, done):
                return _next_element(slot, value(within), after, done)
            case s.Let(slot, assigned):
                return _let(slot, value(assigned), after)
            case s.Do(rule, arguments):
                return self._do(rule, arguments, after)
            case s.Forbid(forbid, condition):
                return self._forbid(forbid, value(condition), after)
            case s.EndGame() as effect:
                return self._effect(effect, OVER)
            case (
                ins.Ask()
                | ins.Pay()
                | ins.PayUnit()
                | ins.Settle()
                | ins.Shuffle()
                | ins.Roll()
                | ins.Random() as asking
            ):
                return self.questions.step(asking, address, after)
            case effect:
                return self._effect(effect, after)

    def _next_round(self, v: Vector, run: Run) -> int:
        if run.ends_with_round:
            return FINISHED
        run.clear()
        run.new_round(v)
        if run.listener is not None:
            run.rule = self.program.round
            run.tell(v, "round", YOU, self.program.round)
            run.rule = NOTHING
        return self.frames.push(run, [(self.program.round, YOU, ())], NEXT_ROUND)

    def _do(self, rule: int, arguments: tuple[e.Expr, ...], after: int) -> Step:
        values, push = [self.expressions.value(one) for one in arguments], self.frames.push

        def do(v: Vector, run: Run) -> int:
            f = run.frame
            return push(run, [(rule, f[YOU], tuple([one(v, f) for one in values]))], after)

        return do

    def _forbid(self, forbid: int, condition: Value, after: int) -> Step:
        permit, lift = self.guards.permit(forbid), self.effects.lift

        def check(v: Vector, run: Run) -> int:
            if condition(v, run.frame):
                lift(v, run, forbid, permit(v, run.frame))
            return after

        return check

    def _effect(self, effect: s.Effect, after: int) -> Step:
        """Evaluates the operands of an effect, carries it out, and calls the rules that follow."""
        operands = [self._operand(getattr(effect, name)) for name in type(effect).__match_args__]
        carry_out, push = self.effects.functions[type(effect)], self.frames.push

        def step(v: Vector, run: Run) -> int:
            f = run.frame
            calls = carry_out(v, run, *[operand(v, f) for operand in operands])
            return push(run, calls, after) if calls else after

        return step

    def _operand(self, operand: object) -> Value:
        """What an effect is given: an expression is evaluated, anything else is given as it is."""
        if isinstance(operand, e.Expr):
            return self.expressions.value(operand)
        return lambda v, f: operand


def _open(slots: Sequence[int], after: int) -> Step:
    def step(v: Vector, run: Run) -> int:
        for slot in slots:
            v[slot] = 0
        return after

    return step


def _branch(test: Value, after: int, otherwise: int) -> Step:
    return lambda v, run: after if test(v, run.frame) else otherwise


def _next_element(slot: int, within: Value, after: int, done: int) -> Step:
    def step(v: Vector, run: Run) -> int:
        f = run.frame
        for element in within(v, f):
            if element > f[slot]:
                f[slot] = element
                return after
        return done

    return step


def _let(slot: int, value: Value, after: int) -> Step:
    def step(v: Vector, run: Run) -> int:
        run.frame[slot] = value(v, run.frame)
        return after

    return step


def _return(v: Vector, run: Run) -> int:
    frame, run.rule, back = run.stack.pop()
    run.frame = frame[:]
    return back
