"""What is offered is carried out whole: the games of tests/corpus/payments.txt, in which players make
every free exchange, pay in the midst of actions and lose what lowers a price. A game that can reach a
payment which is impossible gives a warning; all others are played without a fault.
"""

from __future__ import annotations

import pytest

from bench.soak import PLAYERS, Soak
from targi_dsl import Problems, Seed, Stream, choices, play, start
from targi_dsl.compiler.load import check
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.ir.game import Game
from targi_dsl.text.diagnostics import render
from targi_dsl.tools.invariants import hold
from tests.corpus import Case, Trial, cases

GAMES = {
    "what is offered is carried out": 12,
    "no ability prevents a payment": 12,
    "a payment may be impossible": 16,
    "an ability sets off an impossible exchange": 40,
    "an ability makes an exchange costly": 40,
}
"""For each heading, after how many games a fault has shown itself."""


def checked(case: Case) -> tuple[Game, list[str]]:
    """The game of a case, and the codes of its warnings."""
    trial = Trial.of(case)
    game, problems = check(trial.game, of_texts(trial.files))
    assert game is not None, render(problems)
    return game, [one.code for one in problems]


def faults(game: Game, games: int) -> list[str]:
    """The codes of the faults in some games of players who like exchanges and rare choices."""
    soak, found = Soak(game), list[str]()
    for seed in range(games):
        stream, state = Stream(seed), start(game, Seed(seed))
        try:
            while offered := choices(state):
                after, events = play(state, soak.choose(PLAYERS[seed % 4], offered, stream))
                hold(state, events, after)
                state = after
        except Problems as problems:
            found += [one.code for one in problems.problems]
    return found


@pytest.mark.parametrize(
    "case", [one for one in cases("payments") if one.heading in GAMES], ids=Case.name
)
def test_a_payment_is_impossible_only_where_that_is_warned_of(case: Case) -> None:
    game, codes = checked(case)
    wanted = {"E615"} if {"W913", "W914"} & {*codes} else set[str]()
    assert {*faults(game, GAMES[case.heading])} == wanted


def test_a_payment_without_a_line_end_is_mended_too() -> None:
    *_, case = (one for one in cases("payments") if one.said.startswith("W913"))
    trial = Trial.of(case)
    files = {name: text.rstrip("\n") for name, text in trial.files.items()}
    (problem,) = check(trial.game, of_texts(files))[1]
    assert (problem.code, problem.hint) == ("W913", "pay 3 flour otherwise stop")
