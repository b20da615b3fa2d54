"""Changes that an editor offers beside repairs: each leaves a game without errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from targi_dsl.language_service import Repair, refactorings
from targi_dsl.text.diagnostics import apply_edits
from tests.edited_pond import PLANS, RULES, SHEET, Pond
from tests.small_game import FILES


@pytest.fixture
def pond(tmp_path: Path) -> Pond:
    return Pond(tmp_path)


def offered(pond: Pond, name: str, passage: str, word: str) -> dict[str, Repair]:
    return {one.title: one for one in refactorings(*pond.place(name, passage, word))}


def apply(pond: Pond, change: Repair) -> None:
    for path, edits in change.edits.items():
        pond.workspace.edit(path, apply_edits(edits))


@pytest.mark.parametrize(
    ("file", "old", "new", "word", "declared"),
    [
        (RULES, "gain 1 pebbles", "gain 1 peas", "peas", "resource peas"),
        (RULES, "      do build", "      do rest_here", "rest_here", "rule rest_here"),
        (RULES, "place frog on", "place toad on", "toad", "piece toad: 1"),
        (RULES, "2 * most_plans", "2 * most_things", "most_things", "define most_things: 1"),
        (RULES, "shuffle plan_pile", "shuffle heap", "heap", "zone heap: plan"),
        (RULES, "choose spot in shore", "choose spot in lake", "lake", "space lake: row of 3"),
        (RULES, "  if day is", "  if dusk is", "dusk", "variable dusk: 0 to 9"),
        (PLANS, "once: gain 1 fame", "once: do rise", "rise", "rule rise"),
        (PLANS, "gain 1 fame", "gain 1 glory", "glory", "resource glory"),
        (
            SHEET,
            "pond_plans\n",
            "pond_plans without reeds\n",
            "reeds",
            "card reeds in pond_plans.yaml",
        ),
    ],
)
def test_what_is_missing_is_declared_from_its_use(
    pond: Pond, file: str, old: str, new: str, word: str, declared: str
) -> None:
    pond.edit(file, old, new)
    assert pond.codes(file)
    changes = offered(pond, file, new, word)
    assert f"Declare: {declared}" in changes, changes
    apply(pond, changes[f"Declare: {declared}"])
    assert [one for one in pond.codes(file) if one.startswith("E")] == []


def test_nothing_is_declared_that_leaves_the_error(pond: Pond) -> None:
    pond.edit(RULES, "gain 1 pebbles", "gain 1 peas")
    assert [*offered(pond, RULES, "gain 1 peas", "peas")] == ["Declare: resource peas"]
    assert not offered(pond, RULES, "rule hop", "rule")


def test_a_number_gets_a_name(pond: Pond) -> None:
    (change,) = offered(pond, RULES, "day is at least 6", "6").values()
    assert change.title == "Name this number: define round_number: 6"
    apply(pond, change)
    assert pond.codes() == []
    text = pond.workspace.source(pond.path(RULES)).text
    assert "define round_number: 6\n\nrule round\n" in text
    assert "day is at least round_number\n" in text
    assert not offered(pond, RULES, "most_plans: 2", "2")


def test_a_rule_is_replaced_in_the_variant_that_is_being_written(pond: Pond) -> None:
    variant = pond.path("deep/deep.targi")
    pond.workspace.edit(variant, "language 2\nmodule deep based on pond\n")
    pond.edit(SHEET, "rules pond", "rules pond + deep")
    changes = offered(pond, RULES, "rule hop", "hop")
    assert [*changes] == ["Replace rule hop in deep.targi"]
    apply(pond, changes["Replace rule hop in deep.targi"])
    text = pond.workspace.source(variant).text
    rule = FILES[RULES].partition("rule hop")[2].partition("\n\n")[0]
    assert text == f"language 2\nmodule deep based on pond\n\nreplace rule hop{rule}\n"
    assert [one for one in pond.codes() if one.startswith("E")] == []
    pond.workspace.edit(variant, text.replace("gain 1 pebbles", "gain 2 pebbles"))
    assert pond.codes() == []
