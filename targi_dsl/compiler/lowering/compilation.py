"""The state of compiling one game, filled by one pass after another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from targi_dsl.compiler.cards.decks import Deck
from targi_dsl.compiler.layers.changes import Layers
from targi_dsl.compiler.lowering.context import MOST_FAULTS, Context, Recursion, TooManyFaults
from targi_dsl.compiler.project.nearby import NearbyNames
from targi_dsl.compiler.project.written import Written
from targi_dsl.compiler.symbols.cards_in_play import lay_out
from targi_dsl.compiler.symbols.table import SymbolTable
from targi_dsl.compiler.symbols.zone_decks import in_boxes
from targi_dsl.ir import declarations as d
from targi_dsl.ir.frozen import FrozenMap
from targi_dsl.ir.game import Game
from targi_dsl.ir.layout import Layout
from targi_dsl.ir.look import Look
from targi_dsl.ir.slots import ENDED, Offsets
from targi_dsl.ir.wordings import Wording
from targi_dsl.text.light import dataclass


class Stopped(Exception):
    """The compilation was cancelled."""


@dataclass(slots=True)
class Compilation:
    """Filled pass by pass. Problems go into `written.problems`; `stop` tells whether to cancel."""

    written: Written
    recursion: Recursion
    stop: Callable[[], bool] | None = None
    layers: Layers = field(default_factory=lambda: Layers({}, {}, {}))
    decks: dict[str, Deck] = field(default_factory=dict)
    symbols: SymbolTable = field(default_factory=SymbolTable)
    windows: int = 0
    actions: dict[str, int] = field(default_factory=dict)
    scores: list[d.ScorePart] = field(default_factory=list)
    ties: list[d.Tie] = field(default_factory=list)
    exchanges: list[d.FreeExchange] = field(default_factory=list)
    wordings: tuple[Wording, ...] = ()
    layout: Layout = ()
    look: FrozenMap[Look] = field(default_factory=FrozenMap)
    setup: int = 0
    round: int = 0
    finished: Game | None = None
    _context: Context | None = None
    _nearby: NearbyNames | None = None

    @property
    def context(self) -> Context:
        """The context of lowering; available once the symbols have been entered."""
        if self._context is None:
            play = lay_out(self.symbols, in_boxes(self.decks))
            fixed = _offsets(self.symbols, len(play.cards))
            project = self.written.project
            declared = self.layers.effective
            recursion = self.recursion
            ctx = Context(self.symbols, declared, play, fixed, self.nearby(), project, recursion)
            ctx.modules = self.written.sources
            ctx.problems = self.written.problems
            self._context = ctx
        return self._context

    def nearby(self) -> NearbyNames:
        """The names declared near the game."""
        if self._nearby is None:
            cards = {card.entry.id for one in self.decks.values() for card in one.cards}
            self._nearby = NearbyNames(self.written, cards)
        return self._nearby

    def checkpoint(self) -> None:
        """Raises Stopped if the compilation has been cancelled."""
        if self.stop is not None and self.stop():
            raise Stopped
        if len(self.written.problems) > MOST_FAULTS:
            raise TooManyFaults

    @property
    def sound(self) -> bool:
        """Whether there have been no errors so far."""
        return not any(one.severity == "error" for one in self.written.problems)


def _offsets(symbols: SymbolTable, cards: int) -> Offsets:
    """The offsets of the fixed parts of a position; the variables follow them."""
    amounts = ENDED + 1
    card_place = amounts + len(symbols.resources) * len(symbols.players)
    piece_place = card_place + 3 * cards
    return Offsets(
        amounts=amounts,
        card_place=card_place,
        card_next=card_place + cards,
        card_known=card_place + 2 * cards,
        piece_place=piece_place,
        place_top=piece_place + len(symbols.pieces),
    )
