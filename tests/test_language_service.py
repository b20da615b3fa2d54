"""What an editor asks of a workspace."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from targi_dsl.cli.commands.validate import problems_of
from targi_dsl.compiler.load import analyse
from targi_dsl.language_service import (
    Refused,
    Workspace,
    amounts,
    completions,
    counts,
    definitions,
    foldings,
    hover,
    named,
    outline,
    path_of,
    references,
    rename,
    repairs,
    tokens,
)
from targi_dsl.text.diagnostics import apply_edits, to_json
from tests.commands import targi
from tests.edited_pond import PLANS, RULES, SHEET, Pond
from tests.small_game import FILES
from tests.texts import game_text


@pytest.fixture
def pond(tmp_path: Path) -> Pond:
    return Pond(tmp_path)


# ---- the workspace ----


def test_a_text_that_is_being_edited_counts_and_not_the_file(pond: Pond) -> None:
    assert pond.codes() == []
    pond.edit(RULES, "gain 1 pebbles", "gain 1 peebles")
    assert pond.codes() == pond.codes(SHEET) == pond.codes(PLANS) == ["E201"]
    pond.workspace.edit(pond.path(RULES), None)
    assert pond.codes() == []


def test_the_problems_are_those_of_validate(pond: Pond) -> None:
    pond.edit(SHEET, "option flood: never", "option flod: never\n  deck plan_pile: ponds")
    pond.edit(RULES, "rule setup\n", "rule setup:\n")
    for name in (SHEET, RULES):
        text = pond.workspace.source(pond.path(name)).text
        Path(pond.path(name)).write_text(text, encoding="utf-8")
    told = pond.workspace.problems(pond.path(RULES))
    validated = analyse(pond.path(SHEET)).problems
    assert len(told) > 1
    assert [(one.code, one.title, one.span and one.span.start) for one in told] == [
        (one.code, one.title, one.span and one.span.start) for one in validated
    ]


def test_a_file_of_no_game_is_checked_alone(pond: Pond) -> None:
    lonely = pond.path("pond/pebble.yaml")
    pond.workspace.edit(lonely, "language: 2\nset: pebble\nkind: [\n")
    assert pond.workspace.games(lonely) == ()
    assert pond.codes("pond/pebble.yaml")
    assert pond.codes("nowhere.targi") == ["E005"]


def test_a_file_of_several_games_is_looked_at_in_the_one_that_is_chosen(pond: Pond) -> None:
    other = pond.path("marsh.targi")
    pond.workspace.edit(other, FILES[SHEET].replace("game pond", "game marsh") + "  option x: y\n")
    rules = pond.path(RULES)
    assert [Path(one).stem for one in pond.workspace.games(rules)] == ["pond", "marsh"]
    assert pond.codes() == []
    pond.workspace.choose(rules, other)
    assert pond.codes() == ["E410"]


def test_a_sheet_that_cannot_be_read_is_told_as_when_it_is_validated(pond: Pond) -> None:
    """Found by random edits: what is repaired leads to further faults."""
    pond.edit(SHEET, '"\n', "\n")
    pond.edit(RULES, "rule setup", "rule set_up")
    for name in (SHEET, RULES):
        Path(pond.path(name)).write_text(pond.workspace.source(pond.path(name)).text, "utf-8")
    told = pond.workspace.problems(pond.path(SHEET))
    assert [(one.code, one.hint) for one in told] == [
        (one.code, one.hint) for one in problems_of(pond.path(SHEET))
    ]


def test_a_file_of_twelve_games_has_a_name_changed_in_all_of_them(pond: Pond) -> None:
    rules, said = pond.path(RULES), FILES[SHEET]
    names = [f"lake_{number}" for number in range(11)]
    for name in names:
        text = said.replace("game pond", f"game {name}") + "define more: most_plans + 1\n"
        pond.workspace.edit(pond.path(f"{name}.targi"), text)
    assert {Path(one).stem for one in pond.workspace.games(rules)} == {"pond", *names}
    assert set(pond.codes()) <= {"W919"}
    edits = rename(*pond.place(RULES, "most_plans: 2", "most_plans"), "plans_at_most")
    assert len([path for path in edits if path.endswith(".targi")]) == 12


def test_a_shipped_file_that_is_being_edited_counts_in_every_game_that_reads_it() -> None:
    workspace = Workspace()
    file = Path("rules/base/12_limits.targi").absolute()
    workspace.edit(str(file), file.read_text(encoding="utf-8").replace("gold_limit:", "gold_limt:"))
    sheet = str(Path("rules/games/expansion.targi").absolute())
    for path in (str(file), sheet):
        assert {one.code for one in workspace.problems(path)} == {"E201"}


# ---- names ----


def test_what_a_name_means_is_told_with_its_declaration_and_cards(pond: Pond) -> None:
    found = hover(*pond.place(RULES, "most_plans: 2", "most_plans"))
    assert found is not None
    assert (found.kind, found.name, found.lines) == (
        "definition",
        "most_plans",
        ("define most_plans: 2",),
    )
    assert [(one.module, one.how) for one in found.layers] == [("pond", "declared")]
    build = hover(*pond.place(PLANS, "always: build costs", "build"))
    assert build is not None and build.kind == "rule" and build.cards == ("den",)


def test_what_a_name_means_is_told_though_its_declaration_is_no_longer_indented_right(
    pond: Pond,
) -> None:
    """Found by seeded faults."""
    assert pond.codes() == []
    pond.edit(RULES, "  pay cost of plan\n", "  pay cost of plan\n pay cost of plan\n")
    assert pond.codes() == ["E105"]
    assert hover(*pond.place(RULES, "do build", "build")) is not None


def test_a_name_leads_to_every_module_that_makes_what_it_means(pond: Pond) -> None:
    variant = "language 2\nmodule deep based on pond\nreplace define most_plans: 3\n"
    pond.workspace.edit(pond.path("deep/deep.targi"), variant)
    pond.edit(SHEET, "rules pond", "rules pond + deep")
    found = definitions(*pond.place(RULES, "most_plans: 2", "most_plans"))
    assert [Path(span.source.name).name for span in found] == ["pond.targi", "deep.targi"]


@pytest.mark.parametrize("name", ["most_plans", "pebbles", "shore", "frog", "newt", "build"])
def test_a_name_is_changed_everywhere_and_back(pond: Pond, name: str) -> None:
    file = RULES if name in FILES[RULES] else PLANS
    before = {one: pond.workspace.source(pond.path(one)).text for one in FILES}
    for new, old in (("fresh_name", name), (name, "fresh_name")):
        at = pond.place(file, old, old)
        for path, edits in rename(*at, new).items():
            pond.workspace.edit(path, apply_edits(edits))
        assert pond.codes() == []
    assert {one: pond.workspace.source(pond.path(one)).text for one in FILES} == before


def test_a_region_is_changed_in_the_words_of_a_secret_choice_for_each_of_its_spaces(
    pond: Pond,
) -> None:
    more = "variable guess for each garden: 0 to 3, seen by owner\n\nrule setup\n"
    more += '  all choose guess in 0..3 in secret as "{guess} at {garden}"'
    pond.edit(RULES, "rule setup", more)
    edits = rename(*pond.place(RULES, "space garden", "garden"), "bed")
    assert '"{guess} at {bed}"' in apply_edits(edits[pond.path(RULES)])


@pytest.mark.parametrize(
    ("passage", "word", "new", "why"),
    [
        ("most_plans: 2", "most_plans", "Most", "small letters"),
        ("most_plans: 2", "most_plans", "shore", "does not work here"),
        ("most_plans: 2", "most_plans", "otherwise", "a word of the language"),
        ("module pond", "pond", "lake", "its folder"),
        ("rule setup", "rule", "law", "Nothing with a name"),
    ],
)
def test_a_name_that_cannot_be_changed_is_refused_with_the_reason(
    pond: Pond, passage: str, word: str, new: str, why: str
) -> None:
    with pytest.raises(Refused, match=why):
        rename(*pond.place(RULES, passage, word), new)


def test_a_shipped_name_is_changed_only_where_that_is_allowed() -> None:
    workspace, file = Workspace(), Path("rules/base/12_limits.targi").absolute()
    at = file.read_text(encoding="utf-8").index("goods_limit}") + 1
    with pytest.raises(Refused, match="Change it in a copy"):
        rename(workspace, str(file), at, "most_goods")
    edits = rename(workspace, str(file), at, "most_goods", [str(Path.cwd())])
    names = {Path(path).name: len(those) for path, those in edits.items()}
    rules = {"12_limits.targi": 3, "08_limits.targi": 1, "base_tribe.yaml": 1}
    assert names == {**rules, "es.po": 1, "fr.po": 1, "pl.po": 1}  # inside braces


def test_an_entry_of_a_catalogue_goes_with_the_name_that_is_read_and_not_with_the_id_of_a_card() -> (
    None
):
    workspace, file = Workspace(), path_of("rules/kuhn_poker/01_kuhn_poker.targi")
    at = workspace.source(file).text.index("jack 1")
    edits = rename(workspace, file, at, "knave", [str(Path.cwd())])
    catalogue = next(path for path in edits if path.endswith("es.po"))
    assert 'msgid "knave"\nmsgstr "jota"' in apply_edits(edits[catalogue])
    cards = path_of("cards/kuhn_poker/kuhn_cards.yaml")
    at = workspace.source(cards).text.index("id: jack") + len("id: ")
    edits = rename(workspace, cards, at, "knave", [str(Path.cwd())])
    assert not any(path.endswith(".po") for path in edits)


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("zone net for each player: ", {"card", "plan"}),
        ("extend ", {"values", "set", "rule"}),
        ("remove ", {"zone", "variable", "define"}),
        ("rule more\n  one of\n    ", {"setup"}),
    ],
)
def test_words_that_stand_where_names_can_are_offered(
    pond: Pond, line: str, offered: set[str]
) -> None:
    text = f"{FILES[RULES]}\n{line}"
    pond.workspace.edit(pond.path(RULES), text)
    found = {one.text for one in completions(pond.workspace, pond.path(RULES), len(text)).items}
    assert offered <= found


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("set near: cove ", {"bay", "reef"}),
        ("set near: shore ", {str(at) for at in range(1, 7)}),
        ("layout\n  table\n    shore 1 | cove ", {"bay", "reef"}),
        ("relation way from cove to shore: ", {"bay", "reef", *(str(at) for at in range(1, 7))}),
    ],
)
def test_the_spaces_of_the_region_that_is_named_are_offered(
    pond: Pond, line: str, offered: set[str]
) -> None:
    text = (
        f"{FILES[RULES]}\nspace cove: spots named bay, reef\nspace pier: spots named post\n{line}"
    )
    pond.workspace.edit(pond.path(RULES), text)
    found = {one.text for one in completions(pond.workspace, pond.path(RULES), len(text)).items}
    assert found == offered


def test_a_condition_in_a_catalogue_goes_with_a_name_in_it() -> None:
    workspace, file = Workspace(), path_of("rules/bazaar/01_components.targi")
    at = workspace.source(file).text.index("zone hand") + len("zone ")
    edits = rename(workspace, file, at, "bag", [str(Path.cwd())])
    catalogue = next(path for path in edits if path.endswith("bazaar/es.po"))
    assert 'msgid "least count of your bag"' in apply_edits(edits[catalogue])


SHIPPED = Workspace()
"""Where no file is edited."""


def renamed(file: str, passage: str, name: str, new: str) -> dict[str, str]:
    """The texts of shipped files with another name, by the name of the file."""
    workspace, path = SHIPPED, path_of(file)
    text = workspace.source(path).text
    at = text.index(passage) + passage.index(name)
    edits = rename(workspace, path, at, new, [str(Path.cwd())])
    return {Path(path).name: apply_edits(those) for path, those in edits.items()}


def test_a_local_name_is_changed_inside_braces_of_catalogues_too() -> None:
    found = renamed("rules/inn/01_inn.targi", "choose dish in cookbook", "dish", "meal")
    assert found.keys() == {"01_inn.targi", "es.po", "fr.po", "pl.po"}
    assert 'msgid "note {meal}"\nmsgstr "apuntar {meal}"' in found["es.po"]
    assert 'msgid "cook {dish}"' in found["es.po"]


def test_a_local_direction_is_changed_where_spaces_are_asked_for_it() -> None:
    found = renamed("rules/reversi/01_reversi.targi", "way (direction)", "way", "ray")
    assert "run of s (board), ray (direction): reached from s by ray" in found["01_reversi.targi"]


def test_a_parameter_that_is_called_like_its_type_keeps_its_type() -> None:
    file = "rules/inn/01_inn.targi"
    of_rule = renamed(file, "rule cook with dish", "dish", "meal")["01_inn.targi"]
    assert "rule cook with meal (dish)\n  pay cost of meal\n" in of_rule
    of_kind = renamed(file, "card dish\n", "dish", "meal")["01_inn.targi"]
    assert "rule cook with dish (meal)\n  pay cost of dish\n" in of_kind


@pytest.mark.parametrize(("old", "new"), [("day", "spot"), ("spot", "day")])
def test_a_name_that_would_mean_something_else_is_refused(pond: Pond, old: str, new: str) -> None:
    """Where both stand, either would be taken for the other."""
    rule = "rule wait with spot (number)\n  gain (spot + day) twigs\n"
    text = pond.workspace.source(pond.path(RULES)).text
    pond.workspace.edit(pond.path(RULES), f"{text}\n{rule}")
    with pytest.raises(Refused, match=f"`{new}` already means something else where `{old}` stands"):
        rename(*pond.place(RULES, "gain (spot + day)", old), new)


def test_ids_of_cards_that_are_put_together_go_with_a_part_in_their_own_game() -> None:
    found = renamed("rules/crazy_eights/01_crazy_eights.targi", "clubs,", "clubs", "acorns")
    assert "card_acorns_five" in found["01_crazy_eights.test.targi"]
    assert "01_oh_hell.test.targi" not in found


def test_a_name_that_several_games_declare_is_changed_in_all_that_share_the_cards() -> None:
    found = renamed("rules/crazy_eights/01_crazy_eights.targi", "rank: rank", "rank", "height")
    assert {"01_crazy_eights.targi", "01_oh_hell.targi", "full_pack.yaml"} <= found.keys()


def test_what_a_module_changes_on_a_card_goes_with_the_field() -> None:
    found = renamed("rules/bazaar/01_components.targi", "ability: ability", "ability", "skill")
    assert "  no skill\n" in found["02_guests.targi"]


def test_a_name_goes_with_what_is_said_of_decks_in_the_sheet() -> None:
    found = renamed("rules/crazy_eights/01_crazy_eights.targi", "zone pack", "pack", "stock")
    assert found["crazy_eights.targi"].count("deck stock") == 2


def test_a_deck_that_a_variant_replaces_goes_with_the_zone() -> None:
    found = renamed("rules/base_wide/01_wide.targi", "zone border_cards", "border_cards", "rim")
    assert {"base.targi", "base_wide.targi", "expansion.targi", "02_board.targi"} <= found.keys()


def test_what_a_zone_is_for_each_of_is_no_field() -> None:
    found = renamed("rules/five_trails/01_five_trails.targi", "values hue", "hue", "tint")
    assert "zone castoffs for each tint" in found["01_five_trails.targi"]
    assert "  hue: tint\n" in found["01_five_trails.targi"]


def test_cards_that_a_game_leaves_out_go_with_a_name() -> None:
    found = renamed("rules/bazaar_fair/01_fair.targi", "values craft: baker", "baker", "miller")
    assert "baker" not in found["bazaar_fair_stalls.yaml"].replace("bakery", "")


@pytest.mark.parametrize(
    ("file", "passage", "name", "new", "told"),
    [
        ("base/01_components", "gold, points (one", "points", "fame", "pay 1 fame"),
        ("heiress/01_heiress", "rank: watchman", "watchman", "guard", "guess guard"),
    ],
)
def test_what_is_chosen_is_of_the_kind_that_the_question_asks_for(
    file: str, passage: str, name: str, new: str, told: str
) -> None:
    found = renamed(f"rules/{file}.targi", passage, name, new)
    assert any(told in text for at, text in found.items() if at.endswith(".test.targi")), (
        found.keys()
    )


def test_the_name_of_a_rule_and_of_an_answer_stays_where_a_test_needs_the_other() -> None:
    rule = renamed("rules/bazaar/03_work.targi", "rule build", "build", "raise_up")
    assert "do raise_up by crimson" in rule["03_work.test.targi"]
    assert "offered: build\n" in rule["03_work.test.targi"]
    light = renamed("rules/lamplighters/01_lamplighters.targi", "rule light", "light", "kindle")
    assert "when light; kindle 1" in light["01_lamplighters.test.targi"]
    with pytest.raises(Refused, match=r"is a rule and an answer, and a test needs .*:258\.$"):
        renamed("rules/bazaar/03_work.targi", "rule peddle", "peddle", "hawk")


def test_a_local_name_goes_in_the_id_of_an_answer_that_is_its_sentence() -> None:
    """Several rules have a parameter `space`."""
    found = renamed("rules/expansion/03_targia.targi", "with space (border)", "space", "stop")
    assert "choices: do_action_of_card_on_stop; decline" in found["03_targia.test.targi"]


def test_the_spaces_that_are_rolled_at_once_get_another_name() -> None:
    found = renamed("rules/pearl_divers/01_pearl_divers.targi", "space dice", "dice", "cubes")
    assert "roll pips of cubes" in found["01_pearl_divers.targi"]


def test_what_chance_does_is_no_answer_of_the_game() -> None:
    found = renamed("rules/pig/01_pig.targi", 'roll as "roll again"', "roll", "throw_again")
    assert 'throw_again as "roll again"' in found["01_pig.targi"]
    assert "01_pig.test.targi" not in found or "roll 5" in found["01_pig.test.targi"]


def test_the_places_of_a_local_name_are_in_its_declaration(pond: Pond) -> None:
    found = references(*pond.place(RULES, "choose spot in shore", "spot"))
    assert len(found) > 1 and {span.text for span in found} == {"spot"}


# ---- writing ----


@pytest.mark.parametrize(
    ("file", "passage", "offered", "not_offered"),
    [
        (RULES, "gain 1 ", {"pebbles"}, {"shore", "build"}),
        (RULES, "choose spot in ", {"shore", "players"}, {"gain"}),
        (RULES, "place frog on ", {"spot", "shore"}, set()),
        (RULES, "spot in shore\n  ", {"where", "as", "forbid"}, {"or"}),
        (PLANS, "always: build costs 1 ", {"pebbles"}, {"build"}),
        (PLANS, 'ability: "', {"always", "once"}, {"pebbles"}),
        (SHEET, "option flood: ", {"never"}, {"shore"}),
        (SHEET, "  rules ", {"pond", "base"}, set()),
    ],
)
def test_what_fits_at_a_place_is_offered(
    pond: Pond, file: str, passage: str, offered: set[str], not_offered: set[str]
) -> None:
    assert pond.codes() == []
    text = FILES[file]
    end = text.index(passage) + len(passage)
    if file != PLANS:  # a sentence that is cut off has no closing quote
        pond.workspace.edit(pond.path(file), text[:end] + text[text.index("\n", end) :])
    found = {one.text for one in completions(pond.workspace, pond.path(file), end).items}
    assert offered <= found
    assert not found & not_offered


def test_what_can_be_replaced_is_offered(pond: Pond) -> None:
    text = f"{FILES[RULES]}\nreplace rule "
    pond.workspace.edit(pond.path(RULES), text)
    found = {one.text for one in completions(pond.workspace, pond.path(RULES), len(text)).items}
    assert {"build", "hop", "setup"} <= found
    assert not found & {"shore", "pebbles", "heron_waits"}


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("    c", {"cost", "copies"}),
        ("    source: {c", {"cost", "copies"}),
        ("    source: {cost: p", set()),
        ("    text:\n      ", set()),
        ("    cost: 1 ", {"pebbles"}),
        ('    name: {en: "rafts of {c', {"cost"}),
        ("    for_each: c", {"cost"}),
        ('    ability: "once', {"once"}),
        ("  - {id: other, c", {"cost", "copies"}),
        ("  - {id: other, ability: [alw", {"always"}),
        ("  - id: other\n    name: {en: Other}\n    a", {"ability", "action"}),
    ],
)
def test_keys_and_sentences_of_a_card_are_offered_though_its_file_is_half_written(
    pond: Pond, line: str, offered: set[str]
) -> None:
    assert pond.codes() == []
    text = FILES[PLANS].rstrip() + "\n" + line
    pond.workspace.edit(pond.path(PLANS), text)
    found = {one.text for one in completions(pond.workspace, pond.path(PLANS), len(text)).items}
    assert offered <= found
    assert offered or not found


def test_kinds_and_values_are_offered_in_a_card_file() -> None:
    workspace, path = Workspace(), path_of("cards/base/base_tribe.yaml")
    text = workspace.source(path).text
    for passage, value in (("\nkind: tribe_card", "tribe_card"), ("symbol: camel", "camel")):
        end = text.index(passage) + len(passage) - len(value)
        found = {one.text for one in completions(workspace, path, end).items}
        assert value in found and "display" not in found


def test_spaces_with_a_name_and_those_of_a_list_are_offered_in_a_card_file(pond: Pond) -> None:
    spaces = "space inlets: spots named muddy, sandy\nspace lanes: row by sort\ncard plan\n"
    fields = "  inlet: inlets, may be missing\n  lane: lanes, may be missing\n"
    pond.workspace.edit(pond.path(RULES), FILES[RULES].replace("card plan\n", spaces + fields))
    for field, offered in (("inlet", {"muddy", "sandy"}), ("lane", {"reed", "lily", "newt"})):
        text = f"{FILES[PLANS].rstrip()}\n    {field}: "
        pond.workspace.edit(pond.path(PLANS), text)
        found = completions(pond.workspace, pond.path(PLANS), len(text))
        assert {one.text for one in found.items} == offered


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (RULES, "define most_plans: 2", "defin most_plans: 2"),
        (RULES, "module pond", "modul pond"),
        (PLANS, "kind: ", "kind "),
        (SHEET, "  rules pond", "  rules pnd"),
        (SHEET, "game pond", "gam pond"),
    ],
)
def test_names_elsewhere_are_known_while_something_is_wrong(
    pond: Pond, file: str, old: str, new: str
) -> None:
    places = [(RULES, "rule build", "build"), (PLANS, "always: build costs", "build")]
    before = [hover(*pond.place(*place)) for place in places]
    pond.edit(file, old, new)
    for place, known in zip(places, before, strict=True):
        found = hover(*pond.place(*place))
        assert found is not None and known is not None
        assert (found.kind, found.name, found.span.text) == (known.kind, known.name, "build")
        assert [span.text for span in definitions(*pond.place(*place))] == ["build"]
        assert references(*pond.place(*place))


def test_a_changed_line_is_where_a_name_leads_to(pond: Pond) -> None:
    at = pond.place(RULES, "less than 2 * most_plans", "most_plans")
    assert hover(*at) is not None
    pond.edit(RULES, "define most_plans: 2", "defin most_plans: 2")
    (span,) = definitions(*at)
    assert (span.start, span.end) == (FILES[RULES].index("define most_plans"),) * 2


def test_a_repair_is_a_change_of_the_text_and_one_of_all_alike(pond: Pond) -> None:
    text = FILES[RULES].replace("gain 1 pebbles", "gain 1 peebles", 1)
    pond.workspace.edit(pond.path(RULES), text + "\nrule more\n  gain 1 peebles\n")
    at = text.index("peebles")
    single, whole = repairs(pond.workspace, pond.path(RULES), at, at)
    assert len(single.problems) == 1 and len(whole.problems) == 2
    ((path, edits),) = whole.edits.items()
    pond.workspace.edit(path, apply_edits(edits))
    assert "E201" not in pond.codes()


# ---- files ----


def test_a_file_is_outlined_folded_and_coloured_though_a_declaration_is_broken(pond: Pond) -> None:
    pond.edit(RULES, "define most_plans: 2", "define most_plans 2")
    path = pond.path(RULES)
    names = [one.name for one in outline(pond.workspace, path)]
    assert {"setup", "build", "shore"} <= {*names} and "most_plans" not in names
    lines = FILES[RULES].splitlines()
    assert all(lines[first - 1].strip() for first, _ in foldings(pond.workspace, path))
    sorts = {(one.span.text, one.sort) for one in tokens(pond.workspace, path)}
    assert {("rule", "keyword"), ("build", "rule"), ("frog", "piece"), ("1", "number")} <= sorts
    cards = [one.name for one in outline(pond.workspace, pond.path(PLANS))]
    assert len(cards) == FILES[PLANS].count("- id:")


def test_how_often_a_declaration_is_mentioned_is_counted(pond: Pond) -> None:
    path, index = pond.path(RULES), pond.workspace.index(pond.path(RULES))
    assert index is not None
    found = {
        one.name: (uses, cards) for one, uses, cards in counts(index, outline(pond.workspace, path))
    }
    assert found["most_plans"][0] == FILES[RULES].count("most_plans") - 1
    assert found["build"][1] >= 1


def test_a_number_is_told_where_its_name_is_used_as_this_game_has_it(pond: Pond) -> None:
    path = pond.path(RULES)
    assert [number for _, number in amounts(pond.workspace, path)] == ["2"]
    variant = "language 2\nmodule deep based on pond\nreplace define most_plans: 3\n"
    pond.workspace.edit(pond.path("deep/deep.targi"), variant)
    pond.edit(SHEET, "rules pond", "rules pond + deep")
    declared, used = amounts(pond.workspace, path)
    assert declared[1] == used[1] == "3"  # and so where the other number is written


def test_a_name_is_found_by_some_of_its_letters(pond: Pond) -> None:
    path = pond.path(PLANS)
    assert [one.name for one in named(pond.workspace, path, "mostpl")] == ["most_plans"]
    assert not [*named(pond.workspace, path, "snalptsom")]


# ---- rule tests ----

TESTS = "pond/pond.test.targi"
TESTED = game_text("pond_tests.targi")


@pytest.fixture
def tested(pond: Pond) -> Pond:
    Path(pond.path(TESTS)).write_text(TESTED, encoding="utf-8")
    return pond


def told_by_tests(pond: Pond) -> list[tuple[str, str]]:
    outcomes = pond.workspace.outcomes(pond.path(TESTS))
    return [(one.code, one.span.text) for out in outcomes for one in out.problems if one.span]


def test_rule_tests_are_those_of_the_game_that_they_name(tested: Pond) -> None:
    workspace, path = tested.workspace, tested.path(TESTS)
    assert workspace.game(path) == tested.path(SHEET)
    assert workspace.tests_of(tested.path(SHEET)) == (path,)
    workspace.edit(path, TESTED.replace("of pond", "of nothing_here"))
    assert workspace.game(path) is None and workspace.tests_of(tested.path(SHEET)) == ()
    assert [one.code for one in workspace.problems(path)] == []
    assert {code for code, _ in told_by_tests(tested)} == {"E422"}


def test_of_rule_tests_an_editor_is_told_what_a_run_of_them_tells(tested: Pond) -> None:
    path = tested.path(TESTS)
    for old, new in (
        ("", ""),
        ("visits of anna: 1", "visits of anna: 7"),
        ("gain grey", "gain gray"),
        ("do {what}", "do {who}"),
        ("then choices", "than choices"),
        ("language 2", "language 1"),
    ):
        text = TESTED.replace(old, new, 1)
        tested.workspace.edit(path, text)
        found = problems_of_tests(tested.workspace, path)
        assert bool(found) == bool(old)
        Path(path).write_text(text, encoding="utf-8")
        done = targi("test", path, "--json", "--workers", "1")
        told = [one for test in json.loads(done.out)["tests"] for one in test["problems"]]
        assert found == told


def problems_of_tests(workspace: Workspace, path: str) -> list[object]:
    if read := workspace.problems(path):
        those = to_json(read)["problems"]
        return those if isinstance(those, list) else []
    told = [to_json(one.problems)["problems"] for one in workspace.outcomes(path)]
    return [one for those in told if isinstance(those, list) for one in those]


def test_rule_tests_are_about_the_rules_as_they_are_being_edited(tested: Pond) -> None:
    assert [text for _, text in told_by_tests(tested)] == []
    tested.edit(RULES, "to visits of you + 1", "to visits of you + 2")
    assert told_by_tests(tested) == [("E661", "visits of anna: 1")] * 2


@pytest.mark.parametrize(
    ("name", "passage"),
    [
        ("visits", "visits of anna"),
        ("heron", "{next} heron"),
        ("hop", "hop | bridge"),
        ("flood", "option flood"),
        ("never", "flood: never"),
        ("raft", "bert: raft"),
        ("den", "anna: den"),
        ("taken", "by taken"),
        ("built", "score built"),
        ("red", "1 red"),
        ("bed", "bed b1"),
        ("anna", "when anna"),
        ("shore", "shore: 2"),
    ],
)
def test_names_in_rule_tests_are_known_and_are_changed_with_the_others(
    tested: Pond, name: str, passage: str
) -> None:
    at = tested.place(TESTS, passage, name)
    known = hover(*at)
    assert known is not None and known.name.rpartition(".")[2] == name
    (declared, *_) = definitions(*at)
    assert declared.source.name != tested.path(TESTS)
    assert tested.path(TESTS) in {path_of(one.source.name) for one in references(*at)}
    for path, edits in rename(*at, "fresh_name").items():
        tested.workspace.edit(path, apply_edits(edits))
    assert tested.codes() == [] and told_by_tests(tested) == []


def test_a_name_that_a_test_puts_together_is_not_changed(tested: Pond) -> None:
    text = TESTED.replace("do {what}", "do h{what}").replace("hop | bridge", "op | bridge")
    tested.workspace.edit(tested.path(TESTS), text)
    assert told_by_tests(tested) == []
    with pytest.raises(Refused, match="put together from a table"):
        rename(*tested.place(RULES, "rule hop", "hop"), "jump")


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("    he", {"heron"}),
        ("    option ", {"flood"}),
        ("    option flood: ne", {"never"}),
        ("    do ", {"hop", "build"}),
        ("    anna: 2 gr", {"grey"}),
        ("    hand of ", {"anna", "bert"}),
        ("    aft", {"after setup"}),
        ("  wh", {"when"}),
        ("  when ", {"hop 1", "hop 6", "anna: "}),
        ("  when hop 1; gain ", {"gain grey", "gain red"}),
        ("  when anna: hop 1; ", {"gain grey", "gain red"}),
        ("  then choices: h", {"hop 1"}),
        ("  then asked: ", {"anna", "nobody"}),
        ("  then refused: hop 1 by ", {"taken"}),
        ("  then refused: ", {"hop", "build"}),
        ("  then not offered: hop 1; b", {"build"}),
        ("  then score b", {"built"}),
        ("  given chance: r", {"random", "roll"}),
        ("    sto", {"stored "}),
        ("  given do {act} by {who}\n  with act | who\n    ", {"hop", "build"}),
        ("  with act | who\n    hop | b\n  given do {act} by {who}", {"bert"}),
        ("te", {'test "'}),
    ],
)
def test_what_fits_in_a_rule_test_is_offered(tested: Pond, line: str, offered: set[str]) -> None:
    step = "  given\n" if line.startswith("    ") else ""
    text = TESTED + '\ntest "more"\n' * line.startswith(" ") + step + line
    tested.workspace.edit(tested.path(TESTS), text)
    end = text.index("| b\n") + 3 if "| b\n" in line else len(text)
    found = completions(tested.workspace, tested.path(TESTS), end)
    assert offered <= {one.text for one in found.items}


def test_rule_tests_are_outlined_folded_and_coloured(tested: Pond) -> None:
    path = tested.path(TESTS)
    assert [one.name for one in outline(tested.workspace, path)] == [
        "the heron goes ahead of the frog",
        "where a frog sits there is no room",
    ]
    assert [TESTED.split("\n")[last - 1] for _, last in foldings(tested.workspace, path)] == [
        "  then choices: bed a1; bed b1; bed a2; bed b2",
        "    anna: 1 red",
    ]
    sorts = {(one.span.text, one.sort) for one in tokens(tested.workspace, path)}
    assert {("given", "keyword"), ("red", "resource"), ("1", "number")} <= sorts


def test_what_continues_a_line_and_what_fits_inside_braces_is_offered(pond: Pond) -> None:
    rule = "rule look_around\n  choose spot in shore where day is most_plans  # so far\n"
    for more, offered in (
        ("    o", {"or"}),
        ('    or day is 1 as "to {', {"spot", "day", "count"}),
        ('    or day is 1 as "to {spot} of {m', {"most_plans"}),
        ('    or day is 1 as "to {spot} ', set()),
    ):
        text = f"{FILES[RULES]}\n{rule}{more}"
        pond.workspace.edit(pond.path(RULES), text)
        found = {one.text for one in completions(pond.workspace, pond.path(RULES), len(text)).items}
        assert offered <= found and (offered or not found), (more, found)
    known = hover(*pond.place(RULES, "rule hop", "hop"))
    assert known is not None


def test_a_name_inside_braces_is_known_and_changed(pond: Pond) -> None:
    old, new = "choose spot in shore\n", 'choose spot in shore as "to {spot} of {most_plans}"\n'
    pond.edit(RULES, old, new)
    at = pond.place(RULES, "{most_plans}", "most_plans")
    known = hover(*at)
    assert known is not None and known.kind == "definition"
    edits = rename(*at, "many")
    pond.workspace.edit(pond.path(RULES), apply_edits(edits[pond.path(RULES)]))
    assert "of {many}" in pond.workspace.source(pond.path(RULES)).text and pond.codes() == []
