"""Lowers calls of rules and definitions with their arguments; and definitions, on first use, with
the abilities that override them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from msgspec.structs import replace

from targi_dsl.compiler.layers import declarations
from targi_dsl.compiler.layers.changes import Effective, word_of
from targi_dsl.compiler.lowering import coercion
from targi_dsl.compiler.lowering.context import NO, Abandoned, Context, Frame, NumberedAbility
from targi_dsl.compiler.symbols.table import Typed, describe
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.syntax import ast as n
from targi_dsl.syntax.printer import print_ability
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.source import Span

_NAMED = {**t.NAMED, "price": t.PRICE}  # a game may call something `price`, but not `cost`


def rule_number(ctx: Context, word: n.Word) -> int:
    """The number of a rule, or of the action of a card with that id."""
    numbers = ctx.tables.rule_numbers
    if word.text not in numbers:
        ctx.require_known(word.text)
        if ctx.symbols.errors.no_cards:
            raise Abandoned  # it may be the action of a card with errors
        text = "No rule and no card with an action has that name."
        ctx.fail_unknown("rule", word, text, numbers)
    return numbers[word.text]


def during(ctx: Context, word: n.Word) -> e.Expr:
    """Whether a rule or action is in progress; false for cards that the game leaves out."""
    if word.text not in ctx.tables.rule_numbers and ctx.nearby.has_card(word.text):
        return NO
    return e.During(rule_number(ctx, word))


def call_arguments(ctx: Context, word: n.Word, given: tuple[n.Expr, ...]) -> tuple[e.Expr, ...]:
    """The lowered arguments of a call, checked against the parameters."""
    if not ctx.is_declared("rule", word.text):
        # The only argument of the action of a card is the card itself.
        if given:
            title, text = f"`{word.text}` is the action of a card", "It takes nothing with it."
            ctx.fail("E304", title, word.span, text)
        return (card_in_play(ctx, ctx.cards.named(word.text)),)
    rule = ctx.node(n.Rule, word.text)
    _require_count(ctx, rule, len(given), word.span)
    return _arguments(ctx, given, rule.params)


def card_in_play(ctx: Context, cards: tuple[int, ...]) -> e.Expr:
    """The first of these cards; if they are drawn, the first one that is not left in a box."""
    if len(cards) == 1 or cards[0] not in ctx.cards.rivals:
        return e.Const(cards[0])
    boxes = sorted({ctx.cards.cards[card].start for card in cards})
    left_over = e.CardsOn(e.MakeSet(tuple(map(e.Const, boxes))))
    return e.First(e.SetOp("except", e.Const(cards), left_over))


def _arguments(
    ctx: Context, given: tuple[n.Expr, ...], params: tuple[n.Param, ...]
) -> tuple[e.Expr, ...]:
    return tuple(_argument(ctx, *pair) for pair in zip(given, params, strict=True))


def _argument(ctx: Context, given: n.Expr, param: n.Param) -> e.Expr:
    """Lowers an argument for a parameter; a literal must be in the parameter's range."""
    found = of_type(ctx, given, declared_type(ctx, param), f"`{param.name.text}` takes")
    match param.type, found:
        case n.Type(form="range", low=low, high=high), e.Const(value=int(value)) if not (
            low <= value <= high
        ):
            text = f"`{param.name.text}` is a number from {low} to {high}:"
            title = f"{value} is out of range"
            ctx.fail("E303", title, given.span, text, "choose one of these")
        case _:
            return found


def of_type(ctx: Context, node: n.Expr, wanted: t.Type, takes: str) -> e.Expr:
    """One thing, or a set, that a parameter or variable of this type may be given."""

    def fitted(one: n.Expr) -> Typed:
        found, type_ = ctx.lower(one, wanted)
        return coercion.fit(ctx, found, type_, wanted, one.span), type_

    found, type_ = coercion.read(ctx, node, fitted)
    require_type(ctx, node, found, type_, wanted, takes)
    return found


