"""All engines play every game alike: the same positions, options and draws at each question, and
the same scores.
"""

from __future__ import annotations

import pytest

from bench.equal import assert_equal, unlike
from targi_dsl.codegen.c.check import Checked
from targi_dsl.codegen.python.engine import PythonEngine
from targi_dsl.engine.machine import Engine
from tests.games import QUICK, compiled

LONGEST = 120


@pytest.mark.parametrize("name", QUICK)
def test_generated_python_plays_like_the_interpreter(name: str) -> None:
    """And it never leaves a turn to the interpreter in which nothing is wrong."""
    game = compiled(name)
    engine = PythonEngine(game)
    assert_equal(Engine(game), engine, range(2), LONGEST)
    assert engine.unfounded == 0


@pytest.mark.parametrize("name", ["base", "expansion"])
def test_generated_c_plays_like_the_interpreter(name: str) -> None:
    """`python -m bench.equal` plays every sheet, and more games of each."""
    game = compiled(name)
    assert unlike(Engine(game), Checked(game, level=0), range(60)) == []


def test_a_course_that_differs_is_told() -> None:
    engine, other = Engine(compiled("bazaar")), Checked(compiled("bazaar_all_day"), level=0)
    assert unlike(engine, other, range(3)) == [0, 1, 2]
