"""What a person reads at the table: short names, marks, own spaces, and what is given up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from targi_dsl.api import choices, play, start
from targi_dsl.api.state import State
from targi_dsl.cli.manual import about, rules_in_progress
from targi_dsl.compiler.load import load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.display.choosing import Keyed, offers, offers_meant
from targi_dsl.display.scene import Scene, scene_of
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.text import resources
from targi_dsl.text.width import columns
from targi_dsl.view.words import Words
from tests.games import QUICK, compiled
from tests.looking import seen_by


def positions(name: str, seed: int, offering: str = "") -> Iterator[tuple[State, Scene]]:
    """What the player to move sees in a random game in which nobody stops early; only where a
    choice begins with these words.
    """
    game, stream = compiled(name), Stream(seed)
    words, state = Words(game), start(game, Seed(seed))
    while state.seat in game.players:
        assert state.seat is not None
        if any(one.id.startswith(offering) for one in choices(state)):
            yield state, scene_of(state, words, (state.seat,), 80)
        offered = [one for one in choices(state) if one.id != "done"]
        state, _ = play(state, offered[stream.below(len(offered))])


def offered_as(view: Scene, id_: str) -> Iterator[Keyed]:
    return (one for one in offers(view) if one.offer.id == id_)


def test_the_short_name_on_the_table_can_be_typed() -> None:
    _, view = next(positions("base", 3))
    (mirage,) = offered_as(view, "place_targi 9")
    assert offers_meant(mirage.offer.short, offers(view)) == (mirage,)
    assert mirage.offer.short not in mirage.offer.name


@pytest.mark.parametrize("name", QUICK)
def test_the_mark_of_a_piece_is_short(name: str) -> None:
    marks = scene_of(start(compiled(name), Seed(0)), Words(compiled(name))).marks
    assert all(columns(mark) <= 3 for mark in marks.values()), marks
    assert len({*marks.values()}) == len(marks)


def test_ones_own_space_is_named_without_its_owner() -> None:
    told = set[str]()
    for _, view in positions("base", 3):
        told |= {one.offer.name for one in offers(view) if one.offer.label == "lay it on"}
    assert told and all(re.fullmatch(r"display [a-d][1-3]", name) for name in told), told


def test_what_the_noble_gives_up_is_told_before_it_is_used() -> None:
    """A card that cannot be displayed is discarded without a question."""
    told = set[bool]()
    for seed in range(3, 9):
        for state, view in positions("base", seed, "use_border 1"):
            for offer in offered_as(view, "use_border 1"):
                hand = f"hand of {state.seat}"
                (card,) = state.cards(hand)
                after, _ = play(state, offer.offer.id)
                is_discarded = card in after.cards("tribe_discard")
                assert offer.offer.leads or not is_discarded
                told.add(bool(offer.offer.leads))
    assert told == {True, False}


@pytest.mark.parametrize("name", ["base", "expansion"])
def test_a_card_with_a_text_is_told_without_the_rules(name: str) -> None:
    words = Words(compiled(name))
    for number in range(len(words.game.cards)):
        fields = [row for row in about(words, number) if re.match(r" {2}[a-z ]+: ", row)]
        said = "\n".join(fields)
        assert not re.search(r"\bdo \w|True|\bcount of\b|\bwhere\b", said), said


def test_a_step_that_a_module_extends_keeps_its_comment() -> None:
    """The expansion adds action markers to the placement."""
    state, _ = next(positions("expansion", 5))
    assert "placement: one figure at a time in turn, until all six are placed" in [
        *rules_in_progress(seen_by(state, Words(state.game), state.seat or ""))
    ]


def test_a_unit_of_a_payment_has_its_number() -> None:
    found = {
        one.title
        for seed in (3, 4, 5)
        for _, view in positions("base", seed, "pay salt")
        for one in offers(view)
        if one.offer.id == "pay salt"
    }
    assert found == {"pay 1 salt", "lose 1 salt"}


@pytest.mark.parametrize(
    ("game", "card", "said"),
    [
        ("capture_the_flag", "red_flag", "red flag"),
        ("lamplighters", "first_amber", "amber 1"),
        ("crazy_eights", "card_clubs_two", "two of clubs"),
    ],
)
def test_what_a_name_says_is_not_said_again(game: str, card: str, said: str) -> None:
    words = Words(compiled(game))
    faces = {one.id: words.face(number) for number, one in enumerate(words.game.cards)}
    assert faces[card].with_cost(()) == said


def test_a_number_of_a_name_does_not_hide_an_equal_one_that_it_does_not_mean() -> None:
    words = Words(compiled("base"))
    for number, card in enumerate(words.game.cards):
        if "points" in card.fields:
            said = words.face(number).with_cost(())
            assert f"; {card.fields['points']} point" in said


def test_a_list_of_values_is_among_the_marks_of_a_card_in_every_length() -> None:
    words = Words(compiled("bazaar"))
    (card,) = (n for n, one in enumerate(words.game.cards) if one.id == "carpet_gallery")
    assert words.face(card).marks == (
        "weaver, serves potter+dyer, renown 3 *",
        "weaver potter+dyer 3r*",
        "wea pot+dye 3r*",
    )


PATRONS = """\
language 2
module fair
players ann, ben
resource coins
card guild
  patrons: list of player
  wares: list of resource
zone hall: guild, face up
rule setup
  nothing
rule round
  end game
score coins: your coins
"""
SHEET = 'language 2\ngame fair "Fair"\n  rules fair\n  deck hall: guilds\n'
GUILDS = """\
language: 2
set: guilds
kind: guild
source: "invented"
cards:
  - id: weavers
    name: {en: Weavers}
    patrons: [ann, ben]
    wares: [coins]
"""


def test_a_list_of_players_or_resources_is_among_the_marks_of_a_card() -> None:
    files = {"fair.targi": SHEET, "fair/fair.targi": PATRONS, "fair/guilds.yaml": GUILDS}
    words = Words(load("fair", of_texts(files)))
    assert words.face(0).marks == ("patrons ann+ben, wares coins", "ann+ben coins", "ann+ben coi")


@pytest.mark.parametrize("written", ["[potter,dyer]", "\n      - potter\n      - dyer"])
def test_a_list_may_be_written_in_any_way_that_yaml_allows(written: str, tmp_path: Path) -> None:
    stalls = (resources.read("cards/bazaar/bazaar_stalls.yaml") or b"").decode()
    assert stalls.count("[potter, dyer]") == 1
    (tmp_path / "bazaar_stalls.yaml").write_text(stalls.replace("[potter, dyer]", written))
    sheet = (resources.read("rules/games/bazaar.targi") or b"").decode()
    (tmp_path / "fair.targi").write_text(sheet.replace("game bazaar ", "game fair "))
    before, words = (Words(load(name)) for name in ("bazaar", str(tmp_path / "fair.targi")))
    assert [words.face(card) for card in words.numbers.values()] == [
        before.face(card) for card in before.numbers.values()
    ]


@pytest.mark.parametrize("name", ["two_traders", "heiress"])
def test_a_mark_does_not_repeat_the_name_of_its_card(name: str) -> None:
    offered = (offer for _, view in positions(name, 1) for offer in offers(view))
    said = [offer.words for offer in offered if offer.offer.short]
    assert said and not any(re.search(r"\b(\w+) \(\1\b", one, re.IGNORECASE) for one in said)
