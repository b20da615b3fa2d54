"""`draw` and `deal`: one card at a time, from piles that run out or are refilled."""

from __future__ import annotations

from bench.c_engine import CEngine
from bench.equal import assert_equal
from targi_dsl import Asked, Seed, choices, load, start, step
from targi_dsl.api.state import State
from targi_dsl.codegen.c.compilers import IN_MEMORY
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.machine import Engine
from tests.mail_game import texts


def played(setup: str) -> State:
    return start(load("mail", of_texts(texts(setup))), Seed(1))


def test_cards_are_drawn_from_the_top_one_by_one() -> None:
    assert played("draw 3 from bag to sack").cards("sack") == ("c", "d", "e")


def test_a_number_may_be_worked_out_and_none_draws_none() -> None:
    assert played("draw (few + 1) from bag to sack").cards("sack") == ("c", "d", "e")
    assert played("draw (few - 3) from bag to sack").cards("sack") == ()


def test_a_number_is_worked_out_once_and_not_again_after_each_card() -> None:
    assert len(played("draw (count of bag) from bag to sack").cards("sack")) == 5
    state = played("turn of ann: draw (4 - count of your hand) from bag to your hand")
    assert len(state.cards("hand of ann")) == 4
    state = played("deal (count of bag / 2) from bag to each hand")
    assert [len(state.cards(f"hand of {one}")) for one in ("ann", "bob")] == [2, 2]


def test_cards_of_one_pile_keep_their_order_and_those_of_several_go_pile_by_pile() -> None:
    given = "put card 2 of bag on sack\n  put top of bag on sack\n  put card 2 of bag on sack"
    pile = played(given).cards("sack")
    assert [*pile] not in (sorted(pile), sorted(pile, reverse=True))
    left = played(given).cards("bag")
    put = f"{given}\n  put cards on sack"
    assert played(f"{put} on bag").cards("bag") == (*pile, *left)
    assert played(f"{put} under bag").cards("bag") == (*left, *pile)
    some = played(f"{given}\n  put (card 1 of sack, card 3 of sack) on bag")
    assert some.cards("bag") == (pile[0], pile[2], *left)


def test_piles_are_moved_alike_in_c() -> None:
    moves = (
        "put card 2 of bag on sack", "put card 2 of bag on bin", "put top of bag on bin",
        "put (card 2 of bin, top of sack, top of bin) under bag", "put cards on bag on sack", "put cards on sack under bin",
    )  # fmt: skip
    for number in range(1, len(moves) + 1):
        game = load("mail", of_texts(texts("\n  ".join(moves[:number]))))
        assert_equal(Engine(game), CEngine(game, IN_MEMORY), range(1))


def test_the_most_that_is_done_is_counted_before_it_is_begun() -> None:
    each = "up to (count of bag - 1) times: put top of bag on sack"
    state = start(load("mail", of_texts(texts("nothing", each))), Seed(1))
    seat = state.seat
    while state.seat == seat:
        state = step(state, choices(state)[0])
    assert len(state.cards("sack")) == 4


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
