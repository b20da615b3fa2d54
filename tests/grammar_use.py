"""Finds the alternatives of the grammar that a text uses: each alternative, and each optional part
of it, has its own name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

from lark import Lark

from targi_dsl.syntax.grammar import STARTS, Words
from targi_dsl.syntax.lexer import tokenize
from targi_dsl.text.source import Source

GRAMMAR = Path(__file__).parent.parent / "targi_dsl" / "syntax" / "grammar.lark"
PIECE = re.compile(r'"[^"]*"|/(?:\\.|[^/\n])+/|->|\w+|\S')
RULE = re.compile(r"^[?!]?([a-z]\w*): *(.*(?:\n[ \t]+.*)*)", re.MULTILINE)
CLOSING = {"(": ")", "[": "]"}

SNAPSHOT = Path(__file__).parent / "snapshots/constructs.txt"
"""Under a heading that says where each sample stands, the sample and the node that it becomes: names
and numbers bare, tuples in brackets.
"""
SAMPLES = re.findall(
    r"^## (\w+)\n(.*?)\n(?==>|\n|\Z)",
    SNAPSHOT.read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Grammar:
    """The grammar under new names: what each name means, and the parser that builds trees of them."""

    alternatives: dict[str, str]
    parser: Lark

    def used_in(self, start: str, text: str) -> Iterator[str]:
        """The names of all alternatives that a text needs."""
        words = tokenize(Source("", text), lined=start == "declaration").all
        tree = self.parser.parse(cast(str, words), start=start)
        return (str(node.data) for node in tree.iter_subtrees())


@cache
def grammar() -> Grammar:
    """The grammar of the language, rewritten so that every alternative and optional part is a
    separate node.
    """
    text = re.sub(r"^//.*$", "", GRAMMAR.read_text(encoding="utf-8"), flags=re.MULTILINE)
    rules = {found[1]: PIECE.findall(found[2]) for found in RULE.finditer(text)}
    names, parts = dict[str, str](), dict[str, str]()
    lines = [
        line for name, pieces in rules.items() for line in _rewritten(name, pieces, names, parts)
    ]
    rest = RULE.sub("", text)
    parser = Lark("\n".join([*lines, rest]), parser="lalr", lexer=Words, start=list(STARTS))
    return Grammar(names, parser)


def _rewritten(
    rule: str, pieces: list[str], names: dict[str, str], parts: dict[str, str]
) -> Iterator[str]:
    """The rule with an alias for each alternative, and new rules for the bracketed parts; `parts`
    holds those by text.
    """
    aliased, own = [], list[str]()
    for number, alternative in enumerate(_split(pieces)):
        if "->" in alternative:
            alternative = alternative[: alternative.index("->")]
        alias = f"{rule}__{number}"
        if len(alternative) > 1 or not re.fullmatch(
            "[a-z_]+", alternative[0]
        ):  # a mere other name is no sentence
            names[alias] = f"{rule}: {' '.join(alternative)}"
        aliased.append(f"{' '.join(_without_brackets(alternative, names, parts, own))} -> {alias}")
    yield f"{rule}: " + "\n  | ".join(aliased)
    yield from own


def _split(pieces: list[str]) -> list[list[str]]:
    """The top-level alternatives."""
    found, depth = [list[str]()], 0
    for piece in pieces:
        depth += (piece in CLOSING) - (piece in CLOSING.values())
        if piece == "|" and not depth:
            found.append([])
        else:
            found[-1].append(piece)
    return found


def _without_brackets(
    pieces: list[str], names: dict[str, str], parts: dict[str, str], own: list[str]
) -> Iterator[str]:
    """The pieces, with the name of a new rule in place of each optional part and of each nested
    choice.
    """
    at = 0
    while at < len(pieces):
        piece, at = pieces[at], at + 1
        if piece not in CLOSING:
            yield piece
            continue
        depth, begin = 1, at
        while depth:
            depth += (pieces[at] in CLOSING) - (pieces[at] in CLOSING.values())
            at += 1
        inner = pieces[begin : at - 1]
        if len(_split(inner)) == 1 and pieces[at : at + 1] in (
            ["*"],
            ["+"],
        ):  # one more of the same
            yield from ("(", *_without_brackets(inner, names, parts, own), ")")
            continue
        text = " ".join(inner)
        if (
            text not in parts
        ):  # the same part in two sentences is one rule, or nobody could tell which is meant
            parts[text] = f"part_{len(parts)}"
            own += _rewritten(parts[text], inner, names, parts)
        yield parts[text]
        if piece == "[":
            yield "?"


def chunks(text: str) -> Iterator[str]:
    """The declarations of a rule file, each with its newline."""
    starts = [found.start() for found in re.finditer("^[a-z]", text, re.MULTILINE)]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield text[start:end].rstrip() + "\n"
