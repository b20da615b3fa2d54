"""What a seat knows of a position."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from targi_dsl.api.clues import clues_about
from targi_dsl.api.events import PUBLIC, back_of
from targi_dsl.api.naming import in_english
from targi_dsl.api.position import Position
from targi_dsl.api.renumbering import belongings_of
from targi_dsl.api.state import State, place_number
from targi_dsl.codegen import engine_of
from targi_dsl.codegen.row import Seen, packed
from targi_dsl.codegen.search import OBSERVED
from targi_dsl.information.information_sets import canonical, unknown_to, unknown_to_all
from targi_dsl.information.secrets import secret_slots, without_secrets
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import CardInfo, Variable
from targi_dsl.ir.game import Game
from targi_dsl.text.structs import Noted

HIDDEN = "?"
"""A value that is not known."""


class Observation(Noted, dict=True):
    """Everything a seat knows, as a value: equal whatever is hidden from the seat.

    vector: the canonical position; the numbers of the cards in `unknown` reveal nothing (see
    `information_sets`). hidden: the slots of values that the seat does not know. turn: who is
    asked: a player, "chance", or None when the game is over. question: what is asked. asked:
    whether this seat is asked; if so, `choices` has the ids of its choices.
    """

    notes = ("game",)
    game: Game
    seat: str
    vector: tuple[int, ...]
    unknown: tuple[int, ...]
    hidden: tuple[int, ...]
    turn: str | None
    question: str | None
    asked: bool
    choices: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<Observation of {self.game.name}: by {self.seat}, {self.turn or 'over'}>"

    def cards(self, place: str) -> tuple[str, ...]:
        """The cards on a place, top to bottom: ids, and for unknown cards the back, as in
        "?letter", with what players have been told about them.

        Raises ValueError if there is no such place.
        """
        number = place_number(self.game, place)
        return tuple(self._face(card) for card in self.position.cards_on(number))

    @property
    def position(self) -> Position:
        """The observed position, for queries by number."""
        return Position(self.game, self.vector)

    @cached_property
    def packed(self) -> bytes:
        """The observation in the layout of generated C, for every sample."""
        return packed((self.vector, self.unknown, self.hidden))

    @property
    def number(self) -> int:
        """A number that other observations hardly ever have, below `OBSERVED`."""
        return int.from_bytes(self.packed or repr(self.vector).encode(), "little") % OBSERVED

    def describe(self) -> dict[str, Any]:
        """Everything by name, as plain data for JSON.

        turned: the known cards that do not lie the way cards usually lie at their place. used:
        abilities whose windows have been used, and how often. stored: the amounts on cards.
        """
        game, seen = self.game, self.position
        return {
            "game": game.name,
            "seat": self.seat,
            "turn": self.turn,
            "question": self.question,
            "choices": list(self.choices),
            "ended_by": None if seen.ended_by == NOTHING else game.rules[seen.ended_by].name,
            "amounts": {
                player: {name: seen.amount(number, p) for number, name in enumerate(game.resources)}
                for p, player in enumerate(game.players)
            },
            "zones": {
                place.name: list(self.cards(place.name)) for place in game.places if place.is_zone
            },
            "spaces": {
                place.name: self._things(number)
                for number, place in enumerate(game.places)
                if not place.is_zone
            },
            "pieces": {
                piece.name: self._place(seen.place_of_piece(number))
                for number, piece in enumerate(game.pieces)
            },
            "variables": {
                variable.name: self._variable(variable)
                for variable in game.variables
                if not (variable.bits or variable.is_hidden)
            },
            "turned": dict(self._turned_cards()),
            "used": dict(self._uses()),
            "stored": dict(self._stored_amounts()),
        }

    def _face(self, card: int) -> str:
        if card not in self.unknown:
            return self.game.cards[card].id
        known = clues_about(in_english(engine_of(self.game)), self.vector, card)
        return f"{back_of(self.game, card)} {known}".strip()

    def _place(self, number: int) -> str | None:
        return None if number == NOTHING else self.game.places[number].name

    def _things(self, place: int) -> dict[str, list[str]]:
        """The cards and the pieces on a space."""
        seen = self.position
        return {
            "cards": [self._face(card) for card in seen.cards_on(place)],
            "pieces": [self.game.pieces[piece].name for piece in seen.pieces_on(place)],
        }

    def _variable(self, variable: Variable) -> object:
        """The value of a variable, or its values by what they belong to, without cards that are not
        known.
        """
        values = [
            HIDDEN if variable.base + at in self.hidden else self._value(variable, number)
            for at, number in enumerate(self.position.values(variable))
        ]
        return dict(self._each(variable, values)) if variable.each else values[0]

    def _each(self, variable: Variable, values: list[object]) -> Iterator[tuple[str, object]]:
        game = self.game
        named = zip(engine_of(game).code.domains.keys(variable.each), values, strict=True)
        of_cards = isinstance(variable.each, t.Card)
        hidden = {game.cards[card].id for card in self.unknown} if of_cards else set()
        return ((name, value) for name, value in named if name not in hidden)

    def _value(self, variable: Variable, number: int) -> object:
        match variable.type:
            case t.Number():
                return number
            case t.Truth():
                return bool(number)
            case _ if number == NOTHING:
                return None
            case t.Card():
                return self._face(number)
            case t.Place():
                return self._place(number)
            case _:
                return engine_of(self.game).code.domains.name(variable.type, number)

    def _turned_cards(self) -> Iterator[tuple[str, str]]:
        seen = self.position
        for number, card in self._known_cards():
            place = seen.place_of_card(number)
            facing = "up" if seen.is_face_up(number) else "down"
            if place != NOTHING and facing != self.game.places[place].facing:
                yield card.id, facing

    def _uses(self) -> Iterator[tuple[str, object]]:
        """The uses of each card's ability; for an ability of everybody, by player."""
        for number, ability in enumerate(self.game.abilities):
            uses = self.position.uses(number)
            if any(uses):
                named = zip(self.game.players, uses, strict=False)
                by = {player: count for player, count in named if count}
                yield ability.name, by if ability.card == NOTHING else uses[0]

    def _stored_amounts(self) -> Iterator[tuple[str, dict[str, int]]]:
        for card, slots in belongings_of(engine_of(self.game)).stored.items():
            amounts = {
                self.game.resources[resource]: self.vector[slot]
                for resource, slot in slots
                if self.vector[slot]
            }
            if amounts:
                yield self.game.cards[card].id, amounts

    def _known_cards(self) -> Iterator[tuple[int, CardInfo]]:
        return (
            (number, card)
            for number, card in enumerate(self.game.cards)
            if number not in self.unknown
        )


