"""Samples are possible and uniform, including where a deck was drawn from boxes."""

from __future__ import annotations

from collections import Counter

import pytest

from bench.samples import impossible, left_in_boxes, spread
from targi_dsl import Asked, Seed, Stream, choices, load, observe, play, sample, start, step
from targi_dsl.api.state import State
from targi_dsl.text.diagnostics import Problems
from targi_dsl.tools.invariants import hold
from tests.games import compiled
from tests.texts import game_file


@pytest.mark.parametrize("name", ["mixed", "mixed_border_drawn", "bazaar_short"])
def test_what_lies_in_a_box_comes_from_it(name: str) -> None:
    """The drawn number of each symbol: cards of one box never replace those of another."""
    state = start(compiled(name))
    seen, rng = observe(state, state.game.players[0]), Stream(1)
    assert [impossible(sample(seen, rng)) for _ in range(40)] == [False] * 40


def test_every_card_of_a_box_is_as_likely_left_in_it() -> None:
    state = start(compiled("bazaar_short"))
    seen, rng = observe(state, state.game.players[0]), Stream(2)
    counts, number = Counter[int](), 400
    for _ in range(number):
        counts.update(left_in_boxes(sample(seen, rng)))
    found, degrees = spread(state.game, counts, number)
    assert degrees > 5
    assert found < degrees + 5 * (2 * degrees) ** 0.5


def test_a_sample_goes_on_to_the_next_question_to_chance() -> None:
    state = start(compiled("kuhn_poker"), Asked())
    state = step(state, choices(state)[0])
    seen = observe(state, state.game.players[0])
    assert seen.turn == "chance"
    met = set()
    for number in range(40):
        possible = sample(seen, Stream(number), Asked())
        assert possible.seat == "chance"
        ids = {choice.id for choice in choices(possible)}
        assert len(ids) == 2
        met |= ids
        assert step(possible, choices(possible)[0]).chance == Asked()
    assert len(met) == 3, "the card that has been dealt is not known"


def doubled(state: State) -> bool:
    """Whether a square of phantom tic-tac-toe has two marks."""
    cards = [card for seat in state.game.players for card in state.cards(f"marked of {seat}")]
    return len({card.rpartition("_")[2] for card in cards}) < len(cards)


def test_nothing_is_drawn_that_is_never_so() -> None:
    for number in range(12):
        state, rng = start(compiled("phantom_tic_tac_toe"), Seed(number)), Stream(number)
        while state.seat is not None:
            for seat in state.game.players:
                seen = observe(state, seat)
                possible = sample(seen, rng)
                assert observe(possible, seat) == seen
                assert not doubled(possible)
            offered = choices(state)
            state = step(state, offered[rng.below(len(offered))])
        assert not doubled(state)


def test_what_is_so_although_it_is_never_so_is_told_when_asked() -> None:
    state = start(load(game_file("climb")), Seed(1))
    for number in (1, 2):
        after, events = play(state, "climb")
        if number == 1:
            hold(state, events, after)
        state, before = after, state
    with pytest.raises(Problems, match="too_high"):
        hold(before, events, after)
