"""Files of a game: every file that seems to belong to it is read or reported, and every line has an
effect.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from targi_dsl.compiler.load import check
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.text.diagnostics import render
from tests.small_game import FILES, RULES, told, with_change

SHEET, MODULE, MORE = "pond.targi", "pond/pond.targi", "pond/02_scoring.targi"
SCORING = RULES[RULES.index("score built") :]
SHORT = {**FILES, MODULE: RULES.removesuffix(SCORING)}
"""The small game with its scoring in a separate file, whose header each test writes."""


WET = "language 2\ngame wet based on pond\n  rules wet\n"


def test_two_files_make_one_module() -> None:
    assert told({**SHORT, MORE: f"language 2\nmodule pond\n{SCORING}"}) == ()


@pytest.mark.parametrize("head", ["", "module pund\n"])
def test_a_rule_file_in_the_folder_of_a_module_says_that_module(head: str) -> None:
    files = {**SHORT, MORE: f"language 2\n{head}{SCORING}"}
    (problem,) = told(files)
    assert problem.code == "E428", render([problem])
    assert problem.span is not None and (problem.span.source.name, problem.span.line) == (MORE, 2)
    text, span = files[MORE], problem.span
    pasted = f"{problem.hint}\n{span.text}" if not head else problem.hint
    assert told({**files, MORE: text[: span.start] + pasted + text[span.end :]}) == ()


def test_a_misspelt_module_line_is_told_for_a_file_that_only_changes_others() -> None:
    wet = {
        "wet/01.targi": "language 2\nmodule wet based on pond\nremove score fame\n",
        "wet.targi": WET,
    }
    more = "language 2\nmodule wat based on pond\nextend rule round\n  nothing\n"
    files = {**FILES, **wet, "wet/02.targi": more}
    assert [one.code for one in check("wet", of_texts(files))[1]] == ["E428"]


def test_a_misspelt_module_line_is_told_once() -> None:
    assert [one.code for one in told({**SHORT, MORE: f"language 2\nmodul pond\n{SCORING}"})] == [
        "E110"
    ]


def test_a_sheet_has_no_place_in_the_folder_of_a_module() -> None:
    assert [
        one.code
        for one in told({**FILES, "pond/short.targi": "language 2\ngame short based on pond\n"})
    ] == ["E424"]


def test_a_module_line_stands_above_everything_else() -> None:
    (problem,) = told({**SHORT, MORE: f"language 2\n{SCORING}module pond\n"})
    assert problem.code == "E429", render([problem])
    assert [label.span.line for label in problem.labels] == [2]


def test_a_card_file_has_the_name_of_its_set() -> None:
    files = with_change("pond/pond_plans.yaml", "set: pond_plans", "set: pond_plan")
    (problem,) = told(files)
    assert (problem.code, problem.hint) == ("E542", "pond_plans"), render([problem])


def test_what_else_lies_beside_a_sheet_is_skipped() -> None:
    files = {
        "saved.yaml": "format: 1\nchoices: []\n",
        "pond/huts.yaml": "language: 2\nkind: plan\ncards:\n  - id: hut\n",
        "mill/mill.targi": "this is no rule",
        "notes.targi": "nor is this a sheet",
        "pond/.pond.targi": "hidden",
    }
    assert told({**FILES, **files}) == ()


def test_a_file_that_cannot_be_read_among_those_of_a_module_is_told(tmp_path: Path) -> None:
    for name, text in {**SHORT, MORE: f"language 2\nmodule pond\n{SCORING}"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert check(f"{tmp_path}/pond.targi")[1] == ()
    (tmp_path / MORE).write_bytes(b"language 2\nmodule pond\n# \xff\n")
    (problem,) = check(f"{tmp_path}/pond.targi")[1]
    assert problem.file.endswith(MORE) or (problem.span and problem.span.source.name.endswith(MORE))


def test_every_second_saying_names_the_first() -> None:
    sheet = FILES[SHEET]
    twice = sheet + "".join(sheet.splitlines(keepends=True)[3:])
    found = told({**FILES, SHEET: twice})
    assert [one.code for one in found] == ["E430"] * 3, render(found)
    assert [(one.span.line, one.labels[0].span.line) for one in found if one.span] == [
        (7, 4),
        (8, 5),
        (9, 6),
    ]


def test_a_sheet_may_say_again_what_the_one_it_is_based_on_says() -> None:
    sheet = (
        "language 2\ngame wet based on pond\n  rules pond\n  deck plan_pile: pond_plans\n  option"
        " flood: always\n"
    )
    game, problems = check("wet", of_texts({**FILES, "wet.targi": sheet}))
    assert problems == () and game is not None and dict(game.options)["flood"] == "always"


# ---- decks that are large enough ----


def with_least(least: int, deck: str = "  deck plan_pile: pond_plans\n") -> dict[str, str]:
    """The small game with as many cards wanted for its pile, and with that deck."""
    rules = RULES.replace("plan_waste when needed", f"plan_waste when needed, at least {least}")
    return {
        **FILES,
        MODULE: rules,
        SHEET: FILES[SHEET].replace("  deck plan_pile: pond_plans\n", deck),
    }


DRAWN = "  deck plan_pile: draw 2 of each sort from pond_plans\n"
MIXED = "  deck plan_pile: draw 2 from pond_plans + cards raft of pond_plans\n"


@pytest.mark.parametrize(
    ("deck", "cards"),
    [("  deck plan_pile: pond_plans\n", 9), (DRAWN, 6), (MIXED, 3), ("", 0)],
    ids=str,
)
def test_a_zone_may_need_as_many_cards_as_it_has_and_no_more(deck: str, cards: int) -> None:
    assert told(with_least(cards, deck)) == ()
    (problem,) = told(with_least(cards + 1, deck))
    assert problem.code == "E534", render([problem])
    assert problem.text == f"The rules need {cards + 1} at least; the sheet lays {cards} there."
    assert problem.span is not None and problem.span.source.name == SHEET
    assert problem.span.text == (deck.strip() or "pond")
    assert [label.span.source.name for label in problem.labels] == [MODULE]


def test_a_deck_that_is_wrong_is_not_also_too_small() -> None:
    assert [one.code for one in told(with_least(10, "  deck plan_pile: pond_plan\n"))] == ["E526"]
    assert [one.code for one in told(with_least(10, "  deck plan_pill: pond_plans\n"))] == ["E528"]


def test_a_zone_of_a_player_cannot_need_cards() -> None:
    rules = RULES.replace(
        "zone hand for each player: plan,", "zone hand for each player: plan, at least 2,"
    )
    assert [one.code for one in told({**FILES, MODULE: rules})] == ["E528"]


CELLS = {"base": 9, "expansion": 9, "base_wide": 16}
"""How many cards the centre holds."""


@pytest.mark.parametrize("zone", ["goods_pile", "tribe_pile"])
@pytest.mark.parametrize(("game", "cells"), CELLS.items())
def test_the_piles_of_targi_fill_the_centre(game: str, cells: int, zone: str) -> None:
    deck = "{} x two_salt of base_goods" if zone == "goods_pile" else "{} x well_1 of base_tribe"
    assert [one.code for one in check(game, decks={zone: deck.format(cells - 1)})[1]] == ["E534"]
    found = check(game, decks={zone: deck.format(cells)})[1]
    assert not [one for one in found if one.severity == "error"]


def test_as_many_dunes_as_lie_open_are_needed() -> None:
    for count, codes in ((2, ["E534"]), (3, [])):
        decks = {"dune_pile": f"{count} x two_gold of expansion_dunes"}
        assert [one.code for one in check("expansion", decks=decks)[1]] == codes


# ---- rules in a sheet ----

LONE = """language 2
game lone "Alone"
players ann, ben
variable day: 0 to 9
rule setup
  nothing
