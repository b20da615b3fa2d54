"""Answers for the seats of a table: random players directly, others through the public verbs."""

from __future__ import annotations

from collections.abc import Callable

from targi_dsl.api import choices
from targi_dsl.api.state import State
from targi_dsl.engine import Engine, Run
from targi_dsl.engine.run import Waiting
from targi_dsl.information.observation import observe
from targi_dsl.ir.game import Game
from targi_dsl.players import PLAYERS
from targi_dsl.players.busy import Busy
from targi_dsl.players.random import Random, own_stream

Answer = Callable[[Waiting, Run], int]
"""Given a waiting position and the run with its options, returns the option taken."""

INLINED = (Random.kind, Busy.kind)
"""The players that need only the options and a stream."""


def answerer(engine: Engine, kind: str, seed: int, seat: str) -> Answer:
    """A player of this kind at a seat, the same that `targi play` would have with this seed."""
    if kind == Random.kind:
        return _random(seed, seat)
    if kind == Busy.kind:
        return _busy(engine, seed, seat)
    return _faced(engine, engine.game, kind, seed, seat)


def _random(seed: int, seat: str) -> Answer:
    below = own_stream(Random.kind, seed, seat).below

    def answer(at: Waiting, run: Run) -> int:
        return run.options[below(len(run.options))]

    return answer


def _busy(engine: Engine, seed: int, seat: str) -> Answer:
    below = own_stream(Busy.kind, seed, seat).below

    def answer(at: Waiting, run: Run) -> int:
        options, declining = run.options, engine.declining(at.point)
        if declining:
            options = [option for option in options if option not in declining] or options
        return options[below(len(options))]

    return answer


def _faced(engine: Engine, game: Game, kind: str, seed: int, seat: str) -> Answer:
    player = PLAYERS[kind](seed, seat)

    def answer(at: Waiting, run: Run) -> int:
        state = State(game, engine.packed(at), run.after(), seat, tuple(run.options))
        return player.choose(observe(state, seat), choices(state)).code

    return answer
