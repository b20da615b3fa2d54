"""Source-level views of declarations: their trees after all layers, their lines, and the comments
above and beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple, TypeVar

from targi_dsl.compiler.layers.changes import inner_blocks
from targi_dsl.compiler.layers.combine import extended_by, with_changed_forbid, worded_like
from targi_dsl.ir import statements as s
from targi_dsl.ir.game import Game
from targi_dsl.ir.origins import Origin
from targi_dsl.syntax import Line, line_at, lines_of, parse_declaration
from targi_dsl.syntax import ast as n
from targi_dsl.syntax.printer import print_declaration, print_statement
from targi_dsl.text.source import Section, Source, Span

Statement = TypeVar("Statement", s.EndGame, s.Do)

_CACHE_SIZE = 10_000
_ALLOWED = re.compile(r"allow [A-Z]\d{3}\b")
_RULEBOOK = re.compile(r"^(.*\. )?rulebook [A-Z]{2}\b[^:]*(: |$)")
"""A reference to a rulebook at the beginning of a comment."""


def declaration_at(span: Span) -> n.Declaration | None:
    """The declaration of a rule file that contains a span; None for a span in a card file."""
    return _parse(span.home.text) if isinstance(span.home, Section) else None


@lru_cache(_CACHE_SIZE)
def _parse(text: str) -> n.Declaration | None:
    return parse_declaration(Section(Source("", text), 0, len(text)))


def print_lines(span: Span) -> tuple[str, ...]:
    """The printed lines of the declaration or statement at a span, with comments and sources; for a
    span in a card file, the lines of its entry.
    """
    node, lines = declaration_at(span), lines_of(span)
    if node is None:
        return tuple(_indented_at(span))
    head = lines.all[0]
    if lines.at(span) is head:
        text = print_declaration(node, notes=True)
        return text[len(head.above) - len(_directly_above(head)) : len(text) - len(head.below)]
    parts = (one for one in node.walk() if one.span.first == span.first)
    steps = (print_statement(one, notes=True) for one in parts if isinstance(one, n.Statement))
    return next(steps, ())


def effective(origins: tuple[Origin, ...]) -> n.Component | None:
    """The tree of a declaration after the layers that changed it (newest first); None if it has
    been removed or is in a card file.
    """
    node: n.Component | None = None
    for origin in reversed(origins):
        layer = None if origin.span is None else declaration_at(origin.span)
        if isinstance(layer, n.Replace):
            node = layer.what if node is None else worded_like(node, layer.what)
        elif isinstance(layer, n.Component):
            node = layer
        elif isinstance(layer, n.RemoveNameless):
            node = None
        elif isinstance(layer, n.ReplaceForbid | n.ExtendForbid | n.Remove):
            if isinstance(node, n.Rule) and origin.forbid:
                node = with_changed_forbid(node, layer)
            else:
                node = None
        elif node is not None and isinstance(layer, n.Layer):
            node, _ = extended_by(node, layer)
    return node


def effective_lines(origins: tuple[Origin, ...]) -> tuple[str, ...]:
    """The printed lines of `effective`, without comments and sources; for a card, those of its
    entry.
    """
    node = effective(origins)
    if node is not None:
        return print_declaration(node)
    spans = (one.span for one in origins if one.span is not None and not one.is_removal)
    return tuple(line for span in spans for line in _indented_at(span))


class MarkedLine(NamedTuple):
    """A printed line of an effective declaration. `origin`: the change that it comes from, at that
    line of its file; None if it is in the first version.
    """

    text: str
    origin: Origin | None = None
    line: int = 0


def marked_lines(origins: tuple[Origin, ...]) -> tuple[MarkedLine, ...]:
    """The lines of a declaration after all layers, each attributed to the change that it comes
    from.
    """
    *changes, first = origins
    lines = tuple(MarkedLine(text) for text in effective_lines((first,)))
    for at in range(len(changes) - 1, -1, -1):
        texts, written = effective_lines(origins[at:]), _lines_of(origins[at])
        match = SequenceMatcher(None, [one.text for one in lines], texts, autojunk=False)
        marked = list[MarkedLine]()
        for how, start, end, other_start, other_end in match.get_opcodes():
            for text in () if how == "equal" else texts[other_start:other_end]:
                marked.append(MarkedLine(text, origins[at], _place(text, written)))
            marked += lines[start:end] if how == "equal" else ()
        lines = tuple(marked)
    return lines


def _lines_of(origin: Origin) -> dict[int, str]:
    """The lines of a declaration in its source, by line number."""
    span = origin.span
    if span is None:
        return {}
    size = span.home.text.rstrip().count("\n") + 1 if isinstance(span.home, Section) else 1
    lines = span.source.text.split("\n")[span.line - 1 : span.line - 1 + size]
    return {at: line.partition("#")[0].strip() for at, line in enumerate(lines, span.line)}


def _place(text: str, written: dict[int, str]) -> int:
    """The number of the first line that begins with the text, or that the text begins with; or else
    of the first line of all.
    """
    stripped = text.strip()
    matches = (
        at
        for at, line in written.items()
        if line and (line.startswith(stripped) or stripped.startswith(line))
    )
    return next(matches, min(written, default=0))


def comment_above(span: Span) -> str:
    """The text of the comments directly above a declaration, without a reference to a rulebook."""
    line = line_at(span)
    above = () if line is None else _directly_above(line)
    return comment_in(above)


def comment_in(lines: Iterable[str]) -> str:
    """The text of comment lines, without a reference to a rulebook and without allowances."""
    texts = (one[1:].strip() for one in lines)
    return _RULEBOOK.sub("", " ".join(one for one in texts if not _ALLOWED.match(one)))


def _directly_above(line: Line) -> tuple[str, ...]:
    """The comments above a line with no blank line in between."""
    blanks = [number for number, one in enumerate(line.above, 1) if not one]
    return line.above[blanks[-1] if blanks else 0 :]


def comment_of(origins: Iterable[Origin]) -> str:
    """The comment above the last complete version of a declaration: comments of mere additions
    describe only these, and those of replaced versions may no longer hold.
    """
    spans = (
        origin.span
        for origin in origins
        if origin.span is not None and origin.how in ("declared", "replaced") and not origin.forbid
    )
    return next(map(comment_above, spans), "")


def _indented_at(span: Span) -> Iterator[str]:
    """The line where a span begins and the lines below it that are indented further, dedented."""
    first, *lines = span.source.text.split("\n")[span.line - 1 :]
    indent = len(first) - len(first.lstrip())
    yield first[indent:]
    for line in lines:
        if line.strip():
            if len(line) - len(line.lstrip()) <= indent:
                return
            yield line[indent:]


class Step(NamedTuple):
    """A statement with the `if`s around it, outermost first."""

    statement: n.Statement
    conditions: tuple[n.If, ...] = ()

    @property
    def line(self) -> Line | None:
        """The source line of the statement."""
        return line_at(self.statement.span)

    def comment(self) -> str:
        """The comment at the end of the statement's line, or else of its condition's; or empty."""
        found = [self.line, *(line_at(one.span) for one in reversed(self.conditions))]
        lines = [*dict.fromkeys(line for line in found if line is not None)]
        return next((line.beside[-1][1:].strip() for line in lines[:2] if line.beside), "")


def steps(block: tuple[n.Node, ...], conditions: tuple[n.If, ...] = ()) -> Iterator[Step]:
    """All statements in a block, at any depth, in preorder."""
    for part in block:
        if isinstance(part, n.Statement):
            yield Step(part, conditions)
        match part:
            case n.If(_, then, otherwise):
                yield from steps(then, (*conditions, part))
                yield from steps(otherwise, conditions)
            case n.By(_, done):
                yield from steps((done,), conditions)
            case _ if isinstance(part, n.Statement | n.Alternative):
                for _, inner in inner_blocks(part):
                    yield from steps(inner, conditions)


def step_at(span: Span) -> Step | None:
    """The innermost statement around a span; None for a span in a card file."""
    candidates = _steps_of(span.home.text) if isinstance(span.home, Section) else ()
    around = (one for one in candidates if _covers(one.statement.span, span))
    return min(around, key=lambda one: len(one.statement.span.text), default=None)


@lru_cache(_CACHE_SIZE)
def _steps_of(text: str) -> tuple[Step, ...]:
    match _parse(text):
        case (
            n.Rule(body=body)
            | n.Replace(n.Rule(body=body))
            | n.ExtendRule(body=body)
            | n.ExtendAction(body=body)
        ):
            return tuple(steps(body))
        case _:
            return ()


def _covers(outer: Span, inner: Span) -> bool:
    return outer.first <= inner.first and inner.last <= outer.last


def comments_of_ends(game: Game) -> Iterator[str]:
    """Comments that explain why the game ends: beside statements that end it; and where such a
    statement has neither comment nor condition, beside the calls of its rule.
    """
    pending, seen = [(at, one.span) for at, one in _statements(game, s.EndGame)], set[int]()
    while pending:
        rule, span = pending.pop()
        step = None if span is None else step_at(span)
        if step is not None and (comment := step.comment()):
            yield comment
        elif step is not None and rule not in seen and not step.conditions:
            seen.add(rule)
            name, calls = game.rules[rule].declared, _statements(game, s.Do)
            pending += [(at, do.span) for at, do in calls if game.rules[do.rule].declared == name]


def _statements(game: Game, of: type[Statement]) -> Iterator[tuple[int, Statement]]:
    """All statements of a class, each with the number of its rule."""
    return ((number, one) for number, rule in enumerate(game.rules) for one in rule.every(of))
