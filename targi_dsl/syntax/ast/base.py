"""The base class of all syntax trees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, fields, replace
from operator import is_not
from typing import Any, Literal, Self, TypeVar

from targi_dsl.text.light import dataclass
from targi_dsl.text.source import Span

Facing = Literal["up", "down", ""]
"""How a card is to lie; empty where that is left to the zone."""

Audience = Literal["all", "owner", "others", "nobody", ""]
"""Who is to see cards or a value; empty where nothing is said."""

# Lists are tuples; `Word` is a name with its place; a part that may be left out is None.


Result = TypeVar("Result")
Part = TypeVar("Part", bound="Node")


class _Derived:
    """A slot for what is derived from a node; no field, so it is neither compared nor copied."""

    __slots__ = ("_derived",)
    _derived: dict[object, Any]


@dataclass(frozen=True, slots=True)
class Node(_Derived):
    """A part of the tree. Two nodes are equal if they say the same, wherever they stand."""

    span: Span = field(kw_only=True, compare=False, repr=False)

    def children(self) -> list[Node]:
        """The nodes right under this one, in the order of its fields."""
        found: list[Node] = []
        for name in field_names(type(self)):
            _collect(getattr(self, name), found)
        return found

    def derived(self, compute: Callable[[Self], Result], key: object = None) -> Result:
        """The result of a function of this tree alone, computed once. `key` identifies the
        function, if it is made anew for each call.
        """
        key = key or compute
        try:
            found: Result = self._derived[key]
        except AttributeError:
            object.__setattr__(self, "_derived", {})
        except KeyError:
            pass
        else:
            return found
        found = self._derived[key] = compute(self)
        return found

    def walk(self) -> tuple[Node, ...]:
        """This node and all below it, each before its children."""
        return self.derived(_walked)

    def every(self, of: type[Part]) -> tuple[Part, ...]:
        """The nodes of a class in this tree, in the order of `walk`."""
        return self.derived(
            lambda tree: tuple(one for one in tree.walk() if isinstance(one, of)), of
        )


def _walked(node: Node) -> tuple[Node, ...]:
    found, waiting = list[Node](), [node]
    while waiting:
        one = waiting.pop()
        found.append(one)
        waiting += one.children()[::-1]
    return tuple(found)


def rewritten(node: Part, change: Callable[[Node], Any]) -> Part:
    """The tree with what a function makes of each node in its place, the innermost first. The
    function gives nodes that may stand where the old ones stood.
    """
    values = {name: getattr(node, name) for name in field_names(type(node))}
    new: dict[str, Any] = {name: _rewritten(value, change) for name, value in values.items()}
    changed = {name: value for name, value in new.items() if value is not values[name]}
    result: Part = change(replace(node, **changed) if changed else node)
    return result


def _rewritten(value: object, change: Callable[[Node], Any]) -> object:
    if isinstance(value, Node):
        return rewritten(value, change)
    if isinstance(value, tuple):
        parts = tuple(_rewritten(part, change) for part in value)
        return parts if any(map(is_not, parts, value)) else value
    return value


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
