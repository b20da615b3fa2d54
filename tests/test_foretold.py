"""Foretold as shipped: who must follow suit, who takes a trick and who scores."""

from __future__ import annotations

from random import Random

import pytest

from targi_dsl import Event, Seed, State, choices, load, play, result, start

RANKS = [
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king",
    "ace",
]  # fmt: skip
Card = tuple[str, str]


def card(name: str) -> Card:
    """Suit and rank of `card_hearts_two`, or of `two of hearts`."""
    if " of " in name:
        rank, _, suit = name.partition(" of ")
        return suit, rank
    _, suit, rank = name.split("_")
    return suit, rank


def taken_by(trick: dict[str, Card], trump: str) -> str:
    """Who takes it: the highest trump, or else the highest of the suit that was led."""
    led = next(iter(trick.values()))[0]
    suit = trump if any(one[0] == trump for one in trick.values()) else led
    return max(
        (who for who in trick if trick[who][0] == suit), key=lambda who: RANKS.index(trick[who][1])
    )


def followed(state: State, led: Card | None) -> None:
    """Whoever is asked for a card may play just those that follow suit, or any who cannot."""
    assert state.seat is not None
    hand = [card(one) for one in state.cards(f"hand of {state.seat}")]
    may = [one for one in hand if led is not None and one[0] == led[0]] or hand
    offered = [card(one.id.removeprefix("play_card ")) for one in choices(state)]
    assert sorted(offered) == sorted(may)


@pytest.mark.parametrize("number", [3, 4, 5])
@pytest.mark.parametrize("seed", range(3))
def test_tricks_go_by_the_rules(number: int, seed: int) -> None:
    state, chance = start(load("foretold", players=number), Seed(seed)), Random(seed)
    players, trick = state.game.players, dict[str, Card]()
    taken, bids, points = (
        dict.fromkeys(players, 0),
        dict.fromkeys(players, 0),
        dict.fromkeys(players, 0),
    )
    trump, leader = card(state.cards("turned_up")[0])[0], ""

    def told(event: Event) -> None:
        nonlocal trump, leader
        if event.kind == "move" and event.to.startswith("played of "):
            trick[event.to.removeprefix("played of ")] = card(event.what)
        elif event.kind == "move" and event.to == "turned_up":
            trump = card(event.what)[0]
        elif event.what == "tricks" and event.number:
            leader = taken_by(trick, trump)
            taken[leader] += 1
            assert (event.to, event.number) == (leader, taken[leader])
            trick.clear()
        elif event.what == "bid":
            bids[event.to] = event.number
        elif event.what == "dealer":
            for player in players:
                points[player] += (10 + bids[player]) * (bids[player] == taken[player])
                taken[player], leader = 0, ""

    while state.seat is not None:
        if choices(state)[0].id.startswith("play_card"):
            followed(state, next(iter(trick.values()), None))
            assert trick or not leader or state.seat == leader
        state, events = play(state, chance.choice(choices(state)))
        for event in events:
            told(event)
    assert result(state).scores == tuple(points.values())
