"""Modules laid over each other: what each name means in the end, and how it came to mean that."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from targi_dsl.model import Origin
from targi_dsl.problems import Label, Problem, did_you_mean
from targi_dsl.source import Source, Span
from targi_dsl.syntax import nodes as n

Key = tuple[str, str]
"""What a declaration declares: its sort ("rule", "zone", ...) and its name."""


@dataclass(frozen=True, slots=True)
class ModuleText:
    """One module as written: its headers and the declarations of all its files."""

    name: str
    title: str | None
    based_on: tuple[n.Word, ...]
    declarations: tuple[n.Component | n.Layer, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Effective:
    """One declaration after all layers, with where it stands: newest first."""

    node: n.Component
    origins: tuple[Origin, ...]


@dataclass(frozen=True, slots=True)
class Layers:
    """The effective declarations, and what has been removed, with how it came to that."""

    effective: dict[Key, Effective]
    removed: dict[Key, tuple[Origin, ...]]


@dataclass(frozen=True, slots=True)
class _Change:
    module: str
    how: str
    node: Any
    span: Span


_SORTS: dict[type, str] = {
    n.Players: "players",
    n.Resources: "resource",
    n.Values: "values",
    n.CardKind: "card",
    n.Space: "space",
    n.Zone: "zone",
    n.Piece: "piece",
    n.Variable: "variable",
    n.SpaceSet: "set",
    n.Relation: "relation",
    n.Option: "option",
    n.FreeExchange: "exchange",
    n.ScorePart: "score",
    n.Tie: "tie",
    n.Standing: "standing",
    n.Layout: "layout",
    n.Rule: "rule",
    n.Define: "define",
}
_EXTENSIBLE = ("resource", "values", "set")


def keys(node: n.Component) -> tuple[Key, ...]:
    """The names a declaration declares; `resource coins, points` declares two."""
    sort = _SORTS[type(node)]
    match node:
        case n.Players() | n.Tie() | n.Layout():
            return ((sort, sort),)
        case n.Resources(group=None):
            return tuple((sort, word.text) for word in node.names)
        case n.Resources(group=n.Word() as group):
            return ((sort, group.text),)
        case n.Resources():
            return ()
        case _:
            return ((sort, node.name.text),)


def combine(
    modules: tuple[ModuleText, ...], settled: Mapping[str, tuple[n.Word, ...]], cites: Callable[[Span], tuple[str, ...]]
) -> tuple[Layers, list[Problem]]:
    """The effective declarations of modules in their order (what a module is based on comes before it)."""
    problems: list[Problem] = []
    changes: dict[Key, list[_Change]] = {}
    for module in modules:
        for node in module.declarations:
            for key, change in _changes(module.name, node):
                changes.setdefault(key, []).append(change)
    ancestors = _ancestors(modules)
    effective: dict[Key, Effective] = {}
    removed: dict[Key, tuple[Origin, ...]] = {}
    later: list[tuple[Key, list[_Change]]] = []
    known = {key for key, found in changes.items() if any(one.how == "declared" for one in found)}
    for key, found in changes.items():
        if key not in known and key[0] == "forbid":
            later.append((key, found))
            continue
        if key not in known:
            problems.extend(_unknown(key, one, known) for one in found)
            continue
        found.sort(key=lambda one: one.how != "declared")
        clashes = list(_clashes(key, found, ancestors, settled))
        problems.extend(clashes)
        found = _in_settled_order(key, found, settled)
        left, origins = _applied(key, found, cites, problems, told=bool(clashes))
        if left is not None:
            effective[key] = Effective(left, origins)
        elif origins:
            removed[key] = origins
    homes = {node.span.source: module.name for module in modules for node in module.declarations}
    for key, found in later:
        there = [part for one in effective.values() for part in _forbids(one.node) if part.name.text == key[1]]
        problems.extend(_foreign_forbids(key, found, there, homes, ancestors))
        if there:
            gone = [Origin(one.module, one.span, "removed", cites(one.span)) for one in reversed(found)]
            declared = [Origin(homes[part.span.source], part.span, "declared", cites(part.span)) for part in there]
            removed[key] = (*gone, *declared)
        _remove_forbid(key, found, effective, problems, cites)
    return Layers(effective, removed), problems


def _changes(module: str, node: n.Component | n.Layer) -> Iterator[tuple[Key, _Change]]:
    match node:
        case n.Replace():
            for key in keys(node.what):
                yield key, _Change(module, "replaced", node.what, node.span)
        case n.ExtendRule():
            yield ("rule", node.rule.text), _Change(module, "extended", node, node.span)
        case n.ExtendNames():
            yield (node.what.text, node.name.text), _Change(module, "extended", node, node.span)
        case n.ExtendLayout():
            yield ("layout", "layout"), _Change(module, "extended", node, node.span)
        case n.Remove():
            yield (node.what.text, node.name.text), _Change(module, "removed", node, node.span)
        case _:
            for key in keys(node):
                yield key, _Change(module, "declared", _single(node, key), _name_span(node))


def _single(node: n.Component, key: Key) -> n.Component:
    # `resource coins, points` is two declarations, so that each can be removed or replaced.
    if isinstance(node, n.Resources) and node.group is None:
        return dataclasses.replace(node, names=tuple(word for word in node.names if word.text == key[1]))
    return node


def _name_span(node: n.Component) -> Span:
    name = getattr(node, "name", None)
    return name.span if isinstance(name, n.Word) else node.span


def _ancestors(modules: Iterable[ModuleText]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for module in modules:  # bases come first, so theirs are there already
        found[module.name] = {module.name}.union(*(found.get(base.text, set()) for base in module.based_on))
    return found


def _unknown(key: Key, change: _Change, known: set[Key]) -> Problem:
    sort, name = key
    near = did_you_mean(name, sorted(one for kind, one in known if kind == sort))
    other = sorted(kind for kind, one in known if one == name)
    text = f"No loaded module declares a {sort} of that name, so it cannot be {change.how}."
    if other:
        text += f" There is a {other[0]} `{name}`."
    return Problem("E402", f"unknown {sort} `{name}`", change.span, text, f"Did you mean `{near}`?" if near else "")


def _clashes(
    key: Key, found: list[_Change], ancestors: dict[str, set[str]], settled: Mapping[str, tuple[n.Word, ...]]
) -> Iterator[Problem]:
    sort, name = key
    home = found[0]
    for before, after in pairwise(found):
        both = (Label(before.span, f"{before.how} here, in module {before.module}"),)
        if after.how == "declared":
            hint = f"To change it, write `replace` in front: `replace {sort} {name}`."
            title = f"`{name}` is declared twice"
            text = f"There is a {sort} `{name}` already, in module {before.module}."
            yield Problem("E401", title, after.span, text, hint, labels=both)
        elif home.module not in ancestors[after.module]:
            yield _not_based(f"{sort} `{name}`", after, home.module, home.span)
        elif before.module not in ancestors[after.module] and name not in settled:
            text = (
                f"Modules {before.module} and {after.module} both change it, and neither is based on the other, "
                "so it is not said which comes last."
            )
            hint = f"settle {name}: {before.module} then {after.module}"
            yield Problem("E403", f"two modules change {sort} `{name}`", after.span, text, hint, labels=both)


def _not_based(what: str, change: _Change, home: str, there: Span) -> Problem:
    title = f"{what} belongs to module {home}"
    text = f"Module {change.module} is not based on {home}, so it cannot have it {change.how}."
    hint = f"module {change.module} based on {home}"
    return Problem("E407", title, change.span, text, hint, labels=(Label(there, "declared here"),))


def _in_settled_order(key: Key, found: list[_Change], settled: Mapping[str, tuple[n.Word, ...]]) -> list[_Change]:
    order = [word.text for word in settled.get(key[1], ())]
    return sorted(found, key=lambda one: (order.index(one.module) + 1) if one.module in order else 0)


def _applied(
    key: Key, found: list[_Change], cites: Callable[[Span], tuple[str, ...]], problems: list[Problem], told: bool
) -> tuple[n.Component | None, tuple[Origin, ...]]:
    """What is left after all changes, if anything, and how it came to that; no origins if that makes no sense."""
    node: n.Component | None = None
    origins: list[Origin] = []
    for change in found:
        match change.how:
            case "declared" | "replaced":
                node = change.node
            case "removed":
                node = None
            case _:
                if node is None:
                    problems.extend([] if told else [_gone(key, change, found)])
                    return None, ()
                node = _extended(node, change, problems)
        origins.insert(0, Origin(change.module, change.span, change.how, cites(change.node.span)))
    return node, tuple(origins)


def _gone(key: Key, change: _Change, found: list[_Change]) -> Problem:
    removal = next(one for one in found if one.how == "removed")
    text = f"Module {removal.module} has removed it, so there is nothing to extend."
    label = (Label(removal.span, "removed here"),)
    return Problem("E408", f"{key[0]} `{key[1]}` was removed", change.span, text, labels=label)


def _extended(node: n.Component, change: _Change, problems: list[Problem]) -> n.Component:
    layer = change.node
    match node, layer:
        case n.Rule(), n.ExtendRule(anchor=None):
            more = tuple(part for part in layer.body if isinstance(part, n.Statement))
            return dataclasses.replace(node, body=node.body + more)
        case n.Rule(), n.ExtendRule(anchor=n.Word() as anchor):
            body, done = _inserted(node.body, layer)
            if not done:
                names = sorted(_anchors(node.body))
                near = did_you_mean(anchor.text, names)
                text = f"Rule {node.name.text} has no `do`, prohibition or alternative of that name. It has: " + (
                    ", ".join(names) or "none"
                )
                title = f"no `{anchor.text}` in rule `{node.name.text}`"
                hint = f"Did you mean `{near}`?" if near else ""
                problems.append(Problem("E404", title, anchor.span, text + ".", hint))
            return dataclasses.replace(node, body=body)
        case n.Resources(), n.ExtendNames():
            return dataclasses.replace(node, names=node.names + layer.members)
        case n.Values(), n.ExtendNames():
            return dataclasses.replace(node, members=node.members + layer.members)
        case n.SpaceSet(), n.ExtendNames():
            return dataclasses.replace(node, elements=node.elements + layer.members)
        case n.Layout(), n.ExtendLayout():
            return dataclasses.replace(node, lines=_joined(node.lines, layer.lines))
        case _:
            text = f"Only a rule, the layout, and these, can be extended: {', '.join(_EXTENSIBLE)}."
            problems.append(Problem("E409", "this cannot be extended", change.span, text, "Say `replace` instead."))
            return node


def _joined(lines: tuple[n.LayoutLine, ...], more: tuple[n.LayoutLine, ...]) -> tuple[n.LayoutLine, ...]:
    """The lines of a layout, then the others; what stands under `each player` stays together."""
    for line in more:
        at = next((i for i, one in enumerate(lines) if isinstance(one, n.LayoutPlayers)), len(lines))
        there = lines[at] if at < len(lines) else None
        if isinstance(line, n.LayoutPlayers) and isinstance(there, n.LayoutPlayers):
            both = dataclasses.replace(there, lines=there.lines + line.lines)
            lines = (*lines[:at], both, *lines[at + 1 :])
        elif isinstance(line, n.LayoutPlayers):
            lines = (*lines, line)
        else:
            lines = (*lines[:at], line, *lines[at:])
    return lines


def blocks(node: object) -> Iterator[tuple[Any, ...]]:
    """Every block and every list of alternatives in a body, outermost first."""
    if isinstance(node, tuple):
        if node and all(isinstance(part, n.Statement | n.Alternative | n.YourAbilities) for part in node):
            yield node
        for part in node:
            yield from blocks(part)
    elif isinstance(node, n.Statement | n.Alternative):
        for field in dataclasses.fields(node):
            yield from blocks(getattr(node, field.name))


def _anchor_name(part: object) -> str | None:
    match part:
        case n.Do(rule=word) | n.Forbid(name=word) | n.Alternative(label=n.Word() as word):
            return word.text
        case n.Alternative(body=(n.Do(rule=word),)):
            return word.text
        case _:
            return None


def _anchors(body: n.Block) -> set[str]:
    return {name for block in blocks(body) for part in block if (name := _anchor_name(part))}


def _inserted(body: tuple[Any, ...], layer: n.ExtendRule) -> tuple[tuple[Any, ...], bool]:
    """The body with the layer's statements beside its anchor, and whether the anchor was found."""
    assert layer.anchor is not None
    for i, part in enumerate(body):
        if _anchor_name(part) == layer.anchor.text:
            at = i if layer.beside == "before" else i + 1
            alternatives = isinstance(part, n.Alternative)
            new = tuple(_as_alternative(one) for one in layer.body) if alternatives else layer.body
            return body[:at] + new + body[at:], True
    for i, part in enumerate(body):
        if not isinstance(part, n.Statement | n.Alternative):
            continue
        for field in dataclasses.fields(part):
            value = getattr(part, field.name)
            if isinstance(value, tuple) and value and isinstance(value[0], n.Statement | n.Alternative):
                inner, done = _inserted(value, layer)
                if done:
                    return (*body[:i], _with(part, {field.name: inner}), *body[i + 1 :]), True
    return body, False


