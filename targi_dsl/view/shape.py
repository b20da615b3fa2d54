"""The types of a view model: plain values, serializable as JSON (schema/view.json)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from targi_dsl.ir.layout import Layout
from targi_dsl.ir.look import PLAIN, Look
from targi_dsl.text.structs import Frozen
from targi_dsl.text.width import truncate

_TOLD = 48
"""The most characters of a card's effect that are shown with its name."""
_WORD = re.compile(r"\d+|[^\W\d_]+")


class Part(Frozen, omit_defaults=True, forbid_unknown_fields=True):
    """A part of a view; in JSON, fields with their default value are omitted."""


Sort = Literal[
    "player", "place", "card", "piece", "resource", "number", "value", "truth", "ability", "price"
]


class Ref(Part):
    """A reference to a thing that a choice acts on, or that a question is about.

    id: its id in the rules, as in `places`, `cards`, `pieces`; "" for a card that the viewer does
    not know, which is the one at index `at` from the top of `place`. number: an amount, or the
    number itself. of: the player who has or pays it.
    """

    sort: Sort
    id: str = ""
    place: str = ""
    at: int = 0
    number: int = 0
    of: str = ""


class Amount(Part):
    """An amount of a resource or group. text: in words, if it lies on the table."""

    item: str
    number: int
    text: str = ""


Text = tuple[str | Amount, ...]
"""A price or an effect, in which amounts are data: "+", 1 coin, " / ", 2 apples."""


# ---- the equipment of a game in one language, which never changes ----


class Named(Part):
    """A player, resource, value, region, or a kind of card or piece. forms: for a resource, the
    nouns after 1, 2 and 5, which cover all plural forms; short: an abbreviation, unique in its
    sort.
    """

    id: str
    name: str
    forms: tuple[str, ...] = ()
    short: str = ""
    look: Look = PLAIN


class Field(Part):
    """A field of a card. name, text: in words; parts: its price or effect, if it is one; number:
    the value of a number, and 1 for yes; values: the ids of its values; is_named: the names of all
    cards of the kind contain the number.
    """

    id: str
    name: str
    text: str
    sort: Literal["text", "number", "truth", "value", "values"] = "text"
    parts: Text = ()
    is_price: bool = False
    number: int = 0
    values: tuple[str, ...] = ()
    is_named: bool = False


class Face(Part):
    """The face of a card. kind: also its back. text: as printed. marks: values and numbers; effect:
    cost or action; power: ability; each of these in versions from long to short.
    """

    id: str
    name: str
    short: str
    kind: str
    text: str = ""
    marks: tuple[str, ...] = ()
    effect: tuple[str, ...] = ()
    power: tuple[str, ...] = ()
    fields: tuple[Field, ...] = ()

    def with_cost(self, held: Iterable[str], *, briefly: bool = False) -> str:
        """The name with the card's cost or effect, its marks, and what lies on it."""
        effect = truncate(self.effect[: briefly + 1][-1], _TOLD) if self.effect else ""
        said = "; ".join(filter(None, (effect, self.unsaid(self.name, briefly), *held)))
        return f"{self.name} ({said})" if said else self.name

    def unsaid(self, name: str, version: int) -> str:
        """The marks in a version, without those that the name implies: a red 6 does not repeat that
        its colour is red. In shorter versions abbreviations count too.
        """
        marks, gap = self.marks[version], ", " if version == 0 else " "
        counted = (f"{one.name} {one.number}" for one in self.fields if one.is_named)
        known = {one for one in _WORD.findall(name.casefold()) if not one.isdecimal()}
        known |= {word for text in counted for word in _WORD.findall(text.casefold())}
        if version:
            whole = [one for one in known if not one.isdecimal()]
            known |= {one[:letters] for one in whole for letters in range(1, len(one))}
        said = ((mark, _WORD.findall(mark.casefold())) for mark in marks.rstrip("* ").split(gap))
        left = gap.join(mark for mark, words in said if not known.issuperset(words))
        star = "*" if marks.endswith("*") else ""
        return f"{left} {star}".strip() if version == 0 else f"{left}{star}"

    @property
    def in_short(self) -> str:
        """The short name, with the shortest version of the cost or effect."""
        *_, effect = self.effect or ("",)
        return f"{self.short} ({effect})" if 0 < len(effect) <= _TOLD else self.short


class PlaceInfo(Part):
    """A space or a zone. name: with region and owner; own_name: without the owner; address: a
    unique label as on the table, of which label is the part within the region. owner: a player, or
    "". active: abilities of cards there apply. hides: cards usually lie face down. is_left_out: the
    layout does not show it. refills: its cards are reshuffled into another pile. is_ordered: the
    order of its cards matters, to a rule or because its owner knows cards only by position.
    """

    id: str
    region: str
    name: str
    own_name: str
    address: str
    label: str = ""
    owner: str = ""
    is_zone: bool = False
    active: bool = False
    hides: bool = False
    is_left_out: bool = False
    refills: bool = False
    is_ordered: bool = False


