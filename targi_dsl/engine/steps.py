"""Compiles instructions to steps: each does one thing and returns the next address."""

from __future__ import annotations

from bisect import bisect_right

from targi_dsl.engine.code import Code, Value
from targi_dsl.engine.effects import Effects
from targi_dsl.engine.faults import FRAMES, RANGE, Fault
from targi_dsl.engine.guards import Guards
from targi_dsl.engine.happenings import Happenings
from targi_dsl.engine.questions import Questions
from targi_dsl.engine.run import Run, Step, Vector
from targi_dsl.ir import expressions as e
from targi_dsl.ir import guards as g
from targi_dsl.ir import instructions as ins
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.program import NEXT_ROUND

FINISHED = -1  # what the step of the end gives


class Steps:
    """Compiles the control flow of a program; effects and questions have compilers of their own."""

    def __init__(self, code: Code, guards: Guards) -> None:
        self.program, self.frames = code.program, code.frames
        self.guards, self.expressions = guards, guards.expressions
        conditions = [
            self.expressions.condition(trigger.condition) for trigger in code.program.triggers
        ]
        self.happenings = Happenings(code, conditions)
        self.effects = Effects(code, guards.expressions, self.happenings)
        self.questions = Questions(code, guards, self.happenings)

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
                test = self.expressions.test(condition)
                return self._written(f"return {after} if {test} else {otherwise}")
            case ins.Test(guard, otherwise):
                return self._test(guard, after, otherwise)
            case ins.NextElement(slot, e.Const(tuple(within)), done):
                return _next_of(slot, within, after, done)
            case ins.NextElement(slot, e.Range(e.Const(int(low)), e.Const(int(high))), done) if (
                high - low < RANGE
            ):
                return _next_of(slot, tuple(range(low, high + 1)), after, done)
            case ins.NextElement(slot, within, done):
                return _next_element(slot, value(within), after, done)
            case s.Forbid(forbid, condition):
                return self._forbid(forbid, value(condition), after)
            case s.Do(rule, arguments):
                return self._do(rule, arguments, after)
            case s.Let(slot, node):
                text = self.expressions.text(node)
                return self._written(f"f[{slot}] = {text}", f"return {after}")
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
                return self.effects.step(effect, after)

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

    def _test(self, guard: g.Guard, after: int, otherwise: int) -> Step:
        head = self.guards.head(guard)
        if head is None:
            return lambda v, run: after
        return lambda v, run: after if head(v, run.frame, None) else otherwise

    def _forbid(self, forbid: int, holds: Value, after: int) -> Step:
        """Carries out a prohibition: counts a use of what lifts it."""
        lift, name = self.guards.lifted(forbid), self.program.prohibitions[forbid].name

        def step(v: Vector, run: Run) -> int:
            f = run.frame
            if holds(v, f):
                ability = lift(v, f)
                if ability == NOTHING:
                    text = "Nothing checked this beforehand, and now nothing lifts it."
                    raise Fault("E615", f"`{name}` forbids this", text)
                self.happenings.use(v, run, ability, f[0])
            return after

        return step

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

    def _written(self, *lines: str) -> Step:
        """A step with this body, which may use `v`, `run` and the frame `f`."""
        return self.expressions.step(lines)


def _return(v: Vector, run: Run) -> int:
    frame, run.rule, back = run.stack.pop()
    run.frame = frame[:]
    return back


def _open(slots: tuple[int, ...], after: int) -> Step:
    def step(v: Vector, run: Run) -> int:
        for slot in slots:
            v[slot] = 0
        return after

    return step


def _next_element(slot: int, within: Value, after: int, done: int) -> Step:
    def step(v: Vector, run: Run) -> int:
        f = run.frame
        last = f[slot]
        for element in within(v, f):
            if element > last:
                f[slot] = element
                return after
        return done

    return step


def _next_of(slot: int, within: tuple[int, ...], after: int, done: int) -> Step:
    """Like `_next_element`, for a constant set."""

    def step(v: Vector, run: Run) -> int:
        f = run.frame
        at = bisect_right(within, f[slot])
        if at == len(within):
            return done
        f[slot] = within[at]
        return after

    return step
