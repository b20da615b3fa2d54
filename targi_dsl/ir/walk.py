"""Traversal of the parts of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from operator import attrgetter, itemgetter
from typing import Any, TypeVar

from targi_dsl.ir.statements import Alternative, Binding, Placed

Part = TypeVar("Part")
_NAMES: dict[type, tuple[str, ...]] = {}
_Reader = Callable[[Any], Iterable[object]]
_Way = tuple[bool, _Reader | None]
_WAYS: dict[object, dict[type, _Way]] = {}
"""By what is looked for and where: for each class, whether it is that, and how its parts are read.
"""

_OF_BLOCKS = (Placed, Alternative, Binding)
_ABOUT = ("span", "origins", "type", "slots")
"""Fields that contain only source locations or types."""
_LEAVES = (
    "int", "str", "bool", "int | None", "tuple[int, ...]", "int | tuple[int, ...]",
    "SetOperator", "Aggregate", "ArithmeticOperator", "Comparison", "QuestionKind", "TriggerVerb",
    "Facing | Literal['']",
)  # fmt: skip
"""Annotations of fields that cannot contain parts."""


def parts(node: object, of: type[Part] | tuple[type[Part], ...]) -> Iterator[Part]:
    """All parts of a class, outermost first."""
    return _found(node, of, (object,))


def within(block: object, of: type[Part] | tuple[type[Part], ...]) -> Iterator[Part]:
    """All statements, alternatives and bindings of a class in a block, outermost first. Faster
    than `parts`, since it does not look into expressions.
    """
    return _found(block, of, _OF_BLOCKS)


def _found(
    node: object, of: type[Part] | tuple[type[Part], ...], entered: tuple[type, ...]
) -> Iterator[Part]:
    ways = _WAYS.setdefault((of, entered), {})
    waiting: list[Any] = [node]
    while waiting:
        one = waiting.pop()
        if (way := ways.get(type(one))) is None:
            is_enterable = issubclass(type(one), (tuple, *entered))
            way = isinstance(one, of), _reader(type(one)) if is_enterable else None
            ways[type(one)] = way
        is_wanted, read = way
        if is_wanted:
            yield one
        if read is not None:
            waiting += read(one)


def _reader(of: type) -> _Reader | None:
    """Reads the direct parts of a part, in reverse order; None if a class has none."""
    if of is tuple:
        return itemgetter(slice(None, None, -1))
    match names(of)[::-1]:
        case ():
            return None
        case (name,):
            return lambda one: (getattr(one, name),)
        case several:
            return attrgetter(*several)


def outermost(node: object, of: type[Part] | tuple[type[Part], ...]) -> Iterator[Part]:
    """The parts of a class that are not inside another of that class."""
    if isinstance(node, of):
        yield node
    else:
        for one in children(node):
            yield from outermost(one, of)


def children(node: object) -> Iterator[object]:
    """The direct parts of a part."""
    if isinstance(node, tuple):
        yield from node
    else:
        for name in names(type(node)):
            yield getattr(node, name)


def names(of: type) -> tuple[str, ...]:
    """The fields of a class that hold parts."""
    if of not in _NAMES:
        found = fields(of) if is_dataclass(of) else ()
        _NAMES[of] = tuple(
            one.name for one in found if one.name not in _ABOUT and one.type not in _LEAVES
        )
    return _NAMES[of]
