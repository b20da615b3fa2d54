"""Generated C in check mode finds violations in its games, and plays the games of the soak as the
reference does.
"""

from __future__ import annotations

import pytest

from bench.checked import Checked
from bench.soak import Soak
from targi_dsl.codegen.c.emit.source import source
from targi_dsl.engine.machine import Engine
from tests.games import compiled

SPOILED = {
    "a card lies nowhere": ("    put(g, card, place, under);\n", ""),
    "a card lies twice": ("    if (source != NOTHING) lift(g, card, source);\n", ""),
    "a card goes elsewhere": (
        "TELL(E_MOVE, g->frames[g->depth].s[0], card, 1, source, place);",
        "TELL(E_MOVE, g->frames[g->depth].s[0], card, 1, source, source);",
    ),
    "nobody knows an open card": ("(*known & ~1) | MASKS[place][up];", "up;"),
    "more is gained than is told": (
        "change(g, slot, (int64_t)g->v[slot] + number);",
        "change(g, slot, (int64_t)g->v[slot] + number + 1);",
    ),
    "more than may be": (
        "    change(g, slot, (int64_t)g->v[slot] + number);\n",
        "    g->v[slot] += number * 1000000; number *= 1000000;\n",
    ),
    "an option comes again": (
        "    g->waits = question;\n",
        "    g->waits = question; g->options[g->offered] = g->options[0]; g->offered++;\n",
    ),
    "a variable is not told": ("TELL(E_SET,", "if (0) TELL(E_SET,"),
    "a variable is told wrongly": ("E_SET, f->s[0], ", "E_SET, f->s[0], 1 + "),
}
"""Changes to the C of a game, by the fault that each causes."""


@pytest.mark.parametrize("what", SPOILED)
def test_what_is_wrong_is_found(what: str) -> None:
    game, (old, new) = compiled("bazaar"), SPOILED[what]
    text = source(Engine(game))
    assert old in text
    soak = Soak(game)
    soak.play_in_c(range(8), Checked(game, 0, text.replace(old, new)))
    assert soak.games < 8 and len(soak.faults) == 1
    assert "only generated C finds a fault at choice" in soak.faults[0]


@pytest.mark.parametrize("name", ["bazaar", "mixed", "tic_tac_toe"])
def test_the_games_of_the_soak_are_those_of_the_reference(name: str) -> None:
    """As many choices in each of the first games, so the players of both want the same."""
    mine, theirs = Soak(compiled(name)), Soak(compiled(name))
    checked = Checked(compiled(name), level=0)
    for seed in range(4):
        mine.play_in_c(range(seed, seed + 1), checked)
        theirs.play(seed)
        assert (mine.games, mine.choices, mine.faults) == (theirs.games, theirs.choices, [])


def test_what_both_find_is_told_by_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    game, (old, new) = compiled("tic_tac_toe"), SPOILED["an option comes again"]
    monkeypatch.setattr("targi_dsl.tools.invariants.broken", lambda *_: ["a card lies twice"])
    soak = Soak(game)
    soak.play_in_c(range(9, 12), Checked(game, 0, source(Engine(game)).replace(old, new)))
    (fault,) = soak.faults
    assert "tic_tac_toe, seed 9, busy" in fault and "lies twice" in fault
