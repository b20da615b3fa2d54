"""Lowers turns and repetitions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from targi_dsl.compiler.lowering import blocks, fitting, outcomes
from targi_dsl.compiler.lowering.context import YES, Context, Frame, Turns
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.walk import parts as parts_of
from targi_dsl.syntax import ast as n


def each_player(ctx: Context, frame: Frame, node: n.EachPlayer) -> s.EachPlayer:
    """A turn for every player."""
    start = _start(ctx, frame, node.start)
    slot = frame.slots_of_round()
    return s.EachPlayer(slot, start, _turn(ctx, frame, node.body, None))


def _start(ctx: Context, frame: Frame, player: n.Expr | None) -> e.Expr:
    """The player who begins: the first seat, if none is named."""
    return e.Const(0) if player is None else fitting.of_kind(ctx, frame, player, t.PLAYER)


def turn_of(ctx: Context, frame: Frame, node: n.TurnOf) -> s.TurnOf:
    """A turn of one player."""
    player = fitting.of_kind(ctx, frame, node.player, t.PLAYER)
    return s.TurnOf(frame.slot(t.PLAYER), player, _turn(ctx, frame, node.body, None))


def _turn(ctx: Context, frame: Frame, body: n.Block, turns: Turns | None) -> s.Block:
    """A block with another player as `you`, which `pass` can leave."""
    before, frame.turns = frame.turns, turns
    try:
        return blocks.block(ctx, frame, body)
    finally:
        frame.turns = before


@contextmanager
def about(ctx: Context, frame: Frame, player: n.Expr) -> Iterator[Callable[[s.Block], s.TurnOf]]:
    """A context for statements about another player: what is lowered in it becomes that player's
    turn.
    """
    who, slot = fitting.of_kind(ctx, frame, player, t.PLAYER), frame.slot(t.PLAYER)
    before, frame.you = frame.you, e.Local(slot)
    try:
        yield lambda done: s.TurnOf(slot, who, done)
    finally:
        frame.you = before


def back(ctx: Context, frame: Frame, body: n.Block) -> s.TurnOf:
    """A block inside a statement about another player that the addressed player carries out."""
    before, frame.you = frame.you, e.Local(YOU)
    try:
        return s.TurnOf(frame.slot(t.PLAYER), before, blocks.block(ctx, frame, body))
    finally:
        frame.you = before


def repeat(ctx: Context, frame: Frame, node: n.Repeat) -> s.Block:
    """A fixed number of turns; the number is evaluated once."""
    times = fitting.number(ctx, frame, node.times)
    counted: s.Block = ()
    if not isinstance(times, e.Const):
        most = frame.slot(t.NUMBER)
        counted, times = (s.Let(most, times),), e.Local(most)
    turns = e.Range(e.Const(1), times)
    return (*counted, s.Each(frame.slot(t.NUMBER), turns, blocks.block(ctx, frame, node.body)))


def repeat_until(ctx: Context, frame: Frame, node: n.RepeatUntil) -> s.Until:
    """Turns until a condition holds."""
    condition = fitting.truth(ctx, frame, node.condition)
    return s.Until(frame.slot(t.NUMBER), condition, blocks.block(ctx, frame, node.body))


# ---- by turns ----

_LEAVING = (s.NextTurn, s.Stop, s.EndGame, s.Do, s.DoAction)
"""Checks that something inside can end the turns."""


def by_turns(ctx: Context, frame: Frame, node: n.ByTurns) -> s.Block:
    """Turns around the table among the players who have not passed."""
    start = _start(ctx, frame, node.start)
    count = len(ctx.symbols.players)
    turns = Turns(frame.slot(t.PLAYER), frame.slot(t.PLAYER), frame.slot(t.PLAYER, count))
    still: e.Expr = e.MakeSet(tuple(e.Local(turns.first + one) for one in range(count)))
    if outcomes.are_kept(ctx):
        still = e.SetOp("within", still, outcomes.players(ctx, frame))
    over: e.Expr = e.Not(e.Exists(NOTHING, still, YES))
    if node.until is not None:
        over = e.AnyOf((over, fitting.truth(ctx, frame, node.until)))
    body = _turn(ctx, frame, node.body, turns)
    if node.until is None and not any(next(parts_of(body, one), None) for one in _LEAVING):
        text = "Write `until` and a condition, or let the players `pass`. For example:"
        begun = f" from {node.start.span.text}" if node.start is not None else ""
        hint = f"by turns{begun} until ..."
        ctx.fail("E324", "these turns never end", node.span, text, hint)
    before = e.Table((*range(NOTHING, count - 1), NOTHING), start, t.PLAYER)
    everybody = (s.Let(turns.first + one, e.Const(one, t.PLAYER)) for one in range(count))
    turn = s.TurnOf(turns.kept, e.Local(turns.player), body)
    each = s.Let(turns.player, _next(still, turns.player, count))
    return (s.Let(turns.player, before), *everybody, s.Until(turns.player, over, (each, turn)))


def _next(still: e.Expr, player: int, count: int) -> e.Expr:
    """The next player still taking turns: after this one, or else from the first seat."""
    after = tuple(tuple(range(one + 1, count)) for one in range(count))
    later = e.SetOp("within", still, e.Pick((*after, ()), e.Local(player), t.SetOf(t.PLAYER)))
    return e.Cond(e.Exists(NOTHING, later, YES), e.First(later), e.First(still))


def pass_(ctx: Context, frame: Frame, node: n.Pass) -> s.Block:
    """Ends your turn and takes you out of these turns."""
    turns = frame.turns
    if turns is None:
        text = "`pass` gives up further turns in a block of `by turns`, so it must be in one."
        ctx.fail("E331", "there are no turns to pass", node.span, text, "nothing")
    nobody, you = e.Const(NOTHING, t.Nothing()), e.Local(turns.player)
    slots = (turns.first + one for one in range(len(ctx.symbols.players)))
    out = (
        s.Let(slot, e.Cond(e.Compare("is", e.Local(slot), you), nobody, e.Local(slot)))
        for slot in slots
    )
    return (*out, s.Let(YOU, e.Local(turns.kept)), s.NextTurn(turns.player))
