"""Blocks of statements, over as many lines as they need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from targi_dsl.syntax import ast as n
from targi_dsl.syntax.lines import Line
from targi_dsl.syntax.printer.expressions import bound, breakable
from targi_dsl.syntax.printer.layout import STEP, WIDTH, Printed
from targi_dsl.syntax.printer.statements import (
    Compound,
    fits_on_line,
    head,
    is_plain,
    one_line,
    print_body,
    wording,
)

Answers = Sequence[n.Alternative | n.YourAbilities]


def add_block(printed: Printed, depth: int, block: n.Block) -> None:
    """The statements of a block, each on its own lines."""
    for statement in block:
        add_statement(printed, depth, statement)


def add_statement(printed: Printed, depth: int, statement: n.Statement) -> None:
    """A statement with everything that it governs."""
    written = printed.line_of(statement)
    match statement:
        case n.If():
            _add_if(printed, depth, statement, "", written)
        case (
            n.EachPlayer() | n.Each() | n.TurnOf() | n.ByTurns() | n.Repeat() | n.RepeatUntil()
            | n.Times()
        ):  # fmt: skip
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
    """A head, and the block that it governs on its line or below it."""
    if _goes_on_line(printed, depth, text, body):
        printed.add(depth, f"{text}: {print_body(body)}", written)
    else:
        printed.add(depth, text + colon, written)
        add_block(printed, depth + 1, body)


def _goes_on_line(printed: Printed, depth: int, text: str, body: n.Block) -> bool:
    """Whether a block goes on the line of its head: as it was written, else if it is short."""
    if not fits_on_line(body):
        return False
    match printed.stands_alone(body):
        case None:
            fits = len(STEP * depth) + len(text) + len(": ") + len(print_body(body)) <= WIDTH
            return len(body) == 1 and not isinstance(body[0], Compound) and fits
        case alone:
            return not alone


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
    """Whether the answers go on lines of their own."""
    if question.otherwise or not all(map(is_plain, question.alternatives)):
        return True
    if any(len(one.body) > 1 for one in question.alternatives if isinstance(one, n.Alternative)):
        return False
    return printed.stands_alone(question.alternatives) is not False


def add_answers(printed: Printed, depth: int, answers: Answers) -> None:
    """The answers to a question, each on its own lines."""
    for answer in answers:
        written = printed.line_of(answer)
        match answer:
            case n.YourAbilities():
                printed.add(depth, "your abilities", written)
            case n.Alternative(label=n.Word(text), wording=words, body=body):
                _add_governed(printed, depth, text + wording(words), body, written, ":")
            case n.Alternative(_, n.Word() as name, within, condition, words, body):
                assert within is not None
                text = f"each {bound(name, within, condition)}{wording(words)}"
                printed.add(depth, f"{text}: {print_body(body)}", written)
            case n.Alternative(body=(done,), wording=words):
                printed.add(depth, one_line(done) + wording(words), written)
            case n.Alternative():
                raise ValueError("an answer of several steps needs a name")
            case _:
                assert_never(answer)
        if written is not None:
            printed.note(depth, written.below)
