"""The results of an experiment: estimates with sentences, as text and as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

from targi_dsl.lab.measures import is_share
from targi_dsl.lab.runner import Failure, Runner
from targi_dsl.search.estimates import Interval
from targi_dsl.text.structs import Frozen


class Finding(Frozen):
    """One estimate. measure: its name; verdict: a word; says: a sentence with the interval; told:
    only the estimate in words. beside: further estimates by name.
    """

    measure: str
    interval: Interval
    verdict: str
    says: str
    told: str = ""
    beside: tuple[tuple[str, Interval], ...] = ()

    def data(self) -> dict[str, Any]:
        """The finding as plain data for JSON; a bound that is not known is None."""
        return {
            "measure": self.measure,
            **self.interval.data(),
            "verdict": self.verdict,
            "says": self.says,
            "beside": {name: other.data() for name, other in self.beside},
        }


class Section(Frozen):
    """Findings of one sort. about: whose games these are; games: their number, or that of pairs or
    deals; remarks: how they were found; cautions: what they do not tell.
    """

    about: str
    findings: tuple[Finding, ...]
    remarks: tuple[str, ...] = ()
    games: int = 0
    cautions: tuple[str, ...] = ()


class Result(Frozen):
    """The result of an experiment. command: reproduces it."""

    title: str
    command: str
    sections: tuple[Section, ...]
    failed: int = 0
    failures: tuple[Failure, ...] = ()

    def lines(self) -> Iterator[str]:
        """The result as text."""
        yield self.title
        for section in self.sections:
            yield ""
            yield section.about
            yield from (f"  {one.says}" for one in section.findings)
            yield from (f"  ({one})" for one in (*section.remarks, *section.cautions))
        if self.failed:
            yield ""
            yield f"{self.failed} games failed and are not counted:"
            yield from (f"  {one.told}" for one in self.failures)

    def data(self) -> dict[str, Any]:
        """The result as plain data for JSON."""
        return {
            "title": self.title,
            "command": self.command,
            "failed": self.failed,
            "failures": [
                {"version": one.version, "seed": one.seed, "why": one.why} for one in self.failures
            ],
            "sections": [
                {
                    "about": section.about,
                    "remarks": [*section.remarks],
                    "cautions": [*section.cautions],
                    "games": section.games,
                    "findings": [one.data() for one in section.findings],
                }
                for section in self.sections
            ],
        }


def result(title: str, command: str, sections: list[Section], runner: Runner) -> Result:
    """A result, with the failed games of a runner."""
    failures = tuple(runner.failures)
    return Result(title, command, tuple(sections), runner.failed, failures)


def amount(measure: str, value: float, *, signed: bool = False) -> str:
    """A value of a measure in words."""
    if not isfinite(value):
        return "?"
    sign = "+" if signed else ""
    if is_share(measure):
        return f"{round(100 * value, 1) + 0.0:{sign}.1f} %"  # never -0.0
    return f"{round(value, 2) + 0.0:{sign}.2f}"


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The lines of a table, whose columns are as wide as they need to be."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield f"  {line}".rstrip()


def quantity(number: int, what: str) -> str:
    """A number of things, such as games, in words."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def estimate(measure: str, one: Interval, *, signed: bool = False) -> str:
    """An estimate with its interval in words."""
    value, low, high = (amount(measure, part, signed=signed) for part in one)
    return f"{value} ({low} to {high})"
