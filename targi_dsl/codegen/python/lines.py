"""The text of generated Python: lines with their indentation, and the values that a function has
computed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field, replace

from targi_dsl.ir.constants import YOU
from targi_dsl.ir.types import Type
from targi_dsl.text.light import dataclass

_INVENTED = re.compile(r"\b[a-z]+\d")  # names of other values, and parameters


class Lines:
    """Lines of one function. `cost` bounds what they add to the meter, whichever way is taken;
    `known` are the names of values that have been computed, in a function that changes nothing.
    """

    def __init__(self, depth: int = 1, taken: int = 0, is_pure: bool = False) -> None:
        self.rows: list[str] = []
        self.depth, self.cost = depth, 0
        self.known: dict[str, str] = {}
        self._is_pure = is_pure
        self._names = [taken]

    @property
    def taken(self) -> int:
        """How many names the function uses."""
        return self._names[0]

    def add(self, *texts: str) -> None:
        """Adds lines at the current indentation."""
        self.rows += ["    " * self.depth + text for text in texts]

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Lines below a header, such as an `if`."""
        self.add(f"{head}:")
        self.depth += 1
        before, known = len(self.rows), dict(self.known)
        yield
        self.known = known
        if len(self.rows) == before:
            self.add("pass")
        self.depth -= 1

    def fresh(self, letter: str = "x") -> str:
        """A name that is not used in the function."""
        self._names[0] += 1
        return f"{letter}{self._names[0]}"

    def apart(self, deeper: int = 0) -> Lines:
        """Lines of the same function that can be added later."""
        found = Lines(self.depth + deeper, is_pure=self._is_pure)
        found._names, found.known = self._names, dict(self.known)
        return found

    def take(self, other: Lines) -> None:
        """Adds lines that were kept separate."""
        self.rows += other.rows
        self.cost += other.cost
        if other.depth == self.depth:
            self.known |= other.known

    def learn(self, text: str, name: str) -> None:
        """Reuses the name of a value that depends only on the position and the frame."""
        if self._is_pure and not _INVENTED.search(text):
            self.known[text] = name


@dataclass(frozen=True, slots=True)
class Scope:
    """Where the slots of a frame are: each has a name of its own, or is in the frame `f`; if there
    is no frame, it has not been set and is 0. `context` is that of the frame. `things` are the
    slots that are certainly not nothing.
    """

    types: tuple[Type, ...]
    names: Mapping[int, str] = field(default_factory=dict)
    in_frame: bool = True
    context: str = "f[-1]"
    things: frozenset[int] = frozenset({YOU})

    def slot(self, number: int) -> str:
        """The text of a slot."""
        if number in self.names:
            return self.names[number]
        return f"f[{number}]" if self.in_frame else "0"

    def bound(self, number: int, name: str, is_thing: bool = False) -> Scope:
        """The scope in which a slot has a name."""
        things = self.things | {number} if is_thing else self.things - {number}
        return replace(self, names={**self.names, number: name}, things=things)
