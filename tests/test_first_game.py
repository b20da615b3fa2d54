"""docs/first-game.md: each of its ten steps gives a game that validates and plays."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from targi_dsl.api import choices, play, start
from targi_dsl.compiler.load import check
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.text.diagnostics import render
from tests.commands import targi
from tests.documents import text_of

PAGE = text_of("first-game.md")
STEPS = re.findall("```targi step\n(.*?)```", PAGE, re.DOTALL)
SESSIONS = [
    (*re.findall("```targi step\n(.*?)```", section, re.DOTALL), session)
    for section in re.split("^## ", PAGE, flags=re.MULTILINE)
    for session in re.findall("```console\n(.*?)```", section, re.DOTALL)
]
(CARDS,) = re.findall("```yaml\n(.*?)```", PAGE, re.DOTALL)
(VARIANT,) = re.findall("```targi variant\n(.*?)```", PAGE, re.DOTALL)
FILES = {"berries_weather.yaml": CARDS, "berries.targi": STEPS[-1], "hungry.targi": VARIANT}
GAMES = [*(("berries", {**FILES, "berries.targi": step}) for step in STEPS), ("hungry", FILES)]


def test_there_are_ten_steps() -> None:
    assert len(GAMES) == 10
    assert re.findall(r"^## (\d+)\. ", PAGE, re.MULTILINE) == [str(n) for n in range(1, 11)]


@pytest.mark.parametrize(("name", "files"), GAMES, ids=range(1, 11))
def test_a_step_is_a_game_that_has_no_problems_and_ends(name: str, files: dict[str, str]) -> None:
    game, problems = check(name, of_texts(files))
    assert game is not None and problems == (), render(problems)
    for seed in range(5):
        stream, state = Stream(seed), start(game, Seed(seed))
        while offered := choices(state):
            state, _ = play(state, offered[stream.below(len(offered))])


def test_each_step_changes_the_one_before() -> None:
    for before, after in pairwise(STEPS):
        kept = sum(line in after.splitlines() for line in before.splitlines())
        assert before != after and kept >= len(before.splitlines()) / 2


@pytest.mark.parametrize(("step", "session"), SESSIONS)
def test_what_is_typed_in_a_step_shows_what_the_page_says(
    step: str, session: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "berries.targi").write_text(step, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    command, _, shown = session.partition("\n")
    answers = "\n".join([*re.findall("^> (.*)$", shown, re.MULTILINE), "quit", ""])
    told = targi(*command.split()[2:], answers=answers).out
    for part in re.split("^> .*\n", shown, flags=re.MULTILINE):
        assert part in told


def test_sessions_are_shown() -> None:
    assert SESSIONS
