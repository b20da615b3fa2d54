"""Statements, from written to meant: blocks, questions, loops, moves."""

from __future__ import annotations

import re
from typing import assert_never

from targi_dsl import model as m
from targi_dsl.build import abilities, amounts, calls, expressions, prices
from targi_dsl.build.context import (
    CARD,
    NOBODY,
    NUMBER,
    PLACE,
    PLAYER,
    UNKNOWN,
    YES,
    Context,
    Frame,
    Wrong,
    describe,
)  # fmt: skip
from targi_dsl.problems import Label, Problem
from targi_dsl.source import Span
from targi_dsl.syntax import nodes as n

MOST_TIMES = 50
MOST_ANSWERS = 256
_HEAD = (n.Let, n.Choose, n.Forbid, n.If, n.Do, n.Pay)
"""What may stand before a prohibition."""
DECLINE, DONE = "decline", "done"


def block(ctx: Context, frame: Frame, body: n.Block) -> m.Block:
    """A block; names bound in it end with it. After `choose` the rest of the block belongs to the choice."""
    names = dict(frame.names)
    done: list[m.Statement] = []
    begun = False
    for i, node in enumerate(body):
        begun = begun or not isinstance(node, _HEAD)
        if begun and isinstance(node, n.Forbid):
            text = "What is forbidden is asked before anything is done, so it stands before that."
            ctx.problems.append(Problem("E325", "a prohibition after an effect", node.name.span, text))
        try:
            if isinstance(node, n.Choose):
                done.append(_choose(ctx, frame, node, body[i + 1 :]))
                break  # the rest of the block belongs to the choice
            done.extend(_refreshed(ctx, statement(ctx, frame, node)))
        except Wrong:
            _bind_unknown(frame, node)
    frame.names = names
    return tuple(done)


def _bind_unknown(frame: Frame, node: n.Statement) -> None:
    # One fault, one message: what follows may use the name that could not be understood.
    if isinstance(node, n.Let | n.Roll | n.Choose):
        frame.bind(node.name, UNKNOWN)


