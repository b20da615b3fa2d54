"""Questions to chance: shuffles and rolls, answered by the seed, by the list, or by whoever is
asked.
"""

from __future__ import annotations

from targi_dsl.engine.cards import forget, lying, pile, shuffled
from targi_dsl.engine.chance import Asked, Listed, Seed
from targi_dsl.engine.code import Code, Question, Run, Value, Vector, too_many
from targi_dsl.engine.faults import OPTIONS, Fault
from targi_dsl.ir import types as t
from targi_dsl.ir.model import FP
from targi_dsl.text.diagnostics import did_you_mean


def shuffle(code: Code, place: Value, work: int, done: int) -> int:
    """The address of a shuffle: position by position from the top, the cards not settled lying
    upwards by number.
    """
    address, same = len(code.steps), code.table.same

    def rest(v: Vector) -> list[int]:
        fp = v[FP]
        return lying(code, v, place(v, fp))[v[fp + work] :]

    def options(v: Vector) -> list[int]:
        lowest: dict[int, int] = {}
        for card in rest(v):
            lowest.setdefault(same[card], card + 1)
        if len(lowest) > OPTIONS:
            raise too_many(len(lowest), "shuffle")
        return list(lowest.values())

    def take(v: Vector, option: int, run: Run) -> int:
        fp, card = v[FP], option - 1
        cards = lying(code, v, place(v, fp))
        cards.remove(card)
        cards.insert(v[fp + work], card)
        pile(code, v, place(v, fp), cards)
        v[fp + work] += 1
        return address

    def named(v: Vector, option: int, telling: bool) -> str:
        cards = code.domains.of(t.Card())
        return f"shuffle {cards.word(option - 1) if telling else cards.id(option - 1)}"

    def weight(v: Vector, option: int) -> int:
        return sum(same[card] == same[option - 1] for card in rest(v))

    def step(v: Vector, run: Run) -> int:
        fp = v[FP]
        where = place(v, fp)
        if where < 0:
            return done
        if not v[fp + work]:
            forget(code, v, where)
            if run.events is not None:
                run.tell(v, "shuffle", v[fp], -1, len(lying(code, v, where)), -1, where)
        if isinstance(run.chance, Seed):
            pile(code, v, where, shuffled(code, lying(code, v, where), run.stream))
            return done
        found = options(v)
        if len(found) > 1:
            return _settled(code, question, address, found, v, run)
        v[fp + work] = 0
        return done

    def part(v: Vector, option: int) -> tuple[str, t.Type, int]:
        return "shuffle", t.Card(), option - 1

    question = Question("shuffle", True, options, take, named, weight, part=part)
    code.questions[address] = question
    return code.add(step, done)


def roll(code: Code, slot: int, low: Value, high: Value, done: int) -> int:
    """The address of a roll: a number from low to high, each equally likely."""
    address = len(code.steps)

    def options(v: Vector) -> list[int]:
        fp = v[FP]
        count = high(v, fp) - low(v, fp) + 1
        if count > OPTIONS:
            raise too_many(count, "roll")
        return list(range(1, count + 1))

    def take(v: Vector, option: int, run: Run) -> int:
        fp = v[FP]
        v[fp + slot] = low(v, fp) + option - 1
        if run.events is not None:
            run.tell(v, "roll", v[fp], -1, v[fp + slot])
        return done

    def named(v: Vector, option: int, telling: bool) -> str:
        return f"roll {low(v, v[FP]) + option - 1}"

    def step(v: Vector, run: Run) -> int:
        found = options(v)
        if not found:
            raise Fault(
                "E612", "a roll without a number", "The lowest number is above the highest."
            )
        if len(found) == 1:
            return take(v, 1, run)
        if isinstance(run.chance, Seed):
            return take(v, found[run.stream.below(len(found))], run)
        return _settled(code, question, address, found, v, run)

    def part(v: Vector, option: int) -> tuple[str, t.Type, int]:
        return "roll", t.Number(), low(v, v[FP]) + option - 1

    question = Question("roll", True, options, take, named, lambda v, option: 1, part=part)
    code.questions[address] = question
    return code.add(step, done)


def _settled(
    code: Code, question: Question, address: int, found: list[int], v: Vector, run: Run
) -> int:
    """Goes on with the next outcome of the list, or waits for who is asked."""
    match run.chance:
        case Asked() | Seed():
            run.options = found
            return ~address
        case Listed(outcomes, used):
            if used == len(outcomes):
                raise Fault(
                    "E602",
                    "no outcome left in the list",
                    f"The list has {used}; the next is a {question.title}.",
                )
            names = [question.name(v, option, False) for option in found]
            outcome = outcomes[used]
            if outcome not in names:
                meant = did_you_mean(outcome, names)
                hint = f'Did you mean "{meant}"?' if meant else f'Possible is "{names[0]}".'
                raise Fault(
                    "E602",
                    f'no outcome "{outcome}"',
                    f"Outcome {used + 1} of the list is not possible.",
                    hint,
                )
            run.chance = Listed(outcomes, used + 1)
            return question.take(v, found[names.index(outcome)], run)