rule round
  set day to day + 1
  if day is 9: players win
"""
HASTY = """language 2
game hasty "In haste" based on lone
replace rule setup
  set day to 5
"""


def test_a_game_may_stand_in_one_file() -> None:
    game, problems = check("lone", of_texts({"lone.targi": LONE}))
    assert game is not None and problems == ()
    assert {origin.module for rule in game.rules for origin in rule.origins} == {"lone"}


def test_a_sheet_with_rules_changes_the_modules_that_it_uses() -> None:
    game, problems = check("hasty", of_texts({"lone.targi": LONE, "hasty.targi": HASTY}))
    assert game is not None and problems == ()
    (setup,) = (rule for rule in game.rules if rule.name == "setup")
    assert [origin.module for origin in setup.origins] == ["hasty", "lone"]


@pytest.mark.parametrize(
    ("sheet", "expected"),
    [
        (f"language 2\nmodule hasty\n{HASTY[11:]}", ["E420"]),
        (HASTY.replace("replace rule", "rule"), ["E401"]),
        (HASTY.replace("lone\n", "lone\n  rules hasty\n"), ["E433"]),
        (HASTY.replace("set day", "sett day"), ["E110"]),
    ],
)
def test_rules_in_a_sheet_that_cannot_be_are_told_once(sheet: str, expected: list[str]) -> None:
    texts = {"lone/lone.targi": LONE.replace("game", "module"), "hasty.targi": sheet}
    texts["lone.targi"] = "language 2\ngame lone\n  rules lone\n"
    assert [one.code for one in check("hasty", of_texts(texts))[1]] == expected
