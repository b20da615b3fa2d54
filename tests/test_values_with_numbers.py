"""Values that have a number: compared by it, and converted to it."""

from __future__ import annotations

import pytest

from targi_dsl.api import result, start
from targi_dsl.compiler.load import load
from targi_dsl.engine.chance import Seed

SHEET = "language 2\ngame ranks\n  rules ranks\n"
VALUES = "values rank: page 1, knight 5, king 9\nvalues hue: red, blue\n"


def files(expression: str) -> dict[str, str]:
    rules = f"language 2\nmodule ranks\nplayers ann, ben\n{VALUES}"
    rules += "variable held: rank, starts as knight\nvariable none: rank\nvariable seen: hue\n"
    rules += f"rule setup\n  nothing\nrule round\n  end game\nscore test: {expression}\n"
    return {"ranks/ranks.targi": rules, "ranks.targi": SHEET}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 if held is more than page", 1),
        ("1 if held is more than knight", 0),
        ("1 if held is at least knight", 1),
        ("1 if king is at most held", 0),
        ("1 if page is less than held", 1),
        ("number of held", 5),
        ("number of king - number of held", 4),
        ("number of none", 0),
        ("1 if none is less than page", 1),
        ("count of (r in rank where r is more than page)", 2),
        ("highest number of r for (r in rank)", 9),
    ],
)
def test_values_are_compared_by_their_numbers(expression: str, value: int) -> None:
    state = start(load("ranks", files(expression)), Seed(1))
    assert result(state).scores == (value, value)
