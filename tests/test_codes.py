"""docs/messages.md has a row for the code of every message."""

from __future__ import annotations

import re
from pathlib import Path

from tests.message_codes import rows

ROOT = Path(__file__).parent.parent


def given() -> set[str]:
    """Every code that is written anywhere in the package."""
    texts = (path.read_text(encoding="utf-8") for path in (ROOT / "targi_dsl").rglob("*.py"))
    return {code for text in texts for code in re.findall('"([EW][0-9]{3})"', text)}


def test_every_code_that_is_given_has_a_row_and_every_row_has_a_code_that_is_given() -> None:
    assert given() == {row.code for row in rows()}


def test_the_rows_are_in_order_and_say_what_each_code_means() -> None:
    table = list(rows())
    assert [row.code for row in table] == sorted({row.code for row in table})
    assert all(row.meaning.endswith(".") for row in table)


def test_each_heading_has_the_codes_that_begin_alike() -> None:
    found = {(row.heading, row.code[:2]) for row in rows()}
    assert len(found) == len({heading for heading, _ in found}) == len({kind for _, kind in found})
