"""Keys, observations and samples of every shipped game are the same when C computes them."""

from __future__ import annotations

import pytest

from targi_dsl import Asked, Seed
from targi_dsl.text import resources
from tests.same_knowledge import check


@pytest.mark.parametrize("name", resources.names("rules/games", ".targi"))
def test_what_is_known_is_the_same_in_c(name: str) -> None:
    for chance in (Seed(1), Asked()):
        check(name.removesuffix(".targi"), chance, every=8)
