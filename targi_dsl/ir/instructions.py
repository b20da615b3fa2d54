"""The instructions of a program."""

from __future__ import annotations

from dataclasses import dataclass, field

from targi_dsl.ir.expressions import Expr
from targi_dsl.ir.guards import Guard
from targi_dsl.ir.statements import Do, Effect, Forbid, Let
from targi_dsl.text.source import Span


@dataclass(frozen=True, slots=True)
class Nop:
    """Nothing; it goes on."""


@dataclass(frozen=True, slots=True)
class Over:
    """The game is over."""


@dataclass(frozen=True, slots=True)
class NextRound:
    """A round begins."""


@dataclass(frozen=True, slots=True)
class Return:
    """The rule ends; what waits below goes on."""


@dataclass(frozen=True, slots=True)
class Open:
    """These slots of the position become 0: windows and memories of a period that begins."""

    slots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """Goes on when the condition holds, and else at `otherwise`."""

    condition: Expr
    otherwise: int


@dataclass(frozen=True, slots=True)
class Test:
    """Goes on when the guard holds, and else at `otherwise`."""

    guard: Guard
    otherwise: int


@dataclass(frozen=True, slots=True)
class NextElement:
    """The slot becomes the lowest element of the set above what it holds; when there is none, it
    goes on at `done`.
    """

    slot: int
    within: Expr
    done: int


@dataclass(frozen=True, slots=True)
class Ask:
    """Asks a question of ways; when none is possible, it goes on at `otherwise` (nothing: that is
    a fault).
    """

    question: int
    otherwise: int


@dataclass(frozen=True, slots=True)
class Pay:
    """Asks which plan is paid; when none can be, it goes on at `otherwise` (nothing: a fault)."""

    question: int
    otherwise: int


@dataclass(frozen=True, slots=True)
class PayUnit:
    """Asks unit by unit what wildcards stand for, until none is owed."""

    question: int


@dataclass(frozen=True, slots=True)
class Settle:
    """A payment ends: its reward is gained, and triggers on what was paid follow."""

    question: int


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Chance orders the cards of a place; `work` counts the positions settled so far."""

    question: int
    place: Expr
    work: int


@dataclass(frozen=True, slots=True)
class Roll:
    """Chance gives a number from low to high."""

    question: int
    slot: int
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Random:
    """Chance chooses an element of what the only way of the question offers."""

    question: int


Flow = Nop | Over | NextRound | Return | Open | Branch | Test | NextElement | Forbid | Let | Do


Asking = Ask | Pay | PayUnit | Settle | Shuffle | Roll | Random


Operation = Effect | Flow | Asking


@dataclass(frozen=True, slots=True)
class Instruction:
    """One thing to be done, the address that it goes on at, the rule it belongs to, and where that
    stands.
    """

    operation: Operation
    next: int
    rule: int
    span: Span | None = field(default=None, compare=False, repr=False)
