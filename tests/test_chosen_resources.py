"""Amounts of a resource that is the value of a name, and payments that somebody gets."""

from __future__ import annotations

import pytest

from targi_dsl.api import result, start
from targi_dsl.compiler.load import check, load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed

SHEET = """\
language 2
game fair "A fair"
players ann, ben
resource goods (one good): silk, tin, tea
resource coins
pool box: goods, coins
pool till: coins
space stall: row of 2
resource salt on stall
variable wish: goods
score silk: your silk
score tin: your tin
score coins: your coins
score box: coins of box + 10 * tin of box
rule setup
  each player: gain 3 tin and 5 coins
rule round
  turn of ann: do try
  end game
"""


def scored(*lines: str) -> tuple[dict[str, int], ...]:
    """What ann and ben have after these lines of ann's turn."""
    rule = "".join(f"  {line}\n" for line in ("let good be wish", *lines))
    text = f"{SHEET}rule try\n  set wish to tin\n{rule}"
    return result(start(load("fair", {"fair.targi": text}), Seed(1))).breakdown


@pytest.mark.parametrize(
    ("line", "tin", "coins", "box"),
    [
        ("gain 2 of good", 5, 5, 0),
        ("lose 4 of good", 0, 5, 0),
        ("if your good is 3: put 2 of your good in box", 1, 5, 20),
        ("keep at most 1 of good", 1, 5, 0),
        ("pay 1 of good and 2 coins", 2, 3, 0),
        ("pay 1 of good and 1 tin", 1, 5, 0),
        ("2 of good -> 2 coins", 1, 7, 0),
        ("pay 2 of good to box", 1, 5, 20),
        ("pay 2 coins to box otherwise nothing", 3, 3, 2),
        ("pay 6 coins to box otherwise gain 1 tin", 4, 5, 0),
        ("if your good is 3: put all of your good in box then take 1 of good from box", 1, 5, 20),
        ("put (good of ben) of good in box", 3, 5, 30),
        ("if good of box is 0 and your good is 3: gain 1 of good", 4, 5, 0),
    ],
)
def test_a_chosen_resource_is_counted_as_itself(line: str, tin: int, coins: int, box: int) -> None:
    ann, _ = scored(line)
    assert (ann["tin"], ann["coins"], ann["silk"], ann["box"]) == (tin, coins, 0, box)


@pytest.mark.parametrize(
    ("line", "ann", "ben"),
    [
        ("pay 2 coins to ben", 3, 7),
        ("ben pays 2 coins to ann", 7, 3),
        ("move 2 of good from ann to ben", 5, 5),
    ],
)
def test_a_player_gets_what_another_pays(line: str, ann: int, ben: int) -> None:
    assert tuple(one["coins"] for one in scored(line)) == (ann, ben)


@pytest.mark.parametrize(
    ("line", "code", "hint"),
    [
        ("gain 1 of tin", "E308", "1 tin"),
        ("pay 1 tin to till", "E334", "pool till: tin"),
        ("pay 1 of good to till", "E334", "pool till: silk"),
        ("gain 1 of ann", "E301", ""),
        ("pay 1 of good or 1 coins", "E308", ""),
    ],
)
def test_what_makes_no_sense_is_refused(line: str, code: str, hint: str) -> None:
    text = f"{SHEET}rule try\n  choose good in goods\n  {line}\n"
    (problem,) = check("fair", of_texts({"fair.targi": text}))[1]
    assert (problem.code, problem.hint) == (code, hint)
