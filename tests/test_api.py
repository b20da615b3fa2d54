"""The Python face: states as values, keys, choices by their parts, events per seat, results."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
import time
from functools import cache
from typing import Any

import pytest

from targi_dsl import (
    PUBLIC,
    Choice,
    Problems,
    Seed,
    State,
    Stream,
    begin,
    choices,
    load,
    observe,
    play,
    result,
    rollout,
    start,
    step,
    uniform,
)

READ = (
    "import pickle, sys; state = pickle.load(sys.stdin.buffer); print(hash(state), state.game.name)"
)


@cache
def middle(name: str, decisions: int = 60) -> State:
    """A position somewhere in a game."""
    return rollout(start(load(name), Seed(7)), uniform(Stream(7)), decisions)


# ---- values ----


@pytest.mark.parametrize("name", ["seat", "vector", "chance", "game", "anything"])
def test_a_state_refuses_assignment(name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(middle("base"), name, None)


def test_the_vector_of_a_state_cannot_be_changed() -> None:
    vector: Any = middle("base").vector
    with pytest.raises(TypeError):
        vector[5] = 99


def test_states_are_small_and_equal_across_loads_and_processes() -> None:
    state = middle("base")
    assert len(state.to_bytes()) <= 1200 and len(pickle.dumps(state)) <= 2000
    assert copy.deepcopy(state) is state and pickle.loads(pickle.dumps(state)) == state
    again = rollout(start(load("base"), Seed(7)), uniform(Stream(7)), 60)
    assert again == state and hash(again) == hash(state)
    assert state.game is not again.game and len({state, again}) == 1
    told = subprocess.run(
        [sys.executable, "-c", READ], input=pickle.dumps(state), capture_output=True, check=True
    )
    assert told.stdout.decode().split() == [str(hash(state)), "base"]


def test_a_pickle_names_the_options_of_its_game() -> None:
    state = start(load("base", options={"facing": "any"}), Seed(1))
    script = READ + "; print(dict(state.game.options)['facing'])"
    told = subprocess.run(
        [sys.executable, "-c", script], input=pickle.dumps(state), capture_output=True, check=True
    )
    assert told.stdout.decode().split()[-1] == "any"


def test_bytes_of_another_game_are_refused() -> None:
    with pytest.raises(ValueError, match="not a position of bazaar"):
        State.from_bytes(load("bazaar"), middle("base").to_bytes())


def test_a_seed_beyond_64_bits_is_refused() -> None:
    with pytest.raises(ValueError, match="a seed is a number from 0"):
        Seed(2**64)
    with pytest.raises(ValueError, match="not -1"):
        Seed(-1)


# ---- keys ----


def test_tic_tac_toe_has_no_more_keys_than_positions() -> None:
    began = time.process_time()
    worth: dict[bytes, int] = {}

    def solved(state: State) -> int:
        key = state.key()
        if key not in worth:
            own = state.game.players.index(state.seat) if state.seat else 0
            values = [solved(step(state, choice)) for choice in choices(state)]
            if state.seat is None:
                scores = result(state).scores
                worth[key] = scores[0] - scores[1]
            else:
                worth[key] = min(values) if own else max(values)
        return worth[key]

    assert solved(start(load("tic_tac_toe"))) == 0, "nobody wins if both play well"
    assert len(worth) <= 5478
    assert time.process_time() - began < 2


def test_equal_pieces_and_copies_of_a_card_have_one_key() -> None:
    state = start(load("tic_tac_toe"))
    first, second, third = [choice.id for choice in choices(state)][:3]
    one = step(step(step(state, first), second), third)
    other = step(step(step(state, third), second), first)
    assert one != other and one.key() == other.key()
    assert one.key() != step(step(state, first), second).key()
    game = load("bazaar")
    state = start(game, Seed(1))
    cards, vector = {card.id: number for number, card in enumerate(game.cards)}, state.vector
    names = {cards["windfall"]: cards["windfall.2"], cards["windfall.2"]: cards["windfall"]}
    slots, swapped = game.slots, list(vector)
    for base in (slots.card_place, slots.card_next, slots.card_known):
        for card, other_card in names.items():
            swapped[base + card] = vector[base + other_card]
    for slot in (*range(slots.card_next, slots.card_known), *range(slots.place_top, slots.windows)):
        swapped[slot] = names.get(swapped[slot], swapped[slot])
    copy_ = State(game, swapped, state.chance, state.seat)
    assert copy_ != state and copy_.key() == state.key()


# ---- choices ----


def test_a_choice_has_its_parts_and_is_plain_data() -> None:
    state = start(load("base"), Seed(7))
    choice = choices(state)[0]
    assert choice.thing is not None
    assert (choice.label, choice.thing.kind) == ("place_targi", "place")
    assert choice.id == f"{choice.label} {choice.thing.id}"
    for one in choices(middle("base")):
        assert json.loads(json.dumps(one.data()))["id"] == one.id
    assert choices(state) == choices(start(load("base"), Seed(7)))
    assert isinstance(pickle.loads(pickle.dumps(choice)), Choice)


def test_what_is_no_choice_is_refused_by_name() -> None:
    state = start(load("base"), Seed(7))
    wrong: Any = 3
    with pytest.raises(TypeError, match="a choice or its id is played, not int"):
        play(state, wrong)
    with pytest.raises(Problems, match="cannot be chosen"):
        step(state, "go west")


# ---- events ----


@pytest.mark.parametrize("name", ["base", "bazaar", "kuhn_poker"])
def test_no_seat_is_told_of_a_card_that_it_does_not_know(name: str) -> None:
    """Neither in events nor in their text stands a card that was hidden before and after."""
    game = load(name)
    kept = hidden = 0
    for seed in range(2 if name != "kuhn_poker" else 20):
        stream, state = Stream(seed), start(game, Seed(seed))
        while found := choices(state):
            after, events = play(state, found[stream.below(len(found))])
            for seat in (*game.players, PUBLIC):
                unknown = set(observe(state, seat).unknown) & set(observe(after, seat).unknown)
                names = {game.cards[card].id for card in unknown}
                words = {game.cards[card].names.get("en", game.cards[card].id) for card in unknown}
                open_ = {
                    card.names.get("en", card.id)
                    for number, card in enumerate(game.cards)
                    if number not in unknown
                }
                for event in events:
                    seen = event.seen_by(seat)
                    hidden += seen != event
                    kept += seen == event
                    assert seen.card not in names
                    assert not {seen.what, seen.source, seen.to} & (names | words - open_)
                    json.dumps(seen.data())
            state = after
    assert kept and (hidden or name == "kuhn_poker")


def test_the_setup_has_events_too() -> None:
    state, events = begin(load("base"), Seed(7))
    assert state == start(load("base"), Seed(7))
    assert {"shuffle", "move"} <= {event.kind for event in events}
    assert not [event for event in events if event.kind in ("round", "shuffle") and event.seat]


# ---- results ----


def test_a_result_ranks_all_seats_and_tells_whether_the_game_is_over() -> None:
    state = middle("bazaar", 5)
    assert not result(state).over and result(state).winners == ()
    end = result(rollout(state, uniform(Stream(1))))
    assert end.over and sorted(end.ranks)[0] == 1
    assert [end.scores[seat] for seat in range(3) if end.ranks[seat] == 1] == [max(end.scores)]
    assert end.winners == tuple(
        seat for seat, rank in zip(load("bazaar").players, end.ranks, strict=True) if rank == 1
    )
    json.dumps(end.data())
