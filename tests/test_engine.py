"""Statements have the effects that the model specifies, and a position can be stopped, copied and
resumed anywhere.
"""

from __future__ import annotations

from typing import Any

import pytest

from targi_dsl.api import choices, play, result, start
from targi_dsl.api.state import State
from targi_dsl.compiler.load import load
from targi_dsl.engine import Engine, Run, engine_of, playout
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import PieceInfo, Reduction, Terms, Trigger
from targi_dsl.ir.expressions import (
    Arith,
    CardsOn,
    Compare,
    Const,
    Counted,
    Expr,
    Local,
    MakeSet,
    Range,
    TopCard,
    Var,
)
from targi_dsl.ir.game import Game
from targi_dsl.ir.slots import METER
from targi_dsl.ir.statements import (
    Announce,
    Assign,
    Block,
    Do,
    DoAction,
    Each,
    EachPlayer,
    EndGame,
    Forbid,
    Gain,
    If,
    Leave,
    Let,
    Loop,
    MoveCards,
    MovePieces,
    Pay,
    Refresh,
    Reveal,
    Statement,
    Stop,
    Store,
    Turn,
    Use,
)
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.source import Source
from tests.models import (
    ME,
    Table,
    ability,
    ask,
    card,
    choose,
    define,
    forbid,
    ids,
    noted,
    option,
    place,
)

WRITTEN = Source("test.targi", "rule round\n  do this\n").span(13, 20)


def note(table: Table, value: Expr) -> Statement:
    """Appends a digit to the variable `log`."""
    at = next((n for n, one in enumerate(table.variables) if one.name == "log"), None)
    if at is None:
        table.variable("log", high=2**31 - 1)
        at = len(table.variables) - 1
    base = table.variables[at].base
    return Assign(at, Const(0), Arith("+", Arith("*", Var(base, Const(0), 0), Const(10)), value))


def log(state: State) -> int:
    return state.value("log")


def after(state: State, *names: str) -> State:
    for name in names:
        before = state.vector[:]
        following = play(state, name)[0]
        assert state.vector == before, "the argument is unchanged"
        state = following
    return state


# ---- flow ----


def test_if_goes_one_way_or_the_other() -> None:
    table = Table()
    one = If(Const(1), (note(table, Const(1)),), (note(table, Const(2)),))
    two = If(Const(0), (note(table, Const(1)),), (note(table, Const(2)),))
    assert log(noted(table, one, two, note(table, Const(3)))) == 123


def test_each_goes_upwards_and_looks_at_its_set_anew() -> None:
    table = Table()
    grows = If(Compare("is", Local(1), Const(2)), (Let(2, Const(5)),), ())
    state = noted(
        table, Let(2, Const(3)), Each(1, Range(Const(1), Local(2)), (note(table, Local(1)), grows))
    )
    assert log(state) == 12345


def test_each_player_is_you_in_turn_and_then_it_is_the_one_before_again() -> None:
    table = Table(players=("a", "b", "c"))
    body = EachPlayer(1, Const(2), (note(table, Local(1)), note(table, ME)))
    state = noted(table, note(table, Const(9)), body, note(table, ME))
    assert log(state) == 92200110


def test_loop_ends_at_its_limit() -> None:
    table = Table()
    assert log(noted(table, Loop(1, Const(3), (note(table, Local(1)),)))) == 123


def test_loop_ends_when_its_body_is_not_possible() -> None:
    table = Table()
    table.having(forbids=(forbid("twice"),))
    body = (Forbid(0, Compare("more_than", Local(1), Const(2))), note(table, Local(1)))
    assert log(noted(table, Let(1, Const(0)), Loop(1, Const(9), body))) == 12


def test_leave_ends_the_innermost_loop_and_gives_you_back() -> None:
    table = Table()
    inner = EachPlayer(3, Const(1), (note(table, ME), Leave()))
    assert (
        log(
            noted(table, Loop(1, Const(5), (Loop(2, Const(5), (inner,)), note(table, ME), Leave())))
        )
        == 10
    )


