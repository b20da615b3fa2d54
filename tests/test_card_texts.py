"""The texts on the cards: names and texts in four languages that agree with the rules."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from targi_dsl.cardfiles import CardEntry, Scalar, read_cards
from targi_dsl.text import resources
from targi_dsl.text.languages import Language
from targi_dsl.text.source import Source
from targi_dsl.view.words import Words
from tests.games import compiled

LANGUAGES = ("en", "es", "fr", "pl")
TARGI = ("base/", "expansion/", "variants/")
GLOSSARY = Path(__file__).parent.parent / "docs/glossary.md"

IN_RULES = {
    "silversmith_exchange": "rule silversmith_exchange",
    "new_silversmith_exchange": "rule new_silversmith_exchange",
    "display_for_water": "rule display_for_water",
}
"""Rules that cards call, and the locations of the numbers that the cards' texts mention."""

DURING = {
    "expansion/expansion_border.yaml: fata_morgana": "replace define marker_range",
    "expansion/expansion_border.yaml: tribal_expansion": "extend rule draw_tribe after look_at",
    "expansion/expansion_dunes.yaml: card_for_less": "standing for_less",
}
"""Statements of the rules about single cards, with the texts of these cards."""

WORDS = {
    "dates": (r"\bdates?\b", r"\bdátil", r"\bDatte", r"\bdaktyl"),
    "salt": (r"\bsalt\b", r"\bsal\b", r"\bSel\b", r"\b(sól|soli)\b"),
    "pepper": (r"\bpepper\b", r"\bpimienta\b", r"\bPoivre\b", r"\bpieprz"),
    "goods": (r"\bgoods?\b", r"\bmercancía", r"\bMarchandise", r"\btowar"),
    "gold": (r"\bgold\b", r"\boro\b", r"\bOr\b", r"\bzłot"),
    "points": (r"\bpoints?\b", r"\bpuntos?\b", r"\bPoints?\b", r"\bpunkt"),
    "water": (r"\bwater\b", r"\bagua\b", r"\bEau\b", r"\bwod"),
    "incense": (r"\bincense\b", r"\bincienso\b", r"\bEncens\b", r"\bkadzid"),
    "wares": (r"\bwares?\b", r"\bgénero", r"\bdenrée", r"\btowar"),
    "silk": (r"\bsilk\b", r"\bseda\b", r"\bsoie", r"\bjedwab"),
    "tin": (r"\btin\b", r"\bestaño\b", r"\bétain", r"\bcyn"),
    "tea": (r"\btea\b", r"\bté\b", r"\bthé", r"\bherbat"),
    "honey": (r"\bhoney\b", r"\bmiel\b", r"\bmiel", r"\bmiod"),
    "coins": (r"\bcoins?\b", r"\bmoneda", r"\bpièce", r"\btalar"),
    "fame": (r"\bfame\b", r"\bfama\b", r"\brenommée", r"\bsław"),
    "money": (r"\bmoney\b", r"\bmoneda", r"\bsou", r"\bgrosz"),
}


@cache
def cards() -> dict[str, CardEntry]:
    """The cards of all games, by file and id."""
    found: dict[str, CardEntry] = {}
    for name in resources.names("cards", ".yaml"):
        text = (resources.read(f"cards/{name}") or b"").decode()
        file, problems = read_cards(Source(name, text))
        assert file is not None and not problems
        found |= {f"{name}: {card.id}": card for card in file.cards}
    return found


def ability_of(card: CardEntry) -> str:
    """The statements of a card's action in its file, except questions whether something can be
    done, words for people, and how gold is spent by choice; empty if it has no effect.
    """
    field = card.fields.get("action") or card.fields.get("ability")
    if field is None:
        return ""
    parts = [field] if isinstance(field, Scalar) else field.items
    said = "; ".join(str(part.value) for part in parts if isinstance(part, Scalar))
    said = re.sub("; [^;]* if option stored_gold is by_choice", "", said)
    return re.sub(r'\bcan do \w+ with \([^)]*\)|\bas "[^"]*"', "", said)


def cards_that_do_something() -> Iterator[tuple[str, CardEntry, str]]:
    for name, card in cards().items():
        if ability := ability_of(card):
            rule = declaration(DURING[name]) if name in DURING else ""
            yield name, card, f"{ability}; {rule}" if rule else ability


@cache
def declaration(header: str) -> str:
    """A declaration of the base game or the expansion, without comments, citations and places."""
    for name in resources.names("rules", ".targi"):
        if name.startswith(("base/", "expansion/")):
            text = (resources.read(f"rules/{name}") or b"").decode()
            for block in re.sub(r'#.*| (source|as|shows) "[^"]*"| on border \d+', "", text).split(
                "\n\n"
            ):
                if block.strip().startswith(header):
                    return block.strip().removeprefix(header)
    raise LookupError(header)


def amount_defined(found: re.Match[str]) -> str:
    """`with NAME`, with the number that the rules define for the name."""
    amount = declaration(f"define {found[1]}: ") if found[1].endswith("_cards") else found[1]
    return f"with {amount}"


