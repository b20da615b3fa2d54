"""What can be asked of a position that waits: its question and options, scores and ties; see
docs/program.md, *Questions* and *The end*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from targi_dsl.engine.chance import Seed
from targi_dsl.engine.code import Code, Part, Value
from targi_dsl.engine.faults import Fault, located, newest
from targi_dsl.engine.guards import Guards
from targi_dsl.engine.question import Question
from targi_dsl.engine.run import Frame, Frames, Run
from targi_dsl.ir import program as p
from targi_dsl.ir.constants import CHANCE, NOTHING
from targi_dsl.ir.slots import POINT
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.source import Span


class Queries:
    """An engine as far as positions are only read; queries change nothing."""

    program: p.Program
    code: Code
    frames: Frames
    questions: Mapping[int, Question]
    _guards: Guards

    @cached_property
    def parts(self) -> list[Value]:
        """The parts of a score."""
        return [self._guards.expressions.value(part.value) for part in self.code.program.scores]

    @cached_property
    def ties(self) -> list[Value]:
        """The tie-breaks, in order."""
        return [self._guards.expressions.value(tie.value) for tie in self.code.program.ties]

    @cached_property
    def guards(self) -> Guards:
        """The guards of the program as compiled from the rules, for explanations; the passes
        remove what only an explanation needs. They have frames of their own, since a context
        has a bit for each rule that its program asks about.
        """
        guards = Guards(Code(self.program, self.code.domains))
        guards.compile()
        return guards

    def question(self, v: Sequence[int]) -> Question | None:
        """The open question; None when the game is over."""
        if v[POINT] == NOTHING:
            return None
        return self.questions[self.program.points[v[POINT]].question]

    def asked(self, v: Sequence[int]) -> p.Question | None:
        """The open question as declared in the program; None when the game is over."""
        if v[POINT] == NOTHING:
            return None
        return self.program.questions[self.program.points[v[POINT]].question]

    def declining(self, point: int) -> frozenset[int]:
        """The options of the question at a point that do nothing."""
        return self.questions[self.program.points[point].question].declines

    def rule(self, v: Sequence[int]) -> int:
        """The rule on top of the stack; nothing when the game is over."""
        return self.program.points[v[POINT]].rule if v[POINT] != NOTHING else NOTHING

    def seat(self, v: Sequence[int]) -> int:
        """Who must answer: a player, CHANCE, or nothing when the game is over."""
        question = self.question(v)
        if question is None:
            return NOTHING
        return CHANCE if question.chance else self.top(v)[0]

    def top(self, v: Sequence[int]) -> Frame:
        """The frame of the open question."""
        return self.frames.top(v)

    def options(self, v: Sequence[int], distinct: bool = True) -> list[int]:
        """The options of the open question, in order; none when the game is over. Without
        `distinct`, interchangeable things are listed one by one.
        """
        question = self.question(v)
        if question is None:
            return []
        run = Run(Seed(0))
        open_ = self.frames.unpack(v, run)
        try:
            options = question.options(open_, run.frame)
            if distinct and question.distinct is not None:
                options = question.distinct(open_, run, options)
            return options
        except Fault as fault:
            at = self.program.points[v[POINT]]
            raise self.fault_at(at.rule, fault, at.address) from None

    def name(self, v: Sequence[int], option: int, telling: bool = False) -> str:
        """The id of an option of the open question, or with `telling` its words for people."""
        return self.names(v, [option], telling)[0]

    def names(self, v: Sequence[int], options: Sequence[int], telling: bool = False) -> list[str]:
        """The ids or words of several options of the open question."""
        question = self.question(v)
        if question is None:
            return []
        open_, frame = list(v), self.top(v)
        return [self.code.named(question.part(open_, frame, one), telling) for one in options]

    def parts_of(self, v: Sequence[int], option: int) -> Part:
        """The label of an option, and the type and number of the thing it names, if any."""
        question = self.question(v)
        assert question is not None
        return question.part(list(v), self.top(v), option)

    def weight(self, v: Sequence[int], option: int) -> int:
        """The relative probability of an outcome of chance; 1 for a player's option."""
        question = self.question(v)
        return 1 if question is None else question.weight(list(v), self.top(v), option)

    def declines(self, v: Sequence[int], option: int) -> bool:
        """Whether an option does nothing."""
        return option in self.declining(v[POINT])

    def scores(self, v: Sequence[int]) -> list[list[int]]:
        """The parts of the score, by player."""
        return [self.score(v, player) for player in range(len(self.program.players))]

    def score(self, v: Sequence[int], player: int) -> list[int]:
        """The parts of a player's score."""
        return [
            self._asked(v, value, player, len(part.slots), newest(part.origins))
            if part.ability == NOTHING or self.code.activity(part.ability)(list(v), player)
            else 0
            for part, value in zip(self.program.scores, self.parts, strict=True)
        ]

    def tie(self, v: Sequence[int], number: int, player: int) -> int:
        """The value of a tie-break for a player."""
        return self._asked(v, self.ties[number], player, len(self.program.ties[number].slots))

    def located(self, run: Run, fault: Fault, address: int) -> Problems:
        """A fault of the instruction at an address as Problems with its place in the rules."""
        return self.fault_at(run.rule, fault, address)

    def fault_at(self, rule: int, fault: Fault, address: int) -> Problems:
        """A fault of an instruction of a rule as Problems with its place in the rules."""
        return located(self.program, rule, fault, self.program.code[address].span)

    def _asked(
        self, v: Sequence[int], value: Value, player: int, size: int, span: Span | None = None
    ) -> int:
        try:
            return int(value(list(v), [player, *[0] * size]))
        except Fault as fault:
            raise located(self.program, NOTHING, fault, span) from None
