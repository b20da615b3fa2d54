"""Names shared by two things of a game; and a rejected declaration, which is one problem however
often it is used.
"""

from __future__ import annotations

import pytest

from targi_dsl.compiler.load import check
from targi_dsl.compiler.project.cache import CheckCache
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.text import resources
from targi_dsl.text.diagnostics import render
from tests.small_game import CARDS, FILES, RULES, with_change

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


@pytest.mark.parametrize("sort", SORTS)
def test_a_name_is_for_one_thing_of_a_stock_and_free_for_the_others(sort: str) -> None:
    kept = CheckCache()
    assert check("pond", of_texts(with_sorts(sort), kept))[1] == ()
    for other in list(SORTS)[list(SORTS).index(sort) + 1 :]:
        _, problems = check("pond", of_texts(with_sorts(sort, other), kept))
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


def test_a_value_of_two_lists_is_what_it_is_compared_with() -> None:
    lists = f"\nvalues mood: glad, {NAME}\nvalues sky: clear, {NAME}\n"
    compared = f"define odd of mood: mood is {NAME}\n"
    assert check("pond", of_texts({**FILES, MODULE: RULES + lists + compared}))[1] == ()
    bare = "rule rest\n  let one_of_them be twin\n"
    assert [
        one.code for one in check("pond", of_texts({**FILES, MODULE: RULES + lists + bare}))[1]
    ] == ["E209"]


# What stood there, what stands there now, the code and line of the only message.
REFUSED = [
    ("space shore: ring of 6", "space shore: ring of 1025", "E303"),
    ("space shore: ring of 6", "space shore: row of 0", "E303"),
    ("space shore: ring of 6", "space shore: grid 0 by 3", "E303"),
    ("grid 2 by 2, abilities active", "grid 300 by 4, abilities active", "E303"),
    ("piece frog: 2 for each player", "piece frog: 1025 for each player", "E303"),
    ("piece heron: 1", "piece heron: 0", "E303"),
    ("variable day: 0 to 20", "variable day: 20 to 0", "E303"),
    ("variable day: 0 to 20", "variable day: dya", "E201"),
    ("variable day: 0 to 20", "variable day: number", "E316"),
    ("variable visits for each player", "variable visits for each playr", "E201"),
    ("set reeds: shore 1, 4", "set reeds: shor 1, 4\nscore reeds: count of reeds", "E201"),
    ("relation over on shore", "relation over on shor", "E201"),
    ("piece heron: 1", "piece heron: 1\npiece heron: 2", "E401"),
    ("space shore: ring of 6", "space shore: ring of 6\nspace shore: ring of 2", "E401"),
    ("resource twigs, fame", "resource twigs, fame\nresource fame", "E401"),
    ("resource twigs, fame", "resource twigs, fame\nresource red", "E202"),
    ("values sort: reed, lily, newt", "values sort: reed, lily, newt\nvalues pebbles: hot, cold", "E202"),
    ("piece heron: 1", "piece heron: 1\npiece shore: 2", "E202"),
    ("piece heron: 1", "piece heron: 1\nzone frog: plan", "E202"),
    ("define most_plans: 2", "define most_plans: 2\ndefine raft: 3\nrule den\n  stop", "E530"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "code"), REFUSED, ids=[row[1].split("\n")[-1] for row in REFUSED]
)
def test_a_declaration_that_is_refused_is_told_once(old: str, new: str, code: str) -> None:
    _, problems = check("pond", of_texts(with_change(MODULE, old, new)))
    assert [one.code for one in problems] == [code], render(problems)


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


def test_two_prohibitions_of_a_rule_with_one_name_are_refused_whatever_they_are_called() -> None:
    for name in ("taken", "no_room"):
        line = f"  forbid {name}: any frog on spot\n"
        rules = FILES[MODULE].replace(
            "  place frog on spot\n", f"{line}{line}  place frog on spot\n"
        )
        rules = rules.replace(
            '  forbid taken: any frog on spot because "a frog sits there already"\n', ""
        )
        (problem,) = check("pond", of_texts({**FILES, MODULE: rules}))[1]
        assert (problem.code, problem.title) == ("E202", f"`{name}` appears twice")


def test_a_card_copied_and_not_finished_is_told() -> None:
    """The first of two cards with one id has no action, which its kind needs."""
    rules = FILES[MODULE].replace("action: action, may be missing", "action: action")
    card = "  - id: {}\n    name: {{en: Card}}\n    sort: reed\n    worth: 1\n    cost: 1 grey\n"
    with_action = card.format("c0") + '    action: "gain 1 grey"\n'
    cards = FILES[PLANS].split("  - id")[0] + card.format("c0") + with_action
    problems = check("pond", of_texts({**FILES, MODULE: rules, PLANS: cards}))[1]
    assert sorted(one.code for one in problems) == ["E508", "E511"]


def test_a_name_that_cannot_be_one_is_one_fault_wherever_it_is_used() -> None:
    files = with_change(MODULE, "resource twigs, fame", "resource Twigs, fame")
    (problem,) = check("pond", of_texts(files))[1]
    assert problem.code == "E110"


def test_a_module_without_its_base_is_told_once() -> None:
    dry = (
        "language 2\nmodule dry\nextend rule hop\n  gain 1 grey\nextend rule round\n  nothing\n"
        "replace define most_plans: 3\nremove score fame\n"
    )
    sheet = FILES["pond.targi"].replace("rules pond", "rules pond + dry")
    files = {**FILES, "dry/dry.targi": dry, "pond.targi": sheet}
    (problem,) = check("pond", of_texts(files))[1]
    assert (problem.code, problem.hint) == ("E407", "module dry based on pond")
