"""Diagnostics: problems as values, rendered for the terminal or as JSON. docs/messages.md has a row
for each code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec.structs import replace

from targi_dsl.text.source import Span
from targi_dsl.text.structs import Frozen

Severity = Literal["error", "warning"]

WIDTH = 100
"""The columns to which rendered lines are cut, if possible."""


class Label(Frozen):
    """A secondary place of a problem, with a caption such as "first given here"."""

    span: Span
    text: str


class Problem(Frozen):
    """A diagnostic: what is wrong (title), where (span), why (text), and what to do about it
    (hint).

    `hint`: a single thing to paste or do; `edits`: the same as a repair of the text. `help`: where
    to read more. `file`: the file of a problem without a span. `unrepaired`: replaces the problem
    if its repair turns out not to work. `level`: overrides the severity of its code.
    """

    code: str
    title: str
    span: Span | None
    text: str
    hint: str = ""
    labels: tuple[Label, ...] = ()
    help: str = ""
    file: str = ""
    edits: tuple[Edit, ...] = ()
    unrepaired: Problem | None = None
    level: Severity | None = None

    @property
    def severity(self) -> Severity:
        """By the code (W913 is a warning), unless `level` overrides it."""
        return self.level or ("warning" if self.code.startswith("W") else "error")

    def with_edit(self) -> Problem:
        """The problem with a repair that replaces its span by the hint."""
        assert self.span is not None
        return replace(self, edits=(Edit(self.span, self.hint),))


class Reporter:
    """Mix-in for classes that collect problems."""

    __slots__ = ()
    problems: list[Problem]

    def report(
        self, code: str, title: str, span: Span | None, text: str, hint: str = "",
        labels: tuple[Label, ...] = (), file: str = "",
    ) -> None:  # fmt: skip
        """Adds a problem."""
        self.problems.append(Problem(code, title, span, text, hint, labels, file=file))


class Problems(Exception):
    """Raised with problems, in order of place; str() renders them for the terminal."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = in_order(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return render(self.problems)


def in_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """The problems sorted by file, line, column and code, without duplicates."""
    once = {(_place(one), one.title, one.text, one.hint): one for one in problems}
    return tuple(sorted(once.values(), key=_place))


def render(problems: Iterable[Problem]) -> str:
    """The problems as terminal text, separated by blank lines, without a final newline. Control
    characters are replaced.
    """
    return "\n\n".join("\n".join(_render_one(problem)) for problem in in_order(problems))


def to_json(problems: Iterable[Problem]) -> dict[str, object]:
    """The problems as JSON data. Lines and columns are 1-based, columns in code points, ends
    exclusive.
    """
    return {"problems": [_as_json(problem) for problem in in_order(problems)]}


def _place(problem: Problem) -> tuple[str, int, int, str]:
    span = problem.span
    if span is None:
        return problem.file, 0, 0, problem.code
    return span.source.name, span.line, span.column, problem.code


def _render_one(problem: Problem) -> Iterator[str]:
    yield harmless(f"{problem.code} {problem.title}")
    places = [] if problem.span is None else [Label(problem.span, "")]
    places += problem.labels
    width = max((len(_location(place.span)) for place in places), default=0)
    if problem.span is None and problem.file:
        yield "  " + harmless(problem.file)
    for place in places:
        yield from _excerpt(place, width)
    words = [part for part in (_leading(problem), problem.hint) if part]
    # The hint follows the text on its line, unless it is too long for that.
    if "\n" not in "".join(words) and len(" ".join(words)) <= WIDTH - 2:
        words = [" ".join(words)] if words else []
    for part in [*words, problem.help]:
        yield from ("  " + harmless(line) for line in part.splitlines())


def _leading(problem: Problem) -> str:
    """The text, with `Write:` before a hint that is code."""
    text, hint = problem.text, problem.hint
    is_sentence = hint[:1].isupper() or hint.startswith("`")
    return f"{text} Write:" if hint and text.endswith(".") and not is_sentence else text


def _location(span: Span) -> str:
    return f"{span.source.name}:{span.line}:{span.column}"


def _excerpt(label: Label, width: int) -> Iterator[str]:
    """The line where a span begins, with carets under the span."""
    span = label.span
    prefix = "  " + harmless(_location(span).ljust(width)) + "    "
    line = span.source.line(span.line)
    first = span.column - 1
    last = span.end_column - 1 if span.end_line == span.line else len(line)
    last = max(last, first + 1)
    left = min(len(line) - len(line.lstrip()), first)
    indent, right = left, len(line)
    room = max(40, WIDTH - len(prefix))
    if right - left > room:
        before = (room - min(last - first, room)) // 2
        left = max(left, min(first - before, right - room))
        right = left + room
    opening = "..." if left > indent else ""
    closing = "..." if right < len(line) else ""
    yield (prefix + opening + harmless(line[left:right]) + closing).rstrip()
    carets = "^" * max(1, min(last, right) - first)
    yield (
        " " * (len(prefix) + len(opening) + first - left) + f"{carets} {harmless(label.text)}"
    ).rstrip()


def _as_json(problem: Problem) -> dict[str, object]:
    return {
        "code": problem.code,
        "severity": problem.severity,
        "title": problem.title,
        **_place_as_json(problem.span, problem.file),
        "labels": [{**_place_as_json(one.span, ""), "text": one.text} for one in problem.labels],
        "text": problem.text,
        "hint": problem.hint,
        "edits": [{**_place_as_json(one.span, ""), "new": one.new} for one in problem.edits],
        "help": problem.help,
    }


def _place_as_json(span: Span | None, file: str) -> dict[str, object]:
    if span is None:
        return {"file": file, "line": None, "column": None, "end_line": None, "end_column": None}
    return {
        "file": span.source.name,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


# ---- repairs as edits ----


class Edit(Frozen):
    """Replaces the text of a span; an empty span inserts."""

    span: Span
    new: str


def apply_edits(edits: Sequence[Edit]) -> str:
    """The text of a source after non-overlapping edits."""
    text = edits[0].span.source.text
    for edit in sorted(edits, key=lambda one: one.span.start, reverse=True):
        text = text[: edit.span.start] + edit.new + text[edit.span.end :]
    return text


def by_source(edits: Iterable[Edit]) -> dict[str, list[Edit]]:
    """Edits by name of source."""
    found: dict[str, list[Edit]] = {}
    for edit in edits:
        found.setdefault(edit.span.source.name, []).append(edit)
    return found


def apart(problems: Iterable[Problem]) -> Iterator[Problem]:
    """The problems with repairs, without those whose repair touches an earlier one."""
    taken: list[tuple[str, int, int]] = []
    for problem in problems:
        places = [(one.span.source.name, one.span.start, one.span.end) for one in problem.edits]
        if places and not any(_meet(one, other) for one in places for other in taken):
            taken += places
            yield problem


def _meet(one: tuple[str, int, int], other: tuple[str, int, int]) -> bool:
    return one[0] == other[0] and one[1] <= other[2] and other[1] <= one[2]


# ---- control characters ----


def harmless(text: str) -> str:
    """The text with unprintable characters replaced: whitespace by a space, others by `?`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() else "?" for c in text)
