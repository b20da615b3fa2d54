"""Expressions, from written to meant: names resolved, types checked, lowered to the model."""

from __future__ import annotations

from typing import assert_never

from targi_dsl import model as m
from targi_dsl.build import abilities, prices
from targi_dsl.build.context import (
    CARD,
    NO,
    NOBODY,
    NONE,
    NUMBER,
    PIECE,
    PLACE,
    PLAYER,
    PRICE,
    RESOURCE,
    TRUTH,
    UNKNOWN,
    YES,
    Context,
    Frame,
    describe,
)  # fmt: skip
from targi_dsl.source import Span
from targi_dsl.syntax import nodes as n

Typed = tuple[m.Expr, m.Type]

_COMPARISONS = {"at_least", "at_most", "more_than", "less_than"}
_SIDES = {"left": (0, -1), "right": (0, 1), "above": (-1, 0), "below": (1, 0)}


def many(type_: m.Type) -> m.Type:
    return m.Type(type_.kind, type_.of, True)


def single(type_: m.Type) -> m.Type:
    return m.Type(type_.kind, type_.of, False)


def lower(ctx: Context, frame: Frame, node: n.Expr, expected: m.Type | None = None) -> Typed:
    """What an expression means and its type. `expected` helps to read a bare name; it is not checked here."""
    match node:
        case n.Number():
            return m.Const(node.value), NUMBER
        case n.Keyword():
            return _keyword(ctx, frame, node)
        case n.Name():
            return _name(ctx, frame, node.text, node.span, expected)
        case n.Your():
            return _of_player(ctx, frame, node.name, m.Local(m.YOU), node.span)
        case n.Of():
            return _of(ctx, frame, node)
        case n.Apply():
            return _apply(ctx, frame, node)
        case n.On():
            return _on(ctx, frame, node)
        case n.Binary():
            return _binary(ctx, frame, node)
        case n.Logic():
            parts = tuple(truth(ctx, frame, part) for part in node.parts)
            return (m.All(parts) if node.op == "and" else m.AnyOf(parts)), TRUTH
        case n.Unary():
            return _unary(ctx, frame, node)
        case n.IsKind():
            return _is_kind(ctx, frame, node)
        case n.IsFacing():
            up: m.Expr = m.FaceUp(of_kind(ctx, frame, node.subject, CARD))
            return (up if node.facing == "up" else m.Not(up)), TRUTH
        case n.OptionIs():
            return _option_is(ctx, node), TRUTH
        case n.During():
            return m.During(rule_number(ctx, node.rule)), TRUTH
        case n.CanPay():
            return m.CanPay(prices.reference(ctx, frame, node.price), abilities.terms(ctx, frame)), TRUTH
        case n.CanDo():
            return m.CanDo(rule_number(ctx, node.rule), call_arguments(ctx, frame, node.rule, node.arguments)), TRUTH
        case n.Those():
            return _those(ctx, frame, node)
        case n.Every():
            return _every(ctx, frame, node), TRUTH
        case n.Fold():
            return _fold(ctx, frame, node), NUMBER
        case n.Conditional():
            return _conditional(ctx, frame, node, expected)
        case n.PriceValue():
            return prices.constant(ctx, node.price), PRICE
        case _:
            assert_never(node)


# ---- what is needed where ---------------------------------------------------------------------------------------


def truth(ctx: Context, frame: Frame, node: n.Expr) -> m.Expr:
    """A condition."""
    found, type_ = lower(ctx, frame, node, TRUTH)
    if type_ not in (TRUTH, UNKNOWN):
        hint = f"any {node.span.text}" if type_.many else ""
        text = f"A condition is needed here, something that holds or does not; this is {describe(type_)}."
        ctx.fail("E301", "this is no condition", node.span, text, hint)
    return found


def number(ctx: Context, frame: Frame, node: n.Expr) -> m.Expr:
    return of_kind(ctx, frame, node, NUMBER)


def of_kind(ctx: Context, frame: Frame, node: n.Expr, wanted: m.Type) -> m.Expr:
    """One thing of the wanted kind."""
    found, type_ = lower(ctx, frame, node, wanted)
    return fit(ctx, found, type_, wanted, node.span)


