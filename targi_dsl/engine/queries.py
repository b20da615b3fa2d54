"""Queries on a waiting position: its question and options, scores and ties; see docs/program.md,
*The end*.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from targi_dsl.engine.expressions import Value
from targi_dsl.engine.faults import Fault, newest, problem_at
from targi_dsl.engine.instructions import Instructions
from targi_dsl.engine.questions import Question
from targi_dsl.engine.run import Frame, Part, Vector, Waiting
from targi_dsl.ir import program as p
from targi_dsl.ir.constants import CHANCE, NOTHING, YOU
from targi_dsl.ir.declarations import outcome_base
from targi_dsl.ir.domains import Domains
from targi_dsl.ir.game import Game
from targi_dsl.ir.slots import POINT
from targi_dsl.optimize import PASSES, Pass, optimize
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.nesting import allow_nesting
from targi_dsl.text.source import Span


class Queries:
    """The read-only part of an engine. code: the interpreter of the program after these passes."""

    def __init__(self, game: Game, passes: tuple[Pass, ...] = PASSES) -> None:
        allow_nesting()
        self.game, self.program = game, game.program
        self.outcomes = outcome_base(game.program.variables)
        self.code = Instructions(optimize(game.program, passes), Domains.of_game(game))

    @cached_property
    def guards(self) -> Instructions:
        """The interpreter of the unoptimized program, for explanations; the passes remove what only
        these need.
        """
        return Instructions(self.program, self.code.domains)

    def open(self, vector: Sequence[int]) -> Waiting:
        """The position that a flat vector describes."""
        return self.code.open(vector)

    def pack(self, at: Waiting) -> Vector:
        """The flat vector of a position."""
        return self.code.pack(at)

    def open_question(self, v: Sequence[int]) -> p.Question | None:
        """The open question as declared in the program; None when the game is over."""
        if v[POINT] == NOTHING:
            return None
        return self.program.questions[self.program.points[v[POINT]].question]

    def _question(self, v: Sequence[int]) -> Question:
        return self.code.question(self.program.points[v[POINT]].question)

    def declining(self, point: int) -> set[int]:
        """The options of the question at a point that do nothing."""
        return self.code.question(self.program.points[point].question).declines

    def rule(self, v: Sequence[int]) -> int:
        """The rule on top of the stack; nothing when the game is over."""
        return self.program.points[v[POINT]].rule if v[POINT] != NOTHING else NOTHING

    def seat(self, v: Sequence[int]) -> int:
        """Who must answer: a player, CHANCE, or nothing when the game is over."""
        if v[POINT] == NOTHING:
            return NOTHING
        return CHANCE if self._question(v).is_chance else self.top(v)[YOU]

    def top(self, v: Sequence[int]) -> Frame:
        """The frame of the open question."""
        return self.code.open(v).frame

    def options(self, v: Sequence[int]) -> list[int]:
        """The options of the open question, in order; none when the game is over."""
        if v[POINT] == NOTHING:
            return []
        at = self.program.points[v[POINT]]
        try:
            return self.code.options_of(at.question, self.code.open(v))
        except Fault as fault:
            raise self.fault_at(at.rule, fault, at.address) from None

    def name(self, v: Sequence[int], option: int, telling: bool = False) -> str:
        """The id of an option of the open question, or with `telling` its words for people."""
        return self.names(v, [option], telling)[0]

    def names(self, v: Sequence[int], options: Sequence[int], telling: bool = False) -> list[str]:
        """The ids or words of several options of the open question."""
        known = None if telling else self.known_ids(self._question(v).number, options)
        if known is not None:
            return known
        at, part = self.open(v), self._question(v).part
        return [self.code.name_of(part(at.v, at.frame, option), telling) for option in options]

    def known_ids(self, asked: int, options: Sequence[int]) -> list[str] | None:
        """The ids of options of a question by number; None if they depend on the position."""
        question = self.code.question(asked)
        known = question.ids
        if known is None:
            return None
        try:
            return [known[option] for option in options]
        except KeyError:
            of = self.code.name_of
            known |= {option: of(question.part([], [], option)) for option in options}
            return self.known_ids(asked, options)

    def parts_of(self, v: Sequence[int], option: int) -> Part:
        """The label of an option, and the type and number of the thing it names, if any."""
        return self._question(v).part(list(v), self.top(v), option)

    def weights(self, v: Sequence[int], options: Sequence[int]) -> list[int]:
        """The relative probabilities of outcomes of chance; 1 for each option of a player."""
        return self._question(v).weights(list(v), self.top(v), options)

    def declines(self, v: Sequence[int], option: int) -> bool:
        """Whether an option does nothing."""
        return option in self.declining(v[POINT])

    def scores(self, v: Sequence[int]) -> list[list[int]]:
        """The parts of the score, by player."""
        return [self.score(v, player) for player in range(len(self.program.players))]

    @cached_property
    def _ends(self) -> list[Value]:
        """The values of the parts of the score, then of the tie-breaks."""
        program = self.code.program
        values = *(one.value for one in program.scores), *(one.value for one in program.ties)
        return [*map(self.code.value, values)]

    def score(self, v: Sequence[int], player: int) -> list[int]:
        """The parts of a player's score."""
        v, parts = [*v], self.program.scores
        return [
            self._value(v, number, player, len(part.slots), newest(part.origins))
            if part.ability == NOTHING or self.code.is_active(v, part.ability, player)
            else 0
            for number, part in enumerate(parts)
        ]

    def tie(self, v: Sequence[int], number: int, player: int) -> int:
        """The value of a tie-break for a player."""
        at, size = len(self.program.scores) + number, len(self.program.ties[number].slots)
        return self._value([*v], at, player, size)

    def _value(
        self, v: Vector, number: int, player: int, size: int, span: Span | None = None
    ) -> int:
        try:
            return int(self._ends[number](v[:], [player, *[0] * size]))
        except Fault as fault:
            raise problem_at(self.program, NOTHING, fault, span) from None

    def fault_at(self, rule: int, fault: Fault, address: int) -> Problems:
        """A fault of an instruction of a rule as Problems with its place in the rules."""
        return problem_at(self.program, rule, fault, self.program.code[address].span)
