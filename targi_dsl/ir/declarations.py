"""What a checked game declares: places, cards, rules, abilities, scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Literal, TypeVar

from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, Audience, Facing, TriggerVerb
from targi_dsl.ir.expressions import Expr
from targi_dsl.ir.origins import Origin
from targi_dsl.ir.slots import Slots
from targi_dsl.ir.statements import Alternative, Binding, Block, Placed
from targi_dsl.ir.types import Place, Type
from targi_dsl.ir.walk import within
from targi_dsl.ir.wordings import Reason
from targi_dsl.text.source import Span
from targi_dsl.text.structs import Frozen, FrozenMap

Result = TypeVar("Result")
Part = TypeVar("Part", bound=Placed | Alternative | Binding)


DeclaredSort = Literal[
    "about", "players", "resource", "pool", "values", "card", "space", "zone", "piece", "variable",
    "set", "relation", "option", "exchange", "score", "lowest", "tie", "never", "standing",
    "layout", "look", "rule", "define", "forbid",
]  # fmt: skip
"""The first words of declarations, and `forbid` for a prohibition inside a rule."""


def heading(sort: str, name: str) -> str:
    """The first words of a declaration; some, such as `players`, have no name of their own."""
    return sort if sort == name else f"{sort} {name}"


class Declared(Frozen):
    """A declaration after all layers have been applied, with all its origins.

    If it has been removed, the first origin is the removal.
    """

    sort: DeclaredSort
    name: str
    origins: tuple[Origin, ...]


class PlaceInfo(Frozen):
    """A space of the board or a zone: the places where cards and pieces lie.

    region: the declared name. number and label: its number and its name within the region (for a
    zone, the label is the whole name). owner: a player, or nothing.

    seen: who sees what lies in a zone (everybody sees spaces). facing: the usual orientation of its
    cards. refill: the place whose cards are shuffled into this one when it runs out (nothing:
    none), either at once or when a card is needed. drawn_for: for a box that cards are drawn from
    before setup, the zone they go to; no card ever enters a box. closed: cards that enter are known
    only to players who can see into it.
    """

    name: str
    region: str
    label: str
    number: int
    owner: int
    is_zone: bool = False
    active: bool = False
    seen: Audience = "all"
    facing: Facing = "up"
    refill: int = NOTHING
    refill_at_once: bool = False
    row: int = 1
    column: int = 1
    drawn_for: str = ""
    closed: bool = False

    def shows(self, player: int, *, up: bool) -> bool:
        """Whether a player sees a card that lies there face up or face down."""
        match self.seen:
            case "all":
                return up
            case "owner":
                return player == self.owner
            case "others":
                return player != self.owner
            case "nobody":
                return False

    @property
    def is_box(self) -> bool:
        """Whether it is a box that cards are drawn from before setup; `drawn_for` is the zone
        they go to.
        """
        return bool(self.drawn_for)


FieldValue = int | str | tuple[str, ...]
"""The value of a field of a card as its file has it: a truth, a number, a text, or a list."""


def in_one_line(value: FieldValue) -> str:
    """The value of a field as a card file would write it."""
    return f"[{', '.join(value)}]" if isinstance(value, tuple) else str(value)


class CardInfo(Frozen):
    """One card. id: unique in the game. entry: its id in the card file, shared by copies. kind:
    also determines the back. same: cards with an equal number are interchangeable. prices: the
    number of the price in each of its fields that is a cost. changes: the fields that modules
    change, as written there, the latest last.
    """

    id: str
    entry: str
    kind: int
    same: int
    set: str
    shorts: FrozenMap[str]
    names: FrozenMap[str]
    texts: FrozenMap[str]
    fields: FrozenMap[FieldValue]
    prices: FrozenMap[int]
    start: int
    span: Span | None
    changes: tuple[Span, ...] = ()


class PieceInfo(Frozen):
    name: str
    kind: str
    owner: int


REMEMBERED = "positions remembered"
"""The variable that stores the positions that a rule has remembered."""

TOLD = "told "
"""Begins the name of a variable that records what players have been told, before the field."""


class Variable(Frozen):
    """Occupies the slots base .. base + count - 1: one for each value of a domain, or a single
    one.

    low and high: the bounds of its values; a place may also be nothing.

    seen: who sees its values. A variable that not everybody sees has as many slots again,
    starting at `secret`: 0 if everybody knows the value, 1 if it may be any value, 2 + n if it is
    one of the values that the definition offers[n] yields for its owner.

    bits: for a variable that records what players have been told about a field of cards, the bit of
    each card's value. The variable holds the bits of the values that everybody knows the card not
    to have.

    holds: the resource whose amount it keeps, if it keeps one.
    """

    name: str
    base: int
    count: int
    each: Type | None
    type: Type
    low: int
    high: int
    start: int
    seen: Audience = "all"
    secret: int = NOTHING
    offers: tuple[int, ...] = ()
    bits: tuple[int, ...] = ()
    holds: str = ""

    @property
    def is_hidden(self) -> bool:
        """Whether only the rules read it: it is not shown, and no event reports it."""
        return self.name == REMEMBERED

    @property
    def is_of_spaces(self) -> bool:
        """Whether each space has a value of it, which is shown there."""
        is_value = not (self.holds or self.is_hidden or self.bits)
        return is_value and isinstance(self.each, Place)

    def owner(self, at: int, players: int) -> int:
        """Whose the value at an index is, if it is for each player or for each of their spaces."""
        return at * players // self.count

    def seeing(self, at: int, players: int) -> int:
        """A bit for each player, of so many, who sees the value at an index that is secret."""
        owner = 1 << self.owner(at, players)
        return {"owner": owner, "others": (1 << players) - 1 - owner}.get(self.seen, 0)

    @property
    def field(self) -> str:
        """The field of cards that players are told about; empty if it does not record that."""
        return self.name.removeprefix(TOLD) if self.bits else ""

    @property
    def pool(self) -> str:
        """The pool that holds the resource; empty if it lies on something else."""
        return "" if self.each else self.name.removeprefix(f"{self.holds} of ") * bool(self.holds)

    def wording_key(self, key: str) -> str:
        """The key of the wording of the value that belongs to this; an empty key if there is only
        one.
        """
        if not key:
            return self.name
        return f"{self.holds} on {key}" if self.holds else f"{self.name} of {key}"


class RuleInfo(Frozen, dict=True):
    """A rule. params: the number of slots after YOU that hold arguments. slots: the type of every
    frame slot, including YOU.

    opens: position slots reset to 0 when the rule begins (the windows and memories of this
    period). part_of: for the remainder of a rule that abilities have wrapped, that rule.
    wording: the number of its words for people.
    """

    name: str
    params: int
    slots: tuple[Type, ...]
    body: Block
    opens: tuple[int, ...]
    origins: tuple[Origin, ...]
    part_of: str = ""
    wording: int = NOTHING

    @property
    def declared(self) -> str:
        """The name of the declared rule that this is, or is part of."""
        return self.part_of or self.name

    def every(self, of: type[Part]) -> Sequence[Part]:
        """The statements, alternatives or bindings of a class in the body, outermost first."""
        return self._by_class.get(of, ())

    @cached_property
    def _by_class(self) -> dict[type, list[Any]]:
        found = defaultdict(list)
        for one in within(self.body, (Placed, Alternative, Binding)):
            found[type(one)].append(one)
        return found


class DefineInfo(Frozen):
    name: str
    slots: tuple[Type, ...]
    value: Expr
    type: Type
    origins: tuple[Origin, ...]


class ForbidInfo(Frozen):
    """A prohibition. permits: the abilities that lift it, each with its condition; those without
    a window come first. condition: as written; empty if a statement implies the prohibition.
    """

    name: str
    rule: int
    reason: Reason
    permits: tuple[tuple[int, Expr], ...]
    origins: tuple[Origin, ...]
    condition: str = ""


class AbilityInfo(Frozen):
    """One ability of one card. A standing ability has no card (nothing), and its window has one
    slot for each player.

    window: the position slot that counts its uses, or nothing. arrival: the rule done when the
    card enters an active place. missing: a name in its text that this game does not declare (""
    if none); such an ability has no effect.
    """

    name: str
    card: int
    window: int
    arrival: int
    text: str
    span: Span | None
    missing: str = ""


class Trigger(Frozen):
    """Reacts to an event. subject: the resource or rule. actor: relative to the owner.

    kind: the card kind the source must have, or nothing for any. body: the rule done, with the
    owner as `you`. memory: the first of the slots, one for each player, that record that it
    happened this period, or nothing.
    """

    ability: int
    verb: TriggerVerb
    subject: int
    actor: Literal["you", "opponent", "anyone"]
    kind: int
    body: int
    memory: int
    condition: Expr


class FreeExchange(Frozen):
    """An exchange that players may make at any question put to them. when: for you, the condition
    on which it is offered; a payment that needs such an exchange is not possible.
    """

    name: str
    give: Amounts
    take: Amounts
    when: Expr | None = None


class ScorePart(Frozen):
    """A named part of every player's score; slots as in a rule. ability: counted only while this
    ability is active (nothing: always).
    """

    name: str
    value: Expr
    slots: tuple[Type, ...]
    ability: int
    origins: tuple[Origin, ...]


class Tie(Frozen):
    most: bool
    value: Expr
    slots: tuple[Type, ...]
    text: str


# ---- outcomes of players, for games whose rules say who wins, loses or is out ----


OUTCOME = "outcome"
"""The name of the variable, and of its list of values."""

PLAYING, WON, LOST, OUT, DRAWN = range(5)
OUTCOMES = ("playing", "won", "lost", "out", "drawn")


def outcome_base(variables: Iterable[Variable]) -> int:
    """The slot of the first player's outcome, or nothing if the rules name no outcomes."""
    type_ = t.Value(OUTCOME)
    return next(
        (
            variable.base
            for variable in variables
            if (variable.name, variable.type) == (OUTCOME, type_)
        ),
        NOTHING,
    )


