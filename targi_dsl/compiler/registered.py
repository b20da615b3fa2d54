"""Abilities as registered on the names that they change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from targi_dsl.ir.declarations import AbilityInfo
from targi_dsl.ir.expressions import Expr
from targi_dsl.syntax import ast as n
from targi_dsl.text.light import dataclass

Change = tuple[type[n.Node], str]
"""The clause by which an ability changes something, and the name of what it changes."""


@dataclass(frozen=True, slots=True)
class Registered:
    """`this` is its card, `node` its text, `rule` the rule that is its effect, or nothing. Two are
    equal only if they stand in the same place.
    """

    ability: int
    info: AbilityInfo
    this: Expr | None
    node: n.Ability
    rule: int


@dataclass(slots=True)
class Registry:
    """The abilities of a game, by what they change."""

    every: list[Registered] = field(default_factory=list)
    _changing: dict[Change, list[Registered]] = field(default_factory=dict)

    def add(self, one: Registered) -> None:
        self.every.append(one)
        for change in dict.fromkeys(_changes(one.node)):
            self._changing.setdefault(change, []).append(one)

    def changing(self, clause: type[n.Node], name: str) -> Sequence[Registered]:
        """The abilities that change what has this name by such a clause."""
        return self._changing.get((clause, name), ())


def _changes(node: n.Ability) -> Iterator[Change]:
    for part in (*node.scopes, node.body):
        match part:
            case n.When(verb="do", name=word):
                yield n.When, word.text
            case (
                n.InsteadOf(rule=word)
                | n.AlsoOffers(rule=word)
                | n.Reduce(rule=word)
                | n.Substitute(rule=word)
                | n.StoredPays(rule=word)
                | n.Becomes(define=word)
                | n.Ignore(forbid=word)
            ):
                yield type(part), word.text
            case _:
                pass
