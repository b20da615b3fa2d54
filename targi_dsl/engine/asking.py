"""Questions to players: what can be answered, free exchanges included, and what an answer does."""

from __future__ import annotations

from targi_dsl.engine import offers, payment
from targi_dsl.engine.code import Code, Question, Run, Vector, packed, too_many, unpacked
from targi_dsl.engine.faults import OPTIONS, Fault
from targi_dsl.engine.happenings import exchange, fired, gain, spend
from targi_dsl.engine.payment import Bill, purse, reachable
from targi_dsl.engine.plans import Plan
from targi_dsl.model import FP, NOTHING, Ask, Leave, Pay

_EXCHANGES = 1  # the second alternative of a payment
_FREE = (Plan((), (), False, ()),)
_NOTHING_DONE = ((), (Leave(),))
_MOST = 255
_DIGIT = 8  # bits for the wildcard units owed of one group


def ask(code: Code, node: Ask, bodies: list[int], otherwise: int) -> int:
    """The address of a question; `bodies` and `otherwise` are the addresses to go on at."""
    own, count, name = offers.question(code, node), len(node.alternatives), node.name
    slots = [one.choice.slot if one.choice is not None else 0 for one in node.alternatives]
    declines = frozenset(
        packed(place) for place, one in enumerate(node.alternatives) if one.choice is None and one.body in _NOTHING_DONE
    )
    address = len(code.steps)

    def options(v: Vector) -> list[int]:
        found = own(v, v[FP])
        if code.market.exchanges and len(found) >= 2:
            found += [packed(count, number) for number in code.market.offered(code.market.purse(v, v[v[FP]]))]
        if len(found) > OPTIONS:
            raise too_many(len(found), name)
        return found

    def take(v: Vector, option: int, run: Run) -> int:
        place, element = unpacked(option)
        if place == count:
            return code.push(v, exchange(code, v, run, element), address)
        if slots[place]:
            v[v[FP] + slots[place]] = element
        return bodies[place]

    def named(v: Vector, option: int, telling: bool) -> str:
        place, element = unpacked(option)
        if place == count:
            return code.market.exchanges[element].id
        alternative = node.alternatives[place]
        if alternative.choice is None:
            return alternative.label
        return f"{alternative.label} {code.names.of(alternative.choice.type, element, telling)}".strip()

    def step(v: Vector, run: Run) -> int:
        found = options(v)
        if len(found) > 1:
            run.options = found
            return ~address
        return take(v, found[0], run) if found else otherwise

    code.questions[address] = Question(name, False, options, take, named, declines=declines)
    return code.add(step)


def pay(code: Code, node: Pay, done: int, otherwise: int) -> int:
    """The address of a payment: which plan, then unit by unit what wildcards stand for.

    Work slots: 1, or 2 with the bracket; wildcard units still owed, _DIGIT bits for each group; the resources paid, as
    bits.
    """
    of, work = payment.bill(code, node.price, node.terms), node.work
    units = _pay_units(code, of, work, done)
    address = len(code.steps)

    def offered(v: Vector, plans: tuple[Plan, ...]) -> list[int]:
        payable, reach = reachable(code, of, plans, v, v[FP])
        if len(reach) == 1 and payable:
            return [packed(0, payable[0])]
        found = [packed(0, number) for number in payable]
        if reach and code.market.exchanges:
            found += [packed(_EXCHANGES, number) for number in _useful_exchanges(code, of, v)]
        if len(found) > OPTIONS:
            raise too_many(len(found), "pay")
        return found

    def options(v: Vector) -> list[int]:
        return offered(v, of.plans(v, v[FP]))

    def take(v: Vector, option: int, run: Run) -> int:
        place, element = unpacked(option)
        if place == _EXCHANGES:
            return code.push(v, exchange(code, v, run, element), address)
        return paid(v, of.plans(v, v[FP])[element], run)

    def paid(v: Vector, plan: Plan, run: Run) -> int:
        fp = v[FP]
        stored = of.stored(v, fp)
        for resource, number in plan.needs:
            spend(code, v, run, resource, number, stored)
        for ability in plan.used:
            code.use(v, run, ability, v[fp])
        if not (plan.wild or plan.bracket or code.watched):
            return done
        v[fp + work] = 1 + plan.bracket
        if any(number >> _DIGIT for _, number, _ in plan.wild):
            raise Fault("E611", "a price of too many of a group", f"At most {_MOST} of a group can be paid at once.")
        v[fp + work + 1] = sum(number << _DIGIT * group for group, number, _ in plan.wild)
        v[fp + work + 2] = sum(1 << resource for resource, _ in plan.needs)
        return units

    def named(v: Vector, option: int, telling: bool) -> str:
        place, element = unpacked(option)
        if place == _EXCHANGES:
            return code.market.exchanges[element].id
        return _plan_id(code, of, of.plans(v, v[FP])[element], v)

    def step(v: Vector, run: Run) -> int:
        plans = of.plans(v, v[FP])
        if plans == _FREE:
            return done
        found = offered(v, plans)
        if len(found) > 1:
            run.options = found
            return ~address
        if not found:
            return otherwise
        return paid(v, plans[found[0] - 1], run) if found[0] <= len(plans) else take(v, found[0], run)

    code.questions[address] = Question("pay", False, options, take, named)
    return code.add(step)


