"""docs/language.md is accurate: its examples are accepted, its refused examples are refused, and its
lists match the program.
"""

from __future__ import annotations

import json
import re

import pytest

from targi_dsl.cardfiles import yaml_files
from targi_dsl.compiler.cards import decks
from targi_dsl.compiler.load import check
from targi_dsl.compiler.lowering import (
    calls,
    layout,
    questions,
    repetition,
    resources,
    statements,
    variables,
)
from targi_dsl.compiler.project import discovery, sheets, written
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.compiler.symbols import enter, table
from targi_dsl.engine import faults, payments
from targi_dsl.ir.types import HIGHEST, LOWEST
from targi_dsl.syntax import ast, lexer, parse_action, parse_file, parser
from targi_dsl.text import decoding as reading
from targi_dsl.text.diagnostics import render
from targi_dsl.text.source import Source
from tests.documents import (
    DOCS,
    WORLDS,
    Block,
    blocks,
    hard_texts,
    problems_with,
    stands_in,
    text_of,
)

DOCUMENT = "language.md"
PACKAGE = DOCS.parent / "targi_dsl"
SAID = [block for block in blocks(DOCUMENT) if block.words[0] != "refused"]
REFUSED = [block for block in blocks(DOCUMENT) if block.words[0] == "refused"]
STARTS = ("declaration", "ability", "action", "cost")


def test_every_line_of_an_example_headed_targi_is_shipped() -> None:
    root = DOCS.parent
    files = [*root.glob("rules/base*/*.targi"), *root.glob("rules/expansion*/*.targi")]
    files += [*root.glob("rules/games/*.targi")]
    files += [*root.glob("cards/base/*.yaml"), *root.glob("cards/expansion/*.yaml")]
    shipped = [in_words(path.read_text(encoding="utf-8")) for path in files]
    headed = re.findall(r"^Targi:\n\n```[^\n]*\n(.*?)^```$", text_of(DOCUMENT), re.M | re.S)
    assert len(headed) >= 50
    lines = {in_words(line) for example in headed for line in example.splitlines()}
    assert [line for line in lines if not any(line in text for text in shipped)] == []


def in_words(text: str) -> str:
    """The words of a text with a blank around each, without comments, layout and quotation marks."""
    lines = (re.sub(r"(^|\s)#.*", "", line) for line in text.replace('"', " ").splitlines())
    return f" {' '.join(word for line in lines for word in line.split())} "


def test_the_world_of_the_targi_examples_has_no_problems() -> None:
    game, problems = check("mixed", of_texts(hard_texts()))
    assert game is not None, render(problems)
    assert problems == ()


def test_every_example_is_tagged() -> None:
    examples = text_of(DOCUMENT).count("\n```") // 2
    assert examples == len(blocks(DOCUMENT)) == len(SAID) + len(REFUSED)
    assert all(
        block.words[0] in STARTS and block.words[1] in WORLDS and len(block.words) == 2
        for block in SAID
    )
    assert all(block.words[1] in STARTS and len(block.words) == 3 for block in REFUSED)


@pytest.mark.parametrize("block", SAID, ids=[block.name for block in SAID])
def test_what_an_example_says_can_be_said_in_its_game(block: Block) -> None:
    kind, game = block.words
    problems = () if stands_in(game, block) else problems_with(game, kind, block)
    assert not problems, render(problems)


@pytest.mark.parametrize(
    "block", [one for one in SAID if one.words[1] == "targi" and one.text.startswith("game ")]
)
def test_a_sheet_of_targi_can_be_played_with_the_shipped_files(block: Block) -> None:
    _, problems = check("trial", of_texts({"trial.targi": f"language 2\n{block.text}"}))
    assert not problems, render(problems)


@pytest.mark.parametrize("block", REFUSED, ids=[block.name for block in REFUSED])
def test_what_is_refused_is_one_problem_of_that_code(block: Block) -> None:
    _, kind, code = block.words
    problems = problems_with("targi", kind, block)
    assert [one.code for one in problems] == [code], render(problems)


