"""A fingerprint of what the rules of a game mean."""

from __future__ import annotations

import dataclasses
import hashlib

from targi_dsl.ir import model as m
from targi_dsl.text.source import Span


def rules_hash(made: m.Game) -> str:
    """A fingerprint of what the rules mean: not of comments, layout, translations, titles or paths."""
    plain = dataclasses.replace(made, hash="", title="", layout=(), declared=())
    return hashlib.sha256(_plain(plain).encode()).hexdigest()[:16]


def _plain(value: object) -> str:
    match value:
        case m.Origin() | Span() | dict():
            return "_"
        case tuple():
            return "(" + ",".join(_plain(one) for one in value) + ")"
        case _ if dataclasses.is_dataclass(value):
            inner = ",".join(_plain(getattr(value, one.name)) for one in dataclasses.fields(value))
            return f"{type(value).__name__}({inner})"
        case _:
            return repr(value)
