"""A seat learns what it may know and nothing else, and can sample what it does not know."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations

import pytest
from msgspec.structs import replace

import targi_dsl
from targi_dsl.api import choices, play, start
from targi_dsl.api.state import State
from targi_dsl.compiler.load import load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine import engine_of
from targi_dsl.engine.chance import Asked, Listed, Seed, Stream
from targi_dsl.information.determinization import sample
from targi_dsl.information.information_sets import canonical
from targi_dsl.information.observation import observe
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from tests.games import QUICK, VARIED, compiled
from tests.texts import game_text

RULES = game_text("secrets.targi")

CARDS = game_text("letters.yaml")

SHEET = 'language 2\ngame secrets "Secrets"\n  rules secrets\n  deck pile: letters\n'


@pytest.fixture(scope="module")
def secrets() -> Game:
    return load(
        "secrets",
        of_texts({"secrets/secrets.targi": RULES, "letters.yaml": CARDS, "secrets.targi": SHEET}),
    )


def dealt(game: Game, *cards: str) -> State:
    """The game with its pile in this order, top to bottom."""
    return start(game, Listed(tuple(f"shuffle {card}" for card in cards[:-1])))


def played(state: State, *ids: str) -> State:
    for one in ids:
        state, _ = play(state, one)
    return state


def chosen(state: State, card: str) -> State:
    """The position after the answer that ends in this card."""
    return played(state, next(one.id for one in choices(state) if one.id.endswith(f" {card}")))


def positions(name: str, seeds: int = 3, every: int = 10) -> Iterator[State]:
    """Some positions of random games, and every last one."""
    game, below = compiled(name), Stream(len(name)).below
    for seed in range(seeds):
        state = start(game, Seed(seed))
        while state.seat is not None:
            if below(every) == 0:
                yield state
            offered = choices(state)
            state, _ = play(state, offered[below(len(offered))])
        yield state


def swapped(state: State, one: int, other: int) -> State:
    """The position with two cards in each other's places: all that lies, and all that holds them."""
    game, slots, v = state.game, state.game.slots, list(state.vector)
    names = {one: other, other: one}
    w = v[:]
    for base in (slots.card_place, slots.card_next, slots.card_known):
        w[base + one], w[base + other] = v[base + other], v[base + one]
    holding = [*range(slots.card_next, slots.card_next + len(game.cards))]
    holding += range(slots.place_top, slots.place_top + len(game.places))
    holding += [one.base for one in game.variables if isinstance(one.type, t.Card)]
    for variable in game.variables:
        if isinstance(variable.each, t.Card):
            cards = [
                n
                for n, card in enumerate(game.cards)
                if variable.each.kind in ("", game.kinds[card.kind])
            ]
            if one in cards:
                i, j = variable.base + cards.index(one), variable.base + cards.index(other)
                w[i], w[j] = v[j], v[i]
    engine = engine_of(game)
    for first, rule, point in engine.code.frames(v):
        types, kept = engine.program.procedures[rule].slots, engine.program.points[point].kept
        holding += [first + slot for slot in kept if isinstance(types[slot], t.Card)]
    for slot in holding:
        w[slot] = names.get(w[slot], w[slot])
    return State(game, w, state.chance, state.seat)


# ---- facts ----


def test_a_player_sees_the_own_hand_and_the_backs_of_the_other() -> None:
    game = compiled("kuhn_poker")
    state = dealt(game, "jack", "queen", "king")
    ann = observe(state, "ann")
    assert ann.cards("hand of ann") == ("jack",)
    assert ann.cards("hand of ben") == ("?playing_card",) == ann.cards("pack")
    assert [game.cards[card].id for card in ann.unknown] == ["queen", "king"]


def test_what_is_hidden_makes_no_difference_to_an_observation() -> None:
    game = compiled("kuhn_poker")
    queen, king = dealt(game, "jack", "queen", "king"), dealt(game, "jack", "king", "queen")
    assert queen != king
    assert observe(queen, "ann") == observe(king, "ann")
    assert hash(observe(queen, "ann")) == hash(observe(king, "ann"))
    assert observe(queen, "ben") != observe(king, "ben")


def test_what_is_revealed_is_known_to_all() -> None:
    state = played(dealt(compiled("kuhn_poker"), "jack", "queen", "king"), "pass", "pass")
    assert state.seat is None
    assert observe(state, "ann").cards("hand of ben") == ("queen",)
    assert observe(state, "ann").describe()["ended_by"] == "round"


