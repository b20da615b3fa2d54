"""Liveness analysis, a backward dataflow analysis of frame slots: a slot is live at an address if
it may be read from there on before it is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from targi_dsl.compiler.emit.assembler import Slots
from targi_dsl.ir import expressions as e
from targi_dsl.ir import guards as g
from targi_dsl.ir import instructions as ins
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import Terms
from targi_dsl.ir.program import Question, Way
from targi_dsl.ir.walk import children

_NONE: Slots = frozenset()


class Liveness:
    """Computes the live slots at every address as a fixpoint.

    `permits`: for each prohibition, the abilities that lift it, with conditions. `sizes`: the
    numbers of groups and of resources.
    """

    def __init__(
        self,
        code: Sequence[ins.Instruction],
        questions: Sequence[Question],
        permits: Sequence[tuple[tuple[int, e.Expr], ...]],
        terms: Sequence[Terms],
        sizes: tuple[int, int],
    ) -> None:
        self.code, self.questions, self.permits, self.terms = code, questions, permits, terms
        self.groups, self.resources = sizes
        self.ways = [tuple(self._successors(one)) for one in code]
        self.live = self._fixpoint([self._reads(one.operation) for one in code])

    def with_words(self, words: Sequence[Slots], said: Sequence[Slots]) -> Sequence[Slots]:
        """The slots at every address that are live or that words for people may read from there on:
        those of a question and of its answers. words: the slots that each wording reads, and none
        at the end; said: those that the words of each rule read.
        """
        asked = (ins.Ask, ins.Pay, ins.PayUnit)
        reads = [
            self._of_words(one.operation, words) | said[one.rule]
            if isinstance(one.operation, asked)
            else _NONE
            for one in self.code
        ]
        if not any(reads):
            return self.live
        return self._fixpoint([live | more for live, more in zip(self.live, reads, strict=True)])

    def _fixpoint(self, reads: Sequence[Slots]) -> list[Slots]:
        """What is read at every address or, before it is written, from there on."""
        found, changed = [*reads], True
        while changed:
            changed = False
            for at in range(len(reads) - 1, -1, -1):
                slots = reads[at].union(*(found[to] - written for to, written in self.ways[at]))
                if slots != found[at]:
                    found[at], changed = slots, True
        return found

    def _of_words(self, node: ins.Operation, words: Sequence[Slots]) -> Slots:
        if not isinstance(node, ins.Ask):
            return _NONE
        found = set[int]()
        for way in self.questions[node.question].ways:
            found |= words[way.wording] - ({way.choice.slot} if way.choice else _NONE)
        return frozenset(found)

    def _successors(self, one: ins.Instruction) -> Iterator[tuple[int, Slots]]:
        """The successors of an instruction, each with the slots that are written on the way to
        it.
        """
        match one.operation:
            case ins.Over() | ins.NextRound() | ins.Return() | s.EndGame():
                return
            case ins.Branch(_, otherwise) | ins.Test(_, otherwise):
                yield otherwise, _NONE
            case ins.NextElement(slot, _, done):
                yield done, _NONE
                yield one.next, frozenset((slot,))
                return
            case ins.Ask(question, otherwise):
                for way in self.questions[question].ways:
                    yield way.target, frozenset((way.choice.slot,)) if way.choice else _NONE
                if otherwise != NOTHING:
                    yield otherwise, _NONE
                return
            case ins.Random(question):
                (way,) = self.questions[question].ways
                assert way.choice is not None
                yield one.next, frozenset((way.choice.slot,))
                return
            case ins.Pay(question, otherwise):
                yield one.next, frozenset(self._open(question))
                if otherwise != NOTHING:
                    yield otherwise, _NONE
                return
            case s.Let(slot, _) | ins.Roll(_, slot, _, _):
                yield one.next, frozenset((slot,))
                return
        yield one.next, _NONE

    def _open(self, question: int) -> Iterator[int]:
        """The slots that hold what remains to be paid."""
        bill = self.questions[question].bill
        assert bill is not None
        yield bill.bracket
        yield from range(bill.owed, bill.owed + self.groups)
        if bill.paid != NOTHING:
            yield from range(bill.paid, bill.paid + self.resources)

    def _reads(self, node: ins.Operation) -> Slots:
        match node:
            case ins.Ask(question) | ins.Random(question):
                ways = self.questions[question].ways
                return self._of_ways(ways)
            case ins.Pay(question):
                return self._of_bill(question)
            case ins.PayUnit(question) | ins.Settle(question):
                return self._of_bill(question) | frozenset(self._open(question))
            case ins.NextElement(slot, within):
                return self.reads(within) | {slot}
            case ins.Shuffle(_, place, work):
                return self.reads(place) | {work}
            case ins.Test(guard):
                return self._of_guard(guard)
            case s.Forbid(forbid, condition):
                return self.reads(condition) | self.reads(self.permits[forbid])
            case _:
                return self.reads(node)

    def _of_bill(self, question: int) -> Slots:
        bill = self.questions[question].bill
        assert bill is not None
        return self._of_price(bill.price, bill.terms)

    def _of_price(self, price: e.PriceExpr, terms: int) -> Slots:
        return self.reads(price) | (self.reads(self.terms[terms]) if terms != NOTHING else _NONE)

    def _of_ways(self, ways: Sequence[Way]) -> Slots:
        return _NONE.union(*(self._of_way(one) for one in ways))

    def _of_way(self, way: Way) -> Slots:
        within = self.reads(way.choice.within) if way.choice else _NONE
        chosen = frozenset((way.choice.slot,)) if way.choice else _NONE
        return self.reads(way.when) | within | self._of_guard(way.guard) - chosen

    def _of_guard(self, guard: g.Guard) -> Slots:
        found, bound = _NONE, _NONE
        for one in guard:
            found |= self._of_conjunct(one) - bound
            if isinstance(one, g.Bind):
                bound |= {one.slot}
        return found

    def _of_conjunct(self, one: g.Conjunct) -> Slots:
        match one:
            case g.Need(_, forbid, condition):
                return self.reads(condition) | self.reads(self.permits[forbid])
            case g.Payable(_, price, terms):
                return self._of_price(price, terms)
            case g.Split(test, then, otherwise):
                return self.reads(test) | self._of_guard(then) | self._of_guard(otherwise)
            case g.Answer(_, question, ways):
                return self._of_ways([self.questions[question].ways[at] for at in ways])
            case g.FirstTurn(_, slot, limit, body):
                return self.reads(limit) | self._of_guard(body) - {slot}
            case _:
                return self.reads(one)

    def reads(self, node: object) -> Slots:
        """The frame slots that an expression, or any tree of expressions, reads: its free
        locals.
        """
        match node:
            case e.Local(slot):
                return frozenset((slot,))
            case (
                e.Filter(slot, within, inner)
                | e.Map(slot, within, inner)
                | e.Exists(slot, within, inner)
                | e.Fold(_, slot, within, inner)
            ):
                return self.reads(within) | self.reads(inner) - {slot}
            case e.Reached(slot, start, step, within):
                return self.reads(start) | self.reads(within) | self.reads(step) - {slot}
            case e.CanPay(price, terms):
                return self._of_price(price, terms)
            case _:
                return _NONE.union(*map(self.reads, children(node)))
