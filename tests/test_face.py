"""The face of a game: events with their rule, results, faults with their place; and that shortcuts change nothing."""

from __future__ import annotations

import timeit
from typing import Any

import pytest

from targi_dsl import load
from targi_dsl.engine import Engine, engine_of, machine, offers, playout, sieves
from targi_dsl.face import Event, choices, play, result, start
from targi_dsl.model import (
    NOTHING,
    Arith,
    Assign,
    Call,
    Const,
    Counted,
    Do,
    EachPlayer,
    EndGame,
    Gain,
    Let,
    Local,
    MoveCards,
    Pay,
    Range,
    Var,
)
from targi_dsl.problems import Problems
from tests.models import ME, Table, ability, ask, card, choose, define, option, place, score, tie

GOLD, POINTS = 0, 1


def counting() -> Table:
    """Each player takes 1 to 3 gold and a point, then the game is over."""
    table = Table(
        resources=("gold", "points"), places=(place("deck"), place("hand")), cards=(card("a", english="Ace"),)
    )
    table.variable("taken", each="player")
    take = Gain(ME, Const(GOLD), Local(2), Const(NOTHING)), Gain(ME, Const(POINTS), Const(1), Const(0))
    deed = *take, Assign(0, ME, Local(2)), MoveCards(Const((0,)), Const(1), False, "")
    turn = table.rule("turn", ask(option("take", *deed, choice=choose(2, Range(Const(1), Const(3))))))
    table.rule("round", EachPlayer(1, Const(0), (Do(turn, ()),)), EndGame(1))
    gold = Var(table.amounts, ME, 0)
    return table.having(
        abilities=(ability("never", of=0),),
        scores=(
            score("points", Var(table.amounts + 2, ME, 0)),
            score("ability", Const(5), of=0),
        ),
        ties=(tie(gold, "most gold"), tie(gold, "least gold", most=False)),
    )


def test_every_event_names_the_rule_that_caused_it() -> None:
    _, events = play(start(counting().game()), "take 2")
    assert events == (
        Event("choose", "turn", "red", "take 2"),
        Event("gain", "turn", "red", "gold", 2),
        Event("gain", "turn", "red", "points", 1, "Ace"),
        Event("set", "turn", "red", "taken", 2, "", "red"),
        Event("move", "turn", "red", "Ace", 1, "deck", "hand"),
    )
    assert [event.text for event in events] == [
        "red: take 2",
        "red gains 2 gold",
        "red gains 1 points (Ace)",
        "taken of red is 2",
        "Ace goes from deck to hand",
    ]


@pytest.mark.parametrize(
    ("red", "blue", "winner", "tiebreak"), [("1", "2", "blue", "most gold"), ("3", "1", "red", "most gold"), ("2", "2",
    None, None)] )  # fmt: skip
def test_a_result_has_parts_winner_and_tie_break(red: str, blue: str, winner: Any, tiebreak: Any) -> None:
    state = start(counting().game())
    assert result(state).winner is None and result(state).scores == (0, 0)
    state = play(play(state, f"take {red}")[0], f"take {blue}")[0]
    ended = result(state)
    assert ended.scores == (1, 1) and ended.breakdown[0] == {"points": 1, "ability": 0}
    assert (ended.winner, ended.tiebreak, ended.ended_by) == (winner, tiebreak, "round")


def test_a_choice_of_another_position_is_refused() -> None:
    state = start(counting().game())
    later, _ = play(state, "take 1")
    assert play(later, choices(state)[0])[0].seat is None, "the same id is offered again"


def test_equal_positions_are_equal_states() -> None:
    game = counting().game()
    one, two = play(start(game), "take 1")[0], play(start(game), "take 1")[0]
    assert one == two and hash(one) == hash(two) and len({one, two, start(game)}) == 2
    assert one != "state"


