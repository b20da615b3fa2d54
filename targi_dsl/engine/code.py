"""The state of compiling one program to closures: tables, frames, and definitions compiled so
far.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar, cast

from targi_dsl.engine.plans import Planner
from targi_dsl.engine.run import Frame, Frames, Vector
from targi_dsl.engine.table import Activity, Table
from targi_dsl.engine.trading import Market
from targi_dsl.ir import types as t
from targi_dsl.ir.domains import Domains
from targi_dsl.ir.program import OF_CHANCE, Program

Value = Callable[[Vector, Frame], Any]  # of a position and a frame: a number or a set

Part = tuple[str, t.Type | None, int]
"""What an option says: its label, and the type and number of what it names, if it names a thing."""

Made = TypeVar("Made", bound=Callable[..., Any])
Key = TypeVar("Key", contravariant=True)
Kept = TypeVar("Kept", contravariant=True)


class Settable(Protocol[Key, Kept]):
    """A list or dictionary."""

    def __setitem__(self, at: Key, function: Kept, /) -> None: ...


def when_called(functions: Settable[Key, Made], at: Key, make: Callable[[], Made]) -> Made:
    """A placeholder for a function of a list or dictionary, which is built at its first call."""

    def first(*arguments: Any) -> Any:
        functions[at] = function = make()
        return function(*arguments)

    return cast(Made, first)


class Code:
    """Everything that the closures of one program share. seats: who is asked at a point, by the
    player who carries out its rule; the last entry is the end of the game, where nobody is.
    """

    def __init__(self, program: Program, domains: Domains) -> None:
        self.program = program
        self.slots = program.slots
        self.players = len(program.players)
        self.table = Table(program)
        self.frames = Frames(program, self.table)
        self.domains = domains
        self.planner = Planner(program)
        self.market = Market(program)
        self.defines: list[Value] = []
        kinds = [question.kind for question in program.questions]
        by_chance, nobody = ["chance"] * (self.players + 1), [None] * (self.players + 1)
        by_point = [
            by_chance if kinds[point.question] in OF_CHANCE else program.players
            for point in program.points
        ]
        self.seats: list[Sequence[str | None]] = [*by_point, nobody]

    def named(self, part: Part, telling: bool = False) -> str:
        """The id of an option, or with `telling` its words for people."""
        label, type_, number = part
        if type_ is None:
            return label
        domain = self.domains.of(type_)
        return f"{label} {domain.word(number) if telling else domain.name(number)}".strip()

    def activity(self, ability: int) -> Activity:
        """A test whether an ability is active for a player and its window is open."""
        return self.table.activities[ability]
