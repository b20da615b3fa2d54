"""The API of a game: events with their rule, results, faults with their location; and optimizations
change nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from targi_dsl import load
from targi_dsl.api import Event, begin, choices, play, result, start
from targi_dsl.api.state import State
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine import engine_of, playout
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.information.observation import observe
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.expressions import Arith, Call, Const, Counted, Local, Range, Var
from targi_dsl.ir.game import Game
from targi_dsl.ir.statements import Assign, Do, EachPlayer, EndGame, Gain, Let, MoveCards, Pay
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.source import Source
from tests.faulty_games import FAULTY
from tests.games import compiled
from tests.models import ME, Table, ability, ask, card, choose, define, option, place, score, tie
from tests.small_game import FILES, with_change

GOLD, POINTS = 0, 1


def counting() -> Table:
    """Each player takes 1 to 3 gold and a point, then the game is over."""
    table = Table(
        resources=("gold", "points"),
        places=(place("deck"), place("hand")),
        cards=(card("a", english="Ace"),),
    )
    table.variable("taken", each="player")
    take = (
        Gain(ME, Const(GOLD), Local(2), Const(NOTHING)),
        Gain(ME, Const(POINTS), Const(1), Const(0)),
    )
    deed = *take, Assign(0, ME, Local(2)), MoveCards(Const((0,)), Const(1), False, "")
    turn = table.rule(
        "turn", ask(option("take", *deed, choice=choose(2, Range(Const(1), Const(3)))))
    )
    table.rule("round", EachPlayer(1, Const(0), (Do(turn, ()),)), EndGame(1))
    gold = Var(table.amounts, ME, 0)
    return table.having(
        abilities=(ability("never", of=0),),
        scores=(score("points", Var(table.amounts + 2, ME, 0)), score("ability", Const(5), of=0)),
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
def test_a_result_has_parts_winner_and_tie_break(
    red: str, blue: str, winner: Any, tiebreak: Any
) -> None:
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


# ---- faults ----


WRITTEN = Source("test.targi", "rule round\n  each player\n    do this\n")
HERE = WRITTEN.span(WRITTEN.text.index("do this"), len(WRITTEN.text) - 1)


def fault(table: Table) -> str:
    """The code of the fault that stops this game; it is reported at this statement."""
    with pytest.raises(Problems) as raised:
        start(table.game())
    (problem,) = raised.value.problems
    assert problem.span == HERE
    assert "test.targi:3:5" in str(raised.value) and "    do this\n" in str(raised.value)
    return problem.code


def test_a_rule_without_an_end_is_stopped() -> None:
    table = Table()
    table.rule("round")
    with pytest.raises(Problems, match="E603"):  # it may be found between two rules
        start(table.game())


def test_a_rule_that_does_itself_is_stopped() -> None:
    table = Table()
    table.rule("round", EachPlayer(1, ME, (Do(0, ()).at(HERE),)))
    assert fault(table) == "E604"


def test_a_head_that_asks_itself_is_stopped() -> None:
    table = Table()
    table.rule("round", ask(option("again", ask(option("x", Do(0, ()))))).at(HERE))
    assert fault(table) == "E607"


def test_a_definition_that_asks_itself_is_stopped() -> None:
    table = Table().having(defines=(define("endless", Arith("+", Call(0, (ME,)), Const(1))),))
    table.variable("count")
    table.rule("round", Assign(0, Const(0), Const(1)), Assign(0, Const(0), Call(0, (ME,))).at(HERE))
    assert fault(table) == "E607"


def test_more_than_1024_options_are_a_fault() -> None:
    table = Table()
    many = [option("go", choice=choose(1, Range(Const(1), Const(200)))) for _ in range(6)]
    table.rule("round", ask(*many).at(HERE))
    assert fault(table) == "E609"


def test_a_range_of_more_than_256_is_a_fault() -> None:
    table = Table()
    table.rule("round", ask(option("go", choice=choose(1, Range(Const(1), Const(257))))).at(HERE))
    assert fault(table) == "E610"


def test_a_fault_of_what_nobody_wrote_is_told_of_at_the_statement_around_it() -> None:
    table = Table()
    table.variable("count", low=0, high=3)
    table.rule("round", EachPlayer(1, ME, (Assign(0, Const(0), Const(4)),)).at(HERE))
    assert fault(table) == "E605"


def played_with_scores(game: Game) -> None:
    """Plays to the end and looks at the scores before every decision."""
    state = start(game)
    while state.seat is not None:
        result(state)
        state, _ = play(state, choices(state)[0])


@pytest.mark.parametrize(
    ("old", "new", "where", "code"), FAULTY, ids=[row[2].split("\n")[0] for row in FAULTY]
)
def test_a_fault_is_told_of_where_the_statement_stands(
    old: str, new: str, where: str, code: str
) -> None:
    """One that comes up while it is asked whether something is possible: where that is asked."""
    files = with_change("pond/pond.targi", old, new)
    text = files["pond/pond.targi"]
    with pytest.raises(Problems) as raised:
        played_with_scores(load("pond", of_texts(files)))
    (problem,) = raised.value.problems
    assert problem.code == code and problem.span is not None
    before, _, _ = text.partition(where)
    assert (problem.span.line, problem.span.column) == (
        before.count("\n") + 1,
        len(before) - before.rfind("\n"),
    )


def test_a_fault_leaves_the_state_as_it_was() -> None:
    table = Table()
    wide = ask(option("x", choice=choose(1, Range(Const(1), Const(300)))))
    table.rule(
        "round",
        ask(
            option("bad", Let(2, Const(1)), EachPlayer(3, ME, (wide,))), option("good", EndGame(0))
        ),
    )
    game = table.game()
    state = start(game)
    before = state.vector[:]
    with pytest.raises(Problems, match="E610"):
        play(state, "bad")
    assert state.vector == before and play(state, "good")[0].seat is None


# ---- looking changes nothing ----


@pytest.mark.parametrize("name", ["base", "bazaar"])
def test_options_change_no_position_of_a_whole_game(name: str) -> None:
    game = compiled(name)
    engine = engine_of(game)

    def pick(v: list[int], options: list[int]) -> int:
        before = v[:]
        assert engine.options(v) == options and v == before
        return options[len(options) // 2]

    assert playout(game, 1, pick)[1] > 20


def test_a_pay_statement_names_what_it_wants() -> None:
    table = Table(resources=("gold", "points"), groups=(("all", (0, 1)),))
    table.rule("setup", *[Gain(ME, Const(one), Const(1), Const(NOTHING)) for one in (0, 1)])
    table.rule("round", Pay(Counted(((2, Const(1)),)), 0, None), EndGame(0))
    assert [choice.id for choice in choices(start(table.game()))] == ["pay gold", "pay points"]


# ---- from Python ----


def test_the_examples_of_the_page_on_python_run_one_after_the_other(
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = (Path(__file__).parent.parent / "docs" / "python.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(examples) == page.count("\n```") // 2 == 21
    names: dict[str, Any] = {}
    for example in examples:
        exec(example, names)
    assert {
        "load",
        "start",
        "choices",
        "play",
        "why_not",
        "observe",
        "sample",
        "result",
        "replay",
    } <= set(names)
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "unknown module `bass`" and "[]" not in printed


def test_all_names_of_the_package_are_there() -> None:
    import targi_dsl

    for name in targi_dsl.__all__:
        assert getattr(getattr(targi_dsl, name), "__name__", name) in (name, "Callable")
    assert {"Event", "Game", "Observation", "Result", "Stream"} <= set(dir(targi_dsl))
    assert (Path(targi_dsl.__file__).parent / "py.typed").is_file()


def test_all_names_of_the_package_are_on_the_page_on_python() -> None:
    import targi_dsl

    page = (Path(__file__).parents[1] / "docs/python.md").read_text(encoding="utf-8")
    written = {*re.findall(r"\w+", page)}
    assert not {*targi_dsl.__all__} - written


def test_an_option_that_is_no_text_is_refused() -> None:
    with pytest.raises(Problems, match="option `own_opposite` cannot be `3`"):
        load("base", options={"own_opposite": 3})  # type: ignore[dict-item]  # it is what a caller without types may do


def test_what_lies_on_a_space_and_what_a_variable_is_for_are_asked_by_name() -> None:
    kalah = start(compiled("kalah"), Seed(1))
    seeds = observe(kalah, kalah.game.players[0]).describe()["variables"]["seeds on pit"]
    assert {name: kalah.amount(name, "seeds") for name in seeds} == seeds
    auction = start(compiled("auction"), Seed(1))
    assert [auction.value("bid", seat) for seat in auction.game.players] == [0, 0, 0]


def test_texts_in_memory_are_found_before_the_shipped() -> None:
    assert load("pond", FILES).hash == load("pond", of_texts(FILES)).hash


@pytest.mark.parametrize(
    ("ask_for", "told"),
    [
        (lambda state: state.cards("nowhere"), "no place `nowhere` in base"),
        (lambda state: state.amount("nobody", "gold"), "no player `nobody` in base"),
        (lambda state: state.amount("blue", "silk"), "no resource `silk` in base"),
        (lambda state: state.value("luck"), "no variable `luck` in base"),
        (lambda state: state.amount("border 3", "gold"), "and nothing else with gold"),
        (lambda state: state.value("starter", "blue"), "no starter of `blue` in base"),
        (lambda state: state.value("starter", 1), "starter of base is for 1"),
        (lambda state: state.place_of("nothing"), "no card or piece `nothing` in base"),
        (lambda state: state.face_up("nothing"), "no card `nothing` in base"),
        (
            lambda state: state.knows("nobody", state.cards("tribe_pile")[0]),
            "no player `nobody` in base",
        ),
        (lambda state: observe(state, "blue").cards("nowhere"), "no place `nowhere` in base"),
    ],
)
def test_what_a_game_does_not_have_is_named(ask_for: Callable[[State], object], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        ask_for(start(compiled("base")))


def test_events_name_rules_as_declared_and_values_by_their_names() -> None:
    game, told = compiled("bazaar"), set[str]()
    for seed in range(4):
        state, stream = start(game, Seed(seed)), Stream(seed)
        while state.seat is not None:
            offered = choices(state)
            state, events = play(state, offered[stream.below(len(offered))])
            told |= {event.text for event in events if event.kind == "set"}
            assert {event.rule for event in events} <= {rule.declared for rule in game.rules} | {""}
            assert not any(event.rule.endswith(" itself") for event in events)
    assert any(re.fullmatch(r"visits of square \d is \d+", one) for one in told)
    assert "leader is emerald" in told and not any("leader is 1" in one for one in told)


def test_a_seed_that_is_only_a_number_is_refused() -> None:
    number: Any = 5
    for begun in (start, begin):
        with pytest.raises(TypeError, match=r"not int; write `Seed\(5\)`"):
            begun(load("nim"), number)
