"""Who wins, who loses and who is out, according to the rules."""

from __future__ import annotations

import re

import pytest

from targi_dsl import observe
from targi_dsl.api import result, start
from targi_dsl.api.results import Result
from targi_dsl.api.state import State
from targi_dsl.cli.summary import ending
from targi_dsl.compiler.load import check, load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed
from targi_dsl.records.notation import read, write
from targi_dsl.simulation.simulate import simulate
from targi_dsl.text.diagnostics import Problems
from targi_dsl.view.outcomes import outcome_of, score_table
from targi_dsl.view.words import Words

SHEET = 'language 2\ngame duel "A duel"\n  rules duel\n'


def files(rules: str) -> dict[str, str]:
    module = f"language 2\nmodule duel\nplayers ann, ben, cleo\nresource hits\n{rules}"
    if "rule setup" not in rules:
        module += "rule setup\n  nothing\n"
    return {"duel/duel.targi": module, "duel.targi": SHEET}


def begun(rules: str) -> State:
    return start(load("duel", files(rules)), Seed(1))


def ended(rules: str) -> Result:
    return result(begun(rules))


def test_outcomes_of_a_game_without_players_are_no_fault_of_their_own() -> None:
    written = files("rule round\n  (p in players where hits of p is 1) are out\n")
    written["duel/duel.targi"] = written["duel/duel.targi"].replace("players ann, ben, cleo\n", "")
    assert [problem.code for problem in check("duel", of_texts(written))[1]] == ["E210"]


def test_what_players_have_in_a_game_without_players_is_no_fault_of_its_own() -> None:
    written = files("zone hand for each player: card\nrule round\n  shuffle hand of players\n")
    written["duel/duel.targi"] = written["duel/duel.targi"].replace("players ann, ben, cleo\n", "")
    assert "E210" in [problem.code for problem in check("duel", of_texts(written))[1]]


@pytest.mark.parametrize(
    ("sentence", "winners", "ranks", "returns"),
    [
        ("ben wins", ("ben",), (2, 1, 2), (-1, 1, -1)),
        ("you win", ("ann",), (1, 2, 2), (1, -1, -1)),
        ("next of you wins", ("ben",), (2, 1, 2), (-1, 1, -1)),
        ("(p in players where p is not you) win", ("ben", "cleo"), (3, 1, 1), (-1, 1, 1)),
        ("cleo loses", ("ann", "ben"), (1, 1, 3), (1, 1, -1)),
        ("everybody wins", ("ann", "ben", "cleo"), (1, 1, 1), (1, 1, 1)),
        ("everybody loses", (), (1, 1, 1), (-1, -1, -1)),
        ("(p in players where p is one of ben, cleo) lose", ("ann",), (1, 2, 2), (1, -1, -1)),
        ("the game is a draw", ("ann", "ben", "cleo"), (1, 1, 1), (0, 0, 0)),
    ],
)
def test_the_game_ends_as_the_sentence_says(
    sentence: str, winners: tuple[str, ...], ranks: tuple[int, ...], returns: tuple[int, ...]
) -> None:
    end = ended(f"rule round\n  turn of ann\n    {sentence}\n    gain 1 hits\n")
    assert end.over and end.ended_by == "round"
    assert (end.winners, end.ranks, end.returns) == (winners, ranks, returns)


def test_who_wins_by_a_rule_needs_no_score_and_no_tie_break() -> None:
    rules = "score hits: your hits\ntie: most your hits\n"
    end = ended(rules + "rule round\n  ann gains 5 hits\n  (p in players where p is not ann) win\n")
    assert end.winners == ("ben", "cleo") and end.tiebreak is None
    assert end.returns == (5, 0, 0), "scores are what a seat gets where there are any"


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("ben wins", "ben wins."),
        ("(p in players where p is not ben) win", "ann and cleo win."),
        ("everybody loses", "Everybody loses."),
        ("end game\n  ann wins", "Nobody wins."),
    ],
)
def test_the_end_is_told_in_words(sentence: str, words: str) -> None:
    state = begun(f"rule round\n  {sentence}\n")
    assert [*ending(Words(state.game), state, 80)][-1] == words
    outcome = outcome_of(result(state), Words(state.game))
    assert outcome.text == words, "at every table"
    assert bool(outcome.winners) != words.startswith(("Every", "Nobody")), "who is marked"