def require_type(
    ctx: Context, node: n.Expr, found: e.Expr, type_: t.Type, wanted: t.Type, takes: str
) -> None:
    """Refuses what is certainly of another region or kind than a parameter or variable takes, and
    a set of which some certainly is.
    """
    of, one, many = t.element(type_), t.element(wanted), isinstance(wanted, t.SetOf)
    if not (kind := t.kind(one)):
        return
    members, certain = {*ctx.domains.of(one).members}, _constants(found)
    is_other = type(of) is type(one) and t.kind(of) not in ("", kind)
    if certain <= members and not is_other:
        return
    sort, name = t.sort_of(one), f"`{kind}`"
    which = f"on {name}" if sort == "place" else f"of the kind {name}"
    among = f"{sort}{'s' * many} of {'the kind ' * (sort != 'place')}{name}"
    text, hint = f"{takes} {'only' if many else 'a'} {among}.", ""
    if many and not members.isdisjoint(certain):
        text, said = f"{text} Keep those that are:", node.span.text
        said = said if isinstance(node, n.Name) else f"({said})"
        hint = f"{said} within {kind}"
        if sort == "card":
            article = "an" if kind[0] in "aeiou" else "a"
            hint = f"(c in {said} where c is {article} {kind})"
    these = ("these are" if is_other else "not all of these are") if many else "this is"
    title = f"{these} {'not ' * (is_other or not many)}{which}"
    ctx.fail("E303", title, node.span, text, hint)


def _constants(node: e.Expr) -> set[int]:
    """The constants that an expression certainly consists of."""
    match node:
        case e.Const(value):
            return {*(value if isinstance(value, tuple) else (value,))} - {NOTHING}
        case e.First(e.Const(tuple(several))):
            return {min(several)} if several else set()
        case e.SetOp("plus", left, right):
            return _constants(left) | _constants(right)
        case e.MakeSet(items):
            return {one for item in items for one in _constants(item)}
        case _:
            return set()


def param_type(ctx: Context, param: n.Param) -> t.Type:
    """The type of a parameter: as declared, or the one that its name denotes."""
    if param.type is not None:
        return written_type(ctx, param.type)
    found = maybe_type(ctx, param.name.text)
    if found is None:
        text = "Its name is not that of a type, so write its type after it."
        type_ = _type_before(ctx, param) or _type_used(ctx, param)
        hint = f"{param.name.text} ({type_})"
        ctx.fail("E305", f"what is `{param.name.text}`?", param.name.span, text, hint)
    return found


def declared_type(ctx: Context, param: n.Param) -> t.Type:
    """The type of a parameter, with the region that is declared for its spaces."""
    type_, region = param_type(ctx, param), param.type.name if param.type else param.name.text
    if not isinstance(of := t.element(type_), t.Place) or region not in ctx.symbols.regions:
        return type_
    of = replace(of, region=region)
    return t.set_of(of) if isinstance(type_, t.SetOf) else of


def written_type(ctx: Context, node: n.Type) -> t.Type:
    """The type that rules denote; without the range, if it is one of numbers."""
    if node.form == "range":
        return t.NUMBER
    found = named_type(ctx, node.name, node.span)
    return t.set_of(found) if node.form == "list" else found


def _type_before(ctx: Context, param: n.Param) -> str:
    """The source of the parameter's type in the replaced version of its declaration, or "": for a
    hint.
    """
    for declared in ctx.declared.values():
        node, origins = declared.node, declared.origins
        if not isinstance(node, n.Rule | n.Define) or all(one is not param for one in node.params):
            continue
        place = node.params.index(param)
        for old in (declarations.effective(origins[at:]) for at in range(1, len(origins))):
            if isinstance(old, n.Rule | n.Define) and len(old.params) == len(node.params):
                before = old.params[place]
                if before.type is not None or maybe_type(ctx, before.name.text) is not None:
                    return (before.type or before.name).span.text
    return ""


def _type_used(ctx: Context, param: n.Param) -> str:
    """The likely type of a parameter, by what the body asks of it: a player or a card; for a
    hint.
    """
    of_players = {*ctx.symbols.resources, *ctx.symbols.groups}
    of_players |= {one.name for one in ctx.symbols.regions.values() if one.owned}
    of_players |= {name for name, one in ctx.tables.variables.items() if one.each == t.PLAYER}
    name, nodes = param.name.text, [one.node for one in ctx.declared.values()]
    uses = [
        one.name.text
        for node in nodes
        if isinstance(node, n.Rule | n.Define) and any(one is param for one in node.params)
        for one in node.every(n.Of)
        if one.subject.span.text == name
    ]
    return "card" if of_players.isdisjoint(uses) else "player"


