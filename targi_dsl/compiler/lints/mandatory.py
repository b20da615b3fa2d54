"""Warns of a rule that an extension makes mandatory although it is optional elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.compiler.lowering.ability_texts import sentences
from targi_dsl.compiler.lowering.compilation import Compilation
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Span

_LEFT_TO_CHOOSE = (n.OneOf, n.AnyOrder, n.May, n.Times)
_ASKING = (n.Choose, n.Pay)


def warnings(game: Compilation) -> Iterator[Problem]:
    """Each rule that is optional in all other calls, and that a module makes mandatory."""
    nodes = [one for module in game.written.modules.values() for one in module.declarations]
    added = [step for node in nodes for step in _added(node) if _is_asking(game, step.rule.text)]
    left, must = _calls((*nodes, *sentences(game.context)) if added else ())
    for step in added:
        name = step.rule.text
        if left.get(name) and must.get(name) == {step.span}:
            yield _forced(step)


def _added(node: n.Node) -> Iterator[n.Do]:
    """The rules that an extension of a whole rule calls."""
    if isinstance(node, n.ExtendRule) and node.anchor is None:
        yield from (step for step in node.body if isinstance(step, n.Do))


def _forced(step: n.Do) -> Problem:
    name = step.rule.text
    text = f"Elsewhere {name} is optional; here it is mandatory. To make it optional:"
    title = f"`{name}` is mandatory here"
    return Problem("W908", title, step.span, text, f"may: {step.span.text}", "warning")


def _is_asking(game: Compilation, name: str) -> bool:
    """Whether a rule itself asks for a choice or a payment."""
    there = game.layers.effective.get(("rule", name))
    body = there.node.body if there is not None and isinstance(there.node, n.Rule) else ()
    return any(isinstance(one, _ASKING) for one in body)


def _calls(nodes: tuple[n.Node, ...]) -> tuple[dict[str, set[Span]], dict[str, set[Span]]]:
    """Where each rule is optional, and where it is mandatory."""
    left, must = dict[str, set[Span]](), dict[str, set[Span]]()
    for node in nodes:
        within = {
            part.span
            for one in node.walk()
            if isinstance(one, _LEFT_TO_CHOOSE) or _offers(one)
            for part in one.walk()
            if isinstance(part, n.Do)
        }
        for part in node.walk():
            if isinstance(part, n.Do):
                there = left if part.span in within else must
                there.setdefault(part.rule.text, set()).add(part.span)
    return left, must


def _offers(node: n.Node) -> bool:
    """`extend rule R after PART offering`"""
    return isinstance(node, n.ExtendRule) and any(
        isinstance(one, n.Alternative) for one in node.body
    )
