"""Every message about a changed game is as it is written in tests/corpus."""

from __future__ import annotations

import re

import pytest

from tests.corpus import AGAIN, FOLDER, cases, written

NAMES = sorted(path.stem for path in FOLDER.glob("*.txt"))


def test_no_message_speaks_of_the_parser() -> None:
    said = "\n".join(case.said for case in cases("sentences"))
    assert not re.search(r"token|terminal|_NL|DENT|\$END", said)


@pytest.mark.parametrize("name", NAMES)
def test_the_messages_are_as_they_were_and_no_hint_leads_to_the_same_again(name: str) -> None:
    """`python -m tests.corpus` writes them anew."""
    now = written(name)
    assert now.splitlines() == (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
    assert AGAIN not in now
