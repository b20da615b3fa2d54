"""Where play cannot go on: the limits of play, and a fault with its place in the rules."""

from __future__ import annotations

from typing import NoReturn

from targi_dsl.ir.model import FP, FRAME_HEAD, Game, Origin
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.source import Span

STEPS = 200_000  # steps of one decision
PARTS = 4_000_000  # parts of rules looked at for one decision, where they multiply
FRAMES = 200  # rules begun and not yet done
SCRATCH = 64  # heads and definitions within each other
FIRED = 32  # triggers within each other
OPTIONS = 256  # of one question
LOWEST, HIGHEST = -(2**31), 2**31 - 1  # of a computed number


class Fault(Exception):
    """Play cannot go on. Inside the engine only; outside it is a Problem with a place (see
    `located`).
    """

    def __init__(self, code: str, title: str, text: str = "", hint: str = "") -> None:
        super().__init__(title)
        self.code = code
        self.title = title
        self.text = text
        self.hint = hint


def located(game: Game, v: list[int], fault: Fault, span: Span | None = None) -> Problems:
    """The fault as a Problem: where the statement stands that was being done, or at the newest
    origin of its rule.
    """
    rule = v[v[FP] - 1] if v[FP] >= game.slots.stack + FRAME_HEAD else -1
    origins: tuple[Origin, ...] = game.rules[rule].origins if 0 <= rule < len(game.rules) else ()
    span = span or newest(origins)
    where = f'In rule "{game.rules[rule].name}". ' if 0 <= rule < len(game.rules) else ""
    return Problems([Problem(fault.code, fault.title, span, where + fault.text, fault.hint)])


def newest(origins: tuple[Origin, ...]) -> Span | None:
    """Where the newest of several origins stands."""
    return next((origin.span for origin in origins if origin.span is not None), None)


def out_of_domain(name: str, number: int, low: int, high: int) -> NoReturn:
    raise Fault("E605", f"{name} would become {number}", f"It may be from {low} to {high}.")


def overflow(number: int) -> NoReturn:
    raise Fault("E606", "a number is too large", f"{number} is more than a 32-bit number can hold.")


def check_stack(v: list[int]) -> None:
    """The fault of too many rules within each other; to be called when the stack is long."""
    rules, fp = [], v[FP]
    while fp > 0:
        rules.append(v[fp - 1])
        fp = v[fp - 2]
    if len(rules) > FRAMES:
        again = len(rules) - len(set(rules))
        text = (
            f"Rules have begun again inside themselves {again} times."
            if again
            else "All of them are different."
        )
        raise Fault("E604", f"more than {FRAMES} rules within each other", text)


def check_scratch(v: list[int], fp: int) -> None:
    """The fault of too many heads and definitions within each other; `fp` is the innermost frame."""
    depth, real = 0, v[FP]
    while fp > real:
        fp, depth = v[fp - 2], depth + 1
    if depth >= SCRATCH:
        raise Fault(
            "E607",
            f"more than {SCRATCH} questions within each other",
            "Whether a rule is possible, or what a definition gives, may depend on itself.",
        )