class PieceInfo(Part):
    id: str
    kind: str
    name: str
    owner: str = ""


class Equipment(Part):
    """Everything that a game is played with. cards: all cards; where they are, only a view says.
    groups: members by group of resources. on_spaces: the resources and variables that each space
    has. is_numbered: numbers alone can name things. has_secrets: some players see or choose what
    others must not know.
    """

    title: str
    language: str
    players: tuple[Named, ...]
    resources: tuple[Named, ...]
    values: tuple[Named, ...]
    regions: tuple[Named, ...]
    card_kinds: tuple[Named, ...]
    piece_kinds: tuple[Named, ...]
    pieces: dict[str, PieceInfo]
    places: dict[str, PlaceInfo]
    cards: dict[str, Face]
    layout: Layout
    groups: dict[str, tuple[str, ...]]
    on_spaces: tuple[str, ...] = ()
    is_numbered: bool = False
    has_secrets: bool = False


# ---- the current view ----


class Card(Part):
    """A card on a place. id: "" if the viewer does not know it; `back` is its kind. said: public
    clues about a card that not everybody knows. count: the number of equal unknown cards in a row.
    """

    id: str = ""
    back: str = ""
    said: str = ""
    down: bool = False
    amounts: tuple[Amount, ...] = ()
    count: int = 1


class Value(Part):
    """The value of a variable, in words; "" for nothing. name: of the variable; for a pool of one
    resource, of the pool. sort, id and number: the value as a reference, for a pool its resource
    and amount; hidden: the viewer does not know it.
    """

    name: str
    text: str
    sort: str = ""
    id: str = ""
    number: int = 0
    hidden: bool = False


class Contents(Part):
    """What lies on a place. cards: from top to bottom; in an unordered hand, in a fixed order of
    the game. Empty places have no entry. values: of this space's variables; default values are
    omitted.
    """

    cards: tuple[Card, ...] = ()
    pieces: tuple[str, ...] = ()
    amounts: tuple[Amount, ...] = ()
    values: tuple[Value, ...] = ()


class Question(Part):
    """The open question. seat: the player who is asked, or "chance". about: what one must see to
    answer it, in order of importance: what the rules in progress and the choices act on and lead
    to, and which of the viewer's resources they cost.
    """

    id: str
    seat: str
    text: str
    kind: str = "ask"
    about: tuple[Ref, ...] = ()


class Lead(Part):
    """A consequence of a choice: in versions from long to short, and the things it mentions."""

    words: tuple[str, ...]
    about: tuple[Ref, ...] = ()


class Offer(Part):
    """A choice in words. id: what is sent and recorded. label: the action; thing: its object with
    cost or effect; name: the object alone; short: the short name of its card; group: the sort of
    object; also: another name that can be typed. pays: what a payment or exchange costs. declines:
    whether it does nothing.
    """

    id: str
    label: str
    thing: str = ""
    name: str = ""
    short: str = ""
    group: str = ""
    acts_on: tuple[Ref, ...] = ()
    leads: tuple[Lead, ...] = ()
    pays: tuple[Amount, ...] = ()
    is_exchange: bool = False
    declines: bool = False
    also: str = ""


class Happened(Part):
    """An event, as the viewer knew it at that time. kind: as in `Event`."""

    kind: str
    text: str
    about: tuple[Ref, ...] = ()


class News(Part):
    """A step: a choice and its events. step: its index in the record. seat: who chose, or "chance".
    choice: in words.
    """

    step: int
    seat: str
    choice: str
    acts_on: tuple[Ref, ...] = ()
    events: tuple[Happened, ...] = ()


class ScoreTable(Part):
    """The scores of all players in the order of seats: one row for each part that anybody scores
    in, and totals. What depends on hidden information is a range over sampled determinizations.
    """

    parts: tuple[tuple[str, tuple[str, ...]], ...]
    totals: tuple[str, ...]


class Outcome(Part):
    """The end of the game. text: who wins, and why. scores: None in a game without scores."""

    text: str
    winners: tuple[str, ...] = ()
    scores: ScoreTable | None = None


class View(Frozen, forbid_unknown_fields=True):
    """Everything that a viewer sees of a table. viewers: the seats that look together; none is the
    public. amounts: by player and resource, without zeros. values: variables by name, those of a
    player as "V of P". off_board: pieces off the board. out: players who are out; passed: players
    who are out of the turns in progress.
    """

    viewers: tuple[str, ...]
    turn: str
    places: dict[str, Contents]
    off_board: tuple[str, ...]
    amounts: dict[str, dict[str, int]]
    values: dict[str, Value]
    question: Question | None = None
    offers: tuple[Offer, ...] = ()
    news: tuple[News, ...] = ()
    outcome: Outcome | None = None
    out: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
