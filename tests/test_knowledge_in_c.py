"""Keys, observations and samples are those of the interpreter when C computes them.

tests/slow has the same for every shipped game.
"""

from __future__ import annotations

from array import array

import pytest
from msgspec.structs import replace

from targi_dsl import Seed, Stream, choices, observe, sample, start, step
from targi_dsl.api.events import PUBLIC
from targi_dsl.codegen.row import packed
from targi_dsl.codegen.tiered import engine_of
from tests.same_knowledge import both, check, positions

VARIED = ("base", "bazaar_short", "connect_four", "kuhn_poker", "lamplighters", "liars_dice")


@pytest.mark.parametrize("name", VARIED)
def test_what_is_known_is_the_same_in_c(name: str) -> None:
    check(name, Seed(3), every=6)


def test_an_observation_that_no_deal_fits_is_refused_in_c_as_well() -> None:
    """The deals that C tried are not tried again: the search begins at the last of them."""
    states = [next(positions(game, Seed(2), every=1)) for game in both("liars_dice")]
    for state in states:
        assert state.seat is not None
        seen, rng = observe(state, state.seat), Stream(1)
        wrong = replace(seen, choices=(*seen.choices[1:], "no such answer"))
        with pytest.raises(ValueError, match="no position of"):
            sample(wrong, rng)


@pytest.mark.parametrize("change", [-1, 10_000, 2**40], ids=str)
def test_what_is_no_observation_is_not_read_by_c(change: int) -> None:
    """It is given to the interpreter, whatever that makes of it."""
    game = both("bazaar_short")[1]
    seen = observe(start(game, Seed(2)), game.players[0])
    rows = engine_of(game).compiled
    assert rows is not None
    for wrong in (
        ((*seen.vector[:3], change, *seen.vector[4:]), seen.unknown, ()),
        (seen.vector, (*seen.unknown, change), ()),
        (seen.vector, seen.unknown, (change,)),
        (seen.vector[:-1], seen.unknown, ()),
    ):
        given = packed(wrong)  # nothing, for a number that has more than 32 bits
        assert not given or isinstance(rows.sample(given, 0, False, array("Q", (1, 1, 10))), int)
    assert isinstance(rows.sample(seen.packed, 0, False, array("Q", (1, 1, 10))), bytes)


def test_a_changed_observation_is_sampled_as_it_is_now() -> None:
    """What is packed for C belongs to one observation, and is not kept when another is made of it."""
    game = both("bazaar_short")[1]
    state = start(game, Seed(2))
    first, second = (observe(after, PUBLIC) for after in (state, step(state, choices(state)[0])))
    assert sample(first, Stream(1)) != sample(second, Stream(1))
    changed = replace(first, vector=second.vector, unknown=second.unknown, turn=second.turn)
    assert sample(changed, Stream(1)) == sample(second, Stream(1))
