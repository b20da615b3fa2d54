"""Static analysis of a program: what its definitions, guards and questions refer to."""

from __future__ import annotations

from functools import cached_property

from targi_dsl.engine.faults import SCRATCH
from targi_dsl.ir import expressions as e
from targi_dsl.ir import guards as g
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.program import Program
from targi_dsl.ir.walk import parts

Asker = tuple[str, int]  # define, guard, question, terms or forbid, and its number
_ASKING = (e.Call, e.CanDo, e.CanPay, g.Perform, g.PerformAction, g.Answer, g.Payable, g.Need)


class References:
    """The reference graph of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._depths: dict[Asker, int] = {}
        self._asked: dict[Asker, set[Asker]] = {}

    def depends_on_amounts(self, node: object) -> bool:
        """Whether a part of the program depends on anybody's amount of a resource."""
        if self._reads_amounts(node):
            return True
        waiting, met = [*self._references_of(node)], set[Asker]()
        while waiting:
            asker = waiting.pop()
            if asker in met:
                continue
            met.add(asker)
            if self._reads_amounts(self._content(asker)):
                return True
            if asker not in self._asked:
                self._asked[asker] = self._references_of(self._content(asker))
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
        """The greatest nesting depth below this one; the limit if it may be recursive."""
        if asker not in self._depths:
            self._depths[asker] = SCRATCH
            deepest = max(map(self._depth, self._references_of(self._content(asker))), default=0)
            self._depths[asker] = deepest + (asker[0] in ("define", "guard"))
        return self._depths[asker]

    def _references_of(self, node: object) -> set[Asker]:
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
