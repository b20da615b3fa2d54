"""Whole games of Targi as stories at the table, played again on every run.

Every choice stands in its story with its id, so that it is replayed as written; `UPDATE_SNAPSHOTS=1
pytest` writes the stories anew, by players who draw from the seed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from targi_dsl.api import Choice, Event, choices, play, result, start
from targi_dsl.compiler.library import shipped
from targi_dsl.compiler.load import load
from targi_dsl.engine import engine_of
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.engine.code import unpacked
from targi_dsl.engine.flow import flow_of
from targi_dsl.engine.state import State
from targi_dsl.information.observation import observe
from targi_dsl.ir.model import PC, Ask, Game
from targi_dsl.players import Greedy
from tests.invariants import DECLINES
from tests.test_transcripts import FOLDER, QUIET, Pick

GAMES = {
    "targi_base_1": ("base", 107, "uniform"),  # a raid is left unpaid
    "targi_base_2": ("base", 105, "uniform"),  # a tie
    "targi_base_3": ("base", 44, "busy"),  # the display is rearranged
    "targi_base_4": ("base", 14, "busy"),  # a row of four symbols
    "targi_base_5": ("base", 27, "busy"),  # much is used once a round; a tie
    "targi_expansion_1": ("expansion", 1, "uniform"),
    "targi_expansion_2": ("expansion", 2, "busy"),
    "targi_mixed": ("mixed", 3, "busy"),
    "targi_mixed_border": ("mixed_border", 4, "uniform"),
}
"""The game, its seed, and what its players are like: uniform, busy (never decline, never end a turn
while something is left), or greedy.
"""

VARIANTS = {
    "targi_short": ("base_short", 26, "greedy"),
    "targi_wide": ("base_wide", 0, "uniform"),
    "targi_incense": ("base_incense", 0, "busy"),
    "targi_open_hands": ("base_open_hands", 2, "busy"),
    "targi_trailing_start": ("base_trailing_start", 0, "busy"),
    "targi_robber_returns": ("base_robber_returns", 0, "uniform"),
    "targi_easier": ("expansion_easier", 0, "busy"),
}
"""The same of the variants."""

CHOICE = re.compile(r"^\d+\. (?:\w+ )?> (.*?)(?:  \[.*\])?$", re.MULTILINE)

Played = tuple[State, Choice, tuple[Event, ...]]


def played(game: Game, seed: int, pick: Pick) -> tuple[list[Played], State]:
    """Every position with what was chosen there and what came of it, and the last position."""
    found, state = list[Played](), start(game, Seed(seed))
    while state.seat is not None:
        wanted, offered = pick(state), {one.id: one for one in choices(state)}
        assert wanted in offered, (
            f"after {len(found)} choices there is no {wanted}, but {', '.join(offered)}"
        )
        after, events = play(state, offered[wanted])
        found.append((state, offered[wanted], events))
        state = after
    return found, state


def story(name: str, pick: Pick) -> Iterator[str]:
    """A game as it was at the table: rounds and turns headed, choices and what came of them, and
    how it ended.
    """
    game_name, seed, like = (GAMES | VARIANTS)[name]
    game = load(game_name)
    steps, end = played(game, seed, pick)
    yield f"{game.title}: seed {seed}, {like} players"
    yield f"({', '.join(f'{option} {value}' for option, value in game.options)})"
    yield from ("", "== Round 1 ==")
    number, rounds = 0, 1
    for turn in turns(steps):
        seat = turn[0][0].seat or ""
        if len(turn) > 1:
            yield from (
                "",
                f"-- {seat}, with {holdings(turn[0][0], seat)}{others_hands(turn[0][0], seat)}",
            )
        for before, choice, events in turn:
            number += 1
            who = "" if len(turn) > 1 else f"{seat} "
            yield f"{number}. {who}> {choice.id}{meant(before, choice)}"
            for event in events:
                if event.kind == "round":
                    rounds += 1
                    yield from ("", f"== Round {rounds} ==")
                elif event.kind not in QUIET:
                    yield f"    {event.text}"
    yield from ("", "== The end ==")
    yield from ending(end)


def turns(steps: list[Played]) -> Iterator[list[Played]]:
    """What one player decides in a row, up to a new round."""
    turn = list[Played]()
    for step in steps:
        if turn and (
            step[0].seat != turn[0][0].seat or any(event.kind == "round" for event in turn[-1][2])
        ):
            yield turn
            turn = []
        turn.append(step)
    yield turn


def holdings(state: State, seat: str) -> str:
    """What a player has."""
    found = [(state.amount(seat, resource), resource) for resource in state.game.resources]
    return ", ".join(f"{number} {resource}" for number, resource in found if number) or "nothing"


def others_hands(state: State, seat: str) -> str:
    """What a player knows of the others' hands."""
    known, names, told = observe(state, seat), english(state.game), ""
    for other in state.game.players:
        cards = known.cards(f"hand of {other}")
        seen = [names[card] for card in cards if card in names]
        hidden = len(cards) - len(seen)
        if other != seat and cards:
            told += (
                f"; {other} holds {', '.join([*seen, *([f'{hidden} unseen'] if hidden else [])])}"
            )
    return told


