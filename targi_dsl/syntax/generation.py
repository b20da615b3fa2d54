"""Generates the table of the parser from the grammar, with Lark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import lark
from lark.grammar import Rule, Terminal
from lark.lexer import Lexer
from lark.parsers.lalr_analysis import Shift

STARTS = ("declaration", "ability", "action", "cost", "deck", "value")


class _NoLexer(Lexer):
    """Lark only generates: the text is tokenized by `lexer`."""

    def __init__(self, _: object) -> None:
        pass

    def lex(self, *_: object) -> Iterator[lark.Token]:
        raise NotImplementedError


def generate(text: str) -> dict[str, Any]:
    """The table of a grammar as data, with the terminal of each symbol and word; refuses a grammar
    with conflicts.
    """
    made = make_parser(text)
    confs = {one: made.parse_interactive(start=one).parser_state.parse_conf for one in STARTS}
    states = confs[STARTS[0]].states
    numbers = {one: ~number for number, one in enumerate(made.rules)}
    return {
        "rows": [_row(states[at], numbers) for at in range(len(states))],
        "rules": [_rule(one) for one in made.rules],
        "first": {one: conf.start_state for one, conf in confs.items()},
        "last": {one: conf.end_state for one, conf in confs.items()},
        "terminals": {
            one.pattern.value: one.name for one in made.terminals if one.pattern.type == "str"
        },
    }


def make_parser(text: str) -> lark.Lark:
    """Lark's parser of a grammar."""
    return lark.Lark(
        text,
        parser="lalr",
        lexer=_NoLexer,
        start=list(STARTS),
        strict=True,
        maybe_placeholders=True,
        propagate_positions=True,
    )


def _row(state: Mapping[str, tuple[object, Any]], numbers: Mapping[Rule, int]) -> dict[str, int]:
    """A row of the automaton."""
    return {kind: to if what is Shift else numbers[to] for kind, (what, to) in state.items()}


def _rule(rule: Rule) -> tuple[object, ...]:
    """The fields of a rule of the automaton."""
    *before, omitted = _omitted(rule)
    kept = list[tuple[int, bool, int]]()
    waiting = 0
    for at, symbol in enumerate(rule.expansion):
        waiting += before[at]
        if rule.options.keep_all_tokens or not (isinstance(symbol, Terminal) and symbol.filter_out):
            kept.append((at, not symbol.is_term and symbol.name.startswith("_"), waiting))
            waiting = 0
    passes = rule.options.expand1 and not rule.alias
    origin = rule.origin.name
    return origin, rule.alias or origin, len(rule.expansion), passes, kept, waiting + omitted


def _omitted(rule: Rule) -> list[int]:
    """The number of omitted parts before each part, and after the last."""
    given = rule.options.empty_indices or (False,) * len(rule.expansion)
    return [len(ones) for ones in "".join(str(int(one)) for one in given).split("0")]