def _with(part: Any, fields: Mapping[str, tuple[Any, ...]]) -> Any:
    return dataclasses.replace(part, **fields)


def _as_alternative(statement: Any) -> n.Alternative | n.YourAbilities:
    match statement:
        case n.Alternative() | n.YourAbilities():
            return statement
        case n.Each():
            return n.Alternative(
                None, statement.name, statement.within, statement.condition, statement.body, statement.span
            )
        case _:
            return n.Alternative(None, None, None, None, (statement,), statement.span)


def _forbids(node: n.Component) -> list[n.Forbid]:
    body = blocks(node.body) if isinstance(node, n.Rule) else ()
    return [part for block in body for part in block if isinstance(part, n.Forbid)]


def _foreign_forbids(
    key: Key,
    found: list[_Change],
    there: list[n.Forbid],
    homes: Mapping[Source, str],
    ancestors: dict[str, set[str]],
) -> Iterator[Problem]:
    """The removals of a prohibition by a module that is not based on the one it stands in."""
    for part in there:
        home = homes[part.span.source]
        for change in found:
            if home not in ancestors[change.module]:
                yield _not_based(f"forbid `{key[1]}`", change, home, part.name.span)


def _remove_forbid(
    key: Key,
    found: list[_Change],
    effective: dict[Key, Effective],
    problems: list[Problem],
    cites: Callable[[Span], tuple[str, ...]],
) -> None:
    name = key[1]
    homes = {
        where: one.node
        for where, one in effective.items()
        if isinstance(one.node, n.Rule) and any(part.name.text == name for part in _forbids(one.node))
    }
    if not homes or found[0].how != "removed":
        everything = {part.name.text for one in effective.values() for part in _forbids(one.node)}
        problems.extend(_unknown(key, one, {("forbid", other) for other in everything}) for one in found)
        return
    for where, rule in homes.items():
        origin = Origin(found[0].module, found[0].span, f"without {name}", cites(found[0].span))
        body = _without_forbid(rule.body, name)
        effective[where] = Effective(dataclasses.replace(rule, body=body), (origin, *effective[where].origins))


def _is_forbid(part: object, name: str) -> bool:
    return isinstance(part, n.Forbid) and part.name.text == name


def _without_forbid(body: tuple[Any, ...], name: str) -> tuple[Any, ...]:
    kept = []
    for part in body:
        if _is_forbid(part, name):
            continue
        if isinstance(part, n.Statement | n.Alternative):
            inner = {
                field.name: _without_forbid(value, name)
                for field in dataclasses.fields(part)
                if isinstance(value := getattr(part, field.name), tuple)
                and value
                and isinstance(value[0], n.Statement | n.Alternative)
            }
            part = _with(part, inner)
        kept.append(part)
    return tuple(kept)
