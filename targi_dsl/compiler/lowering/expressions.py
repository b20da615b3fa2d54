"""Lowers expressions and checks their types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import pairwise
from typing import Literal, NoReturn, assert_never

from msgspec.structs import replace

from targi_dsl.compiler.lowering import (
    calls,
    certain,
    coercion,
    names,
    passing,
    repetition,
    resources,
    spaces,
)
from targi_dsl.compiler.lowering.coercion import (
    as_set,
    element_of,
    fit,
    lower_set,
    number,
    number_of_value,
    of_kind,
    truth,
)
from targi_dsl.compiler.lowering.context import NO, YES, Context, instead
from targi_dsl.compiler.symbols.table import Typed, describe
from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.syntax import ast as n

_WITH_TYPE = (e.Const, e.Table, e.Pick, e.Image)
"""Nodes that carry their type; that of any other node follows from its operands."""


def lower(ctx: Context, node: n.Expr, expected: t.Type | None = None) -> Typed:
    """The lowered expression and its type. `expected` disambiguates bare names; it is not checked
    here.
    """
    found, type_ = coercion.read(ctx, node, lambda one: _lower(ctx, one, expected))
    ctx.facts.note(node, type_, ctx.frame)
    if isinstance(found, _WITH_TYPE) and found.type is None:
        of = t.element(type_)
        if not isinstance(of, t.Number):  # a number's range follows from its value
            found = replace(found, type=type_)
    return found, type_


def _lower(ctx: Context, node: n.Expr, expected: t.Type | None) -> Typed:
    match node:  # the most frequent first
        case n.Name():
            return names.name(ctx, node, expected)
        case n.Number():
            return e.Const(node.value), t.NUMBER
        case n.Of():
            return names.lower_of(ctx, node)
        case n.Binary():
            return _binary(ctx, node)
        case n.On():
            return names.lower_on(ctx, node)
        case n.Your():
            return names.of_player(ctx, node.name, ctx.frame.you, node.span)
        case n.Unary():
            return _unary(ctx, node)
        case n.Logic():
            _or_more(ctx, node)
            _of_both(ctx, node)
            _beside_every(ctx, node)
            both = zip((None, *node.parts), node.parts, strict=False)
            parts = tuple(truth(ctx, part, before) for before, part in both)
            certain.warn_of_parts(ctx, node, parts)
            return (e.All(parts) if node.op == "and" else e.AnyOf(parts)), t.TRUTH
        case n.Keyword():
            return names.keyword(ctx, node)
        case n.List():
            found, one = _list(ctx, node, expected)
            return found, t.set_of(one)
        case n.SpaceByName():
            return spaces.by_name(ctx, node)
        case n.Reached():
            return spaces.lower_reached(ctx, node)
        case n.LongestLine():
            return spaces.longest_line(ctx, node)
        case n.HasCome():
            return repetition.has_come(ctx, node), t.TRUTH
        case n.IsKind():
            return names.is_kind(ctx, node)
        case n.HasField():
            return names.has_field(ctx, node)
        case n.CardNamed():
            return names.lower_card_named(ctx, node)
        case n.IsFacing():
            up: e.Expr = e.FaceUp(of_kind(ctx, node.subject, t.CARD))
            return (up if node.facing == "up" else e.Not(up)), t.TRUTH
        case n.OptionIs():
            return _option_is(ctx, node), t.TRUTH
        case n.During():
            return calls.during(ctx, node.rule), t.TRUTH
        case n.CanPay() | n.CanDo() if ctx.frame.is_about_another:
            text = "It would be unclear who can. Ask in a line of its own, for example:"
            title, hint = f"`{node.span.text}` in a sentence about another", f"if {node.span.text}"
            ctx.fail("E215", title, node.span, text, hint)
        case n.CanPay():
            return e.CanPay(resources.reference(ctx, node.price), resources.terms(ctx)), t.TRUTH
        case n.CanDo():
            rule = calls.rule_number(ctx, node.rule)
            return e.CanDo(rule, passing.passed(ctx, node.rule, node.arguments)), t.TRUTH
        case n.Those():
            slot, within, condition, type_ = those_parts(ctx, node)
            found = within if node.condition is None else e.Filter(slot, within, condition)
            return found, t.set_of(type_)
        case n.Every():
            return _every(ctx, node), t.TRUTH
        case n.Fold():
            return _fold(ctx, node), t.NUMBER
        case n.Conditional():
            return _conditional(ctx, node, expected)
        case n.PriceValue():
            return resources.constant(ctx, node.price), t.PRICE
        case _:
            assert_never(node)


_Read = Callable[[Context, n.Expr, t.Type | None], Typed]

_PARITIES = ("even", "odd")
_BOUNDS = {"more": "is at least", "less": "is at most"}


def _or_more(ctx: Context, node: n.Logic) -> None:
    """Refuses `day is 6 or more` and `sort is reed or lily`, whose second part is not a
    condition.
    """
    for before, after in pairwise(node.parts):
        if isinstance(after, n.Number) and isinstance(before, n.Binary) and node.op == "or":
            rest = node.parts[node.parts.index(after) :]
            span, left = before.span.cover(rest[-1].span), before.left.span.text
            if before.op == "is_not" and all(isinstance(one, n.Number) for one in rest):
                those = ", ".join(one.span.text for one in (before.right, *rest))
                new = instead(f"{left} is not one of {those}")
                title, text = f"`{after.span.text}` is not a condition", "To be none of several:"
                ctx.fail("E301", title, span, text, new)
            verb = {"is": "is", "on": "is on"}.get(before.op, "")
            of = f"{before.right.region.text} " if isinstance(before.right, n.SpaceByName) else ""
            each = (f"{left} {verb} {of}{one.span.text}" for one in rest)
            if verb and all(isinstance(one, n.Number) for one in rest):
                title = f"`{after.span.text}` is not a condition"
                text = "Each part is written in full:"
                ctx.fail("E301", title, span, text, instead(" or ".join((before.span.text, *each))))
        if not isinstance(after, n.Name) or node.op != "or" or after.text in ctx.frame.names:
            continue
        if isinstance(before, n.Binary) and before.op in ("on", "not_on"):
            _refuse_spaces_without_board(ctx, (before.right, after), before)
        if not isinstance(before, n.Binary) or before.op not in ("is", "is_not"):
            continue
        if ctx.symbols.values_with(after.text):
            span = before.span.cover(after.span)
            hint = f"{before.span.text} or {before.left.span.text} is {after.text}"
            text = "Write each part of a condition in full."
            if before.op == "is_not":
                text = "To be none of several:"
                hint = (
                    f"{before.left.span.text} is not one of {before.right.span.text}, {after.text}"
                )
            ctx.fail("E301", f"`{after.text}` is not a condition", span, text, instead(hint))
        if after.text in _BOUNDS and before.op == "is":
            hint = f"{before.left.span.text} {_BOUNDS[after.text]} {before.right.span.text}"
            text = f"Numbers are compared by `{_BOUNDS[after.text]}`."
            span = before.span.source.span(before.span.start, after.span.end)
            title = f"`or {after.text}` is not a condition"
            ctx.fail("E301", title, span, text, instead(hint))


def _of_both(ctx: Context, node: n.Logic) -> None:
    """Refuses `no man of ann and ben on path`, which is meant of both players."""
    for before, after in pairwise(node.parts):
        match after:
            case n.On(things=whose) | n.Binary("on", whose):
                where = f" on {after.span.text.partition(' on ')[2]}"
            case whose:
                where = ""
        name = whose.text if isinstance(whose, n.Name | n.Keyword) else ""
        match before:
            case n.Unary("no" | "any" as op, n.Of(what, None, first)) if name in (
                *ctx.symbols.players, "opponent", "you",
            ):  # fmt: skip
                pass
            case _:
                continue
        texts = [f"{what.text} of {one.span.text}" for one in (first, whose)]
        if what.text in ctx.symbols.piece_kinds and not where:
            texts = [certain.why_of_pieces(ctx, one)[1] or one for one in texts]
        joined = "and" if op == "no" else node.op
        hint = f"{op} {texts[0]}{where} {joined} {op} {texts[1]}{where}"
        span, text = before.span.cover(after.span), f"`{op}` is asked of each of them by itself:"
        ctx.fail("E301", f"`{after.span.text}` is not a condition", span, text, instead(hint))


def _beside_every(ctx: Context, node: n.Logic) -> None:
    """Refuses `every (p in S) satisfies A and B` if B uses p, which is bound in A only."""
    for at, part in enumerate(node.parts[:-1]):
        name = part.those.name.text if isinstance(part, n.Every) else ""
        later = node.parts[at + 1 :]
        known = {one.name.text for after in later for one in after.every(n.Those)}
        read = {one.text for after in later for one in after.every(n.Name)} - known
        if isinstance(part, n.Every) and name in read and name not in ctx.frame.names:
            span = part.condition.span.cover(node.parts[-1].span)
            title, text = f"`{name}` is known in one condition only", "Put what all satisfy in"
            ctx.fail("E201", title, span, f"{text} parentheses:", instead(f"({span.text})"))


def _binary(ctx: Context, node: n.Binary) -> Typed:
    match node.op:
        case "+" | "-" | "*" | "/" | "remainder" as op:
            left, right = (number(ctx, one) for one in (node.left, node.right))
            return e.Arith(op, left, right), t.NUMBER
        case "..":
            low, high = (number(ctx, one) for one in (node.left, node.right))
            return e.Range(low, high), t.set_of(t.NUMBER)
        case "at_least" | "at_most" | "more_than" | "less_than" as op:
            return _comparison(ctx, op, node), t.TRUTH
        case "plus" | "except" | "within" as op:
            return _set_operation(ctx, op, node)
        case "in" | "not_in" | "one_of" | "not_one_of":
            return _membership(ctx, node), t.TRUTH
        case "on" | "not_on":
            on = names.lies_on(ctx, node)
            return (on if node.op == "on" else e.Not(on)), t.TRUTH
        case "is" | "is_not" as op:
            return _equality(ctx, op, node)
        case _:
            assert_never(node.op)


def _membership(ctx: Context, node: n.Binary) -> e.Expr:
    """Whether a thing is in a set or is one of a list."""
    if isinstance(node.right, n.List):
        item, item_type = lower(ctx, node.left)
        within, type_ = _list(ctx, node.right, item_type)
        item = fit(ctx, item, item_type, type_, node.left.span)
    else:
        _refuse_of_several(ctx, node)
        within, type_ = lower_set(ctx, node.right)
        item = of_kind(ctx, node.left, type_)
    member = e.Member(item, within)
    return e.Not(member) if node.op.startswith("not") else member


def _refuse_spaces_without_board(
    ctx: Context, spaces: Sequence[n.Expr], on: n.Binary | None = None
) -> None:
    """Refuses `(board a1, a2)` and `m is on board a1 or a2`, where only the first space is named
    with its region.
    """
    first = spaces[0]
    region = first.region.text if isinstance(first, n.SpaceByName) else ""
    if region not in ctx.symbols.regions:
        return
    labels = ctx.symbols.regions[region].labels()
    bare = [one for one in spaces if isinstance(one, n.Name | n.Number) and one.span.text in labels]
    bare = [one for one in bare if one.span.text not in (*ctx.frame.names, *ctx.own)]
    if bare:
        texts = [f"{region} " * (one in bare) + one.span.text for one in spaces]
        span, new = first.span.cover(spaces[-1].span), ", ".join(texts)
        if on is not None:
            span, left = on.span.cover(spaces[-1].span), on.left.span.text
            new = f"{left} is {'not ' * (on.op == 'not_on')}on ({new})"
        text = (
            f"Each space is named with its region, except in a `set NAME: {first.span.text}, ...`."
        )
        title = f"`{bare[0].span.text}` of what?"
        ctx.fail("E201", title, span, text, instead(new))


def _list(ctx: Context, node: n.List, expected: t.Type | None) -> tuple[e.Expr, t.Single]:
    """The union of the items of `(A, B)`, single things or sets; with its element type."""
    type_: t.Single = t.NONE
    items, sets = list[e.Expr](), list[e.Expr]()
    _refuse_spaces_without_board(ctx, node.items)
    for item in node.items:
        one, found = lower(ctx, item, expected if type_ == t.NONE else type_)
        of = element_of(found)
        if not (t.alike(type_, of) or t.NONE in (type_, of)):
            text = f"This is {describe(found)}; before it comes {describe(type_)}."
            ctx.fail("E301", "these have different types", item.span, text)
        type_ = t.join(type_, of)
        if isinstance(found, t.Number):
            items.append(one)
        else:
            sets.append(as_set(ctx, one, found, item.span))
    sets_ = [e.MakeSet(tuple(items)), *sets] if items else sets
    return reduce(lambda left, right: e.SetOp("plus", left, right), sets_), type_


def _set_operation(ctx: Context, op: e.SetOperator, node: n.Binary) -> Typed:
    simple = op == "plus" and isinstance(node.left, n.Name | n.Your | n.Of | n.Number)
    if simple and isinstance(lower(ctx, node.left)[1], t.Number):
        hint = f"{node.left.span.text} + {node.right.span.text}"
        text = "`plus` joins sets, and `+` adds numbers."
        ctx.fail("E301", "these are numbers", node.span, text, instead(hint))
    if isinstance(node.left, n.Unary) and node.left.op == "count":
        text = "This is a number. What is counted stands in parentheses. Write:"
        inner = node.left.operand.span.cover(node.right.span).text
        ctx.fail("E301", "a set is needed here", node.span, text, instead(f"count of ({inner})"))
    left, left_type = lower_set(ctx, node.left)
    right, right_type = lower_set(ctx, node.right)
    if not (t.alike(left_type, right_type) or t.NONE in (left_type, right_type)):
        sets = describe(t.set_of(left_type)), describe(t.set_of(right_type))
        text = f"On the left is {sets[0]}, on the right {sets[1]}."
        ctx.fail("E301", "these sets have different types", node.span, text)
    type_ = t.join(left_type, right_type) if op == "plus" else left_type
    return e.SetOp(op, left, right), t.set_of(type_)


def _comparison(ctx: Context, op: e.Comparison, node: n.Binary) -> e.Expr:
    """Compares two numbers, or two values of a list by their numbers."""
    _refuse_of_several(ctx, node)
    (left, left_type), (right, right_type) = _sides(ctx, node, _lower_measured, t.NUMBER)
    if left_type != right_type:
        text = f"On the left is {describe(left_type)}, on the right {describe(right_type)}."
        ctx.fail("E301", "these cannot be compared", node.span, text)
    if isinstance(left_type, t.Number):
        certain.warn_of_comparison(ctx, op, node, left, right)
    return e.Compare(op, left, right)


def _lower_measured(ctx: Context, node: n.Expr, expected: t.Type | None) -> Typed:
    """A number, or the number of a value, with the type as which it is compared."""

    def attempt(one: n.Expr) -> Typed:
        found, type_ = lower(ctx, one, expected)
        if isinstance(type_, t.Value):
            return number_of_value(ctx, found, type_, one.span), type_
        return fit(ctx, found, type_, t.NUMBER, one.span), t.NUMBER

    return coercion.read(ctx, node, attempt)


def _equality(ctx: Context, op: Literal["is", "is_not"], node: n.Binary) -> Typed:
    _refuse_foreign_phrases(ctx, node)
    _refuse_of_several(ctx, node)
    parity = ctx.frame.global_name(node.right)
    if parity in _PARITIES and not any(name == parity for name in names.all_names(ctx)):
        rest = e.Arith("remainder", number(ctx, node.left), e.Const(2))
        return e.Compare(op, rest, e.Const(_PARITIES.index(parity))), t.TRUTH
    (left, left_type), (right, right_type) = _sides(ctx, node, lower, None)
    _check_equality(ctx, node, left_type, right_type)
    if isinstance(left_type, t.Number):
        certain.warn_of_comparison(ctx, op, node, left, right)
    certain.warn_of_two_places(ctx, node, left, right)
    if op == "is" and isinstance(node.right, n.CardNamed) and isinstance(right_type, t.Card):
        kinds = [*ctx.symbols.kinds]
        if right_type.kind in kinds:  # a card file may say another
            ctx.note_kind(left, kinds.index(right_type.kind), node.span)
    return e.Compare(op, left, right), t.TRUTH


def _refuse_foreign_phrases(ctx: Context, node: n.Binary) -> None:
    """Refuses `card is KIND`, `SET is empty` and `FIELD of card is none`, with the right phrase."""
    right, left, is_not = node.right, node.left.span.text, node.op == "is_not"
    if right.span.text in ("none", "nothing") and right.span.text not in ctx.own:
        _refuse_nothing(ctx, node)
    if not isinstance(right, n.Name) or right.text in ctx.frame.names:
        return
    if right.text in ctx.symbols.kinds:
        lower(ctx, node.left)  # its own errors come first
        title = f"`{right.text}` is a kind of card"
        text = "Whether a card is of a kind is asked by `is a`."
        hint = f"{'not ' * is_not}{left} is a {right.text}"
        ctx.fail("E301", title, node.span, text, instead(hint))
    if right.text == "empty" and right.text not in ctx.own:
        text = "To ask whether there is anything, use `any` or `no`."
        of = t.element(lower(ctx, node.left)[1])
        is_space = isinstance(of, t.Place) and not of.is_zone  # and so always there itself
        on = f"{next(iter(ctx.symbols.piece_kinds), 'cards')} on " * is_space
        hint = f"{'any' if is_not else 'no'} {on}{left}"
        ctx.fail("E201", "unknown name `empty`", node.span, text, instead(hint))


def _refuse_nothing(ctx: Context, node: n.Binary) -> None:
    """Refuses `none`, and the comparison with `nothing` of a field that never is."""
    match node.left:
        case n.Of(n.Word(field), None, card) if any(
            field in kind for kind in ctx.symbols.kinds.values()
        ):
            article = "no" if node.op == "is" else "an" if field[0] in "aeiou" else "a"
            title, new = f"`{field}` is never nothing", f"{card.span.text} has {article} {field}"
            _, type_ = ctx.cards.fields.get(field, ((), t.NUMBER))
            can_be = t.has_nothing(t.element(type_))
        case _:
            title, new = "unknown name `none`", node.span.text.removesuffix("none") + "nothing"
            can_be = True
    if node.right.span.text == "none" or not can_be:
        ctx.fail("E201", title, node.span, "Write:", instead(new))


def _check_equality(ctx: Context, node: n.Binary, left: t.Type, right: t.Type) -> None:
    """Refuses comparisons of things that can never be equal."""
    kinds = (t.element(left), t.element(right))
    both_sets = isinstance(left, t.SetOf) == isinstance(right, t.SetOf)
    if not both_sets and type(kinds[0]) is type(kinds[1]):
        _refuse_set(ctx, node, isinstance(left, t.SetOf))
    nothing = any(isinstance(one, t.Nothing) for one in kinds) and all(map(t.has_nothing, kinds))
    if nothing and _is_zone(ctx, node.left):
        text = "A zone is always there, also when no card is. Write:"
        hint = f"{'any' if node.op == 'is_not' else 'no'} {node.left.span.text}"
        ctx.fail("E301", "a zone is never nothing", node.span, text, hint)
    several = isinstance(left, t.SetOf) or _is_zone(ctx, node.left)
    if several and isinstance(right, t.Number):
        text = f"On the left is {describe(left)}. To compare how many there are, count:"
        hint = f"count of {node.span.text}"
        ctx.fail("E301", "these have different types", node.span, text, instead(hint))
    if not (both_sets and (t.alike(*kinds) or nothing)):
        text = f"On the left is {describe(left)}, on the right {describe(right)}."
        ctx.fail("E301", "these have different types", node.span, text)


def _is_zone(ctx: Context, node: n.Expr) -> bool:
    match node:
        case n.Your(n.Word(name)) | n.Of(n.Word(name), None):
            pass
        case _:
            name = ctx.frame.global_name(node)
    return name in ctx.symbols.regions and ctx.symbols.regions[name].is_zone


def _refuse_set(ctx: Context, node: n.Binary, is_left: bool) -> NoReturn:
    """Refuses `SET is ONE` and `ONE is SET`."""
    if is_left:
        title, several, one = "a set is compared with a single thing", node.left, node.right
        text = "The left side is a set, the right side a single thing."
    else:
        title, several, one = "a single thing is compared with a set", node.right, node.left
        text = "The left side is a single thing, the right side a set."
    name, symbols = several.span.text, ctx.symbols
    if name in (*symbols.values, *symbols.regions, *symbols.piece_kinds, "players"):
        text = f"`{name}` is all of them together. Name one, or say whose is meant."
        ctx.fail("E302", title, node.span, text)
    negation = "not " if node.op == "is_not" else ""
    ctx.fail("E302", title, node.span, text, f"{one.span.text} is {negation}in {several.span.text}")


def _sides(
    ctx: Context, node: n.Binary, read: _Read, expected: t.Type | None
) -> tuple[Typed, Typed]:
    """Both operands. If the left one is a bare name of a value, the type of the right one
    determines its list.
    """
    if ctx.symbols.values_with(ctx.frame.global_name(node.left)):
        right = read(ctx, node.right, expected)
        return read(ctx, node.left, right[1]), right
    left = read(ctx, node.left, expected)
    return left, read(ctx, node.right, left[1])


def _refuse_of_several(ctx: Context, node: n.Binary | n.Unary) -> None:
    """Refuses a condition on the values that a variable has for each of several, with one on those
    of whom it is asked.
    """
    sides = (node.operand,) if isinstance(node, n.Unary) else (node.right, node.left)
    for side in sides:
        if not isinstance(side, n.Of) or side.index is not None:
            continue
        variable = ctx.tables.variables.get(side.name.text)
        if variable is None or not isinstance(variable.each, t.Player):
            continue
        if not isinstance(ctx.lower(side.subject)[1], t.SetOf):
            continue
        one = next(name for name in ("p", "q", "each_one") if name not in ctx.frame.names)
        those, value = f"({one} in {side.subject.span.text}", f"{side.name.text} of {one}"
        match node:
            case n.Unary(op):
                has = {t.Number: "is more than 0", t.Truth: "is yes"}.get(type(variable.type))
                hint = f"{op} {those} where {value} {has or 'is not nothing'})"
            case n.Binary("in" | "not_in" as op, left):
                word = "no" if op == "not_in" else "any"
                hint = f"{word} {those} where {value} is {left.span.text})"
            case _:
                hint = node.span.text.replace(side.span.text, value, 1)
                hint = f"every {those}) satisfies {hint}"
        text = f"{describe(t.set_of(t.PLAYER)).capitalize()} has no `{side.name.text}`. Each of"
        title, text = f"unknown `{side.name.text}`", f"{text} them has one. Ask for those players:"
        ctx.fail("E201", title, node.span, text, instead(hint))


def _unary(ctx: Context, node: n.Unary) -> Typed:
    match node.op:
        case "not":
            return e.Not(truth(ctx, node.operand)), t.TRUTH
        case "any" | "no":
            found: e.Expr
            _refuse_of_several(ctx, node)
            if isinstance(node.operand, n.Those) and node.operand.condition is not None:
                slot, within, condition, _ = those_parts(ctx, node.operand)
                found = e.Exists(slot, within, condition)
            else:
                within, type_ = lower_set(ctx, node.operand)
                certain.warn_of_all(ctx, node, within, type_)
                found = e.Compare("more_than", e.Size(within), e.Const(0))
            return (found if node.op == "any" else e.Not(found)), t.TRUTH
        case "count":
            within, _ = lower_set(ctx, node.operand)
            return e.Size(within), t.NUMBER
        case "first":
            within, type_ = lower_set(ctx, node.operand)
            return e.First(within), type_
        case _:
            place = coercion.read(ctx, node.operand, lambda one: _pile(ctx, one, node.op))
            return (e.TopCard(place) if node.op == "top" else e.BottomCard(place)), t.CARD


def _pile(ctx: Context, node: n.Expr, end: str) -> e.Expr:
    """The place whose top or bottom card is asked for."""
    found, type_ = ctx.lower(node, t.PLACE)
    if isinstance(type_, t.SetOf) and isinstance(type_.of, t.Card):
        title = f"a zone or a space is needed after `{end} of`"
        ctx.fail("E301", title, node.span, f"This is a set of cards, which has no {end}.")
    return fit(ctx, found, type_, t.PLACE, node.span)


def _option_is(ctx: Context, node: n.OptionIs) -> e.Expr:
    options = ctx.symbols.option_values
    ctx.require("option", node.option, "No option with that name is declared.", options)
    values = options[node.option.text]
    if node.value.text not in values:
        text = f"Option {node.option.text} can be: {', '.join(values)}."
        title, near = f"no such value `{node.value.text}`", ctx.near(node.value, values)
        ctx.fail("E201", title, node.value.span, text, near)
    return YES if ctx.symbols.options[node.option.text] == node.value.text else NO


def those_parts(ctx: Context, node: n.Those) -> tuple[int, e.Expr, e.Expr, t.Single]:
    """The slot, set, condition and element type of `(x in SET where C)`."""
    within, type_ = lower_set(ctx, node.within)
    ctx.frame.ranges[node.name.text] = node
    with ctx.frame.scope():
        slot = ctx.frame.bind(node.name, type_)
        condition = truth(ctx, node.condition) if node.condition is not None else YES
    return slot, within, condition, type_


def _every(ctx: Context, node: n.Every) -> e.Expr:
    those, fails = node.those, n.Unary("not", node.condition, span=node.condition.span)
    both: n.Expr = fails
    if those.condition is not None:
        both = n.Logic("and", (those.condition, fails), span=node.span)
    slot, within, condition, _ = those_parts(ctx, replace(those, condition=both))
    return e.Not(e.Exists(slot, within, condition))


def _fold(ctx: Context, node: n.Fold) -> e.Expr:
    within, type_ = lower(ctx, node.those)
    with ctx.frame.scope():
        slot = ctx.frame.bind(node.those.name, t.element(type_))
        lower_value = _lower_distinct if node.op == "different" else number
        value = lower_value(ctx, node.value)
    return e.Fold(node.op, slot, within, value)


def _lower_distinct(ctx: Context, node: n.Expr) -> e.Expr:
    """The value whose distinct results `different` counts."""
    value, type_ = lower(ctx, node)
    if isinstance(type_, t.SetOf):
        text = "`different` counts the values of a single thing."
        ctx.fail("E302", "a single thing is needed, not a set", node.span, text)
    return value


def _conditional(ctx: Context, node: n.Conditional, expected: t.Type | None) -> Typed:
    condition = truth(ctx, node.condition)
    then, type_ = lower(ctx, node.value, expected)
    if node.otherwise is None and isinstance(type_, t.SetOf):
        return e.Cond(condition, then, e.MakeSet(())), type_
    if node.otherwise is None:
        if not isinstance(type_, t.Number | t.Truth) and t.has_nothing(t.element(type_)):
            asked = node.condition.span.text
            text = f"Unless {asked}, a number is 0 and a set is empty; this is {describe(type_)}."
            hint = f"{node.span.text} otherwise nothing"
            ctx.fail("E301", "`otherwise` is missing", node.span, text, instead(hint))
        then = fit(ctx, then, type_, t.NUMBER, node.value.span)
        return e.Cond(condition, then, e.Const(0)), t.NUMBER
    otherwise, other = lower(ctx, node.otherwise, type_)
    if isinstance(type_, t.Nothing):
        type_ = other
    if isinstance(type_, t.SetOf) or isinstance(other, t.SetOf):
        then = as_set(ctx, then, type_, node.span)
        otherwise = as_set(ctx, otherwise, other, node.span)
        return e.Cond(condition, then, otherwise), coercion.either(t.set_of(type_), other)
    otherwise = fit(ctx, otherwise, other, type_, node.otherwise.span)
    return e.Cond(condition, then, otherwise), coercion.either(type_, other)
