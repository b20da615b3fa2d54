"""Faults in play with their place in the rules, and the limits of play."""

from __future__ import annotations

from typing import NoReturn

from targi_dsl.ir.origins import Origin
from targi_dsl.ir.program import Program
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.source import Span

STEPS = 200_000  # instructions of one decision
PARTS = 200_000  # elements, guards and definitions evaluated for one decision
FRAMES = 200  # rules in progress at once
SCRATCH = 64  # nested guards and definitions
FIRED = 32  # nested triggers
OPTIONS = 1024  # of one question
RANGE = 256  # numbers of one range
LOWEST, HIGHEST = -(2**31), 2**31 - 1  # of a computed number


class Fault(Exception):
    """Play cannot continue. Used inside the engine only; `located` turns it into a Problem."""

    def __init__(self, code: str, title: str, text: str = "", hint: str = "") -> None:
        super().__init__(title)
        self.code = code
        self.title = title
        self.text = text
        self.hint = hint


def located(program: Program, rule: int, fault: Fault, span: Span | None = None) -> Problems:
    """The fault as a Problem at the statement in progress, or at its rule."""
    info = program.procedures[rule] if 0 <= rule < program.refill else None
    span = span or (info.span if info is not None else None)
    where = f'In rule "{info.name}". ' if info is not None else ""
    return Problems([Problem(fault.code, fault.title, span, where + fault.text, fault.hint)])


def newest(origins: tuple[Origin, ...]) -> Span | None:
    """The place of the most recent of several origins."""
    return next((origin.span for origin in origins if origin.span is not None), None)


def out_of_domain(name: str, number: int, low: int, high: int) -> NoReturn:
    raise Fault("E605", f"{name} would become {number}", f"It must be from {low} to {high}.")


def overflow(number: int) -> NoReturn:
    raise Fault("E606", "a number is too large", f"{number} is more than a 32-bit number can hold.")


def too_nested() -> NoReturn:
    raise Fault(
        "E607",
        f"more than {SCRATCH} nested questions",
        "A condition or a definition may depend on itself.",
    )


def too_many(number: int, question: str) -> Fault:
    text = f'"{question}" may have at most {OPTIONS} options.'
    return Fault(
        "E609",
        f"{number} options for one question",
        text,
        "Narrow the set by `where`, or ask in two steps.",
    )


def endless(title: str) -> Fault:
    return Fault("E603", title, "A rule seems to go on for ever.")


def too_much() -> NoReturn:
    raise Fault(
        "E603",
        f"more than {PARTS} elements to look at for one decision",
        "Definitions, rules or sets used here use others several times each, which multiplies.",
        "Use `let` for what is needed more than once, or narrow the sets.",
    )
