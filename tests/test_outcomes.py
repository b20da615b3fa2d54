"""Who wins, who loses and who is out, according to the rules."""

from __future__ import annotations

import pytest

from targi_dsl.api import play, result, start
from targi_dsl.api.results import Result
from targi_dsl.api.state import State
from targi_dsl.cli.summary import ending
from targi_dsl.codegen.tiered import use_c
from targi_dsl.compiler.load import check, load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed
from targi_dsl.records.notation import read, write
from targi_dsl.text.diagnostics import Problems
from targi_dsl.view.outcomes import outcome_of
from targi_dsl.view.words import Words

FOUR = ("ann", "ben", "cleo", "dora")
SHEET = 'language 2\ngame duel "A duel"\n  rules duel\n'


def files(rules: str, players: str = "ann, ben, cleo") -> dict[str, str]:
    module = f"language 2\nmodule duel\nplayers {players}\nresource hits\n{rules}"
    if "rule setup" not in rules:
        module += "rule setup\n  nothing\n"
    return {"duel/duel.targi": module, "duel.targi": SHEET}


def begun(rules: str, players: str = "ann, ben, cleo") -> State:
    return start(load("duel", files(rules, players)), Seed(1))


def ended(rules: str, players: str = "ann, ben, cleo") -> Result:
    return result(begun(rules, players))


def played(state: State, *ids: str) -> State:
    for one in ids:
        state = play(state, one)[0]
    return state


@pytest.mark.parametrize(
    ("sentence", "out"),
    [
        ("next of you is out", {"ben"}),
        ("(p in players where hits of p is lowest hits of q for (q in players)) are out", {"ben"}),
        (
            "(p in players where p is not you and count of players is 4) are out",
            {"ben", "cleo", "dora"},
        ),
    ],
)
@pytest.mark.parametrize("level", [None, 0], ids=["interpreter", "C"])
def test_who_is_out_is_found_once(sentence: str, out: set[str], level: int | None) -> None:
    """Whoever goes out does not change who else does."""
    hits = "\n".join(
        f"  {player} gains {n} hits" for player, n in zip(FOUR, (4, 1, 3, 2), strict=True)
    )
    rules = f"rule setup\n{hits}\nrule round\n  turn of ann\n    choose n in 1..2\n    {sentence}\n  end game\nscore n: your hits\n"
    game = load("duel", files(rules, ", ".join(FOUR)))
    if level is not None:
        use_c(game, level)
    after = result(played(start(game, Seed(1)), "round 1"))
    assert {FOUR[seat] for seat, one in enumerate(after.outcomes) if one == "out"} == out


def test_outcomes_of_a_game_without_players_are_no_fault_of_their_own() -> None:
    written = files("rule round\n  (p in players where hits of p is 1) are out\n")
    written["duel/duel.targi"] = written["duel/duel.targi"].replace("players ann, ben, cleo\n", "")
    assert [problem.code for problem in check("duel", of_texts(written))[1]] == ["E210"]


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


@pytest.mark.parametrize(
    "lines",
    ["{} lose", "{} win", "let p be first {}\n    p wins", "let p be first {}\n    p loses"],
)
def test_where_there_is_no_such_player_the_game_goes_on(lines: str) -> None:
    rules = "rule round\n  turn of ann\n    gain 1 hits\n    "
    state = begun(rules + lines.format("(p in players where hits of p is 3)") + "\n")
    assert state.amount("ann", "hits") == 3
    assert ("ann" in result(state).winners) == ("win" in lines)


def test_who_wins_by_a_rule_needs_no_score_and_no_tie_break() -> None:
    rules = "score hits: your hits\ntie: most your hits\n"
    end = ended(rules + "rule round\n  ann gains 5 hits\n  (p in players where p is not ann) win\n")
    assert end.winners == ("ben", "cleo") and end.tiebreak is None
    assert end.returns == (5, 0, 0), "scores are what a seat gets where there are any"


def test_the_score_decides_among_those_who_have_not_lost() -> None:
    rules = "score hits: your hits\nrule round\n  ann gains 5 hits\n  ben gains 2 hits\n"
    assert ended(rules + "  ann loses\n").winners == ("ben",)
    assert ended(rules + "  ann is out\n  end game\n").ranks == (3, 1, 2)
    assert ended(rules + "  end game\n" + "rule never\n  ann loses\n").winners == ("ann",)


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


