"""What all generators of Python share: the module under construction, and short texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from targi_dsl.codegen.facts import Facts
from targi_dsl.codegen.python.lines import Lines, Scope
from targi_dsl.codegen.python.occupancy import Occupancy
from targi_dsl.engine.alike import Alike
from targi_dsl.engine.code import Code
from targi_dsl.ir import expressions as e
from targi_dsl.ir.constants import YOU
from targi_dsl.ir.outcomes import outcome_base

HEAVY = 1_000
"""Work above this is counted on the meter at run time, all other work in advance."""

YOUR, FRAME = f"f[{YOU}]", "    f = run.frame"
OFTEN = 3
"""After this many uses of a frame's player, the player gets a name."""

SHORT = 60  # characters of a constant that is inlined
Write = Callable[[e.Expr, Scope, Lines], str]

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


class Numbers(Protocol):
    """Generates numbers and conditions. As sets are made of numbers, and numbers are computed from
    sets, neither module can import the other.
    """

    def number(self, node: e.Expr, scope: Scope, out: Lines) -> str:
        """A number."""

    def test(self, node: e.Expr, scope: Scope, out: Lines) -> str:
        """A condition."""

    def entry(self, values: tuple[object, ...], index: e.Expr, scope: Scope, out: Lines) -> str:
        """An entry of a table."""

    def call(self, define: int, arguments: tuple[e.Expr, ...], scope: Scope, out: Lines) -> str:
        """A call of a definition."""

    def either(
        self, write: Write, condition: e.Expr, then: e.Expr, otherwise: e.Expr,
        scope: Scope, out: Lines,
    ) -> str:  # fmt: skip
        """One of two values."""


class Masks(Protocol):
    """Generates sets."""

    def mask(self, node: e.Expr, scope: Scope, out: Lines) -> str:
        """A set as a mask."""

    def each(self, node: e.Expr, scope: Scope, out: Lines) -> str:
        """The elements of a set, ascending."""


class Unit:
    """What the generators of one program share: its analysis and the module under construction."""

    def __init__(self, code: Code, module: Module) -> None:
        self.program, self.table, self.module = code.program, code.table, module
        self.slots, self.costs = self.program.slots, module.costs
        self.facts, self.occupancy = Facts(self.program, code.domains), Occupancy(self.program)
        self.outcomes = outcome_base(self.program.variables)
        self.level = 1 << len(self.table.asked)
        self._alike = Alike(code)

    def scope(self, rule: int) -> Scope:
        """The frame of a rule."""
        return Scope(self.program.procedures[rule].slots)

    def is_crowded(self, question: int) -> bool:
        """Whether interchangeable things may be among the options of a question."""
        return self._alike.distinct(self.program.questions[question]) is not None

    def is_mask(self, node: e.Expr, scope: Scope) -> bool:
        """Whether a set is represented as a mask."""
        return self.facts.is_mask(node, scope.types)

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


def bits(elements: Iterable[int]) -> int:
    """The mask of some numbers, each of which may come several times."""
    return sum(1 << one for one in {*elements})


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
