"""The removal tool: a test of the same fact notices a removal (bench/removals.py)."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from targi_dsl.compiler.load import load

ROOT = Path(__file__).parent.parent.parent
TOOL = ROOT / "bench/removals.py"
CHUNKS = {"base": (100, 4), "expansion": (60, 3)}
"""How many things of a game are taken out, and in how many parts, so that two processes share the
work.
"""
PARTS = [
    (game, number, f"{part}/{parts}")
    for game, (number, parts) in CHUNKS.items()
    for part in range(1, parts + 1)
]


def removals(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(TOOL), *arguments], capture_output=True, text=True, cwd=ROOT
    )


@pytest.mark.parametrize(("game", "number", "chunk"), PARTS)
def test_of_so_many_removals_each_is_missed(game: str, number: int, chunk: str) -> None:
    done = removals(game, "--sample", str(number), "--seed", "1", "--chunk", chunk)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_nobody_misses_is_told(tmp_path: Path) -> None:
    (tmp_path / "test_nothing.py").write_text(
        "def test_it():  # B50, A62\n    pass\n", encoding="utf-8"
    )
    done = removals("base", "--only", "too_soon", "--tests", str(tmp_path))
    assert (done.returncode, "prohibition too_soon" in done.stdout, "SURVIVED" in done.stdout) == (
        1,
        True,
        True,
    )


def test_what_fails_anyway_misses_nothing(tmp_path: Path) -> None:
    (tmp_path / "test_broken.py").write_text(
        "def test_it():  # B50, A62\n    assert False\n", encoding="utf-8"
    )
    done = removals("base", "--only", "too_soon", "--tests", str(tmp_path))
    assert done.returncode == 1 and "SURVIVED" in done.stdout


def test_a_look_into_the_model_misses_nothing(tmp_path: Path) -> None:
    """The rule is gone, and a test that only compares fingerprints of the rules does not count."""
    text = """
from targi_dsl.compiler.load import load

KNOWN = "{}"


def test_it():  # B50, A62
    assert load("base").hash == KNOWN
"""
    (tmp_path / "test_model.py").write_text(text.replace("{}", load("base").hash), encoding="utf-8")
    done = removals("base", "--only", "too_soon", "--tests", str(tmp_path))
    assert done.returncode == 1 and "SURVIVED" in done.stdout


def test_of_a_game_based_on_another_only_what_it_adds_is_taken_out() -> None:
    (base, own) = (
        {
            re.split(r"  +", line)[1].split(":")[0]
            for line in removals(game, "--list").stdout.splitlines()
        }
        for game in ("base", "expansion")
    )
    assert all(file.split("/")[1] == "base" for file in base)
    assert all(file.split("/")[1] == "expansion" for file in own)
