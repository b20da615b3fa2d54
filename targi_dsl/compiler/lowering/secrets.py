"""Lowers secret choices, secret dice, and what players are told about hidden cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from targi_dsl.compiler.lowering import calls, coercion, moves, questions, wordings
from targi_dsl.compiler.lowering.context import YES, Context, Frame, LocalName
from targi_dsl.compiler.symbols.table import describe
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.origins import Origin
from targi_dsl.syntax import ast as n
from targi_dsl.text.languages import words_of


def choose(ctx: Context, node: n.ChooseInSecret) -> s.Block:
    """Lets each player in turn choose a value of the variable, or one for each of their spaces,
    after all have their first values again. In the wording, the name of the region stands for the
    space. Players without a possible value are skipped.
    """
    variable = _secret(ctx, node)
    offer, type_, domain = _offer(ctx, node, variable)
    offers = ctx.tables.offers.setdefault(variable.name, [])
    offers.append(offer)
    around = ctx.frame.slots_of_round()
    slot, set_ = ctx.frame.slot(type_), e.Call(offer, (e.Local(YOU),))
    index: e.Expr = e.Local(YOU)
    spaces, names = variable.each, dict(ctx.frame.names)
    if isinstance(spaces, t.Place):
        space = ctx.frame.slot(spaces)
        ctx.frame.names[spaces.region] = LocalName((e.Local(space), spaces), None)
        index = e.Table(ctx.domains.of(spaces).positions(), e.Local(space))
        node = _with_words(ctx, node, spaces.region)
    hide = s.Assign(ctx.tables.number_of(variable), index, e.Local(slot), 1 + len(offers))
    choice = s.Binding(slot, set_, domain.type, domain.domain)
    wording = wordings.of_secret(ctx, node, slot, type_)
    ctx.frame.names = names
    way = s.Alternative(node.name.text, choice, YES, (hide.at(node.span),), wording)
    ask = s.Ask(ctx.frame.owner, (way,), None, s.Manner(True, node.in_any_case)).at(node.span)
    is_possible = e.Compare("more_than", e.Size(set_), e.Const(0))
    body: s.Block = (s.If(is_possible, (ask,), ()).at(node.span),)
    if isinstance(spaces, t.Place):
        region = ctx.symbols.regions[spaces.region]
        theirs = (*map(region.of_player, ctx.symbols.seats), ())
        body = (s.Each(space, e.Pick(theirs, e.Local(YOU)), body),)
    one, every = ctx.frame.slot(t.NUMBER), e.Range(e.Const(0), e.Const(variable.count - 1))
    number, start = ctx.tables.number_of(variable), e.Const(variable.start)
    back = s.Assign(number, e.Local(one), start, is_told=False)  # nothing is revealed by it
    anew = s.Each(one, every, (back,))
    return anew, s.EachPlayer(around, e.Const(0), body)


def _with_words(ctx: Context, node: n.ChooseInSecret, region: str) -> n.ChooseInSecret:
    """Without words of its own, a choice for a space of a region tells which: `hole 1: peg`."""
    if node.wording is not None:
        return node
    name, span = node.name.text, node.name.span
    words = ctx.node(n.Variable, name).wording
    called = words_of(name) if words is None else words.text.text[1:-1]
    text = n.Quoted(f'"{{{region}}}: {called} {{{name}}}"', span=span)
    return replace(node, wording=n.Wording(text, (), span=span))


def _secret(ctx: Context, node: n.ChooseInSecret) -> d.Variable:
    """The variable of a secret choice; it must be one that only its owner sees."""
    name = node.name.text
    ctx.require_known(name)
    variable = ctx.tables.variables.get(name)
    if variable is None:
        text = "No variable with that name is declared."
        ctx.fail_unknown("variable", node.name, text, ctx.tables.variables)
    if variable.seen != "owner":
        text = "A secret choice sets a variable that only its owner sees."
        of = f"{variable.low} to {variable.high}"
        type_ = of if isinstance(variable.type, t.Number) else variable.type.name
        each = t.PLAYER.name
        if variable.each is not None and ctx.symbols.is_owned(variable.each):
            each = variable.each.name
        hint = f"variable {name} for each {each}: {type_}, seen by owner"
        ctx.symbols.errors.names.add(name)  # that it can be revealed
        ctx.fail("E329", f"`{name}` is not secret", node.name.span, text, hint)
    return variable


def _offer(
    ctx: Context, node: n.ChooseInSecret, variable: d.Variable
) -> tuple[int, t.Single, s.Binding]:
    """The set to choose from, as a definition: information sets evaluate it for players who do not
    know the value.
    """
    names = node.within.every(n.Name)
    if node.condition is not None:
        names += node.condition.every(n.Name)
    for name in names:
        if name.text in ctx.frame.names:
            text = "The set for a secret choice may only depend on the position."
            title = f"`{name.text}` is known in this rule only"
            ctx.fail("E330", title, name.span, text)
    questions.refuse_truths(ctx, node.within)
    with ctx.within(Frame(node.name.text)) as frame:
        found, type_ = questions.lowered_set(ctx, node)
    if not t.alike(type_, t.element(variable.type)):
        text = f"This is {describe(t.set_of(type_))}."
        title = f"{describe(variable.type)} is chosen here"
        ctx.fail("E301", title, node.within.span, text)
    takes, wanted = f"`{variable.name}` holds", t.set_of(variable.type)
    calls.require_type(ctx, node.within, found, t.set_of(type_), wanted, takes)
    binding = questions.binding(ctx, YOU, found, type_)
    origin = Origin(ctx.module_of(node.span), node.span)
    title = f"{node.name.text} in secret"
    info = d.DefineInfo(title, tuple(frame.slots), found, t.set_of(type_), (origin,))
    ctx.tables.defines.append(info)
    return len(ctx.tables.defines) - 1, type_, binding


def roll(ctx: Context, node: n.RollVariable) -> s.Block:
    """Sets a variable, or each of several, by dice; the result is shown only to those who see
    it.
    """
    return moves.of_each(ctx, node.variable, lambda target: _roll(ctx, target))


def _roll(ctx: Context, node: n.Expr) -> s.Block:
    variable, target = moves.variable_of(ctx, node)
    if not isinstance(variable.type, t.Number):
        text = "Dice have numbers. Choose other values at random."
        hint = f"choose found in {variable.type.name} at random"
        ctx.fail("E301", "a number is rolled", node.span, text, hint)
    hides = variable.secret != NOTHING
    slot, ends = ctx.frame.slot(variable.type), (e.Const(variable.low), e.Const(variable.high))
    number = ctx.tables.number_of(variable)
    assign = s.Assign(number, target.index, e.Local(slot), int(hides))
    return s.Roll(slot, *ends, hides), assign


def is_secret(ctx: Context, node: n.Expr) -> bool:
    """Whether an expression names a variable that some player does not see."""
    variable = moves.named_variable(ctx, node)
    is_local = isinstance(node, n.Name) and node.text in ctx.frame.names
    return variable is not None and variable.secret != NOTHING and not is_local


def reveal(ctx: Context, node: n.Reveal) -> s.Block:
    """Reveals the value of a variable, or of each player's."""
    variable = moves.named_variable(ctx, node.cards)
    assert variable is not None
    if not isinstance(node.cards, n.Name) or variable.each is None:
        _, target = moves.variable_of(ctx, node.cards)
        return _reveal(ctx, variable, target)
    slot = ctx.frame.slot(t.PLAYER if isinstance(variable.each, t.Player) else t.NUMBER)
    all_ = e.Range(e.Const(0), e.Const(variable.count - 1))
    each = e.Var(variable.base, e.Local(slot), variable.start)
    return (s.Each(slot, all_, _reveal(ctx, variable, each)),)


