"""The checked game: the result of compiling the rules, from which the program is derived."""

from __future__ import annotations

from weakref import WeakValueDictionary

from msgspec import field

from targi_dsl.ir.declarations import CardInfo, Declared, ForbidInfo, FreeExchange, RuleInfo, Tables
from targi_dsl.ir.layout import Layout
from targi_dsl.ir.look import Look
from targi_dsl.ir.program import Program
from targi_dsl.ir.wordings import Wording
from targi_dsl.text.structs import FrozenMap, Noted


class Game(Tables, Noted, kw_only=True, weakref=True):
    """A checked game: typed, frozen, with every name resolved to a number.

    about: a description of the game for people; sources: where its rules come from. singulars: the
    singular of resources that have one. decks: what the sheet says of the cards of each zone.
    wordings: the words for people of rules and answers, by number; called: those of declarations,
    by sort and name. look: how named things look. modules: the modules of its rules, lowest layer
    first. sheet: the name or path it was loaded by; "" for sources in memory.
    """

    notes = ("sheet", "lowered")

    title: str
    options: tuple[tuple[str, str], ...]
    cards: tuple[CardInfo, ...]
    rules: tuple[RuleInfo, ...]
    forbids: tuple[ForbidInfo, ...]
    exchanges: tuple[FreeExchange, ...]
    layout: Layout
    look: FrozenMap[Look] = field(default_factory=FrozenMap)
    wordings: tuple[Wording, ...] = ()
    called: FrozenMap[str] = field(default_factory=FrozenMap)
    singulars: FrozenMap[str] = field(default_factory=FrozenMap)
    declared: tuple[Declared, ...] = ()
    about: str = ""
    sources: tuple[str, ...] = ()
    decks: tuple[tuple[str, str], ...] = ()
    modules: tuple[str, ...] = ()
    hash: str = ""
    sheet: str = ""
    lowered: Program | None = None

    @property
    def program(self) -> Program:
        """The program that engines run."""
        assert self.lowered is not None, "a game that has not been made whole"
        return self.lowered

    def singular(self, name: str) -> str:
        """The singular of a resource or group."""
        return self.singulars.get(name, name)

    def item_of(self, word: str) -> str:
        """The resource or group that a word of an amount names, by itself or by its singular."""
        return next((name for name, plural in self.singulars.items() if plural == word), word)

    def __deepcopy__(self, memo: object) -> Game:
        return self


# ---- games by the hash of their rules, for positions from elsewhere ----


_GAMES: WeakValueDictionary[str, Game] = WeakValueDictionary()


def register(game: Game) -> Game:
    """Makes a game findable by its hash, and returns it."""
    if game.hash:
        _GAMES.setdefault(game.hash, game)
    return game


def registered(rules_hash: str) -> Game | None:
    """A registered game with these rules; games are held weakly."""
    return _GAMES.get(rules_hash)
