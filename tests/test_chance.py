"""A seed, the list of its outcomes, and a seat that is asked for them give the same game."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from targi_dsl import load
from targi_dsl.api import choices, play, start
from targi_dsl.api.state import State
from targi_dsl.engine.chance import DRAWS, Asked, Listed, Seed, Stream
from targi_dsl.ir.game import Game
from targi_dsl.text.diagnostics import Problems
from tests.texts import game_text


def cards_and_dice(*copies: int) -> Game:
    """A pile of so many copies of each card is shuffled, a die rolled, the pile drawn and refilled;
    red is asked in between.
    """
    cards = "".join(
        f"  - {{id: {card}, copies: {number}, name: {{en: {card}}}}}\n"
        for card, number in zip("abcde", copies, strict=False)
    )
    lots = f"language: 2\nset: lots\nkind: lot\ncards:\n{cards}"
    return load("dice", {"dice.targi": game_text("dice.targi"), "dice/lots.yaml": lots})


ALIKE = [(1, 1, 1, 1, 1), (2, 3), (5,)]


def finished(state: State) -> tuple[State, list[str]]:
    """Draws seven times; outcomes of chance are those the first choice of each question gives."""
    met, draws = [], 0
    while state.seat is not None:
        name = "draw" if state.seat == "red" and draws < 7 else "stop"
        if state.seat == "chance":
            name = choices(state)[-1].id
            met.append(name)
        draws += name == "draw"
        state, _ = play(state, name)
    return state, met


@pytest.mark.parametrize("copies", ALIKE)
def test_asked_and_listed_play_alike(copies: tuple[int, ...]) -> None:
    game = cards_and_dice(*copies)
    asked, met = finished(start(game, Asked()))
    listed, _ = finished(start(game, Listed(tuple(met))))
    assert asked.vector == listed.vector
    assert listed.chance == Listed(tuple(met), len(met))


@pytest.mark.parametrize("copies", ALIKE[:2])
@pytest.mark.parametrize("seed", range(5))
def test_a_seeded_game_is_the_listed_game_of_its_outcomes(
    copies: tuple[int, ...], seed: int
) -> None:
    game = cards_and_dice(*copies)
    state = start(game, Seed(seed))
    order, rolled = state.cards("pile"), state.value("rolled")
    cards = {one.id: one.same for one in game.cards}
    alike = [one for n, one in enumerate(order) if len({cards[left] for left in order[n:]}) > 1]
    again = start(game, Listed((*(f"shuffle {one}" for one in alike), f"roll {rolled}")))
    assert again.vector == state.vector
    assert again.cards("pile") == order


def test_interchangeable_cards_are_one_outcome_whose_weight_is_its_probability() -> None:
    state = start(cards_and_dice(2, 3), Asked())
    assert state.seat == "chance"
    assert [(choice.id, choice.weight) for choice in choices(state)] == [
        ("shuffle a", 2 / 5),
        ("shuffle b", 3 / 5),
    ]
    state, _ = play(state, "shuffle b")
    assert [(choice.id, choice.weight) for choice in choices(state)] == [
        ("shuffle a", 1 / 2),
        ("shuffle b.2", 1 / 2),
    ]


def test_the_last_position_of_a_shuffle_is_settled_by_itself() -> None:
    state = start(cards_and_dice(1, 1), Asked())
    state, _ = play(state, "shuffle b")
    assert [choice.id for choice in choices(state)] == [f"roll {n}" for n in range(1, 7)]


def test_the_chances_of_all_outcomes_come_to_one() -> None:
    totals: dict[tuple[str, ...], Fraction] = {}

    def walk(state: State, chance: Fraction) -> None:
        offered = choices(state)
        if state.seat != "chance" or "roll" in offered[0].id:
            totals[state.cards("pile")] = totals.get(state.cards("pile"), Fraction(0)) + chance
            return
        for choice in offered:
            walk(play(state, choice)[0], chance * Fraction(choice.weight).limit_denominator(12))

    walk(start(cards_and_dice(2, 2), Asked()), Fraction(1))
    assert (
        sum(totals.values()) == 1 and set(totals.values()) == {Fraction(1, 6)} and len(totals) == 6
    )


def test_seeds_give_every_order_about_as_often() -> None:
    game = cards_and_dice(1, 1, 1)
    orders = Counter(start(game, Seed(seed)).cards("pile") for seed in range(1200))
    assert len(orders) == 6 and all(150 < count < 250 for count in orders.values())


def test_a_list_that_runs_out_or_names_what_cannot_be_is_a_fault() -> None:
    game = cards_and_dice(1, 1)
    with pytest.raises(Problems, match=r"E602 no outcome left[\s\S]*dice.targi"):
        start(game, Listed(("shuffle b",)))
    with pytest.raises(Problems, match=r"E602 no outcome \"roll 7\""):
        start(game, Listed(("shuffle b", "roll 7")))


def test_a_shuffle_lets_everybody_forget() -> None:
    state = play(start(cards_and_dice(1, 1), Seed(0)), "draw")[0]
    ((drawn,), known) = state.cards("bin"), state.knows
    assert known("blue", drawn)
    state = play(play(state, "draw")[0], "draw")[0]
    assert len(state.cards("bin")) == 1 and not state.knows("blue", state.cards("pile")[0])


def test_the_generator_is_the_one_that_is_written_down() -> None:
    stream = Stream(0)
    assert [stream.below(1 << 32) for _ in range(3)] == [n >> 32 for n in SPLIT_MIX]
    assert Stream(5).below(1) == 0 and Stream(-1).number == 2**64 - 1


SPLIT_MIX = (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F)
"""The first numbers of SplitMix64 from 0, as its author publishes them."""


def test_a_number_below_n_is_drawn_without_preference() -> None:
    stream = Stream(9)
    counts = Counter(stream.below(3) for _ in range(3000))
    assert set(counts) == {0, 1, 2} and all(900 < count < 1100 for count in counts.values())


def test_what_is_chosen_does_not_move_chance_that_is_not_used() -> None:
    assert start(cards_and_dice(1, 1), Seed(4)).chance != Seed(4)
    state = start(cards_and_dice(1, 1), Seed(4))
    assert play(state, "draw")[0].chance == state.chance


def test_outcomes_in_a_list_are_those_in_a_tuple() -> None:
    game = cards_and_dice(1, 1, 1)
    outcomes = ["shuffle a", "shuffle b", "3"]
    assert Listed(outcomes) == Listed(tuple(outcomes))
    assert hash(Listed(outcomes)) == hash(Listed(tuple(outcomes)))
    asked, ids = start(game, Asked()), list[str]()
    while asked.seat == "chance":
        ids.append(choices(asked)[0].id)
        asked, _ = play(asked, ids[-1])
    assert start(game, Listed(ids)) == start(game, Listed(tuple(ids)))
    assert hash(start(game, Listed(ids))) == hash(start(game, Listed(tuple(ids))))


GOLDEN = 0x9E3779B97F4A7C15  # between two states
REJECTED = 0x19ABD36885161F7A
"""A state of the generator after which the third draw is the highest that there is."""


def test_the_highest_draw_is_made_again() -> None:
    stream = Stream(REJECTED)
    assert [stream.below(DRAWS) for _ in range(3)][-1] == DRAWS - 1
    stream = Stream(REJECTED)
    for below in range(30, 0, -1):
        stream.below(below)
    assert stream.number == Stream(REJECTED + 30 * GOLDEN).number
