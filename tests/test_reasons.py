"""Every refusal has reasons, each with a name (tests/corpus/reasons.txt has what they say)."""

from __future__ import annotations

import pytest

from targi_dsl import load
from targi_dsl.api import choices, play, start
from targi_dsl.api.naming import Naming
from targi_dsl.compiler.translations import of_program
from targi_dsl.engine import Engine, engine_of
from targi_dsl.engine.chance import Asked, Seed, Stream
from targi_dsl.explain.why_not import Reason, Refusal, why_not
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.program import Question, Way
from targi_dsl.records.notation import read
from targi_dsl.text import resources
from tests.games import VARIED, compiled
from tests.texts import game_file


def named(reasons: tuple[Reason, ...]) -> list[str]:
    return [reason.name for reason in reasons]


def test_what_is_not_in_the_set_is_said_to_be_elsewhere() -> None:
    state = start(compiled("bazaar"), Seed(1))
    for _ in state.game.players:
        state, _ = play(state, "decline")
    mine, theirs = state.cards(f"hand of {state.seat}"), state.cards("hand of emerald")
    assert state.seat == "crimson" and not set(mine) & set(theirs)
    (reason,) = why_not(state, f"secret_choice {theirs[0]}")
    assert (
        reason.name == "secret_choice.pledge"
        and "it is not in your hand; you cannot see" in reason.text
    )


FREE_SPOTS = ("north_east", "east", "centre")
"""Without a stone that can move."""


def test_all_that_is_none_of_what_may_be_chosen_has_one_reason() -> None:
    state = start(compiled("mu_torere"))
    ((reason,), *others) = (why_not(state, f"from_spot {spot}") for spot in FREE_SPOTS)
    assert reason.text == "not among those that may be chosen"
    assert others == [(reason,), (reason,)]


def test_what_is_lost_is_not_said_to_be_paid() -> None:
    (reason,) = why_not(start(load(game_file("losses")), Seed(1)), "pay gold")
    assert reason.text == "units are given up one by one, of what is asked for and you have"


def test_a_reason_may_look_at_as_much_as_the_question_did() -> None:
    (reason,) = why_not(start(load(game_file("queens"))), "from_square e5")
    assert reason.text == "not among those that may be chosen"


def test_after_the_end_there_is_one_reason() -> None:
    (reason,) = why_not(read(compiled("pig"), "ended by bank"), "roll")
    assert (reason.name, reason.text) == ("game_over", "the game is over")
    assert reason.file == "rules/pig/01_pig.targi"
    assert (
        (resources.read(reason.file) or b"").splitlines()[reason.line - 1].startswith(b"rule bank")
    )


def test_a_reason_of_the_program_is_told_in_its_language() -> None:
    rules = "rule setup\n  place cart on lane 1\nrule round\n  each player\n    one of\n"
    rules += "      park: place cart on lane 2\n      rest: nothing\n      stop: you win\n"
    head = "language 2\ngame carts\nplayers ann, ben\nspace lane: row of 2\npiece cart: 1\n"
    state = start(load("carts", {"carts.targi": head + rules}))
    (reason,) = why_not(state, "park", Naming(state.game, of_program("es")))
    assert reason.text == "ya no queda: cart"


def test_where_a_single_answer_is_asked_for_nothing_is_exchanged() -> None:
    sheet = "language 2\ngame carts\nplayers ann, ben\nresource coins, hay\nspace lane: row of 1\n"
    sheet += "exchange feed: 1 coins -> 1 hay\nrule setup\n  nothing\nrule round\n  each player\n    gain 1 coins\n"
    sheet += "    choose stop in lane in any case\n  everybody wins\n"
    state = start(load("carts", {"carts.targi": sheet}))
    (only,) = choices(state)
    assert only.id == "round 1"
    (reason,) = why_not(state, state.game.program.exchanges[0].id)
    assert reason.text == "nothing is exchanged where there is only one answer"


def test_chance_is_not_asked_for_a_players_answer() -> None:
    state = start(compiled("kuhn_poker"), Asked())
    assert state.seat == "chance"
    assert named(why_not(state, "bet")) == ["not_now"]
    assert why_not(state, "shuffle jack") == ()
    assert named(why_not(state, "shuffle ace")) == ["unknown"]


# ---- what always holds ----


def ids(engine: Engine, waiting: Question) -> dict[str, list[tuple[Way, int]]]:
    """Every answer that the open question could have, by id."""
    found: dict[str, list[tuple[Way, int]]] = {}
    for way in waiting.ways:
        for element in way.choice.domain if way.choice is not None else (NOTHING,):
            words = (
                f" {engine.code.domains.name(way.choice.type, element)}"
                if way.choice is not None
                else ""
            )
            found.setdefault(way.label + words, []).append((way, element))
    return found


@pytest.mark.parametrize("name", VARIED)
def test_what_is_offered_is_never_refused_and_the_rest_always_with_a_name(name: str) -> None:
    game, below = compiled(name), Stream(len(name)).below
    engine = engine_of(game)
    for seed in range(2):
        state = start(game, Seed(seed))
        while state.seat is not None:
            offered = choices(state)
            waiting = engine.open_question(state.vector)
            assert waiting is not None
            if below(20) == 0 and waiting.ways:
                before = state.vector[:]
                all_ids = {choice.id for choice in offered}
                assert not [
                    one for one in offered if why_not(state, one.id) or why_not(state, one.text)
                ]
                for words, ways in ids(engine, waiting).items():
                    reasons = why_not(state, words)
                    assert (words in all_ids) == (not reasons), words
                    assert all(one.name and one.text for one in reasons)
                    assert not {"unknown", "not_now"} & set(named(reasons)), words
                    if (
                        words in all_ids and len(ways) == 1
                    ):  # and reading the head to its end finds nothing either
                        assert not Refusal(engine, state.vector, Naming(state.game)).reasons(
                            waiting.rule, *ways[0]
                        ), words
                assert state.vector == before
            state, _ = play(state, offered[below(len(offered))])
