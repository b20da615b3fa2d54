"""Repairs are checked before they are shown (tests/corpus has what is repaired)."""

from __future__ import annotations

from collections import Counter

import pytest

from targi_dsl import cardfiles
from targi_dsl.cardfiles import CardCache, CardFile, read_cards
from targi_dsl.compiler.load import analyse
from targi_dsl.compiler.project import cache
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.syntax import File, ParseCache, read_file
from targi_dsl.text.diagnostics import Problem, apply_edits
from targi_dsl.text.source import Source
from tests.small_game import FILES, RULES, pond, told

MODULE = "pond/pond.targi"


def test_a_repair_that_would_fail_is_never_shown() -> None:
    files = {**FILES, MODULE: f"{RULES}rule tried\n  let x be random player\n"}
    found = analyse("pond", of_texts(files)).problems
    assert [(one.hint, one.edits) for one in found if one.severity == "error"] == [("", ())]


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
    (fault,) = told({**FILES, MODULE: f"{RULES}rule tried\n  spend 1 twigs\n"})
    assert fault.hint == "pay 1 twigs"
    # Once as it is, and the module as it would be.
    assert Counter(files) == {MODULE: 2, "pond.targi": 1}
    assert Counter(cards) == {"pond/pond_plans.yaml": 1}


@pytest.mark.parametrize(
    "written",
    [
        'name: {en: "see {A} B"}',
        'name: {en: "see A" }',
        'name: {en: "see A",\n           de: "siehe A"}',
        'tags: [["one, two", "three"]]',
        'names: [{en: "see A"}]',
        'name: "see {A}"',
        'name: "see A, B,"',
    ],
)
def test_a_text_left_open_is_closed_before_the_brackets_that_it_stands_in(written: str) -> None:
    """Found by seeded faults."""
    whole = f'cards:\n  - id: a\n    {written}\n    text: "b"\n'
    at = whole.rindex('"', 0, whole.index("\n", whole.index('"')))
    source = Source("a.yaml", whole[:at] + whole[at + 1 :])
    (problem,) = (one for one in read_cards(source)[1] if one.edits)
    assert apply_edits(problem.edits) == whole


def test_a_prohibition_that_cannot_be_read_is_no_effect_before_others() -> None:
    """Found by seeded faults."""
    forbid = '  forbidd misty: day is more than 3 because "mist lies on the shore"\n'
    files = pond({"mist": f"extend rule hop before heron_waits\n{forbid}"})
    assert [one.code for one in told(files)] == ["E110"]
