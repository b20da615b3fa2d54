"""The task of a search of a question's options, and its results."""

from __future__ import annotations

from typing import Protocol

from targi_dsl.text.structs import Frozen

FAILED = -1_000_000
"""Everybody's lead in a playout in which the rules are at fault."""

LEAST = 2
"""The fewest playouts of each choice, whatever the budget."""

OBSERVED = 3_037_000_507
"""A prime. Players that search tell observations apart by their numbers modulo this one."""

OFTEN = 2
"""How often they repeat a choice after the same observation."""


class Evaluation(Frozen):
    """The heuristic value of an unfinished position beside the score, in tenths of a point.

    places: the owner of each, and whether cards are active there. weights: for each round of the
    game, the last ones for all later rounds; in this order: for each resource, the value of having
    none, of each of the first `few` units, and of each further unit; for each place, of a card
    there; for each card, of its being active; for each card, of its lying elsewhere with somebody;
    for each kind of line, of any two cards with equal faces in a line with a free place, and with
    unequal faces.

    lines: the kind of each, the kind of its faces, and its places; faces: by kind, the face of each
    card, or nothing.
    """

    few: int
    places: tuple[tuple[int, bool], ...]
    weights: tuple[tuple[int, ...], ...]
    lines: tuple[tuple[int, ...], ...] = ()
    faces: tuple[tuple[int, ...], ...] = ()


class Task(Frozen):
    """The options of a question, and how they are searched. Playout n of an option starts in deal
    n, with the chance of that deal, and lasts until a number of rounds have begun, or for
    `farthest` decisions, at most 1,000. A player's lead is then its score over that of the best
    opponent, in tenths of a point.

    options: of the engine; seat: the number of the player who is asked. rounds: as above; 0: the
    first playout doubles it from two until it has made `enough` decisions. draws: of how many
    options drawn at random a playout takes the one with the best mean lead so far. grows: whether a
    tree grows; exploration: the weight of the exploration bonus, in 256ths of the mean deviation of
    leads. proves: whether the tree backs up proven wins and losses. prior: statistics to begin
    with, of each option anywhere and player: visits, and the sum of leads over that of deal 0.
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
    prior: tuple[int, ...] = ()


class Playouts(Protocol):
    """Playouts of the options of one question."""

    ends: list[int]
    """The final lead of each playout. Without a tree the options take turns."""

    def run(self, playouts: int) -> None:
        """Continues until there have been so many playouts."""

    def visits(self) -> tuple[int, ...]:
        """The number of playouts of each option."""

    def sums(self) -> tuple[int, ...]:
        """The sum of the final leads of each option's playouts."""

    def proven(self) -> tuple[int, ...]:
        """1 for each option that is a proven win, -1 for each that is a proven loss."""
