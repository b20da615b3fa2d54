"""Lowers moves of pieces and cards, stores and assignments; inserts refills of piles before
draws.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from targi_dsl.compiler.lowering import abilities, calls, coercion, names, resources
from targi_dsl.compiler.lowering.context import NOBODY, YES, Context, instead
from targi_dsl.compiler.lowering.questions import MOST_CHOSEN, binding
from targi_dsl.compiler.symbols.table import describe
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.declarations import OUTCOME
from targi_dsl.ir.wordings import NoneLeft
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Span


def place(ctx: Context, node: n.Place) -> s.Block:
    """Puts a piece from off the board on a space, or one on each of several; impossible if none is
    left.
    """
    if node.space.span.text == "nothing":
        ctx.fail("E301", "a space is needed here", node.space.span, "This is nothing.")
    space, several = coercion.one_or_several(ctx, node.space, t.PLACE)
    if several is None:
        return _place(ctx, node, space)
    slot = ctx.frame.slot(several)
    body = _place(ctx, node, e.Local(slot))
    return (s.Each(slot, space, tuple(one.at(node.span) for one in body)),)


def _place(ctx: Context, node: n.Place, space: e.Expr) -> s.Block:
    """Puts one of the acting player's pieces on a space, or one of those without an owner."""
    kinds, name = ctx.symbols.piece_kinds, node.piece.text
    if name not in kinds and name in ctx.frame.names:
        text = "`place` takes the name of a kind of piece. A piece with a name of its own is moved:"
        hint = f"move {name} to {node.space.span.text}"
        ctx.fail("E301", f"`{name}` is not a kind of piece", node.piece.span, text, hint)
    ctx.require("piece", node.piece, "No piece with that name is declared.", kinds)
    kind = kinds[name]
    pieces: e.Expr = e.Const(kind.ids)
    if kind.per_player:
        sets = tuple(kind.of_player(player) for player in ctx.symbols.seats)
        pieces = e.Pick((*sets, ()), e.Local(YOU))
    free = e.Lying(ctx.slots.piece_place, pieces, e.Const((NOTHING,)))
    reason = NoneLeft(name, yours=bool(kind.per_player))
    is_none = e.Compare("is", e.Size(free), e.Const(0))
    none = abilities.forbid(ctx, f"no_{name}_left", is_none, reason, node.span)
    return (none, s.MovePieces(e.MakeSet((e.First(free),)), space))


def remove(ctx: Context, node: n.RemovePieces) -> s.Block:
    """Takes pieces off the board."""
    pieces = _pieces(ctx, node.pieces, "pieces are removed", "")
    return (s.MovePieces(pieces, None),)


def move(ctx: Context, node: n.Move) -> s.Block:
    """Moves pieces to a space."""
    source, where = node.piece.span.text, node.space.span
    pieces = _pieces(ctx, node.piece, "pieces are moved", f"put {source} on {where.text}")
    if where.text == "nothing":
        text = "To take a piece off the board, use `remove`."
        ctx.fail("E301", "this is not a space", where, text, f"remove {source}")
    return (s.MovePieces(pieces, coercion.of_kind(ctx, node.space, t.PLACE)),)


def _pieces(ctx: Context, node: n.Expr, title: str, of_cards: str) -> e.Expr:
    """Lowers a set of pieces; refuses anything else, with the phrase for cards as a hint."""
    pieces, type_ = coercion.lower_set(ctx, node)
    if not isinstance(type_, t.Piece):
        hint = of_cards if isinstance(type_, t.Card) else ""
        ctx.fail("E301", title, node.span, f"This is {describe(type_)}.", hint)
    return pieces


