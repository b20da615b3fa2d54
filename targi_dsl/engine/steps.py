"""Compiles instructions to steps: each does one thing and returns the next address; see
docs/program.md, *Instructions*.
"""

from __future__ import annotations

from targi_dsl.engine.code import Code
from targi_dsl.engine.effects import Effects
from targi_dsl.engine.faults import FRAMES
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
    """Compiles a program step by step; questions have a compiler of their own."""

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
        after, text = line.next, self.expressions.text
        match line.operation:
            case ins.Over():
                return self._written(f"return {FINISHED}")
            case ins.NextRound():
                return self._next_round
            case ins.Return():
                return _return
            case ins.Nop():
                return self._written(f"return {after}")
            case ins.Open(slots):
                return self._written(*[f"v[{slot}] = 0" for slot in slots], f"return {after}")
            case ins.Branch(condition, otherwise):
                test = self.expressions.test(condition)
                return self._written(f"return {after} if {test} else {otherwise}")
            case ins.Test(guard, otherwise):
                test = self.guards.text(guard)
                return self._written(f"return {after} if {test} else {otherwise}")
            case ins.NextElement(slot, within, done):
                return self._written(
                    f"for element in {text(within)}:",
                    f"    if element > f[{slot}]:",
                    f"        f[{slot}] = element",
                    f"        return {after}",
                    f"return {done}",
                )
            case s.Let(slot, value):
                return self._written(f"f[{slot}] = {text(value)}", f"return {after}")
            case s.Do(rule, arguments):
                return self._do(rule, arguments, after)
            case s.Forbid(forbid, condition):
                lift, lifting = (
                    self.expressions.bound(self.effects.lift),
                    self.guards.lifted(forbid),
                )
                return self._written(
                    f"if {self.expressions.test(condition)}: {lift}(v, run, {forbid}, {lifting})",
                    f"return {after}",
                )
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
        """Like `Frames.push` for one rule with a frame of known shape."""
        frames, expressions = self.frames, self.expressions
        rest = [0] * (frames.sizes[rule] - len(arguments) - 1)
        passed = [expressions.text(argument) for argument in arguments]
        context = f"f[-1] & {frames.mask} | {frames.bits[rule]}"
        slots = ", ".join(["f[0]", *passed, *map(str, rest), context])
        return self._written(
            "stack = run.stack",
            f"if run.called is not None: run.called[{rule}] += 1",
            f"frame = [{slots}]",
            f"stack.append((f, run.rule, {after}))",
            f"if len(stack) > {FRAMES}: too_deep([rule for _, rule, _ in stack] + [{rule}])",
            "run.frame = frame",
            f"run.rule = {rule}",
            f"return {frames.entries[rule]}",
        )

    def _effect(self, effect: s.Effect, after: int) -> Step:
        """Evaluates the operands of an effect, carries it out, and calls the rules that follow."""
        operands = [self._operand(getattr(effect, name)) for name in effect.__match_args__]
        function = self.expressions.bound(self.effects.functions[type(effect)])
        push = self.expressions.bound(self.frames.push)
        return self._written(
            f"calls = {function}(v, run, {', '.join(operands)})",
            f"return {push}(run, calls, {after}) if calls else {after}",
        )

    def _operand(self, operand: object) -> str:
        return self.expressions.text(operand) if isinstance(operand, e.Expr) else repr(operand)

    def _written(self, *lines: str) -> Step:
        """A step with this body, which may use `v`, `run` and the frame `f`."""
        return self.expressions.step(lines)


def _return(v: Vector, run: Run) -> int:
    frame, run.rule, back = run.stack.pop()
    run.frame = frame[:]
    return back
