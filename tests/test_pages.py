"""The pages of docs/: every link leads to an existing page and heading, and the README names each
page for people.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.documents import DOCS

ROOT = DOCS.parent
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
NAMED_ELSEWHERE = {
    "bad-input.md": "docs/testing.md",
    "facts.md": "rules/base/01_components.targi",
    "program.md": "docs/architecture.md",
    "removals.md": "docs/testing.md",
    "second-edition.md": "docs/migration.md",
    "soak.md": "docs/testing.md",
}


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


def test_every_page_is_named_where_one_looks_for_it() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for path in DOCS.glob("*.md"):
        where = NAMED_ELSEWHERE.get(path.name)
        text = readme if where is None else (ROOT / where).read_text(encoding="utf-8")
        assert path.name in text, path.name


def test_every_test_that_holds_against_bad_input_is_there() -> None:
    text = (DOCS / "bad-input.md").read_text(encoding="utf-8")
    named = re.findall(r"`(test_\w+\.py)`", text)
    assert len(named) > 20
    assert not [name for name in named if not (ROOT / "tests" / name).exists()]
