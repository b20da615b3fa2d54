"""The instructions of a program."""

from __future__ import annotations

from targi_dsl.ir.expressions import Expr
from targi_dsl.ir.guards import Guard
from targi_dsl.ir.statements import Do, Effect, Forbid, Let
from targi_dsl.text.source import Span
from targi_dsl.text.structs import Frozen, Noted


class Nop(Frozen):
    """Does nothing."""


class Over(Frozen):
    """Ends the game."""


class NextRound(Frozen):
    """Begins a round."""


class Return(Frozen):
    """Ends the rule and returns to the frame below."""


class Open(Frozen):
    """Resets slots of the position to 0: the windows and memories of a period that begins."""

    slots: tuple[int, ...]


class Branch(Frozen):
    """Continues if the condition holds, otherwise jumps to `otherwise`."""

    condition: Expr
    otherwise: int


class Test(Frozen):
    """Continues if the guard holds, otherwise jumps to `otherwise`."""

    guard: Guard
    otherwise: int


class NextElement(Frozen):
    """Sets the slot to the lowest element of the set above its present value; if there is none,
    jumps to `done`.
    """

    slot: int
    within: Expr
    done: int


class Ask(Frozen):
    """Asks a question; if no way to answer is possible, jumps to `otherwise` (nothing: a fault)."""

    question: int
    otherwise: int


class Pay(Frozen):
    """Asks which plan to pay by; if there is none, jumps to `otherwise` (nothing: a fault)."""

    question: int
    otherwise: int


class PayUnit(Frozen):
    """Asks, unit by unit, which resource pays for a wildcard, until nothing is owed."""

    question: int


class Settle(Frozen):
    """Ends a payment: gains its reward and fires triggers on what was paid."""

    question: int


class Shuffle(Frozen):
    """Lets chance put the cards of a place in order; `work` counts the positions decided so far."""

    question: int
    place: Expr
    work: int


class Roll(Frozen):
    """Lets chance choose a number from low to high."""

    question: int
    slot: int
    low: Expr
    high: Expr


class Random(Frozen):
    """Lets chance choose one of the options of the question's only way."""

    question: int


Flow = Nop | Over | NextRound | Return | Open | Branch | Test | NextElement | Forbid | Let | Do


Question = Ask | Pay | PayUnit | Shuffle | Roll | Random
Asking = Question | Settle


Operation = Effect | Flow | Asking


class Instruction(Noted):
    """An operation with the address of the next instruction, its rule, and its place in the
    rules.
    """

    notes = ("span",)
    operation: Operation
    next: int
    rule: int
    span: Span | None = None