def observe(state: State, seat: str, learned: Collection[int] = ()) -> Observation:
    """Everything that a player knows of a position and nothing else; for "public", what everybody
    knows. Raises ValueError if there is no such player.

    learned: cards that the observer has learned since, and is to see in this position too.
    """
    game, engine = state.game, engine_of(state.game)
    if seat not in (*game.players, PUBLIC):
        raise ValueError(f"no player `{seat}` in {game.name}")
    compiled, is_asked = None if learned else state.compiled(), state.seat == seat
    if compiled is not None:
        rows, row = compiled
        number = len(game.players) if seat == PUBLIC else game.players.index(seat)
        vector, unknown, hidden = rows.observe(row, number)
    else:
        vector, unknown, hidden = _seen(state, seat, learned)
    question = engine.open_question(vector)
    return Observation(
        game,
        seat,
        vector,
        unknown,
        hidden,
        state.seat,
        question.name if question is not None else None,
        is_asked,
        state.option_ids if is_asked else (),
    )


def observe_together(
    state: State, seats: Collection[str], learned: Collection[int] = ()
) -> Observation:
    """What a seat knows; for several seats, what everybody knows; for none, everything, as when a
    finished game is viewed.
    """
    if seats:
        seat, *others = seats
        return observe(state, PUBLIC if others else seat, learned)
    public = observe(state, PUBLIC)
    return replace(public, seat="", vector=state.vector, unknown=(), hidden=())


def _seen(state: State, seat: str, learned: Collection[int]) -> Seen:
    """The position as a seat sees it, the cards unknown to it, and the slots with values hidden
    from it.
    """
    engine, v = engine_of(state.game), list(state.vector)
    if seat == PUBLIC:
        nobody = len(state.game.players)
        unknown, hidden = unknown_to_all(engine, v), secret_slots(engine, v, nobody)
    else:
        number = state.game.players.index(seat)
        unknown, hidden = unknown_to(engine, v, number), secret_slots(engine, v, number)
    unknown = tuple(card for card in unknown if card not in learned)
    return tuple(canonical(engine, without_secrets(engine, v, hidden), unknown)), unknown, hidden