def maybe_type(ctx: Context, name: str) -> t.Single | None:
    """The type with a name, or None."""
    if name in _NAMED:
        return _NAMED[name]
    ctx.symbols.use_list(name)
    ctx.require_known(name)
    if name in ctx.symbols.values:
        return t.Value(name)
    if name in ctx.symbols.kinds:
        return t.Card(name)
    if name in ctx.symbols.regions:
        return t.Place(is_zone=True) if ctx.symbols.regions[name].is_zone else t.PLACE
    if name in ctx.symbols.groups:
        return t.Resource(name)
    if name in ctx.symbols.piece_kinds:
        return t.Piece(name)
    return None


_FOREIGN = {
    **dict.fromkeys(("bool", "boolean"), t.TRUTH.name),
    **dict.fromkeys(("int", "integer", "count"), "0 to 99"),
}
"""Types of other languages, and how they are said here."""


def named_type(ctx: Context, name: str, span: Span) -> t.Single:
    found = maybe_type(ctx, name)
    if found is None:
        known = [*_NAMED, *ctx.symbols.values, *ctx.symbols.kinds, *ctx.symbols.regions]
        word = n.Word(name, span=span)
        if (meant := _FOREIGN.get(name)) is not None and not ctx.symbols.errors.no_module:
            ctx.fail("E201", f"unknown type `{name}`", span, "It has another name here:", meant)
        ctx.fail_unknown("type", word, "No type of that name is known.", known)
    return found


def call_of(ctx: Context, name: str, subject: n.Expr, span: Span) -> Typed:
    """A call whose arguments follow `of`: one expression or a list."""
    match ctx.node(n.Define, name).params, subject:
        case (n.Param(type=n.Type(form="list")),), _:
            return call(ctx, name, (subject,), span)
        case _, n.List(items):
            return call(ctx, name, items, span)
        case _:
            return call(ctx, name, (subject,), span)


def call(ctx: Context, name: str, given: tuple[n.Expr, ...], span: Span) -> Typed:
    """A call of a definition; an additional last argument is the player for whom it is
    evaluated.
    """
    define, who = ctx.node(n.Define, name), ctx.frame.you
    if len(given) == len(define.params) + 1 and len(given) > 1:
        found, type_ = ctx.lower(given[-1], t.PLAYER)
        if isinstance(type_, t.Player):
            who, given = found, given[:-1]
    _require_count(ctx, define, len(given), span)
    arguments = _arguments(ctx, given, define.params)
    number_, type_ = define_number(ctx, name, span)
    return _asked(ctx, who, e.Call(number_, (who, *arguments)), type_)


def _asked(ctx: Context, who: e.Expr, call: e.Call, type_: t.Type) -> Typed:
    """The value of a definition for a player; for one who may be nothing, 0, nothing or none."""
    if _is_somebody(ctx, who):
        return call, type_
    none = () if isinstance(type_, t.SetOf) else NOTHING if t.has_nothing(type_) else 0
    there = e.Compare("is_not", who, e.Const(NOTHING, t.Nothing()))
    return e.Cond(there, call, e.Const(none, type_)), type_


def _is_somebody(ctx: Context, who: e.Expr) -> bool:
    match who:
        case e.Local(slot):
            return slot not in ctx.frame.unsure
        case e.Table((*seats, _), of):
            return NOTHING not in seats and _is_somebody(ctx, of)
        case e.Const(seat):
            return seat != NOTHING
        case _:
            return False


def _require_count(ctx: Context, node: n.Define | n.Rule, given: int, use: Span) -> None:
    """Refuses a call with a wrong number of arguments."""
    name, count = node.name.text, len(node.params)
    if given == count:
        return
    title = f"`{name}` takes {count or 'no'} argument{'s' * (count != 1)}"
    _refuse_replaced(ctx, node, use, title)
    names = ", ".join(param.name.text for param in node.params)
    if isinstance(node, n.Rule):
        text = f"Rule {name} takes {names or 'nothing'}; {given} given."
        hint = f"do {name} with {names}" if names else f"do {name}"
    else:
        text = f"`{name}` is defined of {names or 'nothing'}; {given} given."
        hint = f"{name} of {f'({names})' if count > 1 else names}" if names else name
    ctx.fail("E304", title, use, text, hint)


