"""What goes wrong in a game is told where it is written, and what would take too long ends. What statements,
expressions, payments and abilities do is in the rule tests of tests/language.
"""

from __future__ import annotations

import pytest

from targi_dsl.api import choices, play, result, start
from targi_dsl.engine import Engine, playout
from targi_dsl.ir.game import Game
from targi_dsl.ir.slots import METER
from targi_dsl.text.diagnostics import Problem, Problems
from tests.faulty_games import BEGINNING, CHAIN, DEED, FAULTS, SUMS, game_with
from tests.games import compiled


def fault_of(text: str) -> Problem:
    """What goes wrong in a game with these declarations, from its start to the end that scores."""
    with pytest.raises(Problems) as raised:
        result(start(game_with(text)))
    (problem,) = raised.value.problems
    return problem


def line_of(text: str, where: str) -> int:
    """The line of a passage of a game with these declarations."""
    return (BEGINNING + text[: text.index(where)]).count("\n") + 1


@pytest.mark.parametrize(("text", "where", "code"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_told_where_it_is_written(text: str, where: str, code: str) -> None:
    problem = fault_of(text)
    assert problem.span is not None
    assert (problem.code, problem.span.line) == (code, line_of(text, where))


def test_32_triggers_within_each_other_are_played() -> None:
    chain = CHAIN.partition("resource r32")[0] + "resource r32\n"
    assert start(game_with(chain + DEED.format("gain 1 r0"))).amount("ann", "r32") == 1


def test_what_is_not_offered_is_refused_with_a_hint() -> None:
    state = start(
        game_with(
            "rule round\n  turn of ann\n    one of\n      west: end game\n      east: nothing\n"
        )
    )
    with pytest.raises(Problems, match=r"E601[\s\S]*Did you mean \"west\"\?"):
        play(state, "wst")
    over = play(state, "west")[0]
    assert not choices(over)
    with pytest.raises(Problems, match="E601 the game is over"):
        play(over, "west")


def test_playouts_are_the_same_for_the_same_seed() -> None:
    game = compiled("nim")
    assert playout(game, 3) == playout(game, 3)
    assert len({tuple(playout(game, seed)[0]) for seed in range(20)}) > 5
    assert playout(game, 1, lambda v, options: options[0]) == playout(
        game, 2, lambda v, options: options[0]
    )


# ---- what multiplies ----

DEFINES = "define d0: 1\n" + "".join(f"define d{n}: d{n - 1} + d{n - 1}\n" for n in range(1, 31))
RULES = 'rule r0\n  forbid never: yes because "no"\n' + "".join(
    f"rule r{n}\n  one of\n    x: do r{n - 1}\n    y: do r{n - 1}\n" for n in range(1, 25)
)
SETS = (
    "count of (e in row where count of (b in row where count of (c in row where"
    " number of c is number of b + number of e + 999) is 1) is 1)"
)
MULTIPLYING = {
    "definitions": (DEFINES + "rule round\n  ann gains (d30) gold\n", "ann gains (d30) gold"),
    "definitions in a prohibition": (
        DEFINES
        + "rule round\n  each player\n    choose s in row\n"
        + '    forbid never: d30 is number of s because "no"\n',
        "choose s in row",
    ),
    "definitions in a score": (DEFINES + "score most: d30\nrule round\n  end game\n", "d30\nrule"),
    "heads of rules": (
        RULES + "rule round\n  each player\n    one of\n      x: do r24\n      z: gain 1 gold\n",
        "one of\n      x: do r24\n",
    ),
    "heads of rules asked by a condition": (
        RULES + "rule round\n  turn of ann: if can do r24: gain 1 gold\n",
        "if can",
    ),
    "sets in folds": (f"rule round\n  ann gains ({SUMS}) gold\n", "ann gains (sum"),
    "sets in sets": (f"rule round\n  ann gains ({SETS}) gold\n", "ann gains (count"),
}


@pytest.mark.parametrize(("text", "where"), MULTIPLYING.values(), ids=MULTIPLYING)
def test_what_multiplies_is_a_located_fault(text: str, where: str) -> None:
    problem = fault_of(text)
    assert problem.span is not None
    assert (problem.code, problem.span.line) == ("E603", line_of(text, where))


def test_what_multiplies_tells_the_definitions_that_were_worked_out() -> None:
    costly = (
        "define near of s (row): count of (c in row where number of c is less than number of s)\n"
        "define far of s (row): sum of near of c for (c in row where c is not s)\n"
        "define free: (s in row where far of s is at least 9 or near of s is 3)\n"
    )
    text = f"{costly}rule round\n  ann gains (count of free) gold\n"
    problem, lines = fault_of(text), (BEGINNING + text).splitlines()
    assert problem.code == "E603"
    assert [
        (lines[one.span.line - 1].split()[1].strip(":"), one.text) for one in problem.labels
    ] == [(name, f"then `{name}` is worked out") for name in ("free", "far", "near")]


def test_rounds_without_a_question_are_a_rule_without_end() -> None:
    """Although what the rule looks at in each round is counted too."""
    problem = fault_of(
        "rule round\n  if count of (s in row where number of s is 999) is 5: end game\n"
    )
    assert problem.code == "E603" and problem.span is not None
    assert "rounds have begun since anybody could choose" in problem.text


def test_a_round_without_a_question_before_what_multiplies_is_not_blamed() -> None:
    """As when a player had only one choice."""
    text = (
        f"variable day: 0 to 9\nrule round\n  set day to day + 1\n"
        f"  if day is 3\n    turn of ann: gain ({SUMS}) gold\n    end game\n"
    )
    assert "which multiplies" in fault_of(text).text


def of_definitions(count: int, terms: int) -> Game:
    """A game in which each definition adds to the one before."""
    gold = " + your gold" * terms
    defines = "define d0: 1\n" + "".join(
        f"define d{number}: d{number - 1}{gold}\n" for number in range(1, count + 1)
    )
    rules = f"rule round\n  each player: gain (d{count}) gold\n  end game\n"
    return game_with(defines + rules)


@pytest.mark.parametrize(("count", "terms"), [(1, 250), (12, 10)])
def test_long_sums_and_definitions_of_definitions_are_played(count: int, terms: int) -> None:
    assert start(of_definitions(count, terms)).amount("bob", "gold") == 1


def test_definitions_that_use_one_another_in_too_long_a_row_are_a_problem() -> None:
    with pytest.raises(Problems, match="E106 this is nested too deeply"):
        of_definitions(1000, 30)


def test_what_one_decision_costs_is_not_charged_to_the_next() -> None:
    few = DEFINES.partition("define d13")[0]
    ways = (
        "rule round\n  turn of ann\n    one of\n      x: if d12 is 0: gain 1 gold\n"
        "      y: gain 1 gold\n"
    )
    state = start(game_with(few + ways))
    for _ in range(200):  # together they cost far more than one decision may
        state, _ = play(state, "x")
    assert state.seat == "ann" and state.vector[METER] == 0


def test_what_is_asked_of_a_rule_of_many_conditions_is_compiled_once_for_each() -> None:
    pays = "".join(f"  if heap is {number + 30}: pay {number + 1} gold\n" for number in range(60))
    text = (
        "variable heap: 0 to 99, starts as 21\n"
        'rule round\n  each player\n    gain 3 gold\n    may as "pay"\n      do pay_all\n  end game\n'
        f"rule pay_all\n{pays}  pay 1 gold\n"
    )
    _, decisions = Engine(game_with(text)).playout(1)
    assert decisions == 2
