"""Words for people: `as "..."` and `shows "..." if ...`; they do not affect play."""

from __future__ import annotations

import re

import pytest

from bench.c_engine import CEngine
from bench.equal import assert_equal
from targi_dsl.api import choices, play, start
from targi_dsl.api.state import State
from targi_dsl.codegen.c.compilers import IN_MEMORY
from targi_dsl.compiler.catalogues import vocabulary
from targi_dsl.compiler.load import load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.display.choosing import offers
from targi_dsl.display.ink import render_line
from targi_dsl.display.page import menu
from targi_dsl.display.scene import Scene, scene_of
from targi_dsl.display.screen import screen
from targi_dsl.engine.chance import Seed
from targi_dsl.engine.machine import Engine
from targi_dsl.ir.constants import NOTHING
from targi_dsl.records.notation import read, write
from targi_dsl.text.languages import ENGLISH, Language
from targi_dsl.view.shape import Face, Field
from targi_dsl.view.words import Words
from tests.looking import question_of
from tests.texts import game_file, game_text

ORCHARD = game_text("orchard.targi")
SHEET = "language 2\ngame orchard\n  rules orchard\n"


def texts(rules: str = ORCHARD) -> dict[str, str]:
    return {"rules/orchard/01_orchard.targi": rules, "rules/games/orchard.targi": SHEET}


def view(state: State) -> Scene:
    return scene_of(state, Words(state.game), (state.seat or "",))


@pytest.fixture
def state() -> State:
    return start(load("orchard", of_texts(texts())), Seed(1))


def said(state: State) -> list[str]:
    return [one.words for one in offers(view(state))]


def test_answers_are_said_with_their_values_and_what_they_lead_to(state: State) -> None:
    assert said(state) == [
        "pick 1 plum",
        "climb plum tree 1 → 1 tree beside it: plum tree 2",
        "climb plum tree 2 → 2 trees beside it: plum tree 1 and plum tree 3",
        "climb plum tree 3 → 2 trees beside it: plum tree 2 and plum tree 4",
        "climb plum tree 4 → 1 tree beside it: plum tree 3",
        "hire somebody for 1 plums or 1 coins",
        "rest",
    ]
    assert question_of(view(state)) == "day 1 of ada"


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("hire with price (cost)", "hire somebody for {price}"),
        ('hire with price (cost) as "have {price} earned"', "have {price} earned"),
        ("hire with fee (cost)", None),
    ],
)
def test_a_rule_that_replaces_another_keeps_its_words(head: str, words: str | None) -> None:
    price = "fee" if "fee" in head else "price"
    late = f"language 2\nmodule late based on orchard\nreplace rule {head}\n  pay {price}\n"
    files = {**texts(), "rules/late/01_late.targi": late}
    files["rules/games/orchard.targi"] = SHEET.replace("rules orchard", "rules orchard + late")
    game = load("orchard", of_texts(files))
    (hire,) = (rule for rule in game.rules if rule.name == "hire")
    wording = game.wordings[hire.wording] if hire.wording != NOTHING else None
    assert (wording.phrase.text if wording and wording.phrase else None) == words


def test_ids_stay_what_they_are(state: State) -> None:
    ids = [one.id for one in choices(state)]
    assert ids == ["pick_plums", *(f"climb {n}" for n in range(1, 5)), "hire", "rest"]


def test_what_a_choice_leads_to_is_said_only_where_it_does(state: State) -> None:
    for _ in range(2):
        for answer in ("pick_plums", "decline") * 2:
            state, _events = play(state, answer)
    assert said(state)[0] == "pick 3 plums → the last ones"


def test_may_and_free_exchanges_and_an_answer_that_does_nothing(state: State) -> None:
    after, _ = play(state, "pick_plums")
    assert said(after) == ["have a cup of tea", "leave it", "exchange 2 plums for 1 coins"]


def test_what_one_may_do_on_one_line_has_words_too(state: State) -> None:
    rules = ORCHARD.replace(
        'may as "have a cup of tea"\n    gain 1 coins',
        'may as "have tea on day {day}" (gain 1 coins)',
    )
    game = load("orchard", of_texts(texts(rules)))
    after, _ = play(start(game, Seed(1)), "pick_plums")
    assert said(after)[:2] == ["have tea on day 1", "leave it"]
    assert game.hash == state.game.hash


@pytest.mark.parametrize("head", ["any number of times", "up to 2 times"])
def test_what_is_done_several_times_has_words_too(head: str) -> None:
    rules = ORCHARD.replace('may as "have a cup of tea"', f'{head} as "have tea on day {{day}}"')
    after, _ = play(start(load("orchard", of_texts(texts(rules))), Seed(1)), "pick_plums")
    assert said(after)[:2] == ["have tea on day 1", "nothing more"]


def test_the_words_of_a_rule_and_of_the_one_around_it_say_what_is_asked(state: State) -> None:
    after, _ = play(state, "climb 2")
    assert question_of(view(after)) == "day 1 of ada: climb plum tree 2 now"
    assert said(after)[:3] == ["branch 1", "branch 2", "branch 3"]


