"""`targi fmt`: shipped files are formatted, and whatever is formatted says the same (tests/corpus/fmt.txt
has what becomes of a file).
"""

from __future__ import annotations

import random
import stat
from pathlib import Path

import pytest

from bench.formats import changed
from targi_dsl.text import resources
from targi_dsl.text.source import Source
from targi_dsl.tools.formatting import formatted
from tests.commands import targi

RULE = "language 2\nrule  hop\n   stop\n"
SHIPPED = [
    f"{folder}/{name}"
    for folder, suffix in (("rules", ".targi"), ("rules", resources.TESTS), ("cards", ".yaml"))
    for name in resources.names(folder, suffix)
]


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_file_is_formatted(name: str) -> None:
    data = resources.read(name)
    assert data is not None
    assert formatted(Source(name, data.decode())) == data.decode()


def test_what_the_grammar_allows_is_formatted_once_and_says_the_same() -> None:
    assert [*changed(150, seed=25)] == []


def test_rule_tests_are_known_by_what_they_say() -> None:
    text = 'language 2\ntests of nim\n\ntest "x"\n  then asked:{}ann\n'
    assert formatted(Source("standard input", text.format("  "))) == text.format(" ")


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


def test_a_folder_that_cannot_be_written_keeps_its_files(tmp_path: Path) -> None:
    file = tmp_path / "frogs.targi"
    file.write_text(RULE)
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        done = targi("fmt", str(file))
    finally:
        tmp_path.chmod(stat.S_IRWXU)
    if done.code:  # root may write everywhere
        assert "E021" in done.err
        assert file.read_text() == RULE
    assert [one.name for one in tmp_path.iterdir()] == ["frogs.targi"]
