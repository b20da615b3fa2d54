"""Repairs as data: replacements of parts of a text."""

from __future__ import annotations

from collections.abc import Sequence

from targi_dsl.text.source import Span
from targi_dsl.text.structs import Frozen


class Edit(Frozen):
    """One replacement: `new` replaces the text of `span` (an empty span inserts)."""

    span: Span
    new: str


def applied(edits: Sequence[Edit]) -> str:
    """The whole text after edits that belong to one source and do not overlap."""
    text = edits[0].span.source.text
    for edit in sorted(edits, key=lambda one: one.span.start, reverse=True):
        text = text[: edit.span.start] + edit.new + text[edit.span.end :]
    return text