def statement(ctx: Context, frame: Frame, node: n.Statement) -> m.Block:
    match node:
        case n.Gain():
            return amounts.gain(ctx, frame, node)
        case n.Pay():
            otherwise = block(ctx, frame, (node.otherwise,)) if node.otherwise is not None else None
            return (amounts.pay(ctx, frame, prices.reference(ctx, frame, node.price), otherwise),)
        case n.Exchange():
            ways = amounts.exchange(ctx, frame, node)
            return (m.Ask(frame.owner, ways, ()),)
        case n.Store():
            return tuple(_store(ctx, frame, amount, node.span) for amount in node.amounts)
        case n.Place():
            return _place(ctx, frame, node)
        case n.TakeBack():
            space = expressions.of_kind(ctx, frame, node.space, PLACE)
            own = _own_pieces(ctx, node.piece)
            there = m.Lying(ctx.slots.piece_place, own, m.MakeSet((space,)))
            return (m.MovePieces(m.MakeSet((m.First(there),)), NOBODY),)
        case n.Move():
            pieces, type_ = expressions.lower_set(ctx, frame, node.piece)
            if type_.kind != "piece":
                hint = f"put {node.piece.span.text} on {node.space.span.text}" if type_.kind == "card" else ""
                ctx.fail("E301", "pieces are moved", node.piece.span, f"This is {describe(type_)}.", hint)
            return (m.MovePieces(pieces, expressions.of_kind(ctx, frame, node.space, PLACE)),)
        case n.Put():
            cards = expressions.as_set(ctx, *expressions.lower(ctx, frame, node.card), node.card.span, CARD)
            place = expressions.of_kind(ctx, frame, node.place, PLACE)
            return (m.MoveCards(cards, place, node.where == "under", node.facing),)
        case n.Turn():
            return (m.Turn(_cards(ctx, frame, node.cards), node.facing == "up"),)
        case n.Reveal():
            return (m.Reveal(_cards(ctx, frame, node.cards)),)
        case n.Shuffle():
            return (m.Shuffle(expressions.of_kind(ctx, frame, node.zone, PLACE), frame.slot(NUMBER)),)
        case n.Assign():
            return (_assign(ctx, frame, node),)
        case n.Let():
            value, type_ = expressions.lower(ctx, frame, node.value)
            if type_.many or type_.kind == "nothing":
                text = "A name stands for one thing; say the set where it is needed, or define it."
                ctx.fail("E302", "one is needed, not a set", node.value.span, text, f"first {node.value.span.text}")
            if type_.kind == "place" and type_.of != "zone":
                type_ = PLACE
            return (m.Let(frame.bind(node.name, type_), value),)
        case n.Roll():
            low, high = expressions.number(ctx, frame, node.low), expressions.number(ctx, frame, node.high)
            if isinstance(low, m.Const) and isinstance(high, m.Const) and low.value > high.value:  # type: ignore[operator]  # numbers
                ctx.fail("E326", "nothing can be rolled", node.span, "The first number is the lowest.")
            return (m.Roll(frame.bind(node.name, NUMBER), low, high),)
        case n.Forbid():
            holds = expressions.truth(ctx, frame, node.condition)
            reason = node.reason or node.condition.span.text
            return (forbid(ctx, frame, node.name.text, holds, reason, node.span),)
        case n.Do():
            rule = calls.rule_number(ctx, node.rule)
            return (m.Do(rule, calls.call_arguments(ctx, frame, node.rule, node.arguments)),)
        case n.DoAction():
            return (m.DoAction(expressions.of_kind(ctx, frame, node.card, CARD)),)
        case n.EndGame():
            return (m.EndGame(frame.rule),)
        case n.Stop():
            return (m.Stop(),)
        case n.PassBy():
            return ()
        case n.If():
            condition = expressions.truth(ctx, frame, node.condition)
            return (m.If(condition, block(ctx, frame, node.then), block(ctx, frame, node.otherwise)),)
        case n.Each():
            return (_each(ctx, frame, node),)
        case n.EachPlayer():
            start = expressions.of_kind(ctx, frame, node.start, PLAYER) if node.start is not None else m.Const(0)
            slot = frame.slot(PLAYER)
            frame.slot(NUMBER)
            frame.slot(PLAYER)
            return (m.EachPlayer(slot, start, block(ctx, frame, node.body)),)
        case n.Times():
            limit = expressions.number(ctx, frame, node.limit) if node.limit is not None else m.Const(MOST_TIMES)
            slot = frame.slot(NUMBER)
            body = block(ctx, frame, node.body)
            return (m.Loop(slot, limit, _optional(frame, body, DONE, (m.Leave(),), node.body)),)
        case n.OneOf():
            ways = _alternatives(ctx, frame, node.alternatives) + _offered(ctx, frame)
            return (m.Ask(frame.owner, ways, block(ctx, frame, node.otherwise)),)
        case n.May():
            return _optional(frame, block(ctx, frame, node.body), DECLINE, (), node.body)
        case n.AnyOrder():
            slot = frame.slot(NUMBER)
            done = m.Alternative(DONE, None, YES, (m.Leave(),))
            ways = (*_alternatives(ctx, frame, node.alternatives), *_offered(ctx, frame), done)
            return (m.Loop(slot, m.Const(MOST_TIMES), (m.Ask(frame.owner, ways, ()),)),)
        case n.Choose():
            return (_choose(ctx, frame, node, ()),)
        case _:
            assert_never(node)


# ---- questions --------------------------------------------------------------------------------------------------


def _choose(ctx: Context, frame: Frame, node: n.Choose, rest: n.Block) -> m.Ask:
    label = frame.owner if frame.chooses == 1 else node.name.text
    way = _binding_way(ctx, frame, label, node.name, node.within, node.condition, rest)
    return m.Ask(frame.owner, (way,), ())


def _binding_way(
    ctx: Context, frame: Frame, label: str, name: n.Word, within: n.Expr, condition: n.Expr | None, body: n.Block
) -> m.Alternative:
    """One answer for each element of a set; `where` is a prohibition with the name of what is chosen."""
    names = dict(frame.names)
    found, type_ = expressions.lower_set(ctx, frame, within)
    slot = frame.bind(name, type_)
    head: m.Block = ()
    if condition is not None:
        holds = expressions.truth(ctx, frame, condition)
        reason = f"it must be one where {condition.span.text}"
        head = (forbid(ctx, frame, f"{frame.owner}.{name.text}", m.Not(holds), reason, condition.span),)
    lowered = block(ctx, frame, body)
    frame.names = names
    domain = _domain(ctx, found, type_)
    if len(domain) > MOST_ANSWERS and isinstance(found, m.Const):
        text = f"A question has at most {MOST_ANSWERS} answers; this set has {len(domain)}."
        ctx.fail("E327", "too many to choose from", within.span, text)
    if type_.kind == "place" and len({ctx.world.places[one].region for one in domain}) > 1:
        type_ = m.Type("place", m.SEVERAL)
    return m.Alternative(label, m.Binding(slot, found, type_, domain), YES, (*head, *lowered))


