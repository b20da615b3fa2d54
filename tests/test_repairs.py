"""Habits from elsewhere get the phrase used here; no repair is shown that fails."""

from __future__ import annotations

from collections import Counter

import pytest

from targi_dsl import cardfiles
from targi_dsl.cardfiles import CardCache, CardFile, read_cards
from targi_dsl.compiler.load import check
from targi_dsl.compiler.project import cache
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.syntax import File, ParseCache, read_file
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.edits import applied
from targi_dsl.text.source import Source
from tests.small_game import FILES, RULES

MODULE = "pond/pond.targi"

# A line of a rule, and how it is said here; nothing where only a phrase can be told.
LINES = [
    ("spend 1 twigs", "pay 1 twigs"),
    ("spend 1 twig", ""),
    ("you gain 1 twigs", "gain 1 twigs"),
    ("you may gain 1 twigs", "may (gain 1 twigs)"),
    ("receive 2 twigs", "gain 2 twigs"),
    ("gain a twigs", "gain 1 twigs"),
    ("gain the twigs", "gain 1 twigs"),
    ("gain two twigs", "gain 2 twigs"),
    ("gain twigs and 2 fame", "gain 1 twigs and 2 fame"),
    ("gain 1 twigs, 2 fame", "gain 1 twigs and 2 fame"),
    ("gain 1 twigs per frog", "gain (count of frog) twigs"),
    ("gain 2 twigs for each frog on s", "gain (2 * count of frog on s) twigs"),
    ("gain 3 victory points", ""),
    ("draw 2 cards from plan_pile to your hand", "draw 2 from plan_pile to your hand"),
    ("draw 2 cards", ""),
    ("discard hand", ""),
    ("put top of plan_pile into your hand", "put top of plan_pile on your hand"),
    ("place frog at s", "place frog on s"),
    ("place a frog on s", "place frog on s"),
    ("place 2 frog on s", "repeat 2 times: place frog on s"),
    ("remove frog from s", "remove frog on s"),
    ("take back frog from s", "remove your frog on s"),
    ("flip card on s", "turn card on s face up"),
    ("mix plan_pile", "shuffle plan_pile"),
    ("shuffle the plan_pile", "shuffle plan_pile"),
    ("reveal the top card of plan_pile", "reveal top of plan_pile"),
    ("choose a plan from your hand", "choose plan in your hand"),
    ("for each plan in your hand: gain 1 twigs", "each plan in your hand: gain 1 twigs"),
    ("all players gain 1 twigs", "each player: gain 1 twigs"),
    ("if day = 3 then gain 1 twigs", "if day is 3: gain 1 twigs"),
    ("if day >= 3: gain 1 twigs", "if day is at least 3: gain 1 twigs"),
    ("if you have 3 twigs: gain 1 fame", "if your twigs is at least 3: gain 1 fame"),
    ("if there is a frog on s: gain 1 fame", "if any frog on s: gain 1 fame"),
    ("unless day is 3: gain 1 fame", "if not day is 3: gain 1 fame"),
    ("increase day by 1", "set day to day + 1"),
    ("day += 1", "set day to day + 1"),
    ("roll a die", "roll thrown from 1 to 6"),
    ("roll n from 1..6", "roll n from 1 to 6"),
    ("do draw_plan()", "do draw_plan"),
    ("do draw_plan(3)", ""),
    ("call draw_plan", "do draw_plan"),
    ("draw_plan", "do draw_plan"),
    ("do draw_plan twice", "repeat 2 times: do draw_plan"),
    ("return", "stop"),
    ("pay 2 twigs to opponent", ""),
    ("while day is 3: gain 1 twigs", "repeat until not day is 3: gain 1 twigs"),
    (
        "opponent draws 1 from plan_pile to your hand",
        "turn of opponent: draw 1 from plan_pile to your hand",
    ),
    ("opponent must pay 1 twigs", ""),
]
# A part of a line that can be read, and what stands in its place.
PHRASES = [
    ("top of plan_pile is plan", "top of plan_pile is a plan"),
    ("your hand is empty", "no your hand"),
    ("your frog stands on s", "define tried of s (shore): 1 if your frog is on s"),
    ("sort of card on s is reed or lily", "sort of card on s is reed or sort of card on s is lily"),
    ("day is 6 or more", "day is at least 6"),
    ("any your hnad", "Did you mean `hand`?"),
    ("any hand", "your hand"),
    ("frog on s", "any frog on s"),
    ("any frogs on s", "Did you mean `frog`?"),
    ("day is dya", "Did you mean `day`?"),
    ("day is red", ""),
]


def problems(text: str) -> tuple[Problem, ...]:
    _, found = check("pond", of_texts({**FILES, MODULE: text}))
    return tuple(one for one in found if one.severity == "error")


def the_fault(text: str) -> Problem:
    (fault,) = problems(text)
    if fault.edits:
        assert problems(applied(fault.edits)) == ()
    return fault


@pytest.mark.parametrize(("line", "here"), LINES, ids=[line for line, _ in LINES])
def test_what_people_write_gets_the_phrase_that_says_it_here(line: str, here: str) -> None:
    fault = the_fault(f"{RULES}rule tried\n  choose s in shore\n  {line}\n")
    assert fault.hint == here
    assert bool(fault.edits) is bool(here)
    assert here or not fault.text.endswith("Write:")


@pytest.mark.parametrize(("phrase", "here"), PHRASES, ids=[phrase for phrase, _ in PHRASES])
def test_a_hint_of_the_checker_is_checked_too(phrase: str, here: str) -> None:
    fault = the_fault(f"{RULES}define tried of s (shore): 1 if {phrase}\n")
    assert fault.hint == here


def test_repairs_of_several_faults_are_checked_each_by_itself() -> None:
    lines = ("spend 1 twigs", "spend 1 twiggs", "you gain 1 fame")
    rules = "".join(f"rule tried_{at}\n  {line}\n" for at, line in enumerate(lines))
    assert [one.hint for one in problems(RULES + rules)] == ["pay 1 twigs", "", "gain 1 fame"]


def test_what_a_repair_leaves_as_it_was_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    files, cards = list[str](), list[str]()

    def noted_file(source: Source, cache: ParseCache | None = None) -> File:
        files.append(source.name)
        return read_file(source, cache)

    def noted_cards(
        source: Source, cache: CardCache | None = None
    ) -> tuple[CardFile | None, list[Problem]]:
        cards.append(source.name)
        return read_cards(source, cache)

    monkeypatch.setattr(cache, "read_file", noted_file)
    monkeypatch.setattr(cardfiles, "read_cards", noted_cards)
    assert the_fault(f"{RULES}rule tried\n  spend 1 twigs\n").hint == "pay 1 twigs"
    # Once as it is; the module as it would be; then as it is when the hint has been pasted.
    assert Counter(files) == {MODULE: 3, "pond.targi": 2}
    assert Counter(cards) == {"pond/pond_plans.yaml": 2}
