"""The lines of a rule as a person reads them."""

from __future__ import annotations

from targi_dsl.api.naming import spoken
from targi_dsl.compiler.layers.declarations import Step
from targi_dsl.syntax import line_at
from targi_dsl.syntax.printer import print_expression


def phrase(text: str) -> str:
    """A line of the rules as one would read it aloud."""
    return spoken(" ".join(word for word in text.split(" ") if word != "do")).rstrip(":")


def when(step: Step) -> str:
    """The conditions of a step: the nearest above it, and those on its line."""
    own = [one for one in step.conditions if line_at(one.span) == step.line is not None]
    above = [one for one in step.conditions if one not in own]
    conditions = (one.condition for one in (*above[-1:], *own))
    return ", and ".join(phrase(f"if {print_expression(one)}") for one in conditions)