def test_a_frame_is_labelled_with_its_game_or_with_what_is_refused() -> None:
    lines = text_of(DOCUMENT).splitlines()
    for block in blocks(DOCUMENT):
        title = block.words[1].replace("_", " ").capitalize().replace("ic tac toe", "ic-tac-toe")
        labels = (f"{title}:", "A variant of Targi:") if title == "Targi" else (f"{title}:",)
        label = lines[block.line - 4]
        assert label.startswith("Refused: ") if block in REFUSED else label in labels, block.name


def test_each_construct_has_an_example_of_targi_one_of_another_game_and_a_refusal() -> None:
    text = text_of(DOCUMENT)
    headings = re.findall("^### (.*)$", text, re.MULTILINE)
    assert len(headings) >= 40
    for heading in headings:
        games = {block.words[1] for block in SAID if block.heading == heading}
        refused = [block for block in REFUSED if block.heading == heading]
        assert ("targi" in games or heading in WITHOUT_TARGI) and refused, heading
        assert len(games) > 1 or heading in ONLY_TARGI, heading


WITHOUT_TARGI = {"remember the position": "refused in a game with cards"}
ONLY_TARGI = {"Precedence": "about all sentences, not one"}


@pytest.mark.parametrize("head", ["if day is 1:", "each n in 1..2:"])
def test_a_line_is_governed_to_its_end_in_a_rule_and_in_a_cards_text(head: str) -> None:
    line = f"{head} gain 1 coins then gain 1 tea"
    (_, rule), problems = parse_file(Source("trial", f"language 2\nrule trial\n  {line}\n"))
    assert not problems
    assert isinstance(rule, ast.Rule) and len(rule.body) == 1
    text, problems = parse_action(Source("trial", line))
    assert not problems
    assert text is not None and len(text) == 1


# ---- lists ----

CARDS = json.loads((DOCS.parent / "schema" / "cards.json").read_text(encoding="utf-8"))
RECORD = json.loads((DOCS.parent / "schema" / "record.json").read_text(encoding="utf-8"))
CARD = CARDS["$defs"]["card"]["properties"]
LIMITS = {
    "bytes of a file; more are not read at all": reading.LARGEST_FILE,
    "characters of a line": reading.LONGEST_LINE,
    "nodes of a card file or record": yaml_files.MOST,
    "errors reported for a rule file or a game": parser.MOST_FAULTS,
    "declarations of a file": parser.MOST_DECLARATIONS,
    "words and symbols of a declaration": parser.MOST_WORDS,
    "letters of a name in a rule file": lexer.LONGEST_NAME,
    "nested blocks or parentheses": lexer.DEEPEST,
    "nested parts of one sentence": parser.DEEPEST_NODES,
    "nested lists and keys of a card file": yaml_files.DEEPEST,
    "any number": HIGHEST,
    "players": enter.MOST_PLAYERS,
    "spaces of a region, pieces of a kind": enter.LARGEST_REGION,
    "spaces and zones in all, pieces in all": enter.MOST_PLACES,
    "pairs of all relations": enter.MOST_RELATED,
    "values that all variables keep": variables.MOST_VALUES,
    "positions that are remembered; those before are forgotten": repetition.MOST_REMEMBERED,
    "numbers that a position is packed into": repetition.MOST_NUMBERS,
    "cells of a table of the layout": layout.MOST_CELLS,
    "files in the folder of a sheet": discovery.MOST_FILES,
    "lines of all files of a game": written.MOST_LINES,
    "characters of all files of a game": written.MOST_CHARACTERS,
    "games, or modules, based on one another": sheets.DEEPEST_BASES,
    "cards of one file": CARDS["properties"]["cards"]["maxItems"],
    "copies of a card": CARD["copies"]["maximum"],
    "number of a card": CARD["number"]["maximum"],
    "letters of the id of a card": CARDS["$defs"]["name"]["maxLength"],
    "letters of a short name": CARDS["$defs"]["short"]["maxLength"],
    "characters of a text on a card": CARDS["$defs"]["text"]["maxLength"],
    "cards of a deck": decks.MOST_CARDS,
    "cards of all decks": decks.MOST_CARDS_IN_ALL,
    "an amount written in a price": resources.MOST_IN_A_PRICE,
    "nested definitions": calls.DEEPEST,
    "answers to a question": faults.OPTIONS,
    "things chosen together": questions.MOST_CHOSEN,
    "repetitions of `any number of times`": statements.MOST_TIMES,
    "numbers of a range `a..b`": faults.RANGE,
    "what a player has of one resource, what is stored on a card": table.LARGEST_AMOUNT,
    "holdings examined to decide whether exchanges make a payment possible": payments.REACH,
    "nested rules, during play": faults.FRAMES,
    "nested definitions and heads, during play": faults.SCRATCH,
    "nested triggers": faults.FIRED,
    "steps of a decision": faults.STEPS,
    "elements, guards and definitions evaluated for a decision": faults.PARTS,
    "choices of a record": RECORD["properties"]["choices"]["maxItems"],
}


