"""Formats rules, sheets, rule tests, and the sentences in card files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from textwrap import TextWrapper
from typing import Any

from targi_dsl import cardfiles
from targi_dsl.cardfiles import CardEntry, Scalar
from targi_dsl.records.testing import print_tests
from targi_dsl.syntax import parse_ability, parse_action, parse_cost, read_file
from targi_dsl.syntax.printer import print_ability, print_body, print_file, print_price
from targi_dsl.text.diagnostics import Edit, Problems, apply_edits
from targi_dsl.text.resources import TESTS
from targi_dsl.text.source import Source

WIDTH = 100
"""The line width of formatted sentences on cards."""

SENTENCES: dict[str, tuple[Callable[..., Any], Callable[[Any], str]]] = {
    "ability": (parse_ability, print_ability),
    "action": (parse_action, print_body),
    "cost": (parse_cost, print_price),
}
"""The parser and printer of fields by name."""
_TEST_FILE = re.compile(r"^tests +of ", re.MULTILINE)
_CARD_FILE = re.compile(r"^cards:", re.MULTILINE)
_PLAIN = re.compile(r"[a-z0-9][a-z0-9_ ]*")


def formatted(source: Source) -> str:
    """The canonical form of a rule file, sheet, card file or file of rule tests, with the same
    meaning and comments. Raises Problems if the file cannot be read.
    """
    if source.name.endswith(TESTS) or _TEST_FILE.search(source.text):
        return print_tests(source)
    return _cards(source) if is_card_file(source) else _rules(source)


def is_card_file(source: Source) -> bool:
    """Whether a text looks like a card file."""
    return _CARD_FILE.search(source.text) is not None


def _rules(source: Source) -> str:
    file = read_file(source)
    if file.problems:
        raise Problems(file.problems)
    text = print_file(file)
    again = read_file(Source(source.name, text))
    if again.problems or again.declarations != file.declarations:
        raise AssertionError(f"{source.name} would say something else")
    return text


def _cards(source: Source) -> str:
    file, problems = cardfiles.read_cards(source)
    if file is None or problems:
        raise Problems(problems)
    edits = [edit for card in file.cards for edit in _sentences(card)]
    return apply_edits(edits) if edits else source.text


def _sentences(card: CardEntry) -> Iterator[Edit]:
    """Edits of the sentences of a card that are not in canonical form. Those that cannot be parsed
    may be fields of another type, and are kept.
    """
    for name, (parse, print_tree) in SENTENCES.items():
        for given in cardfiles.single_values(card.fields.get(name)):
            tree, _ = parse(given.text) if isinstance(given.value, str) else (None, ())
            if tree is not None and (text := print_tree(tree)) != given.value:
                yield Edit(given.span, _scalar(given, text))


def _scalar(given: Scalar, text: str) -> str:
    """A text as a YAML scalar; over several lines if it is long and has no double blanks."""
    quoted = text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)
    column = given.span.column - 1
    if column + len(quoted) <= WIDTH or "  " in quoted:
        return quoted
    line = given.span.source.line(given.span.line)
    indent = len(line) - len(line.lstrip(" -")) + 2
    first, *rest = TextWrapper(
        WIDTH - indent, initial_indent=" " * (column - indent),
        break_long_words=False, break_on_hyphens=False,
    ).wrap(quoted)  # fmt: skip
    return "\n".join([first.lstrip(), *(" " * indent + one for one in rest)])
