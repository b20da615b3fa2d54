"""What all generators of Python share: the module under construction, and short texts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from targi_dsl.codegen.facts import Facts
from targi_dsl.codegen.python.lines import Lines, Scope
from targi_dsl.codegen.python.occupancy import Occupancy
from targi_dsl.engine.table import Table
from targi_dsl.ir import expressions as e
from targi_dsl.ir.constants import YOU
from targi_dsl.ir.outcomes import outcome_base
from targi_dsl.ir.program import Program

HEAVY = 1_000
"""Work above this is counted on the meter at run time, all other work in advance."""

YOUR, FRAME = f"f[{YOU}]", "    f = run.frame"
OFTEN = 3
"""After this many uses of a frame's player, the player gets a name."""

SHORT = 60  # characters of a constant that is inlined
HEADER = "# Generated from the rules of one game; do not edit."


class Module:
    """The module under construction, which is generated in pieces.

    names: of the constants, by their texts. costs: what a call of each function costs on the meter.
    longest: bounds how many instructions one function executes.
    """

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.costs: dict[str, int] = {}
        self.longest = 1
        self.functions: dict[str, list[str]] = {}
        self._constants: list[str] = []

    def constant(self, value: str, letter: str = "K") -> str:
        """The name of a constant with this text."""
        if value not in self.names:
            self.names[value] = name = f"{letter}{len(self.names)}"
            self._constants.append(f"{name} = {value}")
        return self.names[value]

    def piece(self) -> str:
        """The text of the constants and functions that are new since the last piece."""
        rows = [HEADER, "", *self._constants]
        for function in self.functions.values():
            rows += ["", "", *function]
        self._constants.clear()
        self.functions.clear()
        return "\n".join(rows) + "\n"


class Base(ABC):
    """Generates expressions; each subclass adds one kind of them."""

    def __init__(self, program: Program, facts: Facts, table: Table, module: Module) -> None:
        self.program, self.slots = program, program.slots
        self.facts, self.table, self.module = facts, table, module
        self.costs = module.costs
        self.occupancy = Occupancy(program)
        self.outcomes = outcome_base(program.variables)
        self.level = 1 << len(table.asked)

    @abstractmethod
    def number(self, node: e.Expr, scope: Scope, out: Lines) -> str:
        """The text of a number; lines that must come before it are added."""

    @abstractmethod
    def test(self, node: e.Expr, scope: Scope, out: Lines) -> str:
        """Like `number`, where only its truth matters."""

    @abstractmethod
    def mask(self, node: e.Expr, scope: Scope, out: Lines) -> str:
        """The text of a set as a mask."""

    @abstractmethod
    def each(self, node: e.Expr, scope: Scope, out: Lines) -> str:
        """The text of the elements of a set, ascending."""

    @abstractmethod
    def of_set(self, node: e.Expr, scope: Scope, out: Lines) -> str:
        """The text of a number computed from a set."""

    @abstractmethod
    def has_line(self, of: e.LongestLine, length: int, scope: Scope, out: Lines) -> str | None:
        """The text of a test whether a set has a straight line of this length; None if its longest
        line must be found.
        """

    @abstractmethod
    def contains(self, item: e.Expr, within: e.Expr, scope: Scope, out: Lines) -> str:
        """The text of a test whether a number is an element of a set."""

    @abstractmethod
    def some(self, node: e.Exists, scope: Scope, out: Lines) -> str:
        """The text of a test whether any element satisfies a condition."""

    @abstractmethod
    def asks(self, node: e.CanDo | e.CanPay, scope: Scope, out: Lines) -> str:
        """The text of a test of what can be done or paid."""

    def span(self, node: e.Expr, scope: Scope) -> tuple[int, int]:
        """The lowest and highest value that a number can have."""
        low, high = self.facts.span(node, scope.types)
        if isinstance(node, e.Local) and node.slot in scope.things:
            low = max(low, 0)
        return low, high

    def simple(self, text: str, out: Lines, letter: str = "x") -> str:
        """A text that can be repeated: a name or number."""
        if text.isidentifier() or text.lstrip("-").isdecimal():
            return text
        if text in out.known:
            return out.known[text]
        name = out.fresh(letter)
        out.add(f"{name} = {text}")
        out.learn(text, name)
        return name

    def large(self, value: object) -> str:
        """The text of a constant; a long one gets a name."""
        text = repr(value)
        if len(text) <= SHORT and "slice" not in text:
            return text
        return self.module.constant(text)

    def charge(self, out: Lines, inner: Lines, elements: str, many: int) -> None:
        """Counts the elements of a loop on the meter, before its lines are added."""
        cost = many * (1 + inner.cost)
        if cost <= HEAVY:
            out.cost += cost
            return
        out.add(f"v[1] += len({elements})")
        if inner.cost:
            inner.rows.insert(0, "    " * inner.depth + f"v[1] += {inner.cost}")
        inner.rows.insert(0, "    " * inner.depth + "if v[1] > PARTS: in_doubt()")

    def count(self, cost: int, out: Lines) -> None:
        """Counts the elements examined in one line."""
        if cost <= HEAVY:
            out.cost += cost
        else:
            out.add(f"v[1] += {cost}", "if v[1] > PARTS: in_doubt()")

    def define(
        self, name: str, parameters: str, write: Callable[[Lines], None], taken: int = 0,
        changing: bool = False,
    ) -> int:  # fmt: skip
        """Writes a function once; what a call of it costs on the meter. So many of the names that
        `Lines` invents are taken. changing: it changes the position.
        """
        if name in self.costs:
            return self.costs[name]
        self.costs[name] = 0
        self.module.functions[name] = []
        out = Lines(taken=taken, is_pure=not changing)
        write(out)
        out.rows = _with_you(out.rows, parameters)
        rows = [f"def {name}({parameters}):"]
        if out.cost > HEAVY or self.facts.is_deep:
            rows += [f"    v[1] += {out.cost + 1}", "    if v[1] > PARTS: in_doubt()"]
        else:
            self.costs[name] = out.cost + 1
        self.module.functions[name] = rows + (out.rows or ["    in_doubt()"])
        return self.costs[name]


def _with_you(rows: list[str], parameters: str) -> list[str]:
    """If a function uses the player of its frame several times, reads it once, unless the player
    changes.
    """
    begins = 1 if rows[:1] == [FRAME] else 0
    if not begins and "f" not in parameters.split(", "):
        return rows
    if any(f"{YOUR} =" in row for row in rows) or sum(row.count(YOUR) for row in rows) < OFTEN:
        return rows
    body = [row.replace(YOUR, "you") for row in rows[begins:]]
    return [*rows[:begins], f"    you = {YOUR}", *body]
