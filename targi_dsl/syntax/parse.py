"""Rule files, and the strings of card files, read into nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Source, Text

VERSION = 1
"""The version of the language that is read."""

MOST = 200
"""Faults of a file that are told."""

Found = tuple[Problem, ...]


def parse_file(source: Source) -> tuple[tuple[n.Declaration, ...], Found]:
    """The declarations of a rule file or a game sheet, in order, and what is wrong with the others.

    Each declaration is read on its own, so that one fault is one problem. E101 to E112.
    """
    declarations: list[n.Declaration] = []
    problems: list[Problem] = []
    first = True
    for start, end in _chunks(source.text):
        node, found = _read(source, "declaration", start, end, lined=True)
        if found and problems and _is_told(source, start, problems[-1]):
            continue
        problems += found
        if isinstance(node, n.Language) and node.version != VERSION:
            return (node,), (_other_version(node),)
        if isinstance(node, n.Language) and not first:
            hint = f"write `language {VERSION}` as the first line, and only there"
            text = "It belongs on the first line:"
            problems.append(
                Problem("E102", "the language is named too late or twice", node.span, text, hint)
            )
        elif (
            first and not isinstance(node, n.Language) and not _means_language(source, start, found)
        ):
            problems.insert(0, _no_version(source, start))
        first = False
        if node is not None:
            declarations.append(cast(n.Declaration, node))
        if len(problems) >= MOST:
            text = f"{MOST} faults are told; what comes below has not been looked at."
            problems.append(Problem("E113", "too many faults", source.span(start, end), text))
            break
    if first:
        text = "A file begins with the version of the language it is written in:"
        problems.append(
            Problem(
                "E101",
                "nothing stands in this file",
                source.span(0, 0),
                text,
                f"language {VERSION}",
            )
        )
    return tuple(declarations), tuple(problems)


def parse_ability(text: Text) -> tuple[n.Ability | None, Found]:
    """The ability that a card's `ability:` string says."""
    node, problems = _parse_string(text, "ability")
    return cast("n.Ability | None", node), problems


def parse_action(text: Text) -> tuple[n.Block | None, Found]:
    """The statements that a card's `action:` string says."""
    node, problems = _parse_string(text, "action")
    return cast("n.Block | None", node), problems


def parse_cost(text: Text) -> tuple[n.Price | None, Found]:
    """The price that a card's `cost:` string says."""
    node, problems = _parse_string(text, "cost")
    return cast("n.Price | None", node), problems


def parse_deck(text: Text) -> tuple[n.DeckExpr | None, Found]:
    """The cards that a deck expression names."""
    node, problems = _parse_string(text, "deck")
    return cast("n.DeckExpr | None", node), problems


def _parse_string(text: Text, start: str) -> tuple[object, Found]:
    if not text.text.strip():
        wanted = f"{'An' if start[0] in 'aeiou' else 'A'} {start} was to stand here."
        return None, (Problem("E101", "nothing stands here", text.span(0, len(text.text)), wanted),)
    return _read(text, start, 0, len(text.text), lined=False)


def _read(text: Text, start: str, begin: int, end: int, lined: bool) -> tuple[object, Found]:
    from targi_dsl.syntax.reading import read  # imports Lark

    return read(text, start, begin, end, lined)


def _chunks(text: str) -> Iterator[tuple[int, int]]:
    """Where each declaration lies: from a line with a letter at the left edge up to the next.

    What stands before the first is a part of its own, unless it is blank or a comment.
    """
    starts = [found.start() for found in re.finditer(r"^[^\W\d_]", text, re.MULTILINE)]
    if not starts or _says_something(text[: starts[0]]):
        starts.insert(0, 0)
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        if _says_something(text[start:end]):
            yield start, end


def _says_something(text: str) -> bool:
    return re.search(r"^[ \t\r]*[^\s#]", text, re.MULTILINE) is not None


def _is_told(source: Source, start: int, before: Problem) -> bool:
    """Whether a faulty line at the left edge is the one that was to stand under the line above."""
    from targi_dsl.syntax.grammar import language
    from targi_dsl.syntax.slips import NOTHING_UNDER

    word = re.compile(r"\w*").match(source.text, start)
    known = language()
    begins = known.before("declaration").choices()
    return before.title == NOTHING_UNDER and (
        word is None or known.terminals.get(word.group()) not in begins
    )


def _means_language(source: Source, start: int, found: Found) -> bool:
    """Whether a faulty first declaration is a spoilt `language` line, of which enough has been
    said.
    """
    return bool(found) and (
        "language" in found[0].hint or source.text[start:].lstrip().startswith("language")
    )


def _no_version(source: Source, start: int) -> Problem:
    line_end = source.text.find("\n", start)
    found = re.compile(r"\S+").search(
        source.text, start, len(source.text) if line_end < 0 else line_end
    )
    place = source.span(*found.span()) if found else source.span(start, start)
    text = "A file begins with the version of the language it is written in:"
    hint = f"write `language {VERSION}` as the first line"
    return Problem("E102", "the language version is missing", place, text, hint)


def _other_version(node: n.Language) -> Problem:
    text = (
        f"This file is written in language {node.version}; this program reads language {VERSION};"
    )
    hint = (
        "get a newer version of this program" if node.version > VERSION else f"language {VERSION}"
    )
    return Problem("E103", f"language {node.version} is not known", node.span, text, hint)