def test_a_copy_takes_at_most_a_few_microseconds() -> None:
    state = start(load("base"))
    assert min(timeit.repeat(state.copy, number=1000, repeat=5)) / 1000 < 5e-6


# ---- faults -------------------------------------------------------------------------------------------------------


def fault(table: Table, placed: bool = True) -> str:
    with pytest.raises(Problems) as raised:
        start(table.game())
    (problem,) = raised.value.problems
    assert not placed or (problem.span is not None and problem.span.source.name == "test.targi")
    return problem.code


def test_a_rule_without_an_end_is_stopped() -> None:
    table = Table()
    table.rule("round")
    assert fault(table, placed=False) == "E603", "it may be found between two rules"


def test_a_rule_that_does_itself_is_stopped() -> None:
    table = Table()
    table.rule("round", Do(0, ()))
    assert fault(table) == "E604"


def test_a_head_that_asks_itself_is_stopped() -> None:
    table = Table()
    table.rule("round", ask(option("again", ask(option("x", Do(0, ()))))))
    assert fault(table) == "E607"


def test_a_definition_that_asks_itself_is_stopped() -> None:
    table = Table().having(defines=(define("endless", Arith("+", Call(0, (ME,)), Const(1))),))
    table.variable("count")
    table.rule("round", Assign(0, Const(0), Call(0, (ME,))))
    assert fault(table) == "E607"


def test_more_than_256_options_are_a_fault() -> None:
    table = Table()
    many = [option("go", choice=choose(1, Range(Const(1), Const(200)))) for _ in range(2)]
    table.rule("round", ask(*many))
    assert fault(table) == "E609"


def test_a_range_of_more_than_256_is_a_fault() -> None:
    table = Table()
    table.rule("round", ask(option("go", choice=choose(1, Range(Const(1), Const(257))))))
    assert fault(table) == "E610"


def test_a_fault_leaves_the_state_as_it_was() -> None:
    table = Table()
    wide = ask(option("x", choice=choose(1, Range(Const(1), Const(300)))))
    table.rule("round", ask(option("bad", Let(2, Const(1)), EachPlayer(3, ME, (wide,))), option("good", EndGame(0))))
    game = table.game()
    state = start(game)
    before = state.vector[:]
    with pytest.raises(Problems, match="E610"):
        play(state, "bad")
    assert state.vector == before and play(state, "good")[0].seat is None


# ---- shortcuts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["base", "bazaar", "kuhn_poker", "tic_tac_toe", "dice_race"])
def test_shortcuts_change_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Conditions asked for all elements at once, and prohibitions not asked again, are only quicker."""
    game = load(name)
    quick = [playout(game, seed) for seed in range(8)]
    monkeypatch.setattr(sieves, "sieve", lambda *_: None)
    monkeypatch.setattr(offers, "settled", lambda _, body: body)
    monkeypatch.setitem(machine._ENGINES, id(game), Engine(game))
    slow = [playout(game, seed) for seed in range(8)]
    assert [(v[3:], count) for v, count in quick] == [(v[3:], count) for v, count in slow]


@pytest.mark.parametrize("name", ["base", "bazaar"])
def test_options_change_no_position_of_a_whole_game(name: str) -> None:
    game = load(name)
    engine = engine_of(game)

    def pick(v: list[int], options: list[int]) -> int:
        before = v[:]
        assert engine.options(v) == options and v == before
        return options[len(options) // 2]

    assert playout(game, 1, pick)[1] > 20


def test_a_pay_statement_names_what_it_wants() -> None:
    table = Table(resources=("gold", "points"), groups=(("all", (0, 1)),))
    table.rule("setup", *[Gain(ME, Const(one), Const(1), Const(NOTHING)) for one in (0, 1)])
    table.rule("round", Pay(Counted(((2, Const(1)),)), 0, 4, None), EndGame(0))
    assert [choice.id for choice in choices(start(table.game()))] == ["pay gold", "pay points"]
