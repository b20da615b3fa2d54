"""A player that picks at random."""

from __future__ import annotations

import hashlib

from targi_dsl.api import Choice
from targi_dsl.engine.chance import Stream
from targi_dsl.information.observation import Observation


class Random:
    """Picks at random from a stream of its own, so that it affects neither the game's chance nor
    another player's.
    """

    kind = "random"

    def __init__(self, seed: int, seat: str) -> None:
        start = hashlib.sha256(f"{self.kind} {seed} {seat}".encode()).digest()
        self._stream = Stream(int.from_bytes(start))

    def choose(self, observation: Observation, choices: tuple[Choice, ...]) -> Choice:
        """Picks with equal probability; the observation does not matter."""
        return choices[self._stream.below(len(choices))]
