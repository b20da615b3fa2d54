"""Lowers scores, tie-breaks and free exchanges."""

from __future__ import annotations

from contextlib import suppress

from targi_dsl.compiler import ability_effects, fitting, prices
from targi_dsl.compiler.context import Context, Frame, Wrong
from targi_dsl.ir import declarations as d
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.origins import Origin
from targi_dsl.syntax import ast as n


def scores(ctx: Context) -> list[d.ScorePart]:
    """The parts of the score: those of the rules, then those of cards."""
    found = []
    for name, node in ctx.nodes(n.ScorePart):
        origins = ctx.declared["score", name].origins
        with suppress(Wrong):
            found.append(_score(ctx, name, node, origins))
    return found + ability_effects.end_scores(ctx)


def _score(ctx: Context, name: str, node: n.ScorePart, origins: tuple[Origin, ...]) -> d.ScorePart:
    frame = Frame(name)
    value = fitting.number(ctx, frame, node.value)
    return d.ScorePart(name, value, tuple(frame.slots), NOTHING, origins)


def ties(ctx: Context) -> list[d.Tie]:
    """The tie-breaks, in order."""
    found = []
    for rank in (rank for _, node in ctx.nodes(n.Tie) for rank in node.ranks):
        with suppress(Wrong):
            found.append(_tie(ctx, rank))
    return found


def _tie(ctx: Context, rank: n.Rank) -> d.Tie:
    frame = Frame("tie")
    value = fitting.number(ctx, frame, rank.value)
    text = f"{rank.order} {rank.value.span.text}"
    return d.Tie(rank.order == "most", value, tuple(frame.slots), text)


def exchanges(ctx: Context) -> list[d.FreeExchange]:
    """The free exchanges."""
    found = []
    for name, node in ctx.nodes(n.FreeExchange):
        try:
            give, take = prices.fixed(ctx, node.give), prices.fixed(ctx, node.take)
        except Wrong:
            continue
        if {item for item, _ in give} & {item for item, _ in take} or not give:
            text = "A resource given must not be obtained again, or the exchange would never end."
            title = f"exchange `{name}` can give back what was paid"
            ctx.report("E313", title, node.span, text)
        found.append(d.FreeExchange(name, give, take))
    return found
