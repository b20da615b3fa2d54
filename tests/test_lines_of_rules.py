"""The length of the rules of a game is the one in docs/second-edition.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOLD = (ROOT / "docs/second-edition.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (\w+) \| (\d+) \| (\d+) \| (.*?) ?\|$", re.MULTILINE)
ROWS = [(game, int(aim), int(lines), why) for game, aim, lines, why in ROW.findall(TOLD)]
OTHERS = re.findall(r"^\| (\w+) \| (\d+) \|$", TOLD, re.MULTILINE)
HEADER = ("language ", "module ", "about ")


def lines_of_rules(game: str) -> int:
    """The lines of a module, without comments, layout, look, and the lines that name the version,
    module and aim.
    """
    count, in_layout = 0, False
    for file in sorted((ROOT / "rules" / game).glob("*.targi")):
        for line in file.read_text(encoding="utf-8").splitlines():
            if not line.startswith(" "):
                in_layout = line.startswith(("layout", "look"))
            said = line.partition("#")[0].strip()
            count += bool(said) and not in_layout and not line.startswith(HEADER)
    return count


def test_the_table_tells_of_every_game_that_has_an_aim() -> None:
    assert len(ROWS) == 11


@pytest.mark.parametrize(("game", "aim", "lines", "why"), ROWS)
def test_the_rules_are_as_short_as_is_told(game: str, aim: int, lines: int, why: str) -> None:
    assert lines_of_rules(game) == lines
    assert bool(why) == (lines > aim), "a reason where it is more"


@pytest.mark.parametrize(("game", "lines"), OTHERS)
def test_the_lines_of_the_other_games_are_told(game: str, lines: str) -> None:
    assert lines_of_rules(game) == int(lines)