def test_only_who_is_asked_has_choices() -> None:
    state = dealt(compiled("kuhn_poker"), "jack", "queen", "king")
    ann, ben = observe(state, "ann"), observe(state, "ben")
    assert (ann.asked, ann.turn, ann.question, ann.choices) == (
        True,
        "ann",
        "round",
        ("pass", "bet"),
    )
    assert (ben.asked, ben.turn, ben.question, ben.choices) == (False, "ann", "round", ())


def test_nobody_of_that_name_sees_anything() -> None:
    with pytest.raises(ValueError, match="no player `zoe` in kuhn_poker"):
        observe(start(compiled("kuhn_poker")), "zoe")


def test_the_future_of_chance_is_no_part_of_an_observation() -> None:
    state = start(compiled("bazaar"), Seed(1))
    other = State(state.game, state.vector, Seed(99), state.seat)
    assert observe(state, "crimson") == observe(other, "crimson")


def test_a_slot_not_yet_written_tells_nothing_of_the_first_card(secrets: Game) -> None:
    # A frame begins with zeros, and 0 is a card: where that card lies must not show.
    first = dealt(secrets, "delta", "epsilon", "alpha", "beta", "gamma")
    other = dealt(secrets, "delta", "epsilon", "gamma", "beta", "alpha")
    assert observe(first, "ann") == observe(other, "ann")


def test_a_card_chosen_in_secret_is_held_by_its_place_alone(secrets: Game) -> None:
    ways = [
        dealt(secrets, "delta", "epsilon", *rest)
        for rest in (
            ("alpha", "beta", "gamma"),
            ("beta", "gamma", "alpha"),
            ("gamma", "alpha", "beta"),
        )
    ]
    seen = set()
    for state, kept in zip(ways, ("alpha", "beta", "gamma"), strict=True):
        after = chosen(played(chosen(state, "delta"), "rest"), kept)
        ann = observe(after, "ann")
        assert ann.describe()["variables"]["marked"] == "?letter"
        seen.add(ann)
    assert len(seen) == 1


def test_the_window_of_a_hidden_card_does_not_tell_the_card(secrets: Game) -> None:
    def pledged(first: str, second: str) -> State:
        state = dealt(secrets, "delta", "epsilon", first, second, "beta")
        return played(
            chosen(played(chosen(state, "delta"), "rest"), first), first
        )  # the ability is used, and the card stays face down

    one, other = pledged("alpha", "gamma"), pledged("gamma", "alpha")
    assert observe(one, "ben").describe()["used"] == {"alpha": 1}
    assert observe(one, "ann").describe()["used"] == {}
    coins, vector = secrets.slots.amounts + 1, list(other.vector)
    vector[coins] = one.vector[coins]  # the coins do tell; without them there is no difference
    other = State(secrets, vector, other.chance, other.seat)
    assert (
        observe(one, "ann").vector[secrets.slots.card_place :]
        == observe(other, "ann").vector[secrets.slots.card_place :]
    )


def test_a_value_of_each_card_goes_with_its_place_while_somebody_knows_the_card(
    secrets: Game,
) -> None:
    state = dealt(secrets, "delta", "epsilon", "alpha", "beta", "gamma")
    state = played(chosen(state, "delta"), "rest")
    ages = observe(state, "ben").vector[secrets.variables[0].base :][:5]
    den = next(n for n, place in enumerate(secrets.places) if place.name == "den of ann")
    ben = observe(state, "ben")
    kept = ben.vector[secrets.slots.place_top + den]
    assert kept in ben.unknown and ages[kept] == 3 and sum(ages) == 3
    assert ben.describe()["variables"]["age"] == {"alpha": 0, "beta": 0}
    assert observe(state, "ann").describe()["variables"]["age"] == {"delta": 3, "epsilon": 0}


def test_what_is_offered_is_seen() -> None:
    texts = {
        "secrets/secrets.targi": RULES.replace(
            "choose kept in your hand", "choose kept in hand of opponent"
        ),
        "letters.yaml": CARDS,
        "secrets.targi": SHEET,
    }
    state = dealt(load("secrets", of_texts(texts)), "delta", "epsilon", "alpha", "beta", "gamma")
    assert observe(state, "ann").cards("hand of ben") == ("beta", "alpha")
    assert observe(state, "ben").cards("hand of ann") == ("?letter", "?letter")


def test_a_shuffle_that_is_asked_for_is_hidden_from_players() -> None:
    state = played(start(compiled("kuhn_poker"), Asked()), "shuffle king")
    assert state.seat in ("chance", "ann")
    ann = observe(state, "ann")
    assert len(ann.unknown) >= 2 and ann.turn == state.seat
    assert observe(sample(ann, Stream(1)), "ann") == ann


