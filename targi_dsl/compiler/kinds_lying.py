"""Warns of tests whether a card is of a kind that can never be at that place.

The kinds of cards that can reach a zone or region are computed from the decks and from everything
that moves cards. If a rule does not say what it moves, or where to, anything is possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

from targi_dsl.compiler.compilation import Compilation
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import RuleInfo
from targi_dsl.ir.game import Game
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.light import dataclass

_Kinds = frozenset[int]
_Bound = Mapping[int, tuple[e.Expr, ...]]
"""Everything that the slots of a rule may hold: a thing or a set for each slot."""


def warnings(game: Compilation) -> Iterator[Problem]:
    """Each test for a kind that no card there can be of."""
    made, asked = game.made, game.context.noted.kinds
    if made is None or not asked:
        return
    lying = _Lying(made)
    lying.settle()
    for one in asked:
        kinds = lying.kinds(one.card, lying.bound(one.rule))
        if one.kind not in kinds and kinds:
            there = " or ".join(sorted(made.kinds[kind] for kind in kinds))
            text = f"Only a {there} can be there, so the condition is never true."
            yield Problem("W905", "this is never true", one.span, text, severity="warning")


def bindings(rule: RuleInfo) -> Iterator[tuple[int, e.Expr]]:
    """What the slots of a rule are bound to: a thing, or one of a set."""
    for let in rule.every(s.Let):
        yield let.slot, let.value
    sets: list[s.Each | s.Binding] = [*rule.every(s.Each), *rule.every(s.Binding)]
    yield from ((one.slot, one.within) for one in sets)


@dataclass(slots=True)
class _Lying:
    """The kinds of cards that can be in each region of a game."""

    game: Game
    there: dict[str, set[int]] = field(default_factory=dict)
    _bound: dict[int, _Bound] = field(default_factory=dict)

    def settle(self) -> None:
        """Applies all moves until nothing changes."""
        game = self.game
        for card in game.cards:
            if card.start != NOTHING:
                place = game.places[card.start]
                self._add(place.drawn_for or place.region, {card.kind})
        moves = [
            (move.cards, bound, self._regions(move.place, bound))
            for number, rule in enumerate(game.rules)
            for move in rule.every(s.MoveCards)
            for bound in (self.bound(number),)
        ]
        before = -1
        while before != (before := sum(map(len, self.there.values()))):
            for place in game.places:
                if place.refill != NOTHING:
                    source = game.places[place.refill].region
                    self._add(place.region, self.there.get(source, set()))
            for cards, bound, regions in moves:
                kinds = self.kinds(cards, bound)
                for region in regions:
                    self._add(region, kinds)

    def bound(self, number: int) -> _Bound:
        """What the slots of a rule may hold; nothing is known of its parameters."""
        if number not in self._bound:
            found: dict[int, tuple[e.Expr, ...]] = {}
            rule = self.game.rules[number]
            for slot, value in bindings(rule):
                found[slot] = (*found.get(slot, ()), value)
            for slot in range(1, rule.params + 1):
                found.pop(slot, None)
            self._bound[number] = found
        return self._bound[number]

    def kinds(self, cards: e.Expr, bound: _Bound) -> _Kinds:
        """The kinds that these cards can be of."""
        match cards:
            case e.TopCard(place) | e.BottomCard(place) | e.CardsOn(place):
                regions = self._regions(place, bound)
                return frozenset[int]().union(*(self.there.get(one, ()) for one in regions))
            case e.Filter(_, within) | e.First(within) | e.SetOp("except" | "within", within):
                return self.kinds(within, bound)
            case e.SetOp("plus", left, right) | e.Cond(_, left, right):
                return self.kinds(left, bound) | self.kinds(right, bound)
            case e.MakeSet(items):
                return frozenset[int]().union(*(self.kinds(one, bound) for one in items))
            case e.Local(slot) if slot in bound:
                rest = {one: value for one, value in bound.items() if one != slot}
                return frozenset[int]().union(*(self.kinds(one, rest) for one in bound[slot]))
            case e.Const(int(card)) if card != NOTHING:
                return frozenset({self.game.cards[card].kind})
            case e.Const(tuple(several)):
                return frozenset(self.game.cards[card].kind for card in several)
            case _:
                return frozenset(range(len(self.game.kinds)))

    def _regions(self, place: e.Expr, bound: _Bound) -> frozenset[str]:
        """The regions that a place, or places, can be in."""
        match place:
            case e.Const(int(one)):
                return self._named((one,))
            case e.Const(tuple(several)) | e.Table(several):
                return self._named(several)
            case e.Pick(sets) | e.Image(sets):
                return self._named(tuple(one for those in sets for one in those))
            case e.MakeSet(items):
                return frozenset[str]().union(*(self._regions(one, bound) for one in items))
            case e.Filter(_, within) | e.First(within) | e.SetOp("except" | "within", within):
                return self._regions(within, bound)
            case e.SetOp("plus", left, right) | e.Cond(_, left, right):
                return self._regions(left, bound) | self._regions(right, bound)
            case e.Local(slot) if slot in bound:
                rest = {one: value for one, value in bound.items() if one != slot}
                return frozenset[str]().union(*(self._regions(one, rest) for one in bound[slot]))
            case _:
                return frozenset(one.region for one in self.game.places)

    def _named(self, places: tuple[int, ...]) -> frozenset[str]:
        return frozenset(self.game.places[one].region for one in places if one != NOTHING)

    def _add(self, region: str, kinds: set[int] | _Kinds) -> None:
        self.there.setdefault(region, set()).update(kinds)