def _refuse_replaced(ctx: Context, node: n.Define | n.Rule, use: Span, title: str) -> None:
    """Refuses a replacement whose parameters differ from those that existing calls pass."""
    newest, *older = ctx.declared[word_of(type(node)), node.name.text].origins
    if newest.how != "replaced" or newest.span is None or not older:
        return
    before = older[-1].span
    if before is None or ctx.module_of(use) == newest.module:
        return
    head = before.source.line(before.line).split(" source ")[0].partition(":")[0].strip()
    text = f"`{node.name.text}` is still used with its former parameters. Keep them:"
    labels = (Label(before, "declared here"),)
    ctx.fail("E304", f"{title} now", newest.span, text, f"replace {head}", labels)


def is_of_players(ctx: Context, name: str) -> bool:
    """Whether a definition has no parameters, so that `NAME of PLAYER` evaluates it for that
    player.
    """
    return not ctx.node(n.Define, name).params


def call_for(ctx: Context, name: str, who: e.Expr, span: Span) -> Typed:
    number_, type_ = define_number(ctx, name, span)
    return _asked(ctx, who, e.Call(number_, (who,)), type_)


TOTAL = "total"
"""The name of a player's score: in all, or with the name of a score, of that part."""


def total(ctx: Context, who: e.Expr, span: Span, part: str = "") -> Typed:
    """The score of a player, in all or of one part, as a call of a definition that is added on
    demand.
    """
    if not ctx.names_of("score") and not any(_scoring(ctx)):
        text = "Nothing is scored in this game. Declare what is, for example:"
        ctx.fail("E201", f"unknown `{TOTAL}`", span, text, "score NAME: NUMBER")
    name = f"{TOTAL} of {part}" if part else f"{TOTAL} of all"
    number, type_ = define_number(ctx, name, span, partial(_lower_total, part=part))
    return _asked(ctx, who, e.Call(number, (who,)), type_)


def _lower_total(ctx: Context, name: str, part: str) -> d.DefineInfo:
    """The sum of the parts of the score, or the one part of that name, for `you`."""
    with ctx.within(Frame(name)) as frame:
        named = [node for one, node in ctx.nodes(n.ScorePart) if part in ("", one)]
        found = [coercion.number(ctx, one.value) for one in named]
        for ability, value in () if part else _scoring(ctx):
            frame.this = ability.this
            scored = coercion.number(ctx, value)
            found.append(e.Cond(e.Active(ability.ability), scored, e.Const(0)))
        return d.DefineInfo(name, tuple(frame.slots), coercion.total(found), t.NUMBER, ())


def _scoring(ctx: Context) -> Iterator[tuple[NumberedAbility, n.Expr]]:
    """The abilities that score at the end, each with its value."""
    for one in ctx.abilities.every:
        if isinstance(one.node.body, n.ScoreBody):
            yield one, one.node.body.value


Lowering = Callable[[Context, str], d.DefineInfo]
DEEPEST = 32
"""The deepest nesting of calls of definitions, which engines evaluate recursively."""


def lower_definitions(ctx: Context) -> None:
    """Lowers all definitions, used or not."""
    for name in ctx.names_of("define"):
        with suppress(Abandoned):
            define_number(ctx, name, None)


def define_number(
    ctx: Context, name: str, span: Span | None, lower: Lowering | None = None
) -> tuple[int, t.Type]:
    """The number and type of a definition, which is lowered on first use; reports recursion."""
    tables = ctx.tables
    key = f"define {name}"
    if key in ctx.in_progress:
        ctx.fail("E310", f"`{name}` needs itself", span, "Evaluating it would never end.")
    if name in tables.define_numbers:
        info = tables.defines[tables.define_numbers[name]]
        if info is None:
            raise Abandoned
        return tables.define_numbers[name], info.type
    if len(ctx.in_progress) >= DEEPEST:
        text = f"Definitions may use each other at most {DEEPEST} deep."
        ctx.fail("E323", f"`{name}` is nested too deeply", span, text)
    number = tables.define_numbers[name] = len(tables.defines)
    tables.defines.append(None)
    ctx.in_progress.append(key)
    try:
        info = tables.defines[number] = (lower or _lower)(ctx, name)
    finally:
        ctx.in_progress.remove(key)
    return number, info.type


