"""`targi show GAME`: the first page tells a person who has never played a game how to begin."""

from __future__ import annotations

import re
from functools import cache

import pytest

from targi_dsl.cli.first_page import course, decks, explanations, first_page, guide, options
from targi_dsl.compiler import translations
from targi_dsl.compiler.load import load
from targi_dsl.compiler.project.discovery import of_texts, shipped
from targi_dsl.ir.game import Game
from tests.commands import targi
from tests.games import ALL

LIBRARY = shipped()


@cache
def game_of(name: str) -> Game:
    return load(name, LIBRARY)


@pytest.mark.parametrize("name", ALL)
def test_the_first_page_of_a_game_tells_its_aim_its_course_and_its_end(name: str) -> None:
    page = list(first_page(game_of(name)))
    text = "\n".join(page)
    assert text.startswith(f"{game_of(name).title} ({name})\n\n")
    assert game_of(name).about.endswith(".") and len(game_of(name).about) > 60
    for heading in ("Players:", "A round:", "It ends:"):
        assert f"\n{heading} " in text, text
    assert "_" not in text.partition("A round:")[2].partition("It ends:")[0]
    assert all(len(line) <= 100 for one in page for line in one.splitlines())
    assert f"Play it: targi play {name}" in text
    assert ("Options:" in text) == bool(game_of(name).options)


def test_a_step_is_told_with_what_its_rule_says_of_itself() -> None:
    text = "\n".join(first_page(game_of("base")))
    assert "uncovering: the new cards are turned face up, and the starting player token" in text
    assert "It ends:    at the end of a round, when a display has its 12 cards" in text
    assert "the card Raid (16) ends the game" in text
    assert "6 cards: the points that their texts promise" in text


def test_a_step_is_told_in_its_words_and_counting_is_not_told() -> None:
    base, bazaar = ("\n".join(first_page(game_of(name))) for name in ("base", "bazaar"))
    assert "A round:    robber moves: from beside card 1" in base
    assert "A round:    crier walks\n" in bazaar
    assert "secret choice: today's card, in secret\n" in bazaar


def test_a_heading_is_left_out_with_the_counting_below_it() -> None:
    text = ENDS.format("if day is 2\n    set day to day + 1\n  do close", "players win")
    page = "\n".join(first_page(load("ends", of_texts({"ends.targi": text}))))
    assert "A round:    close\n" in page


def test_counting_of_events_that_end_the_game_is_told() -> None:
    counting = "if day is odd: set day to day + 1\n  if day is 9: do close"
    text = ENDS.format(counting, "the game is a draw")
    page = "\n".join(first_page(load("ends", of_texts({"ends.targi": text}))))
    assert "A round:    if day is odd: set day to day + 1\n" in page
    assert "It ends:    if day is 9: the game is a draw\n" in page


@pytest.mark.parametrize("code", ["es", "fr", "pl"])
def test_how_to_play_is_told_in_every_language(code: str) -> None:
    english = [*course(game_of("expansion"), 64)]
    for name in ("base", "expansion"):
        game = game_of(name)
        spoken, lines = guide(game, translations.of_game(game, name, code), 64)
        assert spoken.code == code
        assert not {*lines} & {*english} - {""}
        assert "_" not in "".join(lines)


def test_what_is_not_translated_is_told_in_english() -> None:
    game = game_of("bazaar")
    spoken, lines = guide(game, translations.of_game(game, "bazaar", "fr"), 64)
    assert spoken.is_english and lines == tuple(course(game, 64))


def test_what_the_options_have_decided_is_told_as_it_is() -> None:
    text = "\n".join(course(game_of("expansion")))
    assert "option" not in text
    assert "A tie:      most your gold, then most your water" in text
    assert text.count("targia moves:") == 1


def test_options_have_their_values_and_what_they_mean() -> None:
    assert "helpers=pair (or single): helpers of each player" in list(options(game_of("bazaar")))
    done = targi("show", "base_online", "options").out
    assert "own_opposite=forbidden (or allowed): whether a Targi of yours" in done
    assert "players 4 (2 to 4)" in list(options(game_of("liars_dice_4")))


def test_a_deck_that_is_drawn_says_how() -> None:
    said = (
        "draw 9 of each symbol from (base_tribe + expansion_tribe), by chance when the game begins"
    )
    assert any(said in line for line in decks(game_of("mixed")))
    assert "out of 90 cards" in targi("show", "mixed", "decks").out
    assert "draw 9 of each symbol from" in targi("show", "mixed", "tribe_pile").out


ENDS = """language 2
game ends
players ann, ben
variable day: 0 to 9
rule setup
  nothing
rule round
  set day to day + 1
  {}
rule close
  {}
"""


@pytest.mark.parametrize(
    ("step", "close", "told"),
    [
        ("do close", "if day is 3: players win", ["if day is 3: players win"]),
        ("if day is 3: do close", "players win", ["if day is 3: players win"]),
        ("do close", "players win", ["players win"]),
    ],
)
def test_the_end_is_told_with_its_condition(step: str, close: str, told: list[str]) -> None:
    game = load("ends", of_texts({"ends.targi": ENDS.format(step, close)}))
    page = "\n".join(first_page(game))
    for line in told:
        assert f"It ends:    {line}\n" in page, page


def test_names_are_completed_after_rule_card_and_option(monkeypatch: pytest.MonkeyPatch) -> None:
    for words, expected in (
        ("targi show base rule silversmith_e", "silversmith_exchange"),
        ("targi show base card silver", "silversmith"),
        ("targi show base op", "options"),
        ("targi play base --option own", "own_opposite=forbidden"),
    ):
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
        monkeypatch.setenv("_TARGI_COMPLETE", "bash_complete")
        assert expected in targi().out, words


@pytest.mark.parametrize("name", ALL)
def test_points_are_told_in_words(name: str) -> None:
    text = "\n".join(first_page(game_of(name)))
    points = re.search(r"^Points:(.*(?:\n .*)*)", text, re.MULTILINE)
    formula = r"\b(sum|count|highest|lowest) of\b|[()*]|\b1 cards"
    assert points is None or not re.search(formula, points[1]), points


@pytest.mark.parametrize("name", ALL)
def test_the_end_is_told_in_words(name: str) -> None:
    text = "\n".join(first_page(game_of(name)))
    ends = re.search(r"^It ends:(.*(?:\n .*)*)", text, re.MULTILINE)
    assert ends is not None
    formula = r"\bif\b|count of|satisfies|end game|\bis \d|(any|every) \(|_"
    assert not re.search(formula, re.sub(r"\(\w+\)", "", ends[1])), ends


def test_what_is_replaced_is_not_explained_by_the_comment_of_what_it_was() -> None:
    head = "language 2\ngame fewer based on base\n"
    for comment, meaning in (
        ("", ""),
        ("# three points for nothing\n", "three points for nothing"),
    ):
        text = f"{head}{comment}replace score equal_rows: 3\n"
        game = load("fewer", of_texts({"fewer.targi": text}))
        told = {one.id: one.meaning for one in explanations(game)}
        assert told["equal_rows"] == meaning
        assert told["mixed_rows"]
