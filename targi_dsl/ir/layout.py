"""The layout: what is shown of a position, and in which order."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LayoutTable:
    """Rows of places; nothing is a gap."""

    rows: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class LayoutItem:
    """What one entry of a line shows: what is resource | places | variable | pieces; of: its
    numbers, for each player or once.
    """

    name: str
    what: str
    of: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LayoutLine:
    items: tuple[LayoutItem, ...]


@dataclass(frozen=True, slots=True)
class LayoutPlayer:
    """What belongs to one player."""

    player: int
    lines: tuple[LayoutTable | LayoutLine, ...]


Layout = tuple[LayoutTable | LayoutLine | LayoutPlayer, ...]
