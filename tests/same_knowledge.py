"""Whether what is known of positions is the same by the interpreter and by C."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl import (
    PUBLIC,
    Asked,
    Seed,
    State,
    Stream,
    choices,
    load,
    observe,
    result,
    sample,
    start,
    step,
)
from targi_dsl.codegen.tiered import INTERPRETER, TieredEngine, engine_of, use_c
from targi_dsl.compiler.load import Find
from targi_dsl.engine.chance import Chance, Listed
from targi_dsl.engine.machine import ENGINE
from targi_dsl.ir.game import Game


def both(name: str, find: Find | None = None) -> tuple[Game, Game]:
    """A game that the interpreter plays, and the same one played by C."""
    one, other = load(name, find), load(name, find)
    for game in (one, other):
        game.program.engines.clear()
        game.program.engines[ENGINE] = TieredEngine(game, INTERPRETER)
    use_c(other, level=0)
    return one, other


def positions(game: Game, chance: Chance, every: int, most: int = 60) -> Iterator[State]:
    state, below = start(game, chance), Stream(len(game.name)).below
    for _ in range(most):
        if below(every) == 0 or not choices(state):
            yield state
        if not (offered := choices(state)):
            return
        state = step(state, offered[below(len(offered))])


def told(state: State, seat: str, chance: Chance | None, seed: int) -> object:
    """All that the verbs say of a position; of a sample also whether it is seen as it should be."""
    seen, rng = observe(state, seat), Stream(seed)
    possible = sample(seen, rng, chance)
    found = possible.vector, possible.chance, possible.seat, possible.option_ids, rng.number
    return (
        state.key(),
        result(state),
        seen,
        repr(seen),
        hash(seen),
        found,
        observe(possible, seat) == seen,
    )


def check(name: str, chance: Chance, every: int, find: Find | None = None) -> None:
    one, other = both(name, find)
    for number, state in enumerate(positions(other, chance, every)):
        for seed, seat in enumerate((*one.players, PUBLIC)):
            mine = state if number % 2 else state.with_chance(Seed(7))
            theirs = State(one, mine.vector, mine.chance, mine.seat)
            new = (None, Asked(), Seed(5), Listed(()))[number % 4]
            assert told(mine, seat, new, seed) == told(theirs, seat, new, seed), (number, seat)
    assert engine_of(one).compiled is None and engine_of(other).compiled is not None
