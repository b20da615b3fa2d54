"""Whose turn it is, who acts in a sentence, and how often something is done."""

from __future__ import annotations

import pytest

from targi_dsl.api import choices, play, result, start
from targi_dsl.api.state import State
from targi_dsl.compiler.load import check
from targi_dsl.engine.chance import Seed
from targi_dsl.ir.game import Game
from targi_dsl.text.diagnostics import Problem, render
from tests.texts import game_text

RULES = game_text("trade.targi")
SHEET = 'language 2\ngame trade "Trade"\n  rules trade\n'


def checked(lines: str) -> tuple[Game | None, tuple[Problem, ...]]:
    body = "\n".join(f"  {line}" for line in lines.splitlines())
    texts = {"rules/trade/trade.targi": RULES.format(body), "rules/games/trade.targi": SHEET}
    return check("trade", texts)


def begun(lines: str) -> State:
    """The game at its first question, or over."""
    game, problems = checked(lines)
    assert game is not None, render(problems)
    return start(game, Seed(1))


def after(lines: str, *ids: str) -> State:
    """The game after these choices."""
    state = begun(lines)
    for one in ids:
        assert one in [choice.id for choice in choices(state)]
        state, _ = play(state, one)
    return state


def have(state: State, resource: str = "coins") -> tuple[int, ...]:
    return tuple(state.amount(player, resource) for player in ("ann", "ben", "cem"))


def ids(state: State) -> list[str]:
    return [one.id for one in choices(state)]


# ---- subjects ----


def test_words_are_of_whoever_speaks_and_the_deed_is_of_the_subject() -> None:
    turn = "turn of ann\n  gain 4 coins\n  ben pays 1 coins\n  ben does take with your coins"
    assert have(after(turn)) == (7, 3 - 1 + 7, 3)


def test_what_stands_after_otherwise_is_done_by_whoever_speaks() -> None:
    line = "turn of ann: ben pays {0} coins otherwise gain 5 coins"
    assert have(after(line.format(3))) == (3, 0, 3)
    assert have(after(line.format(4))) == (8, 3, 3)


def test_the_subject_chooses_and_the_rest_is_yours() -> None:
    block = "turn of ann\n  next of you chooses n in 1..3 where n is not 2\n  gain (n) coins"
    state = begun(block)
    assert state.seat == "ben"
    assert len(ids(state)) == 2
    state, _ = play(state, ids(state)[1])
    assert have(state) == (6, 3, 3)


def test_a_group_is_chosen_by_whoever_gains_or_loses() -> None:
    assert begun("turn of ann: ben gains 1 fruits").seat == "ben"
    state = begun("turn of ann: ben loses 1 fruits")
    assert state.seat == "ben"
    assert len(ids(state)) == 2


def test_nobody_does_what_nobody_is_there_for() -> None:
    lines = "turn of ann\n  buyer gains 1 coins\n  buyer pays 9 coins\nturn of buyer: gain 9 coins"
    assert have(after(lines)) == (3, 3, 3)


def test_a_deed_is_offered_only_if_the_subject_can_do_it() -> None:
    ways = (
        "turn of ann\n  one of\n    poor: ben pays 4 coins\n    rich: gain 1 coins\n    x: nothing"
    )
    assert ids(begun(ways)) == ["rich", "x"]


# ---- lose ----


def test_as_many_are_lost_as_there_are() -> None:
    state = after("turn of ann: lose 9 coins and 1 figs\nben loses 2 coins")
    assert (have(state), have(state, "figs")) == ((0, 1, 3), (1, 2, 2))


def test_of_a_group_unit_by_unit_is_lost() -> None:
    state = begun("turn of ann: lose 9 fruits")
    while ids(state):
        state, _ = play(state, ids(state)[0])
    assert (have(state, "figs"), have(state, "nuts")) == ((0, 2, 2), (0, 1, 1))


@pytest.mark.parametrize(("most", "left"), [(0, (0, 1)), (2, (2, 1)), (9, (3, 1))])
def test_what_is_more_than_that_goes_back(most: int, left: tuple[int, int]) -> None:
    state = after(f"turn of ann: keep at most {most} coins and 1 nuts")
    assert (state.amount("ann", "coins"), state.amount("ann", "nuts")) == left


# ---- repeat, otherwise if ----


def test_how_often_is_asked_once() -> None:
    assert have(after("turn of ann: repeat (your coins) times: gain 1 coins"))[0] == 6
    assert have(after("turn of ann: repeat (your coins - 9) times: gain 1 coins"))[0] == 3
    assert have(after("turn of ann: repeat 2 times: gain 1 coins then gain 1 figs"))[0] == 5


def test_until_is_asked_before_every_turn() -> None:
    lines = "repeat until day is 4\n  set day to day + 1\n  ann gains 1 coins"
    assert have(after(lines))[0] == 7
    assert have(after("repeat until day is 0: ann gains 1 coins"))[0] == 3


@pytest.mark.parametrize(("day", "coins"), [(1, 4), (2, 5), (3, 6)])
def test_the_first_condition_that_holds_counts(day: int, coins: int) -> None:
    lines = (
        f"set day to {day}\nif day is 1: ann gains 1 coins\n"
        "otherwise if day is at most 2\n  ann gains 2 coins\notherwise: ann gains 3 coins"
    )
    assert have(after(lines))[0] == coins


# ---- by turns ----

AUCTION = """\
by turns from seller until day is 3
  one of
    bid:
      set day to day + 1
      set buyer to you
    pass: pass
  gain 1 coins"""


def test_turns_go_round_and_whoever_has_passed_is_out() -> None:
    state = begun(AUCTION)
    seats = []
    for wanted in ("bid", "pass", "bid", "bid"):
        seats.append(state.seat)
        state, _ = play(state, wanted)
    assert seats == ["cem", "ann", "ben", "cem"]
    assert have(state) == (3, 4, 5)


def test_turns_are_over_when_nobody_is_left_and_passing_ends_a_turn() -> None:
    assert have(after(AUCTION, "pass", "bid", "pass", "pass")) == (4, 3, 3)


def test_until_is_said_by_whoever_speaks_above() -> None:
    lines = "turn of ann\n  by turns from ben until your coins is 5\n    ann gains 1 coins"
    assert have(after(lines))[0] == 5


# ---- the games ----


def test_a_game_of_each_ends_and_pays() -> None:
    for name in ("pig", "lots"):
        game, _ = check(name)
        assert game is not None
        state = start(game, Seed(3))
        while ids(state):
            state, _ = play(state, ids(state)[-1])
        assert result(state).scores
