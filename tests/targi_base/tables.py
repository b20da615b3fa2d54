"""Positions of the base game in the notation of `targi_dsl.records.notation`, and short names for queries.

A position is set up after the setup, so that only what matters is stated. Play from there stops
where somebody has something to choose; when everything is done, that is the placement of the next
round.
"""

from __future__ import annotations

from functools import cache

from targi_dsl.api import Event, choices, play, result
from targi_dsl.api.state import State
from targi_dsl.compiler.load import load
from targi_dsl.engine.chance import Seed
from targi_dsl.explain.why_not import why_not
from targi_dsl.ir.game import Game
from targi_dsl.records.notation import read

FULL = (
    "a1 oasis_1; b1 oasis_3; c1 oasis_4; d1 oasis_9; a2 well_1; "
    "b2 targia_1; c2 camp_1; d2 camel_1; a3 well_2; b3 camel_2; c3 targia_2"
)
"""Eleven cards of a display: one more makes it full (d3)."""


@cache
def game(name: str = "base", **options: str) -> Game:
    """The game with these options."""
    return load(name, options=options)


def at(text: str, name: str = "base", **options: str) -> State:
    """The position after the setup, with the changes that the text states."""
    return read(game(name, **options), "after setup\n" + text, Seed(1))


def offered(state: State) -> list[str]:
    """The ids of the choices."""
    return [choice.id for choice in choices(state)]


def after(state: State, *chosen: str) -> State:
    """The position after these choices."""
    for one in chosen:
        state, _ = play(state, one)
    return state


def things(state: State) -> dict[str, str]:
    """The choices by the thing that is chosen."""
    return {one.rpartition(" ")[2]: one for one in offered(state)}


def ways(state: State) -> set[str]:
    """What blue can have after settling the open payment."""
    if state.seat is None or not offered(state)[0].startswith("pay"):
        return {has(state, "blue")}
    return {
        found
        for one in offered(state)
        if one.startswith("pay")
        for found in ways(after(state, one))
    }


def told(state: State, *chosen: str) -> list[Event]:
    """The events of these choices."""
    found = list[Event]()
    for one in chosen:
        state, events = play(state, one)
        found += events
    return found


def has(state: State, player: str) -> str:
    """A player's amounts, as a position states them."""
    found = [(state.amount(player, one), one) for one in state.game.resources]
    return ", ".join(f"{number} {one}" for number, one in found if number) or "nothing"


def paid(events: list[Event]) -> str:
    """The total of what has been paid."""
    found = dict[str, int]()
    for event in events:
        if event.kind == "pay":
            found[event.what] = found.get(event.what, 0) + event.number
    order = ("dates", "salt", "pepper", "gold", "water", "points")
    return " and ".join(f"{found[one]} {one}" for one in order if one in found) or "nothing"


def barred(state: State, choice: str) -> set[str]:
    """The names of everything that prevents a choice."""
    return {reason.name for reason in why_not(state, choice)}


def part(state: State, name: str, player: str = "blue") -> int:
    """A part of a player's score."""
    return result(state).breakdown[state.game.players.index(player)][name]


def on(state: State, place: str) -> str:
    """The cards on a place, from the top."""
    return ", ".join(state.cards(place)) or "nothing"
