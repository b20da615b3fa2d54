"""Names shared by two things of a game; and a rejected declaration, which is one problem however
often it is used.
"""

from __future__ import annotations

import pytest

from targi_dsl.compiler.load import check
from targi_dsl.compiler.project.cache import CheckCache
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.text import resources
from targi_dsl.text.diagnostics import Problem, render
from tests.small_game import CARDS, FILES, RULES

MODULE, PLANS = "pond/pond.targi", "pond/pond_plans.yaml"
NAME = "twin"

# What is added to the small game for something of each sort to have the name.
SORTS = {
    "player": "",
    "resource": f"resource {NAME}",
    "group of resources": f"resource {NAME}: moss, fern",
    "list of values": f"values {NAME}: hot, cold",
    "value": f"values mood: glad, {NAME}",
    "kind of card": f"card {NAME}\n  age: 1 to 3",
    "field": f"card creature\n  {NAME}: 1 to 3",
    "space": f"space {NAME}: row of 3",
    "zone": f"zone {NAME}: plan",
    "piece": f"piece {NAME}: 1",
    "variable": f"variable {NAME}: 0 to 3",
    "set": f"set {NAME}: shore 2, 3",
    "relation": f"relation {NAME} on shore: 1 to 2",
    "definition": f"define {NAME}: 2",
    "rule": f"rule {NAME}\n  gain 1 twigs",
    "card": "",
    "standing ability": f"standing {NAME}: always, when you do hop: gain 1 twigs",
    "score": f"score {NAME}: 2",
    "option": f"option {NAME}: early or late",
    "value of an option": f"option weather: dry or {NAME}",
    "free exchange": f"exchange {NAME}: 3 grey -> 1 red",
    "prohibition": f"rule rest\n  forbid {NAME}: day is 3\n  gain 1 twigs",
    "alternative": f"rule wait\n  one of\n    {NAME}: gain 1 twigs\n    other: gain 1 fame",
}
THINGS = [
    "player", "resource", "group of resources", "list of values", "value", "kind of card", "space", "zone", "piece",
    "variable", "set", "relation", "definition",
]  # fmt: skip
TOGETHER = [
    *({one, other} for one in THINGS for other in THINGS),
    {"rule", "card"}, {"rule", "standing ability"}, {"card", "standing ability"},
    {"score", "card"}, {"score", "standing ability"},
    {"field", "variable"}, {"field", "definition"},
]  # fmt: skip


def with_sorts(*sorts: str) -> dict[str, str]:
    """The small game with something of each sort that has the name."""
    rules, cards = RULES, CARDS
    for sort in sorts:
        if sort == "player":
            rules = rules.replace("players anna, bert", f"players anna, {NAME}")
        elif sort == "card":
            cards = cards.replace("id: raft", f"id: {NAME}")
        else:
            rules += f"\n{SORTS[sort]}\n"
    return {**FILES, MODULE: rules, PLANS: cards}


def errors(files: dict[str, str], kept: CheckCache) -> tuple[Problem, ...]:
    """What is wrong, apart from warnings that nothing uses what is added."""
    _, problems = check("pond", of_texts(files, kept))
    return tuple(one for one in problems if one.severity == "error")


@pytest.mark.parametrize("sort", SORTS)
def test_a_name_is_for_one_thing_of_a_stock_and_free_for_the_others(sort: str) -> None:
    kept = CheckCache()
    assert errors(with_sorts(sort), kept) == ()
    for other in list(SORTS)[list(SORTS).index(sort) + 1 :]:
        problems = errors(with_sorts(sort, other), kept)
        if {sort, other} not in TOGETHER:
            assert problems == (), (other, render(problems))
            continue
        if {sort, other} == {"resource", "group of resources"}:  # to add to a group, it is extended
            assert [one.code for one in problems] == ["E401"], render(problems)
            continue
        assert [one.code for one in problems] == ["E530" if "card" in (sort, other) else "E202"], (
            render(problems)
        )
        (problem,) = problems
        assert f"`{NAME}`" in problem.title and sort in problem.title and other in problem.title
        (label,) = problem.labels
        assert problem.span is not None
        assert problem.span.text == label.span.text == NAME
        assert (problem.span.source, problem.span.start) != (label.span.source, label.span.start)


# In a large game much hangs on each name.
LARGE = [
    ("rules/base/02_board.targi", "space border: ring of 16", "space border: ring of 1025"),
    ("rules/base/02_board.targi", "space centre: grid 3 by 3", "space centre: grid 300 by 4"),
    ("rules/base/01_components.targi", "piece targi: 3 for each player", "piece targi: 1025 for each player"),
    ("rules/base/01_components.targi", "variable starter: player", "variable starter: playr"),
    ("rules/base/01_components.targi", "variable round_number: 0 to 20", "variable round_number: 20 to 0"),
    ("rules/base/01_components.targi", "resource gold, points (one point)", "resource gold, points (one point)\nresource gold"),
    ("rules/base/01_components.targi", "values symbol:", "values goods: hot, cold\nvalues symbol:"),
    ("rules/base/02_board.targi", "zone tribe_pile:", "space tribe_pile: row of 2\nzone tribe_pile:"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "old", "new"), LARGE, ids=[row[2].split("\n")[0] for row in LARGE]
)
def test_a_declaration_of_a_large_game_that_is_refused_is_told_once(
    name: str, old: str, new: str
) -> None:
    text = (resources.read(name) or b"").decode()
    assert text.count(old) == 1
    folder = [
        f"rules/{one}" for one in resources.names("rules", ".targi") if one.startswith("base/")
    ]
    module = {one: (resources.read(one) or b"").decode() for one in folder}
    _, problems = check("base", of_texts({**module, name: text.replace(old, new)}))
    assert len(problems) == 1, render(problems)
    assert problems[0].span is not None and problems[0].span.text in new
