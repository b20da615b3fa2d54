"""The cards that a seat does not know, and the canonical renumbering of a position for it.

Cards of one back that the seat does not know are interchangeable. `canonical` numbers them in
ascending order as they are encountered: places in order, top to bottom, then cards that lie
nowhere. Every permutation of what is hidden thus gives the same vector, and its numbers reveal
nothing. What belongs to a card is treated according to what it would reveal:

- Its place, the card below it and who knows it belong to its location. So does a variable of
  each card, while somebody knows the card: everybody saw that a card has been in a hand for
  three rounds. Among cards that nobody knows, nobody can tell which has which value, so these
  values are in ascending order.
- The windows of its abilities and what is stored on it are 0: they belong to abilities, and
  would identify the card.
- A variable or frame slot that holds a card still holds the card at the same location. A slot
  that is written before it is read again holds nothing: what is left in it is the past, and
  before it is first written it is card 0.

A number, price or truth value that was computed from a card and stored is open, as is everything
that is not a card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from targi_dsl.api.position import Position
from targi_dsl.api.renumbering import empty_belongings, renumber, situations, sort_values
from targi_dsl.engine import Engine
from targi_dsl.engine.options import unpack
from targi_dsl.ir import types as t
from targi_dsl.ir.expressions import Active
from targi_dsl.ir.game import Game
from targi_dsl.ir.program import Way


def unknown_to(engine: Engine, v: list[int], seat: int) -> tuple[int, ...]:
    """The cards that a player does not know. The player who is asked sees the cards that are
    offered.
    """
    seen = set(_cards_offered(engine, v)) if engine.seat(v) == seat else set()
    position = Position(engine.game, v)
    return tuple(
        card
        for card in range(len(engine.game.cards))
        if not position.is_known(card, seat) and card not in seen
    )


def unknown_to_all(engine: Engine, v: list[int]) -> tuple[int, ...]:
    """The cards that some player does not know; a spectator knows what everybody knows."""
    position, players = Position(engine.game, v), len(engine.game.players)
    return tuple(
        card for card in range(len(engine.game.cards)) if len(position.known_to(card)) < players
    )


def _cards_offered(engine: Engine, v: list[int]) -> Iterator[int]:
    """The cards that the open question offers, or whose abilities it offers."""
    question = engine.open_question(v)
    ways = () if question is None else question.ways
    if not any(_is_of_cards(way) or isinstance(way.when, Active) for way in ways):
        return  # finding out what else is offered is slow
    for option in engine.options(v):
        at, element = unpack(option)
        if at < len(ways):
            if _is_of_cards(ways[at]):
                yield element
            if isinstance(when := ways[at].when, Active):
                yield engine.game.abilities[when.ability].card


def _is_of_cards(way: Way) -> bool:
    return way.choice is not None and isinstance(way.choice.type, t.Card)


def canonical(engine: Engine, v: list[int], unknown: Iterable[int]) -> list[int]:
    """The position less everything that distinguishes the unknown cards; see above."""
    game, position, hidden = engine.game, Position(engine.game, v), set(unknown)
    placed = [
        card
        for place in range(len(game.places))
        for card in position.cards_on(place)
        if card in hidden
    ]
    nowhere = sorted(hidden.difference(placed), key=situations(engine, v, is_open=True))
    left = {kind: iter(sorted(hidden & of_kind)) for kind, of_kind in _by_kind(game).items()}
    w = renumber(engine, v, {card: next(left[game.cards[card].kind]) for card in placed + nowhere})
    empty_belongings(engine, w, hidden)
    after = Position(game, w)
    sort_values(engine, w, [card for card in sorted(hidden) if not after.known_to(card)])
    return w


def shifted(game: Game, unknown: Iterable[int], by: int) -> dict[int, int]:
    """Another numbering of cards that nothing known distinguishes: each gets the number of the one
    `by` further on among its kind.
    """
    hidden, numbers = set(unknown), dict[int, int]()
    for of_kind in _by_kind(game).values():
        cards = sorted(hidden & of_kind)
        numbers |= {card: cards[(at + by) % len(cards)] for at, card in enumerate(cards)}
    return numbers


def _by_kind(game: Game) -> dict[int, set[int]]:
    by_kind: dict[int, set[int]] = {}
    for number, card in enumerate(game.cards):
        by_kind.setdefault(card.kind, set()).add(number)
    return by_kind
