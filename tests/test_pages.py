"""The pages of docs/: every link leads to an existing page and heading, and an index has each page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.documents import DOCS

ROOT = DOCS.parent
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]


def anchors(text: str) -> set[str]:
    """The anchors of the headings of a page."""
    titles = re.findall("^#+ (.*)$", text, re.MULTILINE)
    return {re.sub("[^a-z0-9 _-]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_link_leads_somewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("http"):
            continue
        file, _, anchor = target.partition("#")
        there = path.parent / file if file else path
        assert there.exists(), target
        assert not anchor or anchor in anchors(there.read_text(encoding="utf-8")), target


@pytest.mark.parametrize("folder", [DOCS, DOCS / "decisions"], ids=lambda folder: folder.name)
def test_every_page_is_in_the_index_of_its_folder(folder: Path) -> None:
    index = (folder / "README.md").read_text(encoding="utf-8")
    for path in folder.glob("*.md"):
        assert path.name == "README.md" or f"({path.name})" in index, path.name


def test_every_test_that_holds_against_bad_input_is_there() -> None:
    text = (DOCS / "bad-input.md").read_text(encoding="utf-8")
    named = re.findall(r"`(test_\w+\.py)`", text)
    assert len(named) > 20
    assert not [name for name in named if not (ROOT / "tests" / name).exists()]
