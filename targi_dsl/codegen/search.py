"""What a search of the options of a question is asked, and what it finds."""

from __future__ import annotations

from typing import Protocol

from targi_dsl.text.structs import Frozen

FAILED = -1_000_000
"""The lead of everybody where the rules cannot go on."""


class Evaluation(Frozen):
    """What a position is worth beside the score, in tenths of a point, while a game goes on.

    places: of each its owner, and whether cards are active there. weights: for each round of the
    game, the last ones for all beyond; one after the other: of each resource, what it is worth to
    have none, each of the first `few` units, and each unit more; of each place, a card there; of
    each card, that it is active; of each card, that it lies at another place of somebody; of each
    kind of line, any two cards with equal faces in one that has a place left, and with unequal
    ones.

    lines: of each its kind, that of the faces, and its places; faces: of each kind, the face of
    each card, or nothing.
    """

    few: int
    places: tuple[tuple[int, bool], ...]
    weights: tuple[tuple[int, ...], ...]
    lines: tuple[tuple[int, ...], ...] = ()
    faces: tuple[tuple[int, ...], ...] = ()


class Task(Frozen):
    """The options of a question, and how they are tried. Playout n of an option begins in deal n,
    with the luck of that deal, and goes on until a number of rounds have begun, and at most for
    `farthest` decisions, up to 1,000. The lead of a player then is how far it is ahead of the best
    of the others, in tenths of a point.

    options: of the engine; seat: the number of who is asked. rounds: that number; or 0, and the
    first playout finds it: two, and twice as many until it has made `enough` decisions. draws: of
    how many options drawn at random a playout takes the one with most merit, which is what such a
    choice has led to so far. grows: whether a tree grows; exploration: how much it prefers what it
    has seldom tried, in 256ths of the mean deviation of leads. proves: whether the tree notes which
    options certainly win or lose.
    """

    seed: int
    seat: int
    options: tuple[int, ...]
    evaluation: Evaluation
    rounds: int
    enough: int
    farthest: int
    draws: int
    grows: bool
    exploration: int
    proves: bool = False


class Playouts(Protocol):
    """Playouts of the options of one question."""

    ends: list[int]
    """The lead at the end of each playout. Without a tree the options take turns."""

    def run(self, playouts: int) -> None:
        """Goes on until there have been so many playouts."""

    def visits(self) -> tuple[int, ...]:
        """How often each option has been tried."""

    def sums(self) -> tuple[int, ...]:
        """The sum of the leads at the ends of each option's playouts."""

    def proven(self) -> tuple[int, ...]:
        """1 for each option that certainly wins, -1 for each that certainly loses."""