def fit(ctx: Context, found: m.Expr, type_: m.Type, wanted: m.Type, span: Span) -> m.Expr:
    """The expression as the wanted type, or a problem."""
    if type_ == UNKNOWN:
        return found
    if wanted.many:
        return as_set(ctx, found, type_, span, wanted)
    if type_.kind == "nothing" and wanted.kind not in ("number", "truth"):
        return found
    if type_.many:
        text = f"One thing is needed here, {describe(wanted)}; this is {describe(type_)}."
        ctx.fail("E302", "one is needed, not a set", span, text, f"first {span.text}")
    if type_.kind != wanted.kind or (wanted.kind == "value" and type_.of != wanted.of):
        ctx.fail("E301", f"{describe(wanted)} is needed here", span, f"This is {describe(type_)}.")
    return found


def as_set(ctx: Context, found: m.Expr, type_: m.Type, span: Span, wanted: m.Type | None = None) -> m.Expr:
    """The expression as a set: a zone stands for its cards, one thing for the set of it."""
    if type_ == UNKNOWN:
        return found
    if type_.kind == "place" and type_.of == "zone" and (wanted is None or wanted.kind == "card"):
        return m.CardsOn(found if type_.many else _set_of(found))
    if wanted is not None and type_.kind not in (wanted.kind, "nothing"):
        ctx.fail("E301", f"{describe(wanted)} is needed here", span, f"This is {describe(type_)}.")
    if type_.kind in ("truth", "price") or (type_.kind == "number" and not type_.many):
        ctx.fail("E301", "a set is needed here", span, f"This is {describe(type_)}.")
    return found if type_.many else _set_of(found)


def element_of(type_: m.Type) -> m.Type:
    """The type of the elements of a set made by `as_set`."""
    return CARD if type_.kind == "place" and type_.of == "zone" else single(type_)


def lower_set(ctx: Context, frame: Frame, node: n.Expr) -> Typed:
    """A set and the type of its elements."""
    found, type_ = lower(ctx, frame, node)
    return as_set(ctx, found, type_, node.span), element_of(type_)


def _set_of(found: m.Expr) -> m.Expr:
    if isinstance(found, m.Const) and isinstance(found.value, int):
        return m.Const(() if found.value == m.NOTHING else (found.value,))
    return m.MakeSet((found,))


# ---- names ------------------------------------------------------------------------------------------------------


def _keyword(ctx: Context, frame: Frame, node: n.Keyword) -> Typed:
    match node.text:
        case "you":
            return m.Local(m.YOU), PLAYER
        case "opponent":
            if len(ctx.world.players) != 2:
                text = "With more than two players it is not said who is meant."
                ctx.fail("E207", "`opponent` needs two players", node.span, text, "(p in players where p is not you)")
            return m.Table((1, 0, m.NOTHING), m.Local(m.YOU)), PLAYER
        case "this":
            if frame.this is None:
                text = "Only the action or ability of a card has a `this`: the card itself."
                ctx.fail("E208", "there is no `this` here", node.span, text)
            return frame.this, CARD
        case "nothing":
            return NOBODY, NONE
        case "yes":
            return YES, TRUTH
        case "no":
            return NO, TRUTH
        case _:
            return m.Const(tuple(range(len(ctx.world.players)))), many(PLAYER)


def _name(ctx: Context, frame: Frame, name: str, span: Span, expected: m.Type | None) -> Typed:
    world = ctx.world
    if name in frame.names:
        return frame.names[name]
    if expected is not None and expected.kind == "value" and name in world.values.get(expected.of, ()):
        return m.Const(world.values[expected.of].index(name)), single(expected)
    if name in world.players:
        return m.Const(world.players.index(name)), PLAYER
    if name in world.regions:
        region = world.regions[name]
        if region.owned:
            text = f"Every player has a {name}; say whose is meant."
            ctx.fail("E204", f"whose `{name}`?", span, text, f"your {name}")
        if region.is_zone:
            return m.Const(region.base), m.Type("place", "zone")
        return m.Const(region.of(0)), m.Type("place", name, True)
    if name in world.sets:
        return m.Const(world.sets[name]), many(PLACE)
    if name in world.piece_kinds:
        kind = world.piece_kinds[name]
        if len(kind.ids) == 1:
            return m.Const(kind.ids[0]), m.Type("piece", name)
        return m.Const(kind.ids), m.Type("piece", name, True)
    if name in ctx.tables.variables:
        variable = ctx.tables.variables[name]
        if variable.each:
            text = f"There is one for each {variable.each}; say of which."
            hint = f"your {name}" if variable.each == "player" else f"{name} of {variable.each}"
            ctx.fail("E204", f"which `{name}`?", span, text, hint)
        return m.Var(variable.base, m.Const(0), variable.start), variable.type
    if ctx.is_declared("define", name):
        return _call(ctx, frame, name, (), span)
    if name in world.resources:
        return m.Const(world.resources.index(name)), RESOURCE
    if name in world.groups:
        return m.Const(world.groups[name]), many(RESOURCE)
    if name in world.values:
        return m.Const(tuple(range(len(world.values[name])))), m.Type("value", name, True)
    found = world.values_with(name)
    if len(found) == 1:
        return m.Const(world.values[found[0]].index(name)), m.Type("value", found[0])
    if found:
        text = f"It is a value of {' and of '.join(found)}; compare it with something of one of them."
        ctx.fail("E209", f"`{name}` can be two things", span, text)
    ctx.fail(
        "E201",
        f"unknown name `{name}`",
        span,
        "Nothing of that name is declared.",
        ctx.near(name, all_names(ctx, frame)),
    )


