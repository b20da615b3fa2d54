"""Parses rule files, and the sentences on cards, into syntax trees."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from lark import Token, Tree, UnexpectedToken
from msgspec import Struct, field

from targi_dsl.syntax import ast as n
from targi_dsl.syntax.builder import Builder
from targi_dsl.syntax.error_productions.productions import explain
from targi_dsl.syntax.errors import NothingUnder, doubled, locate
from targi_dsl.syntax.grammar import language
from targi_dsl.syntax.lexer import DEEPEST, LexicalError, tokenize
from targi_dsl.syntax.recovery import Rest, recover
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Section, Source, Span, Text
from targi_dsl.text.structs import Frozen
from targi_dsl.text.suggestions import did_you_mean

VERSION = 2
"""The version of the language that is supported."""

MOST_FAULTS = 200
"""The most errors reported for a file."""

MOST_DECLARATIONS = 5_000
"""The most declarations of a file."""

MOST_WORDS = 20_000
"""The most words and symbols of a declaration."""

DEEPEST_NODES = 4 * DEEPEST
"""The deepest nesting of nodes; recursive traversals need a few calls for each level."""

Found = tuple[Problem, ...]


class Comment(Frozen):
    """A comment, without its `#`."""

    text: str
    span: Span


class Parsed(Frozen):
    """The parse of one declaration and its section of the file.

    `node`: None if there is a syntax error, and `rest` is then what could be parsed. `comments`:
    those above, in and beside it. `citations`: the texts of its `source` clauses.
    """

    section: Section
    node: n.Declaration | None
    problems: Found
    comments: tuple[Comment, ...]
    citations: tuple[n.Word, ...]
    rest: Rest | None = None


class File(Frozen):
    """A parsed rule file or game sheet: its declarations in order, and its problems."""

    source: Source
    parts: tuple[Parsed, ...]
    problems: Found

    @property
    def declarations(self) -> tuple[n.Declaration, ...]:
        """The declarations without syntax errors."""
        return tuple(part.node for part in self.parts if part.node is not None)

    @property
    def rests(self) -> Iterator[tuple[Section, Rest]]:
        """What could be parsed of the other declarations."""
        return ((part.section, part.rest) for part in self.parts if part.rest is not None)

    @property
    def comments(self) -> tuple[Comment, ...]:
        """All comments of the file."""
        return tuple(comment for part in self.parts for comment in part.comments)

    @property
    def citations(self) -> tuple[n.Word, ...]:
        """The texts of all `source` clauses of the file."""
        return tuple(word for part in self.parts for word in part.citations)


class ParseCache(Struct):
    """The latest parses of files. Unchanged declarations are reused: the same object, with its
    section moved to the new position.
    """

    files: dict[str, File] = field(default_factory=dict)

    def pop(self, name: str) -> dict[str, list[Parsed]]:
        """Removes the declarations of a file and returns them by text."""
        by_text: dict[str, list[Parsed]] = defaultdict(list)
        if name in self.files:
            for part in reversed(self.files.pop(name).parts):
                by_text[part.section.text].append(part)
        return by_text


def read_file(source: Source, cache: ParseCache | None = None) -> File:
    """Parses a rule file or game sheet, each declaration by itself, so that one mistake gives one
    problem (E101 to E116).
    """
    cached = {} if cache is None else cache.pop(source.name)
    parts: list[Parsed] = []
    problems: list[Problem] = []
    for start, end in sections(source.text):
        part = _reuse(cached, source, start, end) or _read_declaration(Section(source, start, end))
        parts.append(part)
        if isinstance(part.node, n.Language) and part.node.version != VERSION:
            problems = [_other_version(part.node)]
            break
        problems += _version_problems(part, len(parts) == 1)
        if not (part.problems and problems and _is_consequence(part.section, problems[-1])):
            problems += part.problems
        if limit := _limit(part.section, len(parts), len(problems)):
            problems.append(limit)
            break
    problems = _without_uses(parts, problems)
    if not parts:
        text = "A file begins with the version of the language it is written in:"
        place, hint = source.span(0, 0), f"language {VERSION}"
        problems = [Problem("E101", "the file is empty", place, text, hint)]
    file = File(source, tuple(parts), tuple(problems))
    if cache is not None:
        cache.files[source.name] = file
    return file


def _without_uses(parts: Sequence[Parsed], problems: list[Problem]) -> list[Problem]:
    """The problems without those that stem from uses of a reserved word as a name, if its
    declaration is reported.
    """
    names = (getattr(part.node, "name", None) for part in parts if part.problems)
    reserved = {one.text for one in names if one is not None} & language().reserved
    if not reserved:
        return problems

    word = re.compile(rf"\b(?:{'|'.join(map(re.escape, reserved))})\b")

    def is_use(problem: Problem) -> bool:
        """Whether there would be no error with another word in its place."""
        part = next((one for one in parts if problem in one.problems), None)
        if problem.code != "E110" or part is None or not word.search(part.section.text):
            return False
        text = word.sub(lambda found: "x" * len(found[0]), part.section.text)
        return not _declaration(Section(Source("", text), 0, len(text)))[1]

    return [one for one in problems if not is_use(one)]


def parse_file(source: Source) -> tuple[tuple[n.Declaration, ...], Found]:
    """The declarations of a file without syntax errors, and the problems of the others."""
    file = read_file(source)
    return file.declarations, file.problems


def parse_declaration(section: Section) -> n.Declaration | None:
    """Parses one declaration; None if it has a syntax error."""
    return _declaration(section)[0]


def parse_ability(text: Text) -> tuple[n.Ability | None, Found]:
    """Parses the `ability` of a card."""
    return _parse_string(text, "ability")


def parse_action(text: Text) -> tuple[n.Block | None, Found]:
    """Parses the `action` of a card."""
    return _parse_string(text, "action")


def parse_cost(text: Text) -> tuple[n.Price | None, Found]:
    """Parses a `cost` of a card."""
    return _parse_string(text, "cost")


def parse_deck(text: Text) -> tuple[n.DeckExpr | None, Found]:
    """Parses a deck expression."""
    return _parse_string(text, "deck")


def parse_value(text: Text) -> tuple[n.Expr | None, Found]:
    """Parses a value in braces in a wording."""
    return _parse_string(text, "value")


def _parse_string(text: Text, start: str) -> tuple[Any, Found]:
    if not text.text.strip():
        wanted = f"Expected {'an' if start[0] in 'aeiou' else 'a'} {start}."
        return None, (Problem("E101", "the text is empty", text.span(0, len(text.text)), wanted),)
    node, problems, _ = _parse(text, start, lined=False)
    return node, problems


# ---- one declaration ----


def _read_declaration(section: Section) -> Parsed:
    node, problems, builder = _parse(section, "declaration", lined=True)
    below, rest = ([], None) if node is not None else recover(section, problems[0], _declaration)
    found, cited = comments(section), tuple(builder.citations)
    return Parsed(section, node, (*problems, *below), found, cited, rest)


def _declaration(text: Text) -> tuple[n.Declaration | None, Found]:
    node, problems, _ = _parse(text, "declaration", lined=True)
    return node, problems


def _reuse(cached: dict[str, list[Parsed]], source: Source, start: int, end: int) -> Parsed | None:
    """The cached parse of the same text, moved to its new position."""
    if not (candidates := cached.get(source.text[start:end])):
        return None
    part = candidates.pop()
    part.section.move(source, start)
    return part


def _parse(text: Text, start: str, lined: bool) -> tuple[Any, Found, Builder]:
    """Parses a text from a start symbol. Returns None and one problem if there is a syntax error;
    otherwise the node, and E108 for each reserved word that it uses as a name.
    """
    known = language()
    builder = Builder(text)
    try:
        lexemes = tokenize(text, lined)
        if len(lexemes.all) > MOST_WORDS:
            raise LexicalError(_too_long(text, len(lexemes.all)))
        tree = known.parser.parse(lexemes.all, start)
        if len(lexemes.all) > DEEPEST_NODES:
            _check_depth(tree, text)
        if (twice := doubled(lexemes)) is not None:
            raise LexicalError(explain(locate(text, start, lexemes, twice)))
        node = builder.transform(tree)
    except LexicalError as error:
        return None, (error.problem,), builder
    except UnexpectedToken:
        return None, (explain(locate(text, start, lexemes)),), builder
    named = [word for word in builder.new_names if word.text in known.reserved]
    named += (word for word in builder.labels if word.text in _CONTINUING)
    return node, tuple(map(_reserved, named)), builder


def _check_depth(tree: Tree[Token], text: Text) -> None:
    level = [tree]
    for _ in range(DEEPEST_NODES):
        level = [part for node in level for part in node.children if isinstance(part, Tree)]
    if level:
        place = text.span(level[0].meta.start_pos, level[0].meta.end_pos)
        why = f"At most {DEEPEST_NODES} parts may be nested:"
        hint = "give the inner part a name with `define` or a `rule`"
        raise LexicalError(Problem("E106", "this is nested too deeply", place, why, hint))


def _too_long(text: Text, words: int) -> Problem:
    first = text.span(0, max(1, text.text.find("\n")))
    why = f"It has {words:,} words and symbols; at most {MOST_WORDS:,} are read."
    return Problem("E115", "this is too long", first, why, "Divide it into several rules.")


_CONTINUING = ("otherwise", "then", "and", "or", "any", "if", "where", "because", "until")
"""Words that continue the sentence above, so that they would be misread as labels."""

_BELOW = re.compile(r"[ ]*otherwise *:.*")


def _reserved(word: n.Word) -> Problem:
    title = f"`{word.text}` is a word of the language"
    if line := _BELOW.fullmatch(word.span.source.line(word.span.line)):
        text = "It is no alternative, so it is indented like `one of`, not like what can be chosen:"
        return Problem("E108", title, word.span, text, line.group().strip())
    return Problem("E108", title, word.span, "It cannot name anything:", "choose another name")


# ---- sections ----

_LINES = re.compile(r"^(?:(?P<comment>#)|(?P<letter>[^\W\d_]))?.*$", re.MULTILINE)


def sections(text: str) -> Iterator[tuple[int, int]]:
    """The extents of declarations: each from an unindented line, or the comments directly above it,
    to the next. Text before the first one is a section of its own, unless it is blank or a comment.
    """
    starts: list[int] = []
    comment: int | None = None
    for line in _LINES.finditer(text):
        if line["letter"]:
            starts.append(line.start() if comment is None else comment)
        comment = (line.start() if comment is None else comment) if line["comment"] else None
    if not starts or _has_code(text[: starts[0]]):
        starts.insert(0, 0)
    starts[0] = 0
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        if _has_code(text[start:end]):
            yield start, end


def _has_code(text: str) -> bool:
    return re.search(r"^[ \t\r]*[^\s#]", text, re.MULTILINE) is not None


def comments(text: Text) -> tuple[Comment, ...]:
    """The comments of a text."""
    return tuple(
        Comment(found.group()[1:].strip(), text.span(*found.span()))
        for found in re.finditer(r'"[^"\n]*"?|#[^\n]*', text.text)
        if found.group().startswith("#")
    )


def _begin(section: Section) -> int:
    """The offset of the first line that is not a comment."""
    found = re.search(r"^[ \t\r]*(?=[^\s#])", section.text, re.MULTILINE)
    return found.end() if found else 0


def _is_consequence(section: Section, before: Problem) -> bool:
    """Whether an unindented line with an error should have been the missing block of the line
    above.
    """
    word = re.compile(r"\w*").match(section.text, _begin(section))
    known = language()
    begins = known.before("declaration").choices()
    return isinstance(before, NothingUnder) and (
        word is None or known.terminals.get(word.group()) not in begins
    )


# ---- the file as a whole ----


def _version_problems(part: Parsed, first: bool) -> Iterator[Problem]:
    if isinstance(part.node, n.Language):
        if not first:
            title, text = "the language is named too late or twice", "It belongs on the first line:"
            hint = f"write `language {VERSION}` as the first line, and only there"
            yield Problem("E102", title, part.node.span, text, hint)
    elif first and not _means_language(part):
        found = re.compile(r"\S+").search(part.section.text, _begin(part.section))
        place = part.section.span(*found.span()) if found else part.section.span(0, 0)
        text = "A file begins with the version of the language it is written in:"
        hint = f"write `language {VERSION}` as the first line"
        yield Problem("E102", "the language version is missing", place, text, hint)


def _means_language(part: Parsed) -> bool:
    """Whether the first declaration, which has an error, was meant to be the `language` line."""
    first = re.compile(r"\w*").match(part.section.text, _begin(part.section))
    word = first.group() if first is not None else ""
    return bool(part.problems) and did_you_mean(word, ["language"]) is not None


def _other_version(node: n.Language) -> Problem:
    text = f"This file is written in language {node.version}; this program reads {VERSION}:"
    hint = "get a newer version of this program"
    if node.version < VERSION:
        text = f"{text[:-1]}. Write the head of this version:"
        hint = f"language {VERSION}"
    return Problem("E103", f"unknown language version {node.version}", node.span, text, hint)


def _limit(section: Section, declarations: int, faults: int) -> Problem | None:
    place = section.span(0, len(section.text.rstrip()))
    if faults >= MOST_FAULTS:
        text = f"{MOST_FAULTS} faults are told; the rest of the file has not been checked."
        return Problem("E113", "too many faults", place, text)
    if declarations > MOST_DECLARATIONS:
        text = f"At most {MOST_DECLARATIONS:,} declarations of a file are read:"
        return Problem("E116", "too many declarations", place, text, "divide the file into several")
    return None
