"""Games in which something goes wrong during play."""

from __future__ import annotations

from functools import cache

from targi_dsl import load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.ir.game import Game
from tests.small_game import with_change

BEGINNING = """\
language 2
game many "Many"
players ann, bob
resource gold
space row: row of 200
score wealth: your gold
rule setup
  nothing
"""


def game_with(text: str) -> Game:
    """A game with these declarations."""
    return load("many", {"many.targi": BEGINNING + text})


NO = 'rule nay\n  forbid nay: your gold is 0 because "so"\n'
CHAIN = "".join(
    f"resource r{n}\nstanding s{n}: when you gain r{n}: gain 1 r{n + 1}\n" for n in range(33)
)
DEED = "rule round\n  turn of ann: {}\n  end game\n"
FAULTS = {
    "no answer": (
        NO + "rule round\n  turn of ann\n    one of\n      x: do nay\n",
        "one of",
        "E615",
    ),
    "a price": (DEED.format("pay 1 gold"), "pay 1 gold", "E615"),
    "what is forbidden": (NO + DEED.format("do nay"), "forbid nay", "E615"),
    "too much": (DEED.format("gain 9999 gold then gain 1 gold"), "gain 1 gold", "E605"),
    "beyond a variable": (
        "variable day: 0 to 3\n" + DEED.format("set day to 3 then set day to day + 1"),
        "set day to day",
        "E605",
    ),
    "a space of another region": (
        "space yard: row of 3\nvariable here: yard\n"
        + DEED.format("set here to first (row plus yard)"),
        "set here",
        "E605",
    ),
    "a piece of another kind": (
        "piece oar: 2\npiece boat: 1\nvariable mine: boat\n"
        + DEED.format("set mine to first (oar plus boat)"),
        "set mine",
        "E605",
    ),
    "a step past the edge": (
        "piece oar: 1\n"
        + DEED.format("place oar on row 200 then move oar to next of place of oar"),
        "move oar",
        "E611",
    ),
    "a space beyond the last": (
        "piece oar: 1\n" + DEED.format("place oar on space (your gold + 201) of row"),
        "place oar",
        "E611",
    ),
    "more than an exchange can give": (
        DEED.format("gain 9999 gold then 1 gold -> 2 gold"),
        "1 gold ->",
        "E605",
    ),
    "a sum": (DEED.format("gain (your gold + 2147483647 + 1) gold"), "gain (", "E606"),
    "a product": (DEED.format("gain ((your gold + 65536) * 65536) gold"), "gain (", "E606"),
    "a sum of a set": (
        DEED.format("gain (sum of 1073741824 for (s in row)) gold"),
        "gain (",
        "E606",
    ),
    "33 triggers within each other": (
        CHAIN + "resource r33\n" + DEED.format("gain 1 r0"),
        "standing s31",
        "E608",
    ),
    "a rule without an end": ("rule round\n  nothing\n", "round", "E603"),
    "a rule that does itself": (
        "rule again\n  do again\n" + DEED.format("do again"),
        "do again",
        "E604",
    ),
    "a head that asks itself": (
        "rule inner\n  one of\n    x: do inner\nrule round\n  turn of ann\n    one of\n      x: do inner\n",
        "one of\n      x",
        "E607",
    ),
    "more than 1024 options": (
        "rule round\n  turn of ann\n    one of\n"
        + "".join(f"      each n in 1..200: gain (n + {more}) gold\n" for more in range(6)),
        "one of",
        "E609",
    ),
    "a range of more than 1,024": (
        DEED.format("choose n in 1..(your gold + 1025) then gain (n) gold"),
        "choose",
        "E610",
    ),
}
"""What goes wrong before a player can do anything: declarations, the passage at fault, and its code."""

SUMS = "sum of sum of sum of sum of 1 for (d in row) for (c in row) for (b in row) for (e in row)"
LAVISH = f"""\
resource salt
exchange sell: 1 salt -> 1 gold
rule costly
  forbid so: your gold is more than 0 and ({SUMS}) is 1
  nothing
rule round
  each player
    gain 1 salt
    one of
      first: nothing
      second: do costly
"""
"""After the exchange, evaluating the second answer exceeds the limit."""

FAULTY = [
    (
        "  set day to day + 1\n",
        "  set day to day + 1\n  set day to day * 100\n",
        "set day to day * 100",
        "E605",
    ),
    (
        "    do draw_plan\n",
        "    if day is 1\n      gain (9999 + day) grey\n",
        "gain (9999 + day) grey",
        "E605",
    ),
    ("    do hop\n", "    do hop\n    roll die from day to 0\n", "roll die from day to 0", "E612"),
    (
        "    do hop\n",
        "    choose n in 1..(day + 1400)\n    do hop\n",
        "choose n in 1..(day + 1400)",
        "E610",
    ),
    ("  pay cost of plan\n", "  pay (100000 * 100000 * day) grey\n", "may\n      do build", "E606"),
    (
        "  forbid taken: ",
        "  forbid late: 99999 * 99999 * day is 1\n  forbid taken: ",
        "choose spot in shore",
        "E606",
    ),
    ("score fame: your fame", "score fame: 99999 * 99999 + your fame", "fame: 99999", "E606"),
]
"""Changes of the small game: a passage, its replacement, the location of the fault, and its code.
"""

PONDS = {f"{code} {new}": (old, new) for old, new, _, code in FAULTY}
"""The changes of games in which something fails later."""

TEXTS = {f"{code} {name}": text for name, (text, _, code) in FAULTS.items()} | {"E603 late": LAVISH}

WRONG = (*TEXTS, *PONDS)
"""The names of the games: each begins with the code of its fault."""


@cache
def wrong(name: str) -> Game:
    """A game in which something goes wrong."""
    if name in TEXTS:
        return game_with(TEXTS[name])
    return load("pond", of_texts(with_change("pond/pond.targi", *PONDS[name])))