def all_names(ctx: Context, frame: Frame) -> list[str]:
    """Every bare name that could stand here, the nearest first."""
    world = ctx.world
    return [
        *frame.names, *world.players, *world.regions, *world.sets, *world.piece_kinds, *ctx.tables.variables,
        *ctx.names_of("define"), *world.resources, *world.groups,
        *(member for members in world.values.values() for member in members),
    ]  # fmt: skip


def _of(ctx: Context, frame: Frame, node: n.Of) -> Typed:
    name = node.name.text
    if node.index is not None:
        return _indexed(ctx, frame, node, node.index)
    if ctx.is_declared("define", name) and not _is_property(ctx, name):
        return _call(ctx, frame, name, (node.subject,), node.span)
    subject, type_ = lower(ctx, frame, node.subject)
    if type_ == UNKNOWN:
        return subject, UNKNOWN
    if type_.kind == "player" and not type_.many and name != "next" and name != "previous":
        return _of_player(ctx, frame, node.name, subject, node.span)
    if type_.kind == "card" or (type_.kind == "place" and type_.of == "zone" and type_.many):
        if name == "place":
            return _place_of(ctx, frame, ctx.slots.card_place, as_card(type_, subject), type_)
        if name in ctx.cards.fields and not type_.many:
            return _field(ctx, name, subject)
    if type_.kind == "piece":
        if name == "place":
            return _place_of(ctx, frame, ctx.slots.piece_place, subject, type_)
        if name == "owner" and not type_.many:
            owners = tuple(piece.owner for piece in ctx.world.pieces)
            return m.Table((*owners, m.NOTHING), subject), PLAYER
    if type_.kind == "place":
        found = _of_space(ctx, name, subject, type_)
        if found is not None:
            return found
    if type_.kind == "player" and not type_.many and name in ("next", "previous"):
        count = len(ctx.world.players)
        step = 1 if name == "next" else -1
        return m.Table((*((p + step) % count for p in range(count)), m.NOTHING), subject), PLAYER
    if name in ctx.tables.variables and not type_.many:
        return _variable(ctx, name, subject, type_, node.span)
    known = [*ctx.cards.fields, *ctx.world.relations, *ctx.tables.variables, *ctx.names_of("define"), "place", "owner"]
    text = f"{describe(type_)[:1].upper()}{describe(type_)[1:]} has no `{name}`."
    ctx.fail("E201", f"unknown `{name}`", node.name.span, text, ctx.near(name, known))


def as_card(type_: m.Type, subject: m.Expr) -> m.Expr:
    return m.CardsOn(subject) if type_.kind == "place" else subject


def _is_property(ctx: Context, name: str) -> bool:
    return name in ctx.cards.fields or name in ctx.world.relations or name in ctx.world.resources