def test_stop_leaves_out_the_rest_of_the_rule_alone() -> None:
    table = Table()
    inner = table.rule(
        "inner", Loop(1, Const(2), (note(table, Const(1)), Stop())), note(table, Const(2))
    )
    assert log(noted(table, Do(inner, ()), note(table, Const(3)))) == 13


def test_do_passes_arguments_and_you() -> None:
    table = Table()
    inner = table.rule(
        "inner",
        note(table, ME),
        note(table, Local(1)),
        note(table, Local(2)),
        note(table, Local(3)),
        params=2,
    )
    state = noted(table, EachPlayer(1, Const(1), (Do(inner, (Const(7), Local(1))),)))
    assert log(state) == 17100700


def test_a_game_is_setup_and_then_rounds_until_it_is_ended() -> None:
    table = Table()
    table.variable("count")
    table.rule("setup", Assign(0, Const(0), Const(5)))
    count = table.variables[0].base
    more = Assign(0, Const(0), Arith("+", Var(count, Const(0), 0), Const(1)))
    table.rule(
        "round", more, If(Compare("is", Var(count, Const(0), 0), Const(8)), (EndGame(0),), ())
    )
    state = start(table.game())
    assert state.seat is None and state.value("count") == 8
    assert not choices(state)


def test_a_rule_opens_its_windows() -> None:
    table = Table(extra=2)
    inner = table.rule("inner", opens=(table.windows + 1,))
    table.having(abilities=(ability("one", window=table.windows),))
    state = noted(table, Use(0), Use(0), Do(inner, ()))
    assert state.vector[table.windows : table.windows + 2] == (2, 0)


# ---- questions ----


def test_a_question_with_one_answer_is_not_asked_and_with_two_it_is() -> None:
    table = Table()
    one = ask(option("go", note(table, Local(1)), choice=choose(1, Const((3,)))))
    two = ask(
        option("go", note(table, Local(1)), choice=choose(1, Const((4, 5)))),
        option("stay", note(table, Const(6))),
    )
    state = noted(table, one, two, note(table, Const(7)))
    assert log(state) == 3 and state.seat == "red"
    assert ids(state) == ["go 4", "go 5", "stay"]
    assert log(after(state, "go 5")) == 357
    assert log(after(state, "stay")) == 367


def test_without_an_answer_the_otherwise_is_done_and_without_one_that_is_a_fault() -> None:
    table = Table()
    empty = ask(option("go", choice=choose(1, Const(()))))
    other = ask(option("go", guard=Const(0)), otherwise=(note(table, Const(1)),))
    assert log(noted(table, other, note(table, Const(2)))) == 12
    with pytest.raises(Problems, match=r"E615 `which` cannot be answered[\s\S]*test.targi:2:3"):
        noted(Table(), empty.at(WRITTEN))


def test_a_guard_is_checked_before_the_elements() -> None:
    table = Table()
    first = option("a", guard=Const(0), choice=choose(1, Const((1, 2))))
    state = noted(table, ask(first, option("b"), option("c")))
    assert ids(state) == ["b", "c"]


def test_an_alternative_is_offered_only_if_its_body_is_possible() -> None:
    table = Table(resources=("gold",))
    table.having(forbids=(forbid("odd"),))
    inner = table.rule("inner", Forbid(0, Compare("is", Local(1), Const(2))), params=1)
    body = Let(2, Arith("+", Local(1), Const(0))), Do(inner, (Local(2),))
    state = noted(table, ask(option("take", *body, choice=choose(1, Const((1, 2, 3))))))
    assert ids(state) == ["take 1", "take 3"]


