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
