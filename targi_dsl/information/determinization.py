"""Determinizations: positions that are consistent with what a seat knows."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from targi_dsl.api.renumbering import renumber
from targi_dsl.api.state import State, number_ids
from targi_dsl.codegen import engine_of
from targi_dsl.engine import Engine
from targi_dsl.engine.chance import Chance, Listed, Seed, Stream
from targi_dsl.engine.faults import Fault
from targi_dsl.information.deals import TRIES, Deals, deal
from targi_dsl.information.observation import Observation
from targi_dsl.information.secrets import filled, impossible
from targi_dsl.text.diagnostics import Problems

if TYPE_CHECKING:
    from targi_dsl.codegen.c.rows import Rows

_HALF = 1 << 32  # the number of values of a draw
_TRIES = 2  # index in `draws` of the number of deals to try


def sample(observation: Observation, rng: Stream, chance: Chance | None = None) -> State:
    """A position that is consistent with what the seat knows: the rest is random, with the given
    chance or else with a new seed.

    Unknown cards of one back are dealt anew, every way being equally likely; a box that cards were
    drawn from gets only cards of that box. A secret value is one that its owner could choose in
    that deal. A game stops only where there is something to choose. A deal is therefore kept if the
    open question has at least two answers in it and, when the seat itself is asked, exactly the
    answers that it sees; then `observe` gives the same observation again. Every consistent position
    is equally likely; what players prefer is not taken into account. After TRIES deals that are not
    consistent, all deals are searched, beginning near the last one; the result is consistent as
    well, but one may be likelier than another, and the search can take long where hardly any is
    consistent. Raises ValueError if there is none, as for an observation of no real position.
    """
    game, turn, unknown = observation.game, observation.turn, observation.unknown
    own = Seed(rng.below(_HALF) * _HALF + rng.below(_HALF)) if chance is None else chance
    engine = engine_of(game)
    found = None if engine.compiled is None else _drawn_by_c(engine.compiled, observation, own, rng)
    if isinstance(found, State):
        return found
    seen, numbers = list(observation.vector), found or {}

    def fits(v: list[int]) -> bool:
        return _fits(engine, v, observation)

    for _ in range(TRIES if found is None else 0):
        numbers = deal(engine, seen, unknown, rng)
        v = filled(engine, renumber(engine, seen, numbers), observation.hidden, rng)
        if fits(v):
            return State(game, v, own, turn)
    dealt = Deals(engine, seen, unknown).search(numbers, fits, rng)
    if dealt is None:
        raise ValueError(f"no position of {game.name} is as {observation.seat} sees it")
    return State(game, filled(engine, dealt, observation.hidden, rng), own, turn)


def _drawn_by_c(
    rows: Rows, observation: Observation, own: Chance, rng: Stream
) -> State | dict[int, int] | None:
    """The result of C: a consistent position, the numbers of the last deal if none fits, or None if
    C gives up.
    """
    game, unknown, choices = observation.game, observation.unknown, observation.choices
    draws = array("Q", (rng.number, own.number if isinstance(own, Seed) else 0, TRIES))
    if not (seen := observation.packed):
        return None
    while draws[_TRIES]:
        found = rows.sample(seen, len(choices), not isinstance(own, Seed), draws)
        if isinstance(found, int):
            return None
        if isinstance(found, list):
            rng.number = draws[0]
            return {card: found[card] for card in unknown}
        state = State.from_row(game, found, own)
        if not observation.asked or state.option_ids == choices:
            rng.number = draws[0]
            if isinstance(own, Listed):
                return State(game, state.vector, own, state.seat, state.options)
            return state
    return None


def _fits(engine: Engine, v: list[int], observation: Observation) -> bool:
    """Whether a position is possible, and can ask the open question with the answers that the seat
    sees.
    """
    try:
        if impossible(engine, v) is not None:
            return False
        if observation.turn is None:
            return True
        options = engine.options(v)
        asked = engine.open_question(v)
        least = 1 if asked is not None and asked.in_any_case else 2
        return len(options) >= least and (
            not observation.asked or number_ids(engine.names(v, options)) == observation.choices
        )
    except (Fault, Problems):  # play would not have got here
        return False
