"""Positions of the base game in the notation of `targi_dsl.records.notation`, and short names for queries.

A position is set up after the setup, so that only what matters is stated. Play from there stops
where somebody has something to choose; when everything is done, that is the placement of the next
round.
"""

from __future__ import annotations

from functools import cache

from targi_dsl.api import Event, choices, play
from targi_dsl.api.state import State
from targi_dsl.compiler.load import load
from targi_dsl.engine.chance import Seed
from targi_dsl.explain.why_not import why_not
from targi_dsl.ir.game import Game
from targi_dsl.records.notation import read


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


def barred(state: State, choice: str) -> set[str]:
    """The names of everything that prevents a choice."""
    return {reason.name for reason in why_not(state, choice)}


def on(state: State, place: str) -> str:
    """The cards on a place, from the top."""
    return ", ".join(state.cards(place)) or "nothing"
