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
from targi_dsl.ir.game import Game
from targi_dsl.text.diagnostics import Problems
from tests.faulty_games import FAULTY, game_with
from tests.games import compiled
from tests.small_game import FILES, with_change
from tests.texts import game_text

FILES_OF_COUNTING = {
    "counting.targi": game_text("counting.targi"), "counting/aces.yaml": game_text("aces.yaml")
}  # fmt: skip


def counting() -> State:
    """Each player is going to take 1 to 3 gold and a point; then the game is over."""
    return start(load("counting", FILES_OF_COUNTING))


def test_every_event_names_the_rule_that_caused_it() -> None:
    _, events = play(counting(), "turn 2")
    assert events == (
        Event("choose", "turn", "red", "turn 2"),
        Event("gain", "turn", "red", "gold", 2),
        Event("gain", "ace", "red", "points", 1, "Ace"),
        Event("set", "turn", "red", "taken", 2, "", "red"),
        Event("move", "turn", "red", "Ace", 1, "stock", "hand"),
    )
    assert [event.text for event in events] == [
        "red: turn 2",
        "red gains 2 gold",
        "red gains 1 points (Ace)",
        "taken of red is 2",
        "Ace goes from stock to hand",
    ]


@pytest.mark.parametrize(
    ("red", "blue", "winner", "tiebreak"), [("1", "2", "blue", "most your gold"), ("3", "1", "red", "most your gold"), ("2", "2",
    None, None)] )  # fmt: skip
def test_a_result_has_parts_winner_and_tie_break(
    red: str, blue: str, winner: Any, tiebreak: Any
) -> None:
    state = counting()
    assert result(state).winner is None and result(state).scores == (0, 0)
    state = play(play(state, f"turn {red}")[0], f"turn {blue}")[0]
    ended = result(state)
    assert ended.scores == (1, 1) and ended.breakdown[0] == {"points": 1, "ace": 0}
    assert (ended.winner, ended.tiebreak, ended.ended_by) == (winner, tiebreak, "round")


def test_a_choice_of_another_position_is_refused() -> None:
    state = counting()
    later, _ = play(state, "turn 1")
    assert play(later, choices(state)[0])[0].seat is None, "the same id is offered again"


def test_equal_positions_are_equal_states() -> None:
    begun = counting()
    one, two = play(begun, "turn 1")[0], play(start(begun.game), "turn 1")[0]
    assert one == two and hash(one) == hash(two) and len({one, two, begun}) == 2
    assert one != "state"


# ---- faults ----


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
    bad = "bad: gain 1 gold then turn of bob: choose n in 1..(your gold + 1300)"
    text = f"rule round\n  turn of ann\n    one of\n      {bad}\n      good: nothing\n  end game\n"
    state = start(game_with(text))
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
