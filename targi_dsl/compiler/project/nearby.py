"""Unknown names that a nearby module or card set declares."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import field
from pathlib import PurePath

from targi_dsl.compiler.layers.bodies import forbids
from targi_dsl.compiler.layers.changes import names_of
from targi_dsl.compiler.project.discovery import Project
from targi_dsl.compiler.project.written import Written
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.light import dataclass
from targi_dsl.text.source import Source

_BASED = re.compile(r"^module\b.*\bbased\b.*", re.MULTILINE)


@dataclass(slots=True)
class NearbyNames:
    """Searched only for unknown names, since it reads every file near the game.

    Near a game are the modules based on one of its own, everything next to its sheet, and the
    card sets next to its own. `cards` are the ids of the cards in play.
    """

    written: Written
    cards: Collection[str]
    _found: dict[str, str] | None = field(default=None, repr=False)

    def __contains__(self, name: str) -> bool:
        """Whether the name is declared near the game, or was removed from it."""
        return name in self._names()

    def has_card(self, name: str) -> bool:
        """Whether a card that the game leaves out has that id."""
        return any(name == card for card, _ in self._names_of_cards())

    def hint(self, name: str) -> str:
        """How to bring the name into the game; empty if there is no way."""
        return self._names().get(name, "")

    def _names(self) -> dict[str, str]:
        if self._found is None:
            found: dict[str, str] = {}
            for module in self.written.modules.values():
                found.update(
                    (name, "") for node in module.declarations for name in node.derived(_declared)
                )
            found.update(self._names_of_modules())
            for name, how in self._names_of_cards():
                found.setdefault(name, how)
            self._found = found
        return self._found

    def _names_of_modules(self) -> Iterator[tuple[str, str]]:
        project, own = self.written.project, self.written.modules
        others = [one for one in project.names("module") if one not in own]
        bases = {module: _bases(project, module) for module in others}
        related = set(own)
        while more := {one for one, those in bases.items() if those & related} - related:
            related |= more
        related |= set(project.names_beside("module"))
        for module in others:
            if module in related:
                how = f"Module {module} declares it: add it to `rules`."
                for source in _readable(project.module(module)):
                    for node in project.cache_of(source).file(source).declarations:
                        yield from ((name, how) for name in node.derived(_declared))

    def _names_of_cards(self) -> Iterator[tuple[str, str]]:
        project = self.written.project
        beside = set(project.names_beside("card set"))
        folders = {PurePath(name).parent for name in self.written.card_files}
        for card_set in project.names("card set"):
            files = project.files("card set", card_set)
            if card_set not in beside and not any(PurePath(one).parent in folders for one in files):
                continue
            how = f"It is a card of set {card_set}: add it to a `deck`."
            for source in _readable(project.card_set(card_set)):
                found, _ = project.cache_of(source).card_file(source)
                for entry in found.cards if found is not None else ():
                    if entry.id not in self.cards:
                        yield entry.id, how


def _readable(sources: Iterator[Source]) -> Iterator[Source]:
    """The files up to the first unreadable one."""
    with suppress(Problems):
        yield from sources


def _bases(project: Project, module: str) -> set[str]:
    """The modules that a module is based on."""
    return {
        word.text
        for source in _readable(project.module(module))
        if _BASED.search(source.text)
        for node in project.cache_of(source).file(source).declarations
        if isinstance(node, n.Module)
        for word in node.based_on
    }


def _declared(node: n.Declaration) -> tuple[str, ...]:
    """The names that exist because of a declaration."""
    match node:
        case n.ExtendNames():
            return tuple(word.text for word in node.members)
        case n.Replace():
            return tuple(part.name.text for part in forbids(node.what))
        case _ if isinstance(node, n.Component):
            return tuple(names_of(node))
        case _:
            return ()