def test_a_head_goes_into_branches_and_rules_and_ends_at_what_changes_anything() -> None:
    table = Table(resources=("gold",))
    table.having(forbids=(forbid("no"),))
    never = Forbid(0, Const(1))
    deep = table.rule("deep", If(Const(1), (never,), ()))
    gain = Gain(ME, Const(0), Const(1), Const(NOTHING))
    state = noted(
        table,
        ask(
            option("branch", If(Const(1), (never,), ())),
            option("other branch", If(Const(0), (), (never,))),
            option("past it", If(Const(0), (never,), ()), never),
            option("rule", Do(deep, ())),
            option("inner question", ask(option("x", never), option("y", guard=Const(0)))),
            option("after a gain", gain, never),
            option("otherwise", ask(otherwise=(gain,))),
            option("nothing"),
        ),
    )
    assert ids(state) == ["after a gain", "otherwise", "nothing"]


def test_options_change_nothing() -> None:
    table = Table()
    table.having(
        forbids=(forbid("no"),), defines=(define("double", Arith("*", Local(1), Const(2))),)
    )
    inner = table.rule(
        "inner", Let(2, Const(5)), Forbid(0, Compare("is", Local(1), Const(2))), params=1
    )
    body = (
        Let(3, Const(9)),
        Do(inner, (Local(1),)),
        ask(option("x", choice=choose(4, Const((1, 2))))),
    )
    state = noted(table, ask(option("take", *body, choice=choose(1, Const((1, 2, 3))))))
    engine, v = engine_of(state.game), list(state.vector)
    assert len(engine.options(v)) == 2
    assert v == list(state.vector)


def nested() -> Game:
    """Two players, two turns each, each turn a question within a rule within a loop."""
    table = Table()
    pick = choose(2, Range(Const(1), Const(3)))
    deep = table.rule("deep", ask(option("deep", note(table, Local(2)), choice=pick)), params=1)
    turn = ask(
        option("shallow", note(table, Const(4))), option("dive", Do(deep, (ME,)), note(table, ME))
    )
    table.rule("round", EachPlayer(1, Const(1), (Loop(4, Const(2), (turn,)),)), EndGame(0))
    return table.game()


def test_a_position_goes_on_after_bytes_in_the_middle_of_nested_questions() -> None:
    game = nested()
    state = start(game)
    for name in ("dive", "deep 2", "shallow", "dive", "deep 3", "dive", "deep 1"):
        again = State.from_bytes(game, state.to_bytes())
        assert again == state and hash(again) == hash(state) and again.seat == state.seat
        state = after(again, name)
    assert log(state) == 2143010 and state.seat is None


def test_the_seat_is_the_player_who_is_asked() -> None:
    state = start(nested())
    seats = []
    while state.seat is not None:
        seats.append(state.seat)
        state = after(state, "shallow")
    assert seats == ["blue", "blue", "red", "red"]


def test_two_options_of_one_name_are_told_apart() -> None:
    state = noted(Table(), ask(option("go"), option("go"), option("go")))
    assert ids(state) == ["go", "go (2)", "go (3)"]


def test_ids_name_what_is_chosen() -> None:
    ring = [place(f"ring {n}", "ring", is_zone=False, number=n) for n in (1, 2)]
    grid = [
        place(f"grid {'ab'[c]}{r + 1}", "grid", is_zone=False, number=r * 2 + c, row=r, column=c)
        for r in range(2)
        for c in range(2)
    ]
    table = Table(
        resources=("gold", "salt"),
        places=(*ring, *grid, place("hand of red")),
        cards=(card("c1", english="Fine Card"), card("c2")),
        values=(("colours", ("green", "grey")),),
    )
    state = noted(
        table,
        ask(
            option("at", choice=choose(1, Const((0, 1, 2, 3, 4, 5, 6)), t.Place())),
            option("card", choice=choose(1, Const((0, 1)), t.Card())),
            option("who", choice=choose(1, Const((0, 1)), t.Player())),
            option("what", choice=choose(1, Const((0, 1)), t.Resource())),
            option("colour", choice=choose(1, Const((0, 1)), t.Value("colours"))),
        ),
    )
    assert ids(state) == [
        *("at ring 1", "at ring 2", "at grid a1", "at grid b1", "at grid a2", "at grid b2"),
        "at hand of red",
        *(
            "card c1",
            "card c2",
            "who red",
            "who blue",
            "what gold",
            "what salt",
            "colour green",
            "colour grey",
        ),
    ]
    assert [choice.text for choice in choices(state) if "card" in choice.id] == [
        "card Fine Card",
        "card c2",
    ]


