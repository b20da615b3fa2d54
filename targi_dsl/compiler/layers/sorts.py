"""The table of sorts of declarations, with what other modules need to know about each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, get_args

from targi_dsl.compiler.layers.bodies import forbids
from targi_dsl.ir.declarations import DeclaredSort
from targi_dsl.syntax import ast as n


class Sort(NamedTuple):
    """The first word of a declaration, and what messages call the declared thing."""

    node: type[n.Component]
    word: DeclaredSort
    kind: str


SORTS = (
    Sort(n.About, "about", "description"),
    Sort(n.Players, "players", "player"),
    Sort(n.Resources, "resource", "resource"),
    Sort(n.Pool, "pool", "pool"),
    Sort(n.Values, "values", "list of values"),
    Sort(n.CardKind, "card", "kind of card"),
    Sort(n.Space, "space", "space"),
    Sort(n.Zone, "zone", "zone"),
    Sort(n.Piece, "piece", "piece"),
    Sort(n.Variable, "variable", "variable"),
    Sort(n.SpaceSet, "set", "set"),
    Sort(n.Relation, "relation", "relation"),
    Sort(n.Option, "option", "option"),
    Sort(n.FreeExchange, "exchange", "exchange"),
    Sort(n.ScorePart, "score", "score"),
    Sort(n.Tie, "tie", "tie-break"),
    Sort(n.Standing, "standing", "standing ability"),
    Sort(n.Layout, "layout", "layout"),
    Sort(n.Look, "look", "look"),
    Sort(n.Rule, "rule", "rule"),
    Sort(n.Define, "define", "definition"),
)

_BY_NODE: dict[type[n.Node], Sort] = {one.node: one for one in SORTS}


def sort_of(node: n.Component) -> Sort:
    """The sort of a declaration."""
    return _BY_NODE[type(node)]


_WORDS: dict[str, DeclaredSort] = {word: word for word in get_args(DeclaredSort)}


def sort_named(word: str) -> DeclaredSort:
    """The sort of declarations that have this first word."""
    return _WORDS[word]


def word_of(node: type[n.Node]) -> DeclaredSort:
    """The first word of declarations of a sort."""
    return _BY_NODE[node].word


def names(node: n.Component) -> tuple[tuple[str, n.Word], ...]:
    """The names that a declaration declares, each with what it refers to."""
    return node.derived(_names)


def _names(node: n.Component) -> tuple[tuple[str, n.Word], ...]:
    return tuple(_named(node))


def _named(node: n.Component) -> Iterator[tuple[str, n.Word]]:
    match node:
        case n.Players():
            yield from (("player", word) for word in node.names)
        case n.Resources():
            if node.group is not None:
                yield "group of resources", node.group
            yield from (("resource", word) for word in node.names)
        case n.Values():
            yield "list of values", node.name
            yield from (("value", word) for word in node.members)
        case n.CardKind():
            yield "kind of card", node.name
            yield from (("field", one.name) for one in node.fields)
        case n.Option():
            yield "option", node.name
            yield from (("option value", word) for word in node.values)
        case n.Rule():
            yield "rule", node.name
            yield from (("prohibition", part.name) for part in forbids(node))
        case n.About() | n.Tie() | n.Layout() | n.Look():
            pass
        case _:
            yield sort_of(node).kind, node.name
