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
from targi_dsl.text import resources
from tests.games import ALL, compiled

FOLDER = Path(__file__).parent / "transcripts"
PLAYED_ONCE = {
    "amazons": 2, "auction": 4, "blind_bluff": 2, "breakthrough": 19,
    "capture_the_flag": 11, "checkers": 29, "clobber": 29,
    "connect_four": 3, "crazy_eights": 19, "dots_and_boxes": 0, "five_trails": 23, "flower_beds": 5,
    "foretold": 2, "gem_market": 0, "gomoku": 0, "goofspiel": 0, "heiress": 4, "hex_5": 3, "inn": 6,
    "kalah": 25, "lamplighters": 5, "leduc_poker": 3, "liars_dice": 7, "lots": 1, "moss": 12,
    "mu_torere": 1, "nim": 0, "nine_mens_morris": 2, "oh_hell": 24, "oware": 12, "pearl_divers": 23,
    "phantom_tic_tac_toe": 0, "pig": 38, "quoridor_5": 0, "reversi": 1, "rope_party": 5,
    "small_estate": 21, "stairs": 0, "stray_cats": 1, "the_dyke": 7, "thin_ice": 0, "tile_layers": 0,
    "two_traders": 14, "ultimate_tic_tac_toe": 0, "who_is_it": 3,
}  # fmt: skip
"""Games with the seed of both chance and the choices, chosen for a short game."""

GAMES: dict[str, tuple[Chance, tuple[int, ...]]] = {
    "tic_tac_toe": (Seed(0), (0, 1)),
    "kuhn_poker": (Asked(), (0, 1, 2, 3, 4)),
    "dice_race": (Seed(3), (0, 1)),
    "bazaar": (Seed(4), (0,)),
    "base": (Seed(14), (0,)),
    "expansion": (Seed(2), (0,)),
    **{name: (Seed(seed), (seed,)) for name, seed in PLAYED_ONCE.items()},
}
"""The source of chance in the first game recorded, and the seed of the choices in each; each
further game has the next seed of chance.
"""

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
        file.write_text(told(name, [at_random(seed) for seed in GAMES[name][1]]), encoding="utf-8")
    text = file.read_text(encoding="utf-8")
    games = GAME.split(text)[1:]
    assert len(games) == len(GAMES[name][1])
    assert told(name, [as_written(game) for game in games]) == text


def test_there_is_one_story_of_every_game() -> None:
    """A variant needs none: `bazaar_all_day` is one of bazaar. Of hex and quoridor, the small board has one."""
    own = [
        name
        for name in ALL
        if b" based on " not in (resources.read(f"rules/games/{name}.targi") or b"")
    ]
    assert len(own) > 30
    assert {*own} - {"hex", "quoridor", "bazaar_all_day"} <= set(GAMES)
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(GAMES)
