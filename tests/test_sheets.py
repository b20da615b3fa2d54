"""Files of a game: every file that seems to belong to it is read or reported, and every line has an
effect.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from targi_dsl import Asked, load, start
from targi_dsl.compiler.load import check
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.language_service import Workspace
from tests.small_game import FILES, RULES, told

SHEET, MODULE, MORE = "pond.targi", "pond/pond.targi", "pond/02_scoring.targi"
SCORING = RULES[RULES.index("score built") :]
SHORT = {**FILES, MODULE: RULES.removesuffix(SCORING)}
"""The small game with its scoring in a separate file, whose header each test writes."""


def test_two_files_make_one_module() -> None:
    assert told({**SHORT, MORE: f"language 2\nmodule pond\n{SCORING}"}) == ()


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


def test_what_lies_as_the_shipped_files_do_belongs_together(tmp_path: Path) -> None:
    """A copy of shipped rules is read in place of them, with its cards, and in an editor."""
    for name, text in FILES.items():
        folder = "cards" if name.endswith(".yaml") else "rules" if "/" in name else "rules/games"
        path = tmp_path / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    sheet, module = tmp_path / "rules/games/pond.targi", tmp_path / "rules" / MODULE
    assert check(str(sheet))[1] == ()
    for path in (module, *(tmp_path / "cards").rglob("*.yaml")):
        assert Workspace().games(str(path)) == (str(sheet),)
    module.write_text(f"{RULES}\nrule more\n  gain 1 fam\n", encoding="utf-8")
    (problem, *_) = check(str(sheet))[1]
    assert problem.span is not None and problem.span.source.name == str(module)


def test_a_sheet_may_say_again_what_the_one_it_is_based_on_says() -> None:
    sheet = (
        "language 2\ngame wet based on pond\n  rules pond\n  deck plan_pile: pond_plans\n  option"
        " flood: always\n"
    )
    game, problems = check("wet", of_texts({**FILES, "wet.targi": sheet}))
    assert problems == () and game is not None and dict(game.options)["flood"] == "always"


# ---- decks that are large enough ----


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


def test_the_first_card_that_a_deck_lists_lies_on_top() -> None:
    order = start(load("pond", of_texts(FILES)), Asked()).cards("plan_pile")
    listed = [card.id for card in load("pond", of_texts(FILES)).cards]
    assert len(order) > 2 and list(order) == [card for card in listed if card in order]