TWO = Compare("is", Local(1), Const(2))
WITHIN: dict[str, Block] = {
    "a question": (ask(option("x", Forbid(0, TWO))),),
    "what lifts it": (Forbid(1, Const(1)),),
    "a price": (Pay(Counted(((0, Local(1)),)), NOTHING, None),),
    "a reduced price": (Pay(Counted(((0, Const(3)),)), 0, None),),
    "a call": (If(Const(1), (Do(0, (Local(1),)),), ()),),
    "what is counted": (
        Let(2, Arith("-", Local(1), Const(1))),
        Loop(3, Local(2), (note(Table(), Const(1)),)),
    ),
}


@pytest.mark.parametrize(
    ("what", "offered"), [*zip(WITHIN, ("13", "2", "12", "3", "13", "23"), strict=True)]
)
def test_a_head_that_looks_at_what_is_chosen_is_asked_for_each(what: str, offered: str) -> None:
    table = Table(resources=("gold",)).having(abilities=(ability("of all"),))
    lifting = forbid("lifted", (0, TWO))
    reduced = Terms("round", (Reduction(0, 0, Arith("-", Local(1), Const(2)), Const(1)),))
    table.having(forbids=(forbid("no"), lifting), terms=(reduced,))
    table.variable("log", high=2**31 - 1)
    table.rule("inner", Forbid(0, TWO), params=1)
    chosen = option("go", *WITHIN[what], choice=choose(1, Range(Const(1), Const(3))))
    state = noted(table, Gain(ME, Const(0), Const(2), Const(NOTHING)), ask(chosen, option("not")))
    assert ids(state) == [*(f"go {number}" for number in offered), "not"]


def test_what_is_not_offered_is_refused_with_a_hint() -> None:
    state = noted(Table(), ask(option("go west"), option("go east")))
    with pytest.raises(Problems, match=r"E601[\s\S]*Did you mean \"go west\"\?"):
        play(state, "go wst")
    over = after(state, "go west")
    with pytest.raises(Problems, match="E601 the game is over"):
        play(over, "go west")


# ---- changes ----


def test_gain_below_one_does_nothing_and_beyond_the_domain_is_a_fault() -> None:
    table = Table(resources=("gold",), most=5)
    gains = [Gain(Const(1), Const(0), Const(n), Const(NOTHING)) for n in (3, 0, -2, 2)]
    assert noted(table, *gains).amount("blue", "gold") == 5
    one = Gain(Const(1), Const(0), Const(1), Const(NOTHING)).at(WRITTEN)
    with pytest.raises(
        Problems, match=r"E605 gold of blue would become 6[\s\S]*test.targi:2:3[\s\S]*  do this\n"
    ):
        noted(Table(resources=("gold",), most=5), *gains, one)


def test_a_variable_keeps_its_domain() -> None:
    table = Table()
    table.variable("count", low=0, high=3)
    with pytest.raises(Problems, match=r"E605 count would become 4[\s\S]*test.targi:2:3"):
        noted(table, Assign(0, Const(0), Const(3)), Assign(0, Const(0), Const(4)).at(WRITTEN))


