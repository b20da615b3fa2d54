"""The text of declarations, with or without comments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from targi_dsl.ir.origins import Origin
from targi_dsl.text.source import Span

_COMMENT = re.compile(r'("[^"\n]*")|[ \t]*#.*|[ \t]+source[ \t]+"[^"\n]*"')
"""A quoted text, which is kept; or a part that does not affect play: a comment, or a source."""


_SOURCE = re.compile(r'("[^"\n]*")|[ \t]+source[ \t]+"[^"\n]*"')


def with_comments(span: Span) -> tuple[str, ...]:
    """The lines of the declaration that contains a span, up to the next declaration.

    Empty lines are left out, and so are comments below it, which belong to what follows.
    """
    lines = list(_lines(span))
    while len(lines) > 1 and lines[-1].startswith("#"):
        lines.pop()
    return tuple(lines)


def written(span: Span) -> tuple[str, ...]:
    """The lines without comments and sources."""
    lines = (_COMMENT.sub(r"\1", line).rstrip() for line in _lines(span))
    return tuple(line for line in lines if line)


def with_trailing_comments(span: Span) -> tuple[str, ...]:
    """The lines without sources, and without those that are comments only; a comment that follows
    something on its line is kept.
    """
    lines = (_SOURCE.sub(r"\1", line).rstrip() for line in _lines(span))
    return tuple(line for line in lines if line and not line.lstrip().startswith("#"))


def comment_above(span: Span) -> str:
    """The comments directly above a declaration, without the reference to a rulebook."""
    lines = span.source.text.splitlines()
    first = span.line - 1
    while first > 0 and lines[first - 1].startswith("# "):
        first -= 1
    said = " ".join(line[2:].strip() for line in lines[first : span.line - 1])
    return re.sub(r"^(.*\. )?rulebook [A-Z]{2}\b[^:]*(: |$)", "", said)


def comment_of(origins: Iterable[Origin]) -> str:
    """The comment above the last complete version of a declaration, or else above an earlier one;
    not above what a module only adds to it.
    """
    spans = (
        origin.span
        for origin in origins
        if origin.span is not None and origin.how in ("declared", "replaced") and not origin.forbid
    )
    return next(filter(None, map(comment_above, spans)), "")


def effective(
    origins: tuple[Origin, ...], lines_of: Callable[[Span], tuple[str, ...]] = written
) -> tuple[str, ...]:
    """The effective lines of a declaration: its last complete version, without the prohibitions
    that layers have removed, followed by what they have added.
    """
    found: list[str] = []
    for origin in reversed(origins):
        lines = lines_of(origin.span) if origin.span is not None else ()
        match origin.how, origin.forbid:
            case "declared" | "replaced", "":
                found = list(lines)
            case "removed", forbid if forbid:
                found = list(_with_forbid(found, forbid, ()))
            case "replaced", forbid:
                found = list(_with_forbid(found, forbid, lines))
            case _:
                found += lines
    return tuple(found[:1] and [found[0].removeprefix("replace "), *found[1:]])


def _with_forbid(lines: list[str], name: str, anew: tuple[str, ...]) -> Iterator[str]:
    """The lines of a rule with other lines in place of a prohibition."""
    edge: int | None = None
    for line in lines:
        if edge is not None and _indent(line) > edge:
            continue  # continues the prohibition
        edge = _indent(line) if re.match(rf" *forbid +{name}\b", line) else None
        if edge is not None:
            yield from (" " * edge + one.removeprefix("replace ") for one in anew)
        else:
            yield line


def _lines(span: Span) -> Iterator[str]:
    lines = span.source.text.splitlines()
    first = span.line - 1
    edge = _indent(lines[first])
    for number in range(first, len(lines)):
        line = lines[number]
        if number > first and (
            re.match("[a-z]", line) if not edge else line.strip() and _indent(line) <= edge
        ):
            return
        if line.strip():
            yield line[edge:] if not line[:edge].strip() else line


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
