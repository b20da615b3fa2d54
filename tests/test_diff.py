"""`targi diff`: the changes that one game makes to another, for people and as data."""

from __future__ import annotations

from pathlib import Path

from targi_dsl.compiler.load import load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.tools.diff import differences
from tests.commands import targi
from tests.small_game import CARDS, FILES, SHEET

MODULE, PLANS = "pond/pond.targi", "pond/pond_plans.yaml"


def test_a_game_does_not_differ_from_itself() -> None:
    assert not differences(load("base"), load("base"))
    shown = targi("diff", "base", "base")
    assert shown.code == 0 and shown.out.endswith("They do not differ.\n")


def test_rules_are_compared_as_they_are_in_the_end() -> None:
    dry = (
        "language 2\nmodule dry based on pond\nreplace define most_plans: 3\nextend rule hop\n "
        " gain 1 fame\nremove score fame\nremove forbid taken\nrule rain\n  nothing\nreplace rule"
        " draw_plan   # as it was\n  let found be top of plan_pile\n  put found on your hand\n"
    )
    files = {
        **FILES,
        "dry/dry.targi": dry,
        "pond.targi": SHEET.replace("rules pond", "rules pond + dry"),
    }
    found = {
        one.name: one
        for one in differences(load("pond", of_texts(FILES)), load("pond", of_texts(files))).rules
    }
    assert list(found) == ["most_plans", "hop", "fame", "rain"]
    assert found["most_plans"].lines == ("-define most_plans: 2", "+define most_plans: 3")
    taken = '-  forbid taken: any frog on spot because "a frog sits there already"'
    assert [line for line in found["hop"].lines if line[0] != " "] == [taken, "+  gain 1 fame"]
    assert not found["fame"].after and found["fame"].before
    assert not found["rain"].before and found["rain"].after[0].module == "dry"


def test_a_prohibition_changed_is_compared_line_by_line() -> None:
    dry = "language 2\nmodule dry based on pond\nreplace forbid taken: count of frog on spot is 2\n"
    rules = FILES[MODULE].replace('on spot because "a frog', 'on spot\n    because "a frog')
    before = {**FILES, MODULE: rules}
    after = {
        **before,
        "dry/dry.targi": dry,
        "pond.targi": SHEET.replace("rules pond", "rules pond + dry"),
    }
    (hop,) = differences(load("pond", of_texts(before)), load("pond", of_texts(after))).rules
    assert [line for line in hop.lines if line[0] != " "] == [
        '-  forbid taken: any frog on spot because "a frog sits there already"',
        '+  forbid taken: count of frog on spot is 2 because "a frog sits there already"',
    ]


def test_comments_and_layout_do_not_differ() -> None:
    text = FILES[MODULE].replace("rule hop\n", "# B22\nrule hop   # on the shore\n\n")
    assert not differences(
        load("pond", of_texts(FILES)), load("pond", of_texts({**FILES, MODULE: text}))
    )


def test_cards_are_compared_field_by_field_and_decks_card_by_card() -> None:
    text = (
        CARDS.replace("cost: 3 pebbles", "cost: 2 pebbles")
        .replace("id: bridge", "id: dam")
        .replace("copies: 3\n    name: {en: Raft}", "copies: 2\n    name: {en: Raft}")
    )
    found = differences(
        load("pond", of_texts(FILES)), load("pond", of_texts({**FILES, PLANS: text}))
    )
    assert {one.id: dict(one.fields) for one in found.cards} == {
        "bridge": {}, "dam": {}, "den": {"cost": ("3 pebbles", "2 pebbles")},
    }  # fmt: skip
    (deck,) = found.decks
    assert (deck.zone, deck.before, deck.after) == ("plan_pile", 9, 8)
    assert (dict(deck.more), dict(deck.less)) == ({"dam": 3}, {"bridge": 3, "raft": 1})


def test_a_deck_that_is_drawn_differs_though_its_cards_do_not() -> None:
    drawn = {
        **FILES,
        "pond.targi": SHEET.replace("pond_plans", "draw 2 of each sort from pond_plans"),
    }
    (deck,) = differences(load("pond", of_texts(FILES)), load("pond", of_texts(drawn))).decks
    assert (deck.before, deck.after, deck.drawn) == (9, 6, (False, True))


def test_a_card_that_is_drawn_over_another_adds_none() -> None:
    deck = "base_border overlaid by draw 5 from expansion_border"
    sheet = f"language 2\ngame half based on expansion\n  deck border_cards: {deck}\n"
    decks = differences(load("expansion"), load("half", of_texts({"half.targi": sheet}))).decks
    (border,) = (one for one in decks if one.zone == "border_cards")
    assert (border.before, border.after, border.drawn) == (16, 16, (False, True))


def test_options_are_compared() -> None:
    wet = {**FILES, "pond.targi": SHEET.replace("option flood: never", "option flood: always")}
    (option,) = differences(load("pond", of_texts(FILES)), load("pond", of_texts(wet))).options
    assert (option.name, option.before, option.after) == ("flood", "never", "always")


def test_it_is_shown_and_given_as_one_document() -> None:
    shown = targi("diff", "bazaar", "bazaar_short").out
    for line in (
        "  helpers: pair -> single",
        "      -define days: 5",
        "      +define days: 3",
        "  - score showpiece",
    ):
        assert line in shown
    assert "stall_pile: 24 -> 16 drawn cards" in shown
    document = targi("diff", "bazaar", "bazaar_short", "--json").document
    assert sorted(document) == ["cards", "decks", "first", "options", "rules", "second"]
    days = next(one for one in document["rules"] if one["name"] == "days")
    assert [one["module"] for one in days["second"]] == ["bazaar_short", "bazaar"]
    assert {one["zone"]: one["second"] for one in document["decks"]}["stall_pile"] == {
        "cards": 16,
        "drawn": True,
        "said": "draw 4 of each craft from (bazaar_stalls where renown is at most 3)",
    }


def test_a_text_that_is_no_longer_translated_is_shown_as_in_english(tmp_path: Path) -> None:
    sheet = tmp_path / "plain.targi"
    change = 'change card noble\n  text "Display your card."\n'
    sheet.write_text(f'language 2\ngame plain "Plain" based on base\n\n{change}')
    shown = targi("diff", "base", str(sheet)).out.splitlines()
    changed = [line.rpartition(" -> ") for line in shown if "text (" in line]
    assert [after for _, _, after in changed] == ["Display your card.", *["as in English"] * 3]


def test_a_game_with_faults_is_told() -> None:
    assert targi("diff", "base", "bass").code == 1
    assert "E422" in targi("diff", "base", "bass").err
