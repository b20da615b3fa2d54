"""Layering: combines the modules of a game into effective declarations with their histories."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from targi_dsl.compiler.layers.changes import (
    CardChange,
    Change,
    Effective,
    Key,
    Layers,
    ModuleText,
    ancestors,
    card_changes,
    changes_of,
    clash,
    extend_body,
    forbids,
    in_settled_order,
    names_of,
    not_based,
    removed_before,
    unknown,
    with_forbid,
)
from targi_dsl.ir.origins import Origin
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.source import Source, Span

_EXTENSIBLE = ("resource", "values", "set")


def combine(
    modules: tuple[ModuleText, ...],
    settled: Mapping[str, tuple[n.Word, ...]],
    cites: Callable[[Span], tuple[str, ...]],
) -> tuple[Layers, list[Problem]]:
    """The effective declarations of modules, given in order (a module comes after what it is
    based on).
    """
    problems: list[Problem] = []
    changes: dict[Key, list[Change]] = {}
    for module in modules:
        for node in module.declarations:
            for key, change in _changes(module.name, node):
                changes.setdefault(key, []).append(change)
    above = ancestors(modules)
    effective: dict[Key, Effective] = {}
    removed: dict[Key, tuple[Origin, ...]] = {}
    gone: dict[str, Origin] = {}
    refused: set[str] = set()
    later: list[tuple[Key, list[Change]]] = []
    known = {key for key, found in changes.items() if any(one.how == "declared" for one in found)}
    for key, found in changes.items():
        if key not in known and key[0] == "forbid":
            later.append((key, found))
            continue
        if key not in known:
            problems.extend(unknown(key, one, known) for one in found)
            refused.update(_added_names(found))
            continue
        found.sort(key=lambda one: one.how != "declared")
        clashes = list(_clashes(key, found, above, settled))
        problems.extend(clashes)
        refused.update(key[1] for one in clashes if one.code == "E401")
        found = in_settled_order(found, settled.get(key[1], ()))
        left, origins = _apply(key, found, cites, bool(clashes), problems)
        if left is not None:
            effective[key] = Effective(left, origins)
        elif origins:
            removed[key] = origins
            whole = [one.node for one in found if one.how in ("declared", "replaced")]
            gone |= {name: origins[0] for node in whole for name in names_of(node)}
    homes = {node.span.source: module.name for module in modules for node in module.declarations}
    prohibitions = ForbidChanges(effective, homes, above, settled, cites, problems, removed)
    for (_, name), found in later:
        prohibitions.make(name, found)
    gone |= {key[1]: origins[0] for key, origins in removed.items() if key[0] == "forbid"}
    cards, clashes_of_cards = _changes_of_cards(modules, settled)
    problems.extend(clashes_of_cards)
    return Layers(effective, removed, gone, refused, cards), _once_for_each_base(problems)


def _changes(module: str, node: n.Component | n.Layer) -> tuple[tuple[Key, Change], ...]:
    return node.derived(lambda one: tuple(changes_of(module, one)), (changes_of, module))


def _added_names(changes: Iterable[Change]) -> Iterator[str]:
    """The names that would be added to a list."""
    for change in changes:
        if isinstance(change.node, n.ExtendNames):
            yield from (word.text for word in change.node.members)


def _once_for_each_base(problems: list[Problem]) -> list[Problem]:
    """Keeps, for each base that a module lacks, only the problem of its first change."""
    seen = set[str]()
    kept = []
    for problem in problems:
        if problem.code != "E407" or problem.hint not in seen:
            kept.append(problem)
        if problem.code == "E407":
            seen.add(problem.hint)
    return kept


def _clashes(
    key: Key,
    found: list[Change],
    above: Mapping[str, set[str]],
    settled: Mapping[str, tuple[n.Word, ...]],
) -> Iterator[Problem]:
    sort, name = key
    home = found[0]
    for before, after in pairwise(found):
        both = (Label(before.span, f"{before.how} here, in module {before.module}"),)
        if after.how == "declared":
            title = f"`{name}` is declared twice"
            text = f"There is a {sort} `{name}` already, in module {before.module}."
            what = sort if sort == name else f"{sort} {name}"  # `players` has no name
            hint = f"To change it, write `replace` before it: `replace {what}`."
            if before.module == after.module:
                hint = "Delete one of them, or rename it."
            yield Problem("E401", title, after.span, text, hint, labels=both)
        elif home.module not in above[after.module]:
            yield not_based(f"{sort} `{name}`", after, home.module, home.span)
        elif before.module not in above[after.module] and name not in settled:
            yield clash(f"{sort} `{name}`", name, before, after, both)


def _apply(
    key: Key,
    found: list[Change],
    cites: Callable[[Span], tuple[str, ...]],
    told: bool,
    problems: list[Problem],
) -> tuple[n.Component | None, tuple[Origin, ...]]:
    """What remains after all changes, if anything, with its origins; no origins if the changes make
    no sense.
    """
    node: n.Component | None = None
    origins: list[Origin] = []
    for change in found:
        match change.how:
            case "declared" | "replaced":
                node = worded_like(change.node, node)
            case "removed":
                node = None
            case _:
                if node is None:
                    removal = next(one for one in found if one.how == "removed")
                    what = f"{key[0]} `{key[1]}`"
                    if not told:
                        problems.append(removed_before(what, removal, change, "extend"))
                    return None, ()
                node = extended_by(node, change.node, problems)
        origin = Origin(change.module, change.span, change.how, cites(change.node.span))
        origins.insert(0, origin)
    return node, tuple(origins)


def worded_like(new: n.Component, old: n.Component | None) -> n.Component:
    """A rule that replaces another without words of its own keeps the words of that one, if its
    parameters have the same names.
    """
    match old, new:
        case n.Rule(wording=n.Wording() as words), n.Rule(wording=None) if [
            one.name.text for one in old.params
        ] == [one.name.text for one in new.params]:
            return replace(new, wording=words)
        case _:
            return new


def extended_by(node: n.Component, layer: n.Layer, problems: list[Problem]) -> n.Component:
    """A declaration with what a module adds to it."""
    match node, layer:
        case n.Rule(), n.ExtendRule():
            body = extend_body(f"Rule {node.name.text}", node.body, layer, problems)
            return replace(node, body=body)
        case n.Resources(), n.ExtendNames():
            members = (n.Counted(one.text, None, span=one.span) for one in layer.members)
            return replace(node, names=(*node.names, *members))
        case n.Values(), n.ExtendNames():
            numbers = (*node.numbers, *(None for _ in layer.members))
            return replace(node, members=node.members + layer.members, numbers=numbers)
        case n.SpaceSet(), n.ExtendNames():
            return replace(node, elements=node.elements + layer.members)
        case n.Layout(), n.ExtendLayout():
            return replace(node, lines=_join_lines(node.lines, layer.lines))
        case n.Look(), n.ExtendLook():
            return replace(node, lines=_restyle(node.lines, layer.lines))
        case _:
            those = ", ".join(_EXTENSIBLE)
            text = f"Only rules, the layout, the look and the following can be extended: {those}."
            title, hint = "this cannot be extended", "Use `replace` instead."
            problems.append(Problem("E409", title, layer.span, text, hint))
            return node


def _join_lines(
    lines: tuple[n.LayoutLine, ...], more: tuple[n.LayoutLine, ...]
) -> tuple[n.LayoutLine, ...]:
    """The lines of a layout followed by the added ones; those under `each player` stay together."""
    for line in more:
        players = [one for one in lines if isinstance(one, n.LayoutPlayers)]
        at = lines.index(players[0]) if players else len(lines)
        after = at
        if players and isinstance(line, n.LayoutPlayers):
            line, after = replace(line, lines=players[0].lines + line.lines), at + 1
        lines = (*lines[:at], line, *lines[after:])
    return lines


def _restyle(lines: tuple[n.LookLine, ...], more: tuple[n.LookLine, ...]) -> tuple[n.LookLine, ...]:
    """The lines of a look with the traits that another module overrides, and its own lines."""
    found = {line.name.text: line for line in lines}
    for line in more:
        if (there := found.get(line.name.text)) is not None:
            said = {one.what for one in line.traits}
            kept = tuple(one for one in there.traits if one.what not in said)
            line = replace(line, traits=(*kept, *line.traits))
        found[line.name.text] = line
    return tuple(found.values())


# ---- changes of single cards ----


def _changes_of_cards(
    modules: tuple[ModuleText, ...], settled: Mapping[str, tuple[n.Word, ...]]
) -> tuple[dict[str, tuple[CardChange, ...]], list[Problem]]:
    """The changes of each card in the order of the layers, and those whose order is undefined."""
    found: dict[str, list[CardChange]] = {}
    for module in modules:
        for change in card_changes(module):
            found.setdefault(change.card.text, []).append(change)
    problems: list[Problem] = []
    above = ancestors(modules)
    for card, changes in found.items():
        if card not in settled:
            problems.extend(_clashes_of_card(card, changes, above))
    ordered = {
        card: in_settled_order(those, settled.get(card, ())) for card, those in found.items()
    }
    return {card: tuple(changes) for card, changes in ordered.items()}, problems


def _clashes_of_card(
    card: str, changes: Iterable[CardChange], above: Mapping[str, set[str]]
) -> Iterator[Problem]:
    parts: dict[str, list[CardChange]] = {}
    for change in changes:
        for part in _parts(change):
            parts.setdefault(part, []).append(change)
    for part, those in parts.items():
        for before, after in pairwise(those):
            if before.module not in above[after.module]:
                labels = (Label(before.card.span, f"here, in module {before.module}"),)
                yield clash(f"`{part}` of card `{card}`", card, before, after, labels)


def _parts(change: CardChange) -> set[str]:
    match change.node:
        case n.ChangeCard(changes=fields):
            return {one.name.text for one in fields}
        case _:
            return {"action"}


class ForbidChanges(Struct):
    """Applies the changes to the effective rules; records what they remove, and problems.

    `homes`: the modules of the sources. `above`: what each is based on. `settled`: the modules
    whose order decides between conflicting changes of a name.
    """

    effective: dict[Key, Effective]
    homes: Mapping[Source, str]
    above: Mapping[str, set[str]]
    settled: Mapping[str, tuple[n.Word, ...]]
    cites: Callable[[Span], tuple[str, ...]]
    problems: list[Problem] = []
    removed: dict[Key, tuple[Origin, ...]] = {}

    def make(self, name: str, changes: list[Change]) -> None:
        """Applies all changes of the prohibitions with that name."""
        key = ("forbid", name)
        there = [part for part in self._all() if part.name.text == name]
        if not there:
            known = {("forbid", part.name.text) for part in self._all()}
            self.problems.extend(unknown(key, one, known) for one in changes)
            return
        self.problems.extend(self._foreign(there, changes))
        self.problems.extend(self._clashes(name, changes))
        for change in in_settled_order(changes, self.settled.get(name, ())):
            if key in self.removed:
                removal = self.removed[key][0]
                gone = removed_before(f"forbid `{name}`", removal, change, "change")
                self.problems.append(gone)
            elif change.how == "removed":
                self.removed[key] = tuple(self._origins(there, change))
            self._change(name, change)

    def _all(self) -> Iterator[n.Forbid]:
        return (part for one in self.effective.values() for part in forbids(one.node))

    def _change(self, name: str, change: Change) -> None:
        """Applies one change to every rule that contains the prohibition."""
        for where, one in self.effective.items():
            rule = one.node
            if isinstance(rule, n.Rule) and any(part.name.text == name for part in forbids(rule)):
                cites = self.cites(change.span)
                origin = Origin(change.module, change.span, change.how, cites, name)
                body = with_forbid(rule.body, name, forbid_after(change.node))
                self.effective[where] = Effective(replace(rule, body=body), (origin, *one.origins))

    def _foreign(self, there: Iterable[n.Forbid], changes: Iterable[Change]) -> Iterator[Problem]:
        """The changes by modules that are not based on the one that contains the prohibition."""
        for part in there:
            home = self.homes[part.span.source]
            for change in changes:
                if home not in self.above[change.module]:
                    what = f"forbid `{part.name.text}`"
                    yield not_based(what, change, home, part.name.span)

    def _clashes(self, name: str, changes: list[Change]) -> Iterator[Problem]:
        for before, after in pairwise(changes):
            both_removed = before.how == after.how == "removed"
            if before.module in self.above[after.module] or name in self.settled or both_removed:
                continue
            label = Label(before.span, f"{before.how} here, in module {before.module}")
            yield clash(f"forbid `{name}`", name, before, after, (label,))

    def _origins(self, there: Iterable[n.Forbid], removal: Change) -> Iterator[Origin]:
        yield Origin(removal.module, removal.span, "removed", self.cites(removal.span))
        for part in there:
            home = self.homes[part.span.source]
            yield Origin(home, part.span, "declared", self.cites(part.span))


def forbid_after(
    layer: n.ReplaceForbid | n.ExtendForbid | n.Remove,
) -> Callable[[n.Forbid], n.Forbid | None]:
    """What becomes of a prohibition by a change, or None."""

    def after(part: n.Forbid) -> n.Forbid | None:
        match layer:
            case n.ReplaceForbid():
                reason = layer.reason if layer.reason is not None else part.reason
                return replace(part, condition=layer.condition, reason=reason)
            case n.ExtendForbid():
                either = n.Logic("or", (part.condition, layer.condition), span=layer.condition.span)
                return replace(part, condition=either)
            case _:
                return None

    return after
