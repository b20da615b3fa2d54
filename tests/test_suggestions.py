"""Suggestions for misspelt words."""

from __future__ import annotations

import pytest

from targi_dsl.text import suggestions
from targi_dsl.text.suggestions import MOST, did_you_mean, edit_distance, suggestion


@pytest.mark.parametrize(
    ("word", "known", "expected"),
    [
        ("Silversmit", ["Well", "Silversmith"], "Silversmith"),
        ("piont", ["print", "point"], "point"),  # two swapped are one slip
        ("ponit", ["points", "point"], "point"),
        ("WELL", ["wall", "well"], "well"),
        ("cat", ["bat", "hat"], "bat"),  # of equals the first
        ("ab", ["ba"], "ba"),
        ("a", ["b"], None),
        ("well", ["meadow"], None),
        ("well", [], None),
        ("", ["a"], None),
        ("x" * 61, ["x" * 61], None),
    ],
)
def test_the_closest_known_name_is_offered(
    word: str, known: list[str], expected: str | None
) -> None:
    assert did_you_mean(word, known) == expected


@pytest.mark.parametrize(
    ("a", "b", "slips"),
    [("", "", 0), ("ab", "ab", 0), ("ab", "ba", 1), ("kitten", "sitting", 3), ("abc", "", 3)],
)
def test_a_distance_is_exact_up_to_its_bound_and_one_more_beyond_it(
    a: str, b: str, slips: int
) -> None:
    assert [edit_distance(a, b, most) for most in range(5)] == [
        min(slips, most + 1) for most in range(5)
    ]
    assert edit_distance(b, a, 4) == slips


def test_a_suggestion_is_a_question_or_what_is_said_otherwise() -> None:
    assert suggestion("wel", ["well"]) == "Did you mean `well`?"
    assert suggestion("wel", ["meadow"], "There is: meadow.") == "There is: meadow."


def test_a_suggestion_looks_at_so_many_names_and_no_more() -> None:
    known = (f"declared_name_{number}" for number in range(MOST + 1))
    did_you_mean("unknown_name_1_of_many", known)
    assert next(known) == f"declared_name_{MOST}"


def test_few_of_many_names_are_compared_letter_by_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str] = []

    def counted(a: str, b: str, most: int) -> int:
        compared.append(b)
        return edit_distance(a, b, most)

    monkeypatch.setattr(suggestions, "edit_distance", counted)
    known = [f"rule_{number}" for number in range(2_000)]
    assert did_you_mean("missing_77", known) is None
    assert did_you_mean("rule_2001", known) == "rule_200"
    assert len(compared) < 200
