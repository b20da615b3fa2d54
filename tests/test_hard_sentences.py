"""docs/hard-sentences.md: its quotations are in the files of the shipped games that it names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.documents import text_of

ROOT = Path(__file__).parent.parent
ROWS = re.findall(
    r"^\| ([^|]+) \| `([^`]+)` \| (.+) \|$", text_of("hard-sentences.md"), re.MULTILINE
)


def test_the_list_is_long() -> None:
    assert len(ROWS) > 40
    assert {"base", "expansion", "bazaar", "kuhn_poker"} <= {row[1].split("/")[1] for row in ROWS}


@pytest.mark.parametrize(("sentence", "file", "quoted"), ROWS)
def test_a_hard_sentence_is_said_where_the_list_tells(
    sentence: str, file: str, quoted: str
) -> None:
    text, fragments = (ROOT / file).read_text(encoding="utf-8"), re.findall("`([^`]+)`", quoted)
    assert fragments, sentence
    assert [one for one in fragments if one not in text] == []


SIZES = re.findall(
    r"^\| (\w+) \| (\d+) \| (\d+) \|(.*)\|$", text_of("hard-sentences.md"), re.MULTILINE
)


def lines_of(game: str) -> int:
    """The lines of the rules of a game, without comments, layout and look."""
    found, is_drawing = 0, False
    for line in (ROOT / f"rules/{game}/01_{game}.targi").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            is_drawing = line.startswith(("layout", "look", " ")[: 3 if is_drawing else 2])
            found += not is_drawing
    return found


@pytest.mark.parametrize(("game", "wanted", "lines", "reason"), SIZES)
def test_rules_are_as_long_as_told_and_longer_than_wanted_only_for_a_reason(
    game: str, wanted: str, lines: str, reason: str
) -> None:
    assert lines_of(game) == int(lines)
    assert bool(reason.strip()) == (int(lines) > int(wanted))


def test_all_twelve_are_told() -> None:
    assert len(SIZES) == 12
