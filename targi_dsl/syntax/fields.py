"""Assigns the parts of a construct to the fields of its node."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from targi_dsl.syntax import ast as n

Parts = list[Any]
Shapes = Mapping[str, str]
MANY = "many"


def values(shapes: Shapes, parts: Parts) -> dict[str, Any]:
    """The parts by field, in order; a tuple field takes what the fields after it leave."""
    values = {}
    at = 0
    for left, (name, shape) in zip(range(len(shapes) - 1, -1, -1), shapes.items(), strict=True):
        if shape == MANY:
            if at < len(parts) and isinstance(parts[at], tuple):
                values[name] = parts[at]
                at += 1
            else:
                end = max(at, len(parts) - left)
                values[name] = present(parts[at:end])
                at = end
        else:
            values[name] = _value(shape, parts[at] if at < len(parts) else None)
            at += 1
    return values


def _value(shape: str, part: Any) -> Any:
    return _CONVERTERS[shape](part) if shape in _CONVERTERS else part


def present(parts: Parts) -> tuple[Any, ...]:
    return tuple(part for part in parts if part is not None)


def unquoted(word: n.Word) -> str:
    return word.text[1:-1]


def _text(part: n.Word | str | None) -> str:
    return part.text if isinstance(part, n.Word) else part or ""


_CONVERTERS: Mapping[str, Callable[[Any], object]] = {
    "int": lambda part: int(part.text),
    "bool": lambda part: part is not None,
    **dict.fromkeys(("str", "Facing", "Actor", "Article", "Difference"), _text),
    "Quoted": lambda part: n.Quoted(part.text, span=part.span),
    "str | None": lambda part: None if part is None else unquoted(part),
}
"""How a part becomes the value of a field, by its annotation; all others are taken as they are."""
