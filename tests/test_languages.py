"""Translations: nothing is missing, nothing is mixed, and errors in catalogues are found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import cycle
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from targi_dsl.api import PUBLIC, choices, play
from targi_dsl.api import start as begin
from targi_dsl.cli.first_page import explanations, guide_texts, settings_texts
from targi_dsl.cli.manual import card_text, help_page, manual
from targi_dsl.cli.summary import ending
from targi_dsl.compiler import translations
from targi_dsl.compiler.catalogues import vocabulary
from targi_dsl.compiler.load import analyse, load
from targi_dsl.display.choosing import barred_offers, offers
from targi_dsl.display.ink import Line, line
from targi_dsl.display.news import News
from targi_dsl.display.page import menus
from targi_dsl.display.parts import part_of_table
from targi_dsl.display.picture import picture
from targi_dsl.display.scene import scene_of
from targi_dsl.display.screen import Form, screen
from targi_dsl.engine.chance import Seed
from targi_dsl.explain.why_not import why_not
from targi_dsl.information.observation import observe
from targi_dsl.ir.game import Game
from targi_dsl.records import Step
from targi_dsl.text.catalogues import Catalogue, Key, read_catalogue
from targi_dsl.text.decoding import decode
from targi_dsl.text.languages import Language
from targi_dsl.text.resources import names, read
from targi_dsl.view.words import Words
from tests.games import ALL, QUICK, compiled
from tests.looking import question_of, seen_by
from tests.messages import messages
from tests.texts import game_text

OTHERS = translations.languages()[1:]
OTHER_GAMES = (name for name in QUICK if not name.startswith(("base", "expansion", "mixed")))
SPREAD = tuple(zip(OTHER_GAMES, cycle(OTHERS)))
"""Each kind of game that is not Targi in one of the languages."""
GLOSSARY = Path(__file__).parent.parent / "docs/glossary.md"
_WORD = re.compile(r"[^\W\d_]{3,}")
_BLANK = re.compile(r"\{[^{}]*\}")


@cache
def spoken(name: str, code: str) -> Language:
    return translations.of_game(compiled(name), name, code)


@cache
def catalogue(name: str) -> Catalogue:
    data = read(name)
    assert data is not None
    return read_catalogue(decode(name, data))


# ---- nothing is missing ----


def test_the_program_speaks_four_languages() -> None:
    assert translations.languages() == ("en", "es", "fr", "pl")


def test_every_message_is_translated_and_has_its_values() -> None:
    wanted = {texts[0]: texts for texts in messages()}
    for code in OTHERS:
        found = {one.key[1]: one.forms for one in catalogue(f"locale/{code}.po").entries}
        assert found.keys() == wanted.keys(), code
        for key, forms in found.items():
            assert len(forms) == (1 if len(wanted[key]) == 1 else 3 if code == "pl" else 2), key
            blanks = {frozenset(_BLANK.findall(form)) for form in forms}
            assert blanks == {frozenset(_BLANK.findall(key))}, (code, key)


@pytest.mark.parametrize("code", OTHERS)
def test_the_words_one_can_type_are_those_that_are_named(code: str) -> None:
    known = {one.key[1]: one.forms[0] for one in catalogue(f"locale/{code}.po").entries}
    commands = [
        "help", "rules", "how", "advice", "picture", "table", "more", "card", "show", "why", "hint",
        "score", "log", "undo", "position", "save", "quit",
    ]  # fmt: skip
    assert len({known[word] for word in commands}) == len(commands)
    for text, form in known.items():
        for word in re.findall(r"`([a-z]+)[` ]", text):
            assert f"`{known[word]}" in form, text


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("name", ALL)
def test_every_game_is_translated_whole(name: str, code: str) -> None:
    game = compiled(name)
    assert spoken(name, code).code == code
    assert ("", game.title) in {one.key for one in catalogue(f"rules/games/{code}.po").entries}


def seats(module: str) -> set[Key]:
    """The players of a module, also those that are there only in a larger game."""
    files = (name for name in names("rules", ".targi") if name.startswith(f"{module}/"))
    rules = b"".join(read(f"rules/{name}") or b"" for name in files).decode()
    lines = re.findall("^players (.*)", rules, re.MULTILINE)
    return {("", name) for line in lines for name in re.findall("[a-z]+", line)}


@pytest.mark.parametrize("code", OTHERS)
def test_every_entry_is_of_a_game_and_has_its_values(code: str) -> None:
    needed: dict[str, set[Key]] = {}
    for name in ALL:
        keys = {*vocabulary(compiled(name), code)}
        keys |= {("", text) for text in guide_texts(compiled(name), code)}
        keys |= {("", text) for text in settings_texts(compiled(name))}
        keys |= {("", one.meaning) for one in explanations(compiled(name))}
        for module in ("games", *compiled(name).modules):
            needed.setdefault(module, set()).update(keys)
    for file in names("rules", f"{code}.po"):
        entries = catalogue(f"rules/{file}").entries
        module = file.partition("/")[0]
        assert {one.key for one in entries} <= needed[module] | seats(module), file
        for one in entries:
            blanks = {frozenset(_BLANK.findall(form)) for form in one.forms}
            assert blanks == {frozenset(_BLANK.findall(one.key[1]))}, (file, one.key)


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("name", ["base", "expansion"])
def test_every_comment_on_a_rule_is_translated(name: str, code: str) -> None:
    sorts = ("rule", "forbid", "score", "resource", "exchange")
    said = {one.meaning for one in explanations(compiled(name), sorts) if one.meaning}
    assert len(said) > 50
    assert [one for one in said if spoken(name, code).word(one) == one] == []


@pytest.mark.parametrize(
    ("code", "asked", "told"),
    [
        ("en", "setup", "to see how it is written: targi show base rule setup"),
        ("en", "raid", "raid: one player after the other, the starting player first."),
        ("es", "asalto", "asalto: un jugador tras otro; empieza el jugador inicial."),
        ("fr", "Attaque", "attaque\u00a0: un joueur après l'autre, le premier joueur d'abord."),
        ("en", "the toll of", "the toll of …: a player who can pay in full must"),
        ("fr", "raid card", "aucun Targui ne se place sur une carte Attaque"),
        ("pl", "weź na rękę", "weź na rękę: na ręce mieści się 1 karta plemienia"),
        ("pl", "crossings", "Zasady są napisane po angielsku:"),
    ],
)
def test_a_rule_is_told_in_words(code: str, asked: str, told: str) -> None:
    words = Words(compiled("base"), spoken("base", code))
    state = begin(words.game, Seed(3))
    shown = [*manual(seen_by(state, words, "blue"), asked, 80)]
    assert told in " ".join(shown)
    assert not [one for one in shown if "rules/base" in one]


@pytest.mark.parametrize("code", OTHERS)
def test_every_option_is_translated(code: str) -> None:
    for name in ALL:
        word = spoken(name, code).word
        said = {one for one in settings_texts(compiled(name)) if not one.isdecimal()}
        assert [one for one in said if word(one) == one] == [], name


@pytest.mark.parametrize("code", OTHERS)
def test_catalogues_have_the_words_of_the_glossary(code: str) -> None:
    rows = re.findall(r"^\| (.+) \| (.+) \| (.+) \| (.+) \|$", GLOSSARY.read_text("utf-8"), re.M)
    terms = [[set(re.split("[;,] ", re.sub(r"\\\*", "", cell))) for cell in row] for row in rows]
    compared = 0
    for module in ("base", "expansion", "base_incense"):
        for one in catalogue(f"rules/{module}/{code}.po").entries:
            for english, *others in terms:
                if not one.key[0] and one.key[1] in english:
                    known = " ".join(others[OTHERS.index(code)]).casefold()
                    assert any(form.casefold()[:5] in known for form in one.forms), one.key
                    compared += 1
    assert compared > 15


# ---- nothing is mixed ----


@cache
def words_of(name: str, code: str) -> frozenset[str]:
    """Every word that may appear on a screen in this language."""
    game = compiled(name)
    files = (f"locale/{code}.po", *(f"rules/{one}/{code}.po" for one in ("games", *game.modules)))
    texts = [
        form
        for file in files
        if read(file)
        for one in catalogue(file).entries
        for form in one.forms
    ]
    for card in game.cards:
        texts += [said[code] for said in (card.names, card.shorts, card.texts) if code in said]
    return frozenset(word for text in texts for word in _words(text))


def _words(text: str) -> list[str]:
    bare = re.sub(r"`[^`]*`|\{[^{}]*\}", " ", text)
    return [word.casefold() for word in _WORD.findall(bare)]


def is_known(word: str, known: frozenset[str]) -> bool:
    """Whether a word, or one that it abbreviates, belongs to the language."""
    return word in known or any(one.startswith(word) for one in known)


def screens(name: str, code: str, steps: int) -> Iterator[Line]:
    """Everything that is shown in a game, in full and in brief."""
    game = compiled(name)
    words = Words(game, spoken(name, code))
    state, pick = begin(game, Seed(3)), Random(5)
    for number in range(steps):
        seat = state.seat
        if seat is None:
            yield from map(line, ending(words, state, 80))
            return
        view = scene_of(state, words, (seat,), 80)
        yield line(question_of(view))
        for found in menus(view, offers(view)):
            yield from found
        if number % 15 == 0:
            yield from screen(view)
            yield from (part for form in Form if form for part in screen(view, form))
            for place in range(len(game.places[:1])):
                yield from part_of_table(view, words.region(place))
            seen = seen_by(state, words, seat)
            yield from (line(one.words) for one in barred_offers(seen))
            ids = [one.offer.id for one in barred_offers(seen)][:30]
            yield from (line(one.text) for id_ in ids for one in why_not(state, id_, words))
            for card in game.cards[number : number + 1]:
                yield from map(line, card_text(seen, card.id))
        offered = choices(state)
        chosen = offered[pick.randrange(len(offered))]
        after, events = play(state, chosen)
        yield from News(words, game.players, 80).report(Step(state, chosen, tuple(events), after))
        state = after


def text_of(shown: Line) -> str:
    return "".join(ink.text for ink in shown)


def strange(name: str, code: str, texts: Iterable[str]) -> dict[str, str]:
    """The words that are not of the language, each with a text that has it."""
    known = words_of(name, code)
    return {word: text for text in texts for word in _words(text) if not is_known(word, known)}


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("name", ["base", "expansion"])
def test_a_screen_is_never_mixed(name: str, code: str) -> None:
    shown = (*screens(name, code, 60), *map(line, help_page(spoken(name, code), 80)))
    assert strange(name, code, map(text_of, shown)) == {}


@pytest.mark.parametrize(("name", "code"), SPREAD)
def test_no_screen_of_the_library_is_mixed(name: str, code: str) -> None:
    assert strange(name, code, map(text_of, screens(name, code, 25))) == {}


@pytest.mark.parametrize(("name", "code"), SPREAD[::3])
def test_a_picture_is_never_mixed(name: str, code: str) -> None:
    state = begin(compiled(name), Seed(3))
    drawn = picture(observe(state, state.seat or PUBLIC), spoken(name, code))
    said = [one.text for one in ElementTree.fromstring(drawn).iter() if one.tag.endswith("text")]
    assert strange(name, code, filter(None, said)) == {}


def test_a_mixed_screen_would_be_found() -> None:
    assert [
        word for word in _words("pagar 2 dates") if not is_known(word, words_of("base", "es"))
    ] == ["dates"]


LONELY = game_text("lonely.targi")


@pytest.fixture
def lonely(tmp_path: Path) -> str:
    """A game without any translation."""
    (tmp_path / "lonely.targi").write_text(
        'language 2\ngame lonely "Lonely"\n  rules lonely\n', encoding="utf-8"
    )
    (tmp_path / "lonely").mkdir()
    (tmp_path / "lonely" / "01.targi").write_text(LONELY, encoding="utf-8")
    return str(tmp_path / "lonely.targi")


def test_what_is_not_translated_is_played_in_english_and_that_is_said(lonely: str) -> None:
    game = load(lonely)
    found = translations.of_game(game, lonely, "es")
    assert found.code == "en" and found.say("quit") == "quit"
    notice = "Lonely no está traducido; se juega en inglés."
    assert translations.notice(game, found, "es") == notice
    assert translations.notice(game, found, "en") == ""


# ---- which language ----


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "es_ES.UTF-8"}, "es"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_GB", "LC_MESSAGES": "pl_PL"}, "pl"),
        ({"LC_ALL": "", "LANG": "fr"}, "fr"),
        ({"LANG": "xx_YY"}, "en"),
        ({"LANG": "\x00é"}, "en"),
    ],
)
def test_the_language_is_that_of_the_locale(environment: dict[str, str], code: str) -> None:
    assert translations.preferred_language(environment) == code


# ---- singular and plural ----


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", ["1 date", "2 dates", "5 dates", "1 good", "3 goods"]),
        ("es", ["1 dátil", "2 dátiles", "5 dátiles", "1 mercancía", "3 mercancías"]),
        ("fr", ["1 Datte", "2 Dattes", "5 Dattes", "1 Marchandise", "3 Marchandises"]),
        ("pl", ["1 żeton daktyli", "2 żetony daktyli", "5 żetonów daktyli", "1 towar", "3 towary"]),
    ],
)
def test_an_amount_has_the_form_of_its_number(code: str, said: list[str]) -> None:
    words = Words(compiled("base"), spoken("base", code))
    pairs = (("dates", 1), ("dates", 2), ("dates", 5), ("goods", 1), ("goods", 3))
    assert [words.amount(*one) for one in pairs] == said


# ---- faults in catalogues ----

HEAD = 'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'


def faults(text: str) -> list[tuple[str, int]]:
    """The codes and lines of the problems of a catalogue of the lonely game."""
    sheet = 'language 2\ngame lonely "Lonely"\n  rules lonely\n'
    files = {"lonely.targi": sheet, "lonely/01.targi": LONELY, "lonely/es.po": HEAD + text}
    found = analyse("lonely", files).problems
    return [
        (one.code, one.span.line)
        for one in found
        if one.span and one.span.source.name[-3:] == ".po"
    ]


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        ('msgid "apples"\nmsgstr "manzanas"\n', "W911", 5),
        ('msgid "eat {your pears} pear(s)"\nmsgstr "comer peras"\n', "W912", 5),
        ('msgid "eat {your pears} pear(s)"\nmsgstr "comer {pears} peras"\n', "W912", 5),
        ('msgid "ann"\nmsgstr "ana"\n\nmsgid "ann"\nmsgstr "anita"\n', "E028", 8),
        ('msgid "ann"\nwhat\n', "E027", 6),
        ("\x01\n", "E027", 5),
    ],
)
def test_a_fault_of_a_catalogue_is_told_with_its_line(text: str, code: str, at: int) -> None:
    assert (code, at) in faults(text)


@pytest.mark.parametrize("rule", ["n != ", "n%0", "7", "n > 900 ? 2 : 0", "-1"])
def test_a_plural_rule_that_does_not_give_a_form_for_every_number_is_refused(rule: str) -> None:
    broken = HEAD.replace("n != 1", rule)
    files = {"lonely.targi": 'language 2\ngame lonely "Lonely"\n  rules lonely\n'}
    files |= {"lonely/01.targi": LONELY, "lonely/es.po": broken + 'msgid "ann"\nmsgstr "ana"\n'}
    assert [one.code for one in analyse("lonely", files).problems] == ["E027"]


def test_what_is_missing_is_told_ready_to_paste(lonely: str) -> None:
    folder = Path(lonely).parent / "lonely"
    (folder / "es.po").write_text(HEAD, encoding="utf-8")
    (found,) = (one for one in analyse(lonely).problems if one.code == "W909")
    assert found.span is not None and f'msgid "{found.span.text}"' in found.hint
    assert found.labels[0].span.source.name.endswith("es.po")
    pasted = "\n\n".join(
        re.sub(r'(msgstr\S*) ""', rf'\1 "{re.findall(r"msgid .(.*).", one)[0]}"', one)
        for one in found.hint.split("\n\n")
    )
    (folder / "es.po").write_text(HEAD + pasted + "\n", encoding="utf-8")
    assert translations.of_game(load(lonely), lonely, "es").code == "es"


def test_a_variant_is_asked_for_translations_only_if_it_has_some() -> None:
    rules = """language 2
module far based on lonely
extend rule round
  each player: do far
rule far
  forbid late: your pears is 9 because "pear(s)"
"""
    files = {
        "far.targi": 'language 2\ngame far "Far" based on lonely\n  rules far\n',
        "far/far.targi": rules,
        "lonely.targi": 'language 2\ngame lonely "Lonely"\n  rules lonely\n',
        "lonely/01.targi": LONELY,
        "lonely/es.po": HEAD,
    }
    assert not [one for one in analyse("far", files).problems if one.code == "W909"]
    files["far/es.po"] = HEAD
    own, others = (one for one in analyse("far", files).problems if one.code == "W909")
    assert 'msgid "pear(s)"' in own.hint and 'msgid "pear(s)"' not in others.hint


def test_all_catalogues_are_shipped() -> None:
    assert len(names("rules", ".po")) % len(OTHERS) == 0 and len(names("rules", ".po")) > 3


def test_a_game_knows_its_modules() -> None:
    game: Game = compiled("base_incense")
    assert game.modules == ("base", "base_incense")
