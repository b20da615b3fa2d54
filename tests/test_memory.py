"""Zones whose contents other players forget, and players who look at cards."""

from __future__ import annotations

import pytest

from targi_dsl import PUBLIC, Asked, Event, State, load, observe, play, start
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.text.diagnostics import Problems
from tests.mail_game import texts

OPEN = "draw 5 from bag to sack\n  "
LETTERS = {*"abcde"}


def knowing(state: State, card: str) -> str:
    return " ".join(one for one in state.game.players if state.knows(one, card))


def test_an_observation_forgets_and_a_history_does_not() -> None:
    moved = "may (gain 1 fame)\n    draw 1 from sack to your hand"
    files = dict(texts(OPEN + "nothing", f"{moved}\n    may (gain 1 fame)"))
    rules = files["mail/mail.targi"].replace(
        "hand for each player: letter, seen by owner",
        "hand for each player: letter, seen by owner, closed",
    )
    state = start(load("mail", of_texts({**files, "mail/mail.targi": rules})), Asked())
    state, events = play(state, "decline")
    (told,) = (one for one in events if one.kind == "move")
    assert told.seen_by("bob").text == "A goes from sack to hand of ann"
    assert observe(state, "bob").cards("hand of ann") == ("?letter",)
    assert observe(state, "ann").cards("hand of ann") == ("a",)


def looked(line: str) -> tuple[State, tuple[Event, ...]]:
    files = texts("nothing", f"may (gain 1 fame)\n    {line}\n    may (gain 1 fame)")
    return play(start(load("mail", of_texts(files)), Asked()), "decline")


def test_all_are_told_that_somebody_looks_and_who_looks_is_told_at_what() -> None:
    _, events = looked("opponent looks at top of bag")
    (told,) = (one for one in events if one.kind == "look")
    assert told.text == told.seen_by("bob").text == "bob looks at E"
    assert told.seen_by("ann").text == told.seen_by(PUBLIC).text == "bob looks at ?letter"


def test_several_cards_are_looked_at_and_nobody_looks_at_nothing() -> None:
    state, events = looked("look at (cards on (bag))")
    assert {one for one in LETTERS if state.knows("ann", one)} == LETTERS
    assert sum(one.kind == "look" for one in events) == 5
    state, events = looked(
        "let nobody be owner of place of top of sack\n    nobody looks at top of bag"
    )
    assert knowing(state, "e") == ""
    assert not any(one.kind == "look" for one in events)


def test_whose_a_card_is_says_the_place_where_it_lies() -> None:
    with pytest.raises(Problems, match="owner of place of top of bag"):
        looked("let nobody be owner of top of bag")