def _of_player(ctx: Context, frame: Frame, word: n.Word, who: m.Expr, span: Span) -> Typed:
    world, name = ctx.world, word.text
    if name in world.resources:
        return amount(ctx, world.resources.index(name), who), NUMBER
    if name in world.groups:
        total: m.Expr | None = None
        for resource in world.groups[name]:
            one = amount(ctx, resource, who)
            total = one if total is None else m.Arith("+", total, one)
        return total or m.Const(0), NUMBER
    if name in world.regions and world.regions[name].owned:
        region = world.regions[name]
        if region.is_zone:
            places = (*(region.base + p for p in range(len(world.players))), m.NOTHING)
            return m.Table(places, who), m.Type("place", "zone")
        sets = tuple(region.of(p) for p in range(len(world.players)))
        return m.Pick((*sets, ()), who), m.Type("place", name, True)
    if name in world.piece_kinds and world.piece_kinds[name].per_player:
        kind = world.piece_kinds[name]
        each = kind.per_player
        sets = tuple(kind.ids[p * each : (p + 1) * each] for p in range(len(world.players)))
        if each == 1:
            return m.Table((*(one[0] for one in sets), m.NOTHING), who), m.Type("piece", name)
        return m.Pick((*sets, ()), who), m.Type("piece", name, True)
    if name in ctx.tables.variables and ctx.tables.variables[name].each == "player":
        return _variable(ctx, name, who, PLAYER, span)
    if ctx.is_declared("define", name):
        define = ctx.node("define", name)
        assert isinstance(define, n.Define)
        if not define.params:  # `your hand_limit`: the definition with that player as you
            return _call_for(ctx, name, who, span)
    known = [
        *world.resources, *world.groups, *(one.name for one in world.regions.values() if one.owned),
        *(one.name for one in world.piece_kinds.values() if one.per_player), *ctx.tables.variables,
        *ctx.names_of("define"),
    ]  # fmt: skip
    text = "No player has something of that name."
    hint = ctx.near(name, known)
    if name in world.regions or name in world.piece_kinds or name in ctx.tables.variables:
        text, hint = f"`{name}` belongs to no player.", name
    ctx.fail("E201", f"unknown `{name}`", word.span, text, hint)


def amount(ctx: Context, resource: int, who: m.Expr) -> m.Expr:
    """How much of a resource a player has."""
    return m.Var(ctx.slots.amounts + resource * len(ctx.world.players), who, 0)


def _variable(ctx: Context, name: str, subject: m.Expr, type_: m.Type, span: Span) -> Typed:
    variable = ctx.tables.variables[name]
    each = variable.each
    if not each:
        ctx.fail("E204", f"`{name}` is one for all", span, "It belongs to nothing in particular.", name)
    region = ctx.world.regions.get(each)
    fits = (
        (each == "player" and type_.kind == "player")
        or (each in ctx.world.values and type_ == m.Type("value", each))
        or (each in ctx.world.kinds and type_.kind == "card")
        or (region is not None and type_.kind == "place")
        or (each in ctx.world.piece_kinds and type_.kind == "piece")
    )
    if not fits:
        ctx.fail("E301", f"`{name}` is for each {each}", span, f"This is {describe(type_)}.")
    missing = 0 if variable.type.kind in ("number", "truth") else m.NOTHING
    if each == "player" or each in ctx.world.values:
        return m.Var(variable.base, subject, missing), variable.type
    index = m.Table(ctx.cards.index_of_each(ctx.world, each), subject)
    return m.Var(variable.base, index, missing), variable.type


def _field(ctx: Context, name: str, card: m.Expr) -> Typed:
    values, type_ = ctx.cards.fields[name]
    if type_.many:
        return m.Pick((*((value if isinstance(value, tuple) else ()) for value in values), ()), card), type_
    missing = 0 if type_.kind in ("number", "truth") else m.NOTHING
    return m.Table((*((value if isinstance(value, int) else missing) for value in values), missing), card), type_


def _place_of(ctx: Context, frame: Frame, base: int, things: m.Expr, type_: m.Type) -> Typed:
    if not type_.many:
        return m.Var(base, things, m.NOTHING), PLACE
    slot = frame.slot(PIECE if type_.kind == "piece" else CARD)
    return m.Map(slot, things, m.Var(base, m.Local(slot), m.NOTHING)), many(PLACE)


def _of_space(ctx: Context, name: str, subject: m.Expr, type_: m.Type) -> Typed | None:
    world, places = ctx.world, ctx.world.places
    if name in world.relations:
        sets = tuple(world.relations[name].get(place, ()) for place in range(len(places)))
        return _related(sets, subject, type_)
    if name in ("neighbours", "next", "previous", *_SIDES):
        sets = tuple(_near_places(ctx, place, name) for place in range(len(places)))
        if name == "neighbours" or type_.many:
            return _related(sets, subject, type_)
        ones = tuple(those[0] if those else m.NOTHING for those in sets)
        return m.Table((*ones, m.NOTHING), subject), single(type_)
    numbers = {
        "row": [place.row for place in places],
        "column": [place.column for place in places],
        "number": [place.number + 1 for place in places],
    }
    if name in numbers and not type_.many:
        return m.Table((*numbers[name], 0), subject), NUMBER
    if name == "owner" and not type_.many:
        return m.Table((*(place.owner for place in places), m.NOTHING), subject), PLAYER
    return None


