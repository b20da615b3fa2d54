"""Error symbols: names of faulty declarations, recorded to suppress follow-up messages.

A declaration that cannot be parsed, or is rejected, still enters its name here. Uses of such a name
are abandoned without a message, since the fault itself has been reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from msgspec import Struct

from targi_dsl.syntax import Rest
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Section, Source

_WORD = re.compile(r"[a-z][a-z0-9_]*")
_FORBIDS = re.compile(r"^ +[a-z]+ +([a-z][a-z0-9_]*):|\bforbid +([a-z][a-z0-9_]*)", re.MULTILINE)
_UNDECLARED = re.compile(r"[a-z]\w* *[:=]")
_STEP = re.compile(r"\bdo +([a-z][a-z0-9_]*)")
_CERTAIN = ("E1", "E201", "E402", "E404")
_OF_A_RULE = ("E321", "E322")  # a rule asks or pays nothing
_CHANGING = ("replace", "extend", "change", "remove")
_FIRST = re.compile(r"^ +([a-z][a-z0-9_]*)", re.MULTILINE)


class Unresolved(Problem, kw_only=True):
    """A name that is not declared. It is dropped later if it is an error symbol. `of_card`: the
    hint if it is the name of a card.
    """

    name: str
    of_card: str = ""


class ErrorSymbols(Struct):
    """The error symbols of a game.

    `names`: of faulty declarations. `possible`: all words of declarations that cannot be read, each
    of which may have been its name unless it is declared elsewhere. `rests`: declarations with
    unreadable lines, with the words in these lines. `lacking`: the rules among them, and `steps`
    the rules that these call.
    `no_module`, `no_cards`: a file is missing or unreadable, which may have declared any name.
    """

    names: set[str] = set()
    possible: set[str] = set()
    rests: dict[Source | Section, frozenset[str]] = {}
    lacking: set[str] = set()
    steps: set[str] = set()
    no_module: bool = False
    no_cards: bool = False

    def __contains__(self, name: str) -> bool:
        return name in self.names

    def excuse(self, problem: Problem) -> bool:
        """Whether a problem may be a consequence of a reported fault and is to be dropped. If lines
        of a declaration are unreadable, only certain problems (`_CERTAIN`) of it are kept.
        """
        home = None if problem.span is None else problem.span.home
        unread = frozenset[str]() if home is None else self.rests.get(home, frozenset())
        if isinstance(problem, Unresolved):
            if problem.code == "E404" and problem.name in self.steps:
                return True
            return self.no_module or problem.name in self or problem.name in unread
        if problem.code in _OF_A_RULE and problem.span is not None:
            return problem.span.text in self.lacking
        homes = {home, *(label.span.home for label in problem.labels)}
        return not self.rests.keys().isdisjoint(homes) and not problem.code.startswith(_CERTAIN)

    def enter(self, declaration: str) -> None:
        """Enters the names that an unreadable declaration may declare."""
        found = self.names if declaration.startswith(_CHANGING) else self.possible
        found.update(_names(declaration))
        self.names.update(_parts(declaration))

    def refuse(self, declared: Iterable[str], refused: Iterable[str]) -> None:
        """Enters what has been refused of what is declared."""
        self.names |= self.possible.difference(declared).union(refused)

    def enter_rest(self, section: Section, rest: Rest) -> None:
        """Enters the names that unreadable lines of a declaration may declare."""
        self.rests[section] = rest.unread
        self.lacking.add(rest.rule)
        self.steps.update(_STEP.findall(section.text))
        self.names.update(_parts(section.text), {rest.rule} if rest.headless else ())


def _parts(declaration: str) -> Iterator[str]:
    return (found[1] or found[2] for found in _FORBIDS.finditer(declaration.casefold()))


def _names(declaration: str) -> Iterator[str]:
    head, _, rest = declaration.casefold().partition("\n")
    words = _WORD.findall(head)[not _UNDECLARED.match(head) :]
    yield from words
    yield from ("_".join(pair) for pair in pairwise(words))  # a name written as two words
    if head.startswith("card"):
        yield from (found for found in _FIRST.findall(rest))
    if head.startswith(("about", "player", "tie", "layout", "look")):
        yield "players" if head.startswith("player") else head.split(maxsplit=1)[0]
