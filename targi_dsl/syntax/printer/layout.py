"""Lines of text from the parts of a tree: indentation, comments, and lines that are too long."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from targi_dsl.syntax import ast as n
from targi_dsl.syntax.lines import NONE, Line, Lines
from targi_dsl.syntax.printer.expressions import BREAK, CLAUSE, INNER, flat

WIDTH = 120
"""The most characters of a line that can be broken."""
STEP = "  "
_BEFORE_COMMENT = "   "


class Printed:
    """The lines of a declaration as they are printed. Comments, sources and the choice between one
    line and several come from the lines as written; without these there are none.
    """

    def __init__(self, written: Lines = NONE) -> None:
        self.written = written
        self.lines: list[str] = []

    def line_of(self, node: n.Node) -> Line | None:
        """The line that begins with a node, as written."""
        return self.written.begun_by(node.span)

    def stands_alone(self, body: tuple[n.Node, ...]) -> bool | None:
        """Whether the first part of a block begins a line as written; None if that is not known."""
        if self.written is NONE:
            return None
        return self.line_of(body[0]) is not None

    def add(self, depth: int, text: str, written: Line | None) -> None:
        """A line with the comments above and beside it, and its source."""
        indent = STEP * depth
        if written is not None:
            self.note(depth, written.above)
            *others, beside = ("", *written.beside)
            self.note(depth, filter(None, others))
            text += f"{CLAUSE}source {written.source}" if written.source else ""
            self.lines += broken(text, indent)
            self.lines[-1] += f"{_BEFORE_COMMENT}{beside}" if beside else ""
        else:
            self.lines += broken(text, indent)

    def note(self, depth: int, comments: Iterable[str]) -> None:
        """Comments on lines of their own, and blank lines."""
        self.lines += (f"{STEP * depth}{one}" if one else "" for one in comments)


def broken(text: str, indent: str) -> Iterator[str]:
    """A line, broken before some of its clauses if it is too long; within parentheses only if that
    is not enough.
    """
    if len(indent) + len(text) <= WIDTH:
        yield indent + flat(text)
        return
    deeper = indent + 2 * STEP
    for clause in text.split(CLAUSE):
        parts = clause.split(BREAK)
        if any(len(deeper) + len(part) > WIDTH for part in parts):
            parts = re.split(f"[{BREAK}{INNER}]", clause)
        line, *parts = parts
        for part in parts:
            if len(indent) + len(line) + 1 + len(part) <= WIDTH:
                line += f" {part}"
            else:
                yield indent + flat(line)
                line, indent = part, deeper
        yield indent + flat(line)
        indent = deeper
