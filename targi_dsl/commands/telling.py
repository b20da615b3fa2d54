"""What people and programs are told of a game: what happened, and how it ended."""

from __future__ import annotations

import re
from collections.abc import Iterator

from targi_dsl.face import result
from targi_dsl.record import Record, Step
from targi_dsl.state import State


def told(step: Step, before: str = "", people: tuple[str, ...] = ()) -> Iterator[str]:
    """Who chose what, and what happened then, as these seats may know it; if nobody is named, all of it."""
    first, *events = (_without_secrets(event.text, step, people) for event in step.events if event.kind not in _QUIET)
    yield before + first
    yield from (f"    {event}" for event in events)


_QUIET = ("do", "set")
"""Kinds of events that tell of the rules, not of the table."""


def _without_secrets(text: str, step: Step, people: tuple[str, ...]) -> str:
    """The text with the backs of cards for the names of those that not all of these people know."""
    game = step.after.game
    for card in game.cards:
        name = card.names.get("en", card.id)
        if name in text and not all(_knows(step, seat, card.id) for seat in people):
            text = re.sub(rf"\b{re.escape(name)}\b", f"a {game.kinds[card.kind]}", text)
    return text


def _knows(step: Step, seat: str, card: str) -> bool:
    """Whether a seat knew a card before, or knows it afterwards."""
    return step.before.knows(seat, card) or step.after.knows(seat, card)


def ending(state: State) -> Iterator[str]:
    """How a game ended, for people."""
    ended = result(state)
    yield ""
    for seat, score, parts in zip(state.game.players, ended.scores, ended.breakdown, strict=True):
        counted = ", ".join(f"{part} {number}" for part, number in parts.items() if number)
        yield f"{seat}: {score}" + (f" ({counted})" if counted else "")
    by = f" by {ended.tiebreak}" if ended.tiebreak else ""
    yield f"{ended.winner} wins{by}." if ended.winner else "Nobody wins."


def document(record: Record, state: State, decisions: int) -> dict[str, object]:
    """How a game went, as data that fits schema/result.json."""
    game, ended = state.game, result(state)
    return {
        "game": game.name,
        "rules": game.hash,
        "options": dict(game.options),
        "seed": record.seed,
        "seats": dict(record.seats),
        "decisions": decisions,
        "ended_by": ended.ended_by,
        "scores": dict(zip(game.players, ended.scores, strict=True)),
        "breakdown": dict(zip(game.players, ended.breakdown, strict=True)),
        "winner": ended.winner,
        "tiebreak": ended.tiebreak,
    }
