"""Every engine plays every game alike: the same positions, options and draws at each question, and
the same scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256

import pytest

from targi_dsl.codegen.python.engine import PythonEngine
from targi_dsl.engine.chance import Asked, Chance, Seed
from targi_dsl.engine.machine import Engine
from targi_dsl.engine.run import Run
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from tests.games import QUICK, compiled

Row = tuple[object, ...]
ENGINES = {"python": PythonEngine}
LONGEST = 120


def busy(engine: Engine, point: int, options: list[int]) -> list[int]:
    """The options that do something, or all if there are none."""
    declining = engine.declining(point)
    return [one for one in options if one not in declining] or options


def course(engine: Engine, seed: int, chance: Chance, is_busy: bool, longest: int) -> Iterator[Row]:
    """A game question by question, in the hands of a hash of the seed."""
    run = Run(chance)
    left = engine.start(run)
    for number in range(longest):
        v = engine.packed(left)
        yield v, run.options, engine.seat(v), run.after()
        if left.point == NOTHING:
            yield ("end", engine.scores(v))
            return
        assert engine.options(v) == run.options
        options = busy(engine, left.point, run.options) if is_busy else run.options
        draw = int.from_bytes(sha256(f"{seed} {number}".encode()).digest()[:8])
        left = engine.answer(left, options[draw % len(options)], run)


def assert_equal(game: Game, made: Callable[[Game], Engine], seeds: range, longest: int) -> None:
    """Plays these seeds on an engine and on the reference: every second game in the hands of busy
    players, with dice and shuffles from the seed; in the others chance is asked.
    """
    reference, engine = Engine(game), made(game)
    for seed in seeds:
        is_busy = bool(seed % 2)
        chance = Seed(seed) if is_busy else Asked()
        mine = course(engine, seed, chance, is_busy, longest)
        theirs = course(reference, seed, chance, is_busy, longest)
        for number, (one, other) in enumerate(zip(mine, theirs, strict=True)):
            assert one == other, f"{game.name}, seed {seed}, question {number}"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", QUICK)
def test_a_generated_engine_plays_like_the_reference(name: str, engine: str) -> None:
    assert_equal(compiled(name), ENGINES[engine], range(2), LONGEST)