def test_the_words_of_a_rule_stand_over_no_question_to_another_player() -> None:
    """Those of a rule that is done in nobody's turn do."""
    state = start(load(game_file("claims")), Seed(1))
    assert (state.seat, question_of(view(state))) == ("ben", "the lots are cast: does ann lie")
    state, _ = play(state, "no_he_does_not")
    assert (state.seat, question_of(view(state))) == (
        "ann",
        "the lots are cast: your turn: the dice are yours",
    )


def test_what_has_a_name_is_shown_by_its_words(state: State) -> None:
    page = "\n".join(render_line(part, colour=False, plain=True) for part in screen(view(state)))
    assert "day of the year 1" in page
    page = "\n".join(
        render_line(part, colour=False, plain=True)
        for part in menu(view(state), offers(view(state)))
    )
    assert "climb (plum tree)" in page


@pytest.mark.parametrize(
    ("chosen", "first", "then"),
    [
        ("lost", "room house shed", "take seat: lost house shed"),
        ("seat", "room house shed", "take seat house shed"),
        ("s", "room house shed", "take seat house shed"),
    ],
)
def test_without_words_the_rule_and_the_name_of_what_is_chosen_are_told(
    chosen: str, first: str, then: str
) -> None:
    game = load("choosing", {"choosing.targi": game_text("choosing.targi").format(chosen=chosen)})
    state = start(game, Seed(1))
    assert said(state)[0] == first
    assert said(play(state, "round shed")[0])[0] == then


def test_words_are_no_part_of_what_is_played() -> None:
    plain = re.sub(r' as "[^"]*"', "", ORCHARD)
    plain = re.sub(r' shows "[^"]*"( if day is 3)?', "", plain)
    assert '"' not in plain.replace('module orchard "An orchard"', "")
    with_words, without = (load("orchard", of_texts(texts(one))) for one in (ORCHARD, plain))
    assert with_words.hash == without.hash
    assert with_words.wordings and not any(one.phrase for one in without.wordings)


def test_what_only_words_name_is_kept_for_them() -> None:
    game = load(game_file("toll_gate"))
    state = start(game, Seed(1))
    assert said(state) == ["of 3 pay 1 → 2 left", "of 3 pay 2 → 1 left"]
    crossing, _ = play(state, "round 2")
    assert question_of(view(crossing)) == "cross for 2 of 3"
    assert said(crossing) == ["wave", "cross for 1 of 2"]
    assert write(read(game, write(crossing))) == write(crossing)
    assert_equal(Engine(game), CEngine(game, IN_MEMORY), range(2), 20)


def test_who_does_not_know_a_value_is_not_told_it() -> None:
    state = start(load("base"), Seed(3))
    while "Tribal expansion" not in question_of(view(state)):
        offered = choices(state)
        wanted = [one for one in offered if one.id in ("place_targi 14", "use_border 14")]
        state, _ = play(state, (wanted or offered)[0])
        if state.seat is None:
            raise AssertionError("nobody drew a tribe card")
    drawer = state.seat or ""
    (other,) = (one for one in state.game.players if one != drawer)
    names = [view(state).name(card) for card in view(state).cards(_set_aside(state))]
    watched = scene_of(state, Words(state.game), (other,))
    assert names and names[0] in question_of(view(state))
    assert re.search(r"what becomes of .*\(.+;.+\)$", question_of(view(state))), "cost and values"
    assert names[0] not in question_of(watched) and "what becomes of ?" in question_of(watched)


def _set_aside(state: State) -> str:
    return f"set_aside of {state.seat}"


def test_targi_shows_where_lines_will_cross() -> None:
    state = start(load("base"), Seed(1))
    state, _ = play(state, "place_targi 2")
    state, _ = play(state, "place_targi 3")
    found = {one.offer.id: one.words for one in offers(view(state))}
    crossing = view(state).name(view(state).cards("centre b2")[0])
    assert f"→ crossing at centre b2: {crossing} (" in found["place_targi 6"]
    assert "crossing" not in found["place_targi 11"]


@pytest.mark.parametrize(
    ("name", "said"),
    [("Red 6", ""), ("Redwood 6", "red"), ("Reddington 6", "red"), ("Green 6", "red")],
)
def test_a_mark_is_left_out_where_the_name_has_the_whole_word(name: str, said: str) -> None:
    """A card called Redwood need not be red; only short forms are cut from words of the name."""
    field = Field("rank", "rank", "6", number=6, is_named=True)
    face = Face(
        id="one", name=name, short=name, kind="card", marks=("red, 6", "r 6"), fields=(field,)
    )
    assert face.unsaid(name, 0) == said


@pytest.mark.parametrize("language", [ENGLISH, Language("es")])
def test_a_space_a_player_and_a_resource_on_a_card_are_said_by_their_names(
    language: Language,
) -> None:
    """They are no texts of the rules, for which the printed text would stand."""
    game = load(game_file("ferry"))
    face = Words(game, language).face(0)
    said = {one.id: (one.text, one.sort) for one in face.fields}
    assert said["port"] == ("far off", "text") and said["owner_of_it"] == ("ben", "text")
    assert said["toll"] == ("shells", "value")
    assert (face.marks[0], face.effect) == ("far off, calls near by, ben, shells", ("",))
    assert {("", "calls"), ("", "aim")} <= {*vocabulary(game, "es")}  # `ann: aim ?` is told
