"""A checked game: what the compiler makes of the rules, before and after the program is made."""

from __future__ import annotations

from dataclasses import dataclass, field

from targi_dsl.ir.declarations import CardInfo, Declared, ForbidInfo, FreeExchange, RuleInfo
from targi_dsl.ir.layout import Layout
from targi_dsl.ir.program import Program
from targi_dsl.ir.tables import Tables


@dataclass(frozen=True, slots=True, kw_only=True, weakref_slot=True)
class Game(Tables):
    """A checked game: typed, with every name resolved to a number, frozen.

    sheet: the name or path it was loaded by; "" for texts in memory.
    """

    title: str
    options: tuple[tuple[str, str], ...]
    cards: tuple[CardInfo, ...]
    rules: tuple[RuleInfo, ...]
    forbids: tuple[ForbidInfo, ...]
    exchanges: tuple[FreeExchange, ...]
    layout: Layout
    declared: tuple[Declared, ...] = ()
    hash: str = ""
    sheet: str = field(default="", compare=False)
    lowered: Program | None = field(default=None, compare=False, repr=False)

    @property
    def program(self) -> Program:
        """What engines play."""
        assert self.lowered is not None, "a game that has not been made whole"
        return self.lowered

    def __deepcopy__(self, memo: object) -> Game:
        return self
