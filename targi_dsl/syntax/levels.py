"""Error productions for lines that are indented too little or too far."""

from __future__ import annotations

from targi_dsl.syntax.errors import IndentedTooFar, NothingUnder, SyntaxFault, syntax_error
from targi_dsl.syntax.lexer import DEDENT, INDENT, NEWLINE, WORD, Lexeme, tokenize
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Source

_FIELD = "worth: number"


def lines_missing(fault: SyntaxFault) -> Problem | None:
    """A line that needs indented lines below it but has none."""
    if fault.at.kind == INDENT or fault.index != fault.begin:
        return None
    if INDENT not in fault.expected(fault.index):
        return None
    deep = _indent(fault) + 2
    text = "What belongs to it goes on the lines below, indented by two more spaces:"
    hint = f"begin the next line with {deep} spaces"
    if fault.fits(_below(_FIELD)):
        text = "A kind of card has at least one field on the lines below, two spaces further in:"
        hint = " " * deep + _FIELD
    span = fault.text.span(fault.previous.start, fault.previous.end)
    return NothingUnder("E110", "nothing follows under this line", span, text, hint)


def _indent(fault: SyntaxFault) -> int:
    """The indentation of the line of the last word before the error."""
    line = fault.text.text[: fault.previous.end].rsplit("\n", 1)[-1]
    return len(line) - len(line.lstrip())


def _below(line: str) -> list[Lexeme]:
    """The words of a single line that is indented further than the one above it."""
    inner = tokenize(Source("", line), lined=False).all[:-1]
    begin, *end = (Lexeme(kind, "", 0, 0) for kind in (INDENT, NEWLINE, DEDENT))
    return [begin, *inner, *end]


def not_indented(fault: SyntaxFault) -> Problem | None:
    """An instruction in the first column, where declarations begin."""
    at = fault.at
    if fault.index != fault.begin or not {"rule", "zone"} <= set(fault.expected(fault.index)):
        return None
    if at.kind != WORD or not fault.is_instruction(fault.index):
        return None
    text = f"`{at.text}` is an instruction, and belongs below the first line of a rule:"
    return syntax_error(fault, at, "this line is not indented", text, "begin it with 2 spaces")


def lines_unexpected(fault: SyntaxFault) -> Problem | None:
    """A line that is indented further than the one above it allows."""
    if fault.at.kind != INDENT:
        return None
    first = fault.lexemes[fault.index + 1]
    if fault.index == 0:
        text, hint = "A file begins at the left edge:", "begin it there"
        return syntax_error(fault, first, "this line is indented", text, hint)
    deep = _indent(fault)
    hint = f"begin it with {deep} space{'s' * (deep != 1)}, like the line above"
    text = "No lines belong under the one above it:"
    title = "this line is indented too far"
    place = fault.text.span(first.start, first.end)
    return IndentedTooFar("E110", title, place, text, hint if deep else "begin it at the left edge")


LEVELS = (lines_missing, lines_unexpected, not_indented)
