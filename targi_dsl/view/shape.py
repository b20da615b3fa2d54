"""The shape of a view: plain values, which JSON can hold (schema/view.json)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from targi_dsl.ir.layout import Layout
from targi_dsl.ir.look import PLAIN, Look
from targi_dsl.text.structs import Frozen
from targi_dsl.text.width import truncate

_TOLD = 48
"""The most letters of the effect of a card that is named with it."""
_WORD = re.compile(r"\d+|[^\W\d_]+")


class Part(Frozen, omit_defaults=True, forbid_unknown_fields=True):
    """A part of a view; in JSON, a field that has its usual value is left out."""


Sort = Literal[
    "player", "place", "card", "piece", "resource", "number", "value", "truth", "ability", "price"
]


class Ref(Part):
    """One thing that a choice acts on, or that a question is about.

    id: its name in the rules, as in `places`, `cards`, `pieces`; "" for a card that the viewer does
    not know, which is number `at` from the top of `place`. number: how many of a resource, or the
    number itself. of: the player who has or pays it.
    """

    sort: Sort
    id: str = ""
    place: str = ""
    at: int = 0
    number: int = 0
    of: str = ""


class Amount(Part):
    """Some of a resource or a group of resources. text: in words, of what lies on the table."""

    item: str
    number: int
    text: str = ""


Text = tuple[str | Amount, ...]
"""A price or an effect, with its amounts as data: "+", 1 coin, " / ", 2 apples."""


# ---- what never changes: the equipment of a game, in one language ----


class Named(Part):
    """A player, resource, value, region, or a kind of card or piece. forms: of a resource, the
    words after the numbers 1, 2 and 5; short: an abbreviation that no other thing of its sort has.
    """

    id: str
    name: str
    forms: tuple[str, ...] = ()
    short: str = ""
    look: Look = PLAIN


class Field(Part):
    """A field of a card. name, text: in words; parts: its price or effect, if it is one; number:
    of a number, and 1 for yes; values: the ids of a value, or of several; is_named: the number
    stands in the name of each card of its kind.
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
    """A card face up. kind: also its back. text: as printed. marks: what it counts as and is worth;
    effect: what it costs or does; power: its ability, each from long to short.
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
        """The name with what the card costs or does, counts as, and holds."""
        effect = truncate(self.effect[: briefly + 1][-1], _TOLD) if self.effect else ""
        said = "; ".join(filter(None, (effect, self.unsaid(self.name, briefly), *held)))
        return f"{self.name} ({said})" if said else self.name

    def unsaid(self, name: str, version: int) -> str:
        """What the card counts as and is worth, in this version of the words, without what a name
        of it says: nothing of a red 6 whose colour is red. In the shortest version words are cut.
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
        """The short name, with what the card costs or does as briefly as possible."""
        *_, effect = self.effect or ("",)
        return f"{self.short} ({effect})" if 0 < len(effect) <= _TOLD else self.short


class PlaceInfo(Part):
    """A space or a zone. name: with its region and owner; own_name: without the owner; address: a
    label as on the table, of which label is the part within the region. owner: a player, or "".
    active: abilities of cards there count. hides: cards lie face down there, as a rule.
    is_left_out: the layout does not show it. refills: its cards come back into another pile when
    that runs out. is_ordered: a rule reads which of its cards lies on top, or how deep one lies, or
    its owner knows its cards by that alone.
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
    """Everything that a game is played with. cards: every card of the game; which of them lies
    where, only a view tells. layout: what is shown, and where. groups: of resources, with their
    members. on_spaces: the resources and variables of which each space has its own. is_numbered: a
    number alone can name a thing. has_secrets: players see or choose what others must not know.
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


# ---- what one viewer sees now ----


class Card(Part):
    """A card on a place. id: "" if the viewer does not know it; `back` is its kind. said: what
    players have been told about a card that not all know. count: how many unknown ones like this
    lie in a row.
    """

    id: str = ""
    back: str = ""
    said: str = ""
    down: bool = False
    amounts: tuple[Amount, ...] = ()
    count: int = 1


class Value(Part):
    """The value of a variable, in words; "" for nothing. name: of the variable, and of a pool that
    holds one resource that of the pool. sort, id and number: the value as a thing, of a pool its
    resource and how much; hidden: the viewer does not know it.
    """

    name: str
    text: str
    sort: str = ""
    id: str = ""
    number: int = 0
    hidden: bool = False


class Contents(Part):
    """What lies on a place; cards from top to bottom, those of a hand whose order no rule reads in
    that of the game. A place with nothing on it has no entry. values: of variables of this space,
    without what is no or nothing, and without what is zero, unless it is something else at first.
    """

    cards: tuple[Card, ...] = ()
    pieces: tuple[str, ...] = ()
    amounts: tuple[Amount, ...] = ()
    values: tuple[Value, ...] = ()


class Question(Part):
    """The open question. seat: who is asked: a player or "chance". about: the things that one must
    see to answer it, the most important first: what the rules in progress act on, what the choices
    act on and lead to, and what of the viewer's they cost.
    """

    id: str
    seat: str
    text: str
    kind: str = "ask"
    about: tuple[Ref, ...] = ()


class Lead(Part):
    """What a choice leads to: in words from long to short, with costs, and the things it names."""

    words: tuple[str, ...]
    about: tuple[Ref, ...] = ()


class Offer(Part):
    """One choice, in words. id: what is sent and recorded. label: the action; thing: what it acts
    on, with what that costs or gives; name: without that; short: the short name of its card; group:
    the sort of thing; also: another name that can be typed. pays: of a payment or an exchange; an
    exchange is a free one. declines: whether it does nothing.
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
    """One thing that happened, as the viewer knew it then. kind: as in `Event`."""

    kind: str
    text: str
    about: tuple[Ref, ...] = ()


class News(Part):
    """One choice and what followed. step: its number in the record, from 0. seat: who chose, or
    "chance". choice: in words.
    """

    step: int
    seat: str
    choice: str
    acts_on: tuple[Ref, ...] = ()
    events: tuple[Happened, ...] = ()


class ScoreTable(Part):
    """The points of each player, in the order of the seats: a row for each part that counts for
    anybody, under its words, and all together. What depends on hidden things is a guess: the least
    and the most in some positions that the viewer cannot tell apart.
    """

    parts: tuple[tuple[str, tuple[str, ...]], ...]
    totals: tuple[str, ...]


class Outcome(Part):
    """The end. text: who wins, and by what, in words. scores: none in a game without scores."""

    text: str
    winners: tuple[str, ...] = ()
    scores: ScoreTable | None = None


class View(Frozen, forbid_unknown_fields=True):
    """All that a viewer sees of a table. viewers: the seats that look together; none is the public.

    amounts: by player and resource, without zeros. values: variables by name, those of each player
    as "V of P". off_board: the pieces off the board. out: the players who are out of the game;
    passed: those who are out of the turns in progress.
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
