"""Error symbols: names that stand for something that is wrong, so that one fault is one message.

A declaration that cannot be read, or is refused, still enters its name. What such a name stands in
is given up without a word, since the fault itself has been reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from targi_dsl.text.diagnostics import Problem

_WORD = re.compile(r"[a-z][a-z0-9_]*")
_FORBIDS = re.compile(r"^ +[a-z]+ +([a-z][a-z0-9_]*):|\bforbid +([a-z][a-z0-9_]*)", re.MULTILINE)
_FIRST = re.compile(r"^ +([a-z][a-z0-9_]*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Unresolved(Problem):
    """A name that stands for nothing: no problem of its own if it is an error symbol.

    `of_card` is the hint in case that it is a card.
    """

    name: str = field(kw_only=True)
    of_card: str = field(kw_only=True, default="")


@dataclass(slots=True)
class ErrorSymbols:
    """The names, and what is missing as a whole: then any name may have been declared there."""

    names: set[str] = field(default_factory=set)
    no_module: bool = False
    no_cards: bool = False

    def __contains__(self, name: str) -> bool:
        return name in self.names

    def enter(self, declaration: str) -> None:
        """Enters the names that a declaration gives which cannot be read."""
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
    if head.startswith(("about", "players", "tie", "layout")):
        yield head.split(maxsplit=1)[0]
