"""The expansion states only its changes: it replaces what is different, and is smaller
than base.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from msgspec import Struct

from targi_dsl.syntax import ast as n
from targi_dsl.syntax import parse_file
from targi_dsl.text import resources
from targi_dsl.text.decoding import decode
from targi_dsl.text.source import Span

STATEMENTS = get_args(n.Statement)
MOST = 0.8
"""Statements of the expansion for each of base's."""


def declarations(module: str) -> list[object]:
    """Everything that the files of a module declare."""
    names = [name for name in resources.names("rules", ".targi") if name.startswith(f"{module}/")]
    return [
        node
        for name in names
        for node in parse_file(decode(name, resources.read(f"rules/{name}") or b""))[0]
    ]


def statements(node: object) -> Iterator[object]:
    """The statements within a node, those inside statements too. A sentence about another player
    is one statement.
    """
    if isinstance(node, STATEMENTS):
        yield node
    if isinstance(node, n.By):
        yield from statements(getattr(node.statement, "otherwise", ()))
    elif isinstance(node, Struct):
        for name in node.__struct_fields__:
            yield from statements(getattr(node, name))
    elif isinstance(node, tuple):
        for one in node:
            yield from statements(one)


def form(node: object) -> object:
    """The text of a node, wherever it occurs."""
    if isinstance(node, Span):
        return ()
    if isinstance(node, Struct):
        return type(node).__name__, tuple(
            form(getattr(node, name)) for name in node.__struct_fields__
        )
    return tuple(form(one) for one in node) if isinstance(node, tuple) else node


RULES = {one.name.text: one for one in declarations("base") if isinstance(one, n.Rule)}
REPLACED = [
    one.what
    for one in declarations("expansion")
    if isinstance(one, n.Replace) and isinstance(one.what, n.Rule)
]


def test_the_expansion_replaces_some_rules() -> None:
    assert len(REPLACED) >= 2


@pytest.mark.parametrize("rule", REPLACED, ids=lambda rule: rule.name.text)
def test_what_replaces_shares_at_most_half_of_its_statements_with_what_it_replaces(
    rule: n.Rule,
) -> None:
    new, old = (
        Counter(form(one) for one in statements(node)) for node in (rule, RULES[rule.name.text])
    )
    assert (new & old).total() <= new.total() / 2


def test_the_expansion_is_smaller_than_base_as_its_facts_say() -> None:
    base, expansion = (
        len(list(statements(tuple(declarations(module))))) for module in ("base", "expansion")
    )
    assert expansion <= MOST * base
    docs = Path(__file__).parent.parent / "docs"
    text = (docs / "facts.md").read_text(encoding="utf-8")
    assert f"{expansion} statements to the base game's {base} ({expansion / base:.2f})" in text
