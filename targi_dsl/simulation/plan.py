"""The plan of a simulation: which game, who plays, and the seed and seating of every game."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.compiler.load import load
from targi_dsl.ir.game import Game
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.structs import Frozen

Pairs = tuple[tuple[str, str], ...]


class Plan(Frozen):
    """A simulation. Its results follow from this value alone, however it is distributed.

    sheet, options, decks: what to load; rules: the hash it must have. seats: the kind of player of
    each seat. seed: that of the first game. rotations: 1; or the number of seats, so that every
    seed is played once for each rotation of the players around the table. with_rows: whether the
    rows of the games are wanted, and not only their sums.
    """

    sheet: str
    rules: str
    seats: tuple[str, ...]
    seed: int
    games: int
    rotations: int = 1
    engine: str = ""
    options: Pairs = ()
    decks: Pairs = ()
    with_rows: bool = True

    def seed_of(self, number: int) -> int:
        """The seed of a game, counted from 0."""
        return self.seed + number // self.rotations

    def rotation_of(self, number: int) -> int:
        """By how many seats the players of a game are rotated."""
        return number % self.rotations

    def seating(self, rotation: int) -> tuple[str, ...]:
        """The players of a rotated game, seat by seat."""
        return self.seats[-rotation:] + self.seats[:-rotation] if rotation else self.seats

    def load(self) -> Game:
        """The game as it was when the simulation began."""
        game = load(self.sheet, options=dict(self.options), decks=dict(self.decks))
        if game.hash != self.rules:
            text = "The files of this game were changed after the simulation had begun."
            raise Problems(
                [Problem("E025", "files changed meanwhile", None, text, file=self.sheet)]
            )
        return game


class Chunk(Frozen):
    """A range of games of a plan: from `first` on, before `end`."""

    first: int
    end: int

    @property
    def games(self) -> range:
        """The numbers of the games."""
        return range(self.first, self.end)


class Chunks:
    """Divides a plan into chunks that each take about the time wanted, and into smaller ones at the
    end, so that all workers finish at about the same time. The results do not depend on the
    division. is_over: no more chunks are needed, since a game has failed.
    """

    SECONDS = 0.5
    LARGEST = 65_536

    def __init__(self, plan: Plan, hands: int = 1) -> None:
        self.plan, self.hands = plan, hands
        self.next = 0
        self.size = plan.rotations
        self.is_over = False

    def __iter__(self) -> Iterator[Chunk]:
        while self.next < self.plan.games and not self.is_over:
            chunk = Chunk(self.next, min(self.next + self._next_size(), self.plan.games))
            self.next = chunk.end
            yield chunk

    def took(self, games: int, seconds: float) -> None:
        """Records how long a chunk has taken."""
        wanted = int(games * self.SECONDS / max(seconds, 1e-6))
        self.size = self._whole(min(wanted, 4 * self.size, self.LARGEST))

    def _next_size(self) -> int:
        if self.hands == 1:
            return self.size
        share = (self.plan.games - self.next) // (2 * self.hands)
        return self._whole(min(self.size, max(share, self.size // 8)))

    def _whole(self, games: int) -> int:
        """At least this many games, including all rotations of each of their seeds."""
        return -(-max(1, games) // self.plan.rotations) * self.plan.rotations