def numbers_meant(ability: str) -> list[str]:
    """The numbers that a text must mention for an ability, in their order. A single card that is
    drawn is "the top card", without a number. A score for each of several things counts as 1 point.
    """
    for name, header in IN_RULES.items():
        ability = re.sub(rf"\bdo {name}\b", declaration(header), ability, count=1)
    ability = re.sub(r"\bwith ([a-z]\w*)", amount_defined, ability)
    ability = re.sub(r"\b\d+\.\.\w+|\bwith 1\b", "", ability)
    return numbers(re.sub(r"score count|/", "1", ability))


def numbers(text: str) -> list[str]:
    return re.findall(r"\d+", text)


def test_every_card_has_a_name_and_a_text_in_four_languages() -> None:
    assert len(cards()) > 300
    for name, card in cards().items():
        assert set(LANGUAGES) <= set(card.names), name
        assert not name.startswith(TARGI) or set(card.shorts) == set(LANGUAGES), name
        assert set(card.texts) == (set(LANGUAGES) if ability_of(card) else set()), name


def test_a_card_has_the_same_numbers_in_its_name_in_every_language() -> None:
    for name, card in cards().items():
        for said in (card.names, card.shorts):
            found = {tuple(numbers(said[language])) for language in LANGUAGES if language in said}
            assert len(found) < 2, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_says_the_numbers_of_the_ability(language: str) -> None:
    for name, card, ability in cards_that_do_something():
        assert numbers(card.texts[language]) == numbers_meant(ability), name


def test_a_number_that_changes_no_longer_fits_the_text() -> None:
    tried = 0
    for name, card, ability in cards_that_do_something():
        for found in re.finditer(r"(?<!\.)\b\d+\b(?!\.\.)", ability):
            for other in (int(found[0]) - 1, int(found[0]) + 1):
                changed = f"{ability[: found.start()]}{other}{ability[found.end() :]}"
                assert numbers(card.texts["en"]) != numbers_meant(changed), (name, changed)
                tried += 1
    assert tried > 300


def plural(word: str) -> str:
    return word if word in WORDS else f"{word}s"


def unnamed(ability: str, text: str, language: str) -> set[str]:
    """The resources of an ability that a text does not name."""
    used = map(plural, re.findall(r"\b\d+ (?:of one |other )?([a-z]+)\b", ability))
    words = {one: WORDS[one][LANGUAGES.index(language)] for one in used if one in WORDS}
    return {one for one, word in words.items() if not re.search(word, text)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_names_the_resources_of_the_ability(language: str) -> None:
    for name, card, ability in cards_that_do_something():
        assert not unnamed(ability, card.texts[language], language), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_resource_that_changes_no_longer_fits_the_text(language: str) -> None:
    tried = 0
    for name, card, ability in cards_that_do_something():
        text = card.texts[language]
        for found in re.finditer(r"\b\d+ ([a-z]+)\b", ability):
            for other in WORDS if plural(found[1]) in WORDS else ():
                if re.search(WORDS[other][LANGUAGES.index(language)], text):
                    continue
                changed = f"{ability[: found.start(1)]}{other}{ability[found.end(1) :]}"
                assert unnamed(changed, text, language) == {other}, (name, changed)
                tried += 1
    assert tried > 1000


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_done_alike_is_worded_alike(language: str) -> None:
    symbols = {
        card.id.rpartition("_")[0]: card.names[language].rpartition(" ")[0]
        for name, card in cards().items()
        if name.startswith(("base/base_tribe", "expansion/expansion_tribe"))
    }
    assert len(symbols) == 5
    wordings = defaultdict(set)
    for name, card, ability in cards_that_do_something():
        if not name.startswith(TARGI):
            continue
        text = card.texts[language]
        for symbol, word in symbols.items():
            if re.search(rf"\b(is|of) {symbol}\b", ability):
                ability = re.sub(rf"\b{symbol}\b", "SYMBOL", ability)
                text = re.sub(rf"\b{word}\b", "SYMBOL", text)
        wordings[ability].add(text)
    assert [ability for ability, texts in wordings.items() if len(texts) > 1] == []
    alike = [texts for ability, texts in wordings.items() if "SYMBOL" in ability]
    assert len(alike) == 2 and all("SYMBOL" in text for texts in alike for text in texts)


def test_a_narrow_place_speaks_the_language_of_the_player() -> None:
    game = compiled("base")
    number = next(n for n, card in enumerate(game.cards) if card.id == "tribal_expansion")
    shorts = {
        language: Words(game, Language(language)).short(number) for language in (*LANGUAGES, "de")
    }
    expected = {
        "en": "Expand",
        "es": "Ampliac",
        "fr": "Essor",
        "pl": "Rozwój",
        "de": "Stammeserweiterung",
    }
    assert shorts == expected


def test_cards_have_the_names_of_the_glossary() -> None:
    rows = re.findall(r"^\| (.+) \| (.+) \| (.+) \| (.+) \|$", GLOSSARY.read_text("utf-8"), re.M)
    terms = {row[0].rstrip("\\*"): [word.rstrip("\\*") for word in row] for row in rows}
    compared = set()
    for name, card in cards().items():
        if not name.startswith(TARGI):
            continue
        english = re.sub(r" \d+$", "", card.names["en"])
        if english in terms:
            said = [re.sub(r" \d+$", "", card.names[language]) for language in LANGUAGES]
            assert said == terms[english], name
            compared.add(english)
    assert len(compared) == 16
