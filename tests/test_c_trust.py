"""C compiled in memory is tried before it is trusted: on this machine, and with each program."""

from __future__ import annotations

import platform
import sys
from pathlib import Path
from time import sleep

import pytest

from targi_dsl import Seed, choices, load, start, step
from targi_dsl.codegen.c import lockstep, trust
from targi_dsl.codegen.c.emit.source import source
from targi_dsl.codegen.c.errors import NotInC
from targi_dsl.codegen.c.trust import Trial, check_machine
from targi_dsl.codegen.tiered import TCC, TieredEngine, engine_of
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.machine import ENGINE, Engine
from targi_dsl.ir.game import Game
from targi_dsl.text.cache import folder
from tests.games import compiled
from tests.small_game import FILES

NEVER = "raise SystemExit('a process was begun')"
TRY = trust._run_trial
"""What `conftest` puts aside for all other tests."""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(trust, "RUN_ON", (HERE,))
    monkeypatch.setattr(trust, "_run_trial", TRY)


HERE = (sys.platform, platform.machine(), platform.libc_ver()[0])


def trial_of(game: Game) -> Trial:
    return Trial(game, source(Engine(game)))


def ended(trial: Trial) -> None:
    """Waits for the answer of a trial."""
    trial.thread.join(30)
    assert not trial.thread.is_alive()
    trial.check()


# ---- the machine ----


def test_a_machine_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    check_machine()
    monkeypatch.setattr(trust, "_BEGIN", NEVER)
    check_machine()


@pytest.mark.parametrize(
    "child",
    ["import ctypes; ctypes.string_at(0)", "raise SystemExit(3)"],
)
def test_a_machine_on_which_it_crashes_does_without_it(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], child: str
) -> None:
    monkeypatch.setattr(trust, "_BEGIN", child)
    with pytest.raises(NotInC, match="it crashes or hangs"):
        check_machine()
    monkeypatch.setattr(trust, "_BEGIN", NEVER)
    with pytest.raises(NotInC, match="it crashes or hangs"):
        check_machine()
    assert capfd.readouterr() == ("", "")


def test_what_a_busy_machine_has_not_finished_is_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as busy:
        busy.setattr(trust, "_BEGIN", "import time; time.sleep(60)")
        busy.setattr(trust, "_LONGEST", 1)
        with pytest.raises(NotInC, match="it has not ended yet"):
            check_machine()
        ended(trial_of(compiled("pig")))
        assert not folder("trials").exists()
    check_machine()
    ended(trial_of(compiled("pig")))
    assert len([*folder("trials").iterdir()]) == 2


def test_a_platform_on_which_nobody_has_run_it_does_without_it_unless_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trust, "RUN_ON", ())
    with pytest.raises(NotInC, match="libtcc has not been run on"):
        check_machine()
    check_machine(is_asked=True)


# ---- a program ----


@pytest.mark.parametrize("name", ["nine_mens_morris", "bazaar", "hex_5"])
def test_compiled_games_go_as_those_of_the_reference_events_and_all(name: str) -> None:
    assert lockstep.program(compiled(name), seconds=0.5) == ""


def test_a_game_that_goes_otherwise_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def spoiled(one: Engine) -> str:
        return source(one).replace("0xBF58476D1CE4E5B9u", "0xBF58476D1CE4E5BBu")

    monkeypatch.setattr(lockstep, "source", spoiled)
    assert lockstep.program(compiled("pig")).startswith("seed 0, question ")


def test_a_program_is_tried_once_beside_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    ended(trial_of(compiled("pig")))
    monkeypatch.setattr(trust, "_BEGIN", NEVER)
    again = trial_of(compiled("pig"))
    assert not hasattr(again, "thread")
    again.check()


@pytest.mark.parametrize(
    ("child", "told"),
    [("print('seed 3, question 5', end='')", "seed 3"), ("raise SystemExit(3)", "crashes")],
)
def test_a_difference_turns_it_off_for_that_program_and_is_told_once(
    monkeypatch: pytest.MonkeyPatch, child: str, told: str
) -> None:
    monkeypatch.setattr(trust, "_BEGIN", child)
    with pytest.raises(NotInC, match=f"plays pig wrongly .*{told}.* please report") as raised:
        ended(trial_of(compiled("pig")))
    report = Path(str(raised.value).rsplit(" ", 1)[1])
    assert told.encode() in report.read_bytes() and report.parent == folder("trials")
    monkeypatch.setattr(trust, "_BEGIN", NEVER)
    for _ in range(2):
        with pytest.raises(NotInC, match=r"^$"):
            trial_of(compiled("pig"))
    monkeypatch.setattr(trust, "_BEGIN", "print('equal', end='')")
    ended(trial_of(compiled("nim")))


def test_a_game_that_no_other_process_finds_is_not_accused() -> None:
    game = load("pond", of_texts(FILES))
    ended(trial_of(game))
    assert not folder("trials").exists() or not [*folder("trials").iterdir()]


def test_a_difference_found_in_the_middle_of_a_game_ends_the_use_of_c(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    check_machine()
    monkeypatch.setattr(trust, "_BEGIN", "print('seed 3, question 5', end='')")
    game = load("pig")
    game.program.engines[ENGINE] = TieredEngine(game, TCC)

    def play_on() -> None:
        state = start(game, Seed(1))
        while engine_of(game).compiled is not None:
            sleep(0.01)
        step(state, choices(state)[0])
        start(game, Seed(1))

    with pytest.warns(RuntimeWarning, match="plays pig wrongly"):
        play_on()
    assert engine_of(game).compiled is None
