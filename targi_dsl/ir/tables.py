"""The numbered tables shared by a checked game and its program."""

from __future__ import annotations

from targi_dsl.ir.declarations import (
    AbilityInfo,
    DefineInfo,
    PieceInfo,
    PlaceInfo,
    ScorePart,
    Tie,
    Trigger,
    Variable,
)
from targi_dsl.ir.prices import Price, Terms
from targi_dsl.ir.slots import Slots
from targi_dsl.text.structs import Frozen


class Tables(Frozen, kw_only=True, eq=False):
    """Tables whose entries refer to each other by index.

    actions: for each card the rule of its action, or nothing.
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
    setup: int
    round: int
    slots: Slots