def swap_steps(node: n.Swap) -> tuple[n.Statement, ...]:
    """The statements that swap two cards. Their local names contain spaces, so they cannot
    clash.
    """
    span, first, second, place = node.span, "one card", "other card", "its place"
    named = {text: n.Word(text, span=span) for text in (first, second, place, "place")}
    card, other, behind = (n.Name(text, span=span) for text in (first, second, place))
    nothing = n.Keyword("nothing", span=span)
    both = tuple(n.Binary("is_not", one, nothing, span=span) for one in (card, other))
    moved = (
        n.Put(card, "on", n.Of(named["place"], None, other, span=span), False, "", span=span),
        n.Put(other, "on", behind, False, "", span=span),
    )
    return (
        n.Let(named[first], node.card, span=node.card.span),
        n.Let(named[second], node.other, span=node.other.span),
        n.Let(named[place], n.Of(named["place"], None, card, span=span), span=span),
        n.If(n.Logic("and", both, span=span), moved, (), span=span),
    )


def cards(ctx: Context, node: n.Expr) -> e.Expr:
    """Lowers a set of cards."""
    found, type_ = ctx.lower(node)
    if isinstance(type_, t.Nothing):
        ctx.fail("E301", "cards are needed here", node.span, "This is nothing.")
    return coercion.as_set(ctx, found, type_, node.span, t.CARD)


def _place_for(ctx: Context, node: n.Expr) -> e.Expr:
    """Lowers the place where cards are put; it cannot be nothing."""
    if node.span.text in ("nothing", "nowhere") and node.span.text not in ctx.own:
        text = "A card always lies somewhere. Those that are out of the game need a zone:"
        hint = "zone out_of_play: card, face down"
        ctx.fail("E301", f"no card lies on `{node.span.text}`", node.span, text, hint)
    return coercion.of_kind(ctx, node, t.PLACE)


def put(ctx: Context, node: n.Put) -> s.Block:
    """Puts cards on or under a place. `put A on B on C` puts A on B, or puts A on the place B on
    C.
    """
    ways, lying = [node], node.card
    if isinstance(lying, n.On) and not coercion.is_closed(lying.places, node.place):
        span = lying.places.span.cover(node.place.span)
        place = n.On(lying.places, node.place, span=span)
        ways.append(replace(node, card=lying.things, place=place))
    return coercion.only_fitting(ctx, ways, lambda way: _put(ctx, way))


def _put(ctx: Context, node: n.Put) -> s.Block:
    if node.in_any_order:
        return _put_in_any_order(ctx, node)
    moved = cards(ctx, node.card)
    if isinstance(node.place, n.Unary) and node.place.op in ("top", "bottom"):
        where = "on" if node.place.op == "top" else "under"
        title, text = (
            "a card is put on a zone, not on a card",
            f"Where it lies is said by `{where}`:",
        )
        new = instead(f"{node.card.span.text} {where} {node.place.operand.span.text}")
        ctx.fail("E301", title, node.card.span.cover(node.place.span), text, new)
    place = _place_for(ctx, node.place)
    return (s.MoveCards(moved, place, node.where == "under", node.facing),)


def _put_in_any_order(ctx: Context, node: n.Put) -> s.Block:
    """Asks for the cards one by one before any is moved. Cards beyond the most that are asked for
    are put first.
    """
    found, among = ctx.lower(node.card)
    if isinstance(among, t.Card):
        text = "Several cards can be put in any order; this is a single one."
        ctx.fail("E301", "there is nothing to order", node.card.span, text)
    moved = coercion.as_set(ctx, found, among, node.card.span, t.CARD)
    type_ = among.of if isinstance(among, t.SetOf) else t.CARD
    where, facing = ctx.frame.slot(t.PLACE), node.facing
    place = s.Let(where, _place_for(ctx, node.place))
    count = len(moved.items) if isinstance(moved, e.MakeSet) else len(ctx.domains.of(type_))
    slots = [ctx.frame.slot(type_) for _ in range(min(count, MOST_CHOSEN))]
    asked: list[s.Statement] = [s.Let(slot, NOBODY) for slot in slots]
    left = moved
    for at, slot in enumerate(slots, 1):
        way = s.Alternative("put", binding(ctx, slot, left, type_), YES, ())
        any_left = e.Compare("more_than", e.Size(left), e.Const(0))
        asked.append(s.If(any_left, (s.Ask(ctx.frame.owner, (way,)).at(node.span),), ()))
        left = e.SetOp("except", moved, e.MakeSet(tuple(e.Local(one) for one in slots[:at])))
    each = [left, *(e.MakeSet((e.Local(slot),)) for slot in slots)]
    under = node.where == "under"
    return (*asked, place, *(s.MoveCards(one, e.Local(where), under, facing) for one in each))


