"""The changes that modules make to each name: declare, replace, extend or remove it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Any, TypeVar

from targi_dsl.compiler.layers.error_symbols import Unresolved
from targi_dsl.compiler.layers.sorts import names, sort_of
from targi_dsl.ir.origins import Operation, Origin
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.light import dataclass, replace
from targi_dsl.text.source import Span
from targi_dsl.text.suggestions import suggestion

Key = tuple[str, str]
"""What a declaration declares: its sort ("rule", "zone", ...) and its name."""


@dataclass(frozen=True, slots=True)
class ModuleText:
    """One module as written: the headers and declarations of all its files."""

    name: str
    title: str | None
    based_on: tuple[n.Word, ...]
    declarations: tuple[n.Component | n.Layer, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Effective:
    """One declaration after all layers, with its origins, newest first."""

    node: n.Component
    origins: tuple[Origin, ...]


@dataclass(frozen=True, slots=True)
class Layers:
    """The effective declarations, and the removed ones with their histories.

    `cards`: the changes of single cards, by id. `gone`: every name that a removal took away,
    including parts of what was removed, with that removal. `refused`: the names declared twice,
    and those added to an unknown list.
    """

    effective: dict[Key, Effective]
    removed: dict[Key, tuple[Origin, ...]]
    gone: dict[str, Origin]
    refused: set[str] = field(default_factory=set)
    cards: Mapping[str, tuple[CardChange, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CardChange:
    """A module's change of one card."""

    module: str
    card: n.Word
    node: n.ChangeCard | n.ExtendAction
    how: str = "changed"

    @property
    def span(self) -> Span:
        """The place of the card's name."""
        return self.card.span


@dataclass(frozen=True, slots=True)
class Change:
    module: str
    how: Operation
    node: Any
    span: Span


Changed = TypeVar("Changed", Change, CardChange)

_OF_CARD = {
    "extended": "extend action of {}",
    "replaced": 'change card {}: action "..."',
    "removed": "change card {}: no action",
}
"""The changes to the action of a card, for a rule of the card's name."""

_TAKEN_AWAY = ("resource", "value", "prohibition")
"""What is removed together with the declaration that names it."""


def keys(node: n.Component) -> tuple[Key, ...]:
    """The names that a declaration declares; `resource coins, points` declares two."""
    return node.derived(_keys)


def _keys(node: n.Component) -> tuple[Key, ...]:
    sort = sort_of(node).word
    match node:
        case n.About() | n.Players() | n.Tie() | n.Layout() | n.Look():
            return ((sort, sort),)
        case n.Resources(group=None):
            return tuple((sort, word.text) for word in node.names)
        case n.Resources(group=n.Word() as group):
            return ((sort, group.text),)
        case n.Resources():
            return ()
        case _:
            return ((sort, node.name.text),)


def changes_of(module: str, node: n.Component | n.Layer) -> Iterator[tuple[Key, Change]]:
    match node:
        case n.Replace():
            for key in keys(node.what):
                yield key, Change(module, "replaced", node.what, _name_span(node.what))
        case n.ExtendRule():
            yield ("rule", node.rule.text), Change(module, "extended", node, node.rule.span)
        case n.ExtendNames():
            yield (
                (node.what.text, node.name.text),
                Change(module, "extended", node, node.name.span),
            )
        case n.ExtendLayout():
            yield ("layout", "layout"), Change(module, "extended", node, node.span)
        case n.ExtendLook():
            yield ("look", "look"), Change(module, "extended", node, node.span)
        case n.Remove():
            yield (node.what.text, node.name.text), Change(module, "removed", node, node.name.span)
        case n.ReplaceForbid():
            yield ("forbid", node.name.text), Change(module, "replaced", node, node.name.span)
        case n.ExtendForbid():
            yield ("forbid", node.name.text), Change(module, "extended", node, node.name.span)
        case n.ChangeCard() | n.ExtendAction():
            pass  # a card is not a declaration
        case _:
            for key in keys(node):
                yield key, Change(module, "declared", _single(node, key), _name_span(node))


def card_changes(module: ModuleText) -> Iterator[CardChange]:
    """A module's changes of single cards."""
    for node in module.declarations:
        if isinstance(node, n.ChangeCard | n.ExtendAction):
            yield CardChange(module.name, node.card, node)


def ancestors(modules: Iterable[ModuleText]) -> dict[str, set[str]]:
    """For each module, itself and everything it is based on."""
    found: dict[str, set[str]] = {}
    for module in modules:  # bases come first, so theirs are already known
        found[module.name] = {module.name}.union(
            *(found.get(base.text, set()) for base in module.based_on)
        )
    return found


def _single(node: n.Component, key: Key) -> n.Component:
    # `resource coins, points` is two declarations, so that each can be removed or replaced.
    if isinstance(node, n.Resources) and node.group is None:
        return replace(node, names=tuple(word for word in node.names if word.text == key[1]))
    return node


def _name_span(node: n.Component) -> Span:
    name = getattr(node, "name", None)
    return name.span if isinstance(name, n.Word) else node.span


def names_of(node: n.Component) -> Iterator[str]:
    """The names that exist because of a declaration: its own and those of its parts."""
    yield from (name for _, name in keys(node))
    yield from (word.text for kind, word in names(node) if kind in _TAKEN_AWAY)


def unknown(key: Key, change: Change, known: set[Key]) -> Problem:
    sort, name = key
    hint = suggestion(name, sorted(one for kind, one in known if kind == sort))
    other = sorted(kind for kind, one in known if one == name)
    text = f"No loaded module declares it, so it cannot be {change.how}."
    if other:
        text += f" `{name}` is declared, but as `{other[0]}`."
    title = f"unknown {sort} `{name}`"
    of_card = _OF_CARD.get(change.how, "").format(name) if sort == "rule" else ""
    return Unresolved("E402", title, change.span, text, hint, name=name, of_card=of_card)


def clash(
    what: str, name: str, before: Changed, after: Changed, labels: tuple[Label, ...]
) -> Problem:
    """Two changes of which it is not said which comes last."""
    text = (
        f"Modules {before.module} and {after.module} both change it, and neither is based on the"
        " other, so it is unclear which change comes last."
    )
    # What is removed cannot be changed any more, so removals come last.
    first, last = (after, before) if before.how == "removed" else (before, after)
    hint = f"settle {name}: {first.module} then {last.module}"
    return Problem("E403", f"two modules change {what}", after.span, text, hint, labels=labels)


def in_settled_order(changes: list[Changed], order: Iterable[n.Word]) -> list[Changed]:
    """The changes in the order that the sheet settles; those of other modules come first."""
    places = {word.text: at for at, word in enumerate(order)}
    return sorted(changes, key=lambda one: places.get(one.module, -1))


def removed_before(what: str, removal: Change | Origin, change: Change, verb: str) -> Problem:
    """The change of something that another module has removed."""
    text = f"Module {removal.module} has removed it, so there is nothing to {verb}."
    label = (Label(removal.span, "removed here"),) if removal.span is not None else ()
    return Problem("E408", f"{what} was removed", change.span, text, labels=label)


def not_based(what: str, change: Change, home: str, there: Span) -> Problem:
    title = f"{what} belongs to module {home}"
    text = f"Module {change.module} is not based on {home}, so it cannot have it {change.how}."
    hint = f"module {change.module} based on {home}"
    return Problem("E407", title, change.span, text, hint, labels=(Label(there, "declared here"),))
