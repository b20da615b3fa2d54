"""What a YAML file says, every part with its place."""

from __future__ import annotations

from dataclasses import dataclass

from targi_dsl.text.source import Embedded, Span


@dataclass(frozen=True, slots=True)
class Scalar:
    """One value: a text, a whole number, true, false or nothing.

    `text` is the value as written, without quotes and escapes, with the place of each character.
    """

    value: str | int | bool | None
    span: Span
    text: Embedded


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list."""

    items: tuple[Node, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys with values, in the order written; `keys` has the place of each key."""

    entries: dict[str, Node]
    keys: dict[str, Span]
    span: Span


Node = Scalar | Sequence | Mapping


def plain(node: Node) -> object:
    """The same as ordinary data: dicts, lists, texts, ints, bools and None."""
    match node:
        case Scalar():
            return node.value
        case Sequence():
            return [plain(item) for item in node.items]
        case Mapping():
            return {key: plain(value) for key, value in node.entries.items()}
