"""Warns of what is declared in vain: rules, definitions, variables and free exchanges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product

from targi_dsl.compiler.lints.sentences import names_read
from targi_dsl.compiler.lowering.abilities import sentences
from targi_dsl.compiler.lowering.context import Compilation
from targi_dsl.ir.declarations import FreeExchange
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Label, Problem

BEGINNINGS = ("setup", "round")
"""The rules that a game does without being told."""


def in_vain(game: Compilation) -> Iterator[Problem]:
    """Rules that nothing does, definitions that nothing asks for, and variables that are read but
    never set. What a module itself needs is not in vain, though a variant may not need it.
    """
    there = [one.node for one in game.layers.effective.values()]
    trees = (*there, *sentences(game.context))
    read = Counter(name for tree in trees for name in tree.derived(names_read))
    given = Counter(name for tree in trees for name in tree.derived(_set))
    told = any(one.code == "W902" for one in game.written.problems)  # of variables, too
    for (_, name), one in game.layers.effective.items():
        match one.node:
            case n.Rule(name=word) if read[name] < 2 and name not in BEGINNINGS:
                needed, title, text = names_read, "done", f"No rule and no card says `do {name}`."
            case n.Define(name=word) if read[name] < 2:
                needed, title, text = names_read, "used", "No rule, score or card asks for it."
            case n.Variable(name=word) if read[name] > 1 and not (given[name] or told):
                needed, title = _set, "set"
                text = "It always is what it is at first. Set it, or make it a definition."
            case _:
                continue
        home = game.written.modules[one.origins[-1].module].declarations
        others = (node for node in home if word.span.home is not node.span.home)
        near = any(name in node.derived(needed) for node in others)
        if not near and not game.nearby().is_on_cards(name):
            problem = f"`{name}` is never {title}"
            yield Problem("W919", problem, word.span, text, severity="warning")


def _set(tree: n.Node) -> frozenset[str]:
    """The variables that a tree sets."""
    secret = (one.name.text for one in tree.every(n.ChooseInSecret))
    targets = [one.target for one in tree.every(n.Assign)]
    targets += [one.variable for one in tree.every(n.RollVariable)]
    named = (one.name if isinstance(one, n.Your | n.Of) else one for one in targets)
    words = (one.text for one in named if isinstance(one, n.Name | n.Word))
    return frozenset((*secret, *words))


def exchanges(game: Compilation) -> Iterator[Problem]:
    """Free exchanges that give nothing, and two that can be made again and again."""
    spans = {name: node.span for name, node in game.context.nodes(n.FreeExchange)}
    for one in game.exchanges:
        if not any(number for _, number in one.take):
            text = "Nobody gains anything by it. Say what it gives."
            title = f"exchange `{one.name}` gives nothing"
            yield Problem("W919", title, spans[one.name], text, severity="warning")
    for one, other in combinations(game.exchanges, 2):
        if _undo(one, other):
            text = "One gives what the other takes, so the two can be made again and again."
            title = f"exchanges `{one.name}` and `{other.name}` undo each other"
            labels = (Label(spans[one.name], "the other one"),)
            yield Problem("W919", title, spans[other.name], text, "", "warning", labels)


_MOST = 12  # as often as an exchange is tried


def _undo(one: FreeExchange, other: FreeExchange) -> bool:
    """Whether nobody loses anything by making both, the one some times and the other some."""
    items = {item for each in (one, other) for item, _ in (*each.give, *each.take)}
    return any(
        all(i * _gain(one, item) + j * _gain(other, item) >= 0 for item in items)
        for i, j in product(range(1, _MOST + 1), repeat=2)
    )


def _gain(one: FreeExchange, item: int) -> int:
    return dict(one.take).get(item, 0) - dict(one.give).get(item, 0)