def store(ctx: Context, amount: n.Amount, span: Span) -> s.Statement:
    """Stores an amount on the card whose ability this is."""
    if not isinstance(ctx.frame.this, e.Const) or not isinstance(ctx.frame.this.value, int):
        text = "Only the ability of a card can store something on it."
        ctx.fail("E208", "there is no `this` here", span, text)
    resource = resources.one_resource(ctx, resources.resource_word(ctx, amount))
    slot = ctx.store_slot(ctx.frame.this.value, resource)
    return s.Store(slot, resource, coercion.number(ctx, amount.quantity))


def assign(ctx: Context, node: n.Assign) -> s.Block:
    """Assigns a variable, or one variable for each element of a set; all get the same value. A
    constant from the rules does not make the variable secret.
    """
    lets: list[s.Statement] = []

    def assigned(target: n.Expr) -> s.Block:
        variable, index = variable_of(ctx, target)
        value = calls.of_type(ctx, node.value, variable.type, f"`{variable.name}` holds")
        hides = variable.secret != NOTHING and not isinstance(value, e.Const)
        if target is not node.target and not isinstance(value, e.Const):
            slot = ctx.frame.slot(variable.type)
            lets.append(s.Let(slot, value).at(node.span))
            value = e.Local(slot)
        return (s.Assign(ctx.tables.number_of(variable), index.index, value, int(hides)),)

    changed = of_each(ctx, node.target, assigned)
    return (*lets, *changed)


def of_each(ctx: Context, target: n.Expr, change: Callable[[n.Expr], s.Block]) -> s.Block:
    """Applies a change to a variable; in `V of SET`, to the variable of each element."""
    match target:
        case n.Of(index=None, subject=subject) if variable := named_variable(ctx, target):
            within, type_ = ctx.lower(subject)
            if isinstance(variable.each, t.Card) and isinstance(type_, t.Place):
                name, text = target.name.text, f"This is {describe(type_)}. Write:"
                title = f"`{name}` is for each {variable.each.name}"
                new = instead(f"{name} of (cards on {subject.span.text})")
                ctx.fail("E301", title, target.span, text, new)
            if isinstance(type_, t.SetOf):
                one = n.Word("one of them", span=target.span)  # no local name has a blank
                slot = ctx.frame.bind(one, type_.of)
                changed = change(replace(target, subject=n.Name(one.text, span=one.span)))
                del ctx.frame.names[one.text]
                return (s.Each(slot, within, tuple(step.at(target.span) for step in changed)),)
    return change(target)


def variable_of(ctx: Context, node: n.Expr) -> tuple[d.Variable, e.Var]:
    """The variable that is assigned, and the expression for it with its index."""
    target, type_ = ctx.lower(node)
    variable = named_variable(ctx, node)
    if variable is None or not isinstance(target, e.Var) or target.base != variable.base:
        text = "Only a variable can be set."
        if isinstance(target, e.Local):
            text += f" Here `{node.span.text}` is what got this name above"
            text += "." if variable is None else ", not the variable. Give that another name."
        elif of_each_ := _of_each(ctx, t.element(type_)):
            text = f"`{of_each_}` is for each of them. Write:"
            new = instead(f"{of_each_} of {node.span.text}")
            ctx.fail("E312", "this cannot be set", node.span, text, new)
        else:
            text += " Use `gain` and `pay` for resources, and `put` for cards."
        ctx.fail("E312", "this cannot be set", node.span, text)
    if variable.type == t.Value(OUTCOME):
        text = "It has a sentence of its own, for example:"
        ctx.fail("E312", "an outcome cannot be set", node.span, text, "you win")
    return variable, target


