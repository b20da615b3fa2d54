"""The base classes of values: immutable structs that are equal if their fields are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from operator import attrgetter
from typing import ClassVar, TypeVar, dataclass_transform

from msgspec import Struct, field


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Frozen(Struct, frozen=True):
    """A value; its subclasses are frozen too."""


class Noted(Frozen):
    """A value with notes: fields that comparison ignores, such as spans."""

    notes: ClassVar[tuple[str, ...]]

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        compared = _compared(type(self))
        return compared(self) == compared(other)

    def __hash__(self) -> int:
        return hash(_compared(type(self))(self))

    def __repr__(self) -> str:
        names = (name for name in self.__struct_fields__ if name not in self.notes)
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__name__}({fields})"


@cache
def _compared(of: type[Noted]) -> Callable[[object], object]:
    names = [one for one in of.__struct_fields__ if one not in of.notes]
    return attrgetter(*names) if names else lambda _: ()


# ---- an immutable, hashable mapping ----


V_co = TypeVar("V_co", covariant=True)


class FrozenMap(Mapping[str, V_co]):
    """A mapping of names that keeps insertion order."""

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, V_co] | Iterable[tuple[str, V_co]] = ()) -> None:
        self._items: dict[str, V_co] = dict(items)

    def __getitem__(self, name: str) -> V_co:
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return f"FrozenMap({self._items})"
