"""Error symbols: names whose declarations are faulty, so that one mistake gives one message.

A declaration that cannot be parsed, or is rejected, still enters its name. Whatever uses such a
name is abandoned silently, since the mistake itself has been reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field
from itertools import pairwise

from targi_dsl.text import light
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.light import dataclass

_WORD = re.compile(r"[a-z][a-z0-9_]*")
_FORBIDS = re.compile(r"^ +[a-z]+ +([a-z][a-z0-9_]*):|\bforbid +([a-z][a-z0-9_]*)", re.MULTILINE)
_FIRST = re.compile(r"^ +([a-z][a-z0-9_]*)", re.MULTILINE)


@light.dataclass(frozen=True, slots=True)
class Unresolved(Problem):
    """A name that refers to nothing; not a problem of its own if it is an error symbol.

    `of_card` is the hint for the case that it is a card.
    """

    name: str = field(kw_only=True)
    of_card: str = field(kw_only=True, default="")


@dataclass(slots=True)
class ErrorSymbols:
    """The names of faulty declarations, and the files that are missing, which may have declared
    any name.
    """

    names: set[str] = field(default_factory=set)
    no_module: bool = False
    no_cards: bool = False

    def __contains__(self, name: str) -> bool:
        return name in self.names

    def enter(self, declaration: str) -> None:
        """Enters the names of a declaration that cannot be read."""
        self.names.update(_names(declaration))


def _names(declaration: str) -> Iterator[str]:
    text = declaration.casefold()
    head, _, rest = text.partition("\n")
    words = _WORD.findall(head)[1:]
    yield from words
    yield from ("_".join(pair) for pair in pairwise(words))  # a name written as two words
    for found in _FORBIDS.finditer(text):
        yield found[1] or found[2]
    if head.startswith("card"):
        yield from (found for found in _FIRST.findall(rest))
    if head.startswith(("about", "players", "tie", "layout", "look")):
        yield head.split(maxsplit=1)[0]
