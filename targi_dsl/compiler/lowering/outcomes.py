"""Lowers outcomes: who wins, loses or is out, the variable for it, and its consequences."""

from __future__ import annotations

from collections.abc import Iterable

from targi_dsl.compiler.lowering import fitting
from targi_dsl.compiler.lowering.context import NOBODY, Context, Frame
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.outcomes import OUT, OUTCOME, OUTCOMES, PLAYING, outcome_base
from targi_dsl.syntax import ast as n

_NAMED_ELSEWHERE = ("rule", "score", "option", "exchange", "standing")
"""Sorts whose names may equal that of the variable, since they are never used as bare names."""


def declare(ctx: Context, written: Iterable[n.Node]) -> None:
    """Declares the outcome of each player, if any rule or card names one."""
    if not any(node.every(n.Outcome) for node in written):
        return
    for (sort, name), effective in ctx.declared.items():
        if name == OUTCOME and sort not in _NAMED_ELSEWHERE:
            text = f"This name is reserved for how each player stands: {', '.join(OUTCOMES)}."
            title = f"`{OUTCOME}` has a special meaning"
            ctx.report("E206", title, effective.node.span, text)
            ctx.symbols.errors.names.add(OUTCOME)
            return
    count = len(ctx.symbols.players)
    ctx.symbols.values[OUTCOME] = OUTCOMES
    ctx.tables.variables[OUTCOME] = d.Variable(
        OUTCOME, ctx.new_slots(count), count, t.PLAYER, t.Value(OUTCOME), PLAYING, OUT, PLAYING
    )


def lower(ctx: Context, frame: Frame, node: n.Outcome) -> s.Block:
    """`P wins` and `P loses` end the game; `P is out` ends it when nobody is left."""
    ctx.require_known(OUTCOME)
    who: e.Expr = _everybody(ctx)
    if node.who is not None:
        found, type_ = fitting.lower(ctx, frame, node.who, t.PLAYER)
        who = fitting.as_set(ctx, found, type_, node.who.span, t.PLAYER)
    slot, value = frame.slot(t.PLAYER), e.Const(OUTCOMES.index(node.outcome))
    number = ctx.tables.number_of(ctx.tables.variables[OUTCOME])
    told = s.Each(slot, who, (s.Assign(number, e.Local(slot), value).at(node.span),))
    end = s.EndGame(frame.rule).at(node.span)
    if node.outcome != OUTCOMES[OUT]:
        return (told, end)
    somebody = e.Compare("more_than", e.Size(players(ctx, frame)), e.Const(0))
    return (told, s.If(somebody, (), (end,)))


def are_kept(ctx: Context) -> bool:
    """Whether a rule can make anybody win, lose or be out."""
    return outcome_base(ctx.tables.variables.values()) != NOTHING


def players(ctx: Context, frame: Frame) -> e.Expr:
    """The players who are not out."""
    base = outcome_base(ctx.tables.variables.values())
    if base == NOTHING:
        return _everybody(ctx)
    slot = frame.slot(t.PLAYER)
    return e.Filter(slot, _everybody(ctx), is_in(base, e.Local(slot)))


def _everybody(ctx: Context) -> e.Const:
    return e.Const(tuple(range(len(ctx.symbols.players))), t.set_of(t.PLAYER))


def is_in(base: int, player: e.Expr) -> e.Expr:
    """Whether a player is not out, given the slot of the first player's outcome."""
    return e.Compare("is_not", e.Var(base, player, PLAYING), e.Const(OUT))


def beside(ctx: Context, frame: Frame, player: e.Expr, step: int) -> e.Expr:
    """The next seat (step 1) or the previous one (step -1) among the players who are not out."""
    count, base = len(ctx.symbols.players), outcome_base(ctx.tables.variables.values())
    seats = tuple(range(count))
    if base == NOTHING:
        return e.Table((*((seat + step) % count for seat in seats), NOTHING), player)

    def seat_at(distance: e.Expr) -> e.Expr:
        ahead = e.Arith("+" if step > 0 else "-", e.Arith("+", player, e.Const(count)), distance)
        return e.Table((*seats * 3, NOTHING), ahead, t.PLAYER)

    slot = frame.slot(t.NUMBER)
    distances = e.Const(tuple(range(1, count + 1)))
    near = e.First(e.Filter(slot, distances, is_in(base, seat_at(e.Local(slot)))))
    return e.Cond(e.Compare("is", player, NOBODY), NOBODY, seat_at(near))
