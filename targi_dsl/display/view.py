"""What an observer sees: everything that drawing needs, and nothing that the observer
may not know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from targi_dsl.api.state import State
from targi_dsl.display.ink import Ink, Line, ink_of, seat_colours
from targi_dsl.information.observation import HIDDEN, Observation, observe_together
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import Variable
from targi_dsl.ir.game import Game
from targi_dsl.text.columns import columns
from targi_dsl.view import shape
from targi_dsl.view.seen import Seen
from targi_dsl.view.views import view
from targi_dsl.view.words import Words

USUAL_COLUMNS = 80


class View(Seen):
    """What an observer sees, in words and within a number of columns.

    plain: all of it; a picture needs only the observation. open: the places among the choices.
    about: the known cards that the question is about; asked: the ids of all things that it is
    about.
    """

    plain: shape.View | None = None
    columns: int = USUAL_COLUMNS
    open: frozenset[int] = frozenset()
    about: tuple[int, ...] = ()
    asked: frozenset[str] = frozenset()

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
) -> View:
    """What a seat sees of a position; for several seats, what all of them know; for no seat,
    everything.
    """
    return drawn_from(observe_together(state, seats), words, seats, columns)


def drawn_from(
    observation: Observation,
    words: Words,
    seats: tuple[str, ...] | None = None,
    columns: int = USUAL_COLUMNS,
) -> View:
    """What an observer sees, to be drawn."""
    plain = view(observation, words, seats)
    numbers = {place.name: number for number, place in enumerate(observation.game.places)}
    refs = (ref for offer in plain.offers for ref in offer.acts_on)
    open_ = frozenset(numbers[ref.id] for ref in refs if ref.sort == "place")
    about = plain.question.about if plain.question is not None and plain.offers else ()
    cards = (words.numbers[ref.id] for ref in about if ref.sort == "card" and ref.id)
    asked = frozenset(ref.id for ref in about)
    return View(observation, words, plain, columns, open_, tuple(cards), asked)


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
        if slot in view.observation.hidden:
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
