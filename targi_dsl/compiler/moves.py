"""Lowers moves, stores and assignments, and refills piles before they are drawn from."""

from __future__ import annotations

from targi_dsl.compiler import fitting, parts, prices, readings
from targi_dsl.compiler.context import NOBODY, Context, Frame
from targi_dsl.compiler.types import describe
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.outcomes import OUTCOME
from targi_dsl.syntax import ast as n
from targi_dsl.text.light import replace
from targi_dsl.text.source import Span


def own_pieces(ctx: Context, word: n.Word) -> e.Expr:
    """Your pieces of a kind."""
    ctx.known(word.text)
    kind = ctx.symbols.piece_kinds.get(word.text)
    if kind is None:
        text = "No piece of that name is declared."
        ctx.fail(
            "E201",
            f"unknown piece `{word.text}`",
            word.span,
            text,
            ctx.near(word.text, ctx.symbols.piece_kinds),
        )
    if not kind.per_player:
        text = "It belongs to nobody, so it is moved."
        ctx.fail("E311", f"`{word.text}` is nobody's", word.span, text, f"move {word.text} to ...")
    each = kind.per_player
    sets = tuple(kind.ids[p * each : (p + 1) * each] for p in range(len(ctx.symbols.players)))
    return e.Pick((*sets, ()), e.Local(YOU))


def place(ctx: Context, frame: Frame, node: n.Place) -> s.Block:
    """Puts one of your pieces from off the board on a space, or on each of several; impossible if
    none is left.
    """
    space, several = fitting.one_or_several(ctx, frame, node.space, t.PLACE)
    if several is None:
        return _placed(ctx, frame, node, space)
    slot = frame.slot(several)
    body = _placed(ctx, frame, node, e.Local(slot))
    return (s.Each(slot, space, tuple(one.at(node.span) for one in body)),)


def _placed(ctx: Context, frame: Frame, node: n.Place, space: e.Expr) -> s.Block:
    free = e.Lying(ctx.slots.piece_place, own_pieces(ctx, node.piece), e.Const((NOTHING,)))
    name = f"no_{node.piece.text}_left"
    none = parts.forbid(
        ctx,
        frame,
        name,
        e.Compare("is", e.Size(free), e.Const(0)),
        f"you have no {node.piece.text} left",
        node.span,
    )
    return (none, s.MovePieces(e.MakeSet((e.First(free),)), space))


def remove(ctx: Context, frame: Frame, node: n.RemovePieces) -> s.Block:
    """Pieces from the board."""
    pieces = _pieces(ctx, frame, node.pieces, "pieces are removed", "")
    return (s.MovePieces(pieces, NOBODY),)


def move(ctx: Context, frame: Frame, node: n.Move) -> s.Block:
    """Pieces to a space."""
    said, where = node.piece.span.text, node.space.span
    pieces = _pieces(ctx, frame, node.piece, "pieces are moved", f"put {said} on {where.text}")
    if where.text == "nothing":
        text = "What leaves the board goes nowhere; it is removed."
        ctx.fail("E301", "this is no space", where, text, f"remove {said}")
    return (s.MovePieces(pieces, fitting.of_kind(ctx, frame, node.space, t.PLACE)),)


def _pieces(ctx: Context, frame: Frame, node: n.Expr, title: str, of_cards: str) -> e.Expr:
    """A set of pieces; for anything else, reports it with the phrase for cards."""
    pieces, type_ = fitting.lower_set(ctx, frame, node)
    ctx.understood(type_)
    if not isinstance(type_, t.Piece):
        hint = of_cards if isinstance(type_, t.Card) else ""
        ctx.fail("E301", title, node.span, f"This is {describe(type_)}.", hint)
    return pieces


def swapped(node: n.Swap) -> tuple[n.Statement, ...]:
    """Swaps two cards, in full; names with a space cannot clash with others."""
    span, first, second, place = node.span, "one card", "other card", "its place"
    named = {text: n.Word(text, span=span) for text in (first, second, place, "place")}
    card, other, behind = (n.Name(text, span=span) for text in (first, second, place))
    nothing = n.Keyword("nothing", span=span)
    both = tuple(n.Binary("is_not", one, nothing, span=span) for one in (card, other))
    moved = (
        n.Put(card, "on", n.Of(named["place"], None, other, span=span), "", span=span),
        n.Put(other, "on", behind, "", span=span),
    )
    return (
        n.Let(named[first], node.card, span=node.card.span),
        n.Let(named[second], node.other, span=node.other.span),
        n.Let(named[place], n.Of(named["place"], None, card, span=span), span=span),
        n.If(n.Logic("and", both, span=span), moved, (), span=span),
    )


