"""What happens to amounts, and who has been waiting for it: gains, payments, exchanges, triggers."""

from __future__ import annotations

from targi_dsl.engine import expressions
from targi_dsl.engine.code import Calls, Code, Run, Vector, Watched
from targi_dsl.engine.faults import FIRED, Fault, out_of_domain
from targi_dsl.ir.model import FP, FRAME_HEAD, NOTHING, Trigger


def watched(code: Code) -> dict[tuple[str, int], Watched]:
    """The triggers of each event (verb and subject), by number of their ability."""
    found: dict[tuple[str, int], Watched] = {}
    for trigger in sorted(code.game.triggers, key=lambda one: one.ability):
        test = expressions.condition(code, trigger.condition)
        found.setdefault((trigger.verb, trigger.subject), []).append((trigger, test))
    return found


def gain(
    code: Code, v: Vector, run: Run, who: int, resource: int, number: int, source: int
) -> Calls:
    """A player gains something; what is to be done because of it."""
    slot = code.slots.amounts + resource * code.players + who
    change(code, v, slot, number, f"{code.game.resources[resource]} of {code.game.players[who]}")
    if run.events is not None:
        run.tell(v, "gain", who, resource, number, source)
    return fired(code, v, run, "gain", resource, who, source)


def change(code: Code, v: Vector, slot: int, number: int, name: str) -> None:
    """Adds to a slot of the position; a fault when that leaves the slot's domain."""
    after = v[slot] + number
    if not code.slots.lows[slot] <= after <= code.slots.highs[slot]:
        out_of_domain(name, after, code.slots.lows[slot], code.slots.highs[slot])
    v[slot] = after


def spend(
    code: Code, v: Vector, run: Run, resource: int, number: int, stored: list[tuple[int, int]]
) -> None:
    """You pay something; what is stored pays first."""
    you, left = v[v[FP]], number
    for kept, slot in stored:
        if kept == resource:
            part = min(v[slot], left)
            v[slot] -= part
            left -= part
    v[code.slots.amounts + resource * code.players + you] -= left
    if run.events is not None and number > 0:
        run.tell(v, "pay", you, resource, number)


def exchange(code: Code, v: Vector, run: Run, number: int) -> Calls:
    """You make a free exchange; what is to be done because of it."""
    you, one = v[v[FP]], code.market.exchanges[number]
    if run.events is not None:
        run.tell(v, "exchange", you, number)
    for resource, count in one.give:
        spend(code, v, run, resource, count, [])
    calls = [
        call
        for resource, _ in one.give
        for call in fired(code, v, run, "pay", resource, you, NOTHING)
    ]
    return calls + [
        call
        for resource, count in one.take
        for call in gain(code, v, run, you, resource, count, NOTHING)
    ]


def fired(
    code: Code, v: Vector, run: Run, verb: str, subject: int, actor: int, source: int
) -> Calls:
    """The bodies of the triggers on an event: of the actor first, then in seat order, of one owner
    by ability number.
    """
    watching = code.watched.get((verb, subject))
    calls: Calls = []
    if watching is None:
        return calls
    for turn in range(code.players):
        owner = (actor + turn) % code.players
        for trigger, test in watching:
            if (trigger.actor == "you" and turn) or (trigger.actor == "opponent" and not turn):
                continue
            if trigger.kind not in (NOTHING, code.kind_of[source]):
                continue
            if test is not None:
                inner = code.scratch(v, v[FP], NOTHING, owner, code.sizes[trigger.body])
                holds = test(v, inner)
                del v[inner - FRAME_HEAD :]
                if not holds:
                    continue
            if trigger.memory != NOTHING:
                v[trigger.memory + owner] = 1
            calls += fire(code, v, run, trigger, owner)
    return calls


def fire(code: Code, v: Vector, run: Run, trigger: Trigger, owner: int) -> Calls:
    """The body of a trigger of this owner, its window used, unless it is not at work or is being
    done already.
    """
    if not code.is_active(v, trigger.ability, owner):
        return []
    fp, depth, back = v[FP], 1, NOTHING
    while fp > 0:
        rule = v[fp - 1]
        if back != code.entries[rule]:  # else it waits behind the frame above, and has not begun
            if rule == trigger.body and v[fp] == owner:
                return []
            depth += rule in code.fired
        back, fp = v[fp - FRAME_HEAD], v[fp - 2]
    if depth > FIRED:
        raise Fault(
            "E608",
            f"more than {FIRED} triggers within each other",
            "They seem to set each other off.",
        )
    code.use(v, run, trigger.ability, owner)
    return [(trigger.body, owner, ())]
