"""The engine in C plays like the reference: the same positions, options, draws and events at each
question, the same scores, and the same faults.
"""

from __future__ import annotations

from functools import cache

import pytest

from bench.tallies import differ
from targi_dsl import load
from targi_dsl.codegen.c.engine import CEngine
from targi_dsl.compiler.project import of_texts
from targi_dsl.engine.chance import Asked, Seed
from targi_dsl.engine.machine import Engine
from targi_dsl.engine.run import Run
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
from tests.courses import course, told
from tests.games import compiled
from tests.models import ME, Table, ask, choose, define, option
from tests.small_game import with_change
from tests.test_face import FAULTY

PLAYED = (
    "auction", "bazaar", "connect_four", "hex_5", "lamplighters", "liars_dice", "mixed",
    "tic_tac_toe", "who_is_it",
)  # fmt: skip
"""Sheets that together have every kind of question, set and payment; bench/tallies.py plays all."""

LONGEST = 100


@cache
def engines(name: str) -> tuple[Engine, CEngine]:
    """The reference and the engine in C of a shipped game."""
    return Engine(compiled(name)), CEngine(compiled(name), level=0)


@pytest.mark.parametrize("chance", ["seed", "asked"])
@pytest.mark.parametrize("name", PLAYED)
def test_a_game_goes_as_on_the_reference(name: str, chance: str) -> None:
    for seed in range(2):
        source = Seed(seed) if chance == "seed" else Asked()
        both = (course(one, seed, source, LONGEST, []) for one in engines(name))
        for at, (theirs, mine) in enumerate(zip(*both, strict=True)):
            assert mine == theirs, (seed, at)


def endless() -> Table:
    """A definition that asks itself."""
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
    """A game whose only rule is this."""
    table = Table()
    table.rule("round", *statements)
    return table


def lavish() -> Game:
    """After the only exchange the second answer takes more than may be looked at; but the first is
    enough to know that there is one.
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


def tables() -> dict[str, Game]:
    """Games that go wrong before the first question."""
    again = ask(option("again", ask(option("x", Do(0, ())))))
    found = {
        "E603": itself(),
        "E604": itself(EachPlayer(1, ME, (Do(0, ()),))),
        "E607": itself(again),
        "E607 define": endless(),
        "E609": wide(),
    }
    return {name: table.game() for name, table in found.items()} | {"E603 in the end": lavish()}


def ponds() -> dict[str, Game]:
    """Games in which something goes wrong on the way."""
    return {
        f"{code} {new}": load("pond", of_texts(with_change("pond/pond.targi", old, new)))
        for old, new, _, code in FAULTY
    }


WRONG = tables() | ponds()


@pytest.mark.parametrize("name", WRONG)
def test_a_fault_is_that_of_the_reference(name: str) -> None:
    both = [
        told(engine, 1, LONGEST) for engine in (Engine(WRONG[name]), CEngine(WRONG[name], level=0))
    ]
    assert both[0] == both[1] and name.split()[0] in str(both[0][-1])


@pytest.mark.parametrize(
    "change", [("short", -1), (0, 10_000), (0, -2), (5, 2**40), (6, -3), (2, 10_000)], ids=str
)
def test_what_is_no_position_is_refused(change: tuple[int | str, int]) -> None:
    reference, engine = engines("mixed")
    left = reference.start(Run(Seed(1)))
    vector, (at, number) = reference.packed(left), change
    if isinstance(at, int):
        vector[at] = number
    else:
        vector = vector[:number]
    with pytest.raises(ValueError, match="not a position of"):
        engine.check(vector)


@pytest.mark.parametrize("name", PLAYED)
def test_whole_games_are_counted_as_by_the_reference(name: str) -> None:
    """Every number of every row, and of the tally of all games."""
    assert differ(compiled(name), range(2), level=0) == []
