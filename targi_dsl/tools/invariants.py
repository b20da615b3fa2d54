"""Invariants of every position of every game, and of every step from one position to the next.

A position: every card lies in exactly one stack, and it is the one its place slot names; every
number is in its domain; every piece is on a place where pieces can be; a face-up card is known to
everybody who can see its place; whoever is asked has at least two different choices, or one where
the rules ask in any case.

A step: every change was reported by an event. Amounts change by what was gained and paid; cards and
pieces are where the last event put them; a variable has the value it was last set to; and the
position before the step is unchanged.

What rules say is never so is not so (E621): there the rules are wrong, not the program.

`hold` is called after each step by `targi play --check`, `targi replay --check` and every random
game of the tests. It raises Problems (E614) with every invariant that is violated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from operator import le

from targi_dsl.api import Event, choices
from targi_dsl.api.state import State
from targi_dsl.codegen import engine_of
from targi_dsl.engine.faults import newest
from targi_dsl.information.secrets import impossible
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.domains import Domains
from targi_dsl.ir.game import Game
from targi_dsl.ir.slots import ENDED
from targi_dsl.text.diagnostics import Problem, Problems


def hold(before: State, events: tuple[Event, ...], after: State) -> None:
    """Raises Problems with all invariants that a step violates."""
    violations = [*broken(after, before), *unreported(before, events, after)]
    problems = [_problem(after.game, violation) for violation in violations]
    if (never := impossible(engine_of(after.game), list(after.vector))) is not None:
        text = "The rules say that this is never so: either they are wrong there, or a rule is."
        title = f"a position that `{never.name}` excludes"
        problems.append(Problem("E621", title, newest(never.origins), text))
    if problems:
        raise Problems(problems)


def broken(state: State, before: State | None = None) -> list[str]:
    """The violated invariants of a position. What has not changed since the previous position is
    not checked again.
    """
    return [
        *(() if _alike(before, state, "card_place", "windows") else _check_places(state)),
        *_domains(state),
        *_question(state),
    ]


def unreported(before: State, events: tuple[Event, ...], after: State) -> list[str]:
    """The changes of a step that its events do not explain."""
    return [
        *_resources(before, events, after),
        *_moves(before, events, after),
        *_variables(before, events, after),
    ]


def _problem(game: Game, what: str) -> Problem:
    text = "The rules cannot cause this: it is a fault of the program that plays them."
    return Problem("E614", what, None, text, file=game.name)


def _alike(before: State | None, after: State, first: str, end: str) -> bool:
    """Whether a range of slots is equal in both positions."""
    its = slice(getattr(after.game.slots, first), getattr(after.game.slots, end))
    return before is not None and before.vector[its] == after.vector[its]


def _check_places(state: State) -> Iterator[str]:
    """Violations about the places of cards and pieces, and the knowledge of cards."""
    yield from _stacks(state)
    yield from _pieces(state)
    yield from _open_cards(state)


def _stacks(state: State) -> Iterator[str]:
    game, v, slots = state.game, state.vector, state.game.slots
    seen = Counter[int]()
    for number, place in enumerate(game.places):
        card, count = v[slots.place_top + number], 0
        while card != NOTHING and count <= len(game.cards):
            if v[slots.card_place + card] != number:
                yield f"{game.cards[card].id} lies on {place.name} and says otherwise"
            seen[card] += 1
            card, count = v[slots.card_next + card], count + 1
    for number, info in enumerate(game.cards):
        if seen[number] != 1:
            yield f"{info.id} lies {seen[number]} times"


def _domains(state: State) -> Iterator[str]:
    slots = state.game.slots
    # The stack, which lies behind the last slot, has no domains.
    values = state.vector[ENDED : slots.stack]
    lows, highs = slots.lows[ENDED:], slots.highs[ENDED:]
    if all(map(le, lows, values)) and all(map(le, values, highs)):
        return
    for slot, (value, low, high) in enumerate(zip(values, lows, highs, strict=True), ENDED):
        if not low <= value <= high:
            yield f"slot {slot} is {value}, not {low} to {high}"


def _pieces(state: State) -> Iterator[str]:
    game = state.game
    for number, piece in enumerate(game.pieces):
        at = state.vector[game.slots.piece_place + number]
        if at != NOTHING and game.places[at].is_zone:
            yield f"{piece.name} stands on {game.places[at].name}, which is not a space"


def _open_cards(state: State) -> Iterator[str]:
    game, v, slots = state.game, state.vector, state.game.slots
    seers = [
        [seat for seat in range(len(game.players)) if place.shows(seat, up=True)]
        for place in game.places
    ]
    for number, card in enumerate(game.cards):
        at, known = v[slots.card_place + number], v[slots.card_known + number]
        for seer in seers[at] if known & 1 else ():
            if not known >> (1 + seer) & 1:
                place, who = game.places[at].name, game.players[seer]
                yield f"{card.id} lies open on {place}, and {who} does not know it"


def _question(state: State) -> Iterator[str]:
    offered = choices(state)
    if (state.seat is None) != (not offered):
        yield f"{state.seat or 'nobody'} is asked and has {len(offered)} choices"
    asked = engine_of(state.game).open_question(state.vector)
    if len(offered) == 1 and asked is not None and not asked.in_any_case:
        yield f"{state.seat} is asked and can only choose {offered[0].id}"
    for name, count in Counter(choice.id for choice in offered).items():
        if count > 1:
            yield f"{state.seat} is offered {name} {count} times"


def _wealth(state: State) -> Counter[tuple[str, str]]:
    """The resources of every player, and of cards under ""."""
    game = state.game
    amounts = Counter({(p, r): state.amount(p, r) for p in game.players for r in game.resources})
    stored = {(store.resource, store.slot) for terms in game.terms for store in terms.stored}
    for resource, slot in stored:
        amounts["", game.resources[resource]] += state.vector[slot]
    return amounts


def _resources(before: State, events: tuple[Event, ...], after: State) -> Iterator[str]:
    """A payment may come from the payer or from the payer's cards; what is stored on a card is lost
    when it moves.
    """
    dealt = any(event.kind in ("gain", "pay", "lose", "store") for event in events)
    lie_alike = _alike(before, after, "amounts", "card_place")
    if not dealt and lie_alike and _alike(before, after, "windows", "stack"):
        return
    expected, now = _wealth(before), _wealth(after)
    for resource in before.game.resources:
        lost = expected["", resource] - now["", resource]
        for event in events:
            if event.what == resource:
                sign = {"gain": 1, "pay": -1, "lose": -1}.get(event.kind, 0)
                expected[event.seat, resource] += sign * event.number
                lost += event.number if event.kind == "store" else 0
        spared = [now[p, resource] - expected[p, resource] for p in before.game.players]
        left = any(event.kind == "move" for event in events) and lost > 0
        if min(spared) < 0 or not (sum(spared) <= lost if left else sum(spared) == lost):
            yield f"{resource}: {spared} were not paid by the players, {lost} are gone from cards"


def _moves(before: State, events: tuple[Event, ...], after: State) -> Iterator[str]:
    lie_alike = _alike(before, after, "card_place", "card_next")
    lie_alike = lie_alike and _alike(before, after, "piece_place", "place_top")
    if lie_alike and not any(event.kind in ("move", "piece", "refill") for event in events):
        return
    expected, now = _places(before), _places(after)
    for event in events:
        if event.kind == "move":
            expected[event.card] = event.to
        elif event.kind == "piece":
            expected[event.what] = event.to
        elif event.kind == "refill":
            expected |= {
                name: event.to for name, place in expected.items() if place == event.source
            }
    for name, place in expected.items():
        if now[name] != place:
            yield f"{name} is on {now[name] or 'no place'}, and was put on {place or 'no place'}"


def _places(state: State) -> dict[str, str]:
    """The place of each card and piece; "" off the board."""
    game, v, slots = state.game, state.vector, state.game.slots
    places = [*(place.name for place in game.places), ""]  # nothing is -1
    cards = (places[at] for at in v[slots.card_place : slots.card_place + len(game.cards)])
    pieces = (places[at] for at in v[slots.piece_place : slots.piece_place + len(game.pieces)])
    by_name = {card.id: at for card, at in zip(game.cards, cards, strict=True)}
    return by_name | {piece.name: at for piece, at in zip(game.pieces, pieces, strict=True)}


def _variables(before: State, events: tuple[Event, ...], after: State) -> Iterator[str]:
    reported = {(event.what, event.to) for event in events if event.kind in ("set", "amount")}
    cards = {event.card for event in events if event.kind == "tell"}
    for variable in before.game.variables:
        its = slice(variable.base, variable.base + variable.count)
        was, now = before.vector[its], after.vector[its]
        if was != now:
            things = Domains.of_game(before.game).keys(variable.each)
            for thing, old, new in zip(things, was, now, strict=True):
                is_told = not new or thing in cards if variable.bits else variable.is_hidden
                is_told |= variable.secret != NOTHING and new == variable.start  # set back
                name = variable.holds or variable.name
                if old != new and not is_told and (name, thing or variable.pool) not in reported:
                    yield f"{variable.wording_key(thing)} went from {old} to {new} untold"
