"""A simulation as one call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from targi_dsl.codegen.tiered import ENGINES, named_engine
from targi_dsl.ir.game import Game
from targi_dsl.players import PLAYERS
from targi_dsl.players.random import Random
from targi_dsl.simulation.document import Document
from targi_dsl.simulation.engines import play_all, settled
from targi_dsl.simulation.find import played_again
from targi_dsl.simulation.plan import Plan
from targi_dsl.simulation.report import Report

_NOBODY: Mapping[str, str] = MappingProxyType({})


def simulate(
    game: Game,
    games: int = 1000,
    *,
    seats: Mapping[str, str] = _NOBODY,
    seed: int = 0,
    pairs: bool = False,
    engine: str = "",
    workers: int = 1,
) -> Document:
    """Plays a game many times and returns what happened as plain values: the document that
    `targi simulate --json` prints, whose options these are.

    seats: the kinds of the players, `random` for those that are not named. pairs: every seed is
    played once for each rotation of the players around the table. engine: that of `--engine`, or
    empty for the fastest that is there. More than one worker loads the
    game again, by the name of its sheet. Raises Problems if a game cannot go on, and ValueError for
    a seat, a player or an engine that does not exist, or for no games or workers.
    """
    for names, known in (
        (seats, game.players),
        (seats.values(), PLAYERS),
        ([engine] * bool(engine), ENGINES),
    ):
        for name in names:
            if name not in known:
                raise ValueError(f"no `{name}` in {', '.join(known)}")
    if games < 1 or workers < 1:
        raise ValueError("there must be at least one game and one worker")
    rotations = len(game.players) if pairs else 1
    plan = Plan(
        game.sheet,
        game.hash,
        tuple(seats.get(seat, Random.kind) for seat in game.players),
        seed,
        -(-games // rotations) * rotations,
        rotations,
        engine or named_engine(),
        tuple(game.options),
        with_rows=False,
    )
    plan, report = replace(plan, engine=settled(plan, game)[0]), Report(plan, game)
    for played in play_all(plan, game, workers):
        report.add(played)
        if played.failed is not None:
            played_again(plan, game, played.failed)
    return report.document()
