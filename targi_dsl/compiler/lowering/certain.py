"""Warns (W905) of conditions that always or never hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Literal, NamedTuple

from targi_dsl.compiler.lowering.context import Context
from targi_dsl.compiler.project.discovery import PLAYERS
from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.expressions import COMPARISONS
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Problem

_PLACES = ("row", "column", "number")
MOST_REGIONS = 4
"""The most regions of a board that a hint names."""
_Numbers = range | frozenset[int]


def warn_of_comparison(
    ctx: Context, op: e.Comparison, node: n.Binary, left: e.Expr, right: e.Expr
) -> None:
    """Warns if a comparison has a constant outcome: of a number with one outside its range, or of
    an expression with itself.
    """
    if left == right and not isinstance(left, e.Const):  # constants may be options
        _warn(ctx, node, "Both sides are the same", COMPARISONS[op].holds(0, 0))
    for one, what, other in ((left, node.left, right), (right, node.right, left)):
        numbers = _numbers(ctx, one, what)
        if numbers is None or not isinstance(other, e.Const) or not isinstance(other.value, int):
            continue
        ordered, than = numbers if isinstance(numbers, range) else sorted(numbers), other.value
        low, high = ordered[0], ordered[-1]
        ends = [(low, than), (high, than)] if one is left else [(than, low), (than, high)]
        outcomes = {COMPARISONS[op].holds(*pair) for pair in ends}
        may_change = op in ("is", "is_not") and than in numbers and not _are_pieces(ctx, what)
        if len(outcomes) == 1 and not may_change:
            why, hint = f"`{what.span.text}` is {low} to {high}", ""
            if _are_all_players(ctx, what):
                why = "No rule says who `is out`, and `wins` and `loses` end the game"
            elif isinstance(what, n.Unary):
                why, on_board = why_of_number(ctx, what.operand)
                hint = on_board and node.span.text.replace(what.operand.span.text, on_board, 1)
            _warn(ctx, node, why, outcomes.pop(), hint)


def warn_of_two_places(ctx: Context, node: n.Binary, one: e.Expr, other: e.Expr) -> None:
    """Warns of a comparison of cards that lie in different places."""
    if not _lie_apart(one, other):
        return
    text = "A card lies in one place only, so these are the same only where neither is there."
    left, right = node.left.span.text, node.right.span.text
    field, op = (
        next((one for one in ctx.cards.fields if one != "number"), ""),
        node.op.replace("_", " "),
    )
    text += " Compare what is on them, for example:" if field else ""
    hint = f"{field} of {left} {op} {field} of {right}" if field else ""
    title = "these are never the same card"
    ctx.warn(Problem("W905", title, node.span, text, hint))


def _lie_apart(left: e.Expr, right: e.Expr) -> bool:
    """Whether these are cards that lie on top or at the bottom of places that certainly differ: of
    other zones, or yours and the opponent's.
    """
    ends = (e.TopCard, e.BottomCard)
    if not (isinstance(left, ends) and isinstance(right, ends)):
        return False
    match left.place, right.place:
        case e.Const(int(one)), e.Const(int(other)):
            return one != other
        case e.Table(mine, one_of), e.Table(theirs, other_of):
            you = e.Local(YOU)
            pair = (you, e.Table((1, 0, NOTHING), you))
            if mine == theirs:
                return pair in ((one_of, other_of), (other_of, one_of))
            return {*mine} & {*theirs} <= {NOTHING}
        case _:
            return False


def warn_of_all(ctx: Context, node: n.Unary, within: e.Expr, of: t.Type) -> None:
    """Warns of `any` and `no` about all pieces of a kind, or all spaces of a region, which always
    exist.
    """
    if not size(within):
        return
    if _are_spaces(ctx, node.operand):
        _warn(ctx, node, _why_of_spaces(ctx, node.operand), node.op == "any")
    if isinstance(of, t.Piece):
        why, on_board = why_of_pieces(ctx, node.operand.span.text)
        _warn(ctx, node, why, node.op == "any", on_board and f"{node.op} {on_board}")


def _are_spaces(ctx: Context, node: n.Expr) -> bool:
    """Whether an expression names all spaces of a region, or of a player's, or a set of spaces."""
    name = _named(node)
    region = ctx.symbols.regions.get(name)
    return name in ctx.symbols.sets or (region is not None and not region.is_zone)


