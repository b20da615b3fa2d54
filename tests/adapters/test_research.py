"""The examples of docs/research.md, each run as it is printed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "research.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^## (.*?)$.*?^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_the_page_has_its_three_examples() -> None:
    assert len(EXAMPLES) == PAGE.count("```python") == 3


@pytest.mark.parametrize(("title", "code"), EXAMPLES, ids=[title for title, _ in EXAMPLES])
def test_an_example_runs(title: str, code: str) -> None:
    names: dict[str, Any] = {}
    exec(compile(code, title, "exec"), names)
