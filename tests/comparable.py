"""The complete contents of an object, for comparing the results of two compilations."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from targi_dsl.text.source import Span


def comparable(one: object) -> object:
    """An object as plain data: dataclasses by their fields, spans by their places."""
    match one:
        case Span():
            return one.source.name, one.start, one.end
        case tuple() | list():
            return [comparable(part) for part in one]
        case Mapping():
            return {comparable(key): comparable(part) for key, part in one.items()}
        case _ if isinstance(one, Struct):
            names = (name for name in one.__struct_fields__ if name != "engines")
            return type(one).__name__, {name: comparable(getattr(one, name)) for name in names}
        case _:
            return one
