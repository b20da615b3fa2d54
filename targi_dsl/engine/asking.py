"""Questions to players: what can be answered, free exchanges included, and what an answer does."""

from __future__ import annotations

from dataclasses import replace

from targi_dsl.engine import offers, payment
from targi_dsl.engine.code import ELEMENT, Code, Question, Run, Vector, packed, too_many, unpacked
from targi_dsl.engine.faults import OPTIONS, Fault
from targi_dsl.engine.happenings import exchange, fired, gain, spend
from targi_dsl.engine.payment import Bill, reachable
from targi_dsl.engine.plans import Plan
from targi_dsl.ir import types as t
from targi_dsl.ir.model import FP, NOTHING, Ask, Leave, Pay

_EXCHANGE = 1 << 2 * ELEMENT  # options from here on are free exchanges
_NOTHING_ASKED = ((), NOTHING)
_NOTHING_DONE = ((), (Leave(),))
_MOST = 255
_DIGIT = 8  # bits for the wildcard units owed of one group


def ask(code: Code, node: Ask, bodies: list[int], otherwise: int) -> int:
    """The address of a question; `bodies` and `otherwise` are the addresses to go on at."""
    own, market, alternatives = offers.question(code, node), code.market, node.alternatives
    slots = [one.choice.slot if one.choice is not None else 0 for one in alternatives]
    declines = frozenset(
        packed(place)
        for place, one in enumerate(alternatives)
        if one.choice is None and one.body in _NOTHING_DONE
    )

    def with_exchanges(v: Vector) -> list[int]:
        found = own(v)
        if len(found) > 1:
            found += [_EXCHANGE + number for number in market.offered(market.purse(v, v[v[FP]]))]
        return found

    def take(v: Vector, option: int, run: Run) -> int:
        place = option >> ELEMENT
        if slots[place]:
            v[v[FP] + slots[place]] = unpacked(option)[1]
        return bodies[place]

    def named(v: Vector, option: int, telling: bool) -> str:
        place, element = unpacked(option)
        choice, label = alternatives[place].choice, alternatives[place].label
        if choice is None:
            return label
        domain = code.domains.of(choice.type)
        return f"{label} {domain.word(element) if telling else domain.name(element)}".strip()

    def part(v: Vector, option: int) -> tuple[str, t.Type, int] | None:
        place, element = unpacked(option)
        if option >= _EXCHANGE or (choice := alternatives[place].choice) is None:
            return None
        return alternatives[place].label, choice.type, element

    options = with_exchanges if market.exchanges else own
    question = Question(node.name, False, options, take, named, declines=declines, part=part)
    return _question(code, question, bodies, otherwise)


def pay(code: Code, node: Pay, done: int, otherwise: int) -> int:
    """The address of a payment: which plan, then unit by unit what wildcards stand for.

    Work slots: 1, or 2 with the bracket; wildcard units still owed, _DIGIT bits for each group; the
    resources paid, as bits.
    """
    of, work = payment.bill(code, node.price, node.terms), node.work
    units = _pay_units(code, of, work, done)

    def options(v: Vector) -> list[int]:
        plans = of.plans(v, v[FP])
        payable, reach = reachable(code, of, plans, v, v[FP])
        if len(reach) == 1 and payable:
            return [packed(0, payable[0])]
        found = [packed(0, number) for number in payable]
        return found + _useful_exchanges(code, of, v, plans) if reach else found

    def take(v: Vector, option: int, run: Run) -> int:
        fp = v[FP]
        plan, stored = of.plans(v, fp)[option - 1], of.stored(v, fp)
        for resource, number in plan.needs:
            spend(code, v, run, resource, number, stored)
        for ability in plan.used:
            code.use(v, run, ability, v[fp])
        if not (plan.wild or plan.bracket or (code.watched and plan.needs)):
            return done
        if any(number > _MOST for _, number, _ in plan.wild):
            raise Fault(
                "E611",
                "a price of too many of a group",
                f"At most {_MOST} of a group can be paid at once.",
            )
        v[fp + work] = 1 + plan.bracket
        v[fp + work + 1] = sum(number << _DIGIT * group for group, number, _ in plan.wild)
        v[fp + work + 2] = sum(1 << resource for resource, _ in plan.needs)
        return units

    def named(v: Vector, option: int, telling: bool) -> str:
        plan = of.plans(v, v[FP])[option - 1]
        wild = tuple((len(code.game.resources) + group, number) for group, number, _ in plan.wild)
        words = f"pay {code.domains.amounts(plan.needs + wild)}"
        reward = code.planner.price(of.asked(v, v[FP])).reward
        return f"{words}, for {code.domains.amounts(reward)}" if plan.bracket else words

    address = _question(code, Question("pay", False, options, take, named), [units], otherwise)
    asking = code.steps[address]

    def step(v: Vector, run: Run) -> int:
        return done if of.asked(v, v[FP]) in _NOTHING_ASKED else asking(v, run)

    code.steps[address] = step
    return address