def _domain(ctx: Context, within: m.Expr, type_: m.Type) -> tuple[int, ...]:
    """Everything that could be named where one of the set is chosen."""
    match within:
        case m.Const(value=tuple() as value):
            return value
        case m.Range(low=m.Const(value=int() as low), high=m.Const(value=int() as high)):
            return tuple(range(low, min(high, low + 255) + 1))
        case m.SetOp(op="within" | "except", left=left):
            return _domain(ctx, left, type_)
        case m.Filter(within=inner):
            return _domain(ctx, inner, type_)
        case _:
            pass
    world = ctx.world
    match type_.kind:
        case "player":
            return tuple(range(len(world.players)))
        case "resource":
            return tuple(range(len(world.resources)))
        case "card":
            kinds = list(world.kinds)
            return tuple(
                i for i, card in enumerate(ctx.cards.cards) if type_.of not in kinds or kinds[card.kind] == type_.of
            )
        case "piece":
            return tuple(i for i, piece in enumerate(world.pieces) if not type_.of or piece.kind == type_.of)
        case "place":
            return tuple(
                i for i, place in enumerate(world.places) if type_.of in ("", place.region) and not place.is_zone
            )
        case "value":
            return tuple(range(len(world.values[type_.of])))
        case _:
            return ()


def _alternatives(
    ctx: Context, frame: Frame, given: tuple[n.Alternative | n.YourAbilities, ...]
) -> tuple[m.Alternative, ...]:
    ways: list[m.Alternative] = []
    labels: dict[str, Span] = {}
    for one in given:
        if isinstance(one, n.Alternative) and one.label is not None:
            if one.label.text in labels:
                text = "An answer is known by its name, so each has its own."
                first = (Label(labels[one.label.text], "first here"),)
                title = f"two answers `{one.label.text}`"
                ctx.problems.append(Problem("E202", title, one.label.span, text, labels=first))
            labels.setdefault(one.label.text, one.label.span)
        try:
            if isinstance(one, n.YourAbilities):
                ways.extend(abilities.guarded(ctx, ability) for ability in abilities.usable(ctx))
            elif one.name is not None and one.within is not None:
                label = one.label.text if one.label else _label(one.body)
                ways.append(_binding_way(ctx, frame, label, one.name, one.within, one.condition, one.body))
            elif one.label is None and len(one.body) == 1 and isinstance(one.body[0], n.Exchange):
                ways.extend(amounts.exchange(ctx, frame, one.body[0]))
            else:
                label = one.label.text if one.label else _label(one.body)
                ways.append(m.Alternative(label, None, YES, block(ctx, frame, one.body)))
        except Wrong:
            continue
    return tuple(ways)


def _offered(ctx: Context, frame: Frame) -> tuple[m.Alternative, ...]:
    """What abilities add to the first question of a rule."""
    if frame.offered:
        return ()
    frame.offered = True
    ctx.asking.add(frame.owner)
    return tuple(abilities.guarded(ctx, one) for one in abilities.offers(ctx, frame.owner))


def _label(body: n.Block) -> str:
    """What an alternative without a name of its own is called: the rule it does, else its words."""
    first = next((one for one in body if not isinstance(one, n.Forbid | n.Let)), body[0])
    match first:
        case n.Do():
            return first.rule.text
        case n.PassBy():
            return "nothing"
        case _:
            return re.sub(r"[^a-z0-9]+", "_", first.span.text.lower()).strip("_")[:40]


def _optional(frame: Frame, body: m.Block, label: str, leave: m.Block, written: n.Block) -> m.Block:
    """The body, with a way not to do it: in its own question if it is nothing but one."""
    way_out = m.Alternative(label, None, YES, leave)
    if len(body) == 1 and isinstance(body[0], m.Ask) and not body[0].otherwise:
        return (m.Ask(body[0].name, (*body[0].alternatives, way_out), ()),)
    return (m.Ask(frame.owner, (m.Alternative(_label(written), None, YES, body), way_out), ()),)


# ---- prohibitions -----------------------------------------------------------------------------------------------


def forbid(ctx: Context, frame: Frame, name: str, holds: m.Expr, reason: str | None, span: Span) -> m.Forbid:
    """A named prohibition of this rule, with what lifts it."""
    twin = frame.forbids.get(name)
    if twin is not None and reason is not None and "." not in name and not name.startswith("no_"):
        text = "A name stands for one prohibition of a rule."
        ctx.problems.append(Problem("E202", f"`{name}` stands twice", span, text, labels=(Label(twin, "first here"),)))
    frame.forbids.setdefault(name, span)
    permits = abilities.permits(ctx, frame, name)
    origin = m.Origin(ctx.module_of(span), span)
    ctx.tables.forbids.append(m.ForbidInfo(name, frame.rule, reason or "", permits, (origin,)))
    return m.Forbid(len(ctx.tables.forbids) - 1, holds)


# ---- pieces, cards, variables -----------------------------------------------------------------------------------