def meant(state: State, choice: Choice) -> str:
    """What lies where a choice points to, or the name of the card that is chosen."""
    engine = engine_of(state.game)
    node = flow_of(engine).waiting[state.vector[PC]].node
    at, element = unpacked(choice.code)
    if not isinstance(node, Ask) or at >= len(node.alternatives):
        return ""
    binding = node.alternatives[at].choice
    cards: tuple[str, ...] = ()
    if binding is not None and binding.type.kind == "place":
        cards = state.cards(state.game.places[element].name)
    elif binding is not None and binding.type.kind == "card":
        cards = (state.game.cards[element].id,)
    names = english(state.game)
    return f"  [{', '.join(names[card] for card in cards)}]" if cards else ""


def english(game: Game) -> dict[str, str]:
    return {card.id: card.names["en"] for card in game.cards}


def ending(state: State) -> Iterator[str]:
    """Who had what, part by part, and who won."""
    ended, names = result(state), english(state.game)
    for player, score, parts in zip(state.game.players, ended.scores, ended.breakdown, strict=True):
        places = [
            place.name
            for place in state.game.places
            if place.active and place.name.endswith(f" of {player}")
        ]
        shown = ", ".join(names[card] for place in places for card in state.cards(place))
        counted = ", ".join(f"{part} {points}" for part, points in parts.items() if points)
        yield f"{player} has {holdings(state, player)}; {shown or 'no card'}"
        yield f"{player}: {score}" + (f" ({counted})" if counted else "")
    by = f" by {ended.tiebreak}" if ended.tiebreak else ""
    yield f"{ended.winner} wins{by}, after {ended.ended_by}." if ended.winner else "Nobody wins."


def greedily(seed: int) -> Pick:
    players = dict[str, Greedy]()

    def pick(state: State) -> str:
        assert state.seat is not None
        player = players.setdefault(state.seat, Greedy(seed, state.seat))
        return player.choose(observe(state, state.seat), choices(state)).id

    return pick


def at_random(seed: int, busy: bool) -> Pick:
    stream = Stream(seed)

    def pick(state: State) -> str:
        offered = [one.id for one in choices(state)]
        wanted = [one for one in offered if not busy or one not in DECLINES] or offered
        return wanted[stream.below(len(wanted))]

    return pick


def told(name: str, pick: Pick) -> str:
    return "\n".join([*story(name, pick), ""])


def as_written(text: str) -> Pick:
    """The choices of a story, one after the other."""
    left = iter(CHOICE.findall(text))
    return lambda state: next(left, "(the story ends here)")


def written(name: str) -> str:
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*GAMES, *VARIANTS])
def test_a_game_of_targi_goes_as_it_went(name: str) -> None:
    file: Path = FOLDER / f"{name}.txt"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        _, seed, like = (GAMES | VARIANTS)[name]
        pick = greedily(seed) if like == "greedy" else at_random(seed, like == "busy")
        file.write_text(told(name, pick), encoding="utf-8")
    text = written(name)
    assert told(name, as_written(text)) == text


def rounds(text: str) -> list[str]:
    return re.split(r"^== ", text, flags=re.MULTILINE)[1:-1]


def starters(text: str) -> list[str]:
    """Who places the first figure of each round."""
    before = [one.partition("> place_targi")[0] for one in rounds(text) if "> place_targi" in one]
    return [re.findall(r"^(?:-- |\d+\. )(white|blue)", one, re.MULTILINE)[-1] for one in before]


REACHED: dict[str, Callable[[str], bool]] = {
    "targi_short": lambda text: len(rounds(text)) == 9 and ", after finish." in text,
    "targi_wide": lambda text: "marker 4 of " in text,
    "targi_incense": lambda text: (
        re.search(r" pays .*incense", text) is not None and "gains 1 incense (" in text
    ),
    "targi_open_hands": lambda text: any(
        re.search(rf"; {seat} holds .*{card}", text)
        for card, seat in re.findall(
            r"^    (.*) goes from (?:looked_at|set_aside) of (\w+) to hand", text, re.MULTILINE
        )
    ),
    "targi_trailing_start": lambda text: any(a == b for a, b in pairwise(starters(text))),
    "targi_robber_returns": lambda text: "robber goes from border 8 to border 7\n" in text,
    "targi_easier": lambda text: (
        "with 2 dates, 2 salt, 2 pepper, 1 gold, 4 points, 2 water" in text
    ),
}
"""What a variant changes, seen in its story."""


@pytest.mark.parametrize("name", VARIANTS)
def test_the_story_of_a_variant_reaches_what_it_changes_and_the_others_do_not(name: str) -> None:
    assert REACHED[name](written(name))
    assert not any(REACHED[name](written(other)) for other in GAMES)


def test_every_sheet_has_a_story() -> None:
    told_of = {game for game, _, _ in (GAMES | VARIANTS).values()}
    assert {
        game for game in shipped().games() if {"base", "expansion"} & set(game.split("_"))
    } - told_of == {"base_online"}


def test_the_stories_show_what_a_game_can_be() -> None:
    """What one story has not, another has."""
    texts = "".join(written(name) for name in GAMES)
    for part in (
        "by most your",
        "mixed_rows",
        " uses ",
        "goods_pile is refilled",
        "> move_one",
        "> pay 1 gold",
    ):
        assert part in texts
