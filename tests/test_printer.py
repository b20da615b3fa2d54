"""Syntax trees are printed in one form that says the same, with every comment at its place."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from targi_dsl.syntax import ast as n
from targi_dsl.syntax import (
    parse_ability,
    parse_action,
    parse_cost,
    parse_deck,
    parse_value,
    read_file,
)
from targi_dsl.syntax.parser import File
from targi_dsl.syntax.printer import (
    print_ability,
    print_body,
    print_deck,
    print_declaration,
    print_expression,
    print_file,
    print_price,
)
from targi_dsl.text import resources
from targi_dsl.text.source import Source, Text
from tests.grammar_use import SAMPLES
from tests.random_sentences import sentence

ROOT = Path(__file__).parent.parent
RULES = [ROOT / "rules" / name for name in resources.names("rules", ".targi")]
STRINGS: dict[str, tuple[Callable[[Text], tuple[Any, object]], Callable[[Any], str]]] = {
    "ability": (parse_ability, print_ability),
    "action": (parse_action, print_body),
    "cost": (parse_cost, print_price),
    "deck": (parse_deck, print_deck),
    "value": (parse_value, print_expression),
}


def read(text: str) -> File:
    return read_file(Source("x", text))


def comments(file: File) -> list[str]:
    return sorted(comment.text for comment in file.comments)


def check_file(text: str) -> None:
    """What is printed says the same, with the same comments and sources, and is printed the same."""
    file = read(text)
    printed = print_file(file)
    again = read(printed)
    assert again.declarations == file.declarations
    assert comments(again) == comments(file)
    assert [one.text for one in again.citations] == [one.text for one in file.citations]
    assert print_file(again) == printed


def check_declaration(node: n.Declaration) -> None:
    """The same without comments, sources and what stood on which line."""
    printed = print_declaration(node)
    (again,) = read("\n".join(printed)).declarations
    assert again == node
    assert print_declaration(again) == printed


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_a_shipped_file_is_printed_with_every_comment(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    check_file(text)
    for node in read(text).declarations:
        check_declaration(node)


@pytest.mark.parametrize(("where", "sample"), SAMPLES)
def test_every_construct_is_printed(where: str, sample: str) -> None:
    check_sentence(where, sample)


def check_sentence(where: str, text: str) -> bool:
    """Whether a sentence can be read; what is printed of it then says the same."""
    if where in STRINGS:
        parse, print_tree = STRINGS[where]
        node, _ = parse(Source("x", text))
        assert node is None or parse(Source("x", print_tree(node)))[0] == node
        return node is not None
    file = read(text if where == "declaration" else f"rule r\n{indent(text, '  ')}")
    for declaration in file.declarations:
        check_declaration(declaration)
    check_file(file.source.text)
    return bool(file.declarations)


@pytest.mark.parametrize("where", ["declaration", *STRINGS])
def test_whatever_the_grammar_allows_is_printed(where: str) -> None:
    chance = random.Random(where)
    readable = [check_sentence(where, sentence(where, chance)) for _ in range(120)]
    assert sum(readable) > 80


WRITTEN = """\
# The first file.


language 2
# what a frog is for
# rulebook
rule hop with where (pond), times (number) as "hop {times} times" shows "that is far" if times is more than 20
  source "B12"   # beside the head
  # above the step
  if any (p in pond where no frog on p and p is in neighbours of neighbours of where and not during hop):  remove frog
  otherwise   # beside `otherwise`

      move (frog) to where   #close
      # at the end of the block
    # below

# apart

define far: 3 # at last
"""
PRINTED = """\
# The first file.

language 2

# what a frog is for
# rulebook
rule hop with where (pond), times (number) as "hop {times} times"
    shows "that is far" if times is more than 20
    source "B12"   # beside the head
  # above the step
  if any (p in pond where no frog on p and p is in neighbours of neighbours of where and not during hop): remove frog
  otherwise   # beside `otherwise`
    move frog to where   #close
    # at the end of the block
  # below

# apart

define far: 3   # at last
"""


def test_comments_stay_at_their_places_and_long_lines_are_broken_before_clauses() -> None:
    assert print_file(read(WRITTEN)) == PRINTED


def test_a_declaration_that_cannot_be_read_stays_as_it_is() -> None:
    text = "language 2\n\nrule hop\n  gian 1 coins   # wrong\n\ndefine far: 3\n"
    assert print_file(read(text)) == text


def test_a_short_step_goes_on_the_line_of_its_condition_unless_it_was_written_below() -> None:
    (rule,) = read("rule hop\n  if far\n    stop\n").declarations
    assert print_declaration(rule) == ("rule hop", "  if far: stop")
    assert print_declaration(rule, notes=True) == ("rule hop", "  if far", "    stop")


def test_a_long_list_is_broken_after_commas() -> None:
    names = [f"value_of_number_{number}" for number in range(12)]
    (values,) = read(f"values rank: {', '.join(names)}").declarations
    first, *others = print_declaration(values)
    assert first == f"values rank: {', '.join(names[:5])}," and len(others) == 2
    (again,) = read("\n".join((first, *others))).declarations
    assert again == values


def test_a_condition_of_two_readings_is_printed_with_parentheses() -> None:
    (define,) = read("define all: a and b or c and not (d or e)").declarations
    assert print_declaration(define) == ("define all: (a and b) or (c and not (d or e))",)


def test_within_parentheses_a_line_is_broken_only_if_that_is_necessary() -> None:
    near = "count of (p in pond where no frog on p and p is in neighbours of where)"
    (define,) = read(f"define all: {near} is {near} and yes").declarations
    assert print_declaration(define) == (
        "define all: count of (p in pond where no frog on p and p is in neighbours of where) is count of (p in pond",
        "    where no frog on p and p is in neighbours of where) and yes",
    )
