"""docs/program.md is sufficient to write an engine: one written from it plays every sheet alike."""

from __future__ import annotations

import json
from hashlib import blake2b
from pathlib import Path

import pytest

from targi_dsl import Asked, Game, Problems, Seed, State, choices, load, result, start, step
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.ir.program import as_data
from tests.games import compiled
from tests.naive_engine import CHANCE, NaiveEngine
from tests.naive_looks import Fault, Node

SHEETS = Path(__file__).parent.parent / "rules" / "games"
NAMES = sorted(path.stem for path in SHEETS.glob("*.targi"))


def plain(game: Game) -> Node:
    """The program of a game as an engine of another language would read it."""
    data: Node = json.loads(json.dumps(as_data(game.program)))
    return data


def picked(seed: int, turn: int, count: int) -> int:
    """A number below count."""
    digest = blake2b(f"{seed} {turn}".encode(), digest_size=4).digest()
    return int.from_bytes(digest) % count


def seat(naive: NaiveEngine) -> str | None:
    asked = naive.waiting.seat
    if not naive.waiting.options:
        return None
    return "chance" if asked == CHANCE else str(naive.p["players"][asked])


def assert_same(state: State, naive: NaiveEngine, course: str) -> None:
    """Both engines wait at the same position, with the same options."""
    options = naive.waiting.options
    whole = sum(one.weight for one in options) if state.seat == "chance" else 1
    offered = [(one.id, one.weight) for one in choices(state)]
    assert [(one.id, one.weight / whole) for one in options] == offered, course
    assert seat(naive) == state.seat, course
    assert naive.vector() == list(state.vector), course
    if isinstance(state.chance, Seed):
        assert naive.seed == state.chance.number, course


def assert_same_scores(state: State, naive: NaiveEngine) -> None:
    scores = naive.scores()
    assert [sum(row) for row in scores] == list(result(state).scores)
    if state.seat is None:
        winners = [naive.p["players"][player] for player in naive.winners()]
        assert winners == list(result(state).winners)


def answered(naive: NaiveEngine, option: int) -> str:
    """Answers; gives the code of the fault that this comes to."""
    try:
        naive.answer(naive.waiting.options[option])
    except Fault as fault:
        return str(fault)
    return ""


def play_both(name: str, seed: int, asked: bool) -> None:
    """One game in both engines, with the same decisions."""
    game = compiled(name)
    state = start(game, Asked() if asked else Seed(seed))
    naive, course = NaiveEngine(plain(game), None if asked else seed), ""
    assert_same(state, naive, "start")
    for turn in range(5000):
        if state.seat is None:
            break
        chosen = picked(seed, turn, len(state.options))
        course = f"{name} {seed}, {turn}: {choices(state)[chosen].id}"
        fault = answered(naive, chosen)
        if fault:
            with pytest.raises(Problems, match=fault):
                step(state, choices(state)[chosen])
            return
        state = step(state, choices(state)[chosen])
        assert_same(state, naive, course)
        if turn % 10 == 0:
            assert_same_scores(state, naive)
    assert state.seat is None, "the game does not end"
    assert_same_scores(state, naive)


@pytest.mark.parametrize("name", NAMES)
def test_a_game_by_a_seed(name: str) -> None:
    play_both(name, NAMES.index(name), False)


@pytest.mark.parametrize("name", ["bazaar_fair", "dice_race_rough", "expansion", "kuhn_poker"])
def test_a_game_whose_chance_is_asked(name: str) -> None:
    play_both(name, 1, True)


INN = """\
language 2
module inn "An inn"

players ann, bob
resource coins, honey, flour, marks, stars
exchange sell: 1 flour -> 1 coins
exchange barter: 2 flour -> 1 honey

rule setup
  each player
    gain 6 flour

rule round
  each player
    one of
      work: gain 1 coins
      rest: nothing
  end game

standing tithe: when you gain coins: choose n in 1..2 then gain (n) marks
standing feast: when you gain honey: choose n in 1..2 then gain (n) stars

score marks: your marks
"""


def test_a_trigger_that_asks_during_a_free_exchange_is_not_begun_within_itself() -> None:
    """A rule that asks at once is in progress while a player trades before the answer."""
    sheet = 'language 2\ngame inn "An inn"\n  rules inn\n'
    game = load("inn", of_texts({"inn/inn.targi": INN, "inn.targi": sheet}))
    state, naive = start(game, Seed(1)), NaiveEngine(plain(game), 1)
    for chosen in ("work", "barter", "sell", "n 2", "n 1", "rest"):
        option = [one.id for one in choices(state)].index(chosen)
        assert answered(naive, option) == ""
        state = step(state, choices(state)[option])
        assert_same(state, naive, chosen)
    assert state.seat is None
    assert (state.amount("ann", "marks"), state.amount("ann", "stars")) == (1, 2)
