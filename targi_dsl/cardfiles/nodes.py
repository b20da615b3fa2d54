"""The nodes of a YAML file, all with spans."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from targi_dsl.text.source import Embedded, Span
from targi_dsl.text.structs import Frozen


class Scalar(Frozen):
    """A single value: a text, a whole number, true, false or null. `text`: the decoded value with
    the position of each character.
    """

    value: str | int | bool | None
    span: Span
    text: Embedded


class Sequence(Frozen):
    """A list."""

    items: tuple[Node, ...]
    span: Span


class Mapping(Frozen):
    """Keys and values in order; `keys` has the spans of the keys."""

    entries: dict[str, Node]
    keys: dict[str, Span]
    span: Span


Node = Scalar | Sequence | Mapping


def single_values(node: Node | None) -> Iterator[Scalar]:
    """The scalars of a field: itself, or the items of a list."""
    items = node.items if isinstance(node, Sequence) else (node,)
    yield from (one for one in items if isinstance(one, Scalar))


def scalar_at(node: Node, offset: int) -> tuple[Scalar, int] | None:
    """The scalar at an offset of the file, and the corresponding offset in its value."""
    match node:
        case Scalar():
            if not node.span.start <= offset <= node.span.end:
                return None
            return node, bisect_left(node.text.offsets, offset - node.span.home.start)
        case Sequence():
            inner = iter(node.items)
        case Mapping():
            inner = iter(node.entries.values())
    return next((found for one in inner if (found := scalar_at(one, offset))), None)


def plain(node: Node) -> object:
    """The node as plain data."""
    match node:
        case Scalar():
            return node.value
        case Sequence():
            return [plain(item) for item in node.items]
        case Mapping():
            return {key: plain(value) for key, value in node.entries.items()}
