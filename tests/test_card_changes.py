"""Single cards changed by a module: their fields, their texts, and additions to their actions."""

from __future__ import annotations

import pytest

from targi_dsl.compiler.load import check
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.ir.game import Game
from tests.small_game import FILES

CARDS = FILES["pond/pond_plans.yaml"].replace(
    "    cost: 3 pebbles\n",
    "    cost: 3 pebbles\n"
    '    action: "gain 1 fame then do hop"\n'
    '    text: {en: "Take 1 fame.", de: "Nimm 1 Ruhm."}\n',
)
HEAD = 'language 2\nmodule mill "Mill" based on pond\n\n'
SHEET = 'language 2\ngame mill "Mill" based on pond\n  rules mill\n'


def checked(change: str, other: str = "", sheet: str = SHEET) -> tuple[Game | None, list[str]]:
    texts = {
        **FILES,
        "pond/pond_plans.yaml": CARDS,
        "mill/mill.targi": HEAD + change,
        "dam/dam.targi": HEAD.replace("mill", "dam") + other,
        "mill.targi": sheet,
    }
    game, problems = check("./mill.targi", texts)
    return game, [f"{one.code} {one.span.line if one.span else 0}: {one.title}" for one in problems]


def den(game: Game | None) -> dict[str, object]:
    assert game is not None
    (card,) = [one for one in game.cards if one.id == "den"]
    return {**card.fields, "texts": dict(card.texts), "names": dict(card.names)}


def test_one_field_of_one_card_is_changed_and_the_others_stay() -> None:
    game, told = checked("change card den: worth 1\n")
    assert told == []
    assert den(game)["worth"] == 1
    assert den(game)["cost"] == "3 pebbles"
    assert game is not None
    assert [card.fields["worth"] for card in game.cards if card.entry == "raft"] == [2, 2, 2]


def test_several_fields_are_changed_below_one_line() -> None:
    game, told = checked(
        'change card den\n  sort lily\n  cost "2 pebbles"\n  name "Burrow"\n  copies 1\n'
        '  action "gain 2 fame"\n  text "Take 2 fame."\n  text pl "Weź 2 sławy."\n'
    )
    assert told == []
    found = den(game)
    assert (found["sort"], found["cost"], found["names"]) == ("lily", "2 pebbles", {"en": "Burrow"})
    assert found["texts"] == {"en": "Take 2 fame.", "pl": "Weź 2 sławy."}
    assert game is not None
    assert sum(card.entry == "den" for card in game.cards) == 1


@pytest.mark.parametrize("value", ["yes", "no"])
def test_a_truth_is_changed(value: str) -> None:
    """A module that lists it in a deck sees the new value."""
    card = f"change card noble: raid {value}"
    text = f"language 2\nmodule trial based on base\n\n{card}\n"
    sheet = "language 2\ngame trial based on base\n  rules trial\n"
    game, problems = check("./trial.targi", {"trial/trial.targi": text, "trial.targi": sheet})
    assert not problems and game is not None
    (noble,) = [one for one in game.cards if one.id == "noble"]
    assert noble.fields["raid"] == (value == "yes")


def test_a_field_is_left_out() -> None:
    game, told = checked("change card den: no ability\n")
    assert told == ["W910 4: the text of `den` still describes the old ability"]
    assert "ability" not in den(game)


@pytest.mark.parametrize(
    ("changes", "hints"),
    [
        ('action "gain 5 water"', ['name "5 water"']),
        ('action "gain 1 water and 2 gold"', ['name "..."']),
        ('action "gain 4 water and 1 gold"', []),
        ('action "gain 5 water"\n  name "5 water"', []),
        ("copies 2", []),
    ],
)
def test_a_name_that_says_the_old_number_is_told(changes: str, hints: list[str]) -> None:
    head = "language 2\ngame deep based on expansion\nchange card four_water\n  text"
    _, problems = check("deep", of_texts({"deep.targi": f'{head} "Take it."\n  {changes}\n'}))
    assert [(one.code, one.hint) for one in problems] == [("W910", one) for one in hints]


def test_the_text_of_a_card_changes_with_the_rule_that_it_does() -> None:
    cards = CARDS.replace("gain 1 fame then do hop", "do hop")
    files = {**FILES, "pond/pond_plans.yaml": cards, "mill.targi": SHEET}
    anew = f"{HEAD}replace rule hop\n  gain 1 fame\n  choose spot in shore\n  place frog on spot\n"
    for text, codes in {"": ["W910"], 'change card den: text "Take 1 fame."\n': []}.items():
        _, problems = check("./mill.targi", {**files, "mill/mill.targi": anew + text})
        assert [one.code for one in problems] == codes
    del files["pond/pond_plans.yaml"]
    beside = {**files, "mill/pond_plans.yaml": cards, "mill/mill.targi": anew}
    assert check("./mill.targi", beside)[1] == (), "cards beside a module are written for it"


def test_an_action_is_extended_at_its_end_and_beside_a_part() -> None:
    plain, _ = checked("")
    longer, told = checked("extend action of den\n  gain 2 fame\n")
    before, _ = checked("extend action of den before hop\n  gain 2 fame\n")
    assert told == []

    def steps(game: Game | None) -> list[str]:
        assert game is not None
        (rule,) = [one for one in game.rules if one.name == "den"]
        return [type(one).__name__ for one in rule.body]

    assert steps(plain) == ["Gain", "Do"]
    assert steps(longer) == ["Gain", "Do", "Gain"]
    assert steps(before) == ["Gain", "Gain", "Do"]


def test_two_modules_that_change_one_field_are_settled() -> None:
    both = SHEET.replace("rules mill", "rules mill + dam")
    change, other = "change card den: worth 1\n", "change card den: worth 2\n"
    _, told = checked(change, other, both)
    assert told == ["E403 4: two modules change `worth` of card `den`"]
    for order, worth in (("mill then dam", 2), ("dam then mill", 1)):
        game, told = checked(change, other, f"{both}  settle den: {order}\n")
        assert (told, den(game)["worth"]) == ([], worth)


def test_two_modules_may_change_two_fields() -> None:
    both = SHEET.replace("rules mill", "rules mill + dam")
    game, told = checked("change card den: worth 1\n", "change card den: sort lily\n", both)
    assert (told, den(game)["worth"], den(game)["sort"]) == ([], 1, "lily")


def test_a_deck_is_filtered_by_what_is_changed() -> None:
    sheet = SHEET + "  deck plan_pile: pond_plans where worth is 1\n"
    game, told = checked("change card den: worth 1\n", sheet=sheet)
    assert told == []
    assert game is not None
    assert {card.entry for card in game.cards} == {"bridge", "den"}
