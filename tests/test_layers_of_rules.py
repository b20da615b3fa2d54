"""Layered modules: every change is reported with its locations, and the result knows
its origins.
"""

from __future__ import annotations

import pytest

from targi_dsl.api import start
from targi_dsl.api.position import Position
from targi_dsl.compiler.load import check, load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed
from targi_dsl.ir.game import Game
from targi_dsl.ir.layout import Items, PlayerPart, places_of
from targi_dsl.ir.statements import Ask
from targi_dsl.text.diagnostics import Problem, render
from tests.small_game import CARDS, FILES, SHEET, pond, told

MODULE, PLANS = "pond/pond.targi", "pond/pond_plans.yaml"


def places(problem: Problem) -> list[str]:
    spans = [problem.span, *(label.span for label in problem.labels)]
    return [f"{span.source.name}:{span.line}" for span in spans if span is not None]


def test_a_layout_is_extended_for_the_table_and_for_each_player() -> None:
    files = pond({"dry": "extend layout\n  line heron\n  each player\n    line your fame\n"})
    files[MODULE] += "\nlayout\n  table shore\n  each player\n    line your twigs\n"
    assert [type(part).__name__ for part in load("pond", of_texts(files)).layout] == [
        "Table", "Items", "PlayerPart", "PlayerPart",
    ]  # fmt: skip
    assert [
        len(part.parts) for part in load("pond", of_texts(files)).layout if hasattr(part, "parts")
    ] == [2, 2]


# ---- decks ----


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("base_border without trader", "Missing: 5."),
        (
            "base_border + 2 x trader of base_border",
            "More than once: 5. To draw one with each number, write:",
        ),
        ("base_border where number is not 16", "Missing: 16."),
        ("wide_border", "Too many: 17, 18, 19, 20."),
    ],
)
def test_a_zone_with_numbers_has_each_once(expression: str, text: str) -> None:
    files = {
        "trial.targi": f"language 2\ngame trial based on base\n  deck border_cards: {expression}\n"
    }
    found = [one for one in check("trial", of_texts(files))[1] if one.code == "E533"]
    assert [one.text for one in found] == [text]
    assert places(found[0])[0] == "trial.targi:3"


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
    sheet = f"language 2\ngame trial based on expansion\n  deck border_cards: {expression}\n"
    (problem,) = check("trial", of_texts({"trial.targi": sheet}))[1]
    assert problem.code == code
    assert problem.labels
    assert all(name in problem.title + problem.text for name in names), render([problem])


def test_a_deck_of_over_a_thousand_cards_and_sheets_in_a_circle_are_refused() -> None:
    files = {**FILES, "pond.targi": SHEET.replace("pond_plans", "1001 x raft of pond_plans")}
    assert [one.code for one in told(files)] == ["E527"]
    files = {
        "west.targi": "language 2\ngame west based on east\n",
        "east.targi": "language 2\ngame east based on west\n",
    }
    assert [one.code for one in check("west", of_texts(files))[1]] == ["E405"]
    files["east.targi"] = files["east.targi"].replace("game east", "game deux")
    files["west.targi"] = files["west.targi"].replace("game west", "game un")
    (circle,) = check("west", of_texts(files))[1]
    assert circle.code == "E405" and "un is based on deux is based on west." in circle.text
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


@pytest.mark.parametrize(
    ("base", "rule"), [("base", "silversmith_exchange"), ("expansion", "use_abilities")]
)
def test_offering_without_a_part_adds_to_the_only_question(base: str, rule: str) -> None:
    sheet = f'language 2\ngame longer "Longer" based on {base}\nextend rule {rule} offering\n'
    game, problems = check("longer", of_texts({"longer.targi": f"{sheet}  wait: gain 1 points\n"}))
    assert game is not None and not any(one.severity == "error" for one in problems)
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


def test_an_extension_above_a_replacement_of_the_same_module_is_discarded() -> None:
    extend, other = (
        "extend rule take_two\n  gain 1 topaz\n",
        "replace rule take_two\n  gain 1 gold\n",
    )
    for text, lines in {
        extend + other: [3],
        other + extend: [],
        extend * 2 + other: [3, 5],
        other * 2: [3],
    }.items():
        sheet = f"language 2\ngame own based on gem_market\n{text}"
        _, found = check("own", of_texts({"own.targi": sheet}))
        discarded = [one for one in found if one.code == "W930"]
        assert [one.span.line for one in discarded if one.span] == lines
        assert all(len(places(one)) == 2 for one in discarded)


def test_an_extension_of_a_prohibition_above_its_replacement_is_discarded() -> None:
    head = "language 2\ngame own based on base\nextend forbid occupied: your gold is 0\n"
    for change in ("replace forbid occupied: your gold is 1\n", "remove forbid occupied\n"):
        _, problems = check("own", of_texts({"own.targi": head + change}))
        assert "W930" in [one.code for one in problems]


def test_spaces_by_which_a_module_makes_a_region_larger_stand_behind_the_rest() -> None:
    rules = "replace space border: ring of 20\n"
    rules += "replace space display for each player: grid 4 by 4, abilities active\n"
    text = f"language 2\ngame longer based on base\n{rules}"
    game, _ = check("longer", of_texts({"longer.targi": text}))
    assert game is not None
    shown = {*places_of(game.layout)}
    assert all(place.is_zone for place in game.places if place.name not in shown)


def _regions_shown(game: Game) -> set[str]:
    shown = {*places_of(game.layout)}
    return {place.region for place in game.places if place.name in shown}


def test_what_a_module_adds_and_no_line_of_the_layout_shows_stands_behind_the_rest() -> None:
    head = "language 2\ngame wider based on base\nextend resource goods: incense\nresource figs\n"
    more = "space stream: row of 3\nzone chest for each player: tribe_card\npool pot: gold\n"
    more += 'variable wind: 0 to 3 as "strength of the wind"\nvariable calm: 0 to 3\n'
    more += 'variable luck for each player: 0 to 9 as "luck"\n'
    wider, problems = check("wider", of_texts({"wider.targi": head + more}))
    assert wider is not None
    assert problems == ()
    shared = [part for part in wider.layout if not isinstance(part, PlayerPart)]
    players = [part for part in wider.layout if isinstance(part, PlayerPart)]
    *_, stream, amounts = shared
    assert [*places_of([stream])] == ["stream 1", "stream 2", "stream 3"]
    assert isinstance(amounts, Items)
    assert [one.name for one in amounts.items] == ["pot", "wind"], "words tell what is for people"
    lines = [[one.name for one in line.items] for part in players for line in part.parts
             if isinstance(line, Items)]  # fmt: skip
    assert [line[-2:] for line in lines if "points" in line] == [["incense", "figs"]] * 2
    assert lines.count(["chest"]) == lines.count(["luck"]) == 2
    same = "language 2\ngame same based on base\nreplace zone drawn: goods_card\n"
    replaced, _ = check("same", of_texts({"same.targi": same}))
    assert replaced is not None
    assert "drawn" not in _regions_shown(replaced)
    own = f"{head}{more}extend layout\n  table stream\n"
    told, _ = check("wider", of_texts({"wider.targi": own}))
    assert told is not None
    names = _regions_shown(told)
    assert "stream" in names
    assert "chest" not in names, "a module with a layout says what is seen"
