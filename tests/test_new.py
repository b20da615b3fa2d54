"""`targi new`: a game that validates and plays at once: a tiny one, a copy of another, or a variant
whose examples work.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from targi_dsl.compiler.load import check, load
from targi_dsl.compiler.project.discovery import shipped
from targi_dsl.compiler.translations import languages, of_game
from targi_dsl.ir.program import as_data
from targi_dsl.text.diagnostics import Problem, render
from tests.commands import Done, targi
from tests.games import compiled
from tests.invariants import random_game

SHEETS = ("base", "expansion", "bazaar_fair", "kuhn_poker", "tic_tac_toe", "dice_race")


def new(folder: Path, based_on: str, name: str = "windy") -> Done:
    return targi("new", name, "--based-on", based_on, "--folder", str(folder))


def more(problems: Iterable[Problem], based_on: str) -> set[str]:
    """The titles of problems that a variant has and the game it is based on does not."""
    return {one.title for one in problems} - told_of(based_on)


@cache
def told_of(name: str) -> frozenset[str]:
    return frozenset(one.title for one in check(name)[1])


@pytest.mark.parametrize("based_on", SHEETS)
def test_a_new_variant_validates_and_plays_at_once(tmp_path: Path, based_on: str) -> None:
    done = new(tmp_path / "mine", based_on)
    assert done.code == 0, done.err
    sheet = tmp_path / "mine" / "windy.targi"
    game, problems = check(str(sheet))
    assert game is not None and not more(problems, based_on), render(problems)
    assert any(one.origins[0].module == "windy" for one in game.declared)
    random_game(game, 1)
    assert (sheet.parent / "windy" / "windy_cards.yaml").exists() == bool(compiled(based_on).cards)
    assert all(
        len(line) <= 120 or "deck" in line
        for file in sheet.parent.rglob("*.targi")
        for line in file.read_text().splitlines()
    )


def examples(text: str) -> list[re.Match[str]]:
    """The parts that are commented out: consecutive lines with # directly in front of code."""
    return list(
        re.finditer(r"(^#(?=[a-z]|  (?:deck|option) ).*\n(?:#  .*\n)*)", text, re.MULTILINE)
    )


ONE_SCORE = ("kuhn_poker", "tic_tac_toe", "dice_race")
"""Games of which nothing can be removed without leaving them without a winner."""


@pytest.mark.parametrize("based_on", [name for name in SHEETS if name != "base"])
def test_every_example_works_on_its_own_and_all_work_together(
    tmp_path: Path, based_on: str
) -> None:
    assert new(tmp_path, based_on).code == 0
    sheet = tmp_path / "windy.targi"
    tried = 0
    for file in (sheet, tmp_path / "windy" / "windy.targi"):
        text = file.read_text()
        whole = text
        for found in examples(text):
            active = re.sub("(?m)^#", "", found[0])
            file.write_text(text.replace(found[0], active))
            game, problems = check(str(sheet))
            assert game is not None and not more(problems, based_on), active + render(problems)
            whole = whole.replace(found[0], active)
            tried += 1
        file.write_text(whole)
        game, problems = check(str(sheet))
        assert game is not None and not more(problems, based_on), render(problems)
        random_game(game, 3)
    assert tried >= 3
    module = (tmp_path / "windy" / "windy.targi").read_text()
    assert all(
        re.search(f"^{word} ", module, re.MULTILINE)
        for word in ("replace", "extend", "remove", "score")
        if word != "remove" or based_on not in ONE_SCORE
    )


def test_every_number_that_a_game_defines_is_there_to_be_changed_with_its_place(
    tmp_path: Path,
) -> None:
    assert new(tmp_path, "base").code == 0
    text = (tmp_path / "windy" / "windy.targi").read_text()
    for name in ("hand_limit: 1", "goods_limit: 10", "gold_limit: 3", "full_display: 12"):
        assert re.search(
            rf"^#?replace define {name}   # rules/base/\d\d_\w+\.targi:\d+$", text, re.MULTILINE
        ), name


def test_a_variant_can_be_based_on_a_variant(tmp_path: Path) -> None:
    assert new(tmp_path, "base").code == 0
    assert new(tmp_path, str(tmp_path / "windy.targi"), "stormy").code == 0
    assert not check(str(tmp_path / "stormy.targi"))[1]


# ---- a game from nothing ----


def test_a_game_from_nothing_is_one_file_that_plays_at_once(tmp_path: Path) -> None:
    done = targi("new", "windy", "--folder", str(tmp_path))
    sheet = tmp_path / "windy.targi"
    assert [one for one in tmp_path.rglob("*") if one.is_file()] == [sheet]
    assert done.out.splitlines() == [
        str(sheet),
        f"Check it with: targi validate {sheet}",
        f"Play it with: targi play {sheet}",
    ]
    game, problems = check(str(sheet))
    assert game is not None and problems == ()
    assert game.title == "Windy"
    random_game(game, 1)


# ---- a copy of a game ----

COPIED = ("connect_four", "kuhn_poker", "bazaar_all_day", "mixed_border")


@pytest.mark.parametrize("like", COPIED)
def test_a_copy_is_the_same_game_under_names_of_its_own(tmp_path: Path, like: str) -> None:
    done = targi("new", "windy", "--like", like, "--folder", str(tmp_path))
    assert done.code == 0, done.err
    one, other = load(str(tmp_path / "windy.targi")), compiled(like)
    assert (one.name, one.title) == ("windy", "Windy")
    assert as_data(replace(one.program, name=like)) == as_data(other.program)
    spans = [origin.span for rule in one.rules for origin in rule.origins if origin.span]
    spans += [card.span for card in one.cards if card.span]
    assert spans and all(span.source.name.startswith(str(tmp_path)) for span in spans)
    made = [file.relative_to(tmp_path) for file in tmp_path.rglob("*")]
    assert all(file.parts[0].startswith("windy") for file in made)


@pytest.mark.parametrize("like", ["lamplighters", "base"])
def test_a_copy_is_played_in_every_language_of_the_game(tmp_path: Path, like: str) -> None:
    assert targi("new", "windy", "--like", like, "--folder", str(tmp_path)).code == 0
    sheet = str(tmp_path / "windy.targi")
    game, problems = check(sheet)
    assert game is not None
    assert not [one for one in problems if one.code == "W911"], render(problems)
    assert [of_game(game, sheet, code).code for code in languages()] == [*languages()]


def test_no_shipped_game_has_the_name_of_these_tests() -> None:
    assert "windy" not in shipped().games()
