"""Words read by the tables: into nodes, or up to the word that fits nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from targi_dsl.problems import Problem
from targi_dsl.source import Span, Text
from targi_dsl.syntax.build_declarations import BINDERS, DECLARATIONS
from targi_dsl.syntax.build_sentences import SENTENCES
from targi_dsl.syntax.grammar import END, NAME, Table
from targi_dsl.syntax.lexing import DEEPEST, LAYOUT, WORD, Lexeme, Misread
from targi_dsl.syntax.nodes import Word

DEEPEST_NODES = 4 * DEEPEST
"""How deep nodes may lie in one another: whoever walks them may recurse, with a few calls a node."""

BUILDERS = {**DECLARATIONS, **SENTENCES}

is_name = re.compile("[a-z][a-z0-9_]*").fullmatch


class Unfit(Exception):
    """The word at `index` fits nowhere in the grammar."""

    def __init__(self, index: int) -> None:
        super().__init__(index)
        self.index = index


class Entry(NamedTuple):
    """A part read so far: its value, where it lies (-1: nowhere) and how deep its nodes go."""

    value: Any
    start: int
    end: int
    depth: int


def read(table: Table, start: str, lexemes: Sequence[Lexeme], text: Text, named: list[Word]) -> Any:
    """What the words mean, from the start symbol named; adds to `named` each word that names something.

    Raises Unfit, and Misread (E106, E112).
    """
    actions, gotos, rules = table.actions, table.gotos, table.rules
    states = [table.starts[start]]
    entries: list[Entry] = []
    for index, lexeme in enumerate(lexemes):
        terminal = lexeme.kind if lexeme.kind is not WORD else terminal_of(table, states, lexeme.text)
        while (action := actions[states[-1]].get(terminal)) is not None and action < 0:
            rule = rules[~action]
            size = rule.size
            if size == 1 and rule.alone:  # most reductions: one part stands for the whole
                states[-1] = gotos[states[-2]][rule.origin]
                continue
            parts = entries[-size:] if size else []
            if size:
                del states[-size:], entries[-size:]
            states.append(gotos[states[-1]][rule.origin])
            first = next((part.start for part in parts if part.start >= 0), -1)
            last = next((part.end for part in reversed(parts) if part.end >= 0), -1)
            values: list[Any] = []
            for at, spliced, left_out in rule.keep:
                if left_out:
                    values += [None] * left_out
                if spliced:
                    values += parts[at].value
                else:
                    values.append(parts[at].value)
            if rule.after:
                values += [None] * rule.after
            depth = max((part.depth for part in parts), default=0)
            if not rule.frame:
                entries.append(Entry(values, first, last, depth))
            elif rule.alone and len(values) == 1:
                entries.append(Entry(values[0], first, last, depth))
            else:
                place = text.span(max(first, 0), max(last, 0))
                if depth >= DEEPEST_NODES:
                    raise Misread(_too_deep(place))
                if rule.frame in BINDERS:
                    named += BINDERS[rule.frame](values)
                entries.append(Entry(BUILDERS[rule.frame](values, place), first, last, depth + 1))
        if action is None:
            raise Unfit(index)
        states.append(action)
        if lexeme.kind in LAYOUT:
            if lexeme.kind == END:
                return entries[-1].value
            entries.append(Entry(None, -1, -1, 0))
        else:
            word = Word(lexeme.text, text.span(lexeme.start, lexeme.end))
            entries.append(Entry(word, lexeme.start, lexeme.end, 0))
    raise AssertionError("the words had no end")


def terminal_of(table: Table, states: Sequence[int], word: str) -> str:
    """What a word is at this point: a word of the language if one fits, else a name, else ""."""
    row = table.actions[states[-1]]
    if word in table.keywords and word in row and (row[word] >= 0 or NAME not in row or fits(table, states, word)):
        return word
    return NAME if is_name(word) else ""


def fits(table: Table, states: Sequence[int], terminal: str) -> bool:
    """Whether the terminal can come next."""
    return advance(table, list(states), terminal)


def advance(table: Table, states: list[int], terminal: str) -> bool:
    """Reads one terminal, without values; False (and `states` spoilt) if it does not fit."""
    while (action := table.actions[states[-1]].get(terminal)) is not None and action < 0:
        rule = table.rules[~action]
        if rule.size:
            del states[-rule.size :]
        states.append(table.gotos[states[-1]][rule.origin])
    if action is None:
        return False
    states.append(action)
    return True


def follow(table: Table, states: list[int], lexemes: Iterable[Lexeme]) -> bool:
    """Reads words, without values; False if one of them does not fit."""
    return all(
        advance(table, states, one.kind if one.kind is not WORD else terminal_of(table, states, one.text))
        for one in lexemes
    )


def _too_deep(place: Span) -> Problem:
    return Problem(
        "E106",
        "this goes too deep",
        place,
        f"At most {DEEPEST_NODES} parts may stand inside one another;",
        "give the inner part a name with `define` or a `rule`",
    )
