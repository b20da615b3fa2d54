"""Questions: what can be answered, and what an answer does. Chance is asked like a player."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import assert_never

from targi_dsl.engine.alike import Alike, Distinct
from targi_dsl.engine.cards import Piles, lying, pile, shuffled
from targi_dsl.engine.chance import Asked, Listed, Seed
from targi_dsl.engine.code import Code
from targi_dsl.engine.faults import OPTIONS, Fault, too_many
from targi_dsl.engine.guards import ELEMENT, Guards, packed, unpacked
from targi_dsl.engine.happenings import Happenings
from targi_dsl.engine.payment import FREE, Invoice
from targi_dsl.engine.plans import Plan
from targi_dsl.engine.run import Frame, Run, Step, Vector
from targi_dsl.ir import instructions as ins
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.expressions import Expr
from targi_dsl.ir.program import Bill
from targi_dsl.text.suggestions import did_you_mean

EXCHANGE = 1 << 2 * ELEMENT  # options from here on are free exchanges
WAITS = -2  # WAITS - n: question n waits

Options = Callable[[Vector, Frame], list[int]]
Take = Callable[[Vector, int, Run], int]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked at a point. `options` changes nothing; `take` gives the address to go on at;
    `name` an option's id, or with True its words for people; `part` its label and the thing it
    names, if it names one. declines: the options by which
    nothing is done. distinct: what leaves out things that lie like another.
    """

    title: str
    chance: bool
    options: Options
    take: Take
    name: Callable[[Vector, Frame, int, bool], str]
    weight: Callable[[Vector, Frame, int], int] | None = None
    declines: frozenset[int] = frozenset()
    part: Callable[[Vector, Frame, int], tuple[str, t.Type, int] | None] | None = None
    distinct: Distinct | None = None


