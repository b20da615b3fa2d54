"""The base class of syntax trees: traversal, rewriting, cached analyses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cache
from operator import is_not
from typing import Any, Literal, Self, TypeVar

from msgspec.structs import replace

from targi_dsl.text.source import Span
from targi_dsl.text.structs import Noted

Facing = Literal["up", "down", ""]
"""How a card is put; empty if the zone decides."""

Audience = Literal["all", "owner", "others", "nobody", ""]
"""Who sees cards or a value; empty for the default."""

# Lists are tuples; a name is a `Word`, with its span; an omitted part is None.


Result = TypeVar("Result")
Part = TypeVar("Part", bound="Node")


class Node(Noted, kw_only=True, dict=True):
    """A node of the tree. Equality ignores spans."""

    notes = ("span",)

    span: Span

    def children(self) -> list[Node]:
        """The direct child nodes, in the order of fields."""
        found: list[Node] = []
        for name in field_names(type(self)):
            _collect(getattr(self, name), found)
        return found

    def derived(self, compute: Callable[[Self], Result], key: object = None) -> Result:
        """The cached result of a function of this tree alone. `key` identifies the function, if it
        is created for each call.
        """
        derived: Any = self.__dict__
        key = key or compute
        if key not in derived:
            derived[key] = compute(self)
        found: Result = derived[key]
        return found

    def derived_with(self, other: Part, compute: Callable[[Self, Part], Result]) -> Result:
        """The result of a function of this tree and another; the latest is cached."""
        derived: Any = self.__dict__
        latest = derived.get(compute)
        if latest is None or latest[0] is not other:
            latest = derived[compute] = other, compute(self, other)
        found: Result = latest[1]
        return found

    def walk(self) -> tuple[Node, ...]:
        """This node and all descendants, in preorder."""
        return self.derived(_walked)

    def every(self, of: type[Part]) -> tuple[Part, ...]:
        """The descendants of exactly this class, itself included, in preorder."""
        derived: Any = self.__dict__
        by_class: Any = derived.get(_by_class) or self.derived(_by_class)
        found: tuple[Part, ...] = by_class.get(of, ())
        return found


def _by_class(node: Node) -> dict[type[Node], tuple[Any, ...]]:
    found = defaultdict[type[Node], list[Node]](list)
    for one in node.walk():
        found[type(one)].append(one)
    return {of: tuple(those) for of, those in found.items()}


def _walked(node: Node) -> tuple[Node, ...]:
    found: list[Node] = []
    waiting = [node]
    while waiting:
        one = waiting.pop()
        found.append(one)
        waiting += one.children()[::-1]
    return tuple(found)


Change = Callable[["Node"], Any]
"""Maps a node to its replacement."""


def rewritten(node: Part, change: Change) -> Part:
    """The tree with every node replaced by the result of a function, bottom-up. Nodes without
    changes are shared.
    """
    values = {name: getattr(node, name) for name in field_names(type(node))}
    new = {name: _rewritten(value, change) for name, value in values.items()}
    changed = {name: value for name, value in new.items() if value is not values[name]}
    result: Part = change(replace(node, **changed) if changed else node)
    return result


def _rewritten(value: object, change: Change) -> object:
    if isinstance(value, Node):
        return rewritten(value, change)
    if isinstance(value, tuple):
        parts = tuple(_rewritten(part, change) for part in value)
        return parts if any(map(is_not, parts, value)) else value
    return value


@cache
def field_names(of: type[Node]) -> tuple[str, ...]:
    """The fields of a class, except the span."""
    return tuple(name for name in of.__struct_fields__ if name != "span")


def _collect(value: object, found: list[Node]) -> None:
    if isinstance(value, Node):
        found.append(value)
    elif isinstance(value, tuple):
        for part in value:
            _collect(part, found)


class Word(Node):
    """A name as written."""

    text: str


class Chosen(Word):
    """`of NAME` in an amount: the resource that is the value of the name."""


class Counted(Word):
    """`apples (one apple)`: a name with its singular, if it has one."""

    singular: Word | None