def _lower(ctx: Context, name: str) -> d.DefineInfo:
    effective, node = ctx.declared["define", name], ctx.node(n.Define, name)
    with ctx.within(Frame(name)) as frame:
        for param in node.params:
            frame.bind(param.name, param_type(ctx, param), is_unsure=True)
        value, type_ = ctx.lower(node.value)
        for change in ctx.abilities.changing(n.Becomes, name):
            body, frame.this = change.node.body, change.this
            assert isinstance(body, n.Becomes)
            with suppress(Abandoned):
                value, type_ = _with_override(ctx, value, type_, change.ability, body)
            _warn_if_lowered(ctx, effective, node, change)
    return d.DefineInfo(name, tuple(frame.slots), value, type_, effective.origins)


def _warn_if_lowered(
    ctx: Context, effective: Effective, node: n.Define, change: NumberedAbility
) -> None:
    """Warns (W906) if an ability sets a number that a module has raised to that or beyond, so that
    it lowers the number or has no effect.
    """
    origins, body = effective.origins, change.node.body
    assert isinstance(body, n.Becomes)
    match node.value, body.value:
        case n.Number(value=current), n.Number(value=to) if not body.by and to <= current:
            pass
        case _:
            return
    match declarations.effective(origins[-1:]):
        case n.Define(value=n.Number(was)) if was < to and origins[0].how == "replaced":
            pass
        case _:
            return
    name, module = node.name.text, origins[0].module
    effect, title = "lowers it", f"this lowers `{name}`"
    if to == current:
        effect, title = "changes nothing", f"this no longer changes `{name}`"
    text = f"Module {module} has made it {current}, so the card now {effect}. Write there:"
    more = replace(body, value=replace(body.value, value=to - was), by="more")
    hint = print_ability(replace(change.node, body=more))
    if change.this is not None:  # the card may be shipped with another game
        card = ctx.cards.entries[change.info.card].entry
        same = (name for name, one in card.fields.items() if one.span == change.info.span)
        hint = f'change card {card.id}: {next(same, "ability")} "{hint}"'
    ctx.warn(Problem("W906", title, body.span, text, hint))


def _with_override(
    ctx: Context, value: e.Expr, type_: t.Type, ability: int, body: n.Becomes
) -> Typed:
    """The value and type of a definition with a further ability that overrides it."""
    _refuse_itself(ctx, body)
    if body.by and not isinstance(type_, t.Number):
        text = f"`{body.define.text}` is {describe(type_)}, and only a number can become {body.by}."
        ctx.fail("E301", "this is not a number", body.define.span, text)
    other, other_type = ctx.lower(body.value, type_)
    other = coercion.fit(ctx, other, other_type, type_, body.value.span)
    parts: tuple[e.Expr, ...] = (e.Active(ability),)
    if body.condition is not None:
        parts += (coercion.truth(ctx, body.condition),)
    if body.by:
        change_by = e.Cond(e.All(parts), other, e.Const(0))
        return e.Arith("+" if body.by == "more" else "-", value, change_by), type_
    return e.Cond(e.All(parts), other, value), coercion.either(type_, other_type)


def _refuse_itself(ctx: Context, body: n.Becomes) -> None:
    """Refuses `limit becomes limit + 1`, whose value refers to what it changes."""
    name = body.define.text
    if not any(isinstance(one, n.Name) and one.text == name for one in body.value.walk()):
        return
    hint = ""
    match body.value:
        case n.Binary(op="+" | "-" as op, left=n.Name(text=left), right=right) if left == name:
            hint = f"{name} becomes {right.span.text} {'more' if op == '+' else 'less'}"
    text = "It is changed by adding to its former value, or subtracting from it."
    ctx.fail("E310", f"`{name}` needs itself", body.value.span, text, hint)
