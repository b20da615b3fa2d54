"""Positions of the expansion, queried with the names of `tests/targi_base/tables.py`."""

from __future__ import annotations

from targi_dsl.api.state import State
from targi_dsl.ir.game import Game
from tests.targi_base import tables
from tests.targi_base.tables import after, barred, has, on, paid, part, told, ways

__all__ = [
    "FULL",
    "after",
    "at",
    "barred",
    "chosen",
    "exchanges",
    "game",
    "has",
    "offered",
    "on",
    "paid",
    "part",
    "things",
    "told",
    "ways",
]

FULL = (
    "a1 well_10; b1 camel_10; c1 oasis_10; d1 targia_10; a2 camp_10; "
    "b2 well_11; c2 camel_11; d2 oasis_11; a3 targia_11; b3 camp_11; c3 well_15"
)
"""Eleven cards of a display, none with an ability: one more makes it full (d3)."""


def game(**options: str) -> Game:
    """The expansion with these options."""
    return tables.game("expansion", **options)


def at(text: str, name: str = "expansion", **options: str) -> State:
    """The position after the setup, with the changes that the text states."""
    return tables.at(text, name, **options)


def offered(state: State) -> list[str]:
    """The ids of the choices, without the exchanges of water, which every question offers (X20)."""
    return [one for one in tables.offered(state) if not one.startswith("water_for_")]


def exchanges(state: State) -> list[str]:
    """The exchanges of water that can be chosen."""
    return [one for one in tables.offered(state) if one.startswith("water_for_")]


def things(state: State) -> dict[str, str]:
    """The choices by the thing that is chosen."""
    return {one.rpartition(" ")[2]: one for one in offered(state)}


def chosen(state: State, *wanted: str) -> State:
    """The position after these choices, each made if it is asked for: a question with one answer is
    not asked.
    """
    for one in wanted:
        state = after(state, things(state)[one]) if one in things(state) else state
    return state