def _pay_units(code: Code, of: Bill, work: int, done: int) -> int:
    """The address where wildcard units are paid one by one, and then the payment ends."""
    address, count = len(code.steps), len(code.game.resources)

    def options(v: Vector) -> list[int]:
        have, owed = purse(code, of, v, v[FP]), v[v[FP] + work + 1]
        group = _first_owed(owed)
        found = [packed(0, resource) for resource in code.market.groups[group] if have[resource] > 0]
        if code.market.exchanges and len(found) > 1:
            found += [packed(_EXCHANGES, number) for number in _useful_exchanges(code, of, v, _still_owed(owed))]
        return found

    def take(v: Vector, option: int, run: Run) -> int:
        place, element = unpacked(option)
        if place == _EXCHANGES:
            return code.push(v, exchange(code, v, run, element), address)
        fp = v[FP]
        spend(code, v, run, element, 1, of.stored(v, fp))
        v[fp + work + 1] -= 1 << _DIGIT * _first_owed(v[fp + work + 1])
        v[fp + work + 2] |= 1 << element
        return address

    def named(v: Vector, option: int, telling: bool) -> str:
        place, element = unpacked(option)
        if place == _EXCHANGES:
            return code.market.exchanges[element].id
        return f"pay {code.game.resources[element]}"

    def ended(v: Vector, run: Run) -> int:
        fp = v[FP]
        you, bracket, paid = v[fp], v[fp + work] == 2, v[fp + work + 2]
        reward = code.planner.price(of.asked(v, fp)).reward if bracket else ()
        v[fp + work] = v[fp + work + 1] = v[fp + work + 2] = 0
        calls = [call for item, number in reward for call in gain(code, v, run, you, item, number, NOTHING)]
        if code.watched:
            for resource in range(count):
                if paid >> resource & 1:
                    calls += fired(code, v, run, "pay", resource, you, NOTHING)
        return code.push(v, calls, done)

    def step(v: Vector, run: Run) -> int:
        if not v[v[FP] + work + 1]:
            return ended(v, run)
        found = options(v)
        if len(found) > 1:
            run.options = found
            return ~address
        return take(v, found[0], run)

    code.questions[address] = Question("pay", False, options, take, named)
    return code.add(step)


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


def _useful_exchanges(code: Code, of: Bill, v: Vector, owed: Plan | None = None) -> list[int]:
    """The exchanges that leave a way to pay: what is owed, or else some plan."""
    market, fp = code.market, v[FP]
    own = market.purse(v, v[fp])
    stored = tuple([a - b for a, b in zip(purse(code, of, v, fp), own, strict=True)])
    plans = of.plans(v, fp) if owed is None else (owed,)
    found = []
    for number in market.offered(own):
        after = market.after(own, market.exchanges[number])
        if after is not None and any(market.reaches(after, stored, plan) for plan in plans):
            found.append(number)
    return found


def _plan_id(code: Code, of: Bill, plan: Plan, v: Vector) -> str:
    resources = len(code.game.resources)
    wild = tuple((resources + group, number) for group, number, _ in plan.wild)
    words = f"pay {code.names.amounts(plan.needs + wild)}"
    return (
        f"{words}, for {code.names.amounts(code.planner.price(of.asked(v, v[FP])).reward)}" if plan.bracket else words
    )