def _related(sets: tuple[tuple[int, ...], ...], subject: m.Expr, type_: m.Type) -> Typed:
    found: m.Expr = m.Image((*sets, ()), subject) if type_.many else m.Pick((*sets, ()), subject)
    return found, many(PLACE)


def _near_places(ctx: Context, place: int, name: str) -> tuple[int, ...]:
    info = ctx.world.places[place]
    region = ctx.world.regions[info.region]
    first = place - info.number
    if info.is_zone:
        return ()
    if name in ("next", "previous"):
        step = info.number + (1 if name == "next" else -1)
        if region.shape == "ring":
            step %= region.size
        return (first + step,) if 0 <= step < region.size and region.shape != "grid" else ()
    if name == "neighbours":
        return tuple(sorted(one for side in _SIDES for one in _near_places(ctx, place, side)))
    if region.shape == "ring":
        return ()
    row, column = info.row - 1 + _SIDES[name][0], info.column - 1 + _SIDES[name][1]
    inside = 0 <= row < region.rows and 0 <= column < region.columns
    return (first + row * region.columns + column,) if inside else ()


def _indexed(ctx: Context, frame: Frame, node: n.Of, index_node: n.Expr) -> Typed:
    """`row 2 of X`, `column 1 of X`, `space 5 of X`: of those spaces, the ones with that number."""
    name = node.name.text
    if name not in ("row", "column", "space"):
        text = "Only `row`, `column` and `space` take a number."
        ctx.fail("E201", f"`{name}` takes no number", node.name.span, text, ctx.near(name, ("row", "column", "space")))
    index = number(ctx, frame, index_node)
    subject, type_ = lower(ctx, frame, node.subject)
    if type_ == UNKNOWN:
        return subject, UNKNOWN
    if type_.kind != "place" or not type_.many:
        ctx.fail("E301", "a set of spaces is needed here", node.subject.span, f"This is {describe(type_)}.")
    region = ctx.world.regions.get(type_.of)
    inside = [p for p, info in enumerate(ctx.world.places) if region is None or info.region == region.name]
    by_number: dict[int, list[int]] = {}
    for p in inside:
        info = ctx.world.places[p]
        by_number.setdefault({"row": info.row, "column": info.column}.get(name, info.number + 1), []).append(p)
    sets = tuple(tuple(by_number.get(number_, ())) for number_ in range(max(by_number, default=0) + 1))
    picked: m.Expr = m.Pick((*sets, ()), index)
    if region is None or region.owned or subject != m.Const(region.of(0)):
        picked = m.SetOp("within", picked, subject)
    if name == "space":
        return m.First(picked), single(type_)
    return picked, type_


def _on(ctx: Context, frame: Frame, node: n.On) -> Typed:
    places, place_type = lower(ctx, frame, node.places)
    if place_type == UNKNOWN:
        return places, UNKNOWN
    if place_type.kind != "place":
        ctx.fail("E301", "spaces are needed after `on`", node.places.span, f"This is {describe(place_type)}.")
    if isinstance(node.things, n.Name) and node.things.text in ("card", "cards"):
        if node.things.text == "cards" or place_type.many:
            return m.CardsOn(places if place_type.many else _set_of(places)), many(CARD)
        return m.TopCard(places), CARD
    things, type_ = lower(ctx, frame, node.things)
    if type_.kind not in ("piece", "card"):
        text = f"Pieces or cards lie on spaces; this is {describe(type_)}."
        ctx.fail("E301", "pieces or cards are needed before `on`", node.things.span, text)
    base = ctx.slots.piece_place if type_.kind == "piece" else ctx.slots.card_place
    where = places if place_type.many else _set_of(places)
    return m.Lying(base, things if type_.many else _set_of(things), where), many(type_)


# ---- operators --------------------------------------------------------------------------------------------------


