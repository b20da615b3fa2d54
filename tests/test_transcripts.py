"""Whole games as transcripts, replayed on every run; `UPDATE_SNAPSHOTS=1 pytest` rewrites them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from targi_dsl.api import choices, play, result, start
from targi_dsl.api.state import State
from targi_dsl.engine.chance import Asked, Chance, Seed, Stream
from tests.games import compiled

FOLDER = Path(__file__).parent / "transcripts"
GAMES: dict[str, tuple[Chance, int]] = {
    "tic_tac_toe": (Seed(0), 2),
    "kuhn_poker": (Asked(), 5),
    "dice_race": (Seed(3), 2),
    "bazaar": (Seed(4), 1),
    "base": (Seed(14), 1),
    "expansion": (Seed(2), 1),
}
"""The source of chance, and the number of games recorded; of several, each has the next seed."""

CHOICE = re.compile(r"^\d+\. \w+ > (.*)$", re.MULTILINE)
GAME = re.compile(r"^== ", re.MULTILINE)
QUIET = ("do", "choose", "set")
"""Kinds of events that tell of the rules, or again of the choice."""

Pick = Callable[[State], str]


def story(name: str, number: int, pick: Pick) -> Iterator[str]:
    """One game: every choice with its id, its consequences, and how it ended."""
    game = compiled(name)
    chance = GAMES[name][0]
    state = start(game, Seed(chance.number + number) if isinstance(chance, Seed) else chance)
    options = ", ".join(f"{option} {value}" for option, value in game.options)
    yield f"== {game.title}, game {number + 1}" + (f" ({options})" if options else "")
    step = 0
    while state.seat is not None:
        step += 1
        wanted, seat = pick(state), state.seat
        state, events = play(state, wanted)
        yield f"{step}. {seat} > {wanted}"
        for event in events:
            if event.kind == "round":
                yield "-- a new round"
            elif event.kind not in QUIET:
                yield f"    {event.text}"
    ended = result(state)
    for player, score, parts in zip(game.players, ended.scores, ended.breakdown, strict=True):
        counted = ", ".join(f"{part} {points}" for part, points in parts.items() if points)
        yield f"{player}: {score}" + (f" ({counted})" if counted else "")
    by = f" by {ended.tiebreak}" if ended.tiebreak else ""
    yield f"{ended.winner} wins{by}." if ended.winner else "Nobody wins."


def told(name: str, picks: list[Pick]) -> str:
    return (
        "\n\n".join("\n".join(story(name, number, pick)) for number, pick in enumerate(picks))
        + "\n"
    )


def at_random(seed: int) -> Pick:
    stream = Stream(seed)

    def pick(state: State) -> str:
        offered = choices(state)
        return offered[stream.below(len(offered))].id

    return pick


def as_written(text: str) -> Pick:
    """The choices of a story, one after the other."""
    left = iter(CHOICE.findall(text))
    return lambda state: next(left)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_goes_as_it_went(name: str) -> None:
    file = FOLDER / f"{name}.txt"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        file.write_text(
            told(name, [at_random(seed) for seed in range(GAMES[name][1])]), encoding="utf-8"
        )
    text = file.read_text(encoding="utf-8")
    games = GAME.split(text)[1:]
    assert len(games) == GAMES[name][1]
    assert told(name, [as_written(game) for game in games]) == text


def test_there_is_a_game_for_every_story() -> None:
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(GAMES)
