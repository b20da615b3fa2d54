"""What all parts of the syntax tree share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields

from targi_dsl.text.source import Span

# Lists are tuples; `Word` is a name with its place; a part that may be left out is None.


@dataclass(frozen=True, slots=True)
class Node:
    """A part of the tree. Two nodes are equal if they say the same, wherever they stand."""

    span: Span = field(kw_only=True, compare=False, repr=False)

    def children(self) -> Iterator[Node]:
        """The nodes right under this one, in the order of its fields."""
        for one in fields(self):
            yield from _nodes(getattr(self, one.name))

    def walk(self) -> Iterator[Node]:
        """This node and all below it, each before its children."""
        waiting: list[Node] = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(list(node.children())))


def _nodes(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _nodes(part)


@dataclass(frozen=True, slots=True)
class Word(Node):
    """A name as written."""

    text: str
