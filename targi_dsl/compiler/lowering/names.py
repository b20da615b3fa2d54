"""Resolves names: bare names, `NAME of X`, `your NAME`, and things on places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NoReturn

from msgspec.structs import replace

from targi_dsl.compiler.lowering import calls, coercion, resources, spaces, turns
from targi_dsl.compiler.lowering.coercion import kind_number, of_kind
from targi_dsl.compiler.lowering.context import NO, NOBODY, YES, Abandoned, Context, Hint, instead
from targi_dsl.compiler.symbols.mentions import bound
from targi_dsl.compiler.symbols.table import Typed, describe
from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.syntax import ast as n
from targi_dsl.syntax.error_productions.phrases import NUMBERS
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Span


def keyword(ctx: Context, node: n.Keyword) -> Typed:
    match node.text:
        case "you":
            return ctx.frame.you, t.PLAYER
        case "opponent":
            if not ctx.symbols.players:  # what is wrong with them has been reported
                raise Abandoned
            if len(ctx.symbols.players) != 2:
                _no_opponent(ctx, node)
            return e.Table((1, 0, NOTHING), ctx.frame.you), t.PLAYER
        case "this":
            if ctx.frame.this is None:
                text = "Only the action or ability of a card has a `this`: the card itself."
                ctx.fail("E208", "there is no `this` here", node.span, text)
            return ctx.frame.this, t.CARD
        case "nothing":
            return NOBODY, t.NONE
        case "yes" | "you like":
            return YES, t.TRUTH
        case "no":
            return NO, t.TRUTH
        case _:
            return turns.players(ctx), t.set_of(t.PLAYER)


def name(ctx: Context, node: n.Name, expected: t.Type | None) -> Typed:
    """Resolves a bare name: local names first, then the expected list of values, then
    declarations.
    """
    name, symbols = node.text, ctx.symbols
    if (local := ctx.frame.local(name)) is not None:
        return local
    ctx.require_known(name)
    listed = t.element(expected) if expected is not None else None
    if isinstance(listed, t.Value) and name in symbols.values.get(listed.of, ()):
        return e.Const(symbols.values[listed.of].index(name)), listed
    if name in symbols.players:
        return e.Const(symbols.players.index(name)), t.PLAYER
    found = _on_board(ctx, node) or _declared_name(ctx, node)
    if found is not None:
        return found
    lists = symbols.values_with(name)
    if len(lists) == 1:
        return e.Const(symbols.values[lists[0]].index(name)), t.Value(lists[0])
    if lists:
        joined = " and of ".join(lists)
        text = f"It is a value of {joined}; compare it with something of one of them."
        ctx.fail("E209", f"`{name}` can be two things", node.span, text)
    unknown(ctx, node, all_names(ctx), expected)


def _on_board(ctx: Context, node: n.Name) -> Typed | None:
    """The spaces, zone or pieces with this name."""
    name, symbols = node.text, ctx.symbols
    if name in symbols.regions:
        region = symbols.regions[name]
        if region.owned:
            text = f"Every player has a {name}; `{name} of p` is the one of player p, and"
            text += f" `{name} of players` are those of all."
            ctx.fail("E204", f"whose `{name}`?", node.span, text, instead(f"your {name}"))
        if region.is_zone and not region.values:
            return e.Const(region.base), t.Place(name, is_zone=True)
        return e.Const(region.of_player(0)), t.set_of(t.Place(name, is_zone=region.is_zone))
    if name in symbols.spaces:
        of, number = symbols.spaces[name]
        if symbols.regions[of].owned:
            text = f"Every player has a {of}; `{name} of p` is the one of player p."
            ctx.fail("E204", f"whose `{name}`?", node.span, text, instead(f"your {name}"))
        return e.Const(symbols.regions[of].base + number), t.Place(of)
    if name in symbols.sets:
        return e.Const(symbols.sets[name]), t.set_of(t.PLACE)
    if name in symbols.piece_kinds:
        ids = symbols.piece_kinds[name].ids
        return (e.Const(ids[0]), t.Piece(name)) if len(ids) == 1 else _set(ids, t.Piece(name))
    return None


def _declared_name(ctx: Context, node: n.Name) -> Typed | None:
    """The variable, definition, resource or list of values with this name."""
    name, symbols = node.text, ctx.symbols
    if name in ctx.tables.variables:
        variable = ctx.tables.variables[name]
        if variable.each is not None:
            text, of = f"There is one for each {variable.each.name}; write of which.", variable.each
            is_yours = isinstance(of, t.Player)
            hint = instead(f"your {name}") if is_yours else Hint(f"{name} of {of.name}")
            ctx.fail("E204", f"which `{name}`?", node.span, text, hint)
        return e.Var(variable.base, e.Const(0), variable.start), variable.type
    if ctx.is_declared("define", name):
        return calls.call(ctx, name, (), node.span)
    if name in symbols.resources:
        return e.Const(symbols.resources.index(name)), t.RESOURCE
    if name in symbols.groups:
        return _set(symbols.groups[name], t.Resource(name))
    symbols.use_list(name)
    if name in symbols.values:
        return _set(tuple(range(len(symbols.values[name]))), t.Value(name))
    if ctx.is_declared("pool", name):
        text = "It is not a number. Write which amount is meant."
        amount = next((one.name for one in resources.in_pool(ctx, name)), "")
        ctx.fail("E204", f"what of `{name}`?", node.span, text, amount)
    return None


def _set(members: tuple[int, ...], of: t.Single) -> Typed:
    return e.Const(members), t.set_of(of)


def _no_opponent(ctx: Context, node: n.Keyword) -> NoReturn:
    """Refuses `opponent` in a game of one or many players, with the phrase that is probably
    meant.
    """
    before = node.span.source.line(node.span.line)[: node.span.column - 1].rstrip()
    text, hint = "With more than two players it is unclear who is meant.", Hint("")
    if len(ctx.symbols.players) < 2:
        text = "There is only one player in this game, and no other."
    elif not before or before.endswith((":", "then")):
        hint = instead("each p in players except you: p")
    else:
        text += " The others are `(p in players except you)`, and one of them is `next of you`."
    ctx.fail("E207", "`opponent` needs two players", node.span, text, hint)


def unknown(
    ctx: Context, node: n.Name | n.Word, known: Iterable[str], expected: t.Type | None = None
) -> NoReturn:
    """Fails because no name is known, with a hint to a similar name or to a different phrase."""
    text, hint = "Nothing with that name is declared.", ctx.near(node, known)
    if rule := _rule_that_binds(ctx, node.text):
        text = f"Only {rule} knows it, and not what follows it. Let a variable keep it there, to be"
        text, hint = f"{text} asked for here:", Hint(f"set last_{node.text} to {node.text}")
    elif cards := ctx.cards.named(node.text):
        text, hint = "It is a card.", instead(f"the card {node.text}")
        if not _is_one(ctx, cards):
            text = f"{_is_several(node.text, cards)}; all of them are:"
            hint = Hint(f"the cards {node.text}")
    elif not hint.text:
        otherwise = text, Hint(_names_of_type(ctx, expected))
        text, hint = next(_other_phrases(ctx, node.text), otherwise)
    if not ctx.symbols.players and isinstance(expected, t.Player):
        raise Abandoned  # that the players are missing has been reported
    ctx.fail("E201", f"unknown name `{node.text}`", node.span, text, hint)


def _other_phrases(ctx: Context, name: str) -> Iterator[tuple[str, Hint]]:
    """Texts and hints for a name that resembles no other but has a likely meaning."""
    resources = ctx.symbols.resources
    if name in NUMBERS:
        yield "Numbers are written in digits.", instead(NUMBERS[name])
    if name == "winner" and resources:
        most = f"highest {resources[-1]} of q for (q in players)"
        hint = f"first (p in players where {resources[-1]} of p is {most})"
        yield "To find who leads, ask who has most of something:", Hint(hint)
    if name in ctx.symbols.kinds:
        text = "It is a kind of card. A set of cards is said by where they lie, for example:"
        zones = (one for one in ctx.symbols.regions.values() if one.is_zone)
        yield text, Hint(next((f"cards on {'your ' * one.owned}{one.name}" for one in zones), ""))
    if name in _seats(ctx):
        text = f"There is no {name} when fewer play. Say who it is by the seat, for example:"
        yield text, Hint(f"next of {ctx.symbols.players[-1]}")
    if ctx.is_declared("score", name):
        text = "What a player has scored is asked for as a total:"
        yield text, instead(f"{calls.TOTAL} of {name} of you")
    for variable, one in ctx.nodes(n.Variable):
        if one.wording is not None and one.wording.text.text == f'"{name}"':
            yield "That is what people read. In rules it is called:", instead(variable)


def _rule_that_binds(ctx: Context, name: str) -> str:
    """The rule that binds a local name, if an ability that `when` triggers after it uses that
    name.
    """
    here = (one for one in ctx.abilities.every if one.rule == ctx.frame.rule)
    for scope in (scope for one in here for scope in one.node.scopes):
        if isinstance(scope, n.When) and ctx.is_declared("rule", scope.name.text):
            rule = ctx.node(n.Rule, scope.name.text)
            if any(word.text == name for _, word in rule.derived(bound)):
                return scope.name.text
    return ""


def _seats(ctx: Context) -> list[str]:
    """The names of all players, including those who do not take part with fewer players."""
    return [word.text for _, node in ctx.nodes(n.Players) for word in node.names]


def _names_of_type(ctx: Context, expected: t.Type | None) -> str:
    """A hint that lists the names of the required type, if it is one with few."""
    match t.element(expected) if expected is not None else None:
        case t.Player():
            return f"The players are: {', '.join(ctx.symbols.players)}."
        case t.Value(of=of):
            return f"It can be: {', '.join(ctx.symbols.values[of])}."
        case _:
            return ""


def all_names(ctx: Context) -> list[str]:
    """All bare names that can be used here, those of the closest scope first."""
    symbols = ctx.symbols
    return [
        *ctx.frame.names, *symbols.players, *symbols.regions, *symbols.spaces, *symbols.sets,
        *symbols.piece_kinds, *ctx.tables.variables,
        *ctx.names_of("define"), *symbols.resources, *symbols.groups,
        *(member for members in symbols.values.values() for member in members),
    ]  # fmt: skip


def lower_of(ctx: Context, node: n.Of) -> Typed:
    name = node.name.text
    if node.index is not None:
        return spaces.lower_indexed(ctx, node, node.index)
    if resources.is_pool(ctx, node.subject):
        return resources.amount_of_pool(ctx, node.name, node.subject)
    ctx.require_known(name)
    of_things = (ctx.cards.fields, ctx.symbols.relations, ctx.symbols.resources)
    is_define = ctx.is_declared("define", name) and not any(name in one for one in of_things)
    if is_define and not calls.is_of_players(ctx, name):
        inner = node.subject
        if isinstance(inner, n.Of) and ctx.symbols.values_with(inner.name.text):
            text = "To ask for another player, name that player last:"
            new = instead(f"{name} of ({inner.name.text}, {inner.subject.span.text})")
            ctx.fail("E201", f"`{inner.name.text}` belongs to no player", node.span, text, new)
        return calls.call_of(ctx, name, node.subject, node.span)
    if name == calls.TOTAL and not is_define and (part := _part_of_score(ctx, node.subject)):
        return calls.total(ctx, coercion.of_kind(ctx, part[1], t.PLAYER), node.span, part[0])
    subject, type_ = ctx.lower(node.subject)
    if is_define and not isinstance(type_, t.Player):
        return calls.call_of(ctx, name, node.subject, node.span)
    is_set, of_ = isinstance(type_, t.SetOf), t.element(type_)
    if isinstance(type_, t.Player) and name != "next" and name != "previous":
        return of_player(ctx, node.name, subject, node.span)
    if isinstance(of_, t.Player) and (found := _of_players(ctx, name, subject)) is not None:
        return found
    if isinstance(of_, t.Card) or (isinstance(of_, t.Place) and of_.is_zone and is_set):
        if name == "place":
            cards = e.CardsOn(subject) if isinstance(of_, t.Place) else subject
            return _place_of(ctx, ctx.slots.card_place, cards, type_)
        if name in ctx.cards.fields and not is_set:
            if name == "number" and isinstance(of_, t.Card):
                _warn_of_no_number(ctx, node, of_)
            return _field(ctx, name, subject)
    if isinstance(of_, t.Piece):
        if name == "place":
            return _place_of(ctx, ctx.slots.piece_place, subject, type_)
        if name == "owner" and not is_set:
            owners = tuple(piece.owner for piece in ctx.symbols.pieces)
            return e.Table((*owners, NOTHING), subject), t.PLAYER
    if isinstance(type_, t.Value) and name in ctx.symbols.regions:
        return _zone_of(ctx, node, subject, type_)
    if isinstance(type_, t.Value) and name == "number":
        return coercion.number_of_value(ctx, subject, type_, node.span), t.NUMBER
    if isinstance(of_, t.Place):
        found = spaces.of_space(ctx, node.name, subject, of_, is_set)
        if found is not None:
            return found
    if isinstance(type_, t.Player) and name in ("next", "previous"):
        return turns.beside(ctx, subject, 1 if name == "next" else -1), t.PLAYER
    if name in ctx.tables.variables and not isinstance(type_, t.SetOf):
        return _variable(ctx, name, subject, type_, node.span)
    if name in ctx.symbols.spaces:
        spaces.refuse_more_than_name(ctx, name, node.span)
    text = f"{describe(type_)[:1].upper()}{describe(type_)[1:]} has no `{name}`."
    variable, region = ctx.tables.variables.get(name), ctx.symbols.regions.get(name)
    is_of_each = variable is not None and variable.each == of_
    is_of_each |= region is not None and region.owned and isinstance(of_, t.Player)
    here = ctx.symbols.regions.get(of_.region) if is_set and isinstance(of_, t.Place) else None
    if here is not None and here.values and name in here.names:
        new = instead(f"space {name} of {node.subject.span.text}")
        ctx.fail("E201", f"unknown `{name}`", node.span, f"{text} That of a value:", new)
    has_amounts = isinstance(of_, t.Player) and resources.is_amount(ctx, name)
    if is_set and (has_amounts or (isinstance(of_, t.Place) and name == "number")):
        text, one = f"{text} Each of them has its own. To add them up:", "p" if has_amounts else "s"
        new = instead(f"sum of {name} of {one} for ({one} in {node.subject.span.text})")
        ctx.fail("E201", f"unknown `{name}`", node.span, text, new)
    if is_set and isinstance(of_, t.Card | t.Piece) and name == "number":
        new = instead(f"count of {node.subject.span.text}")
        ctx.fail("E201", "unknown `number`", node.span, f"{text} How many there are:", new)
    if is_set and is_of_each:
        text = f"{text} Each of them has one. Use it of one after the other:"
        is_all = node.subject.span.text == "players"
        way = f"each part in {node.subject.span.text}: ... {name} of part"
        way = f"each player: ... your {name}" if is_all else way
        ctx.fail("E201", f"unknown `{name}`", node.name.span, text, way)
    local = ctx.frame.local(name)
    if isinstance(of_, t.Place) and of_.is_zone and local is not None and local[1] == t.NUMBER:
        text = f"{text} The card that lies there in that position:"
        new = instead(f"card {name} of {node.subject.span.text}")
        ctx.fail("E201", f"unknown `{name}`", node.span, text, new)
    if isinstance(of_, t.Place) and name in ctx.cards.fields:
        text = f"{text} Ask it of the cards there:"
        ctx.fail("E201", f"unknown `{name}`", node.name.span, text, _of_cards(ctx, node))
    if name == "owner" and isinstance(of_, t.Card):
        text = f"{text} Whoever has the place where it lies:"
        new = instead(f"owner of place of {node.subject.span.text}")
        ctx.fail("E201", "unknown `owner`", node.span, text, new)
    if isinstance(of_, t.Piece) and name in ("owner", *spaces.TRAITS):
        of_one = f"first ({node.subject.span.text})" if name == "owner" else node.subject.span.text
        new = instead(f"{name} of {'place of ' * (name != 'owner')}{of_one}")
        ctx.fail("E201", f"unknown `{name}`", node.span, f"{text} Write:", new)
    if name in _ADJACENT:
        new = instead(f"neighbours of {node.subject.span.text}")
        ctx.fail("E201", f"unknown `{name}`", node.span, f"{text} Write:", new)
    known = [*ctx.cards.fields, *ctx.symbols.relations, *ctx.tables.variables]
    known = [one for one in (*known, *ctx.names_of("define"), "place", "owner") if one != name]
    near = ctx.near(node.name, known)
    hint = near if near.text else ctx.near(node.name, _OF)
    ctx.fail("E201", f"unknown `{name}`", node.name.span, text, hint)


def _part_of_score(ctx: Context, node: n.Expr) -> tuple[str, n.Expr] | None:
    """A part of the score and whose it is, if the expression is `your SCORE` or `SCORE of P`."""
    match node:
        case n.Your(name=word):
            whose: n.Expr = n.Keyword("you", span=node.span)
        case n.Of(name=word, index=None, subject=whose):
            pass
        case _:
            return None
    return (word.text, whose) if ctx.is_declared("score", word.text) else None


def _of_cards(ctx: Context, node: n.Of) -> str:
    """A hint how to ask for a field of the cards on a place."""
    subject, name = node.subject.span.text, node.name.text
    if isinstance(node.subject, n.Name) and subject in ctx.frame.ranges:
        return f"({subject} in cards on {ctx.frame.ranges[subject].within.span.text} where ...)"
    return f"any (c in cards on {subject} where {name} of c is ...)"


_ADJACENT = ("adjacent", "neighbors", "neighbour", "neighbor")
_OF = ("count", "number", "first", "top", "bottom", "next", "previous", "neighbours")
"""Words of the language that can precede `of`."""


def _zone_of(ctx: Context, node: n.Of, subject: e.Expr, type_: t.Value) -> Typed:
    """`firework of white`: the zone for a value, of those for each value."""
    region = ctx.symbols.regions[node.name.text]
    if region.values != type_.of:
        text = f"It is for each {region.values}." if region.values else "It is not for each value."
        title = f"there is no `{region.name}` for {describe(type_)}"
        ctx.fail("E301", title, node.span, text)
    if not region.is_zone:
        of = f"{'your ' * region.owned}{region.name}"
        text = "The space of a value is named like the space of a number:"
        new = instead(f"space ({node.subject.span.text}) of {of}")
        ctx.fail("E301", f"whose `{region.name}`?", node.span, text, new)
    return e.Table((*region.of_player(0), NOTHING), subject), t.Place(region.name, is_zone=True)


def of_player(ctx: Context, word: n.Word, who: e.Expr, span: Span) -> Typed:
    symbols, name = ctx.symbols, word.text
    if resources.is_amount(ctx, name):
        return resources.amount_of_player(ctx, word, who)
    ctx.require_known(name)
    if name in symbols.regions and symbols.regions[name].owned:
        region = symbols.regions[name]
        if region.is_zone:
            places = (*(region.base + p for p in symbols.seats), NOTHING)
            return e.Table(places, who), t.Place(name, is_zone=True)
        sets = tuple(region.of_player(p) for p in symbols.seats)
        return e.Pick((*sets, ()), who), t.set_of(t.Place(name))
    of, number = symbols.spaces.get(name, ("", 0))
    if of and symbols.regions[of].owned:
        return spaces.of_player(ctx, symbols.regions[of], number, who)
    if name in symbols.piece_kinds and symbols.piece_kinds[name].per_player:
        kind = symbols.piece_kinds[name]
        sets = tuple(kind.of_player(player) for player in symbols.seats)
        if kind.per_player == 1:
            return e.Table((*(one[0] for one in sets), NOTHING), who), t.Piece(name)
        return e.Pick((*sets, ()), who), t.set_of(t.Piece(name))
    if name in ctx.tables.variables and ctx.tables.variables[name].each == t.PLAYER:
        return _variable(ctx, name, who, t.PLAYER, span)
    if ctx.is_declared("define", name) and calls.is_of_players(ctx, name):
        return calls.call_for(ctx, name, who, span)
    if name == calls.TOTAL:
        return calls.total(ctx, who, span)
    known = [
        *symbols.resources, *symbols.groups,
        *(one.name for one in symbols.regions.values() if one.owned),
        *(one for one, (of, _) in symbols.spaces.items() if symbols.regions[of].owned),
        *(one.name for one in symbols.piece_kinds.values() if one.per_player),
        *ctx.tables.variables, *ctx.names_of("define"),
    ]  # fmt: skip
    title, text = f"unknown `{name}`", "No player has anything with that name."
    if name == "score" or ctx.is_declared("score", name):
        scored = span.text if name != "score" else span.text.replace("score of ", "", 1)
        new = f"your {calls.TOTAL}" if scored == "your score" else f"{calls.TOTAL} of {scored}"
        text = "What a player has scored is asked for as a total:"
        ctx.fail("E201", title, span, text, instead(new))
    if name in ctx.frame.names and span.text.startswith(f"{name} of "):
        text = "What is asked of several things has them in parentheses, a player last. Write:"
        as_list = instead(f"({name}, {span.text.removeprefix(f'{name} of ')})")
        ctx.fail("E201", f"`{name}` belongs to no player", span, text, as_list)
    if of:
        spaces.refuse_more_than_name(ctx, name, span)
    if name in symbols.regions or name in symbols.piece_kinds or name in ctx.tables.variables:
        ctx.fail("E201", title, word.span, f"`{name}` belongs to no player.", name)
    ctx.fail("E201", title, word.span, text, ctx.near(word, known))


def _variable(ctx: Context, name: str, subject: e.Expr, type_: t.Single, span: Span) -> Typed:
    variable = ctx.tables.variables[name]
    each = variable.each
    if each is None:
        text = "There is only one of it."
        ctx.fail("E204", f"`{name}` has no owner", span, text, name)
    if not t.alike(t.element(each), type_):
        ctx.fail("E301", f"`{name}` is for each {each.name}", span, f"This is {describe(type_)}.")
    missing = NOTHING if t.has_nothing(t.element(variable.type)) else 0
    if isinstance(each, t.Player | t.Value):
        return e.Var(variable.base, subject, missing), variable.type
    index = e.Table(ctx.domains.of(each).positions(), subject)
    return e.Var(variable.base, index, missing), variable.type


def _warn_of_no_number(ctx: Context, node: n.Of, kind: t.Card) -> None:
    """Warns (W939) of `number of c` if no card of that kind has a number."""
    cards = [one for one in ctx.cards.entries if kind.kind in ("", one.kind)]
    if cards and not any(one.entry.number for one in cards):
        text = f"No {kind.name} has a `number` in its file. The number in a pile cannot be asked"
        text, hint = f"{text} for; what lies at one is, for example:", "card 3 of ..."
        ctx.warn(Problem("W939", "this is always 0", node.span, text, hint))


def _field(ctx: Context, name: str, card: e.Expr) -> Typed:
    values, type_ = ctx.cards.fields[name]
    if isinstance(type_, t.SetOf):
        sets = [value if isinstance(value, tuple) else () for value in values]
        return e.Pick((*sets, ()), card), type_
    missing = NOTHING if t.has_nothing(type_) else 0
    numbers = [value if isinstance(value, int) else missing for value in values]
    return e.Table((*numbers, missing), card), type_


def _of_players(ctx: Context, name: str, players: e.Expr) -> Typed | None:
    """The zones, spaces or pieces of that name of all of several players."""
    region, kind = ctx.symbols.regions.get(name), ctx.symbols.piece_kinds.get(name)
    of: t.Place | t.Piece
    if region is not None and region.owned:
        every, of = region.of_player, t.Place(name, is_zone=region.is_zone)
    elif kind is not None and kind.per_player:
        every, of = kind.of_player, t.Piece(name)
    else:
        return None
    owners = {one: player for player in ctx.symbols.seats for one in every(player)}
    slot = ctx.frame.slot(of)
    table = tuple(owners.get(one, NOTHING) for one in range(max(owners, default=-1) + 1))
    owner = e.Table((*table, NOTHING), e.Local(slot))
    return e.Filter(slot, e.Const((*owners,)), e.Member(owner, players)), t.set_of(of)


def _place_of(ctx: Context, base: int, things: e.Expr, type_: t.Type) -> Typed:
    if not isinstance(type_, t.SetOf):
        return e.Var(base, things, NOTHING), t.PLACE
    return e.Places(base, things), t.set_of(t.PLACE)


def lower_on(ctx: Context, node: n.On) -> Typed:
    match node.things:
        case n.Unary(op="first", operand=those) as first:
            if not coercion.is_closed(first, node.places):
                inner = replace(node, things=those, span=those.span.cover(node.places.span))
                return ctx.lower(replace(first, operand=inner, span=node.span))
        case n.Of(n.Word("owner"), None, those) as of if not coercion.is_closed(of, node.places):
            inner = replace(node, things=those, span=those.span.cover(node.places.span))
            return ctx.lower(replace(of, subject=inner, span=node.span))
    if isinstance(node.things, n.Name) and resources.is_resource(ctx, node.things.text):
        word = n.Word(node.things.text, span=node.things.span)
        return resources.amount_on(ctx, word, node.places)
    places, place_type = _lower_places(ctx, node.places)
    in_several = isinstance(place_type, t.SetOf)
    if isinstance(node.things, n.Name) and node.things.text in ("card", "cards"):
        if node.things.text == "cards" or in_several:
            return e.CardsOn(places if in_several else coercion.set_of(places)), t.set_of(t.CARD)
        return e.TopCard(places), t.CARD
    things, type_ = _lower_things(ctx, node.things)
    where = places if in_several else coercion.set_of(places)
    lying = things if isinstance(type_, t.SetOf) else coercion.set_of(things)
    return e.Lying(_base_of_places(ctx, type_), lying, where), t.set_of(type_)


def lies_on(ctx: Context, node: n.Binary) -> e.Expr:
    """Whether a piece or card, or any of several, is on one of these spaces."""
    places, place_type = _lower_places(ctx, node.right)
    where = places if isinstance(place_type, t.SetOf) else coercion.set_of(places)
    things, type_ = _lower_things(ctx, node.left)
    base = _base_of_places(ctx, type_)
    if isinstance(type_, t.SetOf):
        return e.Compare("more_than", e.Size(e.Lying(base, things, where)), e.Const(0))
    return e.Member(e.Var(base, things, NOTHING), where)


def _lower_places(ctx: Context, node: n.Expr) -> Typed:
    """Lowers one or several spaces or zones."""
    places, type_ = ctx.lower(node)
    if not isinstance(t.element(type_), t.Place):
        text = f"This is {describe(type_)}."
        ctx.fail("E301", "spaces are needed after `on`", node.span, text)
    return places, type_


def _lower_things(ctx: Context, node: n.Expr) -> Typed:
    """Lowers pieces or cards."""
    things, type_ = ctx.lower(node)
    if not isinstance(t.element(type_), t.Piece | t.Card):
        text = f"Pieces or cards lie on spaces; this is {describe(type_)}."
        ctx.fail("E301", "pieces or cards are needed before `on`", node.span, text)
    return things, type_


def _base_of_places(ctx: Context, type_: t.Type) -> int:
    """The first slot of the places of all pieces, or of all cards."""
    is_piece = isinstance(t.element(type_), t.Piece)
    return ctx.slots.piece_place if is_piece else ctx.slots.card_place


# ---- cards by name, and tests of cards ----


def lower_card_named(ctx: Context, node: n.CardNamed) -> Typed:
    """`the card C`, or all its copies: `the cards C`."""
    name = node.card.text
    found = ctx.cards.named(name)
    if not found:
        ctx.require_known(name)
        if ctx.symbols.errors.no_cards:
            raise Abandoned  # it may be one of the cards with errors
        known = dict.fromkeys(card.entry.id for card in ctx.cards.entries)
        ctx.fail_unknown(
            "card", node.card, "No deck of this game has a card with that name.", known
        )
    type_ = t.Card(ctx.cards.entries[found[0]].kind)
    if node.all:
        return e.Const(found), t.set_of(type_)
    if not _is_one(ctx, found):
        text, hint = f"{_is_several(name, found)}; to name one of them:", f"first the cards {name}"
        ctx.fail("E204", f"which `{name}`?", node.card.span, text, hint)
    return calls.card_in_play(ctx, found), type_


def _is_one(ctx: Context, cards: tuple[int, ...]) -> bool:
    """Whether at most one of the cards with a name is in play."""
    rivals = {ctx.cards.rivals.get(card) for card in cards}
    return len(cards) == 1 or (len(rivals) == 1 and None not in rivals)


def _is_several(name: str, cards: tuple[int, ...]) -> str:
    text = f"The game has {len(cards)} of them. To ask whether something is one of them, write"
    return f"{text} `is in the cards {name}`"


def has_field(ctx: Context, node: n.HasField) -> Typed:
    """`C has an ability`: whether the card has that field."""
    name = node.field.text
    subject = of_kind(ctx, node.subject, t.CARD)
    known = {field for kind in ctx.symbols.kinds.values() for field in kind}
    if name not in known:
        ctx.require_known(name)
        text = f"The cards of this game have: {', '.join(sorted(known))}."
        ctx.fail_unknown("field", node.field, text, known)
    filled = tuple(i for i, one in enumerate(ctx.cards.entries) if name in one.entry.fields)
    holds = e.Member(subject, e.Const(filled))
    return (e.Not(holds) if node.article == "no" else holds), t.TRUTH


def is_kind(ctx: Context, node: n.IsKind) -> Typed:
    """`card is a KIND`"""
    if node.kind.text in ctx.symbols.piece_kinds:
        text = "Whether a piece is of a kind is asked by `in`:"
        new = instead(f"{node.subject.span.text} is in {node.kind.text}")
        ctx.fail("E301", f"`{node.kind.text}` is no kind of card", node.span, text, new)
    card = of_kind(ctx, node.subject, t.CARD)
    if node.kind.text not in ctx.symbols.kinds and (copies := ctx.cards.named(node.kind.text)):
        word = "in the cards" if len(copies) > 1 else "the card"
        new = instead(f"{node.subject.span.text} is {word} {node.kind.text}")
        title, text = f"`{node.kind.text}` is a card", "Whether it is this card is asked so:"
        ctx.fail("E301", title, node.span, text, new)
    kind = kind_number(ctx, node.kind)
    ctx.note_kind(card, kind, node.span)
    kinds = (*(one.kind for one in ctx.cards.cards), NOTHING)
    return e.Compare("is", e.Table(kinds, card), e.Const(kind)), t.TRUTH
