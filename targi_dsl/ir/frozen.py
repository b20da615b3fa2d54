"""An immutable, hashable mapping."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

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
