"""The instructions of a program."""

from __future__ import annotations

from dataclasses import field

from targi_dsl.ir.expressions import Expr
from targi_dsl.ir.guards import Guard
from targi_dsl.ir.statements import Do, Effect, Forbid, Let
from targi_dsl.text.light import dataclass
from targi_dsl.text.source import Span


@dataclass(frozen=True, slots=True)
class Nop:
    """Does nothing."""


@dataclass(frozen=True, slots=True)
class Over:
    """Ends the game."""


@dataclass(frozen=True, slots=True)
class NextRound:
    """Begins a round."""


@dataclass(frozen=True, slots=True)
class Return:
    """Ends the rule and returns to the frame below."""


@dataclass(frozen=True, slots=True)
class Open:
    """Resets slots of the position to 0: the windows and memories of a period that begins."""

    slots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """Continues if the condition holds, otherwise jumps to `otherwise`."""

    condition: Expr
    otherwise: int


@dataclass(frozen=True, slots=True)
class Test:
    """Continues if the guard holds, otherwise jumps to `otherwise`."""

    guard: Guard
    otherwise: int


@dataclass(frozen=True, slots=True)
class NextElement:
    """Sets the slot to the lowest element of the set above its present value; if there is none,
    jumps to `done`.
    """

    slot: int
    within: Expr
    done: int


@dataclass(frozen=True, slots=True)
class Ask:
    """Asks a question; if no way to answer is possible, jumps to `otherwise` (nothing: a fault)."""

    question: int
    otherwise: int


@dataclass(frozen=True, slots=True)
class Pay:
    """Asks which plan to pay by; if there is none, jumps to `otherwise` (nothing: a fault)."""

    question: int
    otherwise: int


@dataclass(frozen=True, slots=True)
class PayUnit:
    """Asks, unit by unit, which resource pays for a wildcard, until nothing is owed."""

    question: int


@dataclass(frozen=True, slots=True)
class Settle:
    """Ends a payment: gains its reward and fires triggers on what was paid."""

    question: int


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Lets chance put the cards of a place in order; `work` counts the positions decided so far."""

    question: int
    place: Expr
    work: int


@dataclass(frozen=True, slots=True)
class Roll:
    """Lets chance choose a number from low to high."""

    question: int
    slot: int
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Random:
    """Lets chance choose one of the options of the question's only way."""

    question: int


Flow = Nop | Over | NextRound | Return | Open | Branch | Test | NextElement | Forbid | Let | Do


Question = Ask | Pay | PayUnit | Shuffle | Roll | Random
Asking = Question | Settle


Operation = Effect | Flow | Asking


@dataclass(frozen=True, slots=True)
class Instruction:
    """An operation with the address of the next instruction, its rule, and its place in the
    rules.
    """

    operation: Operation
    next: int
    rule: int
    span: Span | None = field(default=None, compare=False, repr=False)
