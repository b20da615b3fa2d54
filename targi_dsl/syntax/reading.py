"""Lexemes read by Lark: into nodes, or into the one problem that they have."""

from __future__ import annotations

from typing import Any

from lark import Token, Transformer_NonRecursive, Tree, UnexpectedToken
from lark.tree import Meta

from targi_dsl.syntax.ast import Word
from targi_dsl.syntax.build_declarations import BINDERS, DECLARATIONS
from targi_dsl.syntax.build_sentences import SENTENCES
from targi_dsl.syntax.faults import explain, locate
from targi_dsl.syntax.grammar import language
from targi_dsl.syntax.lexing import DEEPEST, Misread, cut
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Text

DEEPEST_NODES = 4 * DEEPEST
"""How deep nodes may lie in one another: whoever walks them may recurse, with a few calls a node.
"""

BUILDERS = {**DECLARATIONS, **SENTENCES}


def read(
    text: Text, start: str, begin: int, end: int, lined: bool
) -> tuple[object, tuple[Problem, ...]]:
    """The node of one part of a text, from a start symbol of the grammar.

    None if there is a fault in it, which is then the one problem; else E108 for each name that
    cannot be one.
    """
    known = language()
    builder = _Builder(text)
    try:
        lexemes = cut(text, begin, end, lined)
        tree = known.parser.parse(lexemes.all, start)
        _refuse_depth(tree, text)
        node = builder.transform(tree)
    except Misread as misread:
        return None, (misread.problem,)
    except UnexpectedToken:
        return None, (explain(locate(text, start, lexemes)),)
    return node, tuple(_reserved(word) for word in builder.named if word.text in known.reserved)


class _Builder(Transformer_NonRecursive[Token, Any]):
    """Trees into nodes, each by the builder of its frame; `named` gets the words that name
    something.
    """

    def __init__(self, text: Text) -> None:
        super().__init__()
        self.text_read = text
        self.named: list[Word] = []

    def __default__(self, data: str, children: list[Any], meta: Meta) -> Any:
        if data in BINDERS:
            self.named += BINDERS[data](children)
        place = (
            self.text_read.span(0, 0)
            if meta.empty
            else self.text_read.span(meta.start_pos, meta.end_pos)
        )
        return BUILDERS[data](children, place)

    def __default_token__(self, token: Any) -> Word:
        return Word(token.value, span=self.text_read.span(token.start_pos, token.end_pos))


def _refuse_depth(tree: Tree[Token], text: Text) -> None:
    level = [tree]
    for _ in range(DEEPEST_NODES):
        level = [part for one in level for part in one.children if isinstance(part, Tree)]
    if level:
        raise Misread(
            Problem(
                "E106",
                "this goes too deep",
                text.span(level[0].meta.start_pos, level[0].meta.end_pos),
                f"At most {DEEPEST_NODES} parts may stand inside one another;",
                "give the inner part a name with `define` or a `rule`",
            )
        )


def _reserved(word: Word) -> Problem:
    title = f"`{word.text}` is a word of the language"
    return Problem("E108", title, word.span, "It cannot name anything;", "choose another name")
