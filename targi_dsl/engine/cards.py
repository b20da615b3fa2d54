"""Cards that move: piles as linked lists, who comes to know them, and what their arrival or
departure sets off.

A place holds its top card, a card the one below it. Bit 0 of a card's knowledge: it is face up; bit
1 + p: player p knows it.
"""

from __future__ import annotations

from targi_dsl.engine.chance import Stream
from targi_dsl.engine.code import NOT_ACTIVE, Calls, Code, Run, Vector
from targi_dsl.engine.happenings import fire
from targi_dsl.ir.model import FP, NOTHING


def lying(code: Code, v: Vector, place: int) -> list[int]:
    """The cards on a place, top to bottom."""
    found, card = [], v[code.slots.place_top + place]
    while card >= 0:
        found.append(card)
        card = v[code.slots.card_next + card]
    return found


def pile(code: Code, v: Vector, place: int, cards: list[int]) -> None:
    """Makes these the cards on a place, top to bottom."""
    below = code.slots.card_next
    v[code.slots.place_top + place] = cards[0] if cards else NOTHING
    for at, card in enumerate(cards):
        v[below + card] = cards[at + 1] if at + 1 < len(cards) else NOTHING
        v[code.slots.card_place + card] = place


def move(code: Code, v: Vector, run: Run, card: int, place: int, under: bool, facing: str) -> Calls:
    """Moves one card; what is to be done because of it, first a refill, then what its arrival sets
    off.
    """
    source = v[code.slots.card_place + card]
    calls = _take(code, v, run, card, source) if source != NOTHING else []
    _put(code, v, card, place, under)
    up = (facing or code.game.places[place].facing) == "up"
    known = code.slots.card_known + card
    v[known] = v[known] & ~1 | code.table.masks[place][up]
    if run.events is not None:
        run.tell(v, "move", v[v[FP]], card, 1, source, place)
    if code.owner_of[source] == code.owner_of[place]:
        return calls
    if code.owner_of[source] != NOT_ACTIVE:
        for slot in code.table.resets[card]:
            v[slot] = 0
    return calls + _arrived(code, v, run, card, place)


def _take(code: Code, v: Vector, run: Run, card: int, source: int) -> Calls:
    """Lifts a card from where it lies; an emptied place is refilled if it is of that kind."""
    top, below = code.slots.place_top + source, code.slots.card_next
    if v[top] == card:
        v[top] = v[below + card]
    else:
        above = v[top]
        while v[below + above] != card:
            above = v[below + above]
        v[below + above] = v[below + card]
    if v[top] == NOTHING and code.game.places[source].refill_at_once:
        return refill(code, v, run, source)
    return []


def _put(code: Code, v: Vector, card: int, place: int, under: bool) -> None:
    top, below = code.slots.place_top + place, code.slots.card_next
    v[code.slots.card_place + card] = place
    if not under or v[top] == NOTHING:
        v[below + card] = v[top]
        v[top] = card
        return
    last = v[top]
    while v[below + last] != NOTHING:
        last = v[below + last]
    v[below + last] = card
    v[below + card] = NOTHING


def _arrived(code: Code, v: Vector, run: Run, card: int, place: int) -> Calls:
    """What a card's arrival sets off on a place with active abilities: its arrivals, then triggers
    that remember.
    """
    owner = code.owner_of[place]
    if owner == NOT_ACTIVE:
        return []
    you = v[v[FP]] if owner == NOTHING else owner
    calls: Calls = [(rule, you, code.carried(rule, card)) for rule in code.table.arrivals[card]]
    for trigger in code.table.recalled[card]:
        if owner != NOTHING and v[trigger.memory + owner]:
            calls += fire(code, v, run, trigger, owner)
    return calls


def refill(code: Code, v: Vector, run: Run, place: int) -> Calls:
    """Puts the cards of its refill onto an empty place, to be shuffled next."""
    refilled = code.game.places[place].refill
    cards = sorted(lying(code, v, refilled)) if refilled != NOTHING else []
    if not cards:
        return []
    pile(code, v, refilled, [])
    pile(code, v, place, cards)
    facing_up = code.game.places[place].facing == "up"
    for card in cards:
        known = code.slots.card_known + card
        v[known] = v[known] & ~1 | facing_up
    if run.events is not None:
        run.tell(v, "refill", v[v[FP]], NOTHING, len(cards), refilled, place)
    return [(code.refill, v[v[FP]], (place,))]


def turn(code: Code, v: Vector, card: int, up: bool) -> None:
    """Turns a card; face up, all who see the place know it."""
    known = code.slots.card_known + card
    place = v[code.slots.card_place + card]
    v[known] = v[known] & ~1 | (code.table.masks[place][up] if place != NOTHING else up)


def forget(code: Code, v: Vector, place: int) -> None:
    """Begins a shuffle: the cards lie ascending, and nobody knows more than where they lie tells."""
    cards = sorted(lying(code, v, place))
    pile(code, v, place, cards)
    for card in cards:
        known = code.slots.card_known + card
        v[known] = code.table.masks[place][v[known] & 1]


def shuffled(code: Code, cards: list[int], stream: Stream) -> list[int]:
    """A shuffle from a seed: from the top, each position gets one of the cards left, counted
    upwards; of interchangeable cards the lowest.
    """
    left, order, same = list(cards), [], code.table.same
    while left:
        at = stream.below(len(left))
        if not code.table.alone[left[at]]:
            at = next(i for i, card in enumerate(left) if same[card] == same[left[at]])
        order.append(left.pop(at))
    return order
