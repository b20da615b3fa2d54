"""docs/migration.md: files of the first edition are reported as the page says."""

from __future__ import annotations

import re

import pytest

from targi_dsl.compiler.load import check
from targi_dsl.compiler.project import of_texts
from tests.documents import text_of
from tests.message_codes import rows

PAGE = text_of("migration.md")
SHEET = 'language 2\ngame mine "Mine" based on base\n  deck border_box: base_border overlaid by mine_cards\n'
CARDS = """language: 2
set: mine_cards
kind: border_card
cards:
  - id: fountain
    number: 15
    name: {en: Fountain}
    action: "gain 1 points"
"""


def test_the_codes_that_the_page_names_are_codes() -> None:
    named = set(re.findall("E[0-9]{3}", PAGE))
    assert {"E103", "E504", "E708"} <= named <= {row.code for row in rows()}


@pytest.mark.parametrize("file", ["mine.targi", "mine_cards.yaml"])
def test_a_file_of_the_first_edition_is_told_once_and_needs_another_head(file: str) -> None:
    files = {"mine.targi": SHEET, "mine_cards.yaml": CARDS}
    assert check("mine", of_texts(files))[1] == ()
    old = {**files, file: re.sub("^(language:?) 2", r"\1 1", files[file])}
    (problem,) = check("mine", of_texts(old))[1]
    assert problem.code == ("E103" if file == "mine.targi" else "E504")
    if file == "mine.targi":
        assert "docs/migration.md" in problem.text and problem.hint == "language 2"