def _binary(ctx: Context, frame: Frame, node: n.Binary) -> Typed:
    op = node.op
    if op in ("+", "-", "*", "/"):
        return m.Arith(op, number(ctx, frame, node.left), number(ctx, frame, node.right)), NUMBER
    if op == "..":
        return m.Range(number(ctx, frame, node.left), number(ctx, frame, node.right)), many(NUMBER)
    if op in _COMPARISONS:
        return m.Compare(op, number(ctx, frame, node.left), number(ctx, frame, node.right)), TRUTH
    if op in ("plus", "except", "within"):
        left, left_type = lower_set(ctx, frame, node.left)
        right, right_type = lower_set(ctx, frame, node.right)
        if left_type.kind != right_type.kind and not {NONE, UNKNOWN} & {left_type, right_type}:
            text = f"On the left are {describe(many(left_type))}, on the right {describe(many(right_type))}."
            ctx.fail("E301", "these sets do not go together", node.span, text)
        type_ = left_type if left_type.of == right_type.of or op == "except" else m.Type(left_type.kind)
        return m.SetOp(op, left, right), many(left_type if op == "within" else type_)
    if op in ("in", "not_in"):
        within, type_ = lower_set(ctx, frame, node.right)
        item = of_kind(ctx, frame, node.left, type_)
        member = m.Member(item, within)
        return (member if op == "in" else m.Not(member)), TRUTH
    return _equality(ctx, frame, node)


def _equality(ctx: Context, frame: Frame, node: n.Binary) -> Typed:
    if _is_value(ctx, frame, node.left):
        right, right_type = lower(ctx, frame, node.right)
        left, left_type = lower(ctx, frame, node.left, right_type)
    else:
        left, left_type = lower(ctx, frame, node.left)
        right, right_type = lower(ctx, frame, node.right, left_type)
    if UNKNOWN in (left_type, right_type):
        return NO, TRUTH
    if left_type.many and not right_type.many and right_type.kind != "nothing":
        if left_type.kind == right_type.kind:
            text = "On the left is a set, on the right one thing."
            ctx.fail(
                "E302", "a set is not one thing", node.span, text, f"{node.right.span.text} is in {node.left.span.text}"
            )
    elif right_type.many and not left_type.many and left_type.kind == right_type.kind:
        text = "On the left is one thing, on the right a set."
        ctx.fail(
            "E302", "one thing is not a set", node.span, text, f"{node.left.span.text} is in {node.right.span.text}"
        )
    same = left_type.kind == right_type.kind and (left_type.kind != "value" or left_type.of == right_type.of)
    nothing = "nothing" in (left_type.kind, right_type.kind) and not {left_type.kind, right_type.kind} & {
        "number",
        "truth",
    }
    if not (same or nothing) or left_type.many != right_type.many:
        text = f"On the left is {describe(left_type)}, on the right {describe(right_type)}."
        ctx.fail("E301", "these cannot be equal", node.span, text)
    return m.Compare(node.op, left, right), TRUTH


def _is_value(ctx: Context, frame: Frame, node: n.Expr) -> bool:
    """A bare name that is only a value: its list is known from the other side."""
    return isinstance(node, n.Name) and node.text not in frame.names and bool(ctx.world.values_with(node.text))


def _unary(ctx: Context, frame: Frame, node: n.Unary) -> Typed:
    match node.op:
        case "not":
            return m.Not(truth(ctx, frame, node.operand)), TRUTH
        case "any" | "no":
            found: m.Expr
            if isinstance(node.operand, n.Those) and node.operand.condition is not None:
                slot, within, condition, _ = those_parts(ctx, frame, node.operand)
                found = m.Exists(slot, within, condition)
            else:
                within, _ = lower_set(ctx, frame, node.operand)
                found = m.Compare("more_than", m.Size(within), m.Const(0))
            return (found if node.op == "any" else m.Not(found)), TRUTH
        case "count":
            within, _ = lower_set(ctx, frame, node.operand)
            return m.Size(within), NUMBER
        case "first":
            within, type_ = lower_set(ctx, frame, node.operand)
            return m.First(within), type_
        case _:
            place = of_kind(ctx, frame, node.operand, PLACE)
            return (m.TopCard(place) if node.op == "top" else m.BottomCard(place)), CARD


def _is_kind(ctx: Context, frame: Frame, node: n.IsKind) -> Typed:
    card = of_kind(ctx, frame, node.subject, CARD)
    kind = kind_number(ctx, node.kind)
    kinds = (*(one.kind for one in ctx.cards.cards), m.NOTHING)
    return m.Compare("is", m.Table(kinds, card), m.Const(kind)), TRUTH