# ---- the readable view ----

MUST_BE_IN = {
    "tic_tac_toe": ('"question": "round"', '"cross"', '"mark'),
    "kuhn_poker": (
        '"?playing_card"',
        '"chips"',
        '"chips of pot": 2',
        '"bettor": null',
        '"turn": "ann"',
    ),
    "dice_race": ('"sparks"', '"pips"', '"stuck": {', '"track'),
    "bazaar": (
        '"?stall"',
        '"?favour"',
        '"coins"',
        '"leader": null',
        '"fair_today": false',
        '"visits": {"square 1": 0',
    ),
    "base": (
        '"?tribe_card"',
        '"?goods_card"',
        '"starter": "blue"',
        '"round_number": 1',
        '"robber": "border',
        '"gold"',
    ),
}


@pytest.mark.parametrize("name", MUST_BE_IN)
def test_the_view_of_a_game_has_in_it(name: str) -> None:
    state = start(compiled(name), Seed(2))
    text = json.dumps(observe(state, state.game.players[0]).describe(), sort_keys=True)
    assert not [part for part in MUST_BE_IN[name] if part not in text], text


@pytest.mark.parametrize("name", QUICK)
def test_the_view_is_json_and_names_no_hidden_card(name: str) -> None:
    for state in positions(name, seeds=2, every=20):
        for seat in state.game.players:
            seen = observe(state, seat)
            view = seen.describe()
            assert json.loads(json.dumps(view)) == view
            words = json.dumps(
                {**view, "choices": [], "question": None}
            )  # the rule under way may be a card's
            assert not [one for one in seen.unknown if f'"{state.game.cards[one].id}"' in words]


# ---- what always holds ----


@pytest.mark.parametrize("name", VARIED)
def test_an_observation_is_the_same_for_every_permutation_of_what_is_hidden(name: str) -> None:
    below = Stream(3).below
    for state in positions(name):
        for seat in state.game.players:
            seen = observe(state, seat)
            pairs = [
                (one, other)
                for one, other in combinations(seen.unknown, 2)
                if state.game.cards[one].kind == state.game.cards[other].kind
            ]
            other = state
            for _ in range(min(6, len(pairs))):
                other = swapped(other, *pairs[below(len(pairs))])
            if not seen.asked or tuple(choice.id for choice in choices(other)) == seen.choices:
                assert observe(other, seat) == seen


@pytest.mark.parametrize("name", VARIED)
def test_a_sample_looks_the_same_to_its_seat_and_can_be_played_on(name: str) -> None:
    rng = Stream(11)
    for state in positions(name):
        before = state.vector[:]
        for seat in state.game.players:
            seen = observe(state, seat)
            found = sample(seen, rng)
            assert observe(found, seat) == seen
            assert found.seat == state.seat and isinstance(found.chance, Seed)
            for _ in range(4):
                offered = choices(found)
                if found.seat is None:
                    break
                assert offered
                found, _ = play(found, offered[rng.below(len(offered))])
        assert state.vector == before


def test_samples_differ_and_come_from_their_generator_alone() -> None:
    seen = observe(start(compiled("bazaar"), Seed(4)), "emerald")
    assert sample(seen, Stream(1)) == sample(seen, Stream(1))
    assert len({sample(seen, Stream(seed)) for seed in range(8)}) == 8


def test_every_hidden_deal_is_sampled_as_often_as_any_other() -> None:
    seen = observe(dealt(compiled("kuhn_poker"), "jack", "queen", "king"), "ann")
    rng = Stream(5)
    queens = sum(sample(seen, rng).cards("hand of ben") == ("queen",) for _ in range(400))
    assert 150 < queens < 250


def test_a_sample_keeps_the_answers_of_the_question_that_waits(secrets: Game) -> None:
    # Ann may use her own card: a position in which her card had no ability would ask her something
    # else.
    state = dealt(secrets, "alpha", "beta", "gamma", "delta", "epsilon")
    state = chosen(state, "alpha")
    assert "alpha" in [one.id for one in choices(state)]
    for seed in range(20):
        found = sample(observe(state, "ann"), Stream(seed))
        assert choices(found) == choices(state)


CHESTS = game_text("chests.targi")
TWELVE = ("gold_0", "gold_1", "gold_2", *(f"lead_{n}" for n in range(3, 12)))


