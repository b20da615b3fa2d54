"""The assembler: instructions, points and questions, with labels in place of addresses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from targi_dsl.ir import expressions as e
from targi_dsl.ir import guards as g
from targi_dsl.ir import instructions as ins
from targi_dsl.ir import program as p
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING, YOU, QuestionKind
from targi_dsl.text.source import Span
from targi_dsl.text.structs import Frozen


class Label:
    """An address that may not be placed yet, or an alias of another label."""

    __slots__ = ("address", "other")

    def __init__(self, address: int = NOTHING) -> None:
        self.address = address
        self.other: Label | None = None

    def stands_for(self, other: Label) -> None:
        """Makes this label an alias."""
        self.other = other

    def resolve(self) -> int:
        """The address; everything must have been placed."""
        if self.other is not None:
            return self.other.resolve()
        assert self.address != NOTHING, "a label that stands nowhere"
        return self.address


OVER, NEXT_ROUND, RETURN = (Label(at) for at in (p.OVER, p.NEXT_ROUND, p.RETURN))


class _Line(Frozen):
    """An instruction whose addresses are labels: those in its fields, by field name, and the next
    one.
    """

    operation: ins.Operation
    labels: tuple[tuple[str, Label], ...]
    next: Label | None
    rule: int
    span: Span | None


class _Point(Frozen):
    rule: int
    label: str
    at: Label
    question: int


Slots = frozenset[int]
_Way = tuple[s.Alternative, g.Guard, Label]


class _Pending(Frozen):
    """A question under construction."""

    name: str
    kind: QuestionKind
    rule: int
    point: int
    ways: Sequence[_Way]
    bill: p.Bill | None
    secret: bool = False
    in_any_case: bool = False


class Assembler:
    """A program under construction. `rule`: the number of the rule being emitted."""

    def __init__(self) -> None:
        self.rule = NOTHING
        self._lines: list[_Line] = []
        self._points: list[_Point] = []
        self._pending: list[_Pending | None] = []
        self._numbers: dict[int, int] = {}  # by the identity of an Ask of the rule
        self._ordinals: Counter[tuple[int, str]] = Counter()
        for operation in (ins.Over(), ins.NextRound(), ins.Return()):
            self._lines.append(_Line(operation, (), None, NOTHING, None))

    def begin(self, rule: int) -> None:
        """Starts emitting a rule."""
        self.rule = rule
        self._numbers.clear()

    def emit(
        self,
        here: Label,
        operation: ins.Operation,
        following: Label | None,
        span: Span | None,
        *labels: tuple[str, Label],
    ) -> None:
        """Appends an instruction at `here`. `labels`: its address operands by field name."""
        here.address = len(self._lines)
        self._lines.append(_Line(operation, labels, following, self.rule, span))

    def wait(self, label: str, at: Label, question: int = NOTHING) -> int:
        """Adds a point of the rule, where a state can wait; points of the same name are
        numbered.
        """
        self._ordinals[self.rule, label] += 1
        count = self._ordinals[self.rule, label]
        self._points.append(
            _Point(self.rule, label if count == 1 else f"{label} {count}", at, question)
        )
        return len(self._points) - 1

    def asks(
        self,
        name: str,
        kind: QuestionKind,
        here: Label,
        bill: p.Bill | None = None,
        secret: bool = False,
    ) -> int:
        """Adds a question that is not an Ask; returns its number."""
        number = len(self._pending)
        point = self.wait("pay unit" if kind == "unit" else kind, here, number)
        self._pending.append(_Pending(name, kind, self.rule, point, [], bill, secret))
        return number

    def number(self, node: s.Ask | s.Random) -> int:
        """The number of the question of an Ask or a random choice; reserved on first use."""
        if id(node) not in self._numbers:
            self._numbers[id(node)] = len(self._pending)
            self._pending.append(None)
        return self._numbers[id(node)]

    def ask(self, node: s.Ask, point: int, ways: Sequence[_Way]) -> None:
        """Completes the question of an Ask, now that its ways are emitted."""
        how = node.manner.secret, node.manner.in_any_case
        asked = _Pending(node.name, "ask", self.rule, point, ways, None, *how)
        self._pending[self.number(node)] = asked

    def draws(self, node: s.Random, here: Label, after: Label) -> int:
        """Adds the question of a random choice; returns its number."""
        number = self.number(node)
        point = self.wait("random", here, number)
        way = s.Alternative(node.label, node.choice, e.Const(1), ()), (), after
        self._pending[number] = _Pending(node.label, "random", self.rule, point, [way], None)
        return number

    def code(self) -> tuple[ins.Instruction, ...]:
        return tuple(map(_resolve, self._lines))

    def questions(self) -> tuple[p.Question, ...]:
        return tuple(_question(one) for one in self._pending if one is not None)

    def points(self, live: Sequence[Slots], kept: Sequence[Slots]) -> tuple[p.Point, ...]:
        """The points; `live`: the live slots at each address; `kept`: also those of words."""
        return tuple(_point(one, live, kept) for one in self._points)


def _resolve(line: _Line) -> ins.Instruction:
    addresses = {name: label.resolve() for name, label in line.labels}
    operation = replace(line.operation, **addresses) if addresses else line.operation
    following = line.next.resolve() if line.next is not None else NOTHING
    return ins.Instruction(operation, following, line.rule, line.span)


def _question(one: _Pending) -> p.Question:
    ways = tuple(_way(*way) for way in one.ways)
    how = one.secret, one.in_any_case
    return p.Question(one.name, one.kind, one.rule, one.point, ways, one.bill, *how)


def _way(node: s.Alternative, holds: g.Guard, target: Label) -> p.Way:
    plain = node.choice is None and node.body in ((), (s.Leave(),))
    parts = node.label, node.choice, node.guard, holds
    return p.Way(*parts, target.resolve(), plain, node.wording)


def _point(one: _Point, live: Sequence[Slots], kept: Sequence[Slots]) -> p.Point:
    at = one.at.resolve()
    slots, shown = sorted(live[at] | {YOU}), sorted(kept[at] - live[at] - {YOU})
    return p.Point(one.rule, one.label, at, tuple(slots), one.question, tuple(shown))