def kind_number(ctx: Context, word: n.Word) -> int:
    """The number of a declared kind of card."""
    kinds = list(ctx.world.kinds)
    if word.text not in kinds:
        text = "No kind of card of that name is declared."
        ctx.fail("E201", f"unknown kind of card `{word.text}`", word.span, text, ctx.near(word.text, kinds))
    return kinds.index(word.text)


def _option_is(ctx: Context, node: n.OptionIs) -> m.Expr:
    options = ctx.world.option_values
    if node.option.text not in options:
        text = "No option of that name is declared."
        ctx.fail(
            "E201", f"unknown option `{node.option.text}`", node.option.span, text, ctx.near(node.option.text, options)
        )
    values = options[node.option.text]
    if node.value.text not in values:
        text = f"Option {node.option.text} can be: {', '.join(values)}."
        ctx.fail("E201", f"no such value `{node.value.text}`", node.value.span, text, ctx.near(node.value.text, values))
    return YES if ctx.world.options[node.option.text] == node.value.text else NO


def those_parts(ctx: Context, frame: Frame, node: n.Those) -> tuple[int, m.Expr, m.Expr, m.Type]:
    """Slot, set, condition and element type of `(x in SET where C)`."""
    within, type_ = lower_set(ctx, frame, node.within)
    before = frame.names.get(node.name.text)
    slot = frame.bind(node.name, type_)
    condition = truth(ctx, frame, node.condition) if node.condition is not None else YES
    if before is None:
        del frame.names[node.name.text]
    else:
        frame.names[node.name.text] = before
    return slot, within, condition, type_


def _those(ctx: Context, frame: Frame, node: n.Those) -> Typed:
    slot, within, condition, type_ = those_parts(ctx, frame, node)
    return (within if node.condition is None else m.Filter(slot, within, condition)), many(type_)


def _every(ctx: Context, frame: Frame, node: n.Every) -> m.Expr:
    both = (
        n.Logic("and", (node.those.condition, n.Unary("not", node.condition, node.condition.span)), node.span)
        if (node.those.condition is not None)
        else n.Unary("not", node.condition, node.condition.span)
    )
    slot, within, condition, _ = those_parts(ctx, frame, n.Those(node.those.name, node.those.within, both, node.span))
    return m.Not(m.Exists(slot, within, condition))


def _fold(ctx: Context, frame: Frame, node: n.Fold) -> m.Expr:
    within, type_ = lower(
        ctx, frame, n.Those(node.those.name, node.those.within, node.those.condition, node.those.span)
    )
    before = frame.names.get(node.those.name.text)
    slot = frame.bind(node.those.name, single(type_))
    if node.op == "different":
        value, value_type = lower(ctx, frame, node.value)
        if value_type.many:
            ctx.fail(
                "E302", "one is needed, not a set", node.value.span, "Different ones are counted of single things."
            )
    else:
        value = number(ctx, frame, node.value)
    if before is None:
        del frame.names[node.those.name.text]
    else:
        frame.names[node.those.name.text] = before
    return m.Fold(node.op, slot, within, value)


def _conditional(ctx: Context, frame: Frame, node: n.Conditional, expected: m.Type | None) -> Typed:
    condition = truth(ctx, frame, node.condition)
    then, type_ = lower(ctx, frame, node.value, expected)
    if node.otherwise is None:
        return m.Cond(condition, fit(ctx, then, type_, NUMBER, node.value.span), m.Const(0)), NUMBER
    otherwise, other = lower(ctx, frame, node.otherwise, type_)
    if type_.kind == "nothing":
        type_ = other
    if type_.many or other.many:
        return m.Cond(condition, as_set(ctx, then, type_, node.span), as_set(ctx, otherwise, other, node.span)), many(
            element_of(type_)
        )
    return m.Cond(condition, then, fit(ctx, otherwise, other, type_, node.otherwise.span)), type_


# ---- calls ------------------------------------------------------------------------------------------------------


def rule_number(ctx: Context, word: n.Word) -> int:
    """The number of a rule, or of the action of a card of that id."""
    numbers = ctx.tables.rule_numbers
    if word.text not in numbers:
        text = "No rule and no card with an action has that name."
        ctx.fail("E201", f"unknown rule `{word.text}`", word.span, text, ctx.near(word.text, numbers))
    return numbers[word.text]


