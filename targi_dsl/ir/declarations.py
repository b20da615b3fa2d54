"""What a checked game declares: places, cards, rules, abilities, scores."""

from __future__ import annotations

from dataclasses import dataclass

from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.expressions import Expr
from targi_dsl.ir.frozen import FrozenMap
from targi_dsl.ir.prices import Amounts
from targi_dsl.ir.statements import Block
from targi_dsl.ir.types import Type
from targi_dsl.text.source import Span


@dataclass(frozen=True, slots=True)
class Origin:
    """Where something of a name stands: its module and place, and what that module did to it."""

    module: str
    span: Span | None
    how: str = "declared"
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Declared:
    """A declaration of the rules (sort: rule, define, zone, ...) as the layers have left it, with
    all its origins.

    One that has been removed has the origin of its removal first.
    """

    sort: str
    name: str
    origins: tuple[Origin, ...]


@dataclass(frozen=True, slots=True)
class PlaceInfo:
    """A space of the board or a zone: cards and pieces lie on places.

    region is its declared name; number counts within it, and label is what it is called there (a
    zone by its whole name); owner is a player or nothing.

    seen: all | owner | nobody (zones); spaces are seen by all. facing: up | down: how cards lie
    when nothing else is said. refill: the place whose cards come back shuffled when this runs out
    (nothing: none), at once or when needed. drawn_for: the zone, of a box that cards are drawn
    from before setup: none comes into it. closed: only who sees it knows what has come into it.
    """

    name: str
    region: str
    label: str
    number: int
    owner: int
    is_zone: bool
    active: bool
    seen: str
    facing: str
    refill: int
    refill_at_once: bool
    row: int
    column: int
    drawn_for: str = ""
    closed: bool = False

    @property
    def is_box(self) -> bool:
        """Whether it only holds what is drawn from before setup; then `drawn_for` is the zone."""
        return bool(self.drawn_for)


@dataclass(frozen=True, slots=True)
class CardInfo:
    """One card. id is unique in the game, entry is that of the card file, which copies share; its
    kind is its back; cards with the same `same` are interchangeable.
    """

    id: str
    entry: str
    kind: int
    same: int
    set: str
    shorts: FrozenMap[str]
    names: FrozenMap[str]
    texts: FrozenMap[str]
    fields: FrozenMap[int | str]
    start: int
    span: Span | None


@dataclass(frozen=True, slots=True)
class PieceInfo:
    name: str
    kind: str
    owner: int


@dataclass(frozen=True, slots=True)
class Variable:
    """Slots base .. base + count - 1: one for each value of a domain, or one.

    seen: all | owner | nobody. What not all see has as many slots again, from `secret` on: 0 while
    all know the value, 1 when it may be any, 2 + n when it is an element of what the definition
    offers[n] gives for its owner.
    """

    name: str
    base: int
    count: int
    each: Type | None
    type: Type
    low: int
    high: int
    start: int
    seen: str = "all"
    secret: int = NOTHING
    offers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """params counts the slots after YOU that are arguments; slots gives the type of every frame
    slot, YOU included.

    opens: position slots set to 0 when the rule begins (windows and memories of this period).
    part_of: the rule of which this is what is left inside what abilities have laid around it.
    """

    name: str
    params: int
    slots: tuple[Type, ...]
    body: Block
    opens: tuple[int, ...]
    origins: tuple[Origin, ...]
    part_of: str = ""

    @property
    def declared(self) -> str:
        """The name of the rule that it is, or that it is a part of."""
        return self.part_of or self.name


@dataclass(frozen=True, slots=True)
class DefineInfo:
    name: str
    slots: tuple[Type, ...]
    value: Expr
    type: Type
    origins: tuple[Origin, ...]


@dataclass(frozen=True, slots=True)
class ForbidInfo:
    """permits: abilities that lift it, each with its condition, those without a window first."""

    name: str
    rule: int
    reason: str
    permits: tuple[tuple[int, Expr], ...]
    origins: tuple[Origin, ...]


@dataclass(frozen=True, slots=True)
class AbilityInfo:
    """One ability of one card (card is nothing for a standing one: window then has a slot for each
    player).

    window: the position slot that counts its uses, or nothing. arrival: the rule done when the card
    comes to an active place. missing: a name it speaks of that this game does not have ("" for
    none): then it does nothing.
    """

    name: str
    card: int
    window: int
    arrival: int
    text: str
    span: Span | None
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Trigger:
    """After an event: verb gain | pay | do; subject: the resource or rule; actor: you | opponent |
    anyone, seen from the owner.

    kind: the card kind of the source, or nothing for any. body: the rule done, with the owner as
    you. memory: the first of the slots, one for each player, that remember that it happened this
    period, or nothing.
    """

    ability: int
    verb: str
    subject: int
    actor: str
    kind: int
    body: int
    memory: int
    condition: Expr


@dataclass(frozen=True, slots=True)
class FreeExchange:
    """At any question of theirs a player may give these items for those."""

    name: str
    give: Amounts
    take: Amounts


@dataclass(frozen=True, slots=True)
class ScorePart:
    """A named part of every player's score; slots as in a rule. ability: only while it is active
    (nothing: always).
    """

    name: str
    value: Expr
    slots: tuple[Type, ...]
    ability: int
    origins: tuple[Origin, ...]


@dataclass(frozen=True, slots=True)
class Tie:
    most: bool
    value: Expr
    slots: tuple[Type, ...]
    text: str
