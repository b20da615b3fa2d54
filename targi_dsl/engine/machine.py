"""The engine of one game: a position goes on, step by step, until somebody must answer or the game
is over.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import repeat

from targi_dsl.engine import cards, expressions, statements
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.engine.code import Code, Question, Run, Value, Vector
from targi_dsl.engine.faults import STEPS, Fault, located, newest
from targi_dsl.engine.happenings import watched
from targi_dsl.ir.model import (
    CHANCE,
    ENDED,
    FP,
    FRAME_HEAD,
    NOTHING,
    PC,
    YOU,
    Const,
    Exists,
    Game,
)
from targi_dsl.ir.types import Type
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.source import Span

Pick = Callable[[Vector, list[int]], int]  # of a position and at least two options, one of them

_KEPT = 16  # engines kept
_ENGINES: dict[int, Engine] = {}

# Expressions and heads call each other as deep as the rules nest them; the limits of `faults` are
# met first.
sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))


def engine_of(game: Game) -> Engine:
    """The engine of a game, made when first wanted. It keeps its game alive, so no other game can
    have its identity.
    """
    engine = _ENGINES.get(id(game))
    if engine is None:
        if len(_ENGINES) >= _KEPT:
            del _ENGINES[next(iter(_ENGINES))]
        engine = _ENGINES[id(game)] = Engine(game)
    return engine


class Engine:
    """A compiled game. Positions are changed in place; what may fail raises Problems and leaves the
    position unfit.
    """

    def __init__(self, game: Game) -> None:
        code = self.code = Code(game)
        self.game = game
        self.steps = code.steps
        self.fuel = code.fuel
        self.questions = code.questions
        code.watched = watched(code)
        code.defines += [expressions.number(code, info.value) for info in game.defines]
        code.any_defined += [
            expressions.expression(code, Exists(NOTHING, info.value, Const(1)))
            for info in game.defines
        ]
        statements.begin(code)
        code.entries[:] = [statements.rule(code, number) for number in range(len(code.rules))]
        self.first = self._first()
        self.parts = [expressions.expression(code, part.value) for part in game.scores]
        self.ties = [expressions.expression(code, tie.value) for tie in game.ties]

    def start(self, run: Run) -> Vector:
        """A new position, at the first question or the end."""
        v = list(self.first)
        v[PC] = self.code.push(v, [(self.game.setup, YOU, ())], statements.NEXT_ROUND)
        self.advance(v, run)
        return v

    def advance(self, v: Vector, run: Run) -> None:
        """Goes on to the next question with at least two options (`run.options`), or the end."""
        steps, pc = self.steps, v[PC]
        self.fuel.spent = 0
        try:
            for _ in repeat(None, STEPS):
                pc = steps[pc](v, run)
                if pc < 0:
                    v[PC] = ~pc
                    return
            raise Fault(
                "E603",
                f"more than {STEPS} steps without a decision",
                "A rule seems to go on without an end.",
            )
        except Fault as fault:
            raise self.located(v, fault, pc) from None

    def answer(self, v: Vector, option: int, run: Run) -> None:
        """Takes an option of the question that waits, and goes on."""
        try:
            v[PC] = self.questions[v[PC]].take(v, option, run)
        except Fault as fault:
            raise self.located(v, fault, v[PC]) from None
        self.advance(v, run)

    def question(self, v: Vector) -> Question | None:
        """The question that waits; None when the game is over."""
        return self.questions.get(v[PC])

    def rule(self, v: Vector) -> int:
        """The rule that is being done; nothing when the game is over."""
        return v[v[FP] - 1] if v[FP] else NOTHING

    def seat(self, v: Vector) -> int:
        """Who must answer: a player, CHANCE, or nothing when the game is over."""
        question = self.questions.get(v[PC])
        if question is None:
            return NOTHING
        return CHANCE if question.chance else v[v[FP]]

    def options(self, v: Vector) -> list[int]:
        """The options of the question that waits, in order; none when the game is over."""
        question = self.questions.get(v[PC])
        self.fuel.spent = 0
        try:
            return question.options(v) if question is not None else []
        except Fault as fault:
            raise self.located(v, fault, v[PC]) from None

    def name(self, v: Vector, option: int, telling: bool = False) -> str:
        """The id of an option, or with `telling` its words for people."""
        return self.questions[v[PC]].name(v, option, telling)

    def parts_of(self, v: Vector, option: int) -> tuple[str, Type | None, int]:
        """The label of an option, and the type and the number of the thing it names, if any."""
        question = self.questions[v[PC]]
        if question.part is not None and (found := question.part(v, option)) is not None:
            return found
        return self.name(v, option), None, NOTHING

    def weight(self, v: Vector, option: int) -> int:
        """How likely an outcome of chance is, among the others; 1 for a player's option."""
        weight = self.questions[v[PC]].weight
        return 1 if weight is None else weight(v, option)

    def declines(self, v: Sequence[int], option: int) -> bool:
        """Whether nothing is done by an option."""
        return option in self.questions[v[PC]].declines

    def scores(self, v: Vector) -> list[list[int]]:
        """For each player the parts of the score."""
        game = self.game
        return [
            [
                self._asked(v, value, player, len(part.slots), newest(part.origins))
                if part.ability == NOTHING or self.code.is_active(v, part.ability, player)
                else 0
                for part, value in zip(game.scores, self.parts, strict=True)
            ]
            for player in range(len(game.players))
        ]

    def tie(self, v: Vector, number: int, player: int) -> int:
        """What a tie-break counts for a player."""
        return self._asked(v, self.ties[number], player, len(self.game.ties[number].slots))

    def located(self, v: Vector, fault: Fault, address: int) -> Problems:
        """A fault of the step at an address, with its place in the rules."""
        made = self.code.made.get(address)
        return located(self.game, v, fault, made.span if made is not None else None)

    def _asked(
        self, v: Vector, value: Value, player: int, size: int, span: Span | None = None
    ) -> int:
        fp = self.code.scratch(v, 0, NOTHING, player, size)
        self.fuel.spent = 0
        try:
            return int(value(v, fp))
        except Fault as fault:
            raise located(self.game, v, fault, span) from None
        finally:
            del v[fp - FRAME_HEAD :]

    def _first(self) -> Vector:
        """The position before the game: cards on their places, the highest number on top; pieces
        off the board.
        """
        game, slots, code = self.game, self.game.slots, self.code
        v = [0] * slots.stack
        v[ENDED] = NOTHING
        v[slots.card_place : slots.card_place + len(game.cards)] = [NOTHING] * len(game.cards)
        v[slots.card_next : slots.card_next + len(game.cards)] = [NOTHING] * len(game.cards)
        v[slots.piece_place : slots.piece_place + len(game.pieces)] = [NOTHING] * len(game.pieces)
        v[slots.place_top : slots.place_top + len(game.places)] = [NOTHING] * len(game.places)
        for number, place in enumerate(game.places):
            cards.pile(
                code,
                v,
                number,
                [n for n, card in reversed([*enumerate(game.cards)]) if card.start == number],
            )
            for card in cards.lying(code, v, number):
                v[slots.card_known + card] = code.table.masks[number][place.facing == "up"]
        for variable in game.variables:
            v[variable.base : variable.base + variable.count] = [variable.start] * variable.count
        return v


def playout(game: Game, seed: int, pick: Pick | None = None) -> tuple[Vector, int]:
    """Plays a whole game: the last position, and how many decisions it had.

    Without `pick` all players choose uniformly, from a stream of their own, so that chance does not
    depend on them.
    """
    engine, run = engine_of(game), Run(Seed(seed))
    below, questions, decisions = Stream(~seed).below, engine.questions, 0
    v = engine.start(run)
    try:
        while (question := questions.get(v[PC])) is not None:
            options = run.options
            option = pick(v, options) if pick is not None else options[below(len(options))]
            v[PC] = question.take(v, option, run)
            engine.advance(v, run)
            decisions += 1
    except Fault as fault:
        raise engine.located(v, fault, v[PC]) from None
    return v, decisions
