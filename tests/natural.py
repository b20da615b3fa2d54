"""Other ways to say a set of a shipped game."""

from __future__ import annotations

from targi_dsl import load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.compiler.symbols.table import DIRECTIONS
from targi_dsl.ir.game import Game
from tests.random_edits import files_of

REACH = {
    "eight lines": "define reach of s (board): "
    + " plus ".join(f"(reached from s by {way} within free)" for way in DIRECTIONS)
    + "\n",
    "of all directions": (
        "define reach of s (board): (t in free where any (way in direction"
        " where t is in reached from s by way within free))\n"
    ),
    "a definition of a ray": (
        "define ray of s (board), way (direction): reached from s by way within free\n"
        "define reach of s (board): (t in free where any (way in directions of s"
        " where t is in ray of (s, way)))\n"
    ),
    "a definition of two spaces": (
        "define sees of s (board), t (board): any (way in directions of s"
        " where t is in reached from s by way within free)\n"
        "define reach of s (board): (t in free where sees of (s, t))\n"
    ),
    "asked backwards": (
        "define reach of s (board): (t in free where any (way in direction"
        " where s is in reached from t by way within (free plus s)))\n"
    ),
    "asked backwards, all ways": (
        "define reach of s (board): (t in free where any (way in directions of t"
        " where s is in reached from t by way within (free plus s)))\n"
    ),
    "any in both": (
        "define reach of s (board): (t in free where any (way in directions of s"
        " where any ((reached from s by way within free) within t)))\n"
    ),
}
"""What a queen reaches in Amazons."""


def amazons(reach: str) -> Game:
    """Amazons with another sentence for what a queen reaches."""
    files = files_of("amazons")
    (name,) = (one for one in files if "define reach" in files[one])
    before, _, rest = files[name].partition("define reach")
    _, found, after = rest.partition("define movers")
    assert found
    return load("amazons", of_texts({**files, name: f"{before}{reach}{found}{after}"}))
