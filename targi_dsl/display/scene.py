"""A view with the lookups and words that its renderings share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import groupby

from targi_dsl.api.state import State
from targi_dsl.display.ink import Ink, Line, joined, line, nearest_style, seat_colours
from targi_dsl.information.observation import observe_together
from targi_dsl.ir.layout import Items, PlayerPart, Table
from targi_dsl.ir.look import PLAIN, Look
from targi_dsl.text.languages import message
from targi_dsl.text.width import columns
from targi_dsl.view.equipment import equipment
from targi_dsl.view.shape import Amount, Card, Contents, Equipment, Face, Named, View
from targi_dsl.view.views import view
from targi_dsl.view.words import Words

USUAL_COLUMNS = 80
_BRACKETS = ("[]", "()", "<>", "{}", "||", "//", "!!", "##")


class Scene:
    """A view to be drawn in a number of columns.

    you: the viewer, if it is a single player, or "". open: places among the choices. asked: ids of
    everything that the question is about; about: the known cards among it. lying: the place of each
    known card.
    """

    def __init__(self, seen: View, words: Words, columns: int = USUAL_COLUMNS) -> None:
        self.view, self.game, self.columns = seen, equipment(words), columns
        self.language, self.say, self.count = words.language, words.say, words.count
        self.you = seen.viewers[0] if len(seen.viewers) == 1 else ""
        acted_on = (ref for offer in seen.offers for ref in offer.acts_on)
        self.open = frozenset(ref.id for ref in acted_on if ref.sort == "place")
        question = seen.question if seen.offers else None
        refs = question.about if question is not None else ()
        self.asked = frozenset(ref.id for ref in refs)
        self.about = tuple(ref.id for ref in refs if ref.sort == "card" and ref.id)
        self.lying = {
            card.id: place
            for place, contents in seen.places.items()
            for card in contents.cards
            if card.id
        }
        self.players, self.regions = named(self.game.players), named(self.game.regions)
        self.resources, self.backs = named(self.game.resources), named(self.game.card_kinds)
        self.piece_kinds = named(self.game.piece_kinds)
        self.things = self.resources | named(self.game.values)

    @cached_property
    def colours(self) -> dict[str, str]:
        """The style of each seat at a terminal."""
        return seat_colours(self.game.players)

    @cached_property
    def marks(self) -> dict[tuple[str, str], str]:
        """The terminal mark of pieces by kind and owner: a letter of the owner or kind, in brackets
        of the kind where necessary.
        """
        pieces = self.game.pieces.values()
        kinds = [*dict.fromkeys(one.kind for one in sorted(pieces, key=lambda one: not one.owner))]
        letters = {one.id: one.short for one in (*self.game.piece_kinds, *self.game.players)}
        is_bare = len(kinds) == 1 and not self.game.cards
        found = {}
        for piece in pieces:
            pair = _BRACKETS[kinds.index(piece.kind) % len(_BRACKETS)]
            inner = letters[piece.owner or piece.kind]
            found[piece.kind, piece.owner] = inner if is_bare else f"{pair[0]}{inner}{pair[1]}"
        return found

    def address(self, place: str) -> Ink:
        """The address of a place, highlighted if the place can be chosen."""
        label = self.game.places[place].address
        return Ink(f"{label}>", "cyan") if place in self.open else Ink(f"{label} ", "faint")

    def marks_on(self, place: str) -> Line:
        """The marks of the pieces on a place, equal ones counted."""
        found = (
            line(Ink(f"{count if count > 1 else ''}{self.marks[alike]}", self._style(*alike)))
            for alike, count in self.pieces(place).items()
        )
        return joined(found, Ink(" "))

    def legend(self) -> list[Line]:
        """A legend of the marks of pieces and of the star of cards."""
        names = {(one.kind, one.owner): one.name for one in self.game.pieces.values()}
        inks = [Ink(f"{self.marks[of]} {name}", self._style(*of)) for of, name in names.items()]
        able = any(face.marks[-1].endswith("*") for face in self.game.cards.values())
        return [line(ink) for ink in [*inks, *[Ink(self.say("* has an ability"), "faint")] * able]]

    def _style(self, kind: str, owner: str) -> str:
        """The style of a piece: that of its owner, if it has one."""
        return self.colours[owner] if owner else nearest_style(self.piece_kinds[kind].look.colour)

    # ---- contents of places ----

    def on(self, place: str) -> Contents:
        return self.view.places.get(place, Contents())

    def cards(self, place: str) -> list[Card]:
        """The cards on a place, top to bottom, one by one."""
        return [card for card in self.on(place).cards for _ in range(card.count)]

    def amounts(self, place: str) -> list[Amount]:
        """The amounts on a place or on its top card."""
        on = self.on(place)
        return [*on.amounts, *(one for card in on.cards[:1] for one in card.amounts)]

    def pieces(self, place: str) -> Counter[tuple[str, str]]:
        """How many pieces of each kind and owner there are on a place."""
        pieces = (self.game.pieces[one] for one in self.on(place).pieces)
        return Counter((one.kind, one.owner) for one in pieces)

    def is_empty(self, place: str) -> bool:
        """Whether a place holds no card, piece, resource or value."""
        return place not in self.view.places

    def amount(self, player: str, resources: Iterable[str]) -> int:
        """How much of some resources a player has, or of those of nobody."""
        have = self.view.amounts.get(player, {})
        return sum(have.get(one, 0) for one in resources)

    def left_out(self, owner: str) -> Iterator[str]:
        """The zones of an owner that have cards but are not in the layout."""
        for id_, place in self.game.places.items():
            is_zone_of = place.is_zone and place.owner == owner
            if is_zone_of and place.is_left_out and self.on(id_).cards:
                yield id_

    def is_turned(self, card: Card) -> bool:
        """Whether a known card lies face down where cards usually lie face up."""
        place = self.game.places.get(self.lying.get(card.id, ""))
        return card.down and place is not None and not place.hides

    # ---- in words ----

    @cached_property
    def forms(self) -> dict[str, Named]:
        """Resources and groups by the nouns that follow numbers."""
        return {form: one for one in self.game.resources for form in one.forms}

    def look(self, kind: str) -> Look:
        """How the cards of a kind look."""
        return self.backs[kind].look if kind else PLAIN

    def seat(self, name: str) -> str:
        """Who is asked: a player, or chance."""
        return self.players[name].name if name in self.players else self.language.word(name)

    def notes(self, player: str) -> list[str]:
        """Notes about a player: who looks, is to move, is out or has passed."""
        view = self.view
        notes = {
            message("you"): self.you == player,
            message("to move"): view.turn == player,
            message("out"): player in view.out,
            message("has passed"): player in view.passed,
        }
        return [self.say(note) for note, holds in notes.items() if holds]

    def titled(self, player: str) -> str:
        """A player's name with notes."""
        name, notes = self.players[player].name, ", ".join(self.notes(player))
        return f"{name} ({notes})" if notes else name

    def region(self, place: str) -> str:
        return self.regions[self.game.places[place].region].name

    def face(self, card: Card) -> Face:
        """A known card face up."""
        return self.game.cards[card.id]

    def name(self, card: Card) -> str:
        """The name of a card, or its back with public clues."""
        if card.id:
            return self.face(card).name
        back = self.backs[card.back].name if card.back else self.say("card")
        return f"?{back} ({card.said})" if card.said else f"?{back}"

    def with_cost(self, card: Card) -> str:
        """A card with its cost and marks in brief, amounts on it, and public clues, if it is
        known.
        """
        notes = [*(one.text for one in card.amounts), *self.told(card)]
        return self.face(card).with_cost(notes, briefly=True) if card.id else self.name(card)

    def told(self, card: Card) -> list[str]:
        """The public clues about a known card that others do not see."""
        return [self.say("told {clues}", clues=card.said)] if card.id and card.said else []

    def stack(self, cards: list[Card], room: int) -> str:
        """The names of all cards of a stack, if they are open and fit."""
        if len(cards) < 2 or not are_open(cards):
            return ""
        faces = [self.face(card) for card in cards]
        names = ([face.name for face in faces], [face.short for face in faces])
        lists = (", ".join(counted(one)) for one in names)
        return next((every for every in lists if columns(every) <= room), "")

    def is_mixed(self, cards: list[Card]) -> bool:
        """Whether several open cards are not all alike."""
        return are_open(cards) and len({self.face(card).name for card in cards}) > 1


def are_open(cards: list[Card]) -> bool:
    return all(card.id and not card.down for card in cards)


def counted(names: Iterable[str]) -> Iterator[str]:
    """Names, consecutive equal ones counted."""
    alike = ((name, len([*group])) for name, group in groupby(names))
    return (f"{name} \xd7{number}" if number > 1 else name for name, number in alike)


def scene_of(
    state: State, words: Words, seats: tuple[str, ...] = (), columns: int = USUAL_COLUMNS
) -> Scene:
    """The scene of a position for some seats together; without seats, with everything visible."""
    return Scene(view(observe_together(state, seats), words, seats), words, columns)


def entry(name: str, value: object) -> Line:
    """A name with its value or number."""
    return line(Ink(f"{name} ", "faint"), Ink(str(value), "strong"))


def named(of: Iterable[Named]) -> dict[str, Named]:
    """Named things by their ids."""
    return {one.id: one for one in of}


def split_by_player(game: Equipment) -> tuple[list[Table | Items], list[PlayerPart]]:
    """The common parts of a layout, and those of each player."""
    shared = [part for part in game.layout if not isinstance(part, PlayerPart)]
    return shared, [part for part in game.layout if isinstance(part, PlayerPart)]
