"""Prices and effects are trees: whatever draws icons or writes texts needs no pattern matching."""

from __future__ import annotations

import re

import pytest

from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.declarations import Amounts
from targi_dsl.ir.game import Game
from tests.games import QUICK, compiled


def item(game: Game, number: int) -> str:
    """A resource or a group."""
    names = (*game.resources, *(name for name, _ in game.groups))
    return names[number]


def amounts(game: Game, of: Amounts) -> str:
    words = [(count, item(game, number)) for number, count in of]
    return " and ".join(
        f"{count} {game.singular(name) if count == 1 else name}" for count, name in words
    )


def price(game: Game, number: int) -> str:
    """A price as a rule file has it."""
    of = game.prices[number]
    text = " or ".join(amounts(game, one) for one in of.alternatives)
    if not of.extra:
        return text
    return f"{text} (plus {amounts(game, of.extra)} for {amounts(game, of.reward)})"


def plain(game: Game, text: str) -> list[list[str]]:
    """The words of each alternative: the plural of each resource, in any order, nothing of which
    there is 0.
    """
    alternatives = [re.split(r" and (?!.*\))", one) for one in text.split(" or ")]
    return [
        sorted(
            " ".join(game.item_of(word) for word in one.split())
            for one in every
            if not one.startswith("0 ") and one
        )
        for every in alternatives
    ]


@pytest.mark.parametrize("name", QUICK)
def test_every_cost_can_be_written_from_the_tree_of_its_price(name: str) -> None:
    game = compiled(name)
    for card in game.cards:
        for field, number in card.prices.items():
            assert plain(game, price(game, number)) == plain(game, str(card.fields[field])), card.id


def test_games_have_cards_with_prices() -> None:
    priced = [name for name in QUICK if any(card.prices for card in compiled(name).cards)]
    assert {"base", "bazaar", "small_estate"} <= {*priced}
    cards = {card.id: card for card in compiled("base").cards}
    assert len(compiled("base").prices[cards["well_9"].prices["cost"]].alternatives) == 2
    assert not cards["noble"].prices


def gains(body: s.Block) -> list[tuple[int, int]]:
    """What you gain by statements that do nothing else: resources and numbers."""
    found = []
    for one in body:
        match one:
            case s.Gain(e.Local(slot), e.Const(int(what)), e.Const(int(count))) if slot == YOU:
                found.append((what, count))
            case _:
                return []
    return found


@pytest.mark.parametrize(("name", "some"), [("base", 5), ("expansion", 4)])
def test_an_action_that_only_gains_can_be_drawn_from_the_tree_of_its_rule(
    name: str, some: int
) -> None:
    game = compiled(name)
    drawn = 0
    for card, rule in zip(game.cards, game.actions, strict=True):
        gained = gains(game.rules[rule].body) if rule != NOTHING else []
        if gained:
            assert f"gain {amounts(game, tuple(gained))}" == card.fields["action"], card.id
            drawn += 1
    assert drawn >= some
