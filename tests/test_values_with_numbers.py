"""Values that have a number: compared by it, and converted to it."""

from __future__ import annotations

import pytest

from targi_dsl.api import result, start
from targi_dsl.compiler.load import check, load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed
from targi_dsl.text.diagnostics import Problem

SHEET = "language 2\ngame ranks\n  rules ranks\n"
VALUES = "values rank: page 1, knight 5, king 9\nvalues hue: red, blue\n"


def files(expression: str, more: str = "") -> dict[str, str]:
    rules = f"language 2\nmodule ranks\nplayers ann, ben\n{VALUES}{more}"
    rules += "variable held: rank, starts as knight\nvariable none: rank\nvariable seen: hue\n"
    rules += f"rule setup\n  nothing\nrule round\n  end game\nscore test: {expression}\n"
    return {"ranks/ranks.targi": rules, "ranks.targi": SHEET}


def told(expression: str, more: str = "") -> list[Problem]:
    return list(check("ranks", of_texts(files(expression, more)))[1])


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 if held is more than page", 1),
        ("1 if held is more than knight", 0),
        ("1 if held is at least knight", 1),
        ("1 if king is at most held", 0),
        ("1 if page is less than held", 1),
        ("number of held", 5),
        ("number of king - number of held", 4),
        ("number of none", 0),
        ("1 if none is less than page", 1),
        ("count of (r in rank where r is more than page)", 2),
        ("highest number of r for (r in rank)", 9),
    ],
)
def test_values_are_compared_by_their_numbers(expression: str, value: int) -> None:
    state = start(load("ranks", files(expression)), Seed(1))
    assert result(state).scores == (value, value)


@pytest.mark.parametrize(
    ("expression", "code", "hint"),
    [
        ("1 if seen is more than red", "E333", "values hue: red 1, blue 2"),
        ("number of seen", "E333", "values hue: red 1, blue 2"),
        ("1 if held is more than 3", "E301", ""),
        ("1 if 3 is more than held", "E301", ""),
        ("held + 1", "E301", ""),
    ],
)
def test_what_has_no_number_is_not_compared(expression: str, code: str, hint: str) -> None:
    (problem,) = told(expression)
    assert (problem.code, problem.hint) == (code, hint)


def test_the_hint_gives_the_values_numbers() -> None:
    (problem,) = told("1 if seen is more than red")
    texts = files("1 if seen is more than red")
    mended = texts["ranks/ranks.targi"].replace("values hue: red, blue", problem.hint)
    assert check("ranks", of_texts({**texts, "ranks/ranks.targi": mended}))[1] == ()


def test_all_values_of_a_list_have_a_number_or_none() -> None:
    (problem,) = told("0", "values coin: copper 1, gold\n")
    assert (problem.code, problem.title) == ("E333", "`gold` has no number")
