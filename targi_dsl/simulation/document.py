"""The report of a simulation as plain data for tables and JSON (docs/simulation.md explains it)."""

from __future__ import annotations

from typing import TypedDict

from targi_dsl.search.estimates import Class, Interval


class Distribution(TypedDict):
    """The values of something counted once in each game."""

    mean: float
    spread: float
    least: int
    most: int
    histogram: list[Class]


class Won(TypedDict):
    """The games won alone, and those won with others; `share` is that of games won alone. None in a
    game for one player that only counts points, which nobody wins.
    """

    wins: int | None
    shared: int | None
    share: Interval | None
    score: Distribution | None


class PlayerResult(Won):
    """A player of the plan, in all seats together."""

    player: str
    begins_as: str


class SeatResult(Won):
    """A seat, and the average of each part of its score."""

    seat: str
    parts: dict[str, float]


class Paired(TypedDict):
    """Games of one seed that differ only in the seating."""

    seeds: int
    wins_of_first_player: dict[str, int]
    share: Interval | None


class Ending(TypedDict):
    """The rule that ended games; None for games that were cut off."""

    ended_by: str | None
    games: int


class TieBreak(TypedDict):
    tie: str
    games: int


class CardUse(TypedDict):
    card: str
    name: str
    copies: int
    offered: int
    taken: int
    in_play: int
    won_with: Interval | None
    won_without: Interval | None
    difference: Interval | None
    points: float | None


class SpaceUse(TypedDict):
    space: str
    offered: int
    taken: int


class NeverTaken(TypedDict):
    rule: str
    label: str
    offered: int


class ChoiceUse(NeverTaken):
    taken: int


class Never(TypedDict):
    """What no game used."""

    rules: list[str]
    cards: list[str]
    choices: list[NeverTaken]


class Used(TypedDict):
    """The use of cards, spaces and choices."""

    cards: list[CardUse]
    spaces: list[SpaceUse]
    choices: list[ChoiceUse]
    never: Never


class Document(Used):
    """A whole report."""

    game: str
    rules: str
    options: dict[str, str]
    decks: dict[str, str]
    seed: int
    games: int
    players: list[PlayerResult]
    seats: list[SeatResult]
    first_seat_edge: Interval | None
    paired: Paired | None
    rounds: Distribution
    decisions: Distribution
    branching: float
    lead_changes: Distribution
    endings: list[Ending]
    ties: list[TieBreak]
