"""Warns of tests whether a card is of a kind that can never be at that place.

The kinds of cards that can reach a zone or region are computed from the decks and from everything
that moves cards. If a rule does not say what it moves, or where to, anything is possible.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from targi_dsl.compiler.lints.flow import Bound, bindings, constants, origins
from targi_dsl.compiler.lowering.compilation import Compilation
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.text.diagnostics import Problem


def warnings(game: Compilation) -> Iterator[Problem]:
    """Each test for a kind that no card there can be of."""
    made, asked = game.finished, game.context.facts.kinds
    if made is None or not asked:
        return
    there = _There(made)
    for one in asked:
        kinds = there.kinds(one.card, bindings(made.rules[one.rule]))
        if one.kind not in kinds and kinds:
            those = " or ".join(sorted(made.kinds[kind] for kind in kinds))
            text = f"Only a {those} can be there, so the condition is never true."
            yield Problem("W905", "this is never true", one.span, text, severity="warning")


class _There:
    """The kinds of cards that can be in each region of a game."""

    def __init__(self, game: Game) -> None:
        """Applies all moves until nothing changes."""
        self._game = game
        self._there = defaultdict[str, set[int]](set)
        for card in game.cards:
            if card.start != NOTHING:
                place = game.places[card.start]
                self._there[place.drawn_for or place.region].add(card.kind)
        refills = [(game.places[one.refill].region, one.region) for one in game.places
                   if one.refill != NOTHING]  # fmt: skip
        moves = [
            (move.cards, bound, self._regions(move.place, bound))
            for rule in game.rules
            if (moved := rule.every(s.MoveCards))
            for bound in (bindings(rule),)
            for move in moved
        ]
        before = -1
        while before != (before := sum(map(len, self._there.values()))):
            for source, region in refills:
                self._there[region] |= self._there[source]
            for cards, bound, regions in moves:
                kinds = self.kinds(cards, bound)
                for region in regions:
                    self._there[region] |= kinds

    def kinds(self, cards: e.Expr, bound: Bound) -> set[int]:
        """The kinds that these cards can be of."""
        found = set[int]()
        for one in origins(cards, bound):
            match one:
                case e.TopCard(place) | e.BottomCard(place) | e.CardsOn(place):
                    for region in self._regions(place, bound):
                        found |= self._there[region]
                case e.Const():
                    found |= {self._game.cards[card].kind for card in constants(one) or ()}
                case _:
                    return {*range(len(self._game.kinds))}
        return found

    def _regions(self, place: e.Expr, bound: Bound) -> set[str]:
        """The regions that a place, or places, can be in."""
        found = [constants(one) for one in origins(place, bound)]
        every = range(len(self._game.places))
        return {
            self._game.places[one].region
            for places in found
            for one in (every if places is None else places)
        }
