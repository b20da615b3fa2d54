"""Cards that a seat does not know: which they are, and the same position with those cards numbered
otherwise.

Cards of one back that the seat does not know are interchangeable. `canonical` numbers them upwards
in the order in which they are met: places in order, top to bottom, then cards that lie nowhere. So
every permutation of what is hidden gives the same vector, and its numbers tell nothing. What
belongs to a card is treated by what it would tell:

- Its place, the card below it and who knows it go with where it lies. So does a variable of each
  card, while somebody knows the card: that a card has been in a hand for three rounds was seen by
  all. Of cards that nobody knows, nobody can tell which has which of their values, so these stand
  in ascending order.
- The windows of its abilities and what is stored on it are 0: they belong to abilities, and would
  tell the card.
- A variable or a slot of a frame that holds a card goes on holding the card that lies there. A
  slot that is written before it is read again holds nothing: what is left in it is the past, and
  before it is first written it is card 0.

A number, price or truth that was worked out from a card and kept is open, as is everything that is
not a card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from targi_dsl.engine import Engine
from targi_dsl.engine.guards import unpacked
from targi_dsl.engine.position import Position
from targi_dsl.engine.relabel import (
    empty_belongings,
    open_values,
    renumbered,
    sort_values,
)
from targi_dsl.ir import types as t
from targi_dsl.ir.expressions import Active
from targi_dsl.ir.game import Game


def unknown_to(engine: Engine, v: list[int], seat: int) -> tuple[int, ...]:
    """The cards that a player does not know. Whoever is asked sees the cards that are offered."""
    seen = set(_offered(engine, v)) if engine.seat(v) == seat else set()
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


def _offered(engine: Engine, v: list[int]) -> Iterator[int]:
    """The cards that the open question offers, or whose abilities it offers."""
    question = engine.asked(v)
    if question is None or not question.ways:
        return
    for option in engine.options(v):
        at, element = unpacked(option)
        if at < len(question.ways):
            way = question.ways[at]
            if way.choice is not None and isinstance(way.choice.type, t.Card):
                yield element
            if isinstance(way.when, Active):
                yield engine.game.abilities[way.when.ability].card


def canonical(engine: Engine, v: list[int], unknown: Iterable[int]) -> list[int]:
    """The position without anything that distinguishes the unknown cards; see above."""
    game, position, hidden = engine.game, Position(engine.game, v), set(unknown)
    met = [
        card
        for place in range(len(game.places))
        for card in position.cards_on(place)
        if card in hidden
    ]
    nowhere = sorted(
        hidden.difference(met),
        key=lambda card: (position.known_to(card), open_values(engine, v, card)),
    )
    left = {kind: iter(sorted(hidden & of_kind)) for kind, of_kind in _by_kind(game).items()}
    w = renumbered(engine, v, {card: next(left[game.cards[card].kind]) for card in met + nowhere})
    empty_belongings(engine, w, hidden)
    after = Position(game, w)
    sort_values(engine, w, [card for card in sorted(hidden) if not after.known_to(card)])
    return w


def _by_kind(game: Game) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for number, card in enumerate(game.cards):
        found.setdefault(card.kind, set()).add(number)
    return found
