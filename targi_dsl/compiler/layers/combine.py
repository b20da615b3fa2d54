"""Layering: merges the declarations of modules into effective declarations with their histories."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct, field
from msgspec.structs import replace

from targi_dsl.compiler.layers.changes import (
    CardChange,
    Change,
    Changed,
    Effective,
    Key,
    Layers,
    ModuleText,
    ancestors,
    card_changes,
    changed_here,
    changes_of,
    clash,
    discarded,
    extend_body,
    forbids,
    in_settled_order,
    names_of,
    not_based,
    removed_before,
    sort_of,
    unknown,
    with_forbid,
)
from targi_dsl.ir.declarations import heading
from targi_dsl.ir.origins import Origin
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Source, Span

EXTENSIBLE = ("resource", "values", "space", "set")
"""Sorts of declarations that `extend` applies to, besides rules, the layout and the look."""


def combine(
    modules: tuple[ModuleText, ...],
    settled: Mapping[str, tuple[n.Word, ...]],
    cites: Callable[[Span], tuple[str, ...]],
) -> tuple[Layers, list[Problem]]:
    """Merges modules, given in topological order (bases first). `settled`: for a name, the modules
    in the order in which their changes apply. `cites`: the sources that a declaration cites.
    """
    homes = {node.span.source: module.name for module in modules for node in module.declarations}
    layering = _Layering(ancestors(modules), homes, settled, cites)
    layering.declarations(modules)
    layering.cards(modules)
    return layering.layers, _once_for_each_base(layering.problems)


def _changes(module: str, node: n.Component | n.Layer) -> tuple[tuple[Key, Change], ...]:
    return node.derived(lambda one: tuple(changes_of(module, one)), (changes_of, module))


def _once_for_each_base(problems: list[Problem]) -> list[Problem]:
    """Drops repeated problems (E407) about the same missing base of a module."""
    first: dict[str, Problem] = {}
    for problem in problems:
        if problem.code == "E407":
            first.setdefault(problem.hint, problem)
    return [one for one in problems if first.get(one.hint, one) is one or one.code != "E407"]


class _Layering(Struct):
    """The state of the merge.

    `above`: for each module, itself and its bases. `homes`: the module of each source. `settled`,
    `cites`: as of `combine`.
    """

    above: Mapping[str, set[str]]
    homes: Mapping[Source, str]
    settled: Mapping[str, tuple[n.Word, ...]]
    cites: Callable[[Span], tuple[str, ...]]
    layers: Layers = field(default_factory=lambda: Layers({}, {}, {}))
    problems: list[Problem] = []

    def declarations(self, modules: Iterable[ModuleText]) -> None:
        """Applies all changes of declarations, then those of prohibitions."""
        changes: dict[Key, list[Change]] = {}
        for module in modules:
            for node in module.declarations:
                for key, change in _changes(module.name, node):
                    changes.setdefault(key, []).append(change)
        declared = {key for key, found in changes.items() if any(map(_declares, found))}
        for key, found in changes.items():
            if key in declared:
                self._declaration(key, found)
            elif key[0] != "forbid":
                self.problems.extend(unknown(key, one, declared) for one in found)
                additions = (one.node for one in found if isinstance(one.node, n.ExtendNames))
                self.layers.refused.update(word.text for one in additions for word in one.members)
        for key in (key for key in changes if key[0] == "forbid"):
            self._prohibition(key, changes[key])

    def _declaration(self, key: Key, found: list[Change]) -> None:
        """Applies all changes of one declaration."""
        clashes: list[Problem] = []
        if len(found) > 1:
            found.sort(key=lambda one: not _declares(one))
            clashes += self._clashes(key, found)
            self.problems.extend(clashes)
            self.layers.refused.update(key[1] for one in clashes if one.code == "E401")
            found = in_settled_order(found, self.settled.get(key[1], ()))
            self.problems.extend(discarded(f"{key[0]} `{key[1]}`", found))
        left, origins = self._apply(key, found, bool(clashes))
        if left is not None:
            self.layers.effective[key] = Effective(left, origins)
        elif origins:
            self.layers.removed[key] = origins
            whole = [one.node for one in found if one.how in ("declared", "replaced")]
            self.layers.gone.update((name, origins[0]) for node in whole for name in names_of(node))

    def _clashes(self, key: Key, found: list[Change]) -> Iterator[Problem]:
        sort, name = key
        home = found[0]
        for before, after in pairwise(found):
            if _declares(after):
                title = f"`{name}` is declared twice"
                kind = sort_of(after.node).kind
                text = f"Module {before.module} declares the same {kind} already."
                what = heading(sort, name)
                hint = f"To change it, write `replace` before it: `replace {what}`."
                if isinstance(after.node, n.LowestWins):
                    title, hint = f"`{after.node.span.text}` is said twice", "Delete one of them."
                elif before.module == after.module:
                    hint = "Delete one of them, or rename it."
                elif isinstance(after.node, n.Option) and len(after.node.values) == 1:
                    text += " To choose a value, indent the line, below `game`:"
                    hint = f"  {after.node.span.text}"
                yield Problem("E401", title, after.span, text, hint, labels=(changed_here(before),))
            elif home.module not in self.above[after.module]:
                yield not_based(f"{sort} `{name}`", after, home.module, home.span)
            else:
                yield from self._unsettled(f"{sort} `{name}`", name, [before, after])

    def _unsettled(self, what: str, name: str, changes: Sequence[Changed]) -> Iterator[Problem]:
        """The problems of changes whose order is undefined."""
        for before, after in pairwise(() if name in self.settled else changes):
            both_removed = before.how == after.how == "removed"
            if before.module not in self.above[after.module] and not both_removed:
                yield clash(what, name, before, after)

    def _apply(
        self, key: Key, found: list[Change], is_reported: bool
    ) -> tuple[n.Component | None, tuple[Origin, ...]]:
        """The declaration after all changes, None if it is removed, and its origins; no origins if
        the changes are contradictory. `is_reported`: whether that has been reported.
        """
        node: n.Component | None = None
        origins: list[Origin] = []
        for change in found:
            cites = self.cites(change.node.span)
            origin = Origin(change.module, change.span, change.how, cites)
            match change.how:
                case "declared" | "replaced":
                    lost = {*names_of(node)} - {*names_of(change.node)} if node else ()
                    self.layers.gone.update((name, origin) for name in lost)
                    node = (
                        change.node if node is None else node.derived_with(change.node, worded_like)
                    )
                case "removed":
                    node = None
                case _ if node is None:
                    removal = next(one for one in found if one.how == "removed")
                    if not is_reported:
                        what = f"{key[0]} `{key[1]}`"
                        self.problems.append(removed_before(what, removal, change, "extend"))
                    return None, ()
                case _:
                    node, problems = node.derived_with(change.node, extended_by)
                    self.problems.extend(problems)
            origins.insert(0, origin)
        return node, tuple(origins)

    # ---- prohibitions ----

    def _prohibition(self, key: Key, changes: list[Change]) -> None:
        """Applies all changes of a prohibition to the effective rules that contain it."""
        rules = self.layers.effective.values()
        every, name = [part for one in rules for part in forbids(one.node)], key[1]
        declared = [part for part in every if part.name.text == name]
        if not declared:
            known = {("forbid", part.name.text) for part in every}
            self.problems.extend(unknown(key, one, known) for one in changes)
            return
        for part in declared:
            home = self.homes[part.span.source]
            lacking = (one for one in changes if home not in self.above[one.module])
            what = f"forbid `{name}`"
            self.problems.extend(not_based(what, one, home, part.name.span) for one in lacking)
        self.problems.extend(self._unsettled(f"forbid `{name}`", name, changes))
        changes = in_settled_order(changes, self.settled.get(name, ()))
        self.problems.extend(discarded(f"forbid `{name}`", changes))
        for change in changes:
            if key in self.layers.removed:
                removal = self.layers.removed[key][0]
                problem = removed_before(f"forbid `{name}`", removal, change, "change")
                self.problems.append(problem)
            elif change.how == "removed":
                cites = self.cites(change.span)
                self.layers.gone[name] = Origin(change.module, change.span, "removed", cites)
                self.layers.removed[key] = self.layers.gone[name], *map(self._origin_of, declared)
            self._change(name, change)

    def _origin_of(self, part: n.Forbid) -> Origin:
        home = self.homes[part.span.source]
        return Origin(home, part.span, "declared", self.cites(part.span))

    def _change(self, name: str, change: Change) -> None:
        """Applies one change of a prohibition to every rule that contains it."""
        for where, one in self.layers.effective.items():
            rule = one.node
            if isinstance(rule, n.Rule) and any(part.name.text == name for part in forbids(rule)):
                cites = self.cites(change.span)
                origin = Origin(change.module, change.span, change.how, cites, name)
                changed = rule.derived_with(change.node, with_changed_forbid)
                self.layers.effective[where] = Effective(changed, (origin, *one.origins))

    # ---- single cards ----

    def cards(self, modules: Iterable[ModuleText]) -> None:
        """Collects the changes of single cards in layer order."""
        found: dict[str, list[CardChange]] = {}
        for module in modules:
            for change in card_changes(module):
                found.setdefault(change.card.text, []).append(change)
        for card, changes in found.items():
            parts: dict[str, list[CardChange]] = {}
            for change in changes:
                for part in _parts(change):
                    parts.setdefault(part, []).append(change)
            for part, same in parts.items():
                self.problems.extend(self._unsettled(f"`{part}` of card `{card}`", card, same))
            ordered = in_settled_order(changes, self.settled.get(card, ()))
            self.layers.cards[card] = tuple(ordered)


def _declares(change: Change) -> bool:
    return change.how == "declared"


def _parts(change: CardChange) -> set[str]:
    match change.node:
        case n.ChangeCard(changes=fields):
            return {one.name.text for one in fields}
        case _:
            return {"action"}


def worded_like(old: n.Component, new: n.Component) -> n.Component:
    """The replacement `new` of a rule with the wording of the old version, unless it has its own or
    its parameters have other names.
    """
    match old, new:
        case n.Rule(wording=n.Wording() as words), n.Rule(wording=None) if [
            one.name.text for one in old.params
        ] == [one.name.text for one in new.params]:
            return replace(new, wording=words)
        case _:
            return new


def extended_by(node: n.Component, layer: n.Layer) -> tuple[n.Component, list[Problem]]:
    """A declaration with the additions of an extension, and the problems of that."""
    problems: list[Problem] = []
    return _extended_by(node, layer, problems), problems


def _extended_by(node: n.Component, layer: n.Layer, problems: list[Problem]) -> n.Component:
    match node, layer:
        case n.Rule(), n.ExtendRule():
            body = extend_body(f"Rule {node.name.text}", node.body, layer, problems)
            return replace(node, body=body)
        case n.Resources(), n.ExtendNames():
            members = (one for one in layer.members if isinstance(one, n.Counted))
            return replace(node, names=(*node.names, *members))
        case n.Values(), n.ExtendNames():
            numbers = (*node.numbers, *(None for _ in layer.members))
            return replace(node, members=node.members + layer.members, numbers=numbers)
        case n.Space(names=names), n.ExtendNames() if names:
            return replace(node, names=names + layer.members)
        case n.Space(), n.ExtendNames():
            title, text = "these spaces have no names", "Say anew how many there are:"
            hint = f"replace {node.span.text}"
            if node.by is not None:
                title, text = f"there is a space for each {node.by.text}", "Extend that list:"
                those = ", ".join(word.text for word in layer.members)
                hint = f"extend values {node.by.text}: {those}"
            problems.append(Problem("E409", title, layer.span, text, hint))
            return node
        case n.SpaceSet(), n.ExtendNames():
            return replace(node, elements=node.elements + layer.members)
        case n.Layout(), n.ExtendLayout():
            return replace(node, lines=_join_lines(node.lines, layer.lines))
        case n.Look(), n.ExtendLook():
            return replace(node, lines=_restyle(node.lines, layer.lines))
        case _:
            those = ", ".join(EXTENSIBLE)
            text = f"Only rules, the layout, the look and the following can be extended: {those}."
            title = "this cannot be extended"
            hint = layer.span.text.replace("extend", "replace", 1)
            problems.append(Problem("E409", title, layer.span, text, hint))
            return node


def _join_lines(
    lines: tuple[n.LayoutLine, ...], more: tuple[n.LayoutLine, ...]
) -> tuple[n.LayoutLine, ...]:
    """The lines of a layout with added ones; lines under `each player` are merged into one part."""
    for line in more:
        players = [one for one in lines if isinstance(one, n.LayoutPlayers)]
        at = lines.index(players[0]) if players else len(lines)
        after = at
        if players and isinstance(line, n.LayoutPlayers):
            line, after = replace(line, lines=players[0].lines + line.lines), at + 1
        lines = (*lines[:at], line, *lines[after:])
    return lines


def _restyle(lines: tuple[n.LookLine, ...], more: tuple[n.LookLine, ...]) -> tuple[n.LookLine, ...]:
    """The lines of a look, in which later traits of a thing override earlier ones."""
    found = {line.name.text: line for line in lines}
    for line in more:
        if (earlier := found.get(line.name.text)) is not None:
            overridden = {one.what for one in line.traits}
            others = tuple(one for one in earlier.traits if one.what not in overridden)
            line = replace(line, traits=(*others, *line.traits))
        found[line.name.text] = line
    return tuple(found.values())


def with_changed_forbid(rule: n.Rule, layer: n.ReplaceForbid | n.ExtendForbid | n.Remove) -> n.Rule:
    """A rule with its prohibition of that name replaced, extended or removed."""

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

    return replace(rule, body=with_forbid(rule.body, layer.name.text, after))
