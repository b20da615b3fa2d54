"""Changes of amounts, and the triggers they fire; see docs/program.md, *Amounts*."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import product

from targi_dsl.engine.expressions import Value
from targi_dsl.engine.faults import FIRED, Fault
from targi_dsl.engine.guards import Guards
from targi_dsl.engine.run import Calls, Run
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.declarations import Stored, Trigger
from targi_dsl.ir.domains import Domains
from targi_dsl.ir.program import Program


class Amounts(Guards):
    """Changes amounts. watched: by event (verb and subject), the triggers on it in order, each with
    its condition.
    """

    def __init__(self, program: Program, domains: Domains) -> None:
        super().__init__(program, domains)
        self.watched = defaultdict[tuple[str, int], list[tuple[Trigger, Value]]](list)
        for trigger in program.triggers:
            condition = self.value(trigger.condition)
            self.watched[trigger.verb, trigger.subject].append((trigger, condition))

    def gain(self, run: Run, who: int, resource: int, number: int, source: int = NOTHING) -> Calls:
        """A player gains something; returns the calls that this triggers."""
        slot = self.slots.amounts + resource * self.players + who
        name = f"{self.program.resources[resource]} of {self.program.players[who]}"
        self.change(run, slot, number, name)
        run.tell("gain", who, resource, number, source)
        return self.fired(run, "gain", resource, who, source)

    def change(self, run: Run, slot: int, number: int, name: str) -> None:
        """Adds to a slot of the position; a fault if the result is outside its domain."""
        after, low, high = run.v[slot] + number, self.slots.lows[slot], self.slots.highs[slot]
        if not low <= after <= high:
            text = f"It must be from {low} to {high}."
            raise Fault("E605", f"{name} would become {after}", text)
        run.v[slot] = after

    def spend(
        self, run: Run, resource: int, number: int, stored: Iterable[Stored] = (),
        is_loss: bool = False,
    ) -> None:  # fmt: skip
        """You pay or lose something, from stores first."""
        you, left = run.frame[YOU], number
        for one in stored:
            if one.resource == resource:
                part = min(run.v[one.slot], left)
                run.v[one.slot] -= part
                left -= part
        run.v[self.slots.amounts + resource * self.players + you] -= left
        if number > 0:
            run.tell("lose" if is_loss else "pay", you, resource, number)

    def exchange(self, run: Run, number: int) -> Calls:
        """You make a free exchange; returns the calls that this triggers."""
        you, exchange, calls = run.frame[YOU], self.program.exchanges[number], Calls()
        run.tell("exchange", you, number)
        for resource, count in exchange.give:
            self.spend(run, resource, count)
        for resource, _ in exchange.give:
            calls += self.fired(run, "pay", resource, you)
        for resource, count in exchange.take:
            calls += self.gain(run, you, resource, count)
        return calls

    def fired(self, run: Run, verb: str, subject: int, actor: int, source: int = NOTHING) -> Calls:
        """The calls of all triggers on an event: the actor's first, then in seat order."""
        calls, kind = Calls(), self.program.cards[source].kind if source != NOTHING else NOTHING
        owners = [(actor + turn) % self.players for turn in range(self.players)]
        for owner, (trigger, holds) in product(owners, self.watched[verb, subject]):
            is_unfit = trigger.actor == ("opponent" if owner == actor else "you")
            if is_unfit or trigger.kind not in (NOTHING, kind):
                continue
            rest = [0] * (self.sizes[trigger.body] - 1)
            if not holds(run.v, [owner, *rest, run.frame[-1]]):
                continue
            if trigger.memory != NOTHING:
                run.v[trigger.memory + owner] = 1
            calls += self.fire(run, trigger, owner)
        return calls

    def fire(self, run: Run, trigger: Trigger, owner: int) -> Calls:
        """The call of a trigger for this owner, which uses up its window; none if the ability is
        not active or the trigger is already running.
        """
        if not self.is_active(run.v, trigger.ability, owner):
            return []
        procedures, bodies = self.program.procedures, {one.body for one in self.program.triggers}
        begun = [(frame, rule) for frame, rule, at in run.stack if at != procedures[rule].entry]
        begun.append((run.frame, run.rule))
        if any(rule == trigger.body and frame[YOU] == owner for frame, rule in begun):
            return []
        if sum(rule in bodies for _, rule in begun) >= FIRED:
            title = f"more than {FIRED} nested triggers"
            raise Fault("E608", title, "They seem to set each other off.")
        self.use(run, trigger.ability, owner)
        return [(trigger.body, owner, ())]
