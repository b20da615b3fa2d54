"""A small game as texts, to be broken and varied: two players collect pebbles and build with cards."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from targi_dsl.compiler.load import check
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.text.diagnostics import Problem
from tests.texts import game_text

RULES = game_text("pond.targi")

CARDS = game_text("pond_plans.yaml")

SHEET = """\
language 2

game pond "At the pond"
  rules pond
  deck plan_pile: pond_plans
  option flood: never
"""

FILES = {"pond/pond.targi": RULES, "pond/pond_plans.yaml": CARDS, "pond.targi": SHEET}


def with_change(name: str, old: str, new: str) -> dict[str, str]:
    """The files with one passage changed; the passage must occur exactly once."""
    assert FILES[name].count(old) == 1, (old, FILES[name].count(old))
    return {**FILES, name: FILES[name].replace(old, new)}


HEAD = "language 2\nmodule {} based on {}\n"


def pond(modules: dict[str, str], sheet: str = "", **bases: str) -> dict[str, str]:
    """The small game with more modules, each based on pond by default, and with more lines in its
    sheet.
    """
    files = {
        f"{name}/{name}.targi": HEAD.format(name, bases.get(name, "pond")) + text
        for name, text in modules.items()
    }
    rules = " + ".join(["pond", *modules])
    return {**FILES, **files, "pond.targi": SHEET.replace("rules pond", f"rules {rules}") + sheet}


def write_to(folder: Path, files: Mapping[str, str] = FILES) -> None:
    """Writes files, by default those of the small game, into a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def told(files: dict[str, str]) -> tuple[Problem, ...]:
    """The problems of the small game with these files."""
    return check("pond", of_texts(files))[1]
