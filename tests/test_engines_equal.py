"""All engines play every game alike: the same positions, options and draws at each question, and
the same scores.
"""

from __future__ import annotations

from itertools import islice

import pytest

from bench.c_engine import CEngine
from bench.checked import Checked
from bench.equal import assert_equal, edit_differs, unlike, valid_edits
from targi_dsl.codegen.c.compilers import IN_MEMORY, QUICK
from targi_dsl.engine.machine import Engine
from tests.games import QUICK as SHEETS
from tests.games import compiled

LONGEST = 120


@pytest.mark.parametrize("name", SHEETS)
def test_c_in_memory_plays_like_the_reference(name: str) -> None:
    game = compiled(name)
    assert_equal(Engine(game), CEngine(game, IN_MEMORY), range(2), LONGEST)


@pytest.mark.parametrize("name", ["base", "expansion"])
def test_both_compiled_forms_play_alike(name: str) -> None:
    """`python -m bench.equal` plays every sheet, and more games of each."""
    game = compiled(name)
    assert unlike(Checked(game, IN_MEMORY), Checked(game, QUICK), range(60)) == []


@pytest.mark.parametrize("name", ["connect_four", "liars_dice"])
def test_edited_games_are_played_alike_by_both_compiled_forms(name: str) -> None:
    assert [edit_differs(game, 5) for game in islice(valid_edits(name), 3)] == [[], [], []]


def test_a_course_that_differs_is_told() -> None:
    one, other = (Checked(compiled(name), IN_MEMORY) for name in ("bazaar", "bazaar_all_day"))
    assert unlike(one, other, range(3)) == [0, 1, 2]
