"""`draw` and `deal`: one card at a time, from piles that run out or are refilled."""

from __future__ import annotations

from bench.c_engine import CEngine
from bench.equal import assert_equal
from targi_dsl import Asked, choices, load, start, step
from targi_dsl.codegen.c.compilers import IN_MEMORY
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.machine import Engine
from tests.mail_game import texts


def test_piles_are_moved_alike_in_c() -> None:
    moves = (
        "put card 2 of bag on sack", "put card 2 of bag on bin", "put top of bag on bin",
        "put (card 2 of bin, top of sack, top of bin) under bag", "put cards on bag on sack", "put cards on sack under bin",
    )  # fmt: skip
    for number in range(1, len(moves) + 1):
        game = load("mail", of_texts(texts("\n  ".join(moves[:number]))))
        assert_equal(Engine(game), CEngine(game, IN_MEMORY), range(1))


def test_whoever_asks_chance_is_asked_for_the_refill() -> None:
    game = load("mail", of_texts(texts("draw 3 from bag to bin\n  draw 3 from bag to sack")))
    state = start(game, Asked())
    assert {choice.id for choice in choices(state)} == {"shuffle c", "shuffle d", "shuffle e"}
    while state.seat == "chance":
        state = step(state, choices(state)[0])
    assert state.cards("sack")[1:] == ("a", "b")


def test_all_cards_are_dealt_around_the_table() -> None:
    game = load("mail", of_texts(texts("deal all from bag to each hand")))
    state = start(game)
    assert state.cards("bag") == ()
    assert [len(state.cards(f"hand of {player}")) for player in ("ann", "bob")] == [3, 2]
    assert_equal(Engine(game), CEngine(game, IN_MEMORY), range(1))


def test_what_lies_there_is_dealt_and_not_what_a_refill_would_bring() -> None:
    moves = "put (card 1 of bag, card 2 of bag) on bin\n  deal all from bag to each hand"
    game = load("mail", of_texts(texts(moves)))
    assert len(start(game).cards("bin")) == 2
    assert_equal(Engine(game), CEngine(game, IN_MEMORY), range(1))
