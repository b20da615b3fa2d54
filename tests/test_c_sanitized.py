"""Generated C has no undefined behaviour: no access outside its arrays, no overflow, no leak."""

from __future__ import annotations

import pytest

from bench.sanitize import sanitized
from tests.games import compiled


@pytest.mark.parametrize("name", ["bazaar", "who_is_it"])
def test_the_sanitizers_find_nothing(name: str) -> None:
    """bench/sanitize.py plays every sheet."""
    assert sanitized(compiled(name), 2) == ""
