"""The shipped rule tests hold on either engine (tests/corpus/tests.txt has what is wrong with one)."""

from __future__ import annotations

from pathlib import Path

import pytest

from targi_dsl.text import resources
from tests.commands import targi
from tests.documents import DOCS
from tests.games import VARIED

TESTED = sorted(
    {
        (resources.read(f"rules/{name}") or b"").decode().partition("tests of ")[2].split()[0]
        for name in resources.names("rules", resources.TESTS)
    }
)
"""The shipped games with rule tests."""

COVERED = {"base": set[object](), "expansion": {("rule", "display_without_noble")}}
"""What the rule tests of a game do not use: a rule that no card of the expansion allows, and which
those of the game with the cards of both boxes use.
"""


@pytest.mark.parametrize("engine", ["interpreter", "tcc"])
def test_those_shipped_hold(engine: str) -> None:
    """With the interpreter those of base and expansion run below, where they are traced; C plays
    every sheet as the interpreter does, so that a few are enough.
    """
    names = [one for one in TESTED if (one in VARIED if engine == "tcc" else one not in COVERED)]
    done = targi("test", *names, "--engine", engine, "--workers", "1")
    assert done.code == 0, done.out
    assert "none failed" in done.out


@pytest.mark.parametrize("engine", ["interpreter", "tcc"])
def test_those_of_the_language_hold(engine: str) -> None:
    """What statements, expressions, payments and abilities do, in games made for it."""
    folder = str(Path(__file__).parent / "language")
    done = targi("test", folder, "--engine", engine, "--workers", "1")
    assert done.code == 0 and "none failed" in done.out, done.out


@pytest.mark.parametrize("name", ["base", "expansion"])
def test_those_of_targi_hold_and_use_every_rule_prohibition_and_ability(name: str) -> None:
    done = targi("test", name, "--coverage", "--json", "--workers", "1")
    assert done.code == 0
    unused = {
        (one["sort"], one["name"])
        for one in done.document["coverage"]["items"]
        if one["sort"] in ("rule", "prohibition", "ability") and not one["times"]
    }
    assert unused == COVERED[name]


def test_the_example_of_the_page_holds(tmp_path: Path) -> None:
    example = (DOCS / "rule-tests.md").read_text(encoding="utf-8").split("```\n")[1]
    (tmp_path / "x.test.targi").write_text(example, encoding="utf-8")
    assert targi("test", str(tmp_path), "--workers", "1").out == "2 tests: none failed\n"
