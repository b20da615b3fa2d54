"""Small games by hand, for tests: a few lines say what is there, the slots are laid out by
themselves.

table = Table(resources=("dates",), places=(place("deck"), place("hand", owner=0)))
table.rule("round", Gain(YOU_, Const(0), Const(1), Const(-1)))
game = table.game()
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from targi_dsl.api import choices, start
from targi_dsl.api.state import State
from targi_dsl.compiler.emit.linearize import linearize
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import (
    AbilityInfo,
    CardInfo,
    DefineInfo,
    PieceInfo,
    PlaceInfo,
    RuleInfo,
    ScorePart,
    Terms,
    Tie,
    Variable,
)
from targi_dsl.ir.expressions import Const, Expr, Local
from targi_dsl.ir.game import Game
from targi_dsl.ir.origins import Origin
from targi_dsl.ir.slots import Slots
from targi_dsl.ir.statements import Alternative, Ask, Binding, Block, EndGame, Statement
from targi_dsl.text.source import Source
from targi_dsl.text.structs import FrozenMap

NUMBER = t.Number()
ME = Local(0)
YES = Const(1)
ORIGIN = Origin("test", Source("test.targi", "rule\n").span(0, 4))


def place(name: str, region: str = "", owner: int = NOTHING, **changes: Any) -> PlaceInfo:
    """A zone that everybody sees and where cards lie face up, by default."""
    label = name.removeprefix(f"{region} ")
    zone = PlaceInfo(
        name, region or name, label, 1, owner, True, False, "all", "up", NOTHING, False, 0, 0
    )
    return replace(zone, **changes)


def card(
    card_id: str, start: int = 0, kind: int = 0, same: int | None = None, english: str = ""
) -> CardInfo:
    """A card that starts on a place; the only one of its kind unless `same` is given (`Table.game`
    numbers it).
    """
    names, empty = FrozenMap({"en": english} if english else {}), FrozenMap[str]()
    number = NOTHING if same is None else same
    return CardInfo(
        card_id,
        card_id,
        kind,
        number,
        "set",
        empty,
        names,
        empty,
        FrozenMap(),
        FrozenMap(),
        start,
        None,
    )


def choose(slot: int, within: Expr, type_: t.Type = NUMBER) -> Binding:
    return Binding(slot, within, type_, ())


def option(
    label: str, *body: Statement, guard: Expr = YES, choice: Binding | None = None
) -> Alternative:
    return Alternative(label, choice, guard, body)


def ask(*alternatives: Alternative, otherwise: Block | None = None, name: str = "which") -> Ask:
    return Ask(name, alternatives, otherwise)


class Table:
    """A game under construction. Slots are found by name once everything that has slots is declared
    (`variable`, `window`).
    """

    def __init__(
        self,
        players: tuple[str, ...] = ("red", "blue"),
        resources: tuple[str, ...] = (),
        groups: tuple[tuple[str, tuple[int, ...]], ...] = (),
        places: tuple[PlaceInfo, ...] = (),
        cards: tuple[CardInfo, ...] = (),
        pieces: tuple[PieceInfo, ...] = (),
        most: int = 1000,
        extra: int = 0,
        values: tuple[tuple[str, tuple[str, ...]], ...] = (),
    ) -> None:
        self.players, self.resources, self.groups, self.values = players, resources, groups, values
        self.places, self.pieces, self.most = places, pieces, most
        self.cards = tuple(
            replace(one, same=1000 + number) if one.same == NOTHING else one
            for number, one in enumerate(cards)
        )
        self.amounts = 3
        self.card_place = self.amounts + len(resources) * len(players)
        self.card_next = self.card_place + len(cards)
        self.card_known = self.card_next + len(cards)
        self.piece_place = self.card_known + len(cards)
        self.place_top = self.piece_place + len(pieces)
        self.windows = self.place_top + len(
            places
        )  # `extra` slots for windows, memories and stored amounts
        self.end = self.windows + extra
        self.variables: list[Variable] = []
        self.rules: dict[str, RuleInfo] = {}
        self.parts: dict[str, Any] = {}

    def variable(
        self, name: str, start: int = 0, each: str = "", low: int = -1000, high: int = 1000
    ) -> Variable:
        """Declares a variable: one, or one for each player or card."""
        count = {
            "": 1,
            "player": len(self.players),
            "card": len(self.cards),
            "place": len(self.places),
        }[each]
        of = {"": None, "player": t.Player(), "card": t.Card(), "place": t.Place()}[each]
        made = Variable(name, self.end, count, of, NUMBER, low, high, start)
        self.variables.append(made)
        self.end += count
        return made

    def rule(
        self,
        name: str,
        *body: Statement,
        params: int = 0,
        slots: int = 12,
    ) -> int:
        """Declares a rule, or gives a body to one declared before; returns its number."""
        made = RuleInfo(name, params, (t.Player(), *[NUMBER] * (slots - 1)), body, (), (ORIGIN,))
        self.rules[name] = made
        return list(self.rules).index(name)

    def having(self, **parts: Any) -> Table:
        """Sets other parts of the game: defines, forbids, abilities, triggers, terms, prices,
        actions, exchanges, scores, ties, impossible.
        """
        self.parts.update(parts)
        return self

    def game(self) -> Game:
        """The game; `setup` does nothing unless it is declared."""
        if "setup" not in self.rules:
            self.rule("setup")
        names = list(self.rules)
        lows, highs = [-(2**31)] * self.end, [2**31 - 1] * self.end
        for slot in range(self.amounts, self.card_place):
            lows[slot], highs[slot] = 0, self.most
        for one in self.variables:
            for slot in range(one.base, one.base + one.count):
                lows[slot], highs[slot] = one.low, one.high
        parts: dict[str, Any] = {
            "defines": (),
            "forbids": (),
            "abilities": (),
            "triggers": (),
            "terms": (Terms("pay"),),
        }
        parts |= {
            "prices": (),
            "actions": (NOTHING,) * len(self.cards),
            "exchanges": (),
            "scores": (),
            "ties": (),
            "impossible": (),
        }
        made = Game(
            name="test",
            title="Test",
            options=(),
            players=self.players,
            resources=self.resources,
            groups=self.groups,
            values=self.values,
            kinds=("first", "second"),
            places=self.places,
            cards=self.cards,
            pieces=self.pieces,
            variables=tuple(self.variables),
            rules=tuple(self.rules.values()),
            layout=(),
            setup=names.index("setup"),
            round=names.index("round"),
            slots=Slots(
                self.amounts,
                self.card_place,
                self.card_next,
                self.card_known,
                self.piece_place,
                self.place_top,
                self.windows,
                self.end,
                tuple(lows),
                tuple(highs),
            ),
            **parts | self.parts,
        )
        return replace(made, lowered=linearize(made))


def define(name: str, value: Expr, slots: int = 8) -> DefineInfo:
    return DefineInfo(name, (t.Player(), *[NUMBER] * (slots - 1)), value, NUMBER, (ORIGIN,))


def ability(name: str, of: int = NOTHING) -> AbilityInfo:
    return AbilityInfo(name, of, NOTHING, NOTHING, name, None)


def score(name: str, value: Expr, of: int = NOTHING) -> ScorePart:
    return ScorePart(name, value, (t.Player(), *[NUMBER] * 7), of, (ORIGIN,))


def tie(value: Expr, text: str, most: bool = True) -> Tie:
    return Tie(most, value, (t.Player(), *[NUMBER] * 7), text)


def noted(table: Table, *body: Statement) -> State:
    """The game of one round with this body, at its first decision or its end."""
    table.rule("round", *body, EndGame(0))
    return start(table.game())


def ids(state: State) -> list[str]:
    """The ids of all choices."""
    return [choice.id for choice in choices(state)]
