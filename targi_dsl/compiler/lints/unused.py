"""Warns of what is declared in vain: rules, definitions and variables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache
from itertools import chain
from typing import NamedTuple

from targi_dsl.compiler.lints.sentences import names_read
from targi_dsl.compiler.lowering.abilities import sentences
from targi_dsl.compiler.lowering.context import Compilation
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Problem

BEGINNINGS = ("setup", "round")
"""The rules that a game does without being told."""


def in_vain(game: Compilation) -> Iterator[Problem]:
    """Rules that nothing does, definitions that nothing asks for, and variables that are read but
    never set. What a module itself needs is not in vain, though a variant may not need it.
    """
    there = [one.node for one in game.layers.effective.values()]
    every = _Needed.by((*there, *sentences(game.context)))
    needed_in = cache(lambda module: _Needed.by(game.written.modules[module].declarations))
    told = any(one.code == "W902" for one in game.written.problems)  # of variables, too
    for (_, name), one in game.layers.effective.items():
        is_asked, home = every.reading[name] > 1, one.origins[-1].module
        match one.node:
            case n.Rule(name=word) if not is_asked and name not in BEGINNINGS:
                title, text = "done", f"No rule and no card says `do {name}`."
            case n.Define(name=word) if not is_asked:
                title, text = "used", "No rule, score or card asks for it."
            case n.Variable(name=word) if is_asked and name not in every.given and not told:
                title = "set"
                text = "It always is what it is at first. Set it, or make it a definition."
            case _:
                continue
        first, near = one.origins[-1].span, needed_in(home)
        is_first = first is not None and first.home is word.span.home
        is_near = name in near.given if title == "set" else near.reading[name] > is_first
        if not is_near and not game.nearby().is_on_cards(name):
            problem = f"`{name}` is never {title}"
            yield Problem("W919", problem, word.span, text, severity="warning")


class _Needed(NamedTuple):
    """How many declarations read each name, and the variables that are set."""

    reading: Counter[str]
    given: set[str]

    @classmethod
    def by(cls, trees: Collection[n.Node]) -> _Needed:
        """What some trees need."""
        reading = Counter(chain.from_iterable(tree.derived(names_read) for tree in trees))
        return cls(reading, set().union(*(tree.derived(_set) for tree in trees)))


def _set(tree: n.Node) -> frozenset[str]:
    """The variables that a tree sets."""
    secret = (one.name.text for one in tree.every(n.ChooseInSecret))
    targets = [one.target for one in tree.every(n.Assign)]
    targets += [one.variable for one in tree.every(n.RollVariable)]
    named = (one.name if isinstance(one, n.Your | n.Of) else one for one in targets)
    words = (one.text for one in named if isinstance(one, n.Name | n.Word))
    return frozenset((*secret, *words))
