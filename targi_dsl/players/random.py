"""A player that picks at random."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache

from targi_dsl.api import Choice
from targi_dsl.engine.chance import Stream, whole_number
from targi_dsl.information.observation import Observation


@cache
def family(kind: str, seat: str) -> int:
    """The family of the random streams of a kind of player at a seat."""
    return int.from_bytes(hashlib.sha256(f"{kind} {seat}".encode()).digest()[:8])


def own_stream(kind: str, seed: int, seat: str) -> Stream:
    """The random stream of a player of this kind, different for every game and seat."""
    return Stream(whole_number(family(kind, seat), seed))


class Random:
    """Picks at random from its own stream, so that it affects neither the chance of the game nor
    another player.
    """

    kind = "random"

    def __init__(self, seed: int, seat: str) -> None:
        self._seat, self._stream = seat, own_stream(self.kind, seed, seat)

    def choose(self, observation: Observation, choices: Sequence[Choice]) -> Choice:
        """Picks with equal probability, whatever is observed. Raises ValueError for the observation
        of another seat.
        """
        if observation.seat != self._seat:
            raise ValueError(
                f"this player plays for {self._seat}, and is shown what {observation.seat} knows"
            )
        return choices[self._stream.below(len(choices))]
