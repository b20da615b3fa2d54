"""What an observer sees: everything that drawing needs, and nothing that the observer
may not know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from targi_dsl.api import PUBLIC, Choice, choices
from targi_dsl.api.state import State
from targi_dsl.api.told import clues_about
from targi_dsl.codegen import engine_of
from targi_dsl.display.ink import Ink, Line, columns, ink_of, seat_colours
from targi_dsl.display.words import Words
from targi_dsl.engine.options import unpack
from targi_dsl.information.observation import HIDDEN, Observation, observe
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import Variable
from targi_dsl.ir.game import Game
from targi_dsl.text.structs import Frozen

USUAL_COLUMNS = 80


class View(Frozen):
    """What an observer sees, in words and within a number of columns.

    choices: what can be chosen. open: the places among the choices, if the observer is asked.
    """

    seen: Observation
    words: Words
    columns: int = USUAL_COLUMNS
    choices: Sequence[Choice] = ()
    open: frozenset[int] = frozenset()

    @property
    def game(self) -> Game:
        return self.seen.game

    def knows(self, card: int) -> bool:
        """Whether the observer knows this card."""
        return card not in self.seen.unknown

    def face_up(self, card: int) -> bool:
        return self.seen.position.is_face_up(card)

    def card(self, card: int) -> str:
        """A card's name, or its back with what players have been told about it."""
        if self.knows(card):
            return self.words.card(card)
        said = clues_about(self.words, self.seen.vector, card)
        return f"?{self.words.back(card)}{f' ({said})' if said else ''}"

    def cards(self, place: int) -> Iterator[int]:
        """The cards on a place, top to bottom."""
        return self.seen.position.cards_on(place)

    @property
    def owner(self) -> int:
        """The number of the player who observes; nothing for anybody else."""
        players = self.game.players
        return players.index(self.seen.seat) if self.seen.seat in players else NOTHING

    def is_bare(self, place: int) -> bool:
        """Whether no card lies on a place."""
        return next(self.cards(place), NOTHING) == NOTHING

    def place_of(self, card: int) -> int:
        """The place of a known card, if it lies on one."""
        return self.seen.position.place_of_card(card)

    def pieces(self, place: int) -> list[int]:
        """The pieces on a place, or with -1 those that are off the board."""
        return list(self.seen.position.pieces_on(place))

    @property
    def resources_on_spaces(self) -> list[str]:
        """The resources that can lie on spaces."""
        found = (one for one in self.game.variables if isinstance(one.each, t.Place))
        return [one.holds for one in found if one.holds]

    def amounts_on(
        self, sort: type[t.Place] | type[t.Card], number: int
    ) -> Iterator[tuple[int, str]]:
        """The amounts of resources on a space or a card."""
        for one in self.game.variables:
            if one.holds and isinstance(one.each, sort):
                members = self.words.domains.of(one.each).members
                at = members.index(number) if number in members else NOTHING
                if at != NOTHING and (have := self.seen.position.values(one)[at]):
                    yield have, one.holds

    def variable(self, slot: int) -> tuple[t.Type, int]:
        """The type and the value of what is kept in a slot."""
        of = next(one for one in self.game.variables if one.base <= slot < one.base + one.count)
        return of.type, self.seen.position.values(of)[slot - of.base]

    def value(self, slot: int) -> str:
        """The value of a variable in words, a card by its name."""
        type_, value = self.variable(slot)
        if slot in self.seen.hidden:
            return HIDDEN
        is_card = isinstance(type_, t.Card) and value != NOTHING
        return self.card(value) if is_card else self.words.of(type_, value)

    def colour(self, player: int) -> str:
        return seat_colours(self.game)[player] if player != NOTHING else "strong"

    def ink(self, kind: str, owner: int) -> str:
        """The style of a kind of piece: that of its owner, if it has one."""
        return self.colour(owner) if owner != NOTHING else ink_of(self.game, kind)


