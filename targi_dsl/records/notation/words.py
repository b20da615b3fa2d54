"""Parts of a position's text with their spans, and the message for one that is not understood."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NoReturn

from targi_dsl.text.diagnostics import WIDTH, Problem, Problems
from targi_dsl.text.light import dataclass
from targi_dsl.text.source import Source, Span
from targi_dsl.text.suggestions import did_you_mean


@dataclass(frozen=True, slots=True)
class Words:
    """A part of the text without surrounding blanks."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def span(self) -> Span:
        return self.source.span(self.start, self.end)

    def part(self, start: int, end: int) -> Words:
        """A slice of it."""
        text = self.text[start:end]
        start += len(text) - len(text.lstrip())
        return Words(self.source, self.start + start, self.start + start + len(text.strip()))

    def after(self, prefix: str) -> Words:
        return self.part(len(prefix), len(self.text))

    def split(self, by: str) -> list[Words]:
        parts, at = [], 0
        for match in re.finditer(re.escape(by), self.text):
            parts.append(self.part(at, match.start()))
            at = match.end()
        return [*parts, self.part(at, len(self.text))]

    def cut(self, at: str) -> tuple[Words, Words | None]:
        """The parts before and after the first of these words."""
        place = self.text.find(at)
        if place < 0:
            return self, None
        return self.part(0, place), self.part(place + len(at), len(self.text))

    def fail(self, code: str, title: str, text: str, hint: str = "") -> NoReturn:
        raise Problems([Problem(code, title, self.span, text, hint)])

    def unknown(self, what: str, known: Iterable[str]) -> NoReturn:
        names = list(known)
        near, all_ = did_you_mean(self.text, names), ", ".join(names)
        hint = (
            f"Did you mean `{near}`?"
            if near
            else f"There are: {all_}."
            if names and len(all_) < WIDTH
            else ""
        )
        self.fail(
            "E651", f"unknown {what} `{self.text}`", "Nothing in this game has that name.", hint
        )

    def number(self) -> int:
        if not re.fullmatch(r"-?[0-9]{1,19}", self.text):
            self.fail("E652", f"`{self.text}` is not a number", "A whole number is needed here.")
        return int(self.text)
