"""One table has the codes of all messages, and docs/messages.md is that table."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from targi_dsl.text import codes

ROOT = Path(__file__).parent.parent


def given() -> set[str]:
    """Every code that is written anywhere in the package but in the table."""
    found = set()
    for path in (ROOT / "targi_dsl").rglob("*.py"):
        if path == Path(codes.__file__):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= {node.value} & {*re.findall("^[EW][0-9]{3}$", node.value)}
    return found


def test_every_code_that_is_given_stands_in_the_table_and_the_other_way_round() -> None:
    assert given() == set(codes.CODES)


def test_the_table_is_in_order_and_says_of_each_code_what_it_means() -> None:
    assert list(codes.CODES) == sorted(codes.CODES)
    for code, (title, meaning) in codes.CODES.items():
        assert code[:2] in codes.ABOUT, code
        assert title and meaning.endswith("."), code


def test_the_page_of_messages_is_the_table() -> None:
    page = (ROOT / "docs" / "messages.md").read_text(encoding="utf-8")
    assert page == codes.page(), "python -m targi_dsl.text.codes > docs/messages.md"