def _pay_units(code: Code, of: Bill, work: int, done: int) -> int:
    """The address where wildcard units are paid one by one, and then the payment ends."""
    resources = code.game.resources

    def options(v: Vector) -> list[int]:
        have, owed = of.purse(v, v[FP]), v[v[FP] + work + 1]
        if not owed:
            return []
        found = [
            packed(0, resource)
            for resource in code.market.groups[_first_owed(owed)]
            if have[resource] > 0
        ]
        return (
            found + _useful_exchanges(code, of, v, (_still_owed(owed),))
            if len(found) > 1
            else found
        )

    def take(v: Vector, option: int, run: Run) -> int:
        fp, resource = v[FP], option - 1
        spend(code, v, run, resource, 1, of.stored(v, fp))
        v[fp + work + 1] -= 1 << _DIGIT * _first_owed(v[fp + work + 1])
        v[fp + work + 2] |= 1 << resource
        return units

    def named(v: Vector, option: int, telling: bool) -> str:
        return f"pay {resources[option - 1]}"

    def ended(v: Vector, run: Run) -> int:
        fp = v[FP]
        you, bracket, paid = v[fp], v[fp + work] == 2, v[fp + work + 2]
        reward = code.planner.price(of.asked(v, fp)).reward if bracket else ()
        v[fp + work] = v[fp + work + 1] = v[fp + work + 2] = 0
        calls = [
            call
            for item, number in reward
            for call in gain(code, v, run, you, item, number, NOTHING)
        ]
        if code.watched:
            for resource in range(len(resources)):
                if paid >> resource & 1:
                    calls += fired(code, v, run, "pay", resource, you, NOTHING)
        return code.push(v, calls, done)

    def part(v: Vector, option: int) -> tuple[str, t.Type, int] | None:
        return None if option >= _EXCHANGE else ("pay", t.Resource(), option - 1)

    question = Question("pay", False, options, take, named, part=part)
    units = _question(code, question, [], code.add(ended, done))
    return units


def _question(code: Code, question: Question, ways: list[int], otherwise: int) -> int:
    """The address of a question. Answers lead to `ways`, or back to it; when it has none it goes on
    at `otherwise`.
    """
    address = len(code.steps)
    if code.market.exchanges:
        question = _with_exchanges(code, question, address)
    title, options, take = question.title, question.options, question.take

    def step(v: Vector, run: Run) -> int:
        found = options(v)
        if len(found) > 1:
            if len(found) > OPTIONS:
                raise too_many(len(found), title)
            run.options = found
            return ~address
        return take(v, found[0], run) if found else otherwise

    code.questions[address] = question
    return code.add(step, *ways, otherwise)


def _with_exchanges(code: Code, question: Question, address: int) -> Question:
    """A question that can also be answered by the free exchanges among its options."""
    exchanges = code.market.exchanges

    def take(v: Vector, option: int, run: Run) -> int:
        if option < _EXCHANGE:
            return question.take(v, option, run)
        return code.push(v, exchange(code, v, run, option - _EXCHANGE), address)

    def named(v: Vector, option: int, telling: bool) -> str:
        return (
            question.name(v, option, telling)
            if option < _EXCHANGE
            else exchanges[option - _EXCHANGE].id
        )

    return replace(question, take=take, name=named)


def _first_owed(owed: int) -> int:
    """The lowest group of which wildcard units are owed."""
    group = 0
    while not owed >> _DIGIT * group & _MOST:
        group += 1
    return group


def _still_owed(owed: int) -> Plan:
    """What is still owed, as a plan."""
    wild = []
    group = 0
    while owed >> _DIGIT * group:
        number = owed >> _DIGIT * group & _MOST
        if number:
            wild.append((group, number, number))
        group += 1
    return Plan((), tuple(wild), False, ())


def _useful_exchanges(code: Code, of: Bill, v: Vector, plans: tuple[Plan, ...]) -> list[int]:
    """The options of exchanges that leave a way to pay one of these plans."""
    market, fp = code.market, v[FP]
    own = market.purse(v, v[fp])
    stored = tuple([a - b for a, b in zip(of.purse(v, fp), own, strict=True)])
    found = []
    for number in market.offered(own):
        after = market.after(own, market.exchanges[number])
        if after is not None and any(market.reaches(after, stored, plan) for plan in plans):
            found.append(_EXCHANGE + number)
    return found
