"""Sentences of the language page about how two features interact, each played in a small game."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from targi_dsl.api import choices, play, start
from targi_dsl.api.state import State
from targi_dsl.compiler.load import check, load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed
from targi_dsl.text.diagnostics import Problems
from tests.texts import game_text

RULES = game_text("mill.targi")
SHEET = 'language 2\ngame mill "Mill"\n  rules mill\n  deck pile: mill_millers\n'
CARD = '  - id: miller_{number}\n    name: {{en: Miller {number}}}\n    ability: "{ability}"\n'


def texts_of(work: str, *abilities: str, rules: str = RULES) -> Mapping[str, str]:
    """The files of a game with this rule for work, in which Ann's millers have these abilities."""
    cards = "".join(
        CARD.format(number=number, ability=text)
        for number, text in enumerate(abilities or ("once: nothing",))
    )
    lines = "\n".join(f"  {line}" for line in work.splitlines())
    return {
        "mill/mill.targi": rules.replace("{work}", lines),
        "mill/mill_millers.yaml": (
            "language: 2\nset: mill_millers\nkind: miller\nsource: seed\ncards:\n" + cards
        ),
        "mill.targi": SHEET,
    }


def mill(work: str, *abilities: str, rules: str = RULES) -> State:
    """Ann's first choice: to work or to rest."""
    return start(load("mill", of_texts(texts_of(work, *abilities, rules=rules))), Seed(1))


def after(state: State, *ids: str) -> State:
    for one in ids:
        state, _ = play(state, one)
    return state


def offered(state: State) -> list[str]:
    return [one.id for one in choices(state)] if state.seat == "ann" else []


def test_a_gain_is_one_event_and_of_a_group_one_for_each_unit() -> None:
    state = mill("gain 2 grain", "when you gain grain: gain 1 sacks")
    assert after(state, "work", "gain wheat", "gain wheat").amount("ann", "sacks") == 2
    state = mill("gain 3 rye", "when you gain grain: gain 1 sacks")
    assert after(state, "work").amount("ann", "sacks") == 1


def test_of_several_cards_that_change_a_definition_the_last_counts() -> None:
    state = mill(
        "gain (load_limit) sacks", "always: load_limit becomes 5", "always: load_limit becomes 3"
    )
    assert after(state, "work").amount("ann", "sacks") == 3


def test_each_payment_of_a_head_is_looked_at_by_itself() -> None:
    assert "work" in offered(mill("pay 2 coins\npay 1 coins\ngain 1 sacks"))
    assert offered(mill("pay 2 coins and 1 coins\ngain 1 sacks")) == []
    with pytest.raises(Problems, match="E615 `pay` cannot be answered"):
        after(mill("pay 2 coins\npay 1 coins\ngain 1 sacks"), "work")


@pytest.mark.parametrize(
    "loop",
    ["up to 2 times\n  {}", "any number of times\n  {}", "any of these in any order\n  trade: {}"],
)
def test_a_loop_at_the_head_must_have_something_to_begin_with(loop: str) -> None:
    assert "work" in offered(mill(loop.format("2 coins -> 1 sacks")))
    assert offered(mill(loop.format("3 coins -> 1 sacks"))) == []


def test_may_at_the_head_never_stands_in_the_way() -> None:
    assert "work" in offered(mill("may\n  3 coins -> 1 sacks"))


def test_without_a_scope_a_trigger_is_always_there() -> None:
    state = after(mill("gain 1 wheat", "when you gain wheat: gain 1 sacks"), "work")
    assert state.amount("ann", "sacks") == 1


@pytest.mark.parametrize(
    ("shape", "spaces"), [("grid 1 by 3", ["a1", "b1", "c1"]), ("grid 3 by 1", ["a1", "a2", "a3"])]
)
def test_the_spaces_of_a_narrow_grid_are_called_as_those_of_any(
    shape: str, spaces: list[str]
) -> None:
    game = {
        "mill/mill.targi": (
            f"language 2\nmodule mill\nplayers ann, ben\nspace yard: {shape}\npiece cart: 1 for"
            " each player\nrule setup\n  nothing\nrule round\n  each player\n    choose spot in"
            " yard\n    place cart on spot\n    you win\n"
        ),
        "mill.targi": 'language 2\ngame mill "Mill"\n  rules mill\n',
    }
    state = start(load("mill", of_texts(game)), Seed(1))
    assert [one.id.split()[-1] for one in choices(state)] == spaces
    assert [place.name for place in state.game.places if place.region == "yard"] == [
        f"yard {one}" for one in spaces
    ]


@pytest.mark.parametrize(
    ("space", "neighbours"), [("first yard of ann", 1), ("space 2 of (yard of ann)", 2)]
)
def test_spaces_of_a_row_have_neighbours(space: str, neighbours: int) -> None:
    assert after(mill(f"gain (count of neighbours of {space}) sacks"), "work").amount(
        "ann", "sacks"
    ) == (neighbours)


@pytest.mark.parametrize(("size", "neighbours"), [(1, 0), (2, 1), (3, 2), (5, 2)])
def test_spaces_of_a_ring_have_the_next_and_the_previous_one_as_neighbours(
    size: int, neighbours: int
) -> None:
    rules = RULES.replace("row of 3", f"ring of {size}")
    state = mill("gain (count of neighbours of first yard of ann) sacks", rules=rules)
    assert after(state, "work").amount("ann", "sacks") == neighbours


def test_values_of_two_lists_make_no_set() -> None:
    lists = RULES.replace(
        "card miller", "values wind: calm, storm\nvalues day: sun, rain\n\ncard miller"
    )
    with pytest.raises(Problems) as error:
        mill("forbid odd: any (wind plus day)", rules=lists)
    assert [one.code for one in error.value.problems] == ["E301"]


RANGES = RULES.replace(
    "zone pile", "variable tally: 0 to 9\nvariable pips for each player: 0 to 6\nzone pile"
)


def warned(work: str) -> list[tuple[str, str, str]]:
    """Code, text and hint of every warning about Ann's work, but that something is in vain or has no end."""
    _, problems = check("mill", of_texts(texts_of(work, rules=RANGES)))
    return [(one.code, one.text, one.hint) for one in problems if one.code not in ("W919", "W921")]


@pytest.mark.parametrize(
    ("work", "text", "hint"),
    [
        (
            "any number of times\n  set tally to tally + 1",
            (
                "In one round it can go up by 100, but `tally` is from 0 to 9. Add a condition, or"
                " widen the range:"
            ),
            "variable tally: 0 to 109",
        ),
        (
            "each step in 1..8\n  set tally to tally - 2",
            ("In one round it can go down by 32, but `tally` is from 0 to 9. Add a condition."),
            "",
        ),
        (
            "set pips of you to tally + 1",
            "This is from 1 to 10, but `pips` is from 0 to 6.",
            "variable pips for each player: 0 to 10",
        ),
    ],
)
def test_a_variable_that_can_leave_its_range_is_warned_of(work: str, text: str, hint: str) -> None:
    assert warned(work) == [("W903", text, hint)]


@pytest.mark.parametrize(
    "work",
    [
        "set tally to tally + 1",
        "any number of times\n  if tally is less than 9: set tally to tally + 1",
        "set pips of you to count of players",
        "set pips of you to your coins",
    ],
)
def test_a_variable_that_is_kept_in_its_range_is_not_warned_of(work: str) -> None:
    assert warned(work) == []
