"""Turns a recorded game into a rule test."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.api.state import State
from targi_dsl.ir.game import Game
from targi_dsl.records.format import Record
from targi_dsl.records.notation import write
from targi_dsl.records.notation.writing import CONTROL
from targi_dsl.records.replaying import opening, steps
from targi_dsl.records.testing.reading import VERSION


def head_of(game: Game) -> str:
    """The head of a file of tests of a game."""
    return f"language {VERSION}\ntests of {game.name}\n"


def test_of(game: Game, record: Record, name: str) -> str:
    """A test that makes the choices of a record and expects the public changes. Raises Problems if
    the record is of another game.
    """
    before = after = opening(game, record)[0]
    chosen, outcomes = list[str](), list[str]()
    for step in steps(game, record):
        after = step.after
        if step.is_chance:
            outcomes.append(step.choice.id)
        else:
            chosen.append(f"{step.before.seat}: {step.choice.id}")
    given = [f"option {name}: {value}" for name, value in record.options.items()]
    given += record.position.splitlines()[1:]  # the test file names the game
    if record.seed is not None:
        given.append(f"seed {record.seed}")
    if outcomes:
        given.append(f"chance: {'; '.join(outcomes)}")
    asked = [f"asked: {after.seat or 'nobody'}"]
    blocks = ("given", given), ("when", chosen), ("then", [*asked, *_changed(before, after)])
    lines = [f'test "{name}"']
    for kind, those in blocks:
        if len(those) == 1:
            lines.append(f"  {kind} {those[0]}")
        elif those:
            lines += [f"  {kind}", *(f"    {one}" for one in those)]
    return "\n".join(lines) + "\n"


def _changed(before: State, after: State) -> Iterator[str]:
    """The lines that only the later position has, without face-down cards."""
    known, places = {*write(before).splitlines()}, after.game.places
    hidden = {place.name for place in places if place.is_zone and place.facing != "up"}
    for line in write(after).splitlines():
        key = line.partition(":")[0]
        if line not in known and key not in hidden and not line.startswith(CONTROL):
            yield line