def _reveal(ctx: Context, variable: d.Variable, target: e.Var) -> s.Block:
    number = ctx.tables.number_of(variable)
    shown: s.Block = (s.Assign(number, target.index, target, 0),)
    if isinstance(variable.type, t.Card):
        shown = (s.Reveal(e.MakeSet((target,))), *shown)
    return shown


# ---- `tell which cards in CARDS have FIELD VALUE`: public facts about hidden cards ----
#
# Each field that is told of has a variable for each card. It stores the values that everybody knows
# the card not to have, as a bit for each value of the field.

MOST_TOLD, MOST_APART = 30, 256
"""Limits for a field in `tell`: the number of its values, and the distance of the extremes."""


def declare_telling(ctx: Context, written: Iterable[n.Node]) -> None:
    """Declares the variables for the fields that `tell` mentions."""
    fields = {part.field.text for node in written for part in node.every(n.Tell)}
    for field in (name for name in ctx.cards.fields if name in fields):
        bits = _bits(ctx, field)
        if not bits:
            continue
        values, _ = ctx.cards.fields[field]
        name, most = _name(field), (1 << len(bits)) - 1
        ctx.tables.variables[name] = d.Variable(
            name, ctx.new_slots(len(values)), len(values), t.CARD, t.Number(0, most), 0, most, 0,
            bits=tuple(bits[value] for value in values if isinstance(value, int)),
        )  # fmt: skip