OUT = """\
variable last: player
rule round
  each player
    one of
      stay: gain 1 hits
      leave: you are out
      shove: next of you is out
    set last to next of you
    if count of players is 1: players win
"""
OUT = OUT.replace("shove: next of you is out", "shove: do shove") + (
    "rule shove\n  let p be next of you\n  p is out\n"
)


def test_who_is_out_has_no_turn_and_is_nobodys_neighbour() -> None:
    state = played(begun(OUT), "stay", "leave")
    assert state.seat == "cleo" and state.value("last") == 2
    state = played(state, "stay")
    assert (state.seat, state.value("last")) == ("ann", 0)
    state = played(state, "stay")
    assert (state.seat, state.value("last")) == ("cleo", 2)
    end = result(played(state, "shove"))
    assert end.winners == ("cleo",) and end.outcomes == ("out", "out", "won")


def test_a_player_can_go_out_before_their_turn_comes() -> None:
    state = played(begun(OUT), "shove")
    assert state.seat == "cleo"


def test_turns_go_round_without_who_is_out() -> None:
    rules = "rule round\n  by turns from ben until ann is nothing\n    choose n in 1..2\n"
    rules += "    if n is 2: you are out\n"
    state = played(begun(rules), "round 1", "round 2", "round 1")
    assert state.seat == "ben"
    assert result(played(state, "round 2", "round 2")).over


@pytest.mark.parametrize("seat", ["ann", "ben", "cleo"])
@pytest.mark.parametrize(("side", "step"), [("next", 1), ("previous", -1)])
def test_the_seats_beside_pass_over_who_is_out(seat: str, side: str, step: int) -> None:
    rules = f"variable found: player\nrule round\n  {seat} is out\n  each player\n"
    rules += f"    set found to {side} of you\n    choose n in 1..2\n    gain (n) hits\n"
    state = begun(rules)
    left = [p for p in ("ann", "ben", "cleo") if p != seat]
    assert state.seat == left[0] and state.value("found") == ["ann", "ben", "cleo"].index(left[1])
    nobody = "variable found: player\nvariable who: player\nrule round\n  ann is out\n"
    nobody += f"  set found to {side} of who\n  ann chooses n in 1..2\n  end game\n"
    with pytest.raises(Problems, match="E616"):
        begun(nobody)


def test_the_game_is_over_when_nobody_is_left() -> None:
    end = ended("rule round\n  each player\n    you are out\n")
    assert end.over and end.winners == () and end.returns == (-1, -1, -1)


def test_who_is_out_and_is_asked_is_a_located_fault() -> None:
    rules = "rule round\n  turn of ann: you are out then choose n in 1..2 then ben wins\n"
    with pytest.raises(Problems) as raised:
        begun(rules)
    (problem,) = raised.value.problems
    assert (problem.code, problem.title) == ("E616", "ann is out and is asked")
    assert problem.span is not None and problem.span.text.startswith("choose n")


def test_one_answer_is_taken_also_for_who_is_out() -> None:
    rules = "rule round\n  turn of ann: you are out then choose n in 2..2 then gain (n) hits\n"
    rules += "  end game\n"
    assert begun(rules).amount("ann", "hits") == 2


def test_chance_goes_on_when_a_player_is_out() -> None:
    rules = "rule round\n  turn of ann: you are out then roll n from 1 to 6 then gain (n) hits\n"
    rules += "  ben wins\n"
    assert 1 <= begun(rules).amount("ann", "hits") <= 6


def test_an_outcome_is_asked_about_and_written_by_its_name() -> None:
    state = played(begun(OUT), "leave")
    assert "outcome" in write(state) and "out" in write(state)
    assert read(state.game, write(state)).vector == state.vector
    rules = "rule round\n  ben is out\n  each p in players where outcome of p is playing:"
    state = begun(rules + " p gains 1 hits\n  ann chooses n in 1..2\n  ann wins\n")
    assert [state.amount(one, "hits") for one in ("ann", "ben", "cleo")] == [1, 0, 1]


def test_a_card_can_say_that_its_player_wins() -> None:
    rules = "card charm\n  action: action\nzone pile: charm\n"
    rules += "rule round\n  turn of ann: do action of top of pile\n"
    cards = (
        "language: 2\nset: charms\nkind: charm\nsource: x\ncards:\n"
        '  - id: crown\n    name: {en: Crown}\n    action: "you win"\n'
    )
    found = files(rules) | {"duel/charms.yaml": cards}
    found["duel.targi"] = SHEET + "  deck pile: charms\n"
    assert result(start(load("duel", found), Seed(1))).winner == "ann"
