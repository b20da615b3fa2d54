"""Parsed files are cached for the next process."""

from __future__ import annotations

from pathlib import Path

import pytest

from targi_dsl.compiler.load import check
from targi_dsl.syntax import parser
from targi_dsl.text import cache
from targi_dsl.text.source import Text
from tests.comparable import comparable
from tests.small_game import FILES, write_to

RULES, PLANS = "pond/pond.targi", "pond/pond_plans.yaml"


@pytest.fixture
def pond(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sheet of a game on disk, beside a cache with nothing in it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / ".cache"))
    write_to(tmp_path)
    return tmp_path / "pond.targi"


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are parsed from now on."""
    texts = list[str]()
    parse = parser._parse

    def noted(text: Text, start: str, lined: bool) -> object:
        texts.append(text.text.strip())
        return parse(text, start, lined)

    monkeypatch.setattr(parser, "_parse", noted)
    return texts


def edit(sheet: Path, name: str, old: str, new: str) -> None:
    path = sheet.parent / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def compiled(sheet: Path) -> object:
    """The result of a check: loading from disk begins as a new process does."""
    game, problems = check(str(sheet))
    return comparable((game, problems))


def compiled_anew(sheet: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """Its result without a cache."""
    with monkeypatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(sheet.parent / ".nothing"))
        return compiled(sheet)


def test_a_game_is_parsed_once(pond: Path, parsed: list[str]) -> None:
    first = compiled(pond)
    assert len(parsed) > 30
    parsed.clear()
    assert compiled(pond) == first
    assert parsed == []


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (RULES, "define most_plans: 2", "define most_plans: 3"),
        (RULES, "language 2\n", "language 2\n# two more lines\n\n"),
        (RULES, "gain 2 grey and", "gain 2 gray and"),
        (RULES, "gain 2 grey and", "gain gain"),
        (RULES, "choose spot in shore", 'choose spot in shore as "hop to {spot}"'),
        (PLANS, "cost: 3 pebbles", "cost: 2 pebbles"),
        (PLANS, "cost: 3 pebbles", "cost: 2 pebble pebbles"),
        (PLANS, "cards:", "cards: # a comment"),
        ("pond.targi", "rules", "  rules"),
    ],
)
def test_after_an_edit_a_game_is_what_it_would_be_without_a_cache(
    pond: Path, monkeypatch: pytest.MonkeyPatch, name: str, old: str, new: str
) -> None:
    compiled(pond)
    edit(pond, name, old, new)
    changed = compiled_anew(pond, monkeypatch)
    assert compiled(pond) == changed
    assert compiled(pond) == changed  # what is wrong is told again
    edit(pond, name, new, old)
    assert compiled(pond) == compiled_anew(pond, monkeypatch)


def test_only_the_declaration_that_has_changed_is_parsed(pond: Path, parsed: list[str]) -> None:
    compiled(pond)
    edit(pond, RULES, "define most_plans: 2", "define most_plans: 3")
    parsed.clear()
    compiled(pond)
    assert parsed == ["define most_plans: 3"]


def test_what_cannot_be_trusted_is_read_again(pond: Path, parsed: list[str]) -> None:
    first = compiled(pond)
    for entry in cache.folder("readings").iterdir():
        data = bytearray(entry.read_bytes())
        data[len(data) // 2] ^= 1
        entry.write_bytes(bytes(data))
    parsed.clear()
    assert compiled(pond) == first
    assert len(parsed) > 30


def test_what_nodes_with_other_fields_have_written_is_read_again(
    pond: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an entry of a program that was replaced by another version while it ran."""

    def load(_: object) -> object:
        raise ValueError

    first = compiled(pond)
    monkeypatch.setattr("targi_dsl.compiler.project.cache._Unpickler.load", load)
    parsed.clear()
    assert compiled(pond) == first
    assert len(parsed) > 30


def test_texts_in_memory_are_not_kept(pond: Path) -> None:
    assert check("pond", FILES)[0] is not None
    assert not list(cache.folder("readings").glob("*.read"))


def test_whatever_decides_how_a_text_is_read_is_part_of_the_version() -> None:
    """Among it the tables of error productions, which are no modules."""
    root = Path(cache.__file__).parents[1] / "syntax"
    read = {*root.rglob("*.py"), *root.rglob("*.txt"), root / "grammar.lark"}
    assert read == {Path(line.split(" ")[0]) for line in cache._files(("syntax",))}
