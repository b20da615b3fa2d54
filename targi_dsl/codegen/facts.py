"""Static analysis of a program: the bounds of values, which sets fit into a mask, and which
definitions and guards refer to each other.
"""

from __future__ import annotations

from functools import cached_property

from targi_dsl.engine.faults import SCRATCH
from targi_dsl.ir import expressions as e
from targi_dsl.ir import guards as g
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.domains import Domains
from targi_dsl.ir.inference import Inference
from targi_dsl.ir.program import Program
from targi_dsl.ir.types import HIGHEST, LOWEST
from targi_dsl.ir.walk import parts

Asker = tuple[str, int]  # define, guard, question, terms or forbid, and its number
Slots = tuple[t.Type, ...]  # the types of a frame's slots
_ASKING = (e.Call, e.CanDo, e.CanPay, g.Perform, g.PerformAction, g.Answer, g.Payable, g.Need)


class Facts:
    """The results of the analysis of one program."""

    def __init__(self, program: Program, domains: Domains) -> None:
        self.program, self.domains = program, domains
        self.inference = Inference(program)
        values = [len(names) for _, names in program.values]
        things = (program.cards, program.pieces, program.places, program.players, program.resources)
        self.width = max(256, *values, *map(len, things)) + 1
        self._depths: dict[Asker, int] = {}
        self._reading: dict[Asker, bool] = {}
        self._asked: dict[Asker, set[Asker]] = {}

    # ---- bounds ----

    def span(self, node: e.Expr, slots: Slots) -> tuple[int, int]:
        """The lowest and highest value that a number can have."""
        return self.span_of(t.element(self.inference.of(node, slots)))

    def span_of(self, type_: t.Type) -> tuple[int, int]:
        """The lowest and highest value of a type."""
        match type_:
            case t.Number(low, high):
                return low, high
            case t.Price() | t.Unknown():
                return LOWEST, HIGHEST
            case _:
                domain = self.domains.of(type_)
                return domain.low, domain.high

    def result(self, op: str, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
        """The lowest and highest result of an operation, ignoring overflow."""
        match op:
            case "+":
                return left[0] + right[0], left[1] + right[1]
            case "-":
                return left[0] - right[1], left[1] - right[0]
            case "*":
                each = [a * b for a in left for b in right]
                return min(each), max(each)
            case _:
                furthest = max(abs(left[0]), abs(left[1]))
                return -furthest, furthest

    # ---- masks ----

    def fits(self, elements: tuple[int, ...]) -> bool:
        """Whether a constant set can be a mask."""
        return all(0 <= one < self.width for one in elements)

    def is_mask_type(self, type_: t.Type) -> bool:
        """Whether sets of such elements are represented as masks."""
        match t.element(type_):
            case t.Number(low, high):
                return low >= NOTHING and high < self.width
            case t.Price() | t.Unknown() | t.Nothing():
                return False
            case _:
                return True

    def is_mask(self, node: e.Expr, slots: Slots) -> bool:
        """Whether the elements of a set are small numbers, so that it can be a mask."""
        match node:
            case e.Const(tuple(elements)):
                return self.fits(elements)
            case e.Pick(sets, _) | e.Image(sets, _):
                return all(map(self.fits, sets))
            case e.MakeSet(items):
                return all(self.is_mask_type(self.inference.of(one, slots)) for one in items)
            case e.Range(low, high):
                return self.span(low, slots)[0] >= 0 and self.span(high, slots)[1] < self.width
            case e.SetOp("plus", left, right) | e.Cond(_, left, right):
                return self.is_mask(left, slots) and self.is_mask(right, slots)
            case e.SetOp(_, left, _):
                return self.is_mask(left, slots)
            case e.Filter(_, within, _) | e.Lying(_, within, _) | e.Reached(_, _, _, within):
                return self.is_mask(within, slots)
            case e.Map(_, _, value):
                return self.is_mask_type(self.inference.of(value, slots))
            case e.CardsOn() | e.Places():
                return True
            case e.Local(slot):
                return self.is_mask_type(slots[slot])
            case e.Call(define, _):
                return self.is_mask_type(self.program.defines[define].type)
            case _:
                return False

    def is_set(self, node: e.Expr, slots: Slots) -> bool:
        """Whether an expression yields a set."""
        return isinstance(self.inference.of(node, slots), t.SetOf)

    # ---- who asks whom ----

    def needs_context(self, asker: Asker) -> bool:
        """Whether a definition or guard depends on the rules in progress."""
        if asker not in self._reading:
            self._reading[asker] = self.is_deep
            self._reading[asker] = self.is_deep or self._reads_context(self._content(asker))
        return self._reading[asker]

    def reads_amounts(self, question: int) -> bool:
        """Whether the options of a question depend on anybody's amount of a resource."""
        return self.depends_on_amounts(self._content(("question", question)))

    def depends_on_amounts(self, node: object) -> bool:
        """Whether a part of the program depends on anybody's amount of a resource."""
        if self._reads_amounts(node):
            return True
        waiting, met = [*self._named(node)], set[Asker]()
        while waiting:
            asker = waiting.pop()
            if asker in met:
                continue
            met.add(asker)
            if self._reads_amounts(self._content(asker)):
                return True
            if asker not in self._asked:
                self._asked[asker] = self._named(self._content(asker))
            waiting += self._asked[asker]
        return False

    def _reads_amounts(self, node: object) -> bool:
        slots = self.program.slots
        for one in parts(node, (e.Var, e.CanPay, g.Payable)):
            match one:
                case e.Var(base) if not slots.amounts <= base < slots.card_place:
                    pass
                case _:
                    return True
        return False

    def _reads_context(self, node: object) -> bool:
        if any(True for _ in parts(node, e.During)):
            return True
        return any(map(self.needs_context, self._named(node)))

    @cached_property
    def is_deep(self) -> bool:
        """Whether the nesting of definitions and guards may exceed the limit."""
        numbers = {
            "define": len(self.program.defines),
            "guard": len(self.program.procedures),
        }
        askers = [(kind, number) for kind, many in numbers.items() for number in range(many)]
        return any(self._depth(one) >= SCRATCH - 1 for one in askers)

    def _depth(self, asker: Asker) -> int:
        """How deeply others are nested within this one; the limit if it may refer to itself."""
        if asker not in self._depths:
            self._depths[asker] = SCRATCH
            deepest = max(map(self._depth, self._named(self._content(asker))), default=0)
            self._depths[asker] = deepest + (asker[0] in ("define", "guard"))
        return self._depths[asker]

    def _named(self, node: object) -> set[Asker]:
        """What a part of the program refers to directly."""
        found = set[Asker]()
        for one in parts(node, _ASKING):
            match one:
                case e.Call(define, _):
                    found.add(("define", define))
                case e.CanDo(rule, _) | g.Perform(rule, _):
                    found.add(("guard", rule))
                case g.PerformAction():
                    found |= {("guard", rule) for rule in self.program.actions if rule != NOTHING}
                case g.Answer(_, question, _):
                    found.add(("question", question))
                case e.CanPay(_, terms) | g.Payable(_, _, terms) if terms != NOTHING:
                    found.add(("terms", terms))
                case g.Need(_, forbid, _):
                    found.add(("forbid", forbid))
                case _:
                    pass
        return found

    def _content(self, asker: Asker) -> object:
        kind, number = asker
        match kind:
            case "define":
                return self.program.defines[number].value
            case "guard":
                return self.program.procedures[number].guard
            case "question":
                ways = self.program.questions[number].ways
                return tuple((one.choice, one.when, one.guard) for one in ways)
            case "terms":
                return self.program.terms[number]
            case _:
                return self.program.prohibitions[number].permits
