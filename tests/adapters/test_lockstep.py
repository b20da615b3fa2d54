"""Shipped games equal OpenSpiel's games of the same names."""

from __future__ import annotations

from collections import Counter
from random import Random

import pyspiel
import pytest

from targi_dsl import observe
from tests.adapters.lockstep import Different, Pairing, Path, random_game, told_apart, tree
from tests.adapters.pairings import HUES, PAIRINGS, cell

LETTERS = dict(zip(HUES, "RYGWB", strict=True))
GAMES = 5
"""Random games of each; a thousand are played by `python -m tests.adapters.pairings`."""


@pytest.mark.parametrize("pairing", PAIRINGS, ids=lambda pairing: pairing.sheet)
def test_random_games_are_the_same_on_both_sides(pairing: Pairing) -> None:
    assert all(random_game(pairing, seed) > 0 for seed in range(GAMES))


def possible(face: str) -> str:
    """The values that one's own lamp may have, in OpenSpiel's notation: "RG12" is red or green, 1
    or 2.
    """
    left = {"hue": "RYGWB", "post": "12345"}
    for part in filter(None, face.removeprefix("?lamp").strip().split(", ")):
        said = part.removeprefix("post ")
        named = said.removeprefix("not ").split(" or ")
        values = [LETTERS.get(one, one) for one in named]
        which = "post" if said != part else "hue"
        left[which] = "".join(
            one for one in left[which] if (one in values) != said.startswith("not ")
        )
    return "".join(left.values())


@pytest.mark.parametrize("seed", range(3))
def test_what_is_told_of_lamps_is_what_they_know_of_their_cards(seed: int) -> None:
    pairing = next(one for one in PAIRINGS if one.theirs == "hanabi")
    both, chooses, met = pairing.begin(), Random(seed), set[str]()
    while not both.theirs.is_terminal():
        actions = both.actions()
        both = both.along(*chooses.choice(list(actions.items())))
        if both.theirs.is_chance_node() or both.theirs.is_terminal():
            continue
        hands = str(both.theirs).partition("Hands:")[2].partition("Deck size")[0].split("-----")
        for seat, hand in zip(pairing.players, hands, strict=True):
            there = [line.rpartition("|")[2] for line in hand.splitlines() if "||" in line]
            own = observe(both.ours, seat).cards(f"hand of {seat}")
            assert [possible(face) for face in own] == there
            met.update(there)
    assert len(met) > 1


def apart(sheet: str, seeds: int) -> Counter[tuple[bool, bool]]:
    pairing = next(one for one in PAIRINGS if one.sheet == sheet)
    return sum((told_apart(pairing, seed) for seed in range(seeds)), Counter[tuple[bool, bool]]())


def test_a_seat_of_phantom_tic_tac_toe_knows_as_much_on_both_sides() -> None:
    found = apart("phantom_tic_tac_toe", 60)
    assert set(found) == {(True, True), (False, False)} and min(found.values()) > 10


def test_a_seat_of_oh_hell_knows_as_much_and_the_order_in_which_its_cards_came() -> None:
    found = apart("oh_hell", 10)
    assert (True, False) not in found and found[True, True] and found[False, False]


@pytest.mark.parametrize(
    ("sheet", "depth", "nodes"),
    [
        ("checkers", 3, 1 + 7 + 49 + 302),
        ("phantom_tic_tac_toe", 3, 739),
        ("clobber", 3, 82_229),
        ("amazons", 3, 1 + 4 + 80 + 2176),
        ("dots_and_boxes", 3, 60_881),
        ("ultimate_tic_tac_toe", 4, 7_147),
        ("quoridor_5", 3, 32_685),
        ("quoridor", 2, 16_809),
        ("crazy_eights", 3, 1 + 2 + 2 * 52 + 2 * 52 * 51),
        ("oh_hell", 3, 1 + 17 + 17 * 3 + 17 * 3 * 52),
    ],
)
def test_the_beginning_of_a_tree_is_the_same(sheet: str, depth: int, nodes: int) -> None:
    both = next(one for one in PAIRINGS if one.sheet == sheet).begin()
    assert tree(both, depth)["nodes"] == nodes


def test_the_end_of_a_tree_is_the_same_to_the_last_node() -> None:
    both = next(one for one in PAIRINGS if one.sheet == "tic_tac_toe").begin()
    for action in (4, 0, 8, 2):
        both = both.after(action)
    assert tree(both) == {"nodes": 186, "games": 86}


def test_another_game_is_found_out() -> None:
    def turned(state: pyspiel.State, action: int) -> Path:
        return (f"round {cell(8 - action if action else 3, 3)}",)

    with pytest.raises(Different, match="two actions of one path"):
        random_game(Pairing("tic_tac_toe", "tic_tac_toe", ("cross", "nought"), turned), 0)
    mine = Pairing("tic_tac_toe", "tic_tac_toe", ("nought", "cross"), PAIRINGS[0].path)
    with pytest.raises(Different, match="nought moves there, here cross"):
        random_game(mine, 0)
