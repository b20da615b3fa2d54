"""Changes of amounts, and the triggers they fire; see docs/program.md, *Amounts* and
*Abilities*.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from targi_dsl.engine.code import Code, Value
from targi_dsl.engine.faults import FIRED, Fault, out_of_domain
from targi_dsl.engine.run import Calls, Run, Vector
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import Trigger

Conditions = Iterable[Value | None]  # of the triggers of a program, in order; None: always
Watched = list[tuple[Trigger, Value | None]]  # triggers on one event, each with its condition


class Happenings:
    """Changes amounts and finds the triggers of each event (verb and subject), in order."""

    def __init__(self, code: Code, conditions: Conditions) -> None:
        self.code, self.program = code, code.program
        self.slots, self.players = code.slots, code.players
        self.bodies = frozenset(trigger.body for trigger in self.program.triggers)
        self.watched: dict[tuple[str, int], Watched] = {}
        for trigger, test in zip(self.program.triggers, conditions, strict=True):
            self.watched.setdefault((trigger.verb, trigger.subject), []).append((trigger, test))

    def gain(self, v: Vector, run: Run, who: int, resource: int, number: int, source: int) -> Calls:
        """A player gains something; returns the calls that this triggers."""
        program = self.program
        slot = self.slots.amounts + resource * self.players + who
        self.change(v, slot, number, f"{program.resources[resource]} of {program.players[who]}")
        run.tell(v, "gain", who, resource, number, source)
        return self.fired(v, run, "gain", resource, who, source)

    def change(self, v: Vector, slot: int, number: int, name: str) -> None:
        """Adds to a slot of the position; a fault if the result is outside its domain."""
        after = v[slot] + number
        low, high = self.slots.lows[slot], self.slots.highs[slot]
        if not low <= after <= high:
            out_of_domain(name, after, low, high)
        v[slot] = after

    def spend(
        self, v: Vector, run: Run, resource: int, number: int, stored: list[tuple[int, int]]
    ) -> None:
        """You pay something, from what is stored first."""
        you, left = run.frame[0], number
        for held, slot in stored:
            if held == resource:
                part = min(v[slot], left)
                v[slot] -= part
                left -= part
        v[self.slots.amounts + resource * self.players + you] -= left
        if number > 0:
            run.tell(v, "pay", you, resource, number)

    def exchange(self, v: Vector, run: Run, number: int) -> Calls:
        """You make a free exchange; returns the calls that this triggers."""
        you, exchange = run.frame[0], self.program.exchanges[number]
        run.tell(v, "exchange", you, number)
        for resource, count in exchange.give:
            self.spend(v, run, resource, count, [])
        calls: Calls = []
        for resource, _ in exchange.give:
            calls += self.fired(v, run, "pay", resource, you, NOTHING)
        for resource, count in exchange.take:
            calls += self.gain(v, run, you, resource, count, NOTHING)
        return calls

    def use(self, v: Vector, run: Run, ability: int, player: int) -> None:
        """Counts one use of the ability's window, if it has one."""
        window = self.code.table.window(ability, player)
        if window != NOTHING:
            v[window] += 1
            run.tell(v, "use", player, ability)

    def fired(self, v: Vector, run: Run, verb: str, subject: int, actor: int, source: int) -> Calls:
        """The calls of all triggers on an event: the actor's first, then in seat order; of one
        owner by ability number.
        """
        calls: Calls = []
        if (watched := self.watched.get((verb, subject))) is None:
            return calls
        owners = [(actor + turn) % self.players for turn in range(self.players)]
        for owner, (trigger, test) in product(owners, watched):
            if trigger.actor == ("opponent" if owner == actor else "you"):
                continue
            if trigger.kind not in (NOTHING, self.code.table.kind_of[source]):
                continue
            if test is not None and not test(v, self._frame(run, trigger, owner)):
                continue
            if trigger.memory != NOTHING:
                v[trigger.memory + owner] = 1
            calls += self.fire(v, run, trigger, owner)
        return calls

    def fire(self, v: Vector, run: Run, trigger: Trigger, owner: int) -> Calls:
        """The call of a trigger for this owner, counting a use of its window; none if the ability
        is not active or the trigger is already in progress.
        """
        if not self.code.activity(trigger.ability)(v, owner):
            return []
        depth = 1
        entries = self.code.frames.entries
        started = [(run.rule, run.frame)]
        started += [(rule, frame) for frame, rule, at in run.stack if at != entries[rule]]
        for rule, frame in started:
            if rule == trigger.body and frame[0] == owner:
                return []
            depth += rule in self.bodies
        if depth > FIRED:
            raise Fault(
                "E608",
                f"more than {FIRED} nested triggers",
                "They seem to set each other off.",
            )
        self.use(v, run, trigger.ability, owner)
        return [(trigger.body, owner, ())]

    def _frame(self, run: Run, trigger: Trigger, owner: int) -> list[int]:
        size = self.code.frames.sizes[trigger.body]
        return [owner, *[0] * (size - 1), run.frame[-1]]
