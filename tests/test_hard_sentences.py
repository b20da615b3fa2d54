"""docs/hard-sentences.md, the gate of the language: its blocks make two games, which are checked
and played.
"""

from __future__ import annotations

import re
from functools import cache

import pytest

from targi_dsl.compiler.project import of_texts
from targi_dsl.compiler.load import check
from targi_dsl.ir.model import Game
from targi_dsl.text.diagnostics import render
from tests.documents import LAYERS, SHEETS, WORLDS, blocks, hard_texts, problems_with, text_of
from tests.invariants import random_game
from tests.rule_coverage import rules_met

DOCUMENT = "hard-sentences.md"
GAMES = ("base", "mixed", "all_dunes")
ROWS = re.findall(r"^\| (.+) \| (\d+) \| (.+) \|$", text_of(DOCUMENT), re.MULTILINE)


@cache
def game_of(name: str) -> Game:
    game, problems = check(name, of_texts(hard_texts()))
    assert game is not None, render(problems)
    assert problems == (), render(problems)
    return game


@pytest.mark.parametrize("name", GAMES)
def test_the_blocks_make_games_without_a_problem(name: str) -> None:
    assert game_of(name).name == name


def test_every_block_is_part_of_a_game() -> None:
    assert text_of(DOCUMENT).count("\n```") // 2 == len(blocks(DOCUMENT))
    texts = "\n".join(hard_texts().values())
    for block in blocks(DOCUMENT):
        what, where = block.words[:2]
        if where in WORLDS:  # section 16
            assert not problems_with(where, what, block), block.name
        else:
            assert where in (*LAYERS, "sheet"), block.name
            assert block.one_line in texts, block.name


def test_no_generated_card_has_a_text_of_its_own() -> None:
    printed = {
        line.partition(": ")[2].strip('"')
        for text in hard_texts().values()
        for line in text.splitlines()
        if re.match(r"    (action|ability|cost): ", line)
    }
    assert printed == {
        block.one_line
        for block in blocks(DOCUMENT)
        if block.words[0] in ("action", "ability", "cost")
    }
    assert {*SHEETS, "mixed"} == set(GAMES)


@pytest.mark.parametrize("layer", LAYERS)
def test_raids_lie_in_the_corners(layer: str) -> None:  # B11
    cards = re.findall(
        r'number: (\d+)\n.*\n    action: "(.*)"', hard_texts()[f"cards/{layer}_border.yaml"]
    )
    assert sorted(int(number) for number, action in cards if "raid" in action) == [4, 8, 12, 16]


def test_every_border_card_of_the_base_game_has_its_number() -> None:
    numbers = re.findall(r"number: (\d+)", hard_texts()["cards/base_border.yaml"])
    assert sorted(map(int, numbers)) == [*range(1, 17)]


# ---- the list ----


@pytest.mark.parametrize(
    ("sentence", "number", "fragments"), ROWS, ids=[row[0][:60] for row in ROWS]
)
def test_every_hard_sentence_is_said_by_a_block_of_its_section(
    sentence: str, number: str, fragments: str
) -> None:
    said = [block for block in blocks(DOCUMENT) if block.heading.startswith(f"{number} ")]
    quoted = re.findall("`([^`]+)`", fragments)
    assert quoted, sentence
    for fragment in quoted:
        assert any(fragment in block.text for block in said), fragment


def test_every_section_has_blocks_and_a_row() -> None:
    headings = re.findall("^## (.*)$", text_of(DOCUMENT), re.MULTILINE)
    assert [int(heading.split()[0]) for heading in headings] == [*range(1, len(headings) + 1)]
    assert {block.heading for block in blocks(DOCUMENT)} == set(headings)
    listed = {number for _, number, _ in ROWS}
    assert {heading.split()[0] for heading in headings} - listed == set(NO_ROW)
    assert len(ROWS) > 40


NO_ROW = {
    "8": "the border cards: plain actions",
    "12": "the border cards of the expansion: plain actions",
}


# ---- played ----


@pytest.mark.parametrize("name", GAMES)
def test_random_games_break_no_invariant(name: str) -> None:
    for seed in range(4):
        random_game(game_of(name), seed, busy=seed % 2 == 1)


def test_every_rule_is_done_in_some_random_game() -> None:
    """The rules that cards' texts make are rules too."""
    rules = {rule.name for name in GAMES for rule in game_of(name).rules if rule.body}
    met = {rule for name in GAMES for rule in rules_met(game_of(name), range(200))}
    assert rules - met == set()