def chests(turn: str, *ids: str) -> Game:
    """A game of letters, gold ones worth 9, in which players are asked something when much has come
    together.
    """
    stores = '["once: store 3 coins on this", "always: stored coins pays for buy"]'
    cards = "".join(
        f"  - id: {one}\n    name: {{en: Letter}}\n    worth:"
        f" {9 if one.startswith('gold') else 1}\n"
        + (f"    ability: {stores}\n" if one == "gold_0" else "")
        for one in ids
    )
    texts = {
        "chests/chests.targi": CHESTS + turn,
        "chest_letters.yaml": "language: 2\nset: chest_letters\nkind: letter\ncards:\n" + cards,
        "chests.targi": (
            'language 2\ngame chests "Chests"\n  rules chests\n  deck pile: chest_letters\n'
        ),
    }
    return load("chests", of_texts(texts))


def test_a_sample_fits_where_hardly_any_deal_does() -> None:
    ids = (*TWELVE, *(f"lead_{n}" for n in range(12, 30)))
    game = chests(
        "  if count of (x in your hand where worth of x is 9) is 3\n    choose sent in your hand\n",
        *ids,
    )
    state = dealt(game, "lead_3", "lead_4", "lead_5", "gold_2", "gold_0", "gold_1", *ids[6:])
    assert state.seat == "ben"
    seen = observe(state, "ann")  # one of 2,925 hands that ben could have
    met = set()
    for seed in range(3):
        found = sample(seen, Stream(seed))
        assert len(choices(found)) == 3
        assert observe(found, "ann") == seen
        met.add(found.cards("pile"))
    assert len(met) == 3


def test_a_sample_fits_where_a_value_of_a_card_that_nobody_knows_counts() -> None:
    turn = (
        "  set age of top of pile to 3\n  if age of top of pile is 3 and you is ben\n"
        "    choose sent in your hand\n"
    )
    game = chests(turn, *TWELVE)
    state = dealt(game, *TWELVE)
    assert state.seat == "ben"
    for seed in range(3):
        found = sample(observe(state, "ann"), Stream(seed))
        assert len(choices(found)) == 3
        assert observe(found, "ann") == observe(state, "ann")


def test_a_sample_fits_where_what_is_stored_on_a_hidden_card_counts() -> None:
    turn = (
        "  if you is ben\n    put first your hand on your den, face down\n    may\n      do buy\n"
    )
    game = chests(turn, *TWELVE)
    state = dealt(game, "lead_3", "lead_4", "lead_5", "gold_0", *TWELVE[1:3], *TWELVE[6:])
    assert state.seat == "ben" and state.amount("ben", "coins") == 0
    for seed in range(3):
        found = sample(observe(state, "ann"), Stream(seed))
        assert found.cards("den of ben") == ("gold_0",)
        assert [one.id for one in choices(found)] == ["buy", "decline"]


def test_a_seat_that_sees_what_cannot_be_is_told() -> None:
    nine = TWELVE[:9]  # all deals are gone through
    seen = observe(dealt(chests("  choose sent in your hand\n", *nine), *nine), "ann")
    with pytest.raises(ValueError, match="no position of chests is as ann sees it"):
        sample(replace(seen, choices=("turn lead_3", "turn lead_4")), Stream(1))


@pytest.mark.parametrize("name", VARIED)
def test_slots_that_are_not_read_again_are_not_read_again(name: str) -> None:
    for state in positions(name, seeds=2, every=12):
        engine = engine_of(state.game)
        emptied = State(
            state.game, canonical(engine, list(state.vector), ()), state.chance, state.seat
        )
        below = Stream(len(state.vector)).below
        for _ in range(40):
            if state.seat is None:
                break
            offered = choices(state)
            assert choices(emptied) == offered
            choice = offered[below(len(offered))]
            (state, events), (emptied, others) = play(state, choice), play(emptied, choice)
            assert events == others


@pytest.mark.parametrize("name", QUICK)
def test_every_question_has_a_point_of_its_own(name: str) -> None:
    engine = engine_of(compiled(name))
    program = engine.program
    for number, question in enumerate(program.questions):
        point = program.points[question.point]
        assert (point.question, point.rule) == (number, question.rule)
        asked = engine.code.question(number).asked
        assert (asked.point, asked.rule, asked.name) == (
            question.point,
            question.rule,
            question.name,
        )
    named = [(point.rule, point.label) for point in program.points]
    assert len(set(named)) == len(named)


def test_the_verbs_are_found_at_the_front_door() -> None:
    assert targi_dsl.observe is observe and targi_dsl.sample is sample
    assert {"load", "start", "choices", "play", "why_not", "result"} <= set(targi_dsl.__all__)
    assert all(getattr(targi_dsl, name) is not NOTHING for name in targi_dsl.__all__)
