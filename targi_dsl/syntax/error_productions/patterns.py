"""Recognizes errors by the words around them, by the table `patterns.txt`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

from targi_dsl.syntax.error_productions.phrases import Words, pattern, sections
from targi_dsl.syntax.errors import SyntaxFault, repaired
from targi_dsl.syntax.grammar import language
from targi_dsl.text.diagnostics import Problem

_ERROR = "\N{CARET}"
"""Marks the position of the error in a sentence."""
_PLACES = {"at": (0,), "near": (0, 1), "end": ()}
_PLACE = re.compile(r"<(at|near|end)((?: \w+)*)>")


class Pattern(NamedTuple):
    """A row of the table. places: the possible numbers of words between the match and the error;
    expected: what the grammar must allow there; news: candidates for the repair; told: the text of
    the problem; always: whether it is reported even without a repair.
    """

    written: re.Pattern[str]
    places: tuple[int, ...]
    expected: frozenset[str]
    news: tuple[str, ...]
    title: str
    told: str
    always: bool


@cache
def table() -> Mapping[str, tuple[Pattern, ...]]:
    """The rows by their heading."""
    return {heading: tuple(map(_row, rows)) for heading, rows in sections("patterns.txt")}


def _row(row: list[str]) -> Pattern:
    written, new, title, told = row
    kind, expected = found.groups() if (found := _PLACE.search(written)) else ("end", "")
    written = _PLACE.sub(_ERROR, written).replace("<i>", rf"(?:{_instructions()})(?!\w)")
    tried = new.removesuffix(";;").split(" ;; ")
    return Pattern(
        written=pattern(written),
        places=_PLACES[kind],
        expected=frozenset(expected.split()),
        news=tuple(one.strip() for one in tried),
        title=title,
        told=told,
        always=new.endswith(";;"),
    )


def _instructions() -> str:
    """The words with which a statement can begin, as a regular expression."""
    choices = language().before("action").choices()
    words = (word for word, terminal in language().terminals.items() if terminal in choices)
    return "|".join(map(re.escape, words))


def patterns(heading: str) -> Callable[[SyntaxFault], Problem | None]:
    """A production that looks up the sentence in the rows under a heading."""

    def first(fault: SyntaxFault) -> Problem | None:
        found = (_problem(fault, row) for row in table()[heading])
        return next(filter(None, found), None)

    return first


def _problem(fault: SyntaxFault, row: Pattern) -> Problem | None:
    places = [fault.index - one for one in row.places] or [fault.end]
    return next(filter(None, (_problem_at(fault, row, one) for one in places)), None)


def _problem_at(fault: SyntaxFault, row: Pattern, index: int) -> Problem | None:
    """The problem if the sentence, with the error before that word, matches a row."""
    head, tail = fault.words(fault.begin, index), fault.words(index, fault.end)
    found = row.written.match(head + _ERROR + tail) if index >= fault.begin else None
    if found is None or not row.expected.issubset(fault.expected(index)):
        return None

    def word(place: int) -> int:
        """The index of the first lexeme at or after an offset in the marked sentence."""
        after = place - len(head) - 1
        start = fault.lexemes[fault.begin].start + place
        start = start if after < 0 else fault.lexemes[index].start + after
        words = fault.lexemes[fault.begin : fault.end]
        return fault.begin + sum(one.start < start for one in words)

    begin, end = map(word, found.span("bad"))
    texts = found.groupdict().items()
    parts = {name: Words((text or "").replace(_ERROR, " ")) for name, text in texts}
    news = [new.format_map(parts) for new in row.news]
    if begin == end:  # words are added
        news = [new if new.startswith(":") else f" {new}" for new in news]
    repairs = fault.repairs(begin, end, news)
    if not repairs and not row.always:
        return None
    where = fault.lexemes[begin - (begin == end)]
    if "underlined" in parts:
        first, after = map(word, found.span("underlined"))
        where = where._replace(start=fault.lexemes[first].start, end=fault.lexemes[after - 1].end)
    title, told = row.title.format_map(parts), row.told.format_map(parts)
    return repaired(fault, where, title, told, *repairs)
