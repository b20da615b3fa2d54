"""What the end of a game says about its reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from targi_dsl.api import choices, play, start
from targi_dsl.api.naming import Naming
from targi_dsl.cli.summary import how_it_ended
from targi_dsl.compiler import translations
from targi_dsl.compiler.catalogues import vocabulary
from targi_dsl.compiler.layers.declarations import comments_of_ends
from targi_dsl.compiler.load import analyse, load
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.ir.game import Game
from targi_dsl.records import Step
from targi_dsl.text.catalogues import Key
from tests.commands import targi
from tests.games import QUICK, compiled
from tests.texts import game_text

SEVERAL_ENDS = {
    "kuhn_poker": {"when a player folds", "when the bet is called, or nobody has bet"},
    "oware": {
        "when a position comes again",
        "when somebody has more than half of the seeds, or both have half",
    },
}

ENDS = game_text("eating.targi")


def sheet(folder: Path, rules: str) -> str:
    """The sheet of a game with these rules."""
    (folder / "eating").mkdir()
    (folder / "eating" / "01.targi").write_text(rules, encoding="utf-8")
    path = folder / "eating.targi"
    path.write_text('language 2\ngame eating "Eating"\n  rules eating\n', encoding="utf-8")
    return str(path)


PLURALS = '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n'


def entry(key: Key) -> str:
    """An entry of a catalogue, with the text in capitals as its translation."""
    context, text = key
    said = f'msgstr "{text.upper()}"'
    if context:
        said = f'msgid_plural ""\n{said.replace(" ", "[0] ")}\n{said.replace(" ", "[1] ")}'
        return f'\nmsgctxt "{context}"\nmsgid "{text}"\n{said}\n'
    return f'\nmsgid "{text}"\n{said}\n'


def last_step(game: Game, seed: int) -> Step:
    """The last step of a game that is played by chance."""
    state, stream = start(game, Seed(seed)), Stream(seed)
    while True:
        offered = choices(state)
        choice = offered[stream.below(len(offered))]
        after, events = play(state, choice)
        if after.seat is None:
            return Step(state, choice, events, after)
        state = after


def told(game: Game, seed: int, code: str = "en") -> list[str]:
    names = Naming(game, translations.of_game(game, game.name, code))
    return [*how_it_ended(names, last_step(game, seed))]


@pytest.mark.parametrize("name", SEVERAL_ENDS)
def test_of_several_ends_the_one_that_came_is_told(name: str) -> None:
    found = {text for seed in (1, 2, 3) for text in told(compiled(name), seed)}
    assert found == {f"End of the game: {reason}." for reason in SEVERAL_ENDS[name]}


@pytest.mark.parametrize("name", [one for one in QUICK if one not in ("base_wide", "mixed")])
def test_every_game_gives_one_reason(name: str) -> None:
    (text,) = told(compiled(name), 1)
    assert re.fullmatch(r"End of the game: .+[^.]\.|The card Raid ends the game\.", text)


@pytest.mark.parametrize("code", ["es", "fr", "pl"])
def test_every_game_gives_its_reason_in_each_language(code: str) -> None:
    for name in ("kuhn_poker", "oware", "pig", "nim"):
        (text,) = told(compiled(name), 1, code)
        language = translations.of_game(compiled(name), name, code)
        said = [language.word(one) for one in comments_of_ends(compiled(name))]
        assert text in [language.say("End of the game: {reason}.", reason=one) for one in said]
        assert not any(one in text for one in comments_of_ends(compiled(name)))


def test_a_remark_of_an_end_is_found_behind_its_line_its_condition_and_its_call(
    tmp_path: Path,
) -> None:
    game = load(sheet(tmp_path, ENDS))
    assert sorted(comments_of_ends(game)) == [
        "when four are eaten",
        "when nobody is hungry",
        "when told to",
    ]


def test_a_remark_without_a_translation_does_not_change_the_language(tmp_path: Path) -> None:
    path = sheet(tmp_path, ENDS)
    game = load(path)
    keys = [key for key in vocabulary(game, "es") if key[1] not in set(comments_of_ends(game))]
    text = f'msgid ""\nmsgstr ""\n{PLURALS}{"".join(map(entry, keys))}'
    (tmp_path / "eating" / "es.po").write_text(text, encoding="utf-8")
    names = Naming(game, translations.of_game(game, path, "es"))
    assert names.language.code == "es"
    assert [*how_it_ended(names, last_step(game, 1))] == []
    found = [one for one in analyse(path).problems if one.code == "W909"]
    assert "when four are eaten" in found[0].hint


def test_an_end_without_a_remark_is_told_by_its_rule_and_not_as_it_is_written(
    tmp_path: Path,
) -> None:
    game = load(sheet(tmp_path, re.sub(" *#.*", "", ENDS)))
    (text,) = told(game, 1)
    assert re.fullmatch(r"The rule [a-z ]+ ends the game\.", text)


def test_an_option_is_heeded() -> None:
    (text,) = told(load("nim", options={"last_stone": "wins"}), 1)
    assert text.startswith("End of the game: whoever takes the last stone wins")


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("es", "La carta Asalto termina la partida."),
        ("fr", "La carte Attaque met fin à la partie."),
        ("pl", "Karta Rabunek kończy grę."),
    ],
)
def test_a_card_that_ends_the_game_is_told_in_each_language(code: str, text: str) -> None:
    assert told(compiled("base"), 1, code) == [text]


def test_it_is_told_at_the_table_and_in_a_replay(tmp_path: Path) -> None:
    file = str(tmp_path / "game.yaml")
    seats = ("--seat", "ann=random", "--seat", "ben=random")
    played = targi("play", "nim", "--seed", "1", *seats, "--save", file)
    again = targi("replay", file)
    for output in (played.out, again.out):
        assert "End of the game: whoever takes the last stone loses." in output
    assert "End of the game" not in targi("replay", file, "--to", "1").out