def test_pieces_go_to_a_place_or_off_the_board() -> None:
    pieces = (PieceInfo("pawn", "pawn", 0), PieceInfo("rook", "rook", 1))
    table = Table(places=(place("here"), place("there")), pieces=pieces)
    state = noted(
        table, MovePieces(Const((0, 1)), Const(1)), MovePieces(Const((0,)), Const(NOTHING))
    )
    assert state.place_of("pawn") is None and state.place_of("rook") == "there"


def test_store_puts_amounts_on_a_card() -> None:
    table = Table(resources=("gold",), extra=1)
    state = noted(table, Store(table.windows, 0, Const(2)), Store(table.windows, 0, Const(0)))
    assert state.vector[table.windows] == 2


def test_use_counts_for_the_player_when_an_ability_is_everyones() -> None:
    table = Table(extra=2).having(abilities=(ability("all", window=0),))
    table.having(abilities=(ability("all", window=table.windows),))
    state = noted(table, EachPlayer(1, Const(1), (Use(0),)), Use(0))
    assert state.vector[table.windows : table.windows + 2] == (2, 1)


def test_an_action_is_done_with_its_card() -> None:
    table = Table(places=(place("row"),), cards=(card("a"), card("b")))
    act = table.rule("act", note(table, Local(1)), params=1)
    table.having(actions=(NOTHING, act))
    assert log(noted(table, DoAction(Const(0)), DoAction(Const(1)), DoAction(Const(NOTHING)))) == 1


def test_an_announced_rule_has_its_triggers() -> None:
    table = Table()
    body = table.rule("body", note(table, ME))
    table.having(
        abilities=(ability("all"),),
        triggers=(Trigger(0, "do", 1, "anyone", NOTHING, body, NOTHING, Const(1)),),
    )
    assert (
        log(noted(table, EachPlayer(1, Const(1), (note(table, Const(7)), Announce(1))))) == 710701
    )


def test_a_prohibition_is_lifted_and_its_window_used() -> None:
    table = Table(extra=2)
    table.having(
        abilities=(ability("lift", window=table.windows),), forbids=(forbid("no", (0, Const(1))),)
    )
    no = Forbid(0, Const(1))
    once = (no, note(table, Const(1)), Forbid(0, Const(0)), note(table, Const(3)))
    assert log(noted(table, *once)) == 13
    with pytest.raises(Problems, match=r"E615 `no` forbids this[\s\S]*test.targi:2:3"):
        noted(table, no, Forbid(0, Const(1)).at(WRITTEN))


# ---- cards ----


def pile(*cards: str, **changes: Any) -> Table:
    places = (
        place("deck", seen="nobody", facing="down", **changes),
        place("discard"),
        place("hand of red", owner=0, seen="owner", facing="down"),
        place("table", is_zone=False),
    )
    return Table(places=places, cards=tuple(card(one) for one in cards))


TOP = MakeSet((TopCard(Const(0)),))


def test_cards_of_one_place_keep_their_order_on_top_or_under() -> None:
    table = pile("a", "b", "c", "d")
    state = noted(
        table,
        MoveCards(Const((1, 3)), Const(1), False, ""),
        MoveCards(Const((0, 2)), Const(1), True, ""),
    )
    assert state.cards("discard") == ("b", "d", "a", "c") and state.cards("deck") == ()
    assert state.place_of("c") == "discard"


def test_a_card_leaves_the_middle_of_a_pile() -> None:
    table = pile("a", "b", "c")
    assert noted(table, MoveCards(Const((1,)), Const(1), False, "")).cards("deck") == ("a", "c")


def test_who_sees_a_card_comes_to_know_it() -> None:
    table = pile("a", "b", "c", "d")
    state = noted(
        table,
        MoveCards(Const((0,)), Const(2), False, ""),
        MoveCards(Const((1,)), Const(3), False, ""),
        MoveCards(Const((1,)), Const(2), False, ""),
        MoveCards(Const((2,)), Const(3), False, "down"),
    )
    assert [state.knows("red", one) for one in "abcd"] == [True, True, False, False]
    assert [state.knows("blue", one) for one in "abcd"] == [False, True, False, False]
    assert [state.face_up(one) for one in "abcd"] == [False, False, False, False]


