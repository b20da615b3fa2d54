"""Faults in play with their place in the rules, and the limits of play."""

from __future__ import annotations

from typing import NoReturn

from targi_dsl.ir.origins import Origin
from targi_dsl.ir.program import Program
from targi_dsl.text.diagnostics import Label, Problem, Problems
from targi_dsl.text.source import Span

STEPS = 200_000  # instructions of one decision
PARTS = 200_000  # elements, guards and definitions evaluated for one decision
ROUNDS = 10  # consecutive rounds without a decision, in which all choices are forced
DEFINES = 3  # innermost definitions that a fault reports
FRAMES = 200  # rules in progress at once
SCRATCH = 64  # nested guards and definitions
FIRED = 32  # nested triggers
OPTIONS = 1024  # of one question
RANGE = OPTIONS  # numbers of one range


class Fault(Exception):
    """Play cannot continue. Used inside the engine only; `problem_at` turns it into a Problem.
    defines: the definitions in progress, from the innermost.
    """

    def __init__(self, code: str, title: str, text: str = "", hint: str = "") -> None:
        super().__init__(title)
        self.code, self.title, self.text, self.hint = code, title, text, hint
        self.defines = list[int]()


def problem_at(program: Program, rule: int, fault: Fault, span: Span | None = None) -> Problems:
    """The fault as a Problem at the statement in progress, or at its rule, with the innermost
    definitions in progress.
    """
    info = program.procedures[rule] if 0 <= rule < program.refill else None
    span = span or (info.span if info is not None else None)
    where = f'In rule "{info.name}". ' if info is not None else ""
    inner = [program.defines[one] for one in dict.fromkeys(fault.defines)][:DEFINES]
    places = ((one.name, newest(one.origins)) for one in reversed(inner))
    labels = [Label(at, f"then `{name}` is worked out") for name, at in places if at is not None]
    text = where + fault.text
    return Problems([Problem(fault.code, fault.title, span, text, fault.hint, labels=(*labels,))])


def newest(origins: tuple[Origin, ...]) -> Span | None:
    """The place of the most recent of several origins."""
    return next((origin.span for origin in origins if origin.span is not None), None)


def overflow(number: int) -> NoReturn:
    raise Fault("E606", "a number is too large", f"{number} is more than a 32-bit number can hold.")


def too_deep(rules: list[int]) -> NoReturn:
    """The fault of too deep a stack; the first entry is not a rule but the bottom of the stack."""
    again = len(rules) - len(set(rules))
    text = f"Rules have called themselves {again} times." if again else "They are all different."
    raise Fault("E604", f"more than {FRAMES} nested rules", text)


def too_nested() -> NoReturn:
    raise Fault(
        "E607",
        f"more than {SCRATCH} nested questions",
        "A condition or a definition may depend on itself.",
    )


def too_many(number: int, question: str) -> NoReturn:
    text = f'"{question}" may have at most {OPTIONS} options.'
    hint = "Narrow the set by `where`, or ask in two steps."
    raise Fault("E609", f"{number} options for one question", text, hint)


def endless(title: str, rounds: int = 0) -> Fault:
    """The fault of what asks nobody any more: a rule, or many rounds."""
    text = "A rule seems to go on for ever."
    if rounds > ROUNDS:
        text = (
            f"{rounds:,} rounds have begun since anybody could choose. When nothing can be done any"
        )
        text += " more, some rule must end the game."
    return Fault("E603", title, text)


def too_much() -> NoReturn:
    raise Fault(
        "E603",
        f"more than {PARTS} elements to look at for one decision",
        "Definitions, rules or sets used here use others several times each, which multiplies.",
        "Use `let` for what is needed more than once, or narrow the sets.",
    )
