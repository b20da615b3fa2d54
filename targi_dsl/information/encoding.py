"""Observations as a fixed number of integers, for networks and tables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from targi_dsl.api.position import Position
from targi_dsl.information.observation import Observation
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.text.structs import Frozen

FRAMES = 64
"""Numbers for the rules in progress, the innermost ones last."""


class Field(Frozen):
    """A part of the encoding: its name, where it starts, and its length."""

    name: str
    start: int
    count: int


def encode(observation: Observation) -> tuple[int, ...]:
    """An observation as integers, in the order of `encoding`. Equal observations have equal
    encodings. -1 stands for nothing; the number of an unknown card reveals nothing about it.
    """
    return tuple(number for _, numbers in _parts(observation) for number in numbers)


def encoding(observation: Observation) -> tuple[Field, ...]:
    """What the integers of `encode` mean, part by part; the same for all observations of a game.

    observer and asked: seats by number (-1: public or nobody; -2: chance). question: the number
    of the question. known: 1 for each card that is known. doing: see FRAMES. The rest is the
    position, in the order of `Position.parts`.
    """
    parts = [(name, len(numbers)) for name, numbers in _parts(observation)]
    starts = accumulate((count for _, count in parts), initial=0)
    return tuple(
        Field(name, start, count) for (name, count), start in zip(parts, starts, strict=False)
    )


def _parts(observation: Observation) -> Iterator[tuple[str, tuple[int, ...]]]:
    game, position = observation.game, Position(observation.game, observation.vector)
    yield "observer", (_seat(game, observation.seat),)
    yield "asked", (_seat(game, observation.turn),)
    yield "question", (position.question,)
    yield from position.parts()
    unknown = set(observation.unknown)
    yield "known", tuple(int(card not in unknown) for card in range(len(game.cards)))
    doing = position.doing()[-FRAMES:]
    yield "doing", (0,) * (FRAMES - len(doing)) + doing


def _seat(game: Game, name: str | None) -> int:
    if name == "chance":
        return -2
    return game.players.index(name) if name in game.players else NOTHING
