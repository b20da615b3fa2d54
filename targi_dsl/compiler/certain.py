"""Warns of conditions whose outcome is certain from declarations."""

from __future__ import annotations

from targi_dsl.compiler.context import Context
from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Problem

_PLACES = ("row", "column", "number")
_Numbers = range | frozenset[int]


def warn_if_certain(ctx: Context, node: n.Binary, left: e.Expr, right: e.Expr) -> None:
    """Reports W905 if a declared number is compared with one outside its range."""
    for one, what, other in ((left, node.left, right), (right, node.right, left)):
        numbers = _numbers(ctx, one, what)
        if numbers is None or not isinstance(other, e.Const) or not isinstance(other.value, int):
            continue
        low, high, than = min(numbers), max(numbers), other.value
        if one is left:
            holds = {
                "is": None if than in numbers else False,
                "is_not": None if than in numbers else True,
                "at_least": _decided(low >= than, high < than),
                "at_most": _decided(high <= than, low > than),
                "more_than": _decided(low > than, high <= than),
                "less_than": _decided(high < than, low >= than),
            }[node.op]
        else:
            holds = None if than in numbers or node.op not in ("is", "is_not") else False
        if holds is not None:
            _note(ctx, node, f"`{what.span.text}` is {low} to {high}", holds)


def warn_of_all_pieces(ctx: Context, node: n.Unary, within: e.Expr, of: t.Type) -> None:
    """Reports W905 if it is asked whether there are pieces of a kind: there always are, on the
    board or off it.
    """
    if isinstance(of, t.Piece) and isinstance(within, e.Const | e.Pick):
        pieces = node.operand.span.text
        why = f"`{pieces}` includes pieces off the board"
        regions = [one.name for one in ctx.symbols.regions.values() if not one.is_zone]
        hint = f"{node.op} {pieces} on {regions[0]}" if len(regions) == 1 else ""
        _note(ctx, node, why, node.op == "any", hint)


def _decided(always: bool, never: bool) -> bool | None:
    return True if always else False if never else None


def _note(ctx: Context, node: n.Binary | n.Unary, why: str, holds: bool, hint: str = "") -> None:
    outcome = "always" if holds else "never"
    title, text = f"this {outcome} holds", f"{why}, so the condition {outcome} holds."
    problem = Problem("W905", title, node.span, text, hint, severity="warning")
    ctx.warn(problem)


def _numbers(ctx: Context, found: e.Expr, node: n.Expr) -> _Numbers | None:
    """The possible values of an expression, if declarations limit them."""
    match found:
        case e.Var(base=base):
            named = (one for one in ctx.tables.variables.values() if one.base == base)
            variable = next(named, None)
            if variable is None or variable.low >= variable.high:
                return None
            return range(variable.low, variable.high + 1)
        case e.Table(values=values) if (
            isinstance(node, n.Of)
            and node.name.text in _PLACES
            and len(values) == len(ctx.symbols.places) + 1
        ):
            return frozenset(values)
        case _:
            return None
