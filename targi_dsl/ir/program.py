"""The program of a game: everything an engine needs, with nothing left to resolve.

Rules are procedures in one flat list of instructions. Addresses are indices into that list and
have no meaning outside one program. Positions, records and people refer to *points* instead: a
rule and a label where a frame can wait. docs/program.md specifies every part.
"""

from __future__ import annotations

from msgspec import Struct, field

from targi_dsl.ir.constants import NOTHING, QuestionKind
from targi_dsl.ir.declarations import Amounts, Tables
from targi_dsl.ir.expressions import Arith, Const, Expr, PriceExpr, Var
from targi_dsl.ir.guards import Guard
from targi_dsl.ir.instructions import Instruction
from targi_dsl.ir.statements import Assign, Binding
from targi_dsl.ir.types import Number, Type
from targi_dsl.text.source import Span
from targi_dsl.text.structs import Frozen, Noted

OVER, NEXT_ROUND, RETURN = 0, 1, 2
"""The first three addresses of every program: the game is over, a round begins, a rule ends."""


class Way(Frozen):
    """One way to answer a question; if it has a choice, one option for each element of the set.
    `when` is evaluated once, before the elements; the guard once for each bound element. Continues
    at `target`. wording: the number of its wording, which is not part of the program.
    """

    label: str
    choice: Binding | None
    when: Expr
    guard: Guard
    target: int
    declines: bool
    wording: int = NOTHING


class Bill(Frozen):
    """A payment: the price, what may modify it, and the frame slots for what is still open:
    whether the extra has been paid, the wildcard units owed for each group, and how much of
    each resource has been paid. is_loss: it is told as a loss.
    """

    price: PriceExpr
    terms: int
    bracket: int
    owed: int
    paid: int
    is_loss: bool = False


OF_CHANCE: tuple[QuestionKind, ...] = ("shuffle", "roll", "random")
"""The kinds of questions that chance answers."""


class Question(Frozen):
    """A question. ways: of an ask, its alternatives; of a random choice, the set. bill: that of a
    payment or of its units. secret: no other player learns the answer, and no player at all learns
    what is rolled. in_any_case: a single option is asked for, too.
    """

    name: str
    kind: QuestionKind
    rule: int
    point: int
    ways: tuple[Way, ...] = ()
    bill: Bill | None = None
    secret: bool = False
    in_any_case: bool = False


class Point(Frozen):
    """Where a frame can wait: a label of its rule, the address where it continues, and its live
    slots, which are read from there on before they are written. `shown`: other slots that only
    words for people read. All slots that are neither are 0 while it waits.
    """

    rule: int
    label: str
    address: int
    live: tuple[int, ...]
    question: int = NOTHING
    shown: tuple[int, ...] = ()

    @property
    def kept(self) -> tuple[int, ...]:
        """The slots that keep their values while a frame waits there."""
        return self.live + self.shown


class Procedure(Noted):
    """A rule. The first `params` slots after the player are its arguments; `slots` has the type
    of every frame slot; `begin` is the point where it begins. `declared` is the declared rule:
    itself, or the one that abilities have wrapped.
    """

    notes = ("span",)
    name: str
    declared: str
    params: int
    slots: tuple[Type, ...]
    entry: int
    begin: int
    guard: Guard
    span: Span | None = None

    @property
    def arguments(self) -> tuple[Type, ...]:
        """The types of its arguments."""
        return self.slots[1 : 1 + self.params]


class Prohibition(Frozen):
    """What can lift a prohibition: abilities, each with a condition; those without a window come
    first.
    """

    name: str
    rule: int
    permits: tuple[tuple[int, Expr], ...]


class Card(Frozen):
    """One card. Cards with an equal `same` are interchangeable; `start` is the place before
    setup.
    """

    id: str
    kind: int
    same: int
    start: int


class Exchange(Frozen):
    """A free exchange of resources. when: the condition on which it is offered, or None; one that
    has a condition never makes a payment possible.
    """

    id: str
    give: Amounts
    take: Amounts
    when: Expr | None = None


class Program(Tables, kw_only=True, eq=False):
    """A game in the form that every engine runs."""

    cards: tuple[Card, ...]
    code: tuple[Instruction, ...]
    points: tuple[Point, ...]
    questions: tuple[Question, ...]
    procedures: tuple[Procedure, ...]
    prohibitions: tuple[Prohibition, ...]
    exchanges: tuple[Exchange, ...]
    refill: int
    engines: dict[str, object] = field(default_factory=dict)
    """What engines derive from it and cache, by key."""


def rounds_of(program: Program) -> int:
    """The slot of the variable in which the rules count rounds, or nothing: a single number with
    `round` or `rounds` in its name, which every rule that sets it increments.
    """
    for number, one in enumerate(program.variables):
        if one.each is not None or not {"round", "rounds"} & {*one.name.split("_")}:
            continue
        more = Arith("+", Var(one.base, Const(0), 0), Const(1))
        values = [
            step.operation.value
            for step in program.code
            if isinstance(step.operation, Assign) and step.operation.variable == number
        ]
        if isinstance(one.type, Number) and values and all(value == more for value in values):
            return one.base
    return NOTHING


WITH_EXPRESSIONS = (
    "code",
    "questions",
    "procedures",
    "defines",
    "prohibitions",
    "triggers",
    "terms",
    "scores",
    "ties",
)
"""The fields of a program that contain expressions."""


def with_expressions(program: Program) -> tuple[object, ...]:
    """All parts of a program that contain expressions."""
    return tuple(getattr(program, name) for name in WITH_EXPRESSIONS)


def as_data(node: object) -> object:
    """A program, or part of one, as plain data for JSON. Structs become objects with their
    class name under "is"; spans and engines are left out.
    """
    if isinstance(node, tuple):
        return [as_data(item) for item in node]
    if _meaning(type(node)) is None:
        return node
    return {name: as_data(value) for name, value in as_object(node).items()}


def as_object(node: object) -> dict[str, object]:
    """A struct of a program as an object, whose values are not yet plain data."""
    found: dict[str, object] = {"is": type(node).__name__}
    for name in _meaning(type(node)) or ():
        value = getattr(node, name)
        if value is not False or name not in _LATER:
            found[name] = value
    return found


_DISPLAYED = ("span", "origins", "engines", "text", "wording", "is_loss", "is_told", "shown")
_LATER = ("in_any_case", "lowest_wins")
"""Fields that are omitted at their defaults, so that older hashes stay valid."""
_MEANING: dict[type, tuple[str, ...] | None] = {}


def _meaning(of: type) -> tuple[str, ...] | None:
    """The fields of a struct that are not only for display; None for any other class."""
    if of not in _MEANING:
        names = of.__struct_fields__ if issubclass(of, Struct) else None
        _MEANING[of] = names and tuple(name for name in names if name not in _DISPLAYED)
    return _MEANING[of]
