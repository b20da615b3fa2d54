"""Warns of cards in secret hands that everybody has seen.

Where a moved card comes from is often known before play: from a zone where everybody sees the
cards face up. Everybody then still knows the card in the hand, unless the hand is closed, or the
rule has deliberately shown the card to all.
"""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.compiler.lints.flow import Bound, bindings, constants, origins
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.declarations import PlaceInfo
from targi_dsl.ir.game import Game
from targi_dsl.text.diagnostics import Problem


def warnings(game: Game) -> Iterator[Problem]:
    """A warning for each move that puts a known card into a hand."""
    told = set[str]()
    for rule in game.rules:
        moves = [(one, _hand(game, one)) for one in rule.every(s.MoveCards)]
        hands = [(move, hand) for move, hand in moves if hand is not None]
        if not hands:
            continue
        bound = bindings(rule)
        shown = {one.cards for one in rule.every(s.Reveal) if one.to is None}
        for move, hand in hands:
            if move.cards in shown or not _is_open(game, move.cards, bound):
                continue
            if hand.region not in told:
                told.add(hand.region)
                yield _leak(hand, move)


def _leak(hand: PlaceInfo, move: s.MoveCards) -> Problem:
    title = f"all know this card of `{hand.region}`"
    text = (
        "It was face up, and everybody remembers it. If they should forget it, make the zone"
        " closed; if not, write `reveal CARD` before this. A closed zone is:"
    )
    hint = f"zone {hand.region} for each player: ..., seen by {hand.seen}, closed"
    return Problem("W904", title, move.span, text, hint, "warning")


def _hand(game: Game, move: s.MoveCards) -> PlaceInfo | None:
    """The destination of the cards, if it is secret to its owner and others do not forget."""
    for number in _places(move.place):
        place = game.places[number]
        if place.seen in ("owner", "others") and not place.closed and move.facing != "up":
            return place
    return None


def _is_open(game: Game, cards: e.Expr, bound: Bound) -> bool:
    """Whether these are certainly cards that everybody sees."""
    sources = list(origins(cards, bound))
    return bool(sources) and all(_is_open_there(game, one) for one in sources)


def _is_open_there(game: Game, source: e.Expr) -> bool:
    match source:
        case e.TopCard(place) | e.BottomCard(place) | e.CardsOn(place):
            places = _places(place)
            return bool(places) and all(_all_see(game.places[one]) for one in places)
        case _:
            return False


def _all_see(place: PlaceInfo) -> bool:
    return place.is_zone and place.seen == "all" and place.facing == "up"


def _places(place: e.Expr) -> tuple[int, ...]:
    """The possible places of something, if they are constant."""
    return tuple(number for one in origins(place, {}) for number in constants(one) or ())
