"""A version of a game: its sheet with other options, decks or numbers of its definitions."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from targi_dsl.compiler.layers.combine import combine
from targi_dsl.compiler.load import load, read
from targi_dsl.compiler.project.discovery import PLAYERS
from targi_dsl.ir.game import Game
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.structs import Frozen
from targi_dsl.text.suggestions import suggestion

Pairs = tuple[tuple[str, str], ...]


class Version(Frozen):
    """What to play. sheet: a name or path; sets: definitions with their new numbers; gains: what
    seats get after the setup, each as `SEAT gains N RESOURCE`.
    """

    sheet: str
    options: Pairs = ()
    decks: Pairs = ()
    sets: Pairs = ()
    gains: tuple[str, ...] = ()

    def changed(
        self,
        options: Mapping[str, str],
        decks: Mapping[str, str],
        sets: Mapping[str, str],
    ) -> Version:
        """The version with further changes."""
        return replace(
            self,
            options=(*self.options, *options.items()),
            decks=(*self.decks, *decks.items()),
            sets=(*self.sets, *sets.items()),
        )

    @property
    def arguments(self) -> str:
        """The command-line arguments of the version."""
        parts = [shlex.quote(self.sheet)]
        for flag, pairs in (
            ("--option", self.options),
            ("--deck", self.decks),
            ("--set", self.sets),
        ):
            parts += [f"{flag} {shlex.quote(f'{name}={value}')}" for name, value in pairs]
        return " ".join(parts)

    def text(self, name: str, title: str) -> str:
        """A sheet of this name with all changes of the version. Raises Problems for a definition
        that the game does not have.
        """
        known = numbers(self.sheet)
        for one, _ in self.sets:
            if one not in known:
                raise unknown(f"{self.sheet} defines no number `{one}`", one, known)
        head = f'game {name} "{title}" based on {Path(self.sheet).stem}'
        lines = [
            f"  players {value}" if one == PLAYERS else f"  option {one}: {value}"
            for one, value in self.options
        ]
        lines += [f"  deck {zone}: {cards}" for zone, cards in self.decks]
        changes = [f"replace define {one}: {value}" for one, value in self.sets]
        after = ["", "extend rule setup", *(f"  {one}" for one in self.gains)] if self.gains else []
        return "\n".join(["language 2", head, *lines, "", *changes, *after, ""])


@cache
def game_of(version: Version) -> Game:
    """The checked game of a version. Raises Problems with all its errors."""
    options, decks = dict(version.options), dict(version.decks)
    if not (version.sets or version.gains):
        return load(version.sheet, options=options, decks=decks)
    path = Path(version.sheet)
    name = f"{path.stem}_changed"
    rest = replace(version, options=(), decks=())  # passed to `load` separately, for their problems
    text = rest.text(name, f"{path.stem}, changed")
    if path.name == version.sheet and path.suffix == "":
        return load(name, {f"{name}.targi": text}, options, decks)
    file = str(path.with_name(f"{name}.targi"))
    file = file if "/" in file else f"./{file}"
    return load(file, {file: text}, options, decks)


@cache
def numbers(sheet: str) -> dict[str, int]:
    """The definitions of a game that are plain numbers. Raises Problems if there is no such
    sheet.
    """
    written = read(sheet)
    layers, _ = combine(tuple(written.modules.values()), written.settled, written.cites)
    nodes = (declared.node for declared in layers.effective.values())
    return {
        node.name.text: int(node.value.value)
        for node in nodes
        if isinstance(node, n.Define) and not node.params and isinstance(node.value, n.Number)
    }


def unknown(what: str, name: str, known: Mapping[str, object]) -> Problems:
    """The problem of a name that an experiment does not find."""
    text = f"There are: {', '.join(known)}." if known else "There is none."
    return Problems(
        [Problem("E620", what, None, text, suggestion(name, tuple(known)))],
    )