def test_turning_and_revealing_tell_everybody() -> None:
    table = pile("a", "b", "c")
    state = noted(
        table,
        MoveCards(Const((0, 1)), Const(3), False, "down"),
        Turn(Const((0,)), True),
        Reveal(Const((1, 2))),
    )
    assert [state.face_up(one) for one in "abc"] == [True, False, False]
    assert all(state.knows(player, one) for player in ("red", "blue") for one in "abc")
    assert not noted(
        pile("a"), MoveCards(Const((0,)), Const(3), False, ""), Turn(Const((0,)), False)
    ).face_up("a")


def test_a_pile_is_refilled_at_once_without_the_card_that_moves() -> None:
    table = pile("a", "b", "c", refill=1, refill_at_once=True)
    state = noted(
        table, MoveCards(Const((0, 1)), Const(1), False, ""), MoveCards(TOP, Const(1), False, "")
    )
    assert sorted(state.cards("deck")) == ["a", "b"] and state.cards("discard") == ("c",)
    assert not any(state.face_up(one) or state.knows("red", one) for one in "ab")


def test_a_pile_is_refilled_when_needed_by_refresh() -> None:
    table = pile("a", "b", refill=1)
    state = noted(
        table,
        Refresh(Const(0)),
        MoveCards(Const((0, 1)), Const(1), False, ""),
        note(table, Const(1)),
        Refresh(Const(0)),
    )
    assert sorted(state.cards("deck")) == ["a", "b"] and state.cards("discard") == ()


def test_a_shuffle_or_refill_is_done_before_what_comes_next() -> None:
    table = pile("a", "b", refill=1)
    state = noted(
        table,
        MoveCards(Const((0, 1)), Const(1), False, ""),
        Refresh(Const(0)),
        MoveCards(TOP, Const(3), False, ""),
    )
    assert len(state.cards("table")) == 1 and len(state.cards("deck")) == 1


# ---- the end ----


def test_playouts_are_the_same_for_the_same_seed() -> None:
    game = nested()
    assert playout(game, 3) == playout(game, 3)
    finals = {tuple(playout(game, seed)[0]) for seed in range(20)}
    assert len(finals) > 5
    v, decisions = playout(game, 1, lambda v, options: options[0])
    assert decisions == 4 and v[game.variables[0].base] == 4444


def test_steps_go_on_from_a_bare_vector() -> None:
    engine, run = engine_of(nested()), Run(start(nested()).chance)
    first = engine.pack(engine.start(run))
    following = engine.answer(engine.open(first), run.options[1], run)
    assert len(run.options) == 3 == len(engine.options(engine.pack(following)))


def test_cards_on_is_used_by_moves() -> None:
    table = pile("a", "b")
    assert noted(table, MoveCards(CardsOn(Const((0,))), Const(3), False, "")).cards("table") == (
        "a",
        "b",
    )
    assert result(start(nested())).winner is None


# ---- what multiplies ----

MANY = 'language 2\nmodule many "Many"\nplayers ann, bob\nresource gold\nspace row: row of 200\n'
SETUP = "score wealth: your gold\nrule setup\n  nothing\n"
DEFINES = "define d0: 1\n" + "".join(f"define d{n}: d{n - 1} + d{n - 1}\n" for n in range(1, 31))
RULES = 'rule r0\n  forbid never: yes because "no"\n' + "".join(
    f"rule r{n}\n  one of\n    x: do r{n - 1}\n    y: do r{n - 1}\n" for n in range(1, 25)
)
SUMS = "sum of sum of sum of sum of 1 for (d in row) for (c in row) for (b in row) for (e in row)"
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
    text = MANY + SETUP + text
    game = load(
        "many",
        {"many/many.targi": text, "many.targi": 'language 2\n\ngame many "Many"\n  rules many\n'},
    )
    with pytest.raises(Problems, match="E603") as raised:
        result(start(game))
    (problem,) = raised.value.problems
    assert problem.span is not None
    assert problem.span.line == text[: text.index(where)].count("\n") + 1


