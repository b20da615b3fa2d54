"""The removal tool: what is taken out of the base game is missed by a test of the same fact (docs/removals.md)."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from targi_dsl.build.load import load

ROOT = Path(__file__).parent.parent
TOOL = ROOT / "bench/removals.py"
NUMBER = 100
CHUNKS = 4  # so that two processes share the work


def removals(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(TOOL), *arguments], capture_output=True, text=True, cwd=ROOT)


@pytest.mark.parametrize("chunk", range(1, CHUNKS + 1))
def test_of_a_hundred_removals_each_is_missed(chunk: int) -> None:
    done = removals("base", "--sample", str(NUMBER), "--seed", "1", "--chunk", f"{chunk}/{CHUNKS}")
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_nobody_misses_is_told(tmp_path: Path) -> None:
    (tmp_path / "test_nothing.py").write_text("def test_it():  # B50, A62\n    pass\n", encoding="utf-8")
    done = removals("base", "--only", "too_soon", "--tests", str(tmp_path))
    assert (done.returncode, "prohibition too_soon" in done.stdout, "SURVIVED" in done.stdout) == (1, True, True)


def test_what_fails_anyway_misses_nothing(tmp_path: Path) -> None:
    (tmp_path / "test_broken.py").write_text("def test_it():  # B50, A62\n    assert False\n", encoding="utf-8")
    done = removals("base", "--only", "too_soon", "--tests", str(tmp_path))
    assert done.returncode == 1 and "SURVIVED" in done.stdout


def test_a_look_into_the_model_misses_nothing(tmp_path: Path) -> None:
    """The rule is gone, and a test that only compares fingerprints of the rules does not count."""
    text = """
from targi_dsl.build.load import load

KNOWN = "{}"


def test_it():  # B50, A62
    assert load("base").hash == KNOWN
"""
    (tmp_path / "test_model.py").write_text(text.replace("{}", load("base").hash), encoding="utf-8")
    done = removals("base", "--only", "too_soon", "--tests", str(tmp_path))
    assert done.returncode == 1 and "SURVIVED" in done.stdout


def test_the_table_lists_every_thing_and_nothing_survives() -> None:
    text = (ROOT / "docs/removals.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| (\S[^|`]*?) `([^`]+)` \| `([^`]+)` \|", text.partition("\n## base\n")[2], re.MULTILINE)
    listed = removals("base", "--list").stdout
    now = [tuple(re.split(r"  +", line)[:2]) for line in listed.splitlines()]
    assert [(f"{kind} {name}", file) for kind, name, file in table] == [(what, at.split(":")[0]) for what, at in now]
    assert "SURVIVED" not in text
