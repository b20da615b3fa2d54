"""A repair as data: the places of a text that change, and what stands there instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from targi_dsl.text.source import Span


@dataclass(frozen=True, slots=True)
class Edit:
    """One replacement: `new` takes the place of what `span` covers (an empty span inserts)."""

    span: Span
    new: str


def applied(edits: Sequence[Edit]) -> str:
    """The whole text after the edits, which stand in one source and do not overlap."""
    text = edits[0].span.source.text
    for edit in sorted(edits, key=lambda one: one.span.start, reverse=True):
        text = text[: edit.span.start] + edit.new + text[edit.span.end :]
    return text


def mended_line(edits: Sequence[Edit]) -> str:
    """The lines that the edits touch as they are afterwards, without the blanks around them."""
    before, after = edits[0].span.source.text, applied(edits)
    first = min(edit.span.start for edit in edits)
    rest = len(before) - max(edit.span.end for edit in edits)
    begin = before.rfind("\n", 0, first) + 1
    end = after.find("\n", len(after) - rest)
    return after[begin : end if end >= 0 else len(after)].strip()
