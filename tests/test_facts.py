"""docs/facts.md: every fact is listed, and stated by something that exists or checked by a test;
every citation is of a fact.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.games import compiled

ROOT = Path(__file__).parent.parent
FACT = re.compile(r"\b([ABC][0-9]+)\b")
CITED = re.compile(r"\b[ABCX][0-9]+\b")
"""Anything else that looks alike, such as the spaces of a grid, is in lower case: `a1`. So there
are no exceptions.
"""
ROW = re.compile(r"^\| ([ABCX][0-9]+) \| (.+?) \| (.+?) \|$", re.MULTILINE)
BASE_TEXT, _, EXPANSION_TEXT = (
    (ROOT / "docs/facts.md").read_text(encoding="utf-8").partition("\n## Expansion\n")
)
FACTS = {fact: told for fact, _, told in ROW.findall(BASE_TEXT)}
EXPANSION = {fact: told for fact, _, told in ROW.findall(EXPANSION_TEXT)}
RULES = sorted(
    path for path in (ROOT / "rules/base").glob("*.targi") if not path.name.endswith(".test.targi")
)
CARDS = sorted((ROOT / "cards/base").glob("*.yaml"))
TESTS = sorted(
    [*(ROOT / "tests/targi_base").glob("test_*.py"), *(ROOT / "rules/base").glob("*.test.targi")]
)
SOURCE = re.compile(r'source ("[^"]*")')
WORDS = ("players", "layout", "tie")
"""Declarations in rules that have no name."""

CONTRADICTIONS = [*range(1, 9), 10, 13, 14, *range(16, 28), *range(29, 33)]
RULINGS = [*range(1, 4), 7, *range(9, 18), *range(20, 24), *range(31, 37), 40, *range(42, 47)]
RULINGS += [*range(48, 53), *range(58, 61), 62]
"""Those that touch the base game."""


def cited(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """The facts that `source` clauses, comments and first lines of docstrings name, and in which
    file.
    """
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            words = line if line.lstrip().startswith('"""') else line.partition("#")[2]
            words += " ".join(SOURCE.findall(line))
            yield from ((fact, path.name) for fact in FACT.findall(words))


@cache
def declared() -> frozenset[str]:
    """Every name of the game: of things, rules, definitions, prohibitions, options, cards."""
    game = compiled("base")
    names = {*WORDS, *game.resources, *game.kinds}
    names |= {name for name, _ in (*game.groups, *game.values, *game.options)}
    names |= (
        {one.name for one in game.rules}
        | {one.name for one in game.forbids}
        | {one.name for one in game.scores}
    )
    names |= {one.name for one in game.defines} | {one.name for one in game.variables}
    names |= {place.region for place in game.places} | {piece.kind for piece in game.pieces}
    names |= {card.id for card in game.cards}
    text = "".join(path.read_text(encoding="utf-8") for path in RULES)
    return frozenset(names | set(re.findall(r"^(?:set|relation) (\w+)", text, re.MULTILINE)))


def test_every_fact_of_the_base_game_is_listed_in_order() -> None:
    assert [one for one in FACTS if one[0] == "B"] == [f"B{number}" for number in range(1, 80)]
    assert [one for one in FACTS if one[0] == "C"] == [f"C{number}" for number in CONTRADICTIONS]
    assert [one for one in FACTS if one[0] == "A"] == [f"A{number}" for number in RULINGS]


@pytest.mark.parametrize("fact", FACTS)
def test_a_fact_is_table_talk_or_follows_from_others_or_is_told_by_something_that_exists(
    fact: str,
) -> None:
    told = FACTS[fact]
    if told == "table talk":
        return
    if told.startswith("follows from "):
        sources = told.removeprefix("follows from ").split(", ")
        assert set(sources) <= set(FACTS), "it follows from facts"
        assert fact in dict(cited(TESTS)), "a test cites it"
        return
    names = re.findall(r"`([^`]+)`", told)
    assert names, told
    for name in names:
        assert (ROOT / name).exists() if "/" in name else name in declared(), name


@pytest.mark.parametrize(
    "path", [*RULES, *CARDS, *TESTS], ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_every_citation_is_a_fact(path: Path) -> None:
    assert {fact for fact, _ in cited([path])} <= set(FACTS)


ALL = sorted(
    path
    for folder in ("rules", "cards", "tests", "docs")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".targi", ".yaml", ".py", ".md", ".txt")
)


def unknown_facts(path: Path) -> list[str]:
    """The line and word of each citation in a file that is not a fact."""
    known = {*FACTS, *EXPANSION}
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    return [
        f"{number}: {word}"
        for number, line in lines
        for word in CITED.findall(line)
        if word not in known
    ]


@pytest.mark.parametrize("folder", ["rules", "cards", "tests", "docs"])
def test_whatever_is_cited_anywhere_is_a_fact(folder: str) -> None:
    paths = [path for path in ALL if path.relative_to(ROOT).parts[0] == folder]
    assert sum(len(CITED.findall(path.read_text(encoding="utf-8"))) for path in paths) > 100, (
        "citations are found"
    )
    assert {str(path): found for path in paths if (found := unknown_facts(path))} == {}


def test_the_files_at_the_top_cite_facts_only() -> None:
    assert [
        found for name in ("README.md", "CHANGELOG.md") for found in unknown_facts(ROOT / name)
    ] == []


def test_every_fact_that_changes_play_is_cited_by_a_rule_a_card_or_a_test() -> None:
    told = dict(cited([*RULES, *CARDS, *TESTS]))
    assert [fact for fact, by in FACTS.items() if by != "table talk" and fact not in told] == []


def test_every_fact_that_rules_tell_is_held_by_a_test() -> None:
    held = dict(cited(TESTS))
    names_only = {"C30"}  # the names of cards
    assert [
        one
        for one, by in FACTS.items()
        if by != "table talk" and one not in held and one not in names_only
    ] == []


def test_every_fact_of_the_expansion_is_listed_in_order() -> None:
    assert [one for one in EXPANSION if one[0] == "X"] == [f"X{number}" for number in range(1, 55)]


def test_what_the_expansion_s_facts_name_exists() -> None:
    game = compiled("expansion")
    names = (
        {one.name for one in game.rules}
        | {one.name for one in game.forbids}
        | {one.name for one in game.scores}
    )
    names |= {one.name for one in game.defines} | {one.name for one in game.variables}
    names |= (
        {place.region for place in game.places}
        | {piece.kind for piece in game.pieces}
        | set(game.resources)
    )
    names |= (
        {card.id for card in game.cards}
        | {one.name for one in game.exchanges}
        | {name for name, _ in game.options}
    )
    names |= (
        {name for name, _ in (*game.groups, *game.values)}
        | {one.name for one in game.abilities}
        | declared()
    )
    missing = {
        name
        for told in EXPANSION.values()
        for name in re.findall(r"`([^`]+)`", told)
        if not ((ROOT / name).exists() if "/" in name else name in names)
    }
    assert missing == set()
