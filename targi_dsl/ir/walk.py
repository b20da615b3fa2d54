"""Traversal of the parts of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter, is_, itemgetter
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from targi_dsl.ir.expressions import Expr
from targi_dsl.ir.origins import Origin
from targi_dsl.ir.statements import Alternative, Binding, Placed
from targi_dsl.ir.types import SetOf, Single
from targi_dsl.text.source import Span

Part = TypeVar("Part")
_NAMES: dict[type, tuple[str, ...]] = {}
_Reader = Callable[[Any], Iterable[object]]

_OF_BLOCKS = (Placed, Alternative, Binding)
_NO_PARTS = (Span, Origin, *get_args(Single), SetOf)
"""Classes of values that are never traversed: source locations and types."""


class _Visits(dict[type, tuple[bool, _Reader | None]]):
    """For each class, whether it is searched for, and the reader of its parts if it is entered."""

    def __init__(self, of: type | tuple[type, ...], entered: tuple[type, ...]) -> None:
        super().__init__()
        self._of, self._entered = of, (tuple, *entered)

    def __missing__(self, part: type) -> tuple[bool, _Reader | None]:
        read = _reader(part) if issubclass(part, self._entered) else None
        visit = self[part] = issubclass(part, self._of), read
        return visit


_VISITS: dict[object, _Visits] = {}
"""By the classes searched for and entered."""


def parts(node: object, of: type[Part] | tuple[type[Part], ...]) -> Iterator[Part]:
    """All parts of a class, outermost first."""
    return _matching(node, of, (object,))


def within(block: object, of: type[Part] | tuple[type[Part], ...]) -> Iterator[Part]:
    """All statements, alternatives and bindings of a class in a block, outermost first. Faster
    than `parts`, since it does not look into expressions.
    """
    return _matching(block, of, _OF_BLOCKS)


def _matching(
    node: object, of: type[Part] | tuple[type[Part], ...], entered: tuple[type, ...]
) -> Iterator[Part]:
    visits = _VISITS.get((of, entered))
    if visits is None:
        visits = _VISITS[of, entered] = _Visits(of, entered)
    pending: list[Any] = [node]
    pop = pending.pop
    while pending:
        part = pop()
        is_wanted, read = visits[type(part)]
        if is_wanted:
            yield part
        if read is not None:
            pending += read(part)


def _reader(of: type) -> _Reader | None:
    """Reads the direct parts of a part, in reverse order; None if a class has none."""
    if of is tuple:
        return itemgetter(slice(None, None, -1))
    match names(of)[::-1]:
        case ():
            return None
        case (name,):
            return lambda part: (getattr(part, name),)
        case several:
            return attrgetter(*several)


def outermost(node: object, of: type[Part] | tuple[type[Part], ...]) -> Iterator[Part]:
    """The parts of a class that are not inside another of that class."""
    if isinstance(node, of):
        yield node
    else:
        for child in children(node):
            yield from outermost(child, of)


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
        types = get_type_hints(of) if issubclass(of, Struct) else {}
        _NAMES[of] = tuple(
            name for name in getattr(of, "__struct_fields__", ()) if _may_hold_parts(types[name])
        )
    return _NAMES[of]


def _may_hold_parts(type_: object) -> bool:
    """Whether a value of this type can be or contain a struct that is traversed."""
    if get_origin(type_) is Literal:
        return False
    if arguments := get_args(type_):
        return any(map(_may_hold_parts, arguments))
    if not isinstance(type_, type):
        return False
    return type_ is object or (issubclass(type_, Struct) and type_ not in _NO_PARTS)


Rewrite = Callable[[Expr], Expr]
EXPRESSIONS = frozenset(get_args(Expr))
"""All classes of expressions."""


def rewritten(node: Any, rewrite: Rewrite) -> Any:
    """A part of a game with every expression in it rewritten, inner ones first."""
    of = type(node)
    if of is tuple:
        parts = [rewritten(part, rewrite) for part in node]
        return node if all(map(is_, parts, node)) else tuple(parts)
    changed = {}
    for name in _NAMES.get(of) or names(of):
        before = getattr(node, name)
        if before and (after := rewritten(before, rewrite)) is not before:
            changed[name] = after
    if changed:
        node = replace(node, **changed)
    return rewrite(node) if of in EXPRESSIONS else node
