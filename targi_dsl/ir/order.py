"""Whether the order of cards that lie together matters to the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.ir.declarations import DefineInfo, RuleInfo, ScorePart, Tie
from targi_dsl.ir.game import Game
from targi_dsl.ir.walk import parts


def ordered_zones(game: Game) -> frozenset[int]:
    """The zones in which a rule reads the order of cards: which is on top, or under so many."""
    return frozenset(_ordered(game))


def _ordered(game: Game) -> Iterator[int]:
    scopes: Sequence[RuleInfo | DefineInfo | ScorePart | Tie]
    scopes = (*game.rules, *game.defines, *game.scores, *game.ties)
    for scope in scopes:
        for part in parts(scope, (e.TopCard, e.BottomCard, e.Reached)):
            match part:
                case e.TopCard(place) | e.BottomCard(place):
                    found = [place]
                case e.Reached(_, _, e.MakeSet((e.Var(),)), within):  # from a card to the one below
                    found = [one.places for one in parts(within, e.CardsOn)]
                case _:
                    found = []
            for one in found:
                yield from _zones(game, scope.slots, one)


def _zones(game: Game, slots: Sequence[t.Type], node: e.Expr) -> Iterator[int]:
    """The zones that a place may be; all if nothing is known of it."""
    match node:
        case e.First(within) | e.Filter(_, within) | e.MakeSet((within,)):
            yield from _zones(game, slots, within)
        case e.Const(int(place)):
            yield place
        case e.Const(tuple(places)) | e.Table(places):
            yield from places
        case e.Local(slot) if isinstance(kind := slots[slot], t.Place) and not kind.is_zone:
            pass
        case _:
            yield from (at for at, place in enumerate(game.places) if place.is_zone)
