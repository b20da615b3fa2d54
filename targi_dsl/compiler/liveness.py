"""Which slots of a frame are read from an address on before they are written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass

from targi_dsl.ir import model as m
from targi_dsl.ir import program as p

Slots = frozenset[int]
_NONE: Slots = frozenset()


class Liveness:
    """The live slots at every address of a program in the making."""

    def __init__(
        self,
        code: Sequence[p.Instruction],
        questions: Sequence[p.Question],
        permits: Sequence[tuple[tuple[int, m.Expr], ...]],
        terms: Sequence[m.Terms],
        sizes: tuple[int, int],
    ) -> None:
        self.questions, self.permits, self.terms = questions, permits, terms
        self.groups, self.resources = sizes
        reads = [self._reads(one.operation) for one in code]
        ways = [tuple(self._ways(one)) for one in code]
        self.live = list(reads)
        changed = True
        while changed:
            changed = False
            for at in range(len(code) - 1, -1, -1):
                found = reads[at].union(*(self.live[to] - written for to, written in ways[at]))
                if found != self.live[at]:
                    self.live[at] = found
                    changed = True

    def _ways(self, one: p.Instruction) -> Iterator[tuple[int, Slots]]:
        """Where an instruction may go on, each with the slots that it has written by then."""
        match one.operation:
            case p.Over() | p.NextRound() | p.Return() | m.EndGame():
                return
            case p.Branch(_, otherwise) | p.Test(_, otherwise):
                yield otherwise, _NONE
            case p.NextElement(slot, _, done):
                yield done, _NONE
                yield one.next, frozenset((slot,))
                return
            case p.Ask(question, otherwise):
                for way in self.questions[question].ways:
                    yield way.target, frozenset((way.choice.slot,)) if way.choice else _NONE
                if otherwise != m.NOTHING:
                    yield otherwise, _NONE
                return
            case p.Pay(question, otherwise):
                yield one.next, frozenset(self._open(question))
                if otherwise != m.NOTHING:
                    yield otherwise, _NONE
                return
            case m.Let(slot, _) | p.Roll(_, slot, _, _):
                yield one.next, frozenset((slot,))
                return
            case _:
                pass
        yield one.next, _NONE

    def _open(self, question: int) -> Iterator[int]:
        """The slots that hold what of a payment is still open."""
        bill = self.questions[question].bill
        assert bill is not None
        yield bill.bracket
        yield from range(bill.owed, bill.owed + self.groups)
        if bill.paid != m.NOTHING:
            yield from range(bill.paid, bill.paid + self.resources)

    def _reads(self, node: p.Operation) -> Slots:
        match node:
            case p.Ask(question):
                ways = self.questions[question].ways
                return self._of_ways(ways)
            case p.Pay(question):
                return self._of_bill(question)
            case p.PayUnit(question) | p.Settle(question):
                return self._of_bill(question) | frozenset(self._open(question))
            case p.NextElement(slot, within):
                return self.reads(within) | {slot}
            case p.Shuffle(_, place, work):
                return self.reads(place) | {work}
            case p.Test(guard):
                return self._of_guard(guard)
            case m.Forbid(forbid, condition):
                return self.reads(condition) | self.reads(self.permits[forbid])
            case _:
                return self.reads(node)

    def _of_bill(self, question: int) -> Slots:
        bill = self.questions[question].bill
        assert bill is not None
        return self._of_price(bill.price, bill.terms)

    def _of_price(self, price: m.PriceExpr, terms: int) -> Slots:
        return self.reads(price) | (self.reads(self.terms[terms]) if terms != m.NOTHING else _NONE)

    def _of_ways(self, ways: Sequence[p.Way]) -> Slots:
        return _NONE.union(*(self._of_way(one) for one in ways))

    def _of_way(self, way: p.Way) -> Slots:
        within = self.reads(way.choice.within) if way.choice else _NONE
        chosen = frozenset((way.choice.slot,)) if way.choice else _NONE
        return self.reads(way.when) | within | self._of_guard(way.guard) - chosen

    def _of_guard(self, guard: p.Guard) -> Slots:
        found, bound = _NONE, _NONE
        for one in guard:
            found |= self._of_conjunct(one) - bound
            if isinstance(one, p.Bind):
                bound |= {one.slot}
        return found

    def _of_conjunct(self, one: p.Conjunct) -> Slots:
        match one:
            case p.Bind(_, value):
                return self.reads(value)
            case p.Need(_, forbid, condition):
                return self.reads(condition) | self.reads(self.permits[forbid])
            case p.Payable(_, price, terms):
                return self._of_price(price, terms)
            case p.Split(test, then, otherwise):
                return self.reads(test) | self._of_guard(then) | self._of_guard(otherwise)
            case p.Answer(_, question, ways):
                return self._of_ways([self.questions[question].ways[at] for at in ways])
            case p.FirstTurn(_, slot, limit, body):
                return self.reads(limit) | self._of_guard(body) - {slot}
            case _:
                return self.reads(one)

    def reads(self, node: object) -> Slots:
        """The slots of the frame that an expression, or every expression in something, reads."""
        match node:
            case m.Local(slot):
                return frozenset((slot,))
            case (
                m.Filter(slot, within, inner)
                | m.Map(slot, within, inner)
                | m.Exists(slot, within, inner)
                | m.Fold(_, slot, within, inner)
            ):
                return self.reads(within) | self.reads(inner) - {slot}
            case m.CanPay(price, terms):
                return self._of_price(price, terms)
            case tuple():
                return _NONE.union(*(self.reads(one) for one in node if not isinstance(one, int)))
            case _ if is_dataclass(node):
                return _NONE.union(*(self.reads(getattr(node, one.name)) for one in fields(node)))
            case _:
                return _NONE
