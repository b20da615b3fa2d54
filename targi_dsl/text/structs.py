"""The bases of all values: structs that cannot be changed, equal if their fields are."""

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import ClassVar, dataclass_transform

from msgspec import Struct, field


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Frozen(Struct, frozen=True):
    """A value; its subclasses are frozen too."""


class Noted(Frozen):
    """A value with notes: fields that are not compared, such as where it is written."""

    notes: ClassVar[tuple[str, ...]]

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        compared = _compared(type(self))
        return compared(self) == compared(other)

    def __hash__(self) -> int:
        return hash(_compared(type(self))(self))


@cache
def _compared(of: type[Noted]) -> Callable[[object], object]:
    names = [one for one in of.__struct_fields__ if one not in of.notes]
    return attrgetter(*names) if names else lambda _: ()
