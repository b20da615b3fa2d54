"""A simulation as one call; and the first game of one that used something, with the choice that
used it.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from msgspec import to_builtins
from msgspec.structs import replace

from targi_dsl.codegen.tiered import ENGINES, engine_of, named_engine
from targi_dsl.compiler.load import load
from targi_dsl.engine import Engine
from targi_dsl.ir.game import Game
from targi_dsl.players import PLAYERS
from targi_dsl.players.random import Random
from targi_dsl.simulation.chunk import ChunkResult, Plan, Summary, answers
from targi_dsl.simulation.document import Document
from targi_dsl.simulation.engines import play_all, with_engine
from targi_dsl.simulation.game_loop import GameLoop, GameRun
from targi_dsl.simulation.report import Report, Usage
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.structs import Frozen

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
    played once for each rotation of the players around the table that differs. engine: that of
    `--engine`, or empty for the fastest that is there. More than one worker loads the game again,
    by the name of its sheet. Raises Problems if a game cannot go on, and ValueError for
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
    kinds = tuple(seats.get(seat, Random.kind) for seat in game.players)
    plan = Plan.of(game, kinds, seed, games, pairs=pairs, engine=engine or named_engine())
    plan, _ = with_engine(plan, game)
    report = Report(plan, game)
    for played in play_all(plan, game, workers):
        report.add(played)
        if played.failed is not None:
            replay_failure(plan, game, played.failed)
    return report.document()


class FirstUse(Frozen):
    """Where something was first used: the number of the game, its seed and players, and the number
    of the choice that led to it; 0 means before the first choice.
    """

    game: int
    seed: int
    seats: tuple[str, ...]
    choice: int

    def data(self) -> dict[str, object]:
        """The use as plain data for JSON."""
        fields: dict[str, object] = to_builtins(self)
        return fields


def replay_failure(plan: Plan, game: Game, number: int) -> None:
    """Replays a game that failed; raises Problems with the fault, its location, and the command
    that plays the game again.
    """
    engine = Engine(game)
    try:
        GameLoop(engine).play(plan.seed_of(number), answers(engine, plan, number))
    except Problems as fault:
        found = f"This is game {number + 1}, with seed {plan.seed_of(number)}."
        again = _command(plan, game, number) if plan.sheet else ""
        text = f"{found} To play it again:" if again else found
        told = (replace(one, text=f"{one.text} {text}", hint=again) for one in fault.problems)
        raise Problems(tuple(told)) from None
    raise RuntimeError(f"game {number} of {plan} went wrong, and does not when played again")


def _command(plan: Plan, game: Game, number: int) -> str:
    """The command that plays a game of a plan again."""
    seats = zip(game.players, plan.seating(plan.rotation_of(number)), strict=True)
    usual = load(plan.sheet).options
    given = [f"--seat {seat}={kind}" for seat, kind in seats]
    chosen = (f"{name}={value}" for name, value in plan.options if (name, value) not in usual)
    given += [f"--{one}" if one.startswith("players=") else f"--option {one}" for one in chosen]
    given += [f"--deck {shlex.quote(f'{zone}={cards}')}" for zone, cards in plan.decks]
    begin = f"targi play {shlex.quote(plan.sheet)} --seed {plan.seed_of(number)}"
    return " ".join([begin, *given])


def usable(game: Game) -> list[str]:
    """The names that `find` accepts."""
    return Usage(game, Summary(GameLoop(engine_of(game)).layout)).names()


def find(plan: Plan, game: Game, name: str, chunks: Iterable[ChunkResult]) -> FirstUse | None:
    """Finds the first use of a name: a rule begins, a card is taken or an option is chosen."""
    for played in chunks:
        if any(Usage(game, summary).times_named(name) for summary in played.summaries):
            return _in_chunk(plan, game, name, played)
    return None


def _in_chunk(plan: Plan, game: Game, name: str, played: ChunkResult) -> FirstUse | None:
    engine = engine_of(game)
    for number in played.chunk.games:
        choice = _choice(engine, plan, name, number)
        if choice is not None:
            seats = plan.seating(plan.rotation_of(number))
            return FirstUse(number, plan.seed_of(number), seats, choice)
    return None


def _choice(engine: Engine, plan: Plan, name: str, number: int) -> int | None:
    """The number of the choice that first used a name in a game."""
    loop = GameLoop(engine)
    game = GameRun(loop, plan.seed_of(number), answers(engine, plan, number))
    for decision in game.decisions():
        if Usage(engine.game, Summary(loop.layout, tally=game.final_tally())).times_named(name):
            return decision
    return None
