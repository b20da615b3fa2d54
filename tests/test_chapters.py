"""Sheets that use only some files of a module."""

from __future__ import annotations

import pytest

from targi_dsl.compiler.load import check
from targi_dsl.compiler.project.discovery import of_texts
from tests.small_game import FILES

HEAD = "language 2\nmodule mill\n\n"
PARTS = {
    "mill/01_wheel.targi": 'language 2\nmodule mill "The mill" based on pond\n\nresource flour\n',
    "mill/02_baker.targi": HEAD + "replace define most_plans: 3\n",
    "mill/03_flood.targi": HEAD + "replace option flood: always or never\n",
}


def sheet(rules: str) -> dict[str, str]:
    text = f'language 2\ngame mill "Mill" based on pond\n  rules {rules}\n'
    return {**FILES, **PARTS, "mill.targi": text}


@pytest.mark.parametrize(
    ("rules", "flour", "option"),
    [
        ("mill", True, ("always", "never")),
        ("mill (baker)", False, ("never", "always")),
        ("mill (wheel, flood)", True, ("always", "never")),
    ],
)
def test_only_the_chapters_that_a_sheet_names_are_there(
    rules: str, flour: bool, option: tuple[str, str]
) -> None:
    game, problems = check("./mill.targi", sheet(rules))
    assert game is not None, problems
    assert ("flour" in game.resources) == flour
    declared = {one.name for one in game.declared if one.origins[0].module == "mill"}
    assert ("flood" in declared) == (option[0] == "always")


def test_a_chapter_that_is_not_there_is_told() -> None:
    (problem,) = check("./mill.targi", sheet("mill (bakers)"))[1]
    assert (problem.code, problem.hint) == ("E406", "Did you mean `baker`?")
    assert problem.title == "module mill has no chapter `bakers`"


def test_all_modules_are_still_told_in_a_row() -> None:
    texts = sheet("pond + mill (wheel)")
    assert check("mill", of_texts({f"games/{k}" if k == "mill.targi" else k: v
                                   for k, v in texts.items()}))[0] is not None  # fmt: skip
