"""A few random games of a game that passes all checks, to see whether play stops."""

from __future__ import annotations

import time
from collections.abc import Iterator

from msgspec.structs import replace

from targi_dsl.codegen.tally import CUT_OFF, MOST_DECISIONS
from targi_dsl.codegen.tiered import named_engine
from targi_dsl.compiler.recovery.allowances import without_allowed
from targi_dsl.ir.game import Game
from targi_dsl.ir.statements import Ask, EndGame, Placed, TurnOf
from targi_dsl.ir.walk import within
from targi_dsl.players.busy import Busy
from targi_dsl.players.random import Random
from targi_dsl.simulation.chunk import Chunk, Plan
from targi_dsl.simulation.engines import with_engine, worker_for
from targi_dsl.simulation.simulate import replay_failure
from targi_dsl.text.diagnostics import Label, Problem, Problems
from targi_dsl.text.source import Span

TRIED = 100
"""The default number of games."""
LONGEST = 1.0
"""Seconds of processor time after which no further game is started."""


def smoke_test(game: Game, games: int = TRIED) -> tuple[Problem, ...]:
    """What stops one of so many games, as a warning with its place, its seed and the command that
    plays it again, or that none of them ends or nobody has a choice; else nothing. All players
    choose at random, and every second one only what does something.
    """
    return tuple(without_allowed(_faults(game, games)))


def _faults(game: Game, games: int) -> Iterator[Problem]:
    kinds = (Random.kind, Busy.kind) * len(game.players)
    seats, engine = kinds[: len(game.players)], named_engine()
    plan, _ = with_engine(Plan.of(game, seats, 0, games, pairs=True, engine=engine), game)
    worker, ends = worker_for(plan, game), time.process_time() + LONGEST
    ended = asked = False
    for number in range(plan.games):
        played = worker.play(Chunk(number, number + 1))
        if played.failed is not None:
            yield from _replayed(plan, game, played.failed)
            return
        ended = ended or not any(one.endings[CUT_OFF] for one in played.summaries)
        asked = asked or any(one.decisions.keys() - {0} for one in played.summaries)
        if time.process_time() > ends:
            break
    if plan.games and not ended:
        text = f"Each was broken off after {MOST_DECISIONS:,} decisions, and this never happened."
        title = "no game on trial ends"
        yield Problem("W926", title, _first(game, EndGame), text)
    if plan.games and ended and not asked and (question := _first(game, Ask)) is not None:
        text = "Not in one game on trial has anybody anything to choose, here or elsewhere."
        if _first(game, TurnOf) is not None:
            text += " `turn of` somebody is left out as long as nothing says who that is."
        yield Problem("W926", "nobody ever has a choice", question, text)


def _first(game: Game, kind: type[Ask | EndGame | TurnOf]) -> Span | None:
    """The first place of such a statement in the rules."""
    found = (one.span for rule in game.rules for one in within(rule.body, kind))
    return next(found, None)


def _replayed(plan: Plan, game: Game, number: int) -> Iterator[Problem]:
    try:
        replay_failure(plan, game, number)
    except Problems as found:
        for one in found.problems:
            title = f"play can stop here: {one.title}"
            labels = (*one.labels, *_changes(game, one.span))
            yield replace(one, code="W926", title=title, labels=labels)


def _changes(game: Game, place: Span | None) -> Iterator[Label]:
    """The places where other modules changed the rule that contains a place."""
    for rule in game.rules:
        if place is not None and any(one.span == place for one in within(rule.body, Placed)):
            for origin in rule.origins:
                span, how = origin.span, origin.how
                if span is not None and span.source is not place.source and how != "declared":
                    yield Label(span, f"{how} here, in module {origin.module}")
            return
