"""Decides which unknown names are reported, and with what hint."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping

from targi_dsl.compiler.layers.error_symbols import ErrorSymbols, Unresolved
from targi_dsl.compiler.project.nearby import NearbyNames
from targi_dsl.ir.origins import Origin
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.light import dataclass


@dataclass(frozen=True, slots=True)
class Resolution:
    """What is known about unresolved names.

    `gone` has the names that a removal took away, `own` those that the game declares.
    """

    symbols: ErrorSymbols
    nearby: NearbyNames
    gone: Mapping[str, Origin]
    own: Collection[str]

    def report(self, problems: list[Problem]) -> Iterator[Problem]:
        """The problems without consequences of others, and with hints for unknown names."""
        for problem in problems:
            if not self.symbols.excuse(problem):
                yield (
                    _settled(self._explained(problem))
                    if isinstance(problem, Unresolved)
                    else problem
                )

    def _explained(self, problem: Unresolved) -> Problem:
        return _settled(self._with_hint(problem))

    def _with_hint(self, problem: Unresolved) -> Unresolved:
        name = problem.name
        if name in self.own:
            return problem
        removal = self.gone.get(name)
        if removal is not None and removal.span is not None and problem.code != "E402":
            label = Label(removal.span, f"removed here, in module {removal.module}")
            text = "It has been removed, but is still used here."
            labels = (*problem.labels, label)
            return dataclasses.replace(problem, text=text, hint="", labels=labels, edits=())
        if problem.of_card and name in self.nearby.cards:
            text = "It is a card. To change what it does, change its action:"
            return dataclasses.replace(problem, text=text, hint=problem.of_card, edits=())
        hint = self.nearby.hint(name)
        return dataclasses.replace(problem, hint=hint, edits=()) if hint else problem


def _settled(problem: Problem) -> Problem:
    """The problem with nothing left to look up."""
    fields = (one.name for one in dataclasses.fields(Problem))
    return Problem(**{name: getattr(problem, name) for name in fields})
