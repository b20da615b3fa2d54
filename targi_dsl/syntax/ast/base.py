"""The base class of all syntax trees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, fields
from typing import Literal

from targi_dsl.text.light import dataclass
from targi_dsl.text.source import Span

Facing = Literal["up", "down", ""]
"""How a card is to lie; empty where that is left to the zone."""

Audience = Literal["all", "owner", "others", "nobody", ""]
"""Who is to see cards or a value; empty where nothing is said."""

# Lists are tuples; `Word` is a name with its place; a part that may be left out is None.


class _Kept:
    """A slot for the nodes below a node; no field, so that it is neither compared nor copied."""

    __slots__ = ("_nodes",)
    _nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Node(_Kept):
    """A part of the tree. Two nodes are equal if they say the same, wherever they stand."""

    span: Span = field(kw_only=True, compare=False, repr=False)

    def children(self) -> list[Node]:
        """The nodes right under this one, in the order of its fields."""
        found: list[Node] = []
        for name in field_names(type(self)):
            _collect(getattr(self, name), found)
        return found

    def walk(self) -> tuple[Node, ...]:
        """This node and all below it, each before its children; worked out once, since a check of
        a whole game walks every tree several times.
        """
        try:
            return self._nodes
        except AttributeError:
            found = tuple(_walked(self))
            object.__setattr__(self, "_nodes", found)
            return found


def _walked(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += one.children()[::-1]


_FIELDS: dict[type, tuple[str, ...]] = {}


def field_names(of: type) -> tuple[str, ...]:
    """The fields of a class of nodes, apart from the span."""
    if of not in _FIELDS:
        _FIELDS[of] = tuple(one.name for one in fields(of) if one.name != "span")
    return _FIELDS[of]


def _collect(value: object, found: list[Node]) -> None:
    if isinstance(value, Node):
        found.append(value)
    elif isinstance(value, tuple):
        for part in value:
            _collect(part, found)


@dataclass(frozen=True, slots=True)
class Word(Node):
    """A name as written."""

    text: str


@dataclass(frozen=True, slots=True)
class Counted(Word):
    """`apples (one apple)`: a name with its singular, if it has one."""

    singular: Word | None
