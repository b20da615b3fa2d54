"""The table of the soak (docs/soak.md): of every sheet as many games as were promised, and
everything in its rules.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench.soak import DIRECTED, HEAD, Met, exists, rows
from targi_dsl.compiler.project import shipped
from targi_dsl.compiler.load import load

TEXT = (Path(__file__).parent.parent / "docs/soak.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))
FEWEST = {"base": 20_000}
"""Games of a sheet; of any other Targi sheet 5,000."""
SHEETS = [
    name for name in shipped().games() if {"base", "expansion", "mixed"} & set(name.split("_"))
]


def test_it_begins_as_the_tool_writes_it() -> None:
    assert TEXT.startswith(HEAD)


@pytest.mark.parametrize("name", SHEETS)
def test_enough_games_were_played_and_nothing_is_left_out(name: str) -> None:
    table = SECTIONS[name]
    found = re.search(r"^([\d,]+) games, ", table, re.MULTILINE)
    assert found is not None and int(found[1].replace(",", "")) >= FEWEST.get(name, 5_000)
    listed = re.findall(r"^\| (\w+) `(.+?)` \| ", table, re.MULTILINE)
    assert listed == [(kind, what) for kind, what, _ in rows(load(name), Met())]
    assert "**never**" not in table


@pytest.mark.parametrize("name", DIRECTED)
def test_the_directed_tests_are_there(name: str) -> None:
    assert all(exists(test) for test in DIRECTED[name].values())
    assert DIRECTED[name].keys() <= {what for _, what, _ in rows(load(name), Met())}
