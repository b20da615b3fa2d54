"""Passes over a program: each has the effect that its example shows, and none changes a game."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import targi_dsl.optimize
from targi_dsl.compiler.load import load
from targi_dsl.engine import Run
from targi_dsl.engine.chance import Seed
from targi_dsl.engine.machine import Engine
from targi_dsl.ir import expressions as e
from targi_dsl.ir.domains import Domains
from targi_dsl.ir.game import Game
from targi_dsl.ir.walk import parts
from targi_dsl.optimize import PASSES, Pass, optimize
from tests.games import VARIED, compiled
from tests.natural import REACH, amazons
from tests.texts import game_file
from tests.verifier import type_errors, verify

SEEDS, LONGEST = 2, 100
"""Games of each sheet, and decisions of each; `bench.net` plays whole games with all passes."""
MODULES = [one.name for one in pkgutil.iter_modules(targi_dsl.optimize.__path__)]


def course(game: Game, passes: tuple[Pass, ...]) -> list[tuple[list[int], list[int]]]:
    """The options and the position at each decision of some games, played in a fixed manner."""
    engine, found = Engine(game, passes), []
    for seed in range(SEEDS):
        run = Run(Seed(seed))
        left = engine.start(run)
        for number in range(LONGEST):
            v = engine.pack(left)
            found.append((run.options, v))
            if not run.options or engine.open_question(v) is None:
                break
            left = engine.answer(left, run.options[(number * 7919 + seed) % len(run.options)], run)
    return found


@pytest.mark.parametrize("sheet", VARIED)
def test_no_game_changes_when_a_pass_is_left_out(sheet: str) -> None:
    game = compiled(sheet)
    without = course(game, ())
    assert course(game, PASSES) == without
    for left_out in dict.fromkeys(PASSES):
        passes = tuple(one for one in PASSES if one is not left_out)
        assert course(game, passes) == without, left_out.__name__


@pytest.mark.parametrize("sheet", ["base", "expansion", "bazaar", "kuhn_poker"])
def test_a_program_is_sound_after_each_pass(sheet: str) -> None:
    game = compiled(sheet)
    program, domains = game.program, Domains.of_game(game)
    for one in PASSES:
        program = one(program)
        assert type_errors(program, domains) == (), one.__name__
        assert verify(program) == (), one.__name__


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_passes_hold(module: str) -> None:
    assert doctest.testmod(importlib.import_module(f"targi_dsl.optimize.{module}")).failed == 0


@pytest.mark.parametrize("one", dict.fromkeys(PASSES), ids=lambda one: one.__name__)
def test_every_pass_shows_an_example(one: Pass) -> None:
    assert ">>>" in (one.__doc__ or "")


@pytest.mark.parametrize("said", REACH)
def test_a_set_is_found_at_once_however_it_is_said(said: str) -> None:
    game, shipped = amazons(REACH[said]), compiled("amazons")
    (reach,) = (one for one in optimize(game.program).defines if one.name == "reach")
    assert not [*parts(reach.value, (e.Filter, e.Exists))]
    for passes in (PASSES, ()):
        assert _questions(game, passes, 4) == _questions(shipped, PASSES, 4)


def _questions(game: Game, passes: tuple[Pass, ...], most: int) -> list[list[int]]:
    """The options of the first questions of a game."""
    engine, run, found = Engine(game, passes), Run(Seed(0)), list[list[int]]()
    left = engine.start(run)
    while len(found) < most:
        found.append(run.options)
        left = engine.answer(left, run.options[len(run.options) // 2], run)
    return found


def test_from_where_a_goal_can_be_reached_is_found_by_steps_back() -> None:
    game = load(game_file("ways"))
    scores = optimize(game.program).scores
    assert not [*parts(scores, (e.Filter, e.Exists))]
    for seed in range(40):
        plain, quick = (Engine(game, passes) for passes in ((), PASSES))
        v = plain.pack(plain.start(Run(Seed(seed))))
        assert plain.scores(v) == quick.scores(v)
