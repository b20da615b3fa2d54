"""Walks over the parts of a game, whatever they stand in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import TypeVar

Part = TypeVar("Part")
_NAMES: dict[type, tuple[str, ...]] = {}  # of the fields of a class


def parts(node: object, of: type[Part]) -> Iterator[Part]:
    """Every part of a class, outermost first; not what only tells where something stands."""
    if isinstance(node, of):
        yield node
    if isinstance(node, tuple):
        for one in node:
            yield from parts(one, of)
    else:
        for name in _names(type(node)):
            yield from parts(getattr(node, name), of)


def _names(of: type) -> tuple[str, ...]:
    if of not in _NAMES:
        names = [one.name for one in fields(of)] if is_dataclass(of) else []
        _NAMES[of] = tuple(name for name in names if name not in ("span", "origins", "type"))
    return _NAMES[of]
