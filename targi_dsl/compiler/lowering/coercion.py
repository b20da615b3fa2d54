"""Lowers expressions to the type that their context requires, and regroups phrases if their types
do not fit.

A phrase without parentheses has the usual grouping, or else the only other grouping whose types
fit. In `count of cards on S`, `of` binds tighter than `on`; but a number cannot be on anything, so
it is read as `count of (cards on S)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial, reduce
from typing import TypeVar

from msgspec.structs import replace

from targi_dsl.compiler.lowering.context import Abandoned, Context, Hint, instead
from targi_dsl.compiler.symbols.table import describe
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.syntax import ast as n
from targi_dsl.text.source import Span

MOST_READINGS = 60
"""The most groupings that are tried for a phrase, including those of its parts."""

_LEVELS = (("..",), ("plus", "except", "within"), ("*", "/"), ("+", "-"))
_FIRST: dict[type[n.Node], str] = {n.On: "things", n.Binary: "left"}
_LAST: dict[type[n.Node], str] = {
    n.On: "places", n.Binary: "right", n.Of: "subject", n.Unary: "operand", n.LongestLine: "within",
}  # fmt: skip
"""The first and the last operand of the phrases that can be regrouped."""
_OPEN = ("top", "bottom", "count", "first")

_Node = TypeVar("_Node", bound=n.Node)
_Read = TypeVar("_Read")


def read(ctx: Context, node: n.Expr, attempt: Callable[[n.Expr], _Read]) -> _Read:
    """The result of an attempt to lower a phrase, with the usual grouping or else with the only
    other one that succeeds.
    """
    others = node.derived(_groupings) if _is_chained(node) else ()
    last = _last(node).span if others else None
    if last is None or last in ctx.regrouping.open:
        return attempt(node)
    ctx.regrouping.open.add(last)
    try:
        return only_fitting(ctx, [node, *others], attempt)
    finally:
        ctx.regrouping.open.discard(last)


def only_fitting(ctx: Context, ways: Sequence[_Node], attempt: Callable[[_Node], _Read]) -> _Read:
    """The result of the attempt with the first reading, or else with the only other that
    succeeds.
    """
    first, *others = ways
    snapshot = _Snapshot(ctx)
    with ctx.regrouping.within(MOST_READINGS):
        try:
            return attempt(first)
        except Abandoned:
            fitting = [one for one in others if _fits(snapshot, one, attempt)]
            best = fitting[0] if len(fitting) == 1 else _reading_to_report(snapshot, ways)
            if best is first:
                raise
        snapshot.restore(first.span)
        return attempt(best)


def _reading_to_report(before: _Snapshot, ways: Sequence[_Node]) -> _Node:
    """The reading whose error is reported if not exactly one succeeds: the first, unless its error
    is that `cards` is unknown.
    """
    ctx = before.ctx
    ctx.regrouping.left -= 1
    names = [one.span.text for one in ctx.problems[before.problems :] if one.span is not None]
    if ctx.regrouping.left < 0 or not {"card", "cards"} & set(names):
        return ways[0]
    return next((one for one in ways if _reads_cards(one)), ways[0])


def _groupings(node: n.Expr) -> tuple[n.Expr, ...]:
    return tuple(groupings(node))


def groupings(node: n.Expr) -> Iterator[n.Expr]:
    """The other groupings of a phrase: its last operators are moved into the operand before
    them.
    """
    chain: list[n.Expr] = []
    part = node
    while _is_chained(part) and (not chain or _level(part) == _level(chain[0])):
        chain.append(part)
        part = _first(part)
        if is_closed(part, _last(chain[-1])):
            return
    if not chain:
        return
    yield from _range_of_sums(part, chain)
    after = _last(chain[-1])
    for first in (part, *groupings(part)):
        outer: list[n.Expr] = [first]
        while (inner := _tail(outer[-1])) is not None and not is_closed(inner, after):
            if not (isinstance(chain[-1], n.On) and is_first(inner)):
                yield reduce(_with_last, reversed(outer), _chain(inner, chain))
            outer.append(inner)


def _range_of_sums(first: n.Expr, chain: Sequence[n.Expr]) -> Iterator[n.Expr]:
    """`a + 1..b + 2` grouped as the numbers from `a + 1` to `b + 2`."""
    for at, one in enumerate(chain):
        inner, after = _last(one), _first(one).span.last
        if not (isinstance(inner, n.Binary) and inner.op == ".." and isinstance(one, n.Binary)):
            continue
        if "(" not in inner.span.home.text[after : inner.span.first]:
            low = _chain(first, (replace(one, right=inner.left), *chain[at + 1 :]))
            high = _chain(inner.right, chain[:at])
            yield replace(inner, left=low, right=high, span=low.span.cover(high.span))


def _chain(first: n.Expr, chain: Sequence[n.Expr]) -> n.Expr:
    """The operators of the chain, outermost first, applied to another first operand."""
    whole = first
    for one in reversed(chain):
        span = first.span.cover(_last(one).span)
        whole = replace(one, **{_FIRST[type(one)]: whole}, span=span)
    return whole


def _with_last(inner: n.Expr, one: n.Expr) -> n.Expr:
    """A phrase with another last operand."""
    return replace(one, **{_LAST[type(one)]: inner}, span=one.span.cover(inner.span))


def _tail(node: n.Expr) -> n.Expr | None:
    """The last operand, if operators may be moved into it."""
    match node:
        case n.Binary(op=op) if op != "..":
            return None
        case n.Unary(op=op) if op not in _OPEN:
            return None
        case _:
            return _last(node) if type(node) in _LAST else None


def _is_chained(node: n.Expr) -> bool:
    return type(node) in _FIRST and _level(node) >= 0


def _level(node: n.Expr) -> int:
    if not isinstance(node, n.Binary):
        return 0
    return next((at for at, ops in enumerate(_LEVELS) if node.op in ops), -1)


def _first(node: n.Expr) -> n.Expr:
    part: n.Expr = getattr(node, _FIRST[type(node)])
    return part


def _last(node: n.Expr) -> n.Expr:
    part: n.Expr = getattr(node, _LAST[type(node)])
    return part


def is_first(node: n.Expr) -> bool:
    """Whether it is `first X`: `first X on S` always means the first of those on S."""
    return isinstance(node, n.Unary) and node.op == "first"


def is_closed(part: n.Expr, after: n.Expr) -> bool:
    """Whether a parenthesis closes between a part and what follows it."""
    return ")" in part.span.home.text[part.span.last : after.span.first]


def _reads_cards(way: n.Node) -> bool:
    """Whether `card` or `cards` occurs before `on`, where it means the cards on spaces."""
    things = (one.things for one in way.walk() if isinstance(one, n.On))
    return any(isinstance(one, n.Name) and one.text in ("card", "cards") for one in things)


class _Snapshot:
    """The state that an attempt may change, to be restored if it fails."""

    def __init__(self, ctx: Context) -> None:
        self.ctx, self.frame = ctx, ctx.frame
        self.problems, self.slots = len(ctx.problems), len(ctx.frame.slots)
        self.names = dict(ctx.frame.names)

    def restore(self, whole: Span) -> None:
        """Undoes an attempt to lower that phrase; problems elsewhere are kept."""
        found = self.ctx.problems[self.problems :]
        elsewhere = [one for one in found if one.span is None or not whole.contains(one.span)]
        self.ctx.problems[self.problems :] = elsewhere
        del self.frame.slots[self.slots :]
        self.frame.names = dict(self.names)


def _fits(before: _Snapshot, way: _Node, attempt: Callable[[_Node], object]) -> bool:
    """Whether an attempt succeeds; its effects are undone."""
    regrouping, tried = before.ctx.regrouping, _Snapshot(before.ctx)
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


def truth(ctx: Context, node: n.Expr, before: n.Expr | None = None) -> e.Expr:
    """Lowers a condition; before: the one that `and` or `or` joins it to."""
    found, type_ = ctx.lower(node, t.TRUTH)
    if isinstance(type_, t.SetOf) and isinstance(before, n.Unary) and before.op == "no":
        _refuse_after_no(ctx, before, node)
    if not isinstance(type_, t.Truth):
        hint = instead(_as_condition(ctx, node)) if isinstance(type_, t.SetOf) else ""
        text = (
            f"A condition is needed here, which is either true or false; this is {describe(type_)}."
        )
        ctx.fail("E301", "this is not a condition", node.span, text, hint)
    return found


def _refuse_after_no(ctx: Context, before: n.Unary, node: n.Expr) -> None:
    """Refuses `no A and B`, and `no A or B on S`, which are meant as `no` of both."""
    where = ""
    if isinstance(node, n.On) and not isinstance(before.operand, n.On):
        where = node.span.text.removeprefix(node.things.span.text)
    hint = instead(f"{before.span.text}{where} and no {node.span.text}")
    span, text = (
        before.span.cover(node.span),
        "`no` goes with the first only. If there is none of both:",
    )
    ctx.fail("E301", f"`{node.span.text}` is not a condition", span, text, hint)


def _as_condition(ctx: Context, node: n.Expr) -> str:
    """The condition that a set was probably meant as, for a hint."""
    match node:
        case n.On(things=n.Name(text=piece), places=places) if piece in ctx.symbols.piece_kinds:
            if len(ctx.symbols.piece_kinds[piece].ids) == 1:
                return f"{piece} is on {places.span.text}"
    return f"any {node.span.text}"


def number(ctx: Context, node: n.Expr) -> e.Expr:
    return of_kind(ctx, node, t.NUMBER)


def once(ctx: Context, number: e.Expr) -> tuple[s.Block, e.Expr]:
    """Statements that evaluate a number, and an expression for its value from then on."""
    if isinstance(number, e.Const | e.Local):
        return (), number
    slot = ctx.frame.slot(t.NUMBER)
    return (s.Let(slot, number),), e.Local(slot)


def of_kind(ctx: Context, node: n.Expr, wanted: t.Type) -> e.Expr:
    """Lowers a single thing of a type, or a set if the type is one."""

    def fitted(one: n.Expr) -> e.Expr:
        found, type_ = ctx.lower(one, wanted)
        return fit(ctx, found, type_, wanted, one.span)

    return read(ctx, node, fitted)


def one_or_several(ctx: Context, node: n.Expr, wanted: t.Single) -> tuple[e.Expr, t.Single | None]:
    """Lowers a single thing of a type; or, if no grouping gives one, a set of them, returned with
    its element type.
    """

    def attempt(way: n.Expr, several: bool = False) -> tuple[e.Expr, t.Single | None]:
        found, type_ = ctx.lower(way, wanted)
        if several and isinstance(type_, t.SetOf) and t.alike(type_.of, wanted):
            return found, type_.of
        return fit(ctx, found, type_, wanted, way.span), None

    snapshot = _Snapshot(ctx)
    try:
        return read(ctx, node, attempt)
    except Abandoned:
        snapshot.restore(node.span)
        return read(ctx, node, partial(attempt, several=True))


def fit(ctx: Context, found: e.Expr, type_: t.Type, wanted: t.Type, span: Span) -> e.Expr:
    """Converts an expression to the required type, or fails."""
    if isinstance(wanted, t.SetOf):
        return as_set(ctx, found, type_, span, wanted.of)
    if isinstance(type_, t.Nothing) and t.has_nothing(wanted):
        return found
    if isinstance(type_, t.SetOf):
        _refuse_all_of_values(ctx, type_.of, wanted, span)
        text = f"A single thing is needed here, {describe(wanted)}; this is {describe(type_)}."
        word = _conversion(type_.of, wanted)
        new = f"{word} {span.text}"
        hint = (
            Hint(f"If the first of them is meant: {new}", new) if word == "first" else instead(new)
        )
        ctx.fail("E302", "a single thing is needed, not a set", span, text, hint)
    if not t.alike(type_, wanted):
        title = f"{describe(wanted)} is needed here"
        if _is_resource_for_number(type_, wanted):
            text = "This is a resource, not an amount of it."
            ctx.fail("E301", title, span, text, instead(f"your {span.text}"))
        has_number = isinstance(type_, t.Value) and type_.of in ctx.symbols.numbers
        new = f"number of {span.text}" if has_number and wanted == t.NUMBER else ""
        if isinstance(type_, t.Value) and isinstance(wanted, t.Place):
            regions = ctx.symbols.regions.values()
            place = next((one.name for one in regions if one.values == type_.of), "")
            new = f"{place} of {span.text}" if place else ""
        if isinstance(type_, t.Place) and type_.is_zone and isinstance(wanted, t.Card):
            new = f"top of {span.text}"
        ctx.fail("E301", title, span, f"This is {describe(type_)}.", instead(new))
    return found


def _refuse_all_of_values(ctx: Context, of: t.Single, wanted: t.Type, span: Span) -> None:
    """Refuses all zones or spaces that there are for each value, where a single one is needed:
    that of a value which a name here is, or of a card's field.
    """
    region = ctx.symbols.regions.get(t.kind(of)) if isinstance(wanted, t.Place) else None
    if region is None or not region.values or span.text.removeprefix("your ") != region.name:
        return
    text = f"There is one for each {region.values}; say which"
    values = [*_values_here(ctx, t.Value(region.values))]
    if len(values) != 1:
        text = f"{text}, for example"
    value = (*values, ctx.symbols.values[region.values][0])[0]
    new = f"{span.text} of {value}" if region.is_zone else f"space ({value}) of {span.text}"
    hint = Hint(new, new if len(values) == 1 else "")
    ctx.fail("E302", "a single thing is needed, not a set", span, f"{text}:", hint)


def _values_here(ctx: Context, wanted: t.Value) -> Iterator[str]:
    """The local names of this type, and the fields of it of cards with local names."""
    for name, one in ctx.frame.names.items():
        match one.value:
            case (_, type_) if type_ == wanted:
                yield name
            case (_, t.Card(kind)):
                for field in ctx.symbols.kinds.get(kind, ctx.cards.fields):
                    if field in ctx.cards.fields and ctx.cards.fields[field][1] == wanted:
                        yield f"{field} of {name}"


def as_set(
    ctx: Context, found: e.Expr, type_: t.Type, span: Span, wanted: t.Single | None = None
) -> e.Expr:
    """Converts an expression to a set: a zone to its cards, a single thing to a singleton."""
    is_set, of = isinstance(type_, t.SetOf), t.element(type_)
    if isinstance(of, t.Place) and of.is_zone and isinstance(wanted, t.Card | None):
        return e.CardsOn(found if is_set else set_of(found))
    if wanted is not None and not isinstance(of, t.Nothing) and type(of) is not type(wanted):
        ctx.fail("E301", f"{describe(wanted)} is needed here", span, f"This is {describe(type_)}.")
    if isinstance(of, t.Truth | t.Price) or (isinstance(of, t.Number) and not is_set):
        ctx.fail("E301", "a set is needed here", span, f"This is {describe(type_)}.")
    return found if is_set else set_of(found)


def element_of(type_: t.Type) -> t.Single:
    """The element type of the set made by `as_set`."""
    of = t.element(type_)
    return t.CARD if isinstance(of, t.Place) and of.is_zone else of


def either(type_: t.Type, other: t.Type) -> t.Type:
    """The type of what is of one of two types, of which the second fits the first: of the same
    region or kind only if both are.
    """
    if isinstance(type_, t.SetOf):
        element = either(element_of(type_), element_of(other))
        return t.set_of(element)
    of = t.element(other)
    return t.join(type_, of) if t.kind(type_) and t.alike(type_, of) else type_


def lower_set(ctx: Context, node: n.Expr) -> tuple[e.Expr, t.Single]:
    """Lowers a set; returns it with its element type."""
    found, type_ = ctx.lower(node)
    return as_set(ctx, found, type_, node.span), element_of(type_)


def set_of(found: e.Expr) -> e.Expr:
    if isinstance(found, e.Const) and isinstance(found.value, int):
        type_ = t.set_of(found.type) if found.type is not None else None
        return e.Const(() if found.value == NOTHING else (found.value,), type_)
    return e.MakeSet((found,))


def total(parts: Iterable[e.Expr]) -> e.Expr:
    """The sum of at least one number."""
    return reduce(lambda left, right: e.Arith("+", left, right), parts)


def kind_number(ctx: Context, word: n.Word) -> int:
    """The number of a card kind."""
    kinds = list(ctx.symbols.kinds)
    ctx.require("kind of card", word, "No kind of card with that name is declared.", kinds)
    return kinds.index(word.text)


def number_of_value(ctx: Context, value: e.Expr, type_: t.Value, span: Span) -> e.Expr:
    """The number that a list of values assigns to a value; 0 for nothing."""
    numbers = ctx.symbols.numbers.get(type_.of)
    if numbers is None:
        ctx.require_known(type_.of)
        members = ctx.symbols.values[type_.of]
        numbered = ", ".join(f"{name} {number + 1}" for number, name in enumerate(members))
        title, text, hint = f"the values of {type_.of} have no numbers", "They have no order.", ""
        if ctx.is_declared("values", type_.of):
            text = "Give them numbers to compare them by:"
            hint = f"values {type_.of}: {numbered}"
        ctx.fail("E333", title, span, text, hint)
    return e.Table((*numbers, 0), value)


def _conversion(element: t.Single, wanted: t.Type) -> str:
    """The word that converts a set of these elements to the required type."""
    if _is_resource_for_number(element, wanted):
        return "your"
    return "count of" if isinstance(wanted, t.Number) else "first"


def _is_resource_for_number(type_: t.Type, wanted: t.Type) -> bool:
    """Whether a resource stands where its amount is meant."""
    return isinstance(type_, t.Resource) and isinstance(wanted, t.Number)
