"""Finds where the functions of generated rules begin, and which rules are inlined."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from targi_dsl.ir import instructions as ins
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.program import NEXT_ROUND, OVER, RETURN, Program

REFERENCE = (ins.Shuffle, ins.Roll, ins.Random)
"""Instructions that are left to the reference."""


LEAF = 12
"""The most instructions of a rule that is inlined."""


class Graph:
    """The control flow of rules, as far as it is known before they are generated."""

    def __init__(self, program: Program) -> None:
        self.program, self._leaves = program, dict[int, bool]()

    # ---- what may call rules ----

    def is_watched(self, verb: str, subject: int | None = None) -> bool:
        """Whether an event has triggers."""
        return any(
            one.verb == verb and subject in (None, one.subject) for one in self.program.triggers
        )

    @cached_property
    def stirs(self) -> bool:
        """Whether a card that moves may call rules."""
        arriving = any(one.arrival != NOTHING for one in self.program.abilities)
        refilled = any(one.refill_at_once for one in self.program.places)
        return arriving or refilled or any(one.memory != NOTHING for one in self.program.triggers)

    def rewards(self, question: int) -> bool:
        """Whether the end of a payment can have an effect."""
        bill = self.program.questions[question].bill
        if bill is not None and bill.paid != NOTHING and self.is_watched("pay"):
            return True
        return any(price.reward for price in self.program.prices)

    # ---- where functions begin ----

    @cached_property
    def entries(self) -> list[int]:
        """The addresses at which a function begins."""
        code = self.program.code
        found = {one.entry for one in self.program.procedures} | {OVER, NEXT_ROUND, RETURN}
        for address, line in enumerate(code):
            match line.operation:
                case ins.Ask(_, otherwise) | ins.Pay(_, otherwise):
                    found |= {address, line.next, otherwise}
                case ins.PayUnit():
                    found |= {address, line.next}
                case ins.NextElement(_, _, done):
                    found.add(done)
                case s.Do(rule) if not self.is_leaf(rule):
                    found.add(line.next)
                case s.DoAction() | s.Refresh():
                    found.add(line.next)
                case ins.Settle(question) if self.rewards(question):
                    found.add(line.next)
                case s.Gain() if self.is_watched("gain"):
                    found.add(line.next)
                case s.Announce(rule) if self.is_watched("do", rule):
                    found.add(line.next)
                case s.MoveCards() if self.stirs:
                    found.add(line.next)
                case ins.Shuffle() | ins.Roll() | ins.Random():
                    found.add(line.next)
                case _:
                    pass
        found |= {way.target for one in self.program.questions for way in one.ways}
        found |= self._loops(found)
        return sorted(
            one for one in found if one >= 0 and not isinstance(code[one].operation, REFERENCE)
        )

    def is_leaf(self, rule: int) -> bool:
        """Whether a rule runs to its end without interruption: it asks no question and calls no
        other rule.
        """
        if rule not in self._leaves:
            self._leaves[rule] = self._runs_through(self.program.procedures[rule].entry)
        return self._leaves[rule]

    def _runs_through(self, entry: int) -> bool:
        waiting, met = [entry], set[int]()
        while waiting:
            at = waiting.pop()
            if at <= RETURN:
                continue
            if at in met or not self._is_plain(self.program.code[at].operation):
                return False
            met.add(at)
            waiting += self._onwards(at)
        return len(met) <= LEAF

    def _is_plain(self, operation: ins.Operation) -> bool:
        """Whether an instruction always continues in its own rule and needs no frame of it."""
        match operation:
            case ins.Nop() | ins.Open() | ins.Branch() | s.Let() | s.Assign() | s.Store():
                return True
            case s.Gain():
                return not self.is_watched("gain")
            case s.MovePieces() | s.Turn() | s.Reveal():
                return True
            case s.MoveCards():
                return not self.stirs
            case s.Announce(rule):
                return not self.is_watched("do", rule)
            case _:
                return False

    def _loops(self, entries: set[int]) -> set[int]:
        """The targets of backward jumps of a rule."""
        done, found = set[int](), set[int]()
        for entry in sorted(entries):
            path: list[tuple[int, Iterator[int]]] = []
            if entry >= 0 and entry not in done:
                path, on_path = [(entry, self._onwards(entry))], {entry}
                done.add(entry)
            while path:
                address, rest = path[-1]
                after = next(rest, None)
                if after is None:
                    path.pop()
                    on_path.discard(address)
                elif after in on_path:
                    found.add(after)
                elif after not in done:
                    done.add(after)
                    on_path.add(after)
                    path.append((after, self._onwards(after)))
        return found

    def _onwards(self, address: int) -> Iterator[int]:
        """The possible successors of an instruction within its rule."""
        line = self.program.code[address]
        found = [] if address in (OVER, NEXT_ROUND, RETURN) else [line.next]
        match line.operation:
            case ins.Branch(_, other) | ins.Test(_, other) | ins.NextElement(_, _, other):
                found.append(other)
            case ins.Ask(_, other) | ins.Pay(_, other):
                found.append(other)
            case _:
                pass
        return iter([one for one in found if one > RETURN])

    @cached_property
    def begins(self) -> frozenset[int]:
        chance = [
            at for at, one in enumerate(self.program.code) if isinstance(one.operation, REFERENCE)
        ]
        return frozenset([*self.entries, *chance])

    def meeting(self, one: int, other: int, stop: int) -> int:
        """The first address that both sides reach, unless a function begins before it."""
        ways = [self._ahead(one, stop), self._ahead(other, stop)]
        both = [address for address in ways[0] if address in ways[1]]
        for address in both:
            if all(later in self._ahead(address, stop) for later in both):
                return address
        return stop

    def _ahead(self, address: int, stop: int) -> list[int]:
        """The addresses that a function reaches from here."""
        found, waiting = list[int](), [address]
        while waiting:
            at = waiting.pop()
            if at in found:
                continue
            if at == stop:
                found.append(at)
                continue
            if at <= RETURN:
                continue
            if at in self.begins:
                continue
            found.append(at)
            waiting += self._onwards(at)
        return found