def test_what_multiplies_tells_the_definitions_that_were_worked_out() -> None:
    costly = (
        "define near of s (row): count of (c in row where number of c is less than number of s)\n"
        "define far of s (row): sum of near of c for (c in row where c is not s)\n"
        "define free: (s in row where far of s is at least 9 or near of s is 3)\n"
    )
    text = f"{MANY}{SETUP}{costly}rule round\n  ann gains (count of free) gold\n"
    sheet = 'language 2\n\ngame many "Many"\n  rules many\n'
    with pytest.raises(Problems, match="E603") as raised:
        start(load("many", {"many/many.targi": text, "many.targi": sheet}))
    (problem,) = raised.value.problems
    lines = text.splitlines()
    assert [
        (lines[one.span.line - 1].split()[1].strip(":"), one.text) for one in problem.labels
    ] == [(name, f"then `{name}` is worked out") for name in ("free", "far", "near")]


def test_rounds_without_a_question_are_a_rule_without_end() -> None:
    """Although what the rule looks at in each round is counted too."""
    text = (
        MANY
        + SETUP
        + "rule round\n  if count of (s in row where number of s is 999) is 5: end game\n"
    )
    sheet = 'language 2\n\ngame many "Many"\n  rules many\n'
    with pytest.raises(Problems, match="E603") as raised:
        start(load("many", {"many/many.targi": text, "many.targi": sheet}))
    (problem,) = raised.value.problems
    assert "A rule seems to go on for ever." in problem.text and problem.span is not None


def test_a_round_without_a_question_before_what_multiplies_is_not_blamed() -> None:
    """As when a player had only one choice."""
    text = (
        f"{MANY}{SETUP}variable day: 0 to 9\nrule round\n  set day to day + 1\n"
        f"  if day is 3\n    turn of ann: gain ({SUMS}) gold\n    end game\n"
    )
    sheet = 'language 2\n\ngame many "Many"\n  rules many\n'
    with pytest.raises(Problems, match="which multiplies"):
        start(load("many", {"many/many.targi": text, "many.targi": sheet}))


def of_definitions(count: int, terms: int) -> Game:
    """A game in which each definition adds to the one before."""
    gold = " + your gold" * terms
    defines = "define d0: 1\n" + "".join(
        f"define d{number}: d{number - 1}{gold}\n" for number in range(1, count + 1)
    )
    rules = f"rule round\n  each player: gain (d{count}) gold\n  end game\n"
    sheet = 'language 2\n\ngame many "Many"\n  rules many\n'
    return load("many", {"many/many.targi": MANY + SETUP + defines + rules, "many.targi": sheet})


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
    text = MANY + SETUP + few + ways
    game = load(
        "many",
        {"many/many.targi": text, "many.targi": 'language 2\n\ngame many "Many"\n  rules many\n'},
    )
    state = start(game)
    for _ in range(200):  # together they cost far more than one decision may
        state, _ = play(state, "x")
    assert state.seat == "ann" and state.vector[METER] == 0


def test_what_is_asked_of_a_rule_of_many_conditions_is_compiled_once_for_each() -> None:
    pays = "".join(f"  if heap is {number + 30}: pay {number + 1} gold\n" for number in range(60))
    text = f"""language 2
game many "Many"
players ann, bob
resource gold
variable heap: 0 to 99, starts as 21
rule setup
  each player: gain 3 gold
rule round
  each player
    may as "pay"
      do pay_all
  end game
rule pay_all
{pays}  pay 1 gold
score gold: your gold
"""
    _, decisions = Engine(load("many", {"many.targi": text})).playout(1)
    assert decisions == 2
