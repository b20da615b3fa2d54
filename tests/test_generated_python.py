"""The engine in generated Python: its faults are those of the reference, no text of the rules
becomes code, and code that others could have written is never loaded from the cache.
"""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Callable
from dataclasses import replace
from gc import collect
from itertools import product
from pathlib import Path
from random import Random

import pytest

from targi_dsl import load
from targi_dsl.codegen.python import compiled as cached
from targi_dsl.codegen.python.engine import TURNS, PythonEngine
from targi_dsl.codegen.python.module import source_of
from targi_dsl.codegen.python.runtime import ELEMENTS, longest_line, shifts
from targi_dsl.codegen.python.sets import line_text
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed
from targi_dsl.engine.faults import STEPS
from targi_dsl.engine.machine import Engine
from targi_dsl.engine.run import Run
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.text.cache import keep
from targi_dsl.text.diagnostics import Problems
from tests.courses import told
from tests.faulty_games import WRONG, wrong
from tests.games import compiled
from tests.small_game import FILES, RULES

LONGEST = 100


@pytest.mark.parametrize("name", WRONG)
def test_a_fault_is_that_of_the_reference(name: str) -> None:
    game = wrong(name)
    theirs, mine = told(Engine(game), 1, LONGEST), told(PythonEngine(game), 1, LONGEST)
    assert mine == theirs and name.split()[0] in str(mine[-1])


@pytest.mark.parametrize("name", WRONG)
def test_a_whole_game_ends_with_the_same_fault(name: str) -> None:
    found = []
    for engine in (Engine(wrong(name)), PythonEngine(wrong(name))):
        try:
            found.append(str(engine.playout(1)))
        except Problems as problems:
            found.append(str(problems))
    assert found[0] == found[1]


@pytest.mark.parametrize("name", ["base", "bazaar", "tic_tac_toe"])
def test_a_whole_game_is_that_of_the_reference(name: str) -> None:
    game = compiled(name)
    assert PythonEngine(game).playout(3) == Engine(game).playout(3)


# ---- what is known without looking ----


@pytest.mark.parametrize("name", ["connect_four", "breakthrough"])
def test_a_move_keeps_the_masks_of_places_up_to_date(name: str) -> None:
    engine, run = PythonEngine(compiled(name)), Run(Seed(1))
    left, end = engine.start(run), engine.program.slots.stack
    while left.point != NOTHING:
        left = engine.answer(left, run.options[0], run)
        assert any(left.v[end:])
        assert left.v[end:] == engine._board.masks(left.v[:end])


def test_a_position_of_the_reference_has_no_masks_and_is_played_on_alike() -> None:
    engine, run = PythonEngine(compiled("connect_four")), Run(Seed(1))
    left = engine.start(run)
    for _ in range(5):
        option, listening = run.options[0], Run(Seed(1), lambda v, event: None)
        silent, told = engine.answer(left, option, run), engine.answer(left, option, listening)
        assert engine.packed(told) == engine.packed(silent) and len(told.v) < len(silent.v)
        left = told


def ways(*steps: tuple[int, int]) -> tuple[tuple[int, ...], ...]:
    """Where each step leads from every square of a board of six by six."""
    squares = [*product(range(6), repeat=2)]
    return tuple(
        tuple(
            6 * (row + down) + column + right
            if (row + down, column + right) in squares
            else NOTHING
            for row, column in squares
        )
        for down, right in steps
    )


@pytest.mark.parametrize("length", range(2, 7))
def test_a_line_is_found_by_shifting_where_it_is_by_following_it(length: int) -> None:
    random, along = Random(length), ways((0, 1), (1, 0), (1, 1), (1, -1), (-1, 0))
    tests = [line_text("mask", "pairs", length, *one) for one in shifts(along)]
    found = set[bool]()
    for number in range(400):
        mask = random.getrandbits(36)
        mask = mask | random.getrandbits(36) if number % 2 else mask & random.getrandbits(36)
        longest = longest_line([0, 0], along, ELEMENTS[mask])
        found.add(any(eval(test, {"mask": mask}) for test in tests))
        assert any(eval(test, {"mask": mask}) for test in tests) == (longest >= length)
    assert found == {True, False}


