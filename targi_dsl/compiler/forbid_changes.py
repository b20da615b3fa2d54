"""Applies modules' changes of prohibitions to the rules that contain them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from itertools import pairwise

from targi_dsl.compiler.bodies import forbids, with_forbid
from targi_dsl.compiler.changes import (
    Change,
    Effective,
    Key,
    clash,
    in_settled_order,
    not_based,
    removed_before,
    unknown,
)
from targi_dsl.ir.origins import Origin
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.light import dataclass
from targi_dsl.text.source import Source, Span


@dataclass(slots=True)
class ForbidChanges:
    """Applies the changes to the effective rules; records what they remove, and problems.

    `homes`: the modules of the sources. `above`: what each is based on. `settled`: the modules
    whose order decides between conflicting changes of a name.
    """

    effective: dict[Key, Effective]
    homes: Mapping[Source, str]
    above: Mapping[str, set[str]]
    settled: Mapping[str, tuple[n.Word, ...]]
    cites: Callable[[Span], tuple[str, ...]]
    problems: list[Problem] = field(default_factory=list)
    removed: dict[Key, tuple[Origin, ...]] = field(default_factory=dict)

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
                self.effective[where] = Effective(
                    dataclasses.replace(rule, body=body), (origin, *one.origins)
                )

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
                return dataclasses.replace(part, condition=layer.condition, reason=reason)
            case n.ExtendForbid():
                either = n.Logic("or", (part.condition, layer.condition), span=layer.condition.span)
                return dataclasses.replace(part, condition=either)
            case _:
                return None

    return after
