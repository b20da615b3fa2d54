"""Error recovery: replaces lines with syntax errors, so that the rest of a declaration is
checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from targi_dsl.syntax import ast as n
from targi_dsl.syntax.errors import IndentedTooFar, NothingUnder, ReservedName
from targi_dsl.syntax.grammar import language
from targi_dsl.syntax.lexer import CONTINUING
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Section, Span, Text
from targi_dsl.text.structs import Frozen

MOST_IN_ONE = 10
"""The most further errors reported for a declaration."""

Parse = Callable[[Text], tuple[n.Declaration | None, tuple[Problem, ...]]]

_LINE = re.compile(r"(?P<indent>[ \t\r]*)(?P<word>\+|\w*)[^\n]*\n?")
_NEXT = re.compile(rf"(?:[ \t\r]*\n)*{_LINE.pattern}")
_WORD = re.compile(r"[a-z]\w*")
_NAMELESS = re.compile(r'"[^"\n]*"?|#[^\n]*|[0-9]+ +\w+')
"""Parts of a line that introduce no names: quoted texts, comments, what a number precedes."""
_BINDERS = frozenset(("all", "choose", "each", "let", "roll"))
_EXTENSIONS = (n.ExtendRule, n.ExtendAction, n.Layout, n.ExtendLayout, n.Look, n.ExtendLook)
_ANSWER = re.compile(r" *(?:your abilities$|each [^\n]*:|[a-z]\w*(?: as [^\n]*)?:)", re.MULTILINE)
_OF_ANSWERS = ["one of", "may"]
_RULE = re.compile(r"(?:(?:replace|extend) +)?rule +[a-z]\w*")
_LABEL = re.compile(r"[a-z]\w*(?= *:| as )")
_HEADS = (
    ("if", "if 1"),
    ("otherwise if", "otherwise if 1"),
    ("otherwise", "otherwise"),
    ("one of", "one of"),
    ("any of these", "one of"),
)
"""Beginnings of heads of blocks, and a valid head that takes the same block."""


class Rest(Frozen):
    """A declaration without the lines that could not be parsed.

    `unread`: the words of those lines, any of which may have introduced a name. `rule`: the rule
    that lacks them. `headless`: its first line is one of them, so that its parameters are unknown;
    `node` then has another name.
    """

    node: n.Declaration
    unread: frozenset[str]
    rule: str
    headless: bool


class _Shortened(Struct):
    """A section in which lines have been replaced; offsets stay the same."""

    section: Section
    text: str
    unread: set[str] = field(default_factory=set)

    def span(self, start: int, end: int) -> Span:
        """The same span of the section."""
        return self.section.span(start, end)


def recover(section: Section, fault: Problem, parse: Parse) -> tuple[list[Problem], Rest | None]:
    """The further errors of a declaration after its first, and what could be parsed of it."""
    short, below = _Shortened(section, section.text), list[Problem]()
    headless = False
    while fault.span is not None and fault.span.home is section and len(below) < MOST_IN_ONE:
        if isinstance(fault, ReservedName):
            break  # each use of the name would be another error
        headless |= _is_head(short.text, fault.span.first)
        node, following = _without(short, fault, parse)
        if node is not None:
            return below, _rest(node, short.unread, headless)
        if following is None:
            break
        if not _is_consequence(short.text, fault, following):
            below.append(following)
        fault = following
    return below, None


def _is_consequence(text: str, fault: Problem, following: Problem) -> bool:
    """Whether a line is indented too far only because the line between was not indented."""
    if not isinstance(fault, NothingUnder) or not isinstance(following, IndentedTooFar):
        return False
    assert fault.span is not None and following.span is not None
    return text.count("\n", fault.span.first, following.span.first) == 2


def _rest(node: n.Declaration, unread: set[str], headless: bool) -> Rest | None:
    """What remains of a rule, a layout or a look."""
    what = node.what if isinstance(node, n.Replace) else node
    if not isinstance(what, (n.Rule, *_EXTENSIONS)):
        return None
    rule = what.name if isinstance(what, n.Rule) else getattr(what, "rule", None)
    name = rule.text if rule is not None else ""
    if headless and isinstance(what, n.Rule):
        node = replace(what, name=replace(what.name, text=f"{name} without its head"))
    return Rest(node, frozenset(unread), name, headless)


def _without(
    short: _Shortened, fault: Problem, parse: Parse
) -> tuple[n.Declaration | None, Problem | None]:
    """Replaces the line of an error. Returns the declaration if it was the last error, or the next
    error; neither if no replacement helps.
    """
    assert fault.span is not None
    text, start = short.text, _start(short.text, fault.span.first)
    for group in _replacements(text, start, fault):
        tried = [_try(_Shortened(short.section, text), start, one, parse) for one in group]
        successful = [one for one in tried if one.ease]
        if successful:
            best = max(successful, key=lambda one: one.ease)  # the first of several
            first = (fault.hint if fault.edits else text[start:]).split()[0]
            short.unread.update(_possible_names(f"{first} {text[start : best.end]}"))
            short.text = best.text
            return best.node, best.fault
    return None, None


class _Tried(NamedTuple):
    """The result of a replacement up to `end`. `ease`: 0 if there still is an error in it, 1 if the
    next one is on the line below, where it may be a consequence, else 2.
    """

    text: str
    end: int
    node: n.Declaration | None
    fault: Problem | None
    ease: int


def _try(short: _Shortened, start: int, replacement: tuple[int, str], parse: Parse) -> _Tried:
    (end, new), text = replacement, short.text
    short.text = text[:start] + new + _blank(text[start + len(new) : end]) + text[end:]
    node, problems = parse(short)
    if node is not None:
        return _Tried(short.text, end, node, None, 2)
    place = problems[0].span
    at = -1 if place is None else place.first
    below = _NEXT.match(text, end)
    ease = (at >= end) + (below is not None and at >= below.end())
    return _Tried(short.text, end, None, problems[0], ease)


def _replacements(text: str, start: int, fault: Problem) -> Iterator[list[tuple[int, str]]]:
    """Candidates, in groups of decreasing preference: where the replaced text ends, and what
    replaces it. Those that keep the block of the line come first. They are never longer than the
    line.
    """
    line = _LINE.match(text, start)
    assert line is not None
    end, block = line.end(), _end_of_block(text, line, isinstance(fault, IndentedTooFar))
    while (more := _LINE.match(text, end)) is not None and more["word"] in CONTINUING:
        end = more.end()
    written = line.group().strip()
    if not line["indent"]:
        head = _RULE.match(written)
        yield [(end, head.group())] if head is not None else []
        return
    after = _end_of_dependents(text, block)
    heads = list(_heads((fault.hint, written) if fault.edits else (written,)))
    heads += ["if 1"] if block < after else _OF_ANSWERS if _ANSWER.match(text, end) else ["may"]
    label = _LABEL.match(written)
    without_block = [*(f"{head}: nothing" for head in heads if block < after), "nothing"]
    without_block += [f"{label.group()}: nothing"] if label is not None else []
    with_block = [(end, head) for head in heads] if block > end else []
    for group in (with_block, [*((block, one) for one in without_block), (block, ""), (after, "")]):
        yield [(at, new and line["indent"] + new) for at, new in group if len(new) <= len(written)]


def _possible_names(lines: str) -> Iterator[str]:
    """The words that may have been meant as new names."""
    known = language()
    others = known.before("action").choices()
    for line in lines.casefold().splitlines():
        words = _WORD.findall(_NAMELESS.sub(" ", line))
        if words and (words[0] in _BINDERS or known.terminals.get(words[0]) not in others):
            yield from words


def _heads(lines: tuple[str, ...]) -> Iterator[str]:
    for line in lines:
        yield from (new for old, new in _HEADS if re.match(rf"{old}\b", line))


def _start(text: str, offset: int) -> int:
    """The beginning of the sentence at an offset; it may be on an earlier line."""
    start = text.rfind("\n", 0, offset) + 1
    line, above = _LINE.match(text, start), _LINE.match(text, text.rfind("\n", 0, start - 1) + 1)
    assert line is not None and above is not None
    deeper = start > 0 and len(line["indent"]) > len(above["indent"])
    return _start(text, start - 1) if deeper and line["word"] in CONTINUING else start


def _is_head(text: str, offset: int) -> bool:
    return not text[_start(text, offset) :].startswith((" ", "\t"))


def _end_of_block(text: str, first: re.Match[str], beside: bool) -> int:
    """The end of the block below a line; with `beside`, also of lines indented like it."""
    at = first.end()
    while at < len(text) and (line := _LINE.match(text, at)) is not None:
        deeper = len(line["indent"]) - len(first["indent"])
        if line.group().strip() and deeper < (0 if beside else 1):
            break
        at = line.end()
    return at


def _end_of_dependents(text: str, at: int) -> int:
    """The end of the `otherwise` parts that follow a block."""
    while (line := _NEXT.match(text, at)) is not None and line["word"] == "otherwise":
        at = _end_of_block(text, line, beside=False)
    return at


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