def _why_of_spaces(ctx: Context, spaces: n.Expr) -> str:
    """The reason why the number of these spaces is constant, with the likely intention."""
    name = spaces.span.text
    things = ctx.on_spaces()
    on_them = f" (`{things} on {name}`)" if things else ""
    return f"`{name}` is all spaces of that name, whatever is on them{on_them}"


def why_of_number(ctx: Context, things: n.Expr) -> tuple[str, str]:
    """The reason why the number of these spaces or pieces is constant; and of pieces a phrase for
    those on the board, as below.
    """
    if _are_spaces(ctx, things):
        return _why_of_spaces(ctx, things), ""
    return why_of_pieces(ctx, things.span.text)


def why_of_pieces(ctx: Context, pieces: str) -> tuple[str, str]:
    """The reason why the number of these pieces is constant; and a phrase for those on the board,
    unless it has too many regions to name.
    """
    boards = (one for one in ctx.symbols.regions.values() if not one.is_zone)
    regions = [f"{one.name}{' of players' * one.owned}" for one in boards]
    board = regions[0] if len(regions) == 1 else f"({' plus '.join(regions)})"
    on_board = f"{pieces} on {board}" if 0 < len(regions) <= MOST_REGIONS else ""
    return f"`{pieces}` includes pieces off the board", on_board


def _warn(
    ctx: Context, node: n.Binary | n.Unary | n.Logic, why: str, holds: bool, hint: str = ""
) -> None:
    outcome = "always" if holds else "never"
    title, text = f"this {outcome} holds", f"{why}, so the condition {outcome} holds."
    text += " Write:" * bool(hint)
    problem = Problem("W905", title, node.span, text, hint)
    ctx.warn(problem)


def _numbers(ctx: Context, found: e.Expr, node: n.Expr) -> _Numbers | None:
    """The possible values of a number, if they are limited by declarations."""
    match found:
        case e.Size() if _are_all_players(ctx, node):
            count = str(len(ctx.symbols.players))
            return frozenset(map(int, ctx.symbols.option_values.get(PLAYERS, (count,))))
        case e.Size(things) if (number := size(things)) is not None:
            counted = node.operand if isinstance(node, n.Unary) else node
            is_known = _are_pieces(ctx, node) or _are_spaces(ctx, counted)
            return frozenset({number}) if is_known else None
        case e.Var(base=base):
            named = (one for one in ctx.tables.variables.values() if one.base == base)
            variable = next(named, None) if ctx.symbols.players else None  # no one has any slots
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


def _are_all_players(ctx: Context, node: n.Expr) -> bool:
    """Whether this is the number of players, in a game in which nobody is ever out."""
    match node:
        case n.Unary("count", n.Keyword("players")):
            return not ctx.facts.goes_out
        case _:
            return False


def _are_pieces(ctx: Context, node: n.Expr) -> bool:
    """Whether an expression names all pieces of a kind, or of a player's."""
    return isinstance(node, n.Unary) and _named(node.operand) in ctx.symbols.piece_kinds


def size(things: e.Expr) -> int | None:
    """The number of elements of a set, if it is constant whoever the player is."""
    match things:
        case e.Pick(_, e.Var()) | e.MakeSet((e.Table(_, e.Var()),)):  # of a player who may be none
            return None
        case e.MakeSet((e.Table((*ones, _)),)) if NOTHING not in ones:
            return 1
        case e.Const(tuple(value)):
            return len(value)
        case e.Pick((*sets, _)) if len({*map(len, sets)}) == 1:
            return len(sets[0])
        case _:
            return None


def _named(node: n.Expr) -> str:
    """The name in NAME, `your NAME` or `NAME of ...`; otherwise empty."""
    name = node.name if isinstance(node, n.Your | n.Of) else node
    return name.text if isinstance(name, n.Name | n.Word) else ""