class Questions:
    """The questions of a program, by number, and the steps that ask them."""

    def __init__(self, code: Code, guards: Guards, happenings: Happenings) -> None:
        self.code, self.program, self.slots = code, code.program, code.slots
        self.guards, self.happenings = guards, happenings
        self.payments, self.value = guards.payments, guards.expressions.value
        self.piles = Piles(code.table, happenings)
        self.table, self.market, self.alike = code.table, code.market, Alike(code)
        self.made: dict[int, Question] = {}

    def step(self, node: ins.Asking, address: int, after: int) -> Step:
        """The step of an instruction that asks."""
        match node:
            case ins.Ask(question, otherwise):
                return self._asks(question, self._ask(question), address, otherwise)
            case ins.Pay(question, otherwise):
                return self._pays(question, address, after, otherwise)
            case ins.PayUnit(question):
                return self._asks(question, self._pay_unit(question, address), address, after)
            case ins.Settle(question):
                return self._settle(question, after)
            case ins.Shuffle(question, place, work):
                return self._shuffle(question, place, work, address, after)
            case ins.Roll():
                return self._roll(node, after)
            case _:
                assert_never(node)

    def _asks(self, number: int, question: Question, address: int, otherwise: int) -> Step:
        """Asks when there are two options, takes the only one, and without any goes on at
        `otherwise`.
        """
        if self.market.exchanges:
            question = self._with_exchanges(question, address)
        self.made[number] = question
        title, options, take, waits = (
            question.title,
            question.options,
            question.take,
            WAITS - number,
        )
        distinct = question.distinct

        def step(v: Vector, run: Run) -> int:
            found = options(v, run.frame)
            if len(found) > 1 and distinct is not None:
                found = distinct(v, run, found)
            if len(found) > 1:
                if len(found) > OPTIONS:
                    raise too_many(len(found), title)
                run.options = found
                return waits
            if found:
                return take(v, found[0], run)
            if otherwise == NOTHING:
                text = "It was not asked before this was begun, and now there is no answer."
                raise Fault("E615", f"`{title}` cannot be answered", text)
            return otherwise

        return step

    # ---- ways ----

    def _ask(self, number: int) -> Question:
        asked = self.program.questions[number]
        ways, domains = asked.ways, self.code.domains
        offers = [self.guards.offers(*one) for one in enumerate(ways)]
        slots = [one.choice.slot if one.choice is not None else 0 for one in ways]
        targets = [one.target for one in ways]
        declines = frozenset(packed(place) for place, one in enumerate(ways) if one.declines)

        def own(v: Vector, f: Frame) -> list[int]:
            found: list[int] = []
            for offer in offers:
                offer(v, f, found, OPTIONS + 1)
            return found

        def with_exchanges(v: Vector, f: Frame) -> list[int]:
            found = own(v, f)
            if len(found) > 1:
                found += self._harmless(own, v, f)
            return found

        def take(v: Vector, option: int, run: Run) -> int:
            place = option >> ELEMENT
            if slots[place]:
                run.frame[slots[place]] = unpacked(option)[1]
            return targets[place]

        def named(v: Vector, f: Frame, option: int, telling: bool) -> str:
            place, element = unpacked(option)
            choice, label = ways[place].choice, ways[place].label
            if choice is None:
                return label
            domain = domains.of(choice.type)
            return f"{label} {domain.word(element) if telling else domain.name(element)}".strip()

        def part(v: Vector, f: Frame, option: int) -> tuple[str, t.Type, int] | None:
            place, element = unpacked(option)
            if option >= EXCHANGE or (choice := ways[place].choice) is None:
                return None
            return ways[place].label, choice.type, element

        options = with_exchanges if self.market.exchanges else own
        distinct = self.alike.distinct(asked)
        return Question(asked.name, False, options, take, named, None, declines, part, distinct)

    def _harmless(self, own: Options, v: Vector, f: Frame) -> list[int]:
        """The options of the free exchanges after which the question still has an answer of its
        own.
        """
        market, found = self.market, []
        purse = market.purse(v, f[0])
        for number in market.offered(purse):
            after = market.after(purse, market.exchanges[number])
            assert after is not None
            w = v[:]
            w[market.amounts + f[0] : market.end : market.players] = after
            if own(w, f):
                found.append(EXCHANGE + number)
        return found

    def _with_exchanges(self, question: Question, address: int) -> Question:
        """A question that can also be answered by the free exchanges among its options."""
        exchanges = self.market.exchanges

        def take(v: Vector, option: int, run: Run) -> int:
            if option < EXCHANGE:
                return question.take(v, option, run)
            calls = self.happenings.exchange(v, run, option - EXCHANGE)
            return self.code.frames.push(run, calls, address)

        def named(v: Vector, f: Frame, option: int, telling: bool) -> str:
            if option < EXCHANGE:
                return question.name(v, f, option, telling)
            return exchanges[option - EXCHANGE].id

        return replace(question, take=take, name=named)

    # ---- payments ----

    def _bill(self, number: int) -> tuple[Bill, Invoice]:
        bill = self.program.questions[number].bill
        assert bill is not None
        return bill, self.payments.invoice(bill.price, bill.terms)

    def _pays(self, number: int, address: int, after: int, otherwise: int) -> Step:
        """Which plan is paid; what it leaves open stands in the frame when it goes on."""
        bill, of = self._bill(number)
        asking = self._asks(number, self._plans(number, bill, of, after), address, otherwise)
        slots = range(bill.bracket, bill.owed + len(self.program.groups))
        paid = range(bill.paid, bill.paid + len(self.program.resources))
        slots_ = [*slots, *(paid if bill.paid != NOTHING else ())]

        def step(v: Vector, run: Run) -> int:
            f = run.frame
            if of.asked(v, f) in FREE:
                for slot in slots_:
                    f[slot] = 0
                return after
            return asking(v, run)

        return step

    def _plans(self, number: int, bill: Bill, of: Invoice, after: int) -> Question:
        names, resources = self.code.domains, range(len(self.program.resources))
        groups = range(len(self.program.groups))

        def options(v: Vector, f: Frame) -> list[int]:
            plans = of.plans(v, f)
            payable, reach = self.payments.reachable(of, plans, v, f)
            if len(reach) == 1 and payable:
                return [packed(0, payable[0])]
            found = [packed(0, at) for at in payable]
            return found + self._useful(of, v, f, plans) if reach else found

        def take(v: Vector, option: int, run: Run) -> int:
            f = run.frame
            plan, stored = of.plans(v, f)[option - 1], of.stored(v, f)
            for resource, count in plan.needs:
                self.happenings.spend(v, run, resource, count, stored)
            for ability in plan.used:
                self.happenings.use(v, run, ability, f[0])
            f[bill.bracket] = int(plan.bracket)
            owed = {group: count for group, count, _ in plan.wild}
            for group in groups:
                f[bill.owed + group] = owed.get(group, 0)
            if bill.paid != NOTHING:
                paid = {resource for resource, _ in plan.needs}
                for resource in resources:
                    f[bill.paid + resource] = int(resource in paid)
            return after

        def named(v: Vector, f: Frame, option: int, telling: bool) -> str:
            plan = of.plans(v, f)[option - 1]
            wild = tuple((len(resources) + group, count) for group, count, _ in plan.wild)
            words = f"pay {names.amounts(plan.needs + wild)}"
            reward = self.code.planner.price(of.asked(v, f)).reward
            return f"{words}, for {names.amounts(reward)}" if plan.bracket else words

        return Question("pay", False, options, take, named)

    def _pay_unit(self, number: int, address: int) -> Question:
        """What a wildcard unit stands for, of the first group of which one is owed."""
        bill, of = self._bill(number)
        groups, resources = self.market.groups, self.program.resources

        def owing(f: Frame) -> int:
            return next((g for g in range(len(groups)) if f[bill.owed + g]), NOTHING)

        def options(v: Vector, f: Frame) -> list[int]:
            group = owing(f)
            if group == NOTHING:
                return []
            have = of.purse(v, f)
            found = [packed(0, one) for one in groups[group] if have[one] > 0]
            if len(found) > 1:
                found += self._useful(of, v, f, (self._still_owed(bill, f),))
            return found

        def take(v: Vector, option: int, run: Run) -> int:
            f, resource = run.frame, option - 1
            self.happenings.spend(v, run, resource, 1, of.stored(v, f))
            f[bill.owed + owing(f)] -= 1
            if bill.paid != NOTHING:
                f[bill.paid + resource] = 1
            return address

        def named(v: Vector, f: Frame, option: int, telling: bool) -> str:
            return f"pay {resources[option - 1]}"

        def part(v: Vector, f: Frame, option: int) -> tuple[str, t.Type, int] | None:
            return None if option >= EXCHANGE else ("pay", t.Resource(), option - 1)

        return Question("pay", False, options, take, named, part=part)

    def _still_owed(self, bill: Bill, f: Frame) -> Plan:
        """What is still owed, as a plan."""
        owed = [(g, f[bill.owed + g]) for g in range(len(self.program.groups))]
        return Plan((), tuple((g, count, count) for g, count in owed if count), False, ())

    def _useful(self, of: Invoice, v: Vector, f: Frame, plans: tuple[Plan, ...]) -> list[int]:
        return [EXCHANGE + one for one in self.payments.useful_exchanges(of, v, f, plans)]

    def _settle(self, number: int, after: int) -> Step:
        bill, of = self._bill(number)

        def step(v: Vector, run: Run) -> int:
            f = run.frame
            calls = []
            if f[bill.bracket]:
                for item, count in self.code.planner.price(of.asked(v, f)).reward:
                    calls += self.happenings.gain(v, run, f[0], item, count, NOTHING)
            if bill.paid != NOTHING:
                for resource in range(len(self.program.resources)):
                    if f[bill.paid + resource]:
                        calls += self.happenings.fired(v, run, "pay", resource, f[0], NOTHING)
            return self.code.frames.push(run, calls, after)

        return step

    # ---- chance ----

    def _shuffle(self, number: int, place: Expr, work: int, address: int, after: int) -> Step:
        """Position by position from the top, the cards not settled lying upwards by number."""
        where, slots, same = self.value(place), self.slots, self.table.same

        def rest(v: Vector, f: Frame) -> list[int]:
            return lying(slots, v, where(v, f))[f[work] :]

        def options(v: Vector, f: Frame) -> list[int]:
            lowest: dict[int, int] = {}
            for card in rest(v, f):
                lowest.setdefault(same[card], card + 1)
            if len(lowest) > OPTIONS:
                raise too_many(len(lowest), "shuffle")
            return list(lowest.values())

        def take(v: Vector, option: int, run: Run) -> int:
            f, card = run.frame, option - 1
            cards = lying(slots, v, where(v, f))
            cards.remove(card)
            cards.insert(f[work], card)
            pile(slots, v, where(v, f), cards)
            f[work] += 1
            return address

        def named(v: Vector, f: Frame, option: int, telling: bool) -> str:
            cards = self.code.domains.of(t.Card())
            return f"shuffle {cards.word(option - 1) if telling else cards.id(option - 1)}"

        def weight(v: Vector, f: Frame, option: int) -> int:
            return sum(same[card] == same[option - 1] for card in rest(v, f))

        def step(v: Vector, run: Run) -> int:
            f = run.frame
            at = where(v, f)
            if at < 0:
                return after
            if not f[work]:
                self.piles.forget(v, at)
                if run.events is not None:
                    run.tell(v, "shuffle", f[0], -1, len(lying(slots, v, at)), -1, at)
            if isinstance(run.chance, Seed):
                pile(slots, v, at, shuffled(self.table, lying(slots, v, at), run.stream))
                return after
            found = options(v, f)
            if len(found) > 1:
                return _settled(question, number, found, v, run)
            return after

        def part(v: Vector, f: Frame, option: int) -> tuple[str, t.Type, int]:
            return "shuffle", t.Card(), option - 1

        question = Question("shuffle", True, options, take, named, weight, part=part)
        self.made[number] = question
        return step

    def _roll(self, node: ins.Roll, after: int) -> Step:
        """A number from low to high, each equally likely."""
        low, high, slot = self.value(node.low), self.value(node.high), node.slot

        def options(v: Vector, f: Frame) -> list[int]:
            count = high(v, f) - low(v, f) + 1
            if count > OPTIONS:
                raise too_many(count, "roll")
            return list(range(1, count + 1))

        def take(v: Vector, option: int, run: Run) -> int:
            f = run.frame
            f[slot] = low(v, f) + option - 1
            if run.events is not None:
                run.tell(v, "roll", f[0], -1, f[slot])
            return after

        def named(v: Vector, f: Frame, option: int, telling: bool) -> str:
            return f"roll {low(v, f) + option - 1}"

        def step(v: Vector, run: Run) -> int:
            found = options(v, run.frame)
            if not found:
                text = "The lowest number is above the highest."
                raise Fault("E612", "a roll without a number", text)
            if len(found) == 1:
                return take(v, 1, run)
            if isinstance(run.chance, Seed):
                return take(v, found[run.stream.below(len(found))], run)
            return _settled(question, node.question, found, v, run)

        def part(v: Vector, f: Frame, option: int) -> tuple[str, t.Type, int]:
            return "roll", t.Number(), low(v, f) + option - 1

        question = Question("roll", True, options, take, named, lambda v, f, option: 1, part=part)
        self.made[node.question] = question
        return step


def _settled(question: Question, number: int, found: list[int], v: Vector, run: Run) -> int:
    """Goes on with the next outcome of the list, or waits for who is asked."""
    match run.chance:
        case Asked() | Seed():
            run.options = found
            return WAITS - number
        case Listed(outcomes, used):
            if used == len(outcomes):
                text = f"The list has {used}; the next is a {question.title}."
                raise Fault("E602", "no outcome left in the list", text)
            names = [question.name(v, run.frame, option, False) for option in found]
            outcome = outcomes[used]
            if outcome not in names:
                meant = did_you_mean(outcome, names)
                hint = f'Did you mean "{meant}"?' if meant else f'Possible is "{names[0]}".'
                text = f"Outcome {used + 1} of the list is not possible."
                raise Fault("E602", f'no outcome "{outcome}"', text, hint)
            run.chance = Listed(outcomes, used + 1)
            return question.take(v, found[names.index(outcome)], run)
