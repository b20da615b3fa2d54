"""Every message about a changed game is as it is written in tests/corpus."""

from __future__ import annotations

import pytest

from tests.corpus import FOLDER, written


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.txt")))
def test_the_messages_are_as_they_were(name: str) -> None:
    """`python -m tests.corpus` writes them anew."""
    assert written(name).splitlines() == (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
