"""The names that syntax trees mention, directly or by definitions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from targi_dsl.compiler.symbols.mentions import mentions
from targi_dsl.syntax import ast as n
from targi_dsl.text.structs import Frozen


def names_read(tree: n.Node) -> frozenset[str]:
    """The names that a tree mentions, including those in wordings."""
    words = {word for said in tree.every(n.Quoted) for word in re.findall(r"\w+", said.text)}
    return frozenset(words | {one.name for one in tree.derived(mentions) if one.kinds})


def reads(nodes: Iterable[n.Node | None], word: n.Word) -> bool:
    """Whether any of these trees mentions a name."""
    return any(word.text in one.derived(names_read) for one in nodes if one is not None)


def named(things: n.Expr) -> str:
    """The name of a thing or kind, without its owner; "" if it has none."""
    match things:
        case n.Name(name) | n.Your(n.Word(name)) | n.Of(n.Word(name), None):
            return name
        case _:
            return ""


class Asked(Frozen):
    """What the checks of a tree know of the game.

    fields: for each field, whether every kind of card may lack it. defines: the definitions.
    emptied: variables that are set to nothing somewhere. coming: kinds of pieces that enter or
    leave the board during play. plurals: resources by their singular.
    """

    fields: Mapping[str, bool]
    defines: Mapping[str, n.Define]
    emptied: frozenset[str]
    coming: frozenset[str]
    plurals: Mapping[str, str]

    def by(self, names: frozenset[str]) -> frozenset[str]:
        """These names, and those that the definitions among them mention, transitively."""
        found, pending = set(names), [*names & self.defines.keys()]
        for name in pending:
            new = names_read(self.defines[name]) - found
            found |= new
            pending += new & self.defines.keys()
        return frozenset(found)

    def compared(self, name: str) -> frozenset[str]:
        """The names mentioned in folds (`highest` and others) of a definition without parameters,
        transitively.
        """
        define = self.defines.get(name)
        if define is None or define.params:
            return frozenset()
        asked = self.by(frozenset((name,))) & self.defines.keys()
        every = (self.defines[one] for one in asked if not self.defines[one].params)
        folds = (fold for one in every for fold in one.every(n.Fold))
        return frozenset[str]().union(*(self.by(names_read(fold)) for fold in folds))

    def inlined(self, value: n.Expr, name: str) -> tuple[n.Expr, str]:
        """The value of a definition of the thing with this name, and that thing's name in it; any
        other expression unchanged.
        """
        for _ in self.defines:
            match value:
                case n.Of(n.Word(called), None, n.Name(of)) if of == name and (
                    (define := self.defines.get(called)) and len(define.params) == 1
                ):
                    value, name = define.value, define.params[0].name.text
                case _:
                    break
        return value, name