def _of_each(ctx: Context, type_: t.Single) -> str:
    """The first variable for each space of a region, or each piece of a kind, or ""."""
    variables = ctx.tables.variables.items() if isinstance(type_, t.Place | t.Piece) else ()
    return next((name for name, one in variables if one.each == type_), "")


def named_variable(ctx: Context, node: n.Expr) -> d.Variable | None:
    """The variable of this name, if there is one; a local name is not considered."""
    named = node.name.text if isinstance(node, n.Your | n.Of) else getattr(node, "text", "")
    return ctx.tables.variables.get(named)


def with_refills(ctx: Context, lowered: s.Block) -> s.Block:
    """The statements, preceded by refills of the places from which they draw."""
    places = dict.fromkeys(place for one in lowered for place in _drawn_from(one))
    refills = (place for place in places if _may_refill(ctx, place))
    return (*(s.Refresh(place) for place in refills), *lowered)


def _drawn_from(node: s.Statement | e.Expr) -> list[e.Expr]:
    """The places whose top or bottom card a statement takes."""
    match node:
        case s.MoveCards(cards=inner) | s.Let(value=inner):
            return _drawn_from(inner)
        case e.TopCard(place) | e.BottomCard(place):
            return [place]
        case e.MakeSet(items):
            return [place for item in items for place in _drawn_from(item)]
        case _:
            return []


def _may_refill(ctx: Context, place: e.Expr) -> bool:
    """Whether a place may have a refill; spaces never have one."""
    match place:
        case e.Const(value=int() as only):
            among: tuple[int, ...] = (only,)
        case e.Table(values=values):
            among = values
        case e.Local(slot=slot) if ctx.frame.slots[slot] == t.Place(is_zone=True):
            among = tuple(range(len(ctx.symbols.places)))
        case _:
            return False
    infos = (ctx.symbols.places[one] for one in among if one != NOTHING)
    return any(one.refill != NOTHING for one in infos)


# ---- cards moved one by one ----


_ONE = e.Const(1)


def draw(ctx: Context, node: n.Draw) -> s.Block:
    """Moves the top card a number of times, as long as there are cards."""
    counted, number = coercion.once(ctx, coercion.number(ctx, node.number))
    if isinstance(node.source, n.Those):
        text = "Cards are drawn from the top of a zone. The first of those that you name is put:"
        one = f"put first {node.source.span.text} on {node.place.span.text}"
        hint = one if number == _ONE else f"repeat {node.number.span.text} times: {one}"
        ctx.fail("E301", "a zone is needed here", node.source.span, text, hint)
    source = _place_for(ctx, node.source)
    target = _place_for(ctx, node.place)
    _warn_of_too_few(ctx, number, 1, node.source, source, node.number.span)
    return (*counted, *_times(ctx, number, _top(ctx, source, target, node.span, node.facing)))


def _warn_of_too_few(
    ctx: Context, number: e.Expr, hands: int, written: n.Expr, source: e.Expr, span: Span
) -> None:
    """Warns (W927) if a pile can never have that many cards."""
    match number, source:
        case e.Const(int(wanted)), e.Const(int(place)):
            kind = ctx.symbols.regions[ctx.symbols.places[place].region].kind
            count = len(ctx.domains.of(t.Card(kind)))
            if 0 < count < wanted * hands:
                title = f"{wanted * hands} cards, but there are only {count}"
                text = f"No other card can ever lie in `{written.span.text}`."
                ctx.warn(Problem("W927", title, span, text))