def view_of(
    state: State,
    words: Words,
    seats: tuple[str, ...] = (),
    columns: int = USUAL_COLUMNS,
    learned: Collection[int] = (),
) -> View:
    """What a seat sees of a position; for several seats, what all of them know; for no seat,
    everything. learned: cards that they have learned since.
    """
    offered, asked = choices(state), seats == (state.seat,)
    open_ = frozenset(_places(state, offered)) if asked else frozenset[int]()
    return View(_observed(state, seats, learned), words, columns, offered, open_)


def _places(state: State, offered: Sequence[Choice]) -> Iterator[int]:
    """The places among the choices."""
    asked = engine_of(state.game).asked(state.vector)
    ways = asked.ways if asked is not None else ()
    for choice in offered:
        at, element = unpack(choice.code)
        binding = ways[at].choice if at < len(ways) else None
        if binding is not None and isinstance(binding.type, t.Place):
            yield element


def _observed(state: State, seats: tuple[str, ...], learned: Collection[int]) -> Observation:
    if seats:
        return observe(state, seats[0] if len(seats) == 1 else PUBLIC, learned)
    public = observe(state, PUBLIC)
    return replace(public, seat="", vector=state.vector, unknown=())


def held_on(view: View, place: int) -> list[tuple[int, str]]:
    """The amounts of resources on a place, or on its top card."""
    tops = list(view.cards(place))[:1]
    on_card = (one for card in tops if view.knows(card) for one in view.amounts_on(t.Card, card))
    return [*view.amounts_on(t.Place, place), *on_card]


def stack_names(view: View, cards: Sequence[int], room: int) -> str:
    """The names of several cards of a space, top to bottom, if all lie open and there is room."""
    if len(cards) < 2 or not all(view.face_up(card) and view.knows(card) for card in cards):
        return ""
    names = (", ".join(map(name, cards)) for name in (view.card, view.words.short))
    return next((every for every in names if columns(every) <= room), "")


def values_on(view: View, place: int) -> list[tuple[str, str]]:
    """The variables of a space with their values in words, without what is zero, no or nothing."""
    found = list[tuple[str, str]]()
    for one in variables_of_spaces(view.game):
        members = view.words.domains.of(one.each).members if one.each else ()
        if place not in members:
            continue
        slot, is_counted = one.base + members.index(place), isinstance(one.type, t.Number | t.Truth)
        value, name = view.variable(slot)[1], view.words.called("variable", one.name)
        if slot in view.seen.hidden:
            found.append((name, HIDDEN))
        elif value != NOTHING and (value or not is_counted):
            shown = "" if isinstance(one.type, t.Truth) else view.words.of(one.type, value)
            found.append((name, shown))
    return found


def variables_of_spaces(game: Game) -> list[Variable]:
    """The variables whose values are shown on spaces."""
    return [one for one in game.variables if one.is_of_spaces]


def is_empty(view: View, place: int) -> bool:
    """Whether a place holds no card, piece, resource or value."""
    things = held_on(view, place) or values_on(view, place) or view.pieces(place)
    return view.is_bare(place) and not things


def address(view: View, place: int) -> Ink:
    """The address of a place and the gap after it, with a mark there if the place can be
    chosen now.
    """
    label = view.words.addresses[place]
    return Ink(f"{label}>", "cyan") if place in view.open else Ink(f"{label} ", "faint")


def marks_on(view: View, place: int) -> Line:
    """The marks of the pieces on a place; equal ones as one mark with a count."""
    known, pieces = view.words.marks, [view.game.pieces[piece] for piece in view.pieces(place)]
    counts = Counter((piece.kind, piece.owner) for piece in pieces)
    inks: list[Ink] = []
    for (kind, owner), count in counts.items():
        text = known[kind, owner] if count == 1 else f"{count}{known[kind, owner]}"
        inks += [Ink(" ")] * bool(inks) + [Ink(text, view.ink(kind, owner))]
    return tuple(inks)


def legend(view: View) -> list[Ink]:
    """A legend for the marks of pieces and the star of cards."""
    inks = [
        Ink(f"{mark} {view.words.piece(kind, owner)}", view.ink(kind, owner))
        for (kind, owner), mark in view.words.marks.items()
    ]
    able = any(ability.card != NOTHING for ability in view.game.abilities)
    return [*inks, *[Ink(view.words.say("* has an ability"), "faint")] * able]
