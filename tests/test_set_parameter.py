"""A rule that is given a set is played by every engine that can, and by another one otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from targi_dsl import choices, load, result, start, step
from targi_dsl.codegen.c.emit.source import source
from targi_dsl.codegen.c.errors import NotInC
from targi_dsl.codegen.tiered import ENGINES, VARIABLE
from targi_dsl.engine.chance import Seed
from targi_dsl.engine.machine import Engine
from tests.commands import targi
from tests.texts import game_text

RULES = game_text("given.targi")


@pytest.fixture
def sheet(tmp_path: Path) -> str:
    path = tmp_path / "given.targi"
    path.write_text(RULES)
    return str(path)


def test_generated_c_says_that_it_cannot(sheet: str) -> None:
    with pytest.raises(NotInC, match="`fill_up` is given a set"):
        source(Engine(load(sheet)))


@pytest.mark.parametrize("engine", ["", *ENGINES])
def test_the_game_is_played(sheet: str, monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    monkeypatch.setenv(VARIABLE, engine)
    state = start(load(sheet), Seed(1))
    while offered := choices(state):
        state = step(state, offered[0])
    assert result(state).scores == (4, 4)
    done = targi("simulate", sheet, "--games", "2", "--json")
    assert (done.code, done.document["games"]) == (0, 2)
