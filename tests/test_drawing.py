"""`draw` and `deal`: one card at a time, from piles that run out or are refilled."""

from __future__ import annotations

from targi_dsl import Asked, Seed, choices, load, start, step
from targi_dsl.api.state import State
from targi_dsl.compiler.project.discovery import of_texts
from tests.mail_game import texts


def played(setup: str) -> State:
    return start(load("mail", of_texts(texts(setup))), Seed(1))


def test_cards_are_drawn_from_the_top_one_by_one() -> None:
    assert played("draw 3 from bag to sack").cards("sack") == ("c", "d", "e")


def test_a_number_may_be_worked_out_and_none_draws_none() -> None:
    assert played("draw (few + 1) from bag to sack").cards("sack") == ("c", "d", "e")
    assert played("draw (few - 3) from bag to sack").cards("sack") == ()


def test_spaces_without_a_card_are_filled_in_order_until_the_pile_is_empty() -> None:
    state = played("put top of bag on shelf 2\n  fill shelf with cards from bag, face up")
    assert [state.cards(f"shelf {n}") for n in (1, 2, 3)] == [("d",), ("e",), ("c",)]
    assert played("draw 4 from bag to bin\n  fill shelf with cards from bag").cards("shelf 2")


def test_only_as_many_are_drawn_as_there_are() -> None:
    assert len(played("draw 7 from bag to sack").cards("sack")) == 5


def test_a_pile_is_refilled_between_two_cards() -> None:
    state = played("draw 4 from bag to bin\n  draw 3 from bag to sack")
    assert len(state.cards("sack")) == 3
    assert len(state.cards("bag")) == 2
    assert state.cards("bin") == ()


def test_everybody_is_dealt_a_card_before_anybody_is_dealt_a_second() -> None:
    state = played("deal 2 from bag to each hand")
    assert state.cards("hand of ann") == ("c", "e")
    assert state.cards("hand of bob") == ("b", "d")


def test_what_is_dealt_from_is_that_of_the_one_who_deals() -> None:
    dealer = "turn of ann\n    draw 4 from bag to your hand\n    deal 1 from your hand to each heap"
    state = played(dealer)
    assert (state.cards("heap of ann"), state.cards("heap of bob")) == (("b",), ("c",))


def test_a_pile_is_refilled_while_it_is_dealt_from() -> None:
    state = played("draw 4 from bag to bin\n  deal 2 from bag to each hand")
    assert [len(state.cards(f"hand of {one}")) for one in ("ann", "bob")] == [2, 2]


def test_whoever_asks_chance_is_asked_for_the_refill() -> None:
    game = load("mail", of_texts(texts("draw 3 from bag to bin\n  draw 3 from bag to sack")))
    state = start(game, Asked())
    assert {choice.id for choice in choices(state)} == {"shuffle c", "shuffle d", "shuffle e"}
    while state.seat == "chance":
        state = step(state, choices(state)[0])
    assert state.cards("sack")[1:] == ("a", "b")


def test_two_cards_change_places() -> None:
    state = played(
        "draw 1 from bag to sack\n  draw 1 from bag to bin\n  swap top of bin and top of sack"
    )
    assert (state.cards("sack"), state.cards("bin")) == (("d",), ("e",))


def test_nothing_changes_places_with_nothing() -> None:
    state = played("swap top of sack and top of bag")
    assert (len(state.cards("bag")), state.cards("sack")) == (5, ())