def call_arguments(ctx: Context, frame: Frame, word: n.Word, given: tuple[n.Expr, ...]) -> tuple[m.Expr, ...]:
    """The arguments of a call, each as the parameter wants it."""
    if not ctx.is_declared("rule", word.text):  # the action of a card: its only argument is the card itself
        card = ctx.cards.action_card(word.text)
        if given:
            ctx.fail("E304", f"`{word.text}` is the action of a card", word.span, "It takes nothing with it.")
        return (m.Const(card),)
    rule = ctx.node("rule", word.text)
    assert isinstance(rule, n.Rule)
    if len(given) != len(rule.params):
        names = ", ".join(param.name.text for param in rule.params) or "nothing"
        text = f"Rule {word.text} takes {names}; {len(given)} given."
        ctx.fail("E304", f"`{word.text}` takes {len(rule.params)}", word.span, text, f"do {word.text} with {names}")
    return tuple(
        of_kind(ctx, frame, one, param_type(ctx, param)) for one, param in zip(given, rule.params, strict=True)
    )


def param_type(ctx: Context, param: n.Param) -> m.Type:
    """The declared type of a parameter, or the one its name is."""
    name = param.type.name if param.type is not None else param.name.text
    span = param.type.span if param.type is not None else param.name.span
    if param.type is not None and param.type.form == "list":
        return many(named_type(ctx, name, span))
    if param.type is not None and param.type.form == "range":
        return NUMBER
    found = maybe_type(ctx, name)
    if found is None and param.type is None:
        text = "Its name is not the name of a type, so the type stands behind it."
        ctx.fail("E305", f"what is `{name}`?", span, text, f"{name} (card)")
    return found or named_type(ctx, name, span)


_SIMPLE = {
    "number": NUMBER, "truth": TRUTH, "player": PLAYER, "space": PLACE, "card": CARD, "piece": PIECE,
    "resource": RESOURCE, "cost": PRICE, "price": PRICE,
}  # fmt: skip


def maybe_type(ctx: Context, name: str) -> m.Type | None:
    """The type of that name, if there is one."""
    if name in _SIMPLE:
        return _SIMPLE[name]
    if name in ctx.world.values:
        return m.Type("value", name)
    if name in ctx.world.kinds:
        return m.Type("card", name)
    if name in ctx.world.regions:
        return PLACE if not ctx.world.regions[name].is_zone else m.Type("place", "zone")
    if name in ctx.world.groups:
        return RESOURCE
    if name in ctx.world.piece_kinds:
        return m.Type("piece", name)
    return None


def named_type(ctx: Context, name: str, span: Span) -> m.Type:
    found = maybe_type(ctx, name)
    if found is None:
        known = [*_SIMPLE, *ctx.world.values, *ctx.world.kinds, *ctx.world.regions]
        ctx.fail("E201", f"unknown type `{name}`", span, "No type of that name is known.", ctx.near(name, known))
    return found


def _apply(ctx: Context, frame: Frame, node: n.Apply) -> Typed:
    if not ctx.is_declared("define", node.name.text):
        text = "Only a definition can be of several things."
        title = f"unknown definition `{node.name.text}`"
        ctx.fail("E201", title, node.name.span, text, ctx.near(node.name.text, ctx.names_of("define")))
    return _call(ctx, frame, node.name.text, node.arguments, node.span)


def _call(ctx: Context, frame: Frame, name: str, given: tuple[n.Expr, ...], span: Span) -> Typed:
    from targi_dsl.build.defines import define_number  # defines are lowered when first asked for

    define = ctx.node("define", name)
    assert isinstance(define, n.Define)
    if len(given) != len(define.params):
        names = ", ".join(param.name.text for param in define.params)
        hint = f"{name} of ({names})" if len(define.params) > 1 else f"{name} of {names}" if names else name
        text = f"`{name}` is defined of {names or 'nothing'}."
        ctx.fail("E304", f"`{name}` takes {len(define.params)}", span, text, hint)
    arguments = tuple(
        of_kind(ctx, frame, one, param_type(ctx, param)) for one, param in zip(given, define.params, strict=True)
    )
    number_, type_ = define_number(ctx, name, span)
    return m.Call(number_, (m.Local(m.YOU), *arguments)), type_


def _call_for(ctx: Context, name: str, who: m.Expr, span: Span) -> Typed:
    from targi_dsl.build.defines import define_number

    number_, type_ = define_number(ctx, name, span)
    return m.Call(number_, (who,)), type_
