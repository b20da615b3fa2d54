"""Who is not asked any more: players who are out of the game, or of the turns in progress."""

from __future__ import annotations

from collections.abc import Sequence

from targi_dsl.api.results import outcomes_of
from targi_dsl.engine import Engine
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import OUT
from targi_dsl.ir.statements import Until
from targi_dsl.view.phrases import rules_in_progress


def players_out(engine: Engine, v: Sequence[int]) -> tuple[str, ...]:
    """The players who are out of the game."""
    outcomes = zip(engine.game.players, outcomes_of(engine, v), strict=True)
    return tuple(player for player, outcome in outcomes if outcome == OUT)


def players_passed(engine: Engine, v: Sequence[int]) -> tuple[str, ...]:
    """The players who have passed in the innermost turns around the table that are in progress."""
    return next(reversed(passed_by_turns(engine, v).values()), ())


def passed_by_turns(
    engine: Engine, v: Sequence[int]
) -> dict[tuple[int, int, int], tuple[str, ...]]:
    """Who has passed in turns around the table that are in progress, outermost first; each is known
    by how deep its rule is called, by its rule and by its first slot.
    """
    game, found = engine.game, dict[tuple[int, int, int], tuple[str, ...]]()
    asked = rules_in_progress(engine, v) if engine.open_question(v) is not None else ()
    for depth, one in enumerate(reversed([*asked])):
        rule = game.rules[one.rule] if one.rule < len(game.rules) else None
        for turns in rule.every(Until) if rule is not None else ():
            slots = range(turns.left, turns.left + len(game.players))
            if turns.left != NOTHING and one.known.issuperset(slots):
                left = zip(game.players, slots, strict=True)
                passed = tuple(player for player, slot in left if one.frame[slot] == NOTHING)
                found[depth, one.rule, turns.left] = passed
    return found
