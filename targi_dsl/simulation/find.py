"""The first game of a simulation that used something, and the choice that used it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from targi_dsl.codegen.tiered import engine_of
from targi_dsl.engine import Engine
from targi_dsl.ir.game import Game
from targi_dsl.simulation.chunk import Played, seated
from targi_dsl.simulation.plan import Plan
from targi_dsl.simulation.summary import Summary
from targi_dsl.simulation.table import Playing, Table
from targi_dsl.simulation.usage import Usage
from targi_dsl.text.light import dataclass


@dataclass(frozen=True, slots=True)
class Found:
    """Where something was used: the number of the game, its seed and players, and the number of the
    choice that led to it; 0 is what happens before the first choice.
    """

    game: int
    seed: int
    seats: tuple[str, ...]
    choice: int

    def data(self) -> dict[str, object]:
        """The use as plain data for JSON."""
        return {**asdict(self), "seats": list(self.seats)}


def played_again(plan: Plan, game: Game, number: int) -> None:
    """Replays a game that failed; raises Problems with the fault and its location."""
    engine = Engine(game)
    Table(engine).play(plan.seed_of(number), seated(engine, plan, number))
    raise RuntimeError(f"game {number} of {plan} went wrong, and does not when played again")


def usable(game: Game) -> list[str]:
    """The names of everything that can be found."""
    return Usage(game, Summary(Table(engine_of(game)).layout)).names()


def find(plan: Plan, game: Game, name: str, chunks: Iterable[Played]) -> Found | None:
    """Finds the first use: a rule that begins, a card that is taken or an option that is chosen."""
    for played in chunks:
        if any(Usage(game, summary).called(name) for summary in played.summaries):
            return _in_chunk(plan, game, name, played)
    return None


def _in_chunk(plan: Plan, game: Game, name: str, played: Played) -> Found | None:
    engine = engine_of(game)
    for number in played.chunk.games:
        choice = _choice(engine, plan, name, number)
        if choice is not None:
            seats = plan.seating(plan.rotation_of(number))
            return Found(number, plan.seed_of(number), seats, choice)
    return None


def _choice(engine: Engine, plan: Plan, name: str, number: int) -> int | None:
    """The number of the choice that first used it in a game."""
    table = Table(engine)
    game = Playing(table, plan.seed_of(number), seated(engine, plan, number))
    for decision in game.decisions():
        if Usage(engine.game, Summary(table.layout, tally=game.counted())).called(name):
            return decision
    return None