def test_who_is_out_and_is_asked_is_a_located_fault() -> None:
    rules = "rule round\n  turn of ann: you are out then choose n in 1..2 then ben wins\n"
    with pytest.raises(Problems) as raised:
        begun(rules)
    (problem,) = raised.value.problems
    assert (problem.code, problem.title) == ("E616", "ann is out and is asked")
    assert problem.span is not None and problem.span.text.startswith("choose n")


@pytest.mark.parametrize("side", ["next", "previous"])
def test_nobody_has_no_neighbours_who_could_be_asked(side: str) -> None:
    rules = "variable found: player\nvariable who: player\nrule round\n  ann is out\n"
    rules += f"  set found to {side} of who\n  ann chooses n in 1..2\n  end game\n"
    with pytest.raises(Problems, match="E616"):
        begun(rules)


def test_an_outcome_is_written_by_its_name() -> None:
    state = begun("rule round\n  ben is out\n  ann chooses n in 1..2\n  ann wins\n")
    assert "outcome" in write(state) and "out" in write(state)
    assert read(state.game, write(state)).vector == state.vector


def test_a_score_that_depends_on_hidden_things_is_said_to_be_a_guess() -> None:
    rules = "variable chips for each player: 0 to 77, seen by owner\nscore left: your chips\n"
    rules += "rule setup\n  each player\n    choose drawn in 1..9 at random\n"
    rules += "    set your chips to drawn\nrule round\n  each player\n"
    rules += "    one of\n      gain 1 hits\n      gain 2 hits\n"
    state = begun(rules)
    scores = score_table(observe(state, "ann"), Words(state.game))
    assert scores is not None and scores.totals[0] == str(result(state).scores[0])
    assert all(re.fullmatch(r"about \d+ to \d+", one) for one in scores.totals[1:])


# ---- the lowest score ----


def test_the_lowest_score_wins() -> None:
    found = ended(
        "score hits: your hits\nlowest score wins\ntie: most (1 if you is cleo otherwise 0)\n"
        "rule round\n  ann gains 4 hits\n  cleo gains 2 hits\n  ben gains 2 hits\n  end game\n"
    )
    assert found.scores == (4, 2, 2) and found.returns == (-4, -2, -2)
    assert found.ranks == (3, 2, 1) and found.winners == ("cleo",)


def test_the_lowest_score_where_nothing_is_scored_decides_nothing() -> None:
    written = of_texts(files("lowest score wins\nrule round\n  ben wins\n"))
    assert [problem.title for problem in check("duel", written)[1]] == ["nothing is scored"]


LEADERS = """
score hits: your hits
lowest score wins
variable rounds: 0 to 2
rule round
  set rounds to rounds + 1
  each player
    if rounds is 1: gain (1 if you is ben otherwise 2 if you is cleo otherwise 0) hits
    if rounds is 2 and you is ben: gain 9 hits
    choose n in 1..2
    gain (n - n) hits
  if rounds is 2: end game
"""


@pytest.mark.parametrize("engine", ["interpreter", "tcc"])
def test_who_leads_has_the_lowest_score_where_it_wins(engine: str) -> None:
    lowest, highest = (
        simulate(load("duel", files(rules)), 3, engine=engine)
        for rules in (LEADERS, LEADERS.replace("lowest score wins\n", ""))
    )
    assert lowest["lead_changes"]["mean"] == 0 and highest["lead_changes"]["mean"] == 1
