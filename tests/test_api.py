"""The Python API: states as values, keys, choices by their parts, events per seat, results."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from targi_dsl import (
    PLAYERS,
    PUBLIC,
    Asked,
    Choice,
    Listed,
    Problems,
    Seed,
    State,
    Stream,
    actions,
    begin,
    choices,
    encode,
    encoding,
    history,
    load,
    observe,
    play,
    result,
    rollout,
    start,
    step,
    traits,
    uniform,
    why_not,
)
from tests.games import compiled
from tests.texts import game_file

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
    state = start(load("base", options={"own_opposite": "forbidden"}), Seed(1))
    script = READ + "; print(dict(state.game.options)['own_opposite'])"
    told = subprocess.run(
        [sys.executable, "-c", script], input=pickle.dumps(state), capture_output=True, check=True
    )
    assert told.stdout.decode().split()[-1] == "forbidden"


def test_bytes_of_another_game_are_refused() -> None:
    with pytest.raises(ValueError, match="not a position of bazaar"):
        State.from_bytes(load("bazaar"), middle("base").to_bytes())


@pytest.mark.parametrize("number", [1.5, "7", None])
def test_a_seed_that_is_no_whole_number_is_refused(number: Any) -> None:
    with pytest.raises(TypeError, match="a seed is a whole number, not "):
        Seed(number)


def test_a_seed_beyond_64_bits_is_refused() -> None:
    with pytest.raises(ValueError, match="a seed is a number from 0"):
        Seed(2**64)
    with pytest.raises(ValueError, match="not -1"):
        Seed(-1)


# ---- keys ----


def solved(state: State, worth: dict[bytes, int]) -> int:
    """The value of a tic-tac-toe position to the first seat."""
    key = state.key()
    if key not in worth:
        values = [solved(step(state, choice), worth) for choice in choices(state)]
        if not values:
            scores = result(state).scores
            worth[key] = scores[0] - scores[1]
        else:
            worth[key] = max(values) if state.seat == state.game.players[0] else min(values)
    return worth[key]


def test_tic_tac_toe_has_no_more_keys_than_positions() -> None:
    worth: dict[bytes, int] = {}
    assert solved(start(load("tic_tac_toe")), worth) == 0, "nobody wins if both play well"
    assert len(worth) <= 5478


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
    assert choice.id == f"{choice.label} {choice.thing.name}"
    assert choice.thing.id in {place.name for place in state.game.places}
    for one in choices(middle("base")):
        assert json.loads(json.dumps(one.data()))["id"] == one.id
    assert choices(state) == choices(start(load("base"), Seed(7)))
    assert isinstance(pickle.loads(pickle.dumps(choice)), Choice)


def test_choices_are_a_sequence_that_never_changes() -> None:
    state = start(load("base"), Seed(7))
    offered, ids = choices(state), [choice.id for choice in choices(state)]
    assert len(offered) == len(ids) > 3 and [*offered] == [offered[at] for at in range(len(ids))]
    assert [choice.id for choice in offered[1:3]] == ids[1:3] and offered[-1].id == ids[-1]
    assert [choice.id for choice in reversed(offered)] == ids[::-1]
    assert offered[2] in offered and offered.index(offered[2]) == 2
    with pytest.raises(IndexError):
        offered[len(ids)]
    with pytest.raises(TypeError):
        offered[0] = offered[1]  # type: ignore[index]  # that it is refused is what is tested
    again = choices(start(load("base"), Seed(7)))
    assert offered == again and hash(offered) == hash(again) and offered != [*offered]
    assert offered != choices(step(state, offered[0]))
    assert pickle.loads(pickle.dumps(offered)) == offered == copy.deepcopy(offered)
    assert offered == tuple(offered) and hash(offered) == hash(tuple(offered)) and offered != ()
    assert f"<Choices ['{ids[0]}', '{ids[1]}'" in repr(offered)
    over = rollout(state, uniform(Stream(7)))
    assert not choices(over) and choices(over) == choices(over) != offered


def test_what_is_no_choice_is_refused_by_name() -> None:
    state = start(load("base"), Seed(7))
    wrong: Any = 3
    with pytest.raises(TypeError, match="a choice or its id is played, not int"):
        play(state, wrong)
    with pytest.raises(TypeError, match="a choice is named by its id or words, not int"):
        why_not(state, wrong)
    with pytest.raises(Problems, match="cannot be chosen"):
        step(state, "go west")


@pytest.mark.parametrize("wrong", [3, None, Path("base.targi")])
def test_what_is_no_name_of_a_game_is_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match=f"name or path as text, not {type(wrong).__name__}"):
        load(wrong)


# ---- events ----


@pytest.mark.parametrize("name", ["base", "bazaar", "kuhn_poker"])
def test_no_seat_is_told_of_a_card_that_it_does_not_know(name: str) -> None:
    """Neither in events nor in their text stands a card that was hidden before and after."""
    game = compiled(name)
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


def test_who_knows_a_card_where_it_lies_is_told_which_came_or_was_turned() -> None:
    """This includes the card that is dealt face down and turned up at the end of the round."""
    game, turned = load("base"), 0
    stream, state = Stream(3), start(game, Seed(3))
    while found := choices(state):
        state, events = play(state, found[stream.below(len(found))])
        last = {one.card: one for one in events if one.kind in ("move", "turn", "reveal")}
        turned += sum(one.kind == "turn" for one in last.values())
        for seat in (*game.players, PUBLIC):
            unknown = {game.cards[card].id for card in observe(state, seat).unknown}
            known = [one.seen_by(seat) for one in last.values() if one.card not in unknown]
            assert all(one.card for one in known)
    assert turned > 10


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


# ---- what a search needs ----


@pytest.mark.parametrize(
    "name", ["base", "bazaar_short", "dice_race", "mixed_border", "small_estate", "two_traders"]
)
def test_every_choice_has_its_number(name: str) -> None:
    game = compiled(name)
    table, offered = actions(game), set[str]()
    for seed in range(2):
        state, stream = start(game, Asked() if seed else Seed(seed)), Stream(seed)
        while ids := state.option_ids:
            offered.update(ids)
            is_chance = state.seat == "chance"
            assert all((table.number(one) >= table.players) == is_chance for one in ids)
            state = step(state, ids[stream.below(len(ids))])
    assert len(offered) > 5
    assert actions(load(name)).ids == table.ids


def test_a_parameter_of_a_region_is_none_of_the_other_spaces() -> None:
    game = load(game_file("stray"))
    table = actions(game)
    charts = {one for one in table.ids if one[-2:] in ("a1", "b1", "a2", "b2")}
    assert {one.partition(" ")[0] for one in charts} == {"round"}
    assert {"mooring home", "passed away", "called_at home"} <= {*table.ids}
    for spot in "round chart b2", "round port home":
        state = step(start(game, Seed(1)), spot)
        while state.option_ids:  # the spaces of other regions that a rule passes are not offered
            assert all(one in table.numbers for one in state.option_ids)
            state = step(state, state.option_ids[-1])


def test_only_choices_that_can_be_reached_are_actions() -> None:
    kuhn, leduc = actions(load("kuhn_poker")), actions(load("leduc_poker"))
    assert sorted(kuhn.ids[: kuhn.players]) == ["bet", "call", "fold", "pass"]
    assert sorted(leduc.ids[: leduc.players]) == ["call", "fold", "raise"]
    assert actions(load("lamplighters")).players < 120


def test_traits() -> None:
    known = traits(load("tic_tac_toe"))
    assert (known.players, known.chance, known.hidden, known.simultaneous) == (
        2,
        False,
        False,
        False,
    )
    assert (known.most_choices, traits(load("kuhn_poker")).hidden) == (9, True)
    assert traits(load("kuhn_poker")).most_choices == 3
    assert traits(load("lamplighters")).cooperative and not traits(load("base")).cooperative
    assert traits(load("dice_race")).chance


def test_an_observation_has_always_as_many_numbers() -> None:
    state, lengths = start(load("base"), Seed(3)), set[int]()
    for _ in range(40):
        lengths |= {len(encode(observe(state, seat))) for seat in (*state.game.players, PUBLIC)}
        state = step(state, choices(state)[-1])
    fields = encoding(observe(state, PUBLIC))
    assert lengths == {fields[-1].start + fields[-1].count}
    blue, other = observe(state, "blue"), observe(state, "white")
    assert encode(blue)[0] == 0
    assert encode(other)[0] == 1
    resources = next(field for field in fields if field.name == "amounts")
    assert encode(blue)[resources.start] == state.amount("blue", state.game.resources[0])


def test_a_history_keeps_what_was_seen_and_tells_nothing_else() -> None:
    """Two deals that one player cannot tell apart give it one history, and the other two."""
    histories: dict[str, set[str]] = {"first": set(), "second": set()}
    game = load("kuhn_poker")
    for other in ("queen", "king"):
        chance = Listed(["shuffle jack", f"shuffle {other}"])
        state, events = begin(game, chance)
        seen = [history(state, seat, events) for seat in game.players]
        _, events = play(state, choices(state)[0])
        first, second = (one.after(state, events) for one in seen)
        histories["first"].add(first.text())
        histories["second"].add(second.text())
        assert first.public == second.public
        assert first.private != second.private
    assert len(histories["first"]) == 1
    assert len(histories["second"]) == 2


def test_seats_that_do_not_exist_are_refused() -> None:
    state = start(load("kuhn_poker"))
    for wanted in (history, observe):
        with pytest.raises(ValueError, match="no player `zz` in kuhn_poker"):
            wanted(state, "zz")
    seen = observe(state, state.seat or "")
    for kind in PLAYERS:
        with pytest.raises(ValueError, match="plays for zz, and is shown what ann knows"):
            PLAYERS[kind](1, "zz").choose(seen, choices(state))


def test_a_rollout_ends_where_it_is_told_to() -> None:
    state = start(load("base"), Seed(7))
    assert rollout(state, uniform(Stream(1)), limit=0) is state
    assert rollout(state, uniform(Stream(1))).seat is None
    later = rollout(state, uniform(Stream(1)), rounds=1)
    assert later.value("round_number") == state.value("round_number") + 1


def test_what_nobody_does_has_no_seat() -> None:
    """A die that the round throws, a piece that the round moves, cards that the setup deals."""
    state, events = begin(load("bazaar"), Seed(1))
    assert {event.seat for event in events if event.kind in ("roll", "piece", "move")} == {""}
    stream, moved = Stream(1), set[tuple[str, bool]]()
    state = start(load("base"), Seed(1))
    for _ in range(40):
        found = choices(state)
        state, events = play(state, found[stream.below(len(found))])
        moved |= {(event.rule, bool(event.seat)) for event in events if event.kind == "piece"}
    assert ("place_targi", True) in moved
    assert {seat for rule, seat in moved if rule == "robber_moves"} == {False}