# ---- conditions joined by `and` or `or` ----


class _Constraint(NamedTuple):
    """A condition as a constraint on a value. `allows`: whether a number satisfies it. `near`:
    numbers around which that changes.
    """

    of: object
    allows: Callable[[int], bool]
    near: frozenset[int]
    expr: n.Expr


def warn_of_parts(ctx: Context, node: n.Logic, parts: tuple[e.Expr, ...]) -> None:
    """Warns if parts joined by `and` contradict each other, or parts joined by `or` are
    exhaustive.
    """
    demands = defaultdict[object, list[_Constraint]](list)
    for expr, part in _flat(node, parts):
        demand = _constraint(expr, part, node.op == "and")
        if not isinstance(demand.of, e.Const):  # an option
            demands[demand.of].append(demand)
    for group in demands.values():
        pairs = (pair for pair in combinations(group, 2) if _exclude(pair))
        found = next(pairs, tuple(group) if _exclude(group) else ())
        if found:
            parts_ = [f"`{one.expr.span.text}`" for one in found]
            all_of_them = f"{', '.join(parts_[:-1])} {node.op} {parts_[-1]}"
            ends = "exclude each other" if node.op == "and" else "holds in any case"
            is_whole = len(found) == sum(map(len, demands.values()))
            hint = _with_other_word(node.op, found) if is_whole else ""
            _warn(ctx, node, f"{all_of_them} {ends}", node.op == "or", hint)
            return


def _with_other_word(op: Literal["and", "or"], found: Iterable[_Constraint]) -> str:
    """A repair: values of one thing that were joined by `and`, joined by `or`; or vice versa."""
    meant, other = ("is", " or ") if op == "and" else ("is_not", " and ")
    exprs = [one.expr for one in found]
    is_meant = all(isinstance(one, n.Binary) and one.op == meant for one in exprs)
    return other.join(one.span.text for one in exprs) if is_meant else ""


def _exclude(demands: Iterable[_Constraint]) -> bool:
    """Whether several constraints exclude each other. It suffices to test numbers near those that
    they mention.
    """
    several = [*demands]
    near = {number + by for one in several for number in one.near for by in (-1, 0, 1)}
    return len(several) > 1 and not any(
        all(one.allows(number) for one in several) for number in near
    )


def _flat(node: n.Logic, parts: tuple[e.Expr, ...]) -> Iterator[tuple[n.Expr, e.Expr]]:
    """The parts of a condition as written and as lowered; redundant parentheses are flattened."""
    for expr, part in zip(node.parts, parts, strict=True):
        match expr, part:
            case n.Unary("not", operand), _ if operand.span == expr.span:
                pass  # generated by `every`, not written
            case n.Logic(node.op), e.All(inner) | e.AnyOf(inner):
                yield from _flat(expr, inner)
            case _:
                yield expr, part


def _constraint(expr: n.Expr, part: e.Expr, holds: bool) -> _Constraint:
    """The constraint of a condition that holds, or that does not."""
    match part:
        case e.Not(of):
            return _constraint(expr, of, not holds)
        case e.Compare(op, left, right):
            if not holds:
                op = COMPARISONS[op].opposite
            if isinstance(left, e.Const) or (
                not isinstance(right, e.Const) and hash(left) > hash(right)
            ):
                left, right, op = right, left, _FLIPPED.get(op, op)
            test = COMPARISONS[op].holds
            match right:
                case e.Const(int(than)):
                    return _Constraint(left, lambda it: test(it, than), frozenset({than}), expr)
                case _:  # of the difference
                    return _Constraint((left, right), lambda it: test(it, 0), frozenset({0}), expr)
        case e.Member(item, e.Const(tuple(those))):
            return _Constraint(item, lambda it: (it in those) is holds, frozenset(those), expr)
        case _:
            return _Constraint(part, lambda it: bool(it) is holds, frozenset({0}), expr)


_FLIPPED: dict[e.Comparison, e.Comparison] = {
    "less_than": "more_than",
    "more_than": "less_than",
    "at_most": "at_least",
    "at_least": "at_most",
}
