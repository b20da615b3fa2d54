"""Lowers `draw`, `deal` and `fill`: cards moved one by one."""

from __future__ import annotations

from targi_dsl.compiler import fitting, moves, names
from targi_dsl.compiler.context import Context, Frame
from targi_dsl.compiler.types import describe
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import YOU
from targi_dsl.syntax import ast as n
from targi_dsl.text.source import Span

_ONE = e.Const(1)


def draw(ctx: Context, frame: Frame, node: n.Draw) -> s.Block:
    """Moves the top card a number of times, as long as there are cards."""
    number = fitting.number(ctx, frame, node.number)
    source = fitting.of_kind(ctx, frame, node.source, t.PLACE)
    target = fitting.of_kind(ctx, frame, node.place, t.PLACE)
    return _times(frame, number, _top(ctx, frame, source, target, node.span))


def deal(ctx: Context, frame: Frame, node: n.Deal) -> s.Block:
    """Deals cards around the table, one to each player in turn."""
    number = fitting.number(ctx, frame, node.number)
    source = fitting.of_kind(ctx, frame, node.source, t.PLACE)
    _check_owned(ctx, node.zone)
    before: s.Block = ()
    if not isinstance(source, e.Const):  # `your pile` is the dealer's
        kept = frame.slot(t.PLACE)
        before, source = (s.Let(kept, source),), e.Local(kept)
    slot = frame.slot(t.PLAYER)
    frame.slot(t.NUMBER)
    frame.slot(t.PLAYER)
    target, _ = names.of_player(ctx, frame, node.zone, e.Local(YOU), node.zone.span)
    body = _top(ctx, frame, source, target, node.span)
    around = s.EachPlayer(slot, e.Const(0), body).at(node.span)
    return (*before, *_times(frame, number, (around,)))


def fill(ctx: Context, frame: Frame, node: n.Fill) -> s.Block:
    """Moves the top card to each space without a card, in the order of the spaces."""
    spaces, type_ = fitting.lower_set(ctx, frame, node.spaces)
    ctx.understood(type_)
    if not isinstance(type_, t.Place):
        text = f"Spaces are filled; this is {describe(type_)}."
        hint = f"draw 1 from {node.source.span.text} to {node.spaces.span.text}"
        ctx.fail("E301", "spaces are needed here", node.spaces.span, text, hint)
    source = fitting.of_kind(ctx, frame, node.source, t.PLACE)
    space, looked_at = frame.slot(type_), frame.slot(type_)
    lying = e.Size(e.CardsOn(e.MakeSet((e.Local(looked_at),))))
    empty = e.Filter(looked_at, spaces, e.Compare("is", lying, e.Const(0)))
    body = _top(ctx, frame, source, e.Local(space), node.span, node.facing)
    return (s.Each(space, empty, body),)


def _check_owned(ctx: Context, word: n.Word) -> None:
    """Refuses a zone that does not belong to each player."""
    ctx.known(word.text)
    region = ctx.symbols.regions.get(word.text)
    owned = [one.name for one in ctx.symbols.regions.values() if one.owned and one.is_zone]
    if region is None:
        text = "No zone of that name is declared."
        near = ctx.near(word.text, owned)
        ctx.fail("E201", f"unknown zone `{word.text}`", word.span, text, near)
    if not region.owned or not region.is_zone:
        text = "Cards are dealt to a zone that every player has."
        hint = f"zone {word.text} for each player: ..."
        ctx.fail("E318", f"`{word.text}` has no owner", word.span, text, hint)


def _top(
    ctx: Context, frame: Frame, source: e.Expr, target: e.Expr, span: Span, facing: n.Facing = ""
) -> s.Block:
    """Moves the top card of a place, which is refilled first if necessary."""
    move = s.MoveCards(e.MakeSet((e.TopCard(source),)), target, False, facing)
    return tuple(one.at(span) for one in moves.refreshed(ctx, frame, (move,)))


def _times(frame: Frame, number: e.Expr, body: s.Block) -> s.Block:
    if number == _ONE:
        return body
    return (s.Each(frame.slot(t.NUMBER), e.Range(_ONE, number), body),)
