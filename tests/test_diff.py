"""The changes that one set of cards makes to another (tests/corpus/diff.txt has all others)."""

from __future__ import annotations

from targi_dsl.compiler.load import load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.tools.diff import differences
from tests.small_game import CARDS, FILES

PLANS = "pond/pond_plans.yaml"


def test_cards_are_compared_field_by_field_and_decks_card_by_card() -> None:
    text = (
        CARDS.replace("cost: 3 pebbles", "cost: 2 pebbles")
        .replace("id: bridge", "id: dam")
        .replace("copies: 3\n    name: {en: Raft}", "copies: 2\n    name: {en: Raft}")
    )
    found = differences(
        load("pond", of_texts(FILES)), load("pond", of_texts({**FILES, PLANS: text}))
    )
    assert {one.id: dict(one.fields) for one in found.cards} == {
        "bridge": {}, "dam": {}, "den": {"cost": ("3 pebbles", "2 pebbles")},
    }  # fmt: skip
    (deck,) = found.decks
    assert (deck.zone, deck.before, deck.after) == ("plan_pile", 9, 8)
    assert (dict(deck.more), dict(deck.less)) == ({"dam": 3}, {"bridge": 3, "raft": 1})