# ---- nothing of the rules is code ----

HARMFUL = "__import__('os').abort()"


def test_no_name_or_text_of_the_rules_stands_in_the_code() -> None:
    renamed = RULES.replace('"At the pond"', f'"{HARMFUL}"').replace("heron", "exec")
    game = load("pond", of_texts({**FILES, "pond/pond.targi": renamed}))
    tree = ast.parse(source_of(Engine(game).code))
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    words = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    assert not names & {"exec", "__import__"}
    assert not [one for one in words if isinstance(one, str) and "import" in one]
    assert told(PythonEngine(game), 2) == told(Engine(game), 2)


def test_a_file_name_is_no_code() -> None:
    name = "pond/x\nraise SystemExit #.targi"
    texts = {one: text for one, text in FILES.items() if one != "pond/pond.targi"}
    game = load("pond", of_texts({**texts, name: RULES}))
    assert told(PythonEngine(game), 2) == told(Engine(game), 2)


def test_a_traceback_shows_the_generated_lines_and_their_place_in_the_rules() -> None:
    engine = PythonEngine(compiled("tic_tac_toe"))
    engine.playout(1)
    files = [one for one in linecache.cache if one.startswith(f"<targi {engine.game.hash} rule_")]
    assert files and all("def rule_" in "".join(linecache.getlines(one)) for one in files)
    assert any(".targi:" in line for one in files for line in linecache.getlines(one))


# ---- in pieces ----


@pytest.mark.parametrize("name", ["base", "bazaar"])
def test_a_game_generates_only_what_it_needs(name: str) -> None:
    engine = PythonEngine(replace(compiled(name), hash=""))
    engine.playout(1)
    text = "".join(engine._functions.pieces.texts.values())
    assert 0 < len(text) < 0.8 * len(source_of(engine.code))
    names = re.findall(r"^def (\w+)", text, re.MULTILINE)
    assert len(names) == len(set(names))


def test_a_longer_function_lets_fewer_be_called_for_a_decision() -> None:
    engine = PythonEngine(replace(compiled("kuhn_poker"), hash=""))
    before = len(engine._turns)
    engine.playout(1)
    longest = engine._functions.pieces.module.longest
    assert longest > STEPS // TURNS
    assert len(engine._turns) == STEPS // longest < before


# ---- the cache ----


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "targi_dsl" / "python"


def generated(game: Game) -> list[str]:
    """The files that an engine generates for a game, after which it is no longer needed."""
    engine = PythonEngine(game)
    pieces = engine._functions.pieces
    before = set(pieces.texts)
    assert engine.playout(3) == Engine(game).playout(3)
    del engine
    collect()
    return [one for one in pieces.texts if one not in before]


def of_another(file: Path) -> None:
    file.chmod(0o666)


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-100])


def changed(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[50] ^= 1
    file.write_bytes(bytes(data))


def swapped(file: Path) -> None:
    keep(file, b"not what was asked for", b"another key")


def linked(file: Path) -> None:
    file.rename(file.with_suffix(".other"))
    file.symlink_to(file.with_suffix(".other"))


@pytest.mark.parametrize("spoil", [of_another, cut, changed, swapped, linked])
def test_what_cannot_be_trusted_is_generated_anew(
    cache: Path, spoil: Callable[[Path], None]
) -> None:
    game = compiled("tic_tac_toe")
    first = generated(game)
    spoil(next(cache.glob("*.code")))
    assert generated(game) == first


def test_what_the_cache_has_is_not_generated_again(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = compiled("tic_tac_toe")
    assert generated(game)
    monkeypatch.setattr(cached, "Flow", None)
    assert not generated(game)


def test_what_the_cache_does_not_have_is_added_to_it(cache: Path) -> None:
    game = compiled("base")
    first = generated(game)
    engine = PythonEngine(game)
    for seed in range(5):
        assert engine.playout(seed) == Engine(game).playout(seed)
    del engine
    collect()
    assert set(first) < set(PythonEngine(game)._functions.pieces.texts)


def test_a_cache_that_cannot_be_written_is_not_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "targi_dsl").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert generated(compiled("tic_tac_toe")) == generated(compiled("tic_tac_toe")) != []
