"""Lowers scores, tie-breaks and free exchanges."""

from __future__ import annotations

from targi_dsl.compiler import ability_effects, fitting, prices
from targi_dsl.compiler.context import Context, Frame, Wrong
from targi_dsl.ir import declarations as d
from targi_dsl.ir.constants import NOTHING
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Problem


def scores(ctx: Context) -> list[d.ScorePart]:
    """The parts of the score: those of the rules, then those of cards."""
    found = []
    for name in ctx.names_of("score"):
        effective = ctx.declared["score", name]
        assert isinstance(effective.node, n.ScorePart)
        frame = Frame(name)
        try:
            value = fitting.number(ctx, frame, effective.node.value)
        except Wrong:
            continue
        found.append(d.ScorePart(name, value, tuple(frame.slots), NOTHING, effective.origins))
    return found + ability_effects.end_scores(ctx)


def ties(ctx: Context) -> list[d.Tie]:
    """The tie-breaks, in order."""
    found = []
    for name in ctx.names_of("tie"):
        node = ctx.node("tie", name)
        assert isinstance(node, n.Tie)
        for rank in node.ranks:
            frame = Frame("tie")
            try:
                value = fitting.number(ctx, frame, rank.value)
            except Wrong:
                continue
            found.append(
                d.Tie(
                    rank.order == "most",
                    value,
                    tuple(frame.slots),
                    f"{rank.order} {rank.value.span.text}",
                )
            )
    return found


def exchanges(ctx: Context) -> list[d.FreeExchange]:
    """The free exchanges."""
    found = []
    for name in ctx.names_of("exchange"):
        node = ctx.node("exchange", name)
        assert isinstance(node, n.FreeExchange)
        try:
            give, take = prices.fixed(ctx, node.give), prices.fixed(ctx, node.take)
        except Wrong:
            continue
        if {item for item, _ in give} & {item for item, _ in take} or not give:
            text = "What is given must not be what is got, or it would never end."
            ctx.problems.append(
                Problem("E313", f"exchange `{name}` goes in a circle", node.span, text)
            )
        found.append(d.FreeExchange(name, give, take))
    return found
