"""Layered modules: every change is reported with its locations, and the result knows
its origins.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from targi_dsl.api import choices, play, start
from targi_dsl.api.position import Position
from targi_dsl.compiler.load import check, load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed
from targi_dsl.ir.statements import Ask
from targi_dsl.text.diagnostics import Problem, render
from tests.commands import targi
from tests.small_game import CARDS, FILES, SHEET, pond, told

MODULE, PLANS = "pond/pond.targi", "pond/pond_plans.yaml"


def places(problem: Problem) -> list[str]:
    spans = [problem.span, *(label.span for label in problem.labels)]
    return [f"{span.source.name}:{span.line}" for span in spans if span is not None]


# ---- origins ----


def origins(files: dict[str, str]) -> dict[str, list[str]]:
    """Everything that more than one module has had to do with."""
    game = load("pond", of_texts(files))
    return {
        f"{one.sort} {one.name}": [
            f"{origin.text} in {origin.module}:{origin.span.line if origin.span else 0}"
            f" {' '.join(origin.cites)}".strip()
            for origin in one.origins
        ]
        for one in game.declared
        if len(one.origins) > 1
    }


def test_everything_knows_who_declared_replaced_extended_and_removed_it() -> None:
    dry = (
        'replace define most_plans: 3 source "B48"\nextend rule hop\n  gain 1 fame\nremove score'
        " fame\nremove forbid taken\n"
    )
    wet = 'extend rule hop after heron_waits\n  nothing source "X3"\n'
    wet += "replace rule draw_plan\n  nothing\nextend values sort: crab\n"
    found = origins(pond({"dry": dry, "wet": wet}, wet="dry"))
    assert found["define most_plans"] == ["replaced in dry:3 B48", "declared in pond:29"]
    assert found["rule hop"] == [
        "without taken in dry:7",
        "extended in wet:3 X3",
        "extended in dry:4",
        "declared in pond:48",
    ]
    assert found["rule draw_plan"] == ["replaced in wet:5", "declared in pond:57"]
    assert found["values sort"] == ["extended in wet:7", "declared in pond:7"]
    assert found["score fame"] == ["removed in dry:6", "declared in pond:68"]
    assert found["forbid taken"] == ["removed in dry:7", "declared in pond:51"]


def test_origins_are_shown() -> None:
    shown = targi("show", "bazaar_short", "rules", "--origins")
    assert shown.code == 0
    lines = shown.out.splitlines()
    at = lines.index("define days")
    assert lines[at + 1].startswith("  replaced in bazaar_short: rules/bazaar_short/")
    assert lines[at + 2].startswith("  declared in bazaar: rules/bazaar/")
    assert "score showpiece" in lines
    assert "removed in bazaar_short" in targi("show", "bazaar_short", "rule", "hushed").out


# ---- what does not fit ----


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        (
            {"dry": "replace define most_plans: 3\n", "wet": "replace define most_plans: 4\n"},
            "E403",
        ),
        ({"dry": "extend rule hop\n  nothing\n", "wet": "extend rule hop\n  nothing\n"}, "E403"),
        ({"dry": "remove score fame\n", "wet": "replace score fame: 1\n"}, "E403"),
        ({"dry": "remove rule draw_plan\n", "wet": "extend rule draw_plan\n  nothing\n"}, "E403"),
    ],
)
def test_two_unrelated_modules_that_change_one_name_are_one_error_naming_both(
    changes: dict[str, str], code: str
) -> None:
    (problem,) = [one for one in told(pond(changes)) if one.code[1] == "4"]
    assert problem.code == code
    assert places(problem) == ["wet/wet.targi:3", "dry/dry.targi:3"]


def test_a_rule_that_is_removed_cannot_be_extended() -> None:
    text = "replace rule round\n  set day to day + 1\n  each player: do hop\n"
    text += "  if day is at least 6: end game\nremove rule draw_plan\n"
    files = pond({"dry": text, "wet": "extend rule draw_plan\n  nothing\n"}, wet="dry")
    (problem,) = told(files)
    assert problem.code == "E408"
    assert places(problem) == ["wet/wet.targi:3", "dry/dry.targi:7"]
    settled = "  settle draw_plan: dry then wet\n"
    assert [
        one.code
        for one in told(pond({"dry": text, "wet": "extend rule draw_plan\n  nothing\n"}, settled))
    ] == ["E408"]


@pytest.mark.parametrize(
    ("dry", "wet"),
    [
        ("remove rule draw_plan\n", "extend rule draw_plan\n  nothing\n"),
        ("extend rule draw_plan\n  nothing\n", "remove rule draw_plan\n"),
        ("replace rule draw_plan\n  nothing\n", "extend rule draw_plan\n  nothing\n"),
    ],
)
def test_the_hint_to_settle_two_changes_mends_the_sheet(dry: str, wet: str) -> None:
    """A removed declaration cannot be changed, so a removal comes last."""
    change = {
        "dry": dry
        + "replace rule round\n  set day to day + 1\n  each player: do hop\n  if day is at least 6: end game\n",
        "wet": wet,
    }
    found = told(pond(change))
    assert [one.code for one in found] == ["E403"], render(found)
    assert not told(pond(change, f"  {found[0].hint}\n"))


@pytest.mark.parametrize(
    ("removal", "used", "at"),
    [
        ("remove rule draw_plan", "unknown rule `draw_plan`", ["pond/pond.targi:40"]),
        ("remove define day_of_end", "unknown name `day_of_end`", ["pond/pond.targi:45"]),
        (
            "remove resource twigs",
            "unknown resource `twigs`",
            ["pond/pond.targi:34", "pond/pond_plans.yaml:17"],
        ),
        ("remove values sort", "unknown type `sort`", ["pond/pond.targi:10"]),
    ],
)
def test_what_is_removed_and_still_used_is_told_with_the_removal(
    removal: str, used: str, at: list[str]
) -> None:
    text = (
        FILES[MODULE].replace("day is at least 6", "day is at least day_of_end")
        + "define day_of_ends: 6\n"
    )
    files = pond({"dry": removal + "\n"}) | {MODULE: text + "define day_of_end: 6\n"}
    found = [one for one in told(files) if one.title == used]
    assert [places(one)[0] for one in found] == at, render(told(files))
    for one in found:
        assert (one.code, one.hint) == ("E201", "")
        assert places(one)[1:] == ["dry/dry.targi:3"]
        assert one.labels[0].text == "removed here, in module dry"


def test_a_card_that_uses_what_is_removed_is_told_with_the_removal() -> None:
    files = pond({"sea": "rule ebb\n  gain 1 fame\n", "dry": "remove rule ebb\n"}, dry="sea")
    files[PLANS] = with_card("action", "do ebb")[PLANS]
    (problem,) = told(files)
    assert (problem.code, problem.hint, places(problem)[1]) == (
        "E201",
        "",
        "dry/dry.targi:3",
    ), render([problem])


@pytest.mark.parametrize(
    "change",
    [
        "replace define tide: 2\n",
        "extend rule ebb\n  nothing\n",
        "remove rule ebb\n",
        "extend values shell: clam\n",
    ],
)
def test_a_module_changes_only_what_it_is_based_on(change: str) -> None:
    sea = (
        'define tide: 1\nrule ebb\n  forbid flood: no because "it floods"\nvalues shell: oyster,'
        " mussel\n"
    )
    (problem,) = told(pond({"sea": sea, "dry": change}))
    assert problem.code == "E407", render([problem])
    assert [place.partition(":")[0] for place in places(problem)] == [
        "dry/dry.targi",
        "sea/sea.targi",
    ]
    assert problem.hint == "module dry based on sea"
    assert not told(pond({"sea": sea, "dry": change}, dry="sea"))


def test_a_module_removes_only_prohibitions_of_what_it_is_based_on() -> None:
    sea = 'rule ebb\n  forbid flood: no because "it floods"\n'
    (problem,) = told(pond({"sea": sea, "dry": "remove forbid flood\n"}))
    assert problem.code == "E407"
    assert places(problem) == ["dry/dry.targi:3", "sea/sea.targi:4"]
    assert not told(pond({"sea": sea, "dry": "remove forbid flood\n"}, dry="sea"))


def test_a_layout_is_extended_for_the_table_and_for_each_player() -> None:
    files = pond({"dry": "extend layout\n  line heron\n  each player\n    line your fame\n"})
    files[MODULE] += "\nlayout\n  table shore\n  each player\n    line your twigs\n"
    assert [type(part).__name__ for part in load("pond", of_texts(files)).layout] == [
        "LayoutTable", "LayoutLine", "LayoutPlayer", "LayoutPlayer",
    ]  # fmt: skip
    assert [
        len(part.lines) for part in load("pond", of_texts(files)).layout if hasattr(part, "lines")
    ] == [2, 2]


# ---- names from elsewhere ----

SEA = (
    "language 2\nmodule sea based on pond\nresource pearls\nrule dive\n  gain 1 pearls\npiece"
    " crab: 1\n"
)


def with_card(key: str, text: str) -> dict[str, str]:
    """The small game beside another that it does not use, with one more text on the raft."""
    lines = CARDS.replace('    ability: "once: gain 1 fame"\n', f'    {key}: "{text}"\n')
    assert lines != CARDS
    return {**FILES, "sea/sea.targi": SEA, PLANS: lines}


@pytest.mark.parametrize(
    "text",
    [
        "once: gain 1 pearls",
        "once: do dive",
        "always, when you do dive: gain 1 fame",
        "at end: score your pearls",
        "always: build costs 1 pearls less",
        "once per day: move crab to space 1 of shore",
        "once: if any crab on shore: gain 1 fame",
    ],
)
def test_an_ability_that_speaks_of_what_this_game_has_not_is_a_warning_and_does_nothing(
    text: str,
) -> None:
    files = with_card("ability", text)
    game, problems = check("pond", of_texts(files))
    assert [(one.code, one.severity) for one in problems] == [("W901", "warning")], render(problems)
    assert problems[0].title == "`raft` has no effect here"
    assert game is not None
    assert {one.missing for one in game.abilities if one.text == text} in (
        {"pearls"},
        {"dive"},
        {"crab"},
    )
    state = start(game, Seed(1))
    while state.seat is not None:
        state, _ = play(state, choices(state)[0])


def test_an_ability_with_a_name_that_is_nowhere_is_an_error() -> None:
    assert [one.code for one in told(with_card("ability", "once: gain 1 perls"))] == ["E201"]


def test_a_cost_an_action_and_a_rule_that_need_what_is_elsewhere_are_errors_that_say_where() -> (
    None
):
    for files in (
        with_card("action", "do dive"),
        {**FILES, "sea/sea.targi": SEA, PLANS: CARDS.replace("3 pebbles", "3 pearls")},
        pond({"dry": "extend rule hop\n  gain 1 pearls\n"}) | {"sea/sea.targi": SEA},
        pond({"dry": "replace rule dive\n  nothing\n"}) | {"sea/sea.targi": SEA},
    ):
        (problem,) = told(files)
        assert problem.code in ("E201", "E402")
        assert problem.hint == "Module sea declares it: add it to `rules`."


def test_a_card_that_no_deck_has_is_never_in_progress() -> None:
    more = CARDS.replace("set: pond_plans", "set: more_plans").replace("id: ", "id: new_")
    files = {**FILES, "pond/more_plans.yaml": more}
    line = "    do draw_plan\n"
    assert line in FILES[MODULE]
    files[MODULE] = FILES[MODULE].replace(line, f"    if not during new_raft\n  {line}")
    assert told(files) == ()
    files[MODULE] = files[MODULE].replace("new_raft", "new_rift")
    assert [one.code for one in told(files)] == ["E201"]


def test_a_card_that_no_deck_has_is_told_with_its_set() -> None:
    more = CARDS.replace("set: pond_plans", "set: more_plans").replace("id: ", "id: new_")
    files = {**FILES, "pond/more_plans.yaml": more}
    files[MODULE] = FILES[MODULE].replace("    do draw_plan\n", "    do new_raft\n")
    (problem,) = told(files)
    assert problem.hint == "It is a card of set more_plans: add it to a `deck`."


def test_what_has_no_effect_is_told_on_the_card(tmp_path: Path) -> None:
    for name, text in with_card("ability", "once: gain 1 pearls").items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    shown = targi("show", str(tmp_path / "pond.targi"), "card", "raft")
    assert "this game has no `pearls`" in shown.out
    assert targi("validate", str(tmp_path / "pond.targi")).code == 0


# ---- decks ----


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("base_border without trader", "Missing: 5."),
        ("base_border + 2 x trader of base_border", "More than once: 5."),
        ("base_border where number is not 16", "Missing: 16."),
        ("draw 16 from base_border", "Drawn by chance, so its number is not known."),
        ("wide_border", "Too many: 17, 18, 19, 20."),
    ],
)
def test_a_zone_with_numbers_has_each_once(expression: str, text: str) -> None:
    files = {
        "trial.targi": f"language 2\ngame trial based on base\n  deck border_box: {expression}\n"
    }
    found = [one for one in check("trial", of_texts(files))[1] if one.code == "E533"]
    assert [one.text for one in found] == [text]
    assert places(found[0])[0] == "trial.targi:3"


def test_a_numbered_zone_without_a_deck_misses_all() -> None:
    files = {**FILES, MODULE: FILES[MODULE] + "zone box: plan, numbered 1 to 3\n"}
    (problem,) = told(files)
    assert (problem.code, problem.text) == ("E533", "Missing: 1, 2, 3.")


def test_one_id_in_two_sets_of_a_game_is_an_error() -> None:
    files = {
        **FILES,
        "pond/more_plans.yaml": (
            CARDS.replace("set: pond_plans", "set: more_plans").split("  - id: raft")[0]
        ),
    }
    files["pond.targi"] = SHEET.replace("pond_plans", "pond_plans + more_plans")
    (problem,) = told(files)
    assert problem.code == "E532"
    assert [place.partition(":")[0] for place in places(problem)] == ["pond/more_plans.yaml", PLANS]


def test_two_sets_with_the_same_ids_are_one_fault_that_the_hint_mends() -> None:
    sheet = "language 2\ngame trial based on expansion\n  deck border_box: {}\n"
    (problem,) = check(
        "trial", of_texts({"trial.targi": sheet.format("base_border + expansion_border")})
    )[1]
    assert (problem.code, problem.hint) == ("E532", "base_border overlaid by expansion_border")
    assert "The same applies to 8 more." in problem.text
    mended = check("trial", of_texts({"trial.targi": sheet.format(problem.hint)}))[1]
    assert not [one for one in mended if one.severity == "error"]


def of_deck(expression: str) -> tuple[list[str], tuple[Problem, ...]]:
    """The cards of the small game that an expression leaves, each once, and the problems.

    The raft is open, fits reed and newt, and may cost a twig or, in its bracket, a fame.
    """
    rules = FILES[MODULE].replace(
        "  worth: 1 to 3\n",
        "  worth: 1 to 3\n  open: truth, may be missing\n  fits: list of sort\n",
    )
    cards = CARDS.replace("    worth: ", "    fits: []\n    worth: ")
    cards = cards.replace(
        "    fits: []\n    worth: 2\n", "    open: true\n    fits: [reed, newt]\n    worth: 2\n"
    )
    cards = cards.replace(
        "or 1 twigs\n", "or 1 twigs (plus 1 fame for 1 pebbles)\n".replace("1 pebbles", "1 grey")
    )
    sheet = SHEET.replace("deck plan_pile: pond_plans", f"deck plan_pile: {expression}")
    game, problems = check("pond", of_texts({MODULE: rules, PLANS: cards, "pond.targi": sheet}))
    return sorted({card.id.partition(".")[0] for card in game.cards}) if game else [], problems


@pytest.mark.parametrize(
    ("filter_", "left"),
    [
        ("sort is reed", ["bridge"]),
        ("sort is not reed", ["den", "raft"]),
        ("worth is 2", ["raft"]),
        ("worth is not 02", ["bridge", "den"]),
        ("open is yes", ["raft"]),
        ("open is no", ["bridge", "den"]),
        ("open is not yes", ["bridge", "den"]),
        ("newt is in fits", ["raft"]),
        ("newt is not in fits", ["bridge", "den"]),
        ("grey is in cost", ["bridge", "raft"]),
        ("grey is not in cost", ["den"]),
        ("twigs is in cost", ["raft"]),  # one of two ways to pay it
        ("pebbles is in cost", ["den"]),  # the group, not what is in it
        ("worth is at least 2", ["den", "raft"]),
        ("worth is at most 2", ["bridge", "raft"]),
        ("worth is more than 2", ["den"]),
        ("worth is less than 2", ["bridge"]),
        ("not worth is 2", ["bridge", "den"]),
        ("worth is 1 or sort is newt", ["bridge", "den"]),
        ("grey is in cost and not worth is 1", ["raft"]),
        ("worth is 1 or worth is 2 and sort is newt", ["bridge"]),
        ("(worth is 1 or worth is 2) and sort is lily", ["raft"]),
        ("fame is in ability", ["raft"]),
        ("fame is not in ability", ["bridge", "den"]),
        ("fame is not in cost", ["bridge", "den", "raft"]),  # X14: a bracket need not be paid
    ],
)
def test_a_filter_leaves_the_cards_that_it_says(filter_: str, left: list[str]) -> None:
    found, problems = of_deck(f"pond_plans where {filter_}")
    assert found == left, render(problems)


def test_a_filter_is_of_all_before_it_unless_parentheses_end_it() -> None:
    assert of_deck("pond_plans + cards raft of pond_plans where worth is 2")[0] == ["raft"]
    found, problems = of_deck("(pond_plans where worth is 1) + cards raft of pond_plans")
    assert "raft" in found and found != ["raft"], render(problems)


def test_the_rest_of_a_deck_lies_where_the_sheet_says() -> None:
    sheet = (
        'language 2\ngame pond "Pond"\n  rules pond\n  deck plan_pile: draw 5 from pond_plans\n'
        "  deck plan_waste: the rest of plan_pile\n"
    )
    game = load("pond", of_texts({MODULE: FILES[MODULE], PLANS: CARDS, "pond.targi": sheet}))
    places = [
        game.places[Position(game, start(game, Seed(4)).vector).place_of_card(card)].name
        for card in range(len(game.cards))
    ]
    assert sorted(set(places)) == ["plan_pile", "plan_waste"]
    assert places.count("plan_pile") == 5


def test_what_a_bracket_adds_is_not_the_cost_of_a_card() -> None:  # X14
    sheet = (
        "language 2\ngame trial based on expansion\n  deck tribe_pile: expansion_tribe where gold"
        " is not in cost\n"
    )
    ids = {card.id for card in load("trial", of_texts({"trial.targi": sheet})).cards}
    assert "camel_14" in ids
    assert "well_10" in {card.id for card in load("expansion").cards}


@pytest.mark.parametrize(
    ("expression", "code", "words"),
    [
        ("pond_plans where worth is 7", "E512", "`worth` is a number from 1 to 3."),
        ("pond_plans where worth is not 7", "E512", "`worth` is a number from 1 to 3."),
        ("pond_plans where worth is reed", "E503", "`worth` is a number from 1 to 3."),
        ("pond_plans where sort is red", "E513", "Did you mean `reed`?"),
        ("pond_plans where sort is not red", "E513", "Did you mean `reed`?"),
        ("pond_plans where newd is not in fits", "E513", "Did you mean `newt`?"),
        ("pond_plans where open is true", "E513", "It can be: no, yes."),
        ("pond_plans where twig is not in cost", "E201", "Did you mean `twigs`?"),
        ("pond_plans where cost is twigs", "E535", "where twigs is in cost"),
        ("pond_plans where fits is not newt", "E535", "where newt is not in fits"),
        ("pond_plans where reed is in sort", "E535", "where sort is reed"),
        ("pond_plans where ability is reed", "E535", "where reed is in ability"),
        ("pond_plans where sorts is reed", "E520", "Did you mean `sort`?"),
        (
            "pond_plans where sort is reed and worth is 3",
            "E539",
            "None of the 9 passes this filter.",
        ),
        ("draw 0 from pond_plans", "E536", "Write how many"),
        ("pond_plans + 0 x raft of pond_plans", "E536", "Remove it"),
        ("cards raft, raft of pond_plans", "E537", "2 x raft of pond_plans"),
        ("draw 2 of each ability from pond_plans", "E535", "a field with one value"),
        ("draw 2 of each cost from pond_plans", "E535", "a field with one value"),
        ("draw 2 of each fits from pond_plans", "E535", "a field with one value"),
        ("draw 2 of each sorts from pond_plans", "E520", "Did you mean `sort`?"),
        (
            "draw 2 of each open from (pond_plans without raft)",
            "E525",
            "There are only 0 cards with open yes.",
        ),
        (
            "draw 4 of each sort from pond_plans",
            "E525",
            "3 cards with sort reed, 3 cards with sort lily",
        ),
        ("pond_plans where sort is at least 2", "E535", "Only numbers can be compared"),
        ("pond_plans where worth is at least 9", "E512", "`worth` is a number from 1 to 3."),
        ("pond_plans where fam is in ability", "E201", "Did you mean `fame`?"),
        ("pond_plans where worth is 1 and worth is 2", "E539", "None of the 9"),
        ("pond_plans where cost has grey", "E110", "pond_plans where grey is in cost"),
        ("pond_plans where cost has no grey", "E535", "where grey is not in cost"),
        (
            "pond_plans where worth + 1 is 2",
            "E535",
            "A filter compares a field with a value: `FIELD is VALUE`.",
        ),
        (
            "pond_plans where any worth",
            "E535",
            "A filter compares a field with a value: `FIELD is VALUE`.",
        ),
        ("pond_plans without (raft)", "E110", "pond_plans without raft"),
        ("2 x raft", "E110", "Expected `of`."),
        ("the rest of plan_waste", "E528", "a deck that says `draw`"),
        ("the rest of plan_pile + pond_plans", "E522", "the rest cannot be combined"),
        ("pond_plans with worth 3", "E110", "deck plan_pile: pond_plans where worth is 3"),
        (
            "pond_plans whose worth is not 3",
            "E110",
            "deck plan_pile: pond_plans where worth is not 3",
        ),
    ],
)
def test_a_deck_that_says_what_cannot_be_is_one_fault(
    expression: str, code: str, words: str
) -> None:
    _, problems = of_deck(expression)
    assert [one.code for one in problems] == [code], render(problems)
    assert words in render(problems)


@pytest.mark.parametrize(
    ("expression", "code", "names"),
    [
        ("base_border overlaid by cards noble, noble of expansion_border", "E537", ["noble"]),
        ("base_border overlaid by 2 x noble of expansion_border", "E538", ["noble"]),
        (
            (
                "base_border overlaid by (cards noble of expansion_border + cards noble of"
                " wide_border)"
            ),
            "E538",
            ["`noble` of expansion_border", "`noble` of wide_border"],
        ),
        (
            (
                "(base_border + cards noble of wide_border) overlaid by cards noble of"
                " expansion_border"
            ),
            "E538",
            ["`noble` of base_border", "`noble` of wide_border"],
        ),
        ("base_border overlaid by base_goods", "E524", []),
    ],
)
def test_an_overlay_with_numbers_that_are_not_one_to_one_is_one_fault_naming_both(
    expression: str, code: str, names: list[str]
) -> None:
    sheet = f"language 2\ngame trial based on expansion\n  deck border_box: {expression}\n"
    (problem,) = check("trial", of_texts({"trial.targi": sheet}))[1]
    assert problem.code == code
    assert problem.labels
    assert all(name in problem.title + problem.text for name in names), render([problem])


def test_a_deck_of_over_a_thousand_cards_and_sheets_in_a_circle_are_refused() -> None:
    files = {**FILES, "pond.targi": SHEET.replace("pond_plans", "1001 x raft of pond_plans")}
    assert [one.code for one in told(files)] == ["E527"]
    files = {
        "one.targi": "language 2\ngame one based on two\n",
        "two.targi": "language 2\ngame two based on one\n",
    }
    assert [one.code for one in check("one", of_texts(files))[1]] == ["E405"]
    files["two.targi"] = files["two.targi"].replace("game two", "game deux")
    files["one.targi"] = files["one.targi"].replace("game one", "game un")
    (circle,) = check("one", of_texts(files))[1]
    assert circle.code == "E405" and "un is based on deux is based on one." in circle.text
    assert [one.code for one in check("./nowhere.targi")[1]] == ["E005"]


def test_a_sheet_called_like_its_base_is_based_on_the_next_of_that_name() -> None:
    """Its file hides the shipped sheet from all games but itself."""
    sheet = "language 2\ngame {} based on {}\n"
    files = {
        "base.targi": sheet.format("my_base", "base"),
        "other.targi": sheet.format("other", "base"),
    }
    for name, called in (("base", "my_base"), ("other", "other")):
        game, problems = check(name, of_texts(files))
        assert game is not None and game.name == called and problems == ()
    alone = {"mine.targi": sheet.format("ours", "mine")}
    (problem,) = check("mine", of_texts(alone))[1]
    assert problem.code == "E405" and problem.text == "ours is based on mine."
    named = {"base.targi": sheet.format("base", "base")}
    assert [one.code for one in check("base", of_texts(named))[1]] == ["E405"]


def test_a_variable_of_cards_of_which_there_are_none_keeps_its_type() -> None:
    """It has no slot, and the next variable begins where it does."""
    more = (
        "card shell\n  worth: number\nvariable worn for each shell: 0 to 9\nvariable wet: truth\n"
    )
    text = FILES[MODULE].replace("space shore:", more + "space shore:")
    text += (
        "rule wear\n  set wet to yes\n  each c in cards on shore where c is a shell: set worn of c"
        " to 3\n"
    )
    found = told(
        {
            **FILES,
            MODULE: text.replace("  set day to day + 1\n", "  do wear\n  set day to day + 1\n"),
        }
    )
    assert found == (), render(found)


@pytest.mark.parametrize(("base", "rule"), [("base", "smith"), ("expansion", "use_markers")])
def test_offering_without_a_part_adds_to_the_only_question(base: str, rule: str) -> None:
    sheet = f'language 2\ngame longer "Longer" based on {base}\nextend rule {rule} offering\n'
    game, problems = check("longer", of_texts({"longer.targi": f"{sheet}  wait: gain 1 points\n"}))
    assert game is not None and problems == ()
    before, now = (sum(len(one.ways) for one in of.program.questions) for of in (load(base), game))
    assert now == before + 1


@pytest.mark.parametrize(("part", "codes"), [("draw_plan", []), ("build", ["E404"])])
def test_what_is_offered_beside_a_part_joins_the_question_around_it(
    part: str, codes: list[str]
) -> None:
    dry = "rule rest\n  one of\n    doze:\n      gain 1 fame\n      do draw_plan\n    wait: nothing\n  do build\n"
    dry += "extend rule round\n  each player: do rest\n"
    files = pond(
        {"dry": dry, "wet": f"extend rule rest after {part} offering\n  dig: gain 1 twigs\n"},
        wet="dry",
    )
    found = told(files)
    assert [one.code for one in found] == codes
    if codes:
        assert found[0].hint == "extend rule rest after build"
        return
    (ways,) = (
        one.alternatives
        for rule in load("pond", of_texts(files)).rules
        if rule.name == "rest"
        for one in rule.every(Ask)
    )
    assert [one.label for one in ways] == ["doze", "dig", "wait"]
