"""The declared variables, and the layout of a position."""

from __future__ import annotations

from targi_dsl.compiler import calls, expressions
from targi_dsl.compiler.context import Context, Frame, Wrong
from targi_dsl.compiler.world import LARGEST_AMOUNT
from targi_dsl.ir import model as m
from targi_dsl.syntax import ast as n

MOST_USES = 9999


def declare(ctx: Context) -> int:
    """Gives every variable its slots; the first slot after them."""
    slot = ctx.slots.variables
    for name in ctx.names_of("variable"):
        node = ctx.node("variable", name)
        assert isinstance(node, n.Variable)
        try:
            variable = _variable(ctx, node, slot)
        except Wrong:
            ctx.world.refused.add(name)
            continue
        ctx.tables.variables[name] = variable
        slot += variable.count
    return slot


def _variable(ctx: Context, node: n.Variable, slot: int) -> m.Variable:
    each = node.each.text if node.each is not None else ""
    count = _count(ctx, node, each)
    if node.type.form == "range":
        type_, low, high = m.Type("number"), node.type.low, node.type.high
        if low > high:
            text = "The first number is the lowest, the second the highest."
            hint = f"variable {node.name.text}: {high} to {low}"
            ctx.fail("E303", f"there is no number from {low} to {high}", node.type.span, text, hint)
    else:
        type_ = calls.named_type(ctx, node.type.name, node.type.span)
        low, high = _domain(ctx, node, type_)
    start = (
        low
        if type_.kind == "number" and low > 0
        else 0
        if type_.kind in ("number", "truth")
        else m.NOTHING
    )
    if node.start is not None:
        value, value_type = expressions.lower(ctx, Frame(node.name.text), node.start, type_)
        value = expressions.fit(ctx, value, value_type, type_, node.start.span)
        if not isinstance(value, m.Const) or not isinstance(value.value, int):
            ctx.fail(
                "E314",
                "this is not known before the game",
                node.start.span,
                "A variable starts as a plain value.",
            )
        start = value.value
    if not low <= start <= high:
        text = f"`{node.name.text}` is from {low} to {high}."
        ctx.fail("E315", f"it cannot start as {start}", (node.start or node).span, text)
    return m.Variable(node.name.text, slot, count, each, type_, low, high, start)


def _count(ctx: Context, node: n.Variable, each: str) -> int:
    world = ctx.world
    if not each:
        return 1
    ctx.known(each)
    if each == "player":
        return len(world.players)
    if each in world.values:
        return len(world.values[each])
    if each in world.kinds:
        kind = list(world.kinds).index(each)
        return sum(card.kind == kind for card in ctx.cards.cards)
    if each in world.piece_kinds:
        return len(world.piece_kinds[each].ids)
    if each in world.regions and not world.regions[each].is_zone:
        return sum(place.region == each for place in world.places)
    known = [
        "player",
        *world.values,
        *world.kinds,
        *world.piece_kinds,
        *(r.name for r in world.regions.values() if not r.is_zone),
    ]
    assert node.each is not None
    text = "A variable is for each player, value, card of a kind, piece of a kind or space of the board."
    ctx.fail("E201", f"unknown `{each}`", node.each.span, text, ctx.near(each, known))


def _domain(ctx: Context, node: n.Variable, type_: m.Type) -> tuple[int, int]:
    world = ctx.world
    match type_.kind:
        case "number":
            text = "A number needs its range, so that leaving it can be told."
            ctx.fail(
                "E316",
                "from what to what?",
                node.type.span,
                text,
                f"variable {node.name.text}: 0 to 99",
            )
        case "truth":
            return 0, 1
        case "player":
            return m.NOTHING, len(world.players) - 1
        case "resource":
            return m.NOTHING, len(world.resources) - 1
        case "value":
            return m.NOTHING, len(world.values[type_.of]) - 1
        case "place":
            return m.NOTHING, len(world.places) - 1
        case "card":
            return m.NOTHING, len(ctx.cards.cards) - 1
        case "piece":
            return m.NOTHING, len(world.pieces) - 1
        case _:
            ctx.fail(
                "E316",
                "this cannot be kept",
                node.type.span,
                "A variable is a number, a thing or yes or no.",
            )


def slots(ctx: Context, windows: int) -> m.Slots:
    """The layout of a position with the domain of every slot."""
    at, world, cards = ctx.slots, ctx.world, len(ctx.cards.cards)
    lows = [0] * ctx.next_slot
    highs = [MOST_USES] * ctx.next_slot

    def domain(first: int, count: int, low: int, high: int) -> None:
        lows[first : first + count] = [low] * count
        highs[first : first + count] = [high] * count

    domain(m.PC, 2, 0, 2**31 - 1)
    domain(m.ENDED, 1, m.NOTHING, len(ctx.tables.rules) - 1)
    domain(at.amounts, at.card_place - at.amounts, 0, LARGEST_AMOUNT)
    domain(at.card_place, cards, m.NOTHING, len(world.places) - 1)
    domain(at.card_next, cards, m.NOTHING, cards - 1)
    domain(at.card_known, cards, 0, 2 ** (len(world.players) + 1) - 1)
    domain(at.piece_place, len(world.pieces), m.NOTHING, len(world.places) - 1)
    domain(at.place_top, len(world.places), m.NOTHING, cards - 1)
    for variable in ctx.tables.variables.values():
        domain(variable.base, variable.count, variable.low, variable.high)
    for slot in ctx.stores.values():
        domain(slot, 1, 0, LARGEST_AMOUNT)
    return m.Slots(
        at.amounts, at.card_place, at.card_next, at.card_known, at.piece_place, at.place_top, windows,
        ctx.next_slot, tuple(lows), tuple(highs),
    )  # fmt: skip
