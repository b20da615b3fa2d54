"""The rules hash: a fingerprint of what is played, so of nothing that is only shown."""

from __future__ import annotations

import dataclasses
import hashlib

from targi_dsl.ir import model as m
from targi_dsl.text.source import Span

PRESENTATION: dict[type, frozenset[str]] = {
    m.Game: frozenset({"title", "options", "layout", "declared", "hash", "sheet"}),
    m.CardInfo: frozenset({"shorts", "names", "texts", "fields"}),
    m.AbilityInfo: frozenset({"text"}),
    m.ForbidInfo: frozenset({"reason"}),
    m.Tie: frozenset({"text"}),
}
"""What a game holds for people only: a save stays good when any of it changes.

Options are resolved in the rules, so that their names are no part of what is played.
"""


def rules_hash(game: m.Game) -> str:
    """The same for two games exactly when the same is played, up to hash collisions."""
    return hashlib.sha256(_canonical(game).encode()).hexdigest()[:16]


def _canonical(value: object) -> str:
    match value:
        case m.Origin() | Span():
            return "_"
        case tuple():
            return "(" + ",".join(map(_canonical, value)) + ")"
        case _ if dataclasses.is_dataclass(value):
            shown = PRESENTATION.get(type(value), frozenset())
            fields = (one.name for one in dataclasses.fields(value) if one.name not in shown)
            inner = ",".join(_canonical(getattr(value, name)) for name in fields)
            return f"{type(value).__name__}({inner})"
        case _:
            return repr(value)