def _bits(ctx: Context, field: str) -> Mapping[int, int]:
    """The bit of each value that a field has on any card; empty if the field exceeds the limits."""
    values, type_ = ctx.cards.fields[field]
    found = sorted({value for value in values if isinstance(value, int)})
    if not isinstance(type_, t.Value | t.Number) or not 0 < len(found) <= MOST_TOLD:
        return {}
    if found[-1] - found[0] > MOST_APART:
        return {}
    return {value: 1 << at for at, value in enumerate(found)}


def _name(field: str) -> str:
    return d.TOLD + field


def tell(ctx: Context, node: n.Tell) -> s.Block:
    """Tells everybody, for each of the cards, whether it has the value."""
    cards = moves.cards(ctx, node.cards)
    variable, type_ = _told_variable(ctx, node.field)
    value = coercion.of_kind(ctx, node.value, type_)
    asked, slot = ctx.frame.slot(type_), ctx.frame.slot(t.CARD)
    now = _after(ctx, node.field.text, variable, e.Local(asked), e.Local(slot))
    told = s.Assign(ctx.tables.number_of(variable), e.Local(slot), now).at(node.span)
    return s.Let(asked, value), s.Each(slot, cards, (told,))


def _after(ctx: Context, field: str, variable: d.Variable, asked: e.Expr, card: e.Expr) -> e.Expr:
    """The bits of a card after it was told about: the excluded values, all others or this one."""
    bits, two = _bits(ctx, field), e.Const(2)
    first, last = min(bits), max(bits)
    by_value = (*(bits.get(value, 0) for value in range(first, last + 1)), 0)
    bit = e.Table(by_value, e.Arith("-", asked, e.Const(first)))
    before = e.Var(variable.base, card, 0)
    above = e.Arith("/", before, e.Arith("*", two, bit))
    is_set = e.Arith("-", e.Arith("/", before, bit), e.Arith("*", two, above))
    others = e.Arith("-", e.Const(variable.high), bit)
    added = e.Arith("*", bit, e.Arith("-", e.Const(1), is_set))
    has = e.Compare("is", e.Table((*variable.bits, NOTHING), card), bit)
    return e.Cond(has, others, e.Arith("+", before, added))


def _told_variable(ctx: Context, field: n.Word) -> tuple[d.Variable, t.Single]:
    """The variable for a field in `tell`, and the type of the field."""
    ctx.require("field", field, "No kind of card has a field with that name.", ctx.cards.fields)
    _, type_ = ctx.cards.fields[field.text]
    variable = ctx.tables.variables.get(_name(field.text))
    if variable is None or isinstance(type_, t.SetOf):
        text = f"`tell` needs a field with a value or a number, of at most {MOST_TOLD}; this is"
        title = f"`{field.text}` cannot be told"
        ctx.fail("E301", title, field.span, f"{text} {describe(type_)}.")
    return variable, type_
