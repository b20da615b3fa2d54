"""Legal text that does not mean what it seems to mean gives a warning, and nothing else does."""

from __future__ import annotations

import pytest

from targi_dsl.compiler.load import check
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.text.diagnostics import render
from tests.small_game import CARDS, FILES, RULES

BROOK = {"brook.targi": 'language 2\ngame brook "Brook" based on pond\n  rules brook\n'}
HEAD = "language 2\nmodule brook based on pond\n"
RAFT = '"once: gain 1 fame"'
ACTION = "    action: gain 1 twigs\n  - id: den"


def warned(
    ability: str = "once: gain 1 fame", rules: str = "", module: str = "", action: str = ""
) -> list[tuple[str, str]]:
    """Code and hint of every warning about the pond with such a raft, such rules and a module."""
    cards = CARDS.replace(RAFT, f'"{ability}"').replace("  - id: den", f"{action}  - id: den")
    files = {**FILES, "pond/pond_plans.yaml": cards, "pond/pond.targi": RULES + rules}
    game = "brook" if module else "pond"
    more = {**BROOK, "brook/brook.targi": HEAD + module} if module else {}
    _, problems = check(game, of_texts({**files, **more}))
    assert all(one.severity == "warning" for one in problems), render(problems)
    return [(one.code, one.hint) for one in problems]


LOWERS = "always: most_plans becomes {}"
RAISED = "replace define most_plans: 4\n"


@pytest.mark.parametrize(
    ("to", "module", "hint"),
    [
        ("3", RAISED, ["most_plans becomes 1 more"]),
        ("4", RAISED, []),
        ("1", RAISED, []),  # it lowered it before, too
        ("1", "", []),
        ("1 more", RAISED, []),
    ],
)
def test_a_card_that_lowers_what_a_module_has_raised(to: str, module: str, hint: list[str]) -> None:
    assert warned(LOWERS.format(to), module=module) == [("W906", one) for one in hint]


@pytest.mark.parametrize(
    ("resource", "action", "codes"),
    [
        ("twigs", "    action: gain 1 fame\n", ["W907"]),
        ("twigs", "    action: gain 1 twigs\n", []),
        ("pebbles", "    action: gain 1 red\n", []),
        ("red", "    action: gain 1 pebbles\n", []),
    ],
)
def test_a_gain_that_no_such_card_gives(resource: str, action: str, codes: list[str]) -> None:
    ability = f"always, when you gain {resource} from a plan: draw 1 from plan_pile to your hand"
    build = "rule use_up\n  choose plan in your hand\n  do action of plan\n"
    found = warned(ability, rules=build, action=action)
    assert [code for code, _ in found] == codes


@pytest.mark.parametrize(
    ("during", "codes"), [("hop", ["W907"]), ("settle", []), ("round", []), ("measure", [])]
)
def test_a_definition_that_nobody_asks_for_in_that_rule(during: str, codes: list[str]) -> None:
    ability = f"always: most_plans becomes 3 if during {during}"
    rules = (
        "define room: most_plans\nrule settle\n  gain (room) fame\n"
        "rule measure\n  if can do settle: gain 1 twigs\n"
    )
    rules = RULES.replace("    may\n", "    do settle\n    do measure\n    may\n") + rules
    cards = CARDS.replace(RAFT, f'"{ability}"')
    files = {**FILES, "pond/pond_plans.yaml": cards, "pond/pond.targi": rules}
    _, problems = check("pond", of_texts(files))
    assert [one.code for one in problems] == codes, render(problems)


@pytest.mark.parametrize(
    ("extension", "hints"),
    [
        ("extend rule hop\n  do build\n", ["may: do build"]),
        ("extend rule hop\n  may: do build\n", []),
        ("extend rule hop\n  do draw_plan\n", []),  # nothing is chosen or paid in it
        ("extend rule hop\n  do build\nextend rule round\n  each player: do build\n", []),
    ],
)
def test_an_extension_that_makes_a_must_of_what_was_left_to_choose(
    extension: str, hints: list[str]
) -> None:
    assert warned(module=extension) == [("W908", hint) for hint in hints]


STONES = {
    "pond/pond_stones.yaml": (
        "language: 2\nset: pond_stones\nkind: stone\nsource: seed\ncards:\n  - id: flint\n"
        "    name: {en: Flint}\n    weight: 1\n"
    )
}
HEAP = "card stone\n  weight: 1 to 3\nzone heap: stone\n"


@pytest.mark.parametrize(
    ("asked", "moved", "codes"),
    [
        ("card on first shore is a stone", "put top of plan_pile on first shore", ["W905"]),
        ("card on first shore is a stone", "", []),  # nothing at all comes there
        ("card on first shore is a plan", "put top of plan_pile on first shore", []),
        ("card on first shore is a stone", "put top of heap on first shore", []),
        ("found is a plan", "", ["W905"]),
        ("found is a stone", "", []),
        ("found is a plan", "put first plan_waste on first shore", ["W905"]),
        ("found is a plan", "put top of plan_pile on second_place", []),  # it may be anywhere
        ("not card is a stone", "", []),  # whatever it is given
    ],
)
def test_a_kind_that_never_comes_there(asked: str, moved: str, codes: list[str]) -> None:
    rules = f"{RULES}{HEAP}rule tried with card\n  let found be top of heap\n  if {asked}: stop\n"
    rules += "define second_place: space 2 of shore\n"
    rules += f"rule moved\n  {moved}\n" if moved else ""
    sheet = f"{FILES['pond.targi']}  deck heap: pond_stones\n"
    _, problems = check(
        "pond", of_texts({**FILES, **STONES, "pond/pond.targi": rules, "pond.targi": sheet})
    )
    assert [one.code for one in problems] == codes, render(problems)
