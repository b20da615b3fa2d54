"""Prints blocks of statements over as many lines as they need."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from targi_dsl.syntax import ast as n
from targi_dsl.syntax.lines import NONE, Line, Lines
from targi_dsl.syntax.printer.constructs import (
    BREAK,
    CLAUSE,
    INNER,
    breakable,
    flat,
    head,
    is_plain,
    print_body,
    simple,
    wording,
)

Answers = Sequence[n.Alternative | n.YourAbilities]


def add_block(printed: Printed, depth: int, block: n.Block) -> None:
    for statement in block:
        add_statement(printed, depth, statement)


def add_statement(printed: Printed, depth: int, statement: n.Statement) -> None:
    """Adds a statement with its blocks."""
    written = printed.line_of(statement)
    match statement:
        case n.If():
            _add_if(printed, depth, statement, "", written)
        case n.Governs():
            _add_governed(printed, depth, head(statement), statement.body, written)
        case n.May(words, body):
            _add_governed(printed, depth, f"may{wording(words)}", body, written)
        case n.OneOf(alternatives, otherwise) if _needs_lines(printed, statement):
            printed.add(depth, "one of", written)
            add_answers(printed, depth + 1, alternatives)
            if otherwise:
                _add_otherwise(printed, depth, otherwise)
        case n.AnyOrder(alternatives):
            printed.add(depth, "any of these in any order", written)
            add_answers(printed, depth + 1, alternatives)
        case _:
            printed.add(depth, one_line(statement), written)
    if written is not None:
        printed.note(depth, written.below)


def _add_governed(
    printed: Printed, depth: int, text: str, body: n.Block, written: Line | None, colon: str = ""
) -> None:
    """Adds a head and its block, on the same line or below."""
    if _goes_on_line(printed, depth, text, body):
        printed.add(depth, f"{text}: {print_body(body)}", written)
    else:
        printed.add(depth, text + colon, written)
        add_block(printed, depth + 1, body)


def one_line(statement: n.Statement) -> str:
    """A statement with its wording, on one line."""
    inner = statement.statement if isinstance(statement, n.By) else statement
    words = inner.wording if isinstance(inner, n.Worded) else None
    return simple(statement) + wording(words)


def fits_on_line(body: n.Block) -> bool:
    """Whether a block can be printed on one line."""
    try:
        print_body(body)
    except ValueError:
        return False
    return True


def _goes_on_line(printed: Printed, depth: int, text: str, body: n.Block) -> bool:
    """Whether a block is printed on the line of its head: as written, or else if it is short."""
    if not fits_on_line(body):
        return False
    match printed.stands_alone(body):
        case None:
            fits = len(STEP * depth) + len(text) + len(": ") + len(print_body(body)) <= WIDTH
            return len(body) == 1 and not isinstance(body[0], _COMPOUND) and fits
        case alone:
            return not alone


_COMPOUND = (n.Governs, n.If, n.May, n.OneOf, n.AnyOrder)


def _add_if(printed: Printed, depth: int, node: n.If, before: str, written: Line | None) -> None:
    _add_governed(printed, depth, f"{before}if {breakable(node.condition)}", node.then, written)
    if node.otherwise:
        _add_otherwise(printed, depth, node.otherwise)


def _add_otherwise(printed: Printed, depth: int, body: n.Block) -> None:
    written, stands_alone = printed.written.at(body[0].span), printed.stands_alone(body)
    if written is not None and stands_alone:
        written = printed.written.before(written)
    match body:
        case (n.If() as chained,) if not stands_alone:
            _add_if(printed, depth, chained, "otherwise ", written)
        case _:
            _add_governed(printed, depth, "otherwise", body, written)
    if written is not None:
        printed.note(depth, written.below)


# ---- answers to a question ----


def _needs_lines(printed: Printed, question: n.OneOf) -> bool:
    """Whether the answers are printed on lines of their own."""
    if question.otherwise or not all(map(is_plain, question.alternatives)):
        return True
    bodies = [one.body for one in question.alternatives if isinstance(one, n.Alternative)]
    if any(len(body) > 1 or isinstance(body[0], n.If | n.Governs) for body in bodies):
        return False
    return printed.stands_alone(question.alternatives) is not False


def add_answers(printed: Printed, depth: int, answers: Answers) -> None:
    for answer in answers:
        written = printed.line_of(answer)
        match answer:
            case n.YourAbilities():
                printed.add(depth, "your abilities", written)
            case n.Alternative(label=n.Word(text), wording=words, body=body):
                _add_governed(printed, depth, text + wording(words), body, written, ":")
            case n.Alternative(name=n.Word() as name, within=within) if within:
                each = n.Each(name, within, answer.condition, answer.body, span=answer.span)
                text = head(each) + wording(answer.wording)
                _add_governed(printed, depth, text, answer.body, written, ":")
            case n.Alternative(body=(done,), wording=words):
                printed.add(depth, one_line(done) + wording(words), written)
            case n.Alternative():
                raise ValueError("an answer of several steps needs a name")
            case _:
                assert_never(answer)
        if written is not None:
            printed.note(depth, written.below)


# ---- lines: indentation, comments, line breaks ----


WIDTH = 120
"""The most characters of a line that can be broken."""
STEP = "  "
_BEFORE_COMMENT = "   "


class Printed:
    """The printed lines of a declaration. `written`: its lines as written, which supply comments
    and sources and decide between one line and several.
    """

    def __init__(self, written: Lines = NONE) -> None:
        self.written = written
        self.lines: list[str] = []

    def line_of(self, node: n.Node) -> Line | None:
        """The line, as written, that begins with a node."""
        return self.written.begun_by(node.span)

    def stands_alone(self, body: tuple[n.Node, ...]) -> bool | None:
        """Whether a block begins on a line of its own, as written; None if unknown."""
        if self.written is NONE:
            return None
        return self.line_of(body[0]) is not None

    def add(self, depth: int, text: str, written: Line | None) -> None:
        """Adds a line with its comments and source."""
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
        """Adds comments on lines of their own, and blank lines."""
        self.lines += (f"{STEP * depth}{one}" if one else "" for one in comments)


def broken(text: str, indent: str) -> Iterator[str]:
    """A line, broken at marks if it is too long; within parentheses only if necessary."""
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
