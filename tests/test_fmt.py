"""`targi fmt`: one form for rules, sheets and the sentences of cards, which says the same."""

from __future__ import annotations

import random
import stat
from pathlib import Path

import pytest

from bench.formats import changed
from targi_dsl.cardfiles import CardFile, plain, read_cards
from targi_dsl.text import resources
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.source import Source
from targi_dsl.tools.formatting import formatted
from tests.commands import targi

SHIPPED = [
    f"{folder}/{name}"
    for folder, suffix in (("rules", ".targi"), ("rules", resources.TESTS), ("cards", ".yaml"))
    for name in resources.names(folder, suffix)
]
RULES = "language 2\nrule  hop\n   if (far):stop   #why\n"
FORMATTED = "language 2\n\nrule hop\n  if far: stop   #why\n"
CARDS = """\
language: 2
set: frogs
kind: frog   # hops
cards:
- name: {en: Tree frog}   # green
  id: tree
  cost: "2 coins  and 1 points"
  ability: 'always:  ignore water if (far)'
  action: >
    gain 1 coins then
      gain   1 points
"""


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_file_is_formatted(name: str) -> None:
    data = resources.read(name)
    assert data is not None
    assert formatted(Source(name, data.decode())) == data.decode()


def test_only_the_sentences_of_a_card_file_change() -> None:
    text = formatted(Source("frogs.yaml", CARDS))
    before, after = CARDS.splitlines(), text.splitlines()
    assert after[:6] == before[:6]
    assert after[6:] == [
        "  cost: 2 coins and 1 points",
        '  ability: "always: ignore water if far"',
        "  action: gain 1 coins then gain 1 points",
    ]
    assert formatted(Source("frogs.yaml", text)) == text


def test_a_long_sentence_continues_on_lines_below_it() -> None:
    steps = " then ".join(["gain 1 coins"] * 12)
    given = CARDS.replace("gain 1 coins then", f"gain  1 coins then {steps} then")
    text = formatted(Source("frogs.yaml", given))
    assert max(map(len, text.splitlines())) <= 100
    card = plain(cards(text).node)["cards"][0]  # type: ignore[index]
    assert card["action"] == f"gain 1 coins then {steps} then gain 1 points"
    assert formatted(Source("frogs.yaml", text)) == text


def cards(text: str) -> CardFile:
    file, problems = read_cards(Source("frogs.yaml", text))
    assert file is not None
    assert not problems
    return file


def test_what_the_grammar_allows_is_formatted_once_and_says_the_same() -> None:
    assert [*changed(150, seed=25)] == []


def test_a_file_with_an_error_stays_as_it_is(tmp_path: Path) -> None:
    bad, good = tmp_path / "bad.targi", tmp_path / "good.targi"
    bad.write_text(RULES.replace("stop", "stpo"))
    good.write_text(RULES)
    done = targi("fmt", str(tmp_path))
    assert done.code == 1
    assert "E110" in done.err
    assert "bad.targi:3" in done.err
    assert "2 files: 1 changed" in done.out
    assert bad.read_text() == RULES.replace("stop", "stpo")
    assert good.read_text() == FORMATTED
    with pytest.raises(Problems):
        formatted(Source("frogs.yaml", CARDS.replace("kind:", "kid:")))


@pytest.mark.parametrize("option", ["--check", "--diff"])
def test_check_and_diff_write_nothing(tmp_path: Path, option: str) -> None:
    file = tmp_path / "frogs.targi"
    file.write_text(RULES)
    done = targi("fmt", option, str(file))
    assert done.code == 1
    assert file.read_text() == RULES
    assert ("+rule hop" in done.out) == (option == "--diff")
    file.write_text(FORMATTED)
    assert targi("fmt", option, str(file)).code == 0


def test_yaml_files_of_others_are_left_alone_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "workflow.yaml").write_text("on: push\njobs: [a]\n")
    (tmp_path / ".hidden.targi").write_text("nonsense")
    assert targi("fmt", str(tmp_path)).out == "0 files: 0 changed\n"


# ---- rule tests ----

TESTS = """\
# Heaps.
language  2
tests of  nim
before each
      # Three.
      stones on heap 3:1 # a comment
test  "x"   source  "A,B1 , C"
   with rule|winner # who


     loses|ben
     wins | ann   # the last
   given
     option last_stone:{rule}

   then

     asked :nobody # over
     # Not more.
   # And:
   again
   when
     # Only this.
     do
     # At the end.
   then winners:ann,ben;x
   # Of the test.
# Of the next one.

# And so is this.
test "a # b"
    then
        asked:  ann

# The end.
"""
FORMATTED_TESTS = """\
# Heaps.
language 2
tests of nim

before each
  # Three.
  stones on heap 3: 1   # a comment

test "x" source "A, B1, C"
  with rule | winner   # who
    loses | ben
    wins  | ann   # the last
  given option last_stone: {rule}

  then
    asked: nobody   # over
    # Not more.
  # And:
  again
  when
    # Only this.
    do
    # At the end.
  then winners: ann, ben; x
  # Of the test.

# Of the next one.

# And so is this.
test "a # b"
  then asked: ann

# The end.
"""


def test_rule_tests_have_one_form_with_every_comment() -> None:
    assert formatted(Source("x.test.targi", TESTS)) == FORMATTED_TESTS
    assert formatted(Source("standard input", FORMATTED_TESTS)) == FORMATTED_TESTS


def test_rule_tests_written_otherwise_come_back_in_their_form() -> None:
    chance = random.Random(25)
    for name in SHIPPED:
        if name.endswith(resources.TESTS):
            text = (resources.read(name) or b"").decode()
            worse = "\n".join(_worse(line, chance) for line in text.split("\n"))
            assert worse != text
            assert formatted(Source(name, worse)) == text


def _worse(line: str, chance: random.Random) -> str:
    """A line with other blanks that say the same, and at times blank lines behind a head."""
    indent = len(line) - len(line.lstrip())
    said = line.lstrip()
    if not said.startswith(("#", "test ", "before ")):
        for mark in ",;:|":
            said = chance.choice([f" {mark}", f"{mark}  ", mark]).join(
                part.strip() for part in said.split(mark)
            )
    below = "\n" * chance.randrange(3) if said.startswith(("test ", "before ")) else ""
    return " " * (indent * 2) + said + " " * chance.randrange(3) + below


def test_what_is_wrong_with_rule_tests_is_told_and_they_stay(tmp_path: Path) -> None:
    file = tmp_path / "x.test.targi"
    file.write_text("language 2\ntests of nim\ntest  x\n")
    done = targi("fmt", str(tmp_path))
    assert done.code == 1
    assert "E660" in done.err
    assert file.read_text() == "language 2\ntests of nim\ntest  x\n"
    file.write_text(TESTS)
    assert targi("fmt", "--check", str(tmp_path)).code == 1
    assert '+test "x" source' in targi("fmt", "--diff", str(tmp_path)).out
    assert file.read_text() == TESTS
    assert targi("fmt", str(tmp_path)).out == "1 file: 1 changed\n"
    assert file.read_text() == FORMATTED_TESTS


def test_a_folder_that_cannot_be_written_keeps_its_files(tmp_path: Path) -> None:
    file = tmp_path / "frogs.targi"
    file.write_text(RULES)
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        done = targi("fmt", str(file))
    finally:
        tmp_path.chmod(stat.S_IRWXU)
    if done.code:  # root may write everywhere
        assert "E021" in done.err
        assert file.read_text() == RULES
    assert [one.name for one in tmp_path.iterdir()] == ["frogs.targi"]