def section(heading: str) -> str:
    return text_of(DOCUMENT).partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def test_the_limits_are_those_of_the_program() -> None:
    rows = re.findall(r"^\| (.+) \| ([\d,]+) \| (.*)\|$", section("Limits"), re.MULTILINE)
    assert {name: int(number.replace(",", "")) for name, number, _ in rows} == LIMITS
    assert questions.MOST_ANSWERS == faults.OPTIONS
    program = "".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    assert [
        code
        for *_, codes in rows
        for code in re.findall(r"\w+", codes)
        if f'"{code}"' not in program
    ] == []


def test_the_limits_that_other_sections_name_are_the_same() -> None:
    text = text_of(DOCUMENT)
    for words, limit in (
        ("means at most {}.", statements.MOST_TIMES),
        ("at most {} answers", faults.OPTIONS),
        ("a chain ends after {}.", faults.FIRED),
        ("0 to {} each", table.LARGEST_AMOUNT),
        ("from " + str(LOWEST) + " to {};", HIGHEST),
    ):
        assert words.format(limit) in text, words


GRAMMAR = re.sub("//.*", "", (PACKAGE / "syntax" / "grammar.lark").read_text(encoding="utf-8"))
WORDS = sorted(set(re.findall('"([a-z]+)"', GRAMMAR)))


@pytest.mark.parametrize(
    "use",
    [
        "resource {}\n",
        "rule {}\n  nothing\n",
        "define {}: 1\n",
        "rule trial\n  choose {} in border\n",
    ],
)
def test_the_reserved_words_are_those_that_can_name_nothing(use: str) -> None:
    listed = re.findall("`([a-z]+)`", section("Reserved words").partition("All others")[0])
    refused = [
        word for word in WORDS if parse_file(Source("trial", "language 2\n" + use.format(word)))[1]
    ]
    assert listed == [word for word in refused if word != "up"]
    assert ("up" in refused) == ("choose" in use)  # `choose up to 2`


def test_the_words_that_it_says_may_be_names_are_words_of_the_language_and_may() -> None:
    named = re.findall("`([a-z]+)`", section("Reserved words").partition("All others")[2])
    for word in named:
        assert word in WORDS
        assert not parse_file(Source("trial", f"language 2\nresource {word}\n"))[1]


def test_the_table_of_contents_has_every_section() -> None:
    text = text_of(DOCUMENT)
    headings = re.findall("^##+ (.*)$", text, re.MULTILINE)
    contents = re.findall(r"^ *- \[(.*)\]\(#(.*)\)$", text, re.MULTILINE)
    assert [title for title, _ in contents] == headings
    assert all(
        anchor == re.sub("[^a-z0-9 _-]", "", title.lower()).replace(" ", "-")
        for title, anchor in contents
    )