def cards(ctx: Context, frame: Frame, node: n.Expr) -> e.Expr:
    """A set of cards."""
    found, type_ = fitting.lower(ctx, frame, node)
    return fitting.as_set(ctx, found, type_, node.span, t.CARD)


def put(ctx: Context, frame: Frame, node: n.Put) -> s.Block:
    """Puts cards onto or under a place. `put A on B on C` means A on B, or the place B on C."""
    ways, lying = [node], node.card
    if isinstance(lying, n.On) and not readings.is_closed(lying.places, node.place):
        span = lying.places.span.cover(node.place.span)
        place = n.On(lying.places, node.place, span=span)
        ways.append(replace(node, card=lying.things, place=place))
    return readings.only_fitting(ctx, frame, ways, lambda way: (_put(ctx, frame, way),))


def _put(ctx: Context, frame: Frame, node: n.Put) -> s.MoveCards:
    moved = cards(ctx, frame, node.card)
    place = fitting.of_kind(ctx, frame, node.place, t.PLACE)
    return s.MoveCards(moved, place, node.where == "under", node.facing)


def store(ctx: Context, frame: Frame, amount: n.Amount, span: Span) -> s.Statement:
    """Stores an amount on the card whose text this is."""
    if not isinstance(frame.this, e.Const) or not isinstance(frame.this.value, int):
        ctx.fail(
            "E208",
            "there is no `this` here",
            span,
            "Only the ability of a card can store something on it.",
        )
    resource = prices.one_resource(ctx, prices.counted(ctx, amount))
    key = (frame.this.value, resource)
    if key not in ctx.stores:
        ctx.stores[key] = ctx.new_slots(1)
    return s.Store(ctx.stores[key], resource, fitting.number(ctx, frame, amount.quantity))


def assign(ctx: Context, frame: Frame, node: n.Assign) -> s.Statement:
    """Assigns a variable. A value that a rule names is not secret."""
    variable, target = variable_of(ctx, frame, node.target)
    value = fitting.of_kind(ctx, frame, node.value, variable.type)
    hides = variable.secret != NOTHING and not isinstance(value, e.Const)
    return s.Assign(number_of(ctx, variable), target.index, value, int(hides))


def variable_of(ctx: Context, frame: Frame, node: n.Expr) -> tuple[d.Variable, e.Var]:
    """The variable to assign, and its index."""
    target, type_ = fitting.lower(ctx, frame, node)
    ctx.understood(type_)
    variable = named_variable(ctx, node)
    if variable is None or not isinstance(target, e.Var) or target.base != variable.base:
        text = "Only a declared variable can be set; amounts are gained and paid, cards are put."
        ctx.fail("E312", "this cannot be set", node.span, text)
    if variable.type == t.Value(OUTCOME):
        text = "It is said by a sentence of its own, such as:"
        ctx.fail("E312", "an outcome is not set", node.span, text, "you win")
    return variable, target


def named_variable(ctx: Context, node: n.Expr) -> d.Variable | None:
    """The variable of this name, if it is one."""
    named = node.name.text if isinstance(node, n.Your | n.Of) else getattr(node, "text", "")
    return ctx.tables.variables.get(named)


def number_of(ctx: Context, variable: d.Variable) -> int:
    return list(ctx.tables.variables).index(variable.name)


def refreshed(ctx: Context, frame: Frame, lowered: s.Block) -> s.Block:
    """The statements, preceded by refills of the places they draw from."""
    places = dict.fromkeys(place for one in lowered for place in _drawn_from(one))
    refills = (place for place in places if _may_refill(ctx, frame, place))
    return (*(s.Refresh(place) for place in refills), *lowered)


def _drawn_from(one: s.Statement) -> list[e.Expr]:
    """The places whose top or bottom card a statement takes."""
    match one:
        case s.MoveCards(cards=cards):
            return _tops(cards)
        case s.Let(value=value):
            return _tops(value)
        case _:
            return []


def _tops(expr: e.Expr) -> list[e.Expr]:
    match expr:
        case e.TopCard(place=place) | e.BottomCard(place=place):
            return [place]
        case e.MakeSet(items=items):
            return [place for item in items for place in _tops(item)]
        case _:
            return []


def _may_refill(ctx: Context, frame: Frame, place: e.Expr) -> bool:
    """Whether the place may have a refill; spaces never do."""
    match place:
        case e.Const(value=int() as only):
            among: tuple[int, ...] = (only,)
        case e.Table(values=values):
            among = values
        case e.Local(slot=slot) if frame.slots[slot] == t.Place(is_zone=True):
            among = tuple(range(len(ctx.symbols.places)))
        case _:
            return False
    refilled = [ctx.symbols.places[one].refill for one in among if one != NOTHING]
    return any(one != NOTHING for one in refilled)
