"""Allocates variables and the slots of a position."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from targi_dsl.compiler.lowering import calls, coercion, resources
from targi_dsl.compiler.lowering.context import Abandoned, Context, Frame
from targi_dsl.compiler.lowering.resources import Declaring
from targi_dsl.compiler.symbols.table import LARGEST_AMOUNT
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.slots import ENDED, POINT, Slots
from targi_dsl.syntax import ast as n

MOST_USES = 9999
MOST_VALUES = 50_000
"""The most slots that the variables of a position can take in all."""


def declare(ctx: Context) -> int:
    """Allocates slots for every variable; returns the next free slot."""
    slot = first = ctx.slots.place_top + len(ctx.symbols.places)
    own: list[Declaring] = [
        (name, node.span, partial(_variable, ctx, node)) for name, node in ctx.nodes(n.Variable)
    ]
    for name, span, variable_from in (*own, *resources.holdings(ctx)):
        try:
            variable = variable_from(slot)
        except Abandoned:
            ctx.symbols.errors.names.add(name)
            continue
        needed = variable.count * (1 if variable.seen == "all" else 2)
        if slot + needed - first > MOST_VALUES:
            text = f"All variables together have at most {MOST_VALUES:,} values."
            ctx.report("E303", "too many values to keep", span, text)
            ctx.symbols.errors.names.add(name)
            continue
        ctx.tables.variables[variable.name] = variable
        slot += needed
    return slot


def _variable(ctx: Context, node: n.Variable, slot: int) -> d.Variable:
    each = _each(ctx, node.each) if node.each is not None else None
    type_: t.Single
    if node.type.form == "range":
        low, high = node.type.low, node.type.high
        type_ = t.Number(low, high)
        if low > high:
            text = "The lowest number comes first, then the highest."
            hint = f"variable {node.name.text}: {high} to {low}"
            ctx.fail("E303", f"there is no number from {low} to {high}", node.type.span, text, hint)
    else:
        type_ = calls.named_type(ctx, node.type.name, node.type.span)
        _check_kept(ctx, node, type_)
        if isinstance(type_, t.Place) and node.type.name in ctx.symbols.regions:
            type_ = replace(type_, region=node.type.name)
    domain = ctx.domains.of(type_)
    low, high, start = domain.low, domain.high, domain.default
    if isinstance(type_, t.Place) and type_.region:
        low, high = domain.members[0], domain.members[-1]
    if node.start is not None:
        with ctx.within(Frame(node.name.text)):
            value, value_type = ctx.lower(node.start, type_)
        value = coercion.fit(ctx, value, value_type, type_, node.start.span)
        if not isinstance(value, e.Const) or not isinstance(value.value, int):
            title = "this is not known before the game"
            text = "A variable can only start as a plain value. Any other is set in rule `setup`:"
            name = node.name.text if each is None else f"your {node.name.text}"
            hint = f"{'each player: ' * (each is not None)}set {name} to {node.start.span.text}"
            is_one = each is None or isinstance(each, t.Player)
            ctx.fail("E314", title, node.start.span, text, hint if is_one else "")
        takes = f"`{node.name.text}` holds"
        calls.require_type(ctx, node.start, value, value_type, type_, takes)
        start = value.value
    if start != domain.default and not low <= start <= high:
        text = f"`{node.name.text}` is from {low} to {high}."
        ctx.fail("E315", f"it cannot start as {start}", (node.start or node).span, text)
    count = len(ctx.domains.of(each)) if each is not None else 1
    seen = node.seen or "all"
    if seen in ("owner", "others") and not ctx.symbols.is_owned(each):
        text = "It has no owner, so nobody is its `owner` and nobody one of the `others`."
        hint = f"variable {node.name.text} for each player: {node.type.span.text}, seen by {seen}"
        if isinstance(each, t.Place):
            text += " Spaces have one where their region is `for each player`. Or write:"
        ctx.fail("E318", f"`{node.name.text}` has no owner", node.span, text, hint)
    secret = NOTHING if seen == "all" else slot + count
    return d.Variable(node.name.text, slot, count, each, type_, low, high, start, seen, secret)


def _each(ctx: Context, word: n.Word) -> t.Single:
    """The type for each of whose members there is a variable."""
    symbols, name = ctx.symbols, word.text
    ctx.require_known(name)
    if name == "player":
        return t.Player()
    if name in symbols.values:
        return t.Value(name)
    if name in symbols.kinds:
        return t.Card(name)
    if name in symbols.piece_kinds:
        return t.Piece(name)
    spaces = symbols.boards()
    if name in spaces:
        return t.Place(name)
    known = ["player", *symbols.values, *symbols.kinds, *symbols.piece_kinds, *spaces]
    text = (
        "A variable can be for each player, value, card of a kind, piece of a kind or space of"
        " the board."
    )
    ctx.fail("E201", f"unknown `{name}`", word.span, text, ctx.near(word, known))


def _check_kept(ctx: Context, node: n.Variable, type_: t.Single) -> None:
    """Refuses types whose values no slot can hold."""
    match type_:
        case t.Number():
            text = "A number needs a range, so that leaving it can be reported."
            hint = f"variable {node.name.text}: 0 to 99"
            ctx.fail("E316", "from which number to which?", node.type.span, text, hint)
        case t.Price() | t.Nothing():
            text = "A variable holds a number, a thing, or yes or no."
            ctx.fail("E316", "this cannot be kept", node.type.span, text)


def all_variables(ctx: Context) -> tuple[d.Variable, ...]:
    """All variables, with the sets from which their owners choose in secret."""
    offers = ctx.tables.offers
    return tuple(
        replace(one, offers=tuple(offers.get(one.name, ())))
        for one in ctx.tables.variables.values()
    )


def slots(ctx: Context, windows: int) -> Slots:
    """The slots of a position and their ranges."""
    at, symbols, cards = ctx.slots, ctx.symbols, len(ctx.cards.cards)
    lows = [0] * ctx.next_slot
    highs = [MOST_USES] * ctx.next_slot

    def domain(first: int, count: int, low: int, high: int) -> None:
        lows[first : first + count] = [low] * count
        highs[first : first + count] = [high] * count

    domain(POINT, 2, NOTHING, 2**31 - 1)
    domain(ENDED, 1, NOTHING, len(ctx.tables.rules) - 1)
    domain(at.amounts, at.card_place - at.amounts, 0, LARGEST_AMOUNT)
    domain(at.card_place, cards, NOTHING, len(symbols.places) - 1)
    domain(at.card_next, cards, NOTHING, cards - 1)
    domain(at.card_known, cards, 0, 2 ** (len(symbols.players) + 1) - 1)
    domain(at.piece_place, len(symbols.pieces), NOTHING, len(symbols.places) - 1)
    domain(at.place_top, len(symbols.places), NOTHING, cards - 1)
    for variable in all_variables(ctx):
        low = NOTHING if isinstance(variable.type, t.Place) else variable.low
        domain(variable.base, variable.count, low, variable.high)
        if variable.secret != NOTHING:
            domain(variable.secret, variable.count, 0, 1 + len(variable.offers))
    for slot in ctx.stores.values():
        domain(slot, 1, 0, LARGEST_AMOUNT)
    return Slots(
        at.amounts, at.card_place, at.card_next, at.card_known, at.piece_place, at.place_top,
        windows,
        ctx.next_slot, tuple(lows), tuple(highs),
    )  # fmt: skip