# ---- prices and the modifiers of payments ----


Amounts = tuple[tuple[int, int], ...]
"""(item, number) pairs, in the order of the items."""


class Price(Frozen):
    """Alternatives to pay, an optional extra payment, and its reward."""

    alternatives: tuple[Amounts, ...]
    extra: Amounts = ()
    reward: Amounts = ()


class Reduction(Frozen):
    """Saves items while the ability is active and the condition holds (in the frame of the
    payment).
    """

    ability: int
    item: int
    number: Expr
    condition: Expr


class Substitute(Frozen):
    """Lets `paid` replace `owed`, once per payment."""

    ability: int
    paid: Amounts
    owed: Amounts
    condition: Expr


class Stored(Frozen):
    """Lets what is stored on the ability's card (in a position slot) pay first."""

    ability: int
    resource: int
    slot: int


class Terms(Frozen):
    """Everything that can modify the payments of one rule."""

    rule: str
    reductions: tuple[Reduction, ...] = ()
    substitutes: tuple[Substitute, ...] = ()
    stored: tuple[Stored, ...] = ()


# ---- the numbered tables shared by a checked game and its program ----


class Tables(Frozen, kw_only=True, eq=False):
    """Tables whose entries refer to each other by index.

    actions: for each card the rule of its action, or nothing. impossible: definitions of a player,
    each of which holds of no player in any position.
    """

    name: str
    players: tuple[str, ...]
    resources: tuple[str, ...]
    groups: tuple[tuple[str, tuple[int, ...]], ...]
    values: tuple[tuple[str, tuple[str, ...]], ...]
    kinds: tuple[str, ...]
    places: tuple[PlaceInfo, ...]
    pieces: tuple[PieceInfo, ...]
    variables: tuple[Variable, ...]
    defines: tuple[DefineInfo, ...]
    abilities: tuple[AbilityInfo, ...]
    triggers: tuple[Trigger, ...]
    terms: tuple[Terms, ...]
    prices: tuple[Price, ...]
    actions: tuple[int, ...]
    scores: tuple[ScorePart, ...]
    ties: tuple[Tie, ...]
    impossible: tuple[int, ...]
    setup: int
    round: int
    slots: Slots
    lowest_wins: bool = False

    def merit(self, score: int) -> int:
        """A score as a number of which the highest wins."""
        return -score if self.lowest_wins else score

    def merits(self, points: Iterable[Iterable[int]]) -> tuple[int, ...]:
        """By seat the merit of its score, from the parts of the scores by seat."""
        return tuple([self.merit(sum(row)) for row in points])

    def tables(self) -> dict[str, Any]:
        """These tables by name, to build others from."""
        return {name: getattr(self, name) for name in Tables.__struct_fields__}

    def members(self, item: int) -> tuple[int, ...]:
        """The resources of an item of an amount, which may be a group."""
        first = len(self.resources)
        return (item,) if item < first else self.groups[item - first][1]
