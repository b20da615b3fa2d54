"""The instructions of a program; see docs/program.md, *Instructions*.

Each has a method of its name. A step evaluates the operands of an instruction in their order and
calls the method, which returns the address to continue at, or the rules to be called next, or
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from targi_dsl.engine.alike import Alike
from targi_dsl.engine.cards import Cards
from targi_dsl.engine.chance_questions import ChanceQuestion, Random, Roll, Shuffle
from targi_dsl.engine.expressions import Set, Value
from targi_dsl.engine.faults import OPTIONS, Fault, too_many
from targi_dsl.engine.payments import FREE, Plan
from targi_dsl.engine.questions import WAITS, Ask, Pay, PayUnit, Question
from targi_dsl.engine.run import Calls, Run, cards_on
from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU, Facing, QuestionKind
from targi_dsl.ir.domains import Domains
from targi_dsl.ir.instructions import Operation
from targi_dsl.ir.program import NEXT_ROUND, OVER, Program
from targi_dsl.ir.slots import ENDED

Step = Callable[[Run], int]
"""Executes an instruction; returns the next address, or `WAITS - n` if question n waits."""

FINISHED = -1  # returned by the step of the end
_KINDS: dict[QuestionKind, type[Question]] = {
    "ask": Ask,
    "pay": Pay,
    "unit": PayUnit,
    "shuffle": Shuffle,
    "roll": Roll,
    "random": Random,
}


def method_of(operation: type[Operation]) -> str:
    """The name of the method that carries out an operation."""
    return "execute" + re.sub(r"([A-Z])", r"_\1", operation.__name__).lower()


class Instructions(Cards):
    """Carries out the instructions of a program. step: that of the instruction at an address.
    question: the question of a number.
    """

    def __init__(self, program: Program, domains: Domains) -> None:
        super().__init__(program, domains)
        self.alike = Alike(self)
        self.step = cache(self._step)
        self.question = cache(self._question)

    def _question(self, number: int) -> Question:
        return _KINDS[self.program.questions[number].kind](self, number)

    def _step(self, address: int) -> Step:
        line = self.program.code[address]
        operation, of, after = line.operation, type(line.operation), line.next
        carry_out: Callable[..., int | Calls | None] = getattr(self, method_of(of))
        operands = [getattr(operation, field) for field in of.__match_args__]
        values = [*enumerate(map(self._operand, of.__match_args__, operands))]
        evaluated = [(at, value) for at, value in values if value is not None]

        def step(run: Run) -> int:
            given = operands[:]
            for at, value in evaluated:
                given[at] = value(run.v, run.frame)
            then = carry_out(run, *given)
            if then is None:
                return after
            return then if isinstance(then, int) else self.push(run, then, after)

        return step

    def _operand(self, field: str, operand: object) -> Value | None:
        """The closure of an operand that is evaluated: an expression, guard or list of arguments;
        None for one that is passed as it is.
        """
        match field, operand:
            case "guard", tuple(conjuncts):
                return self.head(conjuncts)
            case "arguments", tuple(arguments):
                values = [self.value(argument) for argument in arguments]
                return lambda v, f: tuple([value(v, f) for value in values])
            case _:
                return self.value(operand) if isinstance(operand, e.Expr) else None

    # ---- flow ----

    def execute_over(self, run: Run) -> int:
        return FINISHED

    def execute_next_round(self, run: Run) -> int:
        if run.ends_with_round:
            return FINISHED
        run.clear()
        run.new_round()
        run.rule = self.program.round
        run.tell("round", YOU, self.program.round)
        run.rule = NOTHING
        return self.push(run, [(self.program.round, YOU, ())], NEXT_ROUND)

    def execute_return(self, run: Run) -> int:
        frame, run.rule, back = run.stack.pop()
        run.frame = frame[:]
        return back

    def execute_nop(self, run: Run) -> None:
        """Does nothing."""

    def execute_open(self, run: Run, slots: tuple[int, ...]) -> None:
        self.reset(run, slots)

    def execute_branch(self, run: Run, condition: int, otherwise: int) -> int | None:
        return None if condition else otherwise

    execute_test = execute_branch

    def execute_next_element(self, run: Run, slot: int, within: Set, done: int) -> int | None:
        following = [element for element in within if element > run.frame[slot]]
        if not following:
            return done
        run.frame[slot] = following[0]
        return None

    def execute_let(self, run: Run, slot: int, value: int) -> None:
        run.frame[slot] = value

    def execute_do(self, run: Run, rule: int, arguments: tuple[int, ...]) -> Calls:
        return [(rule, run.frame[YOU], arguments)]

    def execute_do_action(self, run: Run, card: int) -> Calls:
        rule = self.action(card)
        return [(rule, run.frame[YOU], self.carried(rule, card))] if rule != NOTHING else []

    # ---- effects ----

    def execute_gain(self, run: Run, who: int, resource: int, number: int, source: int) -> Calls:
        is_any = who >= 0 and resource >= 0 and number > 0
        return self.gain(run, who, resource, number, source) if is_any else []

    def execute_store(self, run: Run, slot: int, resource: int, number: int) -> None:
        if number > 0:
            self.change(run, slot, number, f"stored {self.program.resources[resource]}")
            run.tell("store", run.frame[YOU], resource, number)

    def execute_move_cards(
        self, run: Run, cards: Set, place: int, under: bool, facing: Facing
    ) -> Calls:
        calls, left, slots = Calls(), {*cards} if place != NOTHING else set(), self.slots
        while left:
            card = min(left)
            lying = cards_on(slots, run.v, run.v[slots.card_place + card])
            among = [one for one in lying if one in left] or [card]
            card = among[0 if under else -1]
            left.remove(card)
            calls += self.move(run, card, place, under, facing)
        return calls

    def execute_move_pieces(self, run: Run, pieces: Set, place: int | None) -> None:
        if place == NOTHING and pieces:
            text = "Beyond the edge there is nothing, and a piece goes off the board only by"
            text += " `remove`. Write before it `if SPACE is not nothing:`, and below it what else"
            text += " is to happen, as in `otherwise: remove PIECE`."
            raise Fault("E611", "there is no space to move to", text)
        to = NOTHING if place is None else place
        for piece in pieces:
            slot = self.slots.piece_place + piece
            before, run.v[slot] = run.v[slot], to
            run.tell("piece", run.frame[YOU], piece, 1, before, to)

    def execute_turn(self, run: Run, cards: Set, up: bool) -> None:
        for card in cards:
            self.turn(run, card, up)

    def execute_reveal(self, run: Run, cards: Set, to: int | None) -> None:
        everybody = (2 << self.players) - 2
        for card in cards if to != NOTHING else ():
            run.v[self.slots.card_known + card] |= everybody if to is None else 2 << to
            if to is None:
                run.tell("reveal", run.frame[YOU], card)
            else:
                run.tell("look", to, card)

    def execute_refresh(self, run: Run, place: int) -> Calls:
        is_empty = place != NOTHING and run.v[self.slots.place_top + place] == NOTHING
        return self.refill(run, place) if is_empty else []

    def execute_assign(
        self, run: Run, variable: int, index: int, value: int, secret: int, is_told: bool
    ) -> None:
        v, info = run.v, self.program.variables[variable]
        if not 0 <= index < info.count:
            return
        slot, is_news = info.base + index, secret != 0 or v[info.base + index] != value
        if (kind := t.kind(info.type)) and value != NOTHING:
            domain = self.domains.of(info.type)
            if value not in domain.members:
                is_place = isinstance(info.type, t.Place)
                text = f"It must be {'on' if is_place else 'of the kind'} {kind}."
                raise Fault("E605", f"{info.name} would become {domain.id(value)}", text)
        self.change(run, slot, value - v[slot], info.name)
        if info.secret != NOTHING:
            is_news |= v[info.secret + index] != 0
            v[info.secret + index] = secret
        if info.is_hidden or not (is_told and is_news):
            return
        if info.bits:
            run.tell("tell", run.frame[YOU], index, value, variable)
        else:
            run.tell("set", run.frame[YOU], variable, value, NOTHING, index)

    def execute_announce(self, run: Run, rule: int) -> Calls:
        run.tell("do", run.frame[YOU], rule)
        return self.fired(run, "do", rule, run.frame[YOU])

    def execute_use(self, run: Run, ability: int) -> None:
        self.use(run, ability, run.frame[YOU])

    def execute_forbid(self, run: Run, forbid: int, condition: int) -> None:
        if not condition:
            return
        ability = self.permit(forbid)(run.v, run.frame)
        if ability == NOTHING:
            name = self.program.prohibitions[forbid].name
            text = "Nothing checked this beforehand, and now nothing lifts it."
            raise Fault("E615", f"`{name}` forbids this", text)
        self.use(run, ability, run.frame[YOU])

    def execute_end_game(self, run: Run, rule: int) -> int:
        run.tell("end", run.frame[YOU], rule)
        run.v[ENDED] = rule
        run.clear()
        return OVER

    # ---- questions ----

    def options_of(self, number: int, run: Run) -> list[int]:
        """The options of a question, without redundant ones of things that lie alike."""
        question = self.question(number)
        options = question.options(run.v, run.frame)
        if isinstance(question, Ask) and len(options) > 1:
            return self.alike.distinct(run, question.asked, options)
        return options

    def execute_ask(self, run: Run, question: int, otherwise: int) -> int:
        """Stops for an answer if there are at least two options, or one that is asked for in any
        case; takes a forced one, and without any continues at `otherwise`.
        """
        options, asked = self.options_of(question, run), self.program.questions[question]
        if len(options) > OPTIONS:
            too_many(len(options), asked.name)
        if len(options) > 1 or (options and asked.in_any_case):
            run.options = options
            return WAITS - question
        if options:
            return self.question(question).take(run, options[0])
        if otherwise == NOTHING:
            text = "Nothing checked this beforehand. Now there is no answer, or none with which"
            text += " what follows it can be done."
            raise Fault("E615", f"`{asked.name}` cannot be answered", text)
        return otherwise

    def execute_pay(self, run: Run, question: int, otherwise: int) -> int:
        pay = self.question(question)
        assert isinstance(pay, Pay)
        if pay.invoice.due(run.v, run.frame) is FREE:
            return pay.leave(run.frame, Plan())
        return self.execute_ask(run, question, otherwise)

    def execute_pay_unit(self, run: Run, question: int) -> int:
        return self.execute_ask(run, question, self.question(question).after)

    def execute_settle(self, run: Run, question: int) -> Calls:
        pay, f, calls = self.question(question), run.frame, Calls()
        assert isinstance(pay, Pay)
        for item, count in pay.invoice.due(run.v, f).reward if f[pay.bill.bracket] else ():
            calls += self.gain(run, f[YOU], item, count)
        resources = range(len(self.program.resources)) if pay.bill.paid != NOTHING else ()
        for resource in resources:
            if f[pay.bill.paid + resource]:
                calls += self.fired(run, "pay", resource, f[YOU])
        return calls

    def execute_shuffle(self, run: Run, question: int, *_: int) -> int:
        asked = self.question(question)
        assert isinstance(asked, ChanceQuestion)
        return asked.step(run)

    execute_roll = execute_random = execute_shuffle