def deal(ctx: Context, node: n.Deal) -> s.Block:
    """Deals cards to each player in turn, one at a time; without a number, all of them."""
    given = node.number or n.Number(0, span=node.span)
    before, number = coercion.once(ctx, coercion.number(ctx, given))
    source = _place_for(ctx, node.source)
    _check_owned(ctx, node)
    _warn_of_too_few(ctx, number, len(ctx.symbols.players), node.source, source, given.span)
    if not isinstance(source, e.Const):  # `your pile` is the dealer's, and `you` changes
        place_slot = ctx.frame.slot(t.PLACE)
        before, source = (*before, s.Let(place_slot, source)), e.Local(place_slot)
    slot = ctx.frame.slots_of_round()
    target, _ = names.of_player(ctx, node.zone, e.Local(YOU), node.zone.span)
    top = _top_card(source, target, node.facing).at(node.span)
    body = _top(ctx, source, target, node.span, node.facing) if node.number else (top,)
    around = s.EachPlayer(slot, e.Const(0), body).at(node.span)
    if node.number is None:  # of what is there: no card is needed for which a pile is refilled
        is_over = e.Compare("is", e.Size(e.CardsOn(e.MakeSet((source,)))), e.Const(0))
        return (*before, s.Until(ctx.frame.slot(t.NUMBER), is_over, (around,)))
    return (*before, *_times(ctx, number, (around,)))


def fill(ctx: Context, node: n.Fill) -> s.Block:
    """Moves the top card to each empty space, in the order of the spaces."""
    spaces, type_ = coercion.lower_set(ctx, node.spaces)
    if not isinstance(type_, t.Place):
        pile, place = node.source.span.text, node.spaces.span.text
        text, hint = f"Spaces are filled; this is {describe(type_)}.", ""
        if isinstance(type_, t.Card):
            text = "Spaces are filled, each with one card. To draw until there are enough:"
            enough = f"count of {place} is at least 5 or no {pile}"
            hint = f"repeat until {enough}: draw 1 from {pile} to {place}"
        ctx.fail("E301", "spaces are needed here", node.spaces.span, text, hint)
    source = _place_for(ctx, node.source)
    space, looked_at = ctx.frame.slot(type_), ctx.frame.slot(type_)
    lying = e.Size(e.CardsOn(e.MakeSet((e.Local(looked_at),))))
    empty = e.Filter(looked_at, spaces, e.Compare("is", lying, e.Const(0)))
    body = _top(ctx, source, e.Local(space), node.span, node.facing)
    return (s.Each(space, empty, body),)


def _check_owned(ctx: Context, node: n.Deal) -> None:
    """Refuses a zone that does not belong to each player."""
    word, pile = node.zone, node.source.span.text
    ctx.require_known(word.text)
    region = ctx.symbols.regions.get(word.text)
    owned = [one.name for one in ctx.symbols.regions.values() if one.owned and one.is_zone]
    if region is None:
        text = "No zone with that name is declared."
        ctx.fail_unknown("zone", word, text, owned)
    if not region.owned or not region.is_zone:
        title, text = (
            f"`{word.text}` has no owner",
            "Cards are dealt to a zone that each player has.",
        )
        if not region.is_zone:
            title = f"`{word.text}` is no zone"
            text += " Spaces are filled, each with one card:"
            hint = f"fill {word.text} with cards from {pile}"
            hint = f"each player: {hint.replace(' ', ' your ', 1)}" if region.owned else hint
        elif node.number is None:
            text += " This one gets all of them by:"
            hint = f"put {pile} on {word.text}"
        else:
            text += " To this one they are drawn:"
            given = node.number.span.text
            number = given if isinstance(node.number, n.Number) else f"({given})"
            hint = f"draw {number} from {pile} to {word.text}"
        hint += f", face {node.facing}" if node.facing else ""
        ctx.fail("E318", title, node.span, text, hint)


def _top(
    ctx: Context, source: e.Expr, target: e.Expr, span: Span, facing: n.Facing = ""
) -> s.Block:
    """Moves the top card of a place, which is refilled first if necessary."""
    move = _top_card(source, target, facing)
    return tuple(one.at(span) for one in with_refills(ctx, (move,)))


def _top_card(source: e.Expr, target: e.Expr, facing: n.Facing) -> s.MoveCards:
    return s.MoveCards(e.MakeSet((e.TopCard(source),)), target, False, facing)


def _times(ctx: Context, number: e.Expr, body: s.Block) -> s.Block:
    if number == _ONE:
        return body
    return (s.Each(ctx.frame.slot(t.NUMBER), e.Range(_ONE, number), body),)
