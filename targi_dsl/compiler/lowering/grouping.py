"""Disambiguates phrases without parentheses: the usual grouping, or else the only other whose
types fit.

In `count of cards on S`, `of` binds tighter than `on`; but a number cannot be on anything, so the
phrase is read as `count of (cards on S)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from targi_dsl.compiler.lowering.context import Abandoned, Context, Frame
from targi_dsl.syntax import ast as n
from targi_dsl.text.light import replace
from targi_dsl.text.source import Span

MOST_READINGS = 60
"""The most readings of a phrase that are tried, including those of its parts."""

_LEVELS = (("..",), ("plus", "except", "within"), ("*", "/"), ("+", "-"))
_CHAINED = (n.On, n.Binary)
_OPEN = ("top", "bottom", "count", "first")

_Node = TypeVar("_Node", bound=n.Node)
_Read = TypeVar("_Read")


def read(ctx: Context, frame: Frame, node: n.Expr, attempt: Callable[[n.Expr], _Read]) -> _Read:
    """The result of an attempt with the usual grouping, or with the only other that fits."""
    last = _last(node) if isinstance(node, _CHAINED) else None
    if last is None or last.span in ctx.regrouping.open:
        return attempt(node)
    others = list(groupings(node))
    if not others:
        return attempt(node)
    ctx.regrouping.open.add(last.span)
    try:
        return only_fitting(ctx, frame, [node, *others], attempt)
    finally:
        ctx.regrouping.open.discard(last.span)


def either(
    ctx: Context,
    frame: Frame,
    node: n.Expr,
    first: Callable[[n.Expr], _Read],
    second: Callable[[n.Expr], _Read],
) -> _Read:
    """The result of the first attempt; of the second if no grouping fits the first."""
    before = _Before(ctx, frame)
    try:
        return read(ctx, frame, node, first)
    except Abandoned:
        before.restore(node.span)
        return read(ctx, frame, node, second)


def only_fitting(
    ctx: Context,
    frame: Frame,
    ways: Sequence[_Node],
    attempt: Callable[[_Node], _Read],
) -> _Read:
    """The result of the attempt with the first reading, or with the only other that fits."""
    first, *others = ways
    before = _Before(ctx, frame)
    with ctx.regrouping.within(MOST_READINGS):
        try:
            return attempt(first)
        except Abandoned:
            fitting = [one for one in others if _fits(before, one, attempt)]
            best = fitting[0] if len(fitting) == 1 else _best_told(before, ways)
            if best is first:
                raise
        before.restore(first.span)
        return attempt(best)


def _best_told(before: _Before, ways: Sequence[_Node]) -> _Node:
    """The reading whose error is reported if not exactly one fits: the first, unless its error is
    that it does not know what `cards` are.
    """
    ctx = before.ctx
    ctx.regrouping.left -= 1
    names = [one.span.text for one in ctx.problems[before.problems :] if one.span is not None]
    if ctx.regrouping.left < 0 or not {"card", "cards"} & set(names):
        return ways[0]
    return next((one for one in ways if _reads_cards(one)), ways[0])


def groupings(node: n.Expr) -> Iterator[n.Expr]:
    """The phrase with its last operators moved below what precedes its first part."""
    chain: list[n.On | n.Binary] = []
    part = node
    while isinstance(part, n.On | n.Binary) and (not chain or _level(part) == _level(chain[0])):
        chain.append(part)
        part = _left(part)
        if is_closed(part, _right(chain[-1])):
            return
    if not chain:
        return
    after = _right(chain[-1])
    for first in (part, *groupings(part)):
        above: list[n.Expr] = [first]
        while (inner := _tail(above[-1])) is not None and not is_closed(inner, after):
            if not (isinstance(chain[-1], n.On) and is_first(inner)):
                yield _rebuild(above, _chain(inner, chain))
            above.append(inner)


def _chain(first: n.Expr, chain: Sequence[n.On | n.Binary]) -> n.Expr:
    """The chain of operators, outermost first, with another first part."""
    whole = first
    for one in reversed(chain):
        span = first.span.cover(_right(one).span)
        if isinstance(one, n.On):
            whole = replace(one, things=whole, span=span)
        else:
            whole = replace(one, left=whole, span=span)
    return whole


def _rebuild(above: Sequence[n.Expr], inner: n.Expr) -> n.Expr:
    """The enclosing nodes, outermost first, with another last part."""
    for one in reversed(above):
        span = one.span.cover(inner.span)
        match one:
            case n.Of():
                inner = replace(one, subject=inner, span=span)
            case n.Unary():
                inner = replace(one, operand=inner, span=span)
            case n.On():
                inner = replace(one, places=inner, span=span)
            case n.Binary():
                inner = replace(one, right=inner, span=span)
            case _:
                raise TypeError(type(one).__name__)
    return inner


def _tail(node: n.Expr) -> n.Expr | None:
    """The part that ends where the node does, if operators may be moved below it."""
    match node:
        case n.Of(subject=part) | n.On(places=part) | n.Binary(op="..", right=part):
            return part
        case n.Unary(op=op, operand=part) if op in _OPEN:
            return part
        case _:
            return None


def _level(node: n.On | n.Binary) -> int:
    if isinstance(node, n.On):
        return 0
    return next((at for at, ops in enumerate(_LEVELS) if node.op in ops), -1)


def _last(node: n.Expr) -> n.Expr | None:
    if isinstance(node, n.On) or (isinstance(node, n.Binary) and _level(node) >= 0):
        return _right(node)
    return None


def _left(node: n.On | n.Binary) -> n.Expr:
    return node.things if isinstance(node, n.On) else node.left


def _right(node: n.On | n.Binary) -> n.Expr:
    return node.places if isinstance(node, n.On) else node.right


def is_first(node: n.Expr) -> bool:
    """Whether it is `first X`: `first X on S` always means the first of those on S."""
    return isinstance(node, n.Unary) and node.op == "first"


def is_closed(part: n.Expr, after: n.Expr) -> bool:
    """Whether a parenthesis closes between a part and what follows it."""
    return ")" in part.span.home.text[part.span.last : after.span.first]


def _reads_cards(way: n.Node) -> bool:
    """Whether `card` or `cards` occurs where it means those on spaces."""
    things = (one.things for one in way.walk() if isinstance(one, n.On))
    return any(isinstance(one, n.Name) and one.text in ("card", "cards") for one in things)


class _Before:
    """The state that an attempt changes, as it was before."""

    def __init__(self, ctx: Context, frame: Frame) -> None:
        self.ctx, self.frame = ctx, frame
        self.problems, self.slots = len(ctx.problems), len(frame.slots)
        self.names, self.binders = dict(frame.names), dict(frame.binders)

    def restore(self, whole: Span) -> None:
        """Undoes the effects of an attempt at that phrase; errors elsewhere stay."""
        found = self.ctx.problems[self.problems :]
        kept = [one for one in found if one.span is None or not whole.contains(one.span)]
        self.ctx.problems[self.problems :] = kept
        del self.frame.slots[self.slots :]
        self.frame.names, self.frame.binders = dict(self.names), dict(self.binders)


def _fits(before: _Before, way: _Node, attempt: Callable[[_Node], object]) -> bool:
    """Whether an attempt succeeds; its effects, and only those, are undone."""
    regrouping, tried = before.ctx.regrouping, _Before(before.ctx, before.frame)
    if regrouping.left <= 0:
        return False
    regrouping.left -= 1
    try:
        attempt(way)
    except Abandoned:
        return False
    finally:
        tried.restore(way.span)
    return True
