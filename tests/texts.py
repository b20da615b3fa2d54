"""The texts of small games of the tests, in tests/texts; some have a hole that each test fills."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "texts"


def game_text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