def _own_pieces(ctx: Context, word: n.Word) -> m.Expr:
    kind = ctx.world.piece_kinds.get(word.text)
    if kind is None:
        text = "No piece of that name is declared."
        ctx.fail("E201", f"unknown piece `{word.text}`", word.span, text, ctx.near(word.text, ctx.world.piece_kinds))
    if not kind.per_player:
        text = "It belongs to nobody, so it is moved."
        ctx.fail("E311", f"`{word.text}` is nobody's", word.span, text, f"move {word.text} to ...")
    each = kind.per_player
    sets = tuple(kind.ids[p * each : (p + 1) * each] for p in range(len(ctx.world.players)))
    return m.Pick((*sets, ()), m.Local(m.YOU))


def _place(ctx: Context, frame: Frame, node: n.Place) -> m.Block:
    space = expressions.of_kind(ctx, frame, node.space, PLACE)
    free = m.Lying(ctx.slots.piece_place, _own_pieces(ctx, node.piece), m.Const((m.NOTHING,)))
    name = f"no_{node.piece.text}_left"
    none = forbid(
        ctx, frame, name, m.Compare("is", m.Size(free), m.Const(0)), f"you have no {node.piece.text} left", node.span
    )
    return (none, m.MovePieces(m.MakeSet((m.First(free),)), space))


def _cards(ctx: Context, frame: Frame, node: n.Expr) -> m.Expr:
    found, type_ = expressions.lower(ctx, frame, node)
    return expressions.as_set(ctx, found, type_, node.span, CARD)


def _store(ctx: Context, frame: Frame, amount: n.Amount, span: Span) -> m.Statement:
    if not isinstance(frame.this, m.Const) or not isinstance(frame.this.value, int):
        ctx.fail("E208", "there is no `this` here", span, "Only the ability of a card can store something on it.")
    resource = prices.one_resource(ctx, amount.resource)
    key = (frame.this.value, resource)
    if key not in ctx.stores:
        ctx.stores[key] = ctx.new_slots(1)
    return m.Store(ctx.stores[key], resource, expressions.number(ctx, frame, amount.quantity))


def _assign(ctx: Context, frame: Frame, node: n.Assign) -> m.Statement:
    target, _ = expressions.lower(ctx, frame, node.target)
    variable = next(
        (v for v in ctx.tables.variables.values() if isinstance(target, m.Var) and target.base == v.base and v.count),
        None,
    )
    if variable is None or not isinstance(target, m.Var):
        text = "Only a declared variable can be set; amounts are gained and paid, cards are put."
        ctx.fail("E312", "this cannot be set", node.target.span, text)
    value, value_type = expressions.lower(ctx, frame, node.value, variable.type)
    value = expressions.fit(ctx, value, value_type, variable.type, node.value.span)
    number = list(ctx.tables.variables).index(variable.name)
    return m.Assign(number, target.index, value)


def _each(ctx: Context, frame: Frame, node: n.Each) -> m.Statement:
    names = dict(frame.names)
    within, type_ = expressions.lower_set(ctx, frame, node.within)
    slot = frame.bind(node.name, type_)
    if node.condition is not None:
        within = m.Filter(frame.slot(type_), within, YES)  # a slot of its own: the loop's slot is its memory
        frame.names[node.name.text] = (m.Local(within.slot), type_)
        condition = expressions.truth(ctx, frame, node.condition)
        within = m.Filter(within.slot, within.within, condition)
        frame.names[node.name.text] = (m.Local(slot), type_)
    body = block(ctx, frame, node.body)
    frame.names = names
    return m.Each(slot, within, body)


def _refreshed(ctx: Context, lowered: m.Block) -> m.Block:
    """The statements, after a pile they draw from has been refilled if it must be."""
    zones = sorted({zone for one in lowered for zone in _drawn_from(ctx, one)})
    return (*(m.Refresh(m.Const(zone)) for zone in zones), *lowered)


def _drawn_from(ctx: Context, one: m.Statement) -> set[int]:
    tops: list[m.Expr] = []
    match one:
        case m.MoveCards(cards=cards):
            tops = [cards]
        case m.Let(value=value):
            tops = [value]
        case _:
            pass
    return {
        place.value
        for top in tops
        for place in _tops(top)
        if isinstance(place, m.Const)
        and isinstance(place.value, int)
        and place.value != m.NOTHING
        and ctx.world.places[place.value].refill != m.NOTHING
    }


def _tops(expr: m.Expr) -> list[m.Expr]:
    match expr:
        case m.TopCard(place=place) | m.BottomCard(place=place):
            return [place]
        case m.MakeSet(items=items):
            return [place for item in items for place in _tops(item)]
        case _:
            return []
