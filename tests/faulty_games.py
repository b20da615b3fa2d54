"""Games in which something goes wrong during play."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from targi_dsl import load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import FreeExchange
from targi_dsl.ir.expressions import (
    AnyOf,
    Arith,
    Call,
    Compare,
    Const,
    Fold,
    Local,
    Not,
    Range,
    Var,
)
from targi_dsl.ir.game import Game
from targi_dsl.ir.statements import Assign, Do, EachPlayer, Gain, Statement
from tests.models import ME, Table, ask, choose, define, option
from tests.small_game import with_change

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
        "    choose n in 1..(day + 400)\n    do hop\n",
        "choose n in 1..(day + 400)",
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


def endless() -> Table:
    """A definition that calls itself."""
    table = Table().having(defines=(define("endless", Arith("+", Call(0, (ME,)), Const(1))),))
    table.variable("count")
    table.rule("round", Assign(0, Const(0), Call(0, (ME,))))
    return table


def wide() -> Table:
    """More options than a question may have."""
    table = Table()
    many = [option("go", choice=choose(1, Range(Const(1), Const(200)))) for _ in range(6)]
    table.rule("round", ask(*many))
    return table


def itself(*statements: Statement) -> Table:
    """A game with this rule only."""
    table = Table()
    table.rule("round", *statements)
    return table


def lavish() -> Game:
    """After the only exchange, evaluating the second answer exceeds the limit; but the first is
    enough to know that there is an answer.
    """
    numbers = Range(Const(1), Const(250))
    many = Fold("sum", 1, numbers, Fold("sum", 2, numbers, Fold("sum", 3, numbers, Local(1))))
    rich = Compare("more_than", Var(5, ME, 0), Const(0))
    table = Table(resources=("salt", "gold"), most=9)
    table.having(exchanges=(FreeExchange("sell", ((0, 1),), ((1, 1),)),))
    table.rule("setup", Gain(ME, Const(0), Const(1), Const(NOTHING)))
    second = option("second", guard=AnyOf((Not(rich), Compare("more_than", many, Const(0)))))
    table.rule("round", ask(option("first"), second))
    return table.game()


TABLES: dict[str, Callable[[], Game]] = {
    "E603": lambda: itself().game(),
    "E604": lambda: itself(EachPlayer(1, ME, (Do(0, ()),))).game(),
    "E607": lambda: itself(ask(option("again", ask(option("x", Do(0, ())))))).game(),
    "E607 define": lambda: endless().game(),
    "E609": lambda: wide().game(),
    "E603 in the end": lavish,
}
"""Games that fail before the first question."""

PONDS = {f"{code} {new}": (old, new) for old, new, _, code in FAULTY}
"""The changes of games in which something fails later."""

WRONG = (*TABLES, *PONDS)
"""The names of the games: each begins with the code of its fault."""


@cache
def wrong(name: str) -> Game:
    """A game in which something goes wrong."""
    if name in TABLES:
        return TABLES[name]()
    return load("pond", of_texts(with_change("pond/pond.targi", *PONDS[name])))
