"""Registers the abilities of cards in play and the standing ones, indexed by the declarations that
they change.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from targi_dsl.cardfiles import Scalar, Sequence, single_values
from targi_dsl.compiler.cards.decks import DeckCard
from targi_dsl.compiler.lowering import coercion
from targi_dsl.compiler.lowering.context import YES, Abandoned, Context, NumberedAbility
from targi_dsl.compiler.symbols.mentions import bound
from targi_dsl.compiler.symbols.table import TYPE_WORDS, VALUE_WORDS
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.origins import Origin
from targi_dsl.ir.wordings import Reason
from targi_dsl.syntax import ast as n
from targi_dsl.syntax import parse_ability, parse_action, parse_cost
from targi_dsl.text.source import Span

SENTENCES = {"ability": parse_ability, "action": parse_action, "cost": parse_cost}
"""The parser of each type of field that contains sentences."""


def collect(ctx: Context) -> None:
    """Parses and registers every ability. Their effects are lowered later, when all names have
    numbers.
    """
    bound = (
        one.node.derived(bound_names)
        for one in ctx.declared.values()
        if isinstance(one.node, n.Rule | n.Define)
    )
    settings = ctx.symbols.option_values.values()
    ctx.own = frozenset(declared_names(ctx)).union(*bound, *settings)
    for card, entry in enumerate(ctx.cards.entries):
        texts = list(_texts(ctx, entry, "ability"))
        for i, text in enumerate(texts):
            name = ctx.cards.cards[card].id + (f".{i + 1}" if len(texts) > 1 else "")
            node, problems = ctx.project.sentence(parse_ability, text.text)
            ctx.problems.extend(problems)
            if node is not None:
                _register(ctx, name, card, node, str(text.value), text.span)
    for name, standing in ctx.nodes(n.Standing):
        _register(ctx, name, NOTHING, standing.ability, standing.ability.span.text, standing.span)


def all_trees(ctx: Context) -> tuple[n.Node, ...]:
    """Every effective declaration, and every sentence on the cards in play."""
    return (*(one.node for one in ctx.declared.values()), *sentences(ctx))


def sentences(ctx: Context) -> tuple[n.Node, ...]:
    """The trees of all sentences on the cards in play that can be parsed."""
    if ctx.sentences is None:
        ctx.sentences = tuple(
            node
            for card in {card.key: card for card in ctx.cards.entries}.values()
            for sort in SENTENCES
            for text in _texts(ctx, card, sort)
            for node in trees(ctx, sort, text)
        )
    return ctx.sentences


def trees(ctx: Context, sort: str, text: Scalar) -> Iterator[n.Node]:
    """The trees of a sentence; nothing if it cannot be parsed."""
    found, _ = ctx.project.sentence(SENTENCES[sort], text.text)
    for node in found if isinstance(found, tuple) else (found,):
        if isinstance(node, n.Node):
            yield node


def _texts(ctx: Context, card: DeckCard, sort: str) -> Iterator[Scalar]:
    fields = card.entry.fields
    for name, declaration in ctx.symbols.kinds.get(card.kind, {}).items():
        if declaration.type.name == sort and name in fields:
            yield from (one for one in single_values(fields[name]) if isinstance(one.value, str))


def action_of(ctx: Context, card: DeckCard) -> Scalar | Sequence | None:
    fields = ctx.symbols.kinds.get(card.kind, {})
    named = (name for name, one in fields.items() if one.type.name == "action")
    return card.entry.fields.get(next(named, ""))


def _register(ctx: Context, name: str, card: int, node: n.Ability, text: str, span: Span) -> None:
    words = node.derived(_free) if card != NOTHING else ()
    undeclared = (one for one in words if one.text not in ctx.own and one.text in ctx.nearby)
    foreign = next(undeclared, None)
    if foreign is not None:  # another game declares it
        ctx.tables.abilities.append(
            d.AbilityInfo(name, card, NOTHING, NOTHING, text, span, foreign.text)
        )
        ctx.without_effect.append((len(ctx.tables.abilities) - 1, foreign))
        return
    try:
        _check_scopes(ctx, node, card == NOTHING)
        window = _window(ctx, card, node)
    except Abandoned:
        return
    rule = NOTHING
    if isinstance(node.body, n.EffectBody | n.AlsoOffers):
        rule = len(ctx.tables.rules)
        ctx.tables.rules.append(None)
    arrives = any(isinstance(scope, n.OnArrival) for scope in node.scopes)
    number = len(ctx.tables.abilities)
    info = d.AbilityInfo(name, card, window, rule if arrives else NOTHING, text, span)
    ctx.tables.abilities.append(info)
    this = e.Const(card) if card != NOTHING else None
    ctx.abilities.add(NumberedAbility(number, info, this, node, rule))


OF_THE_LANGUAGE = (
    "game", "place", "owner", "neighbours", "next", "previous", "row", "column", "number", "cards",
    "directions", "total", "even", "odd",
)  # fmt: skip


def declared_names(ctx: Context) -> Iterator[str]:
    """All declared names, and those that the language defines."""
    yield from (*OF_THE_LANGUAGE, *TYPE_WORDS, *VALUE_WORDS)
    symbols = ctx.symbols
    yield from (*symbols.players, *symbols.resources, *symbols.groups)
    yield from (*symbols.plurals, *symbols.regions, *symbols.spaces, *symbols.options)
    for members in (*symbols.values.values(), *symbols.kinds.values()):
        yield from members
    yield from (card.entry.id for card in ctx.cards.entries)
    yield from (name for _, name in ctx.declared)


def _free(node: n.Node) -> tuple[n.Word | n.Name, ...]:
    """The names in a tree that are not bound in it."""
    names = node.derived(bound_names)
    words = (part for part in node.walk() if isinstance(part, n.Word | n.Name))
    return tuple(word for word in words if word.text not in names)


def bound_names(node: n.Node) -> frozenset[str]:
    """The names bound anywhere in a tree, labels and prohibitions included."""
    words = [word for _, word in node.derived(bound)]
    words += [one.name for one in node.every(n.Forbid)]
    words += [one.label for one in node.every(n.Alternative) if one.label is not None]
    return frozenset(word.text for word in words)


def _check_scopes(ctx: Context, node: n.Ability, standing: bool) -> None:
    """Refuses combinations of clauses that have no meaning."""
    kinds = {type(scope) for scope in node.scopes}
    effect, whole = isinstance(node.body, n.EffectBody), node.span
    arrives, scores = n.OnArrival in kinds, isinstance(node.body, n.ScoreBody)
    for is_wrong, title, span, text, hint in (
        (
            scores != (n.AtEnd in kinds), "`at end` goes with `score`", whole,
            "At the end of the game an ability scores.", "at end: score 2",
        ),
        (
            arrives and (len(node.scopes) > 1 or not effect),
            "`once` stands alone, before an effect", whole,
            "It is done when the card arrives.", "once: gain ...",
        ),
        (
            arrives and standing, "nothing arrives here", whole,
            "A standing ability has no card that arrives.", "standing NAME: always, ...",
        ),
        (
            not effect and kinds & {n.When, n.InsteadOf, n.EvenEarlier},
            "an effect is needed here", node.body.span,
            "After `when` and `instead of` something is done.", "",
        ),
        (
            n.EvenEarlier in kinds and n.When not in kinds, "`even earlier` goes with `when`",
            whole, "It speaks of something that has happened.", "",
        ),
        (
            effect and not kinds & {n.OnArrival, n.OncePer, n.When, n.InsteadOf},
            "when is this done?", whole,
            "`always` goes before what is always so; an effect needs its moment.",
            "once per game: ...",
        ),
        (
            not effect and not kinds & {n.Always, n.OncePer, n.AtEnd}, "`always` is missing",
            whole, "What changes a rule works always, or once per something.", "always: ...",
        ),
        (
            n.OncePer in kinds and not (effect or isinstance(node.body, n.Ignore | n.Substitute)),
            "`once per` does not go with this", whole,
            "Only effects, `ignore` and `may replace` are used up.", "",
        ),
    ):  # fmt: skip
        if is_wrong:
            ctx.fail("E320", title, span, text, hint)


def _window(ctx: Context, card: int, node: n.Ability) -> int:
    """Allocates the slots that count the uses of a `once per` ability; NOTHING for any other."""
    for scope in node.scopes:
        if isinstance(scope, n.OncePer):
            count = 1 if card != NOTHING else len(ctx.symbols.players)
            slot = ctx.new_slots(count)
            reopen(ctx, scope.period, range(slot, slot + count))
            return slot
    return NOTHING


def reopen(ctx: Context, period: n.Word, slots: range) -> None:
    if period.text == "game":
        return
    if period.text not in ctx.tables.rule_numbers:
        text = "A period is `game` or the name of a rule: it begins anew whenever that rule begins."
        ctx.fail_unknown("period", period, text, ["game", *ctx.tables.rule_numbers])
    ctx.tables.opens.setdefault(period.text, []).extend(slots)


def permits(ctx: Context, forbid: str) -> tuple[tuple[int, e.Expr], ...]:
    """The abilities that lift a prohibition, each with its condition; those that are not used up
    come first.
    """
    found = []
    for one in ctx.abilities.changing(n.Ignore, forbid):
        body = one.node.body
        if isinstance(body, n.Ignore):
            with suppress(Abandoned):
                permit = one.ability, condition(ctx, one, body.condition)
                found.append((one.info.window != NOTHING, permit))
    return tuple(permit for _, permit in sorted(found, key=lambda pair: pair[0]))


def forbid(
    ctx: Context, name: str, holds: e.Expr, reason: Reason, span: Span, condition: str = ""
) -> s.Forbid:
    """Adds a prohibition to the tables and gives the statement that checks it. `condition`: its
    source, if the rules state it.
    """
    origin = Origin(ctx.module_of(span), span)
    lifted_by = permits(ctx, name)
    info = d.ForbidInfo(name, ctx.frame.rule, reason, lifted_by, (origin,), condition)
    ctx.tables.forbids.append(info)
    return s.Forbid(len(ctx.tables.forbids) - 1, holds).at(span)


def condition(ctx: Context, one: NumberedAbility, node: n.Expr | None) -> e.Expr:
    """Lowers the condition of a modifier in the frame of the rule that it modifies."""
    if node is None:
        return YES
    before = ctx.frame.this, ctx.frame.you
    ctx.frame.this, ctx.frame.you = one.this, e.Local(YOU)
    try:
        return coercion.truth(ctx, node)
    finally:
        ctx.frame.this, ctx.frame.you = before


def abilities_to_use(ctx: Context) -> list[NumberedAbility]:
    """The abilities that players use by choice: `once per ...: effect`."""
    return [
        one
        for one in ctx.abilities.every
        if isinstance(one.node.body, n.EffectBody)
        and all(isinstance(scope, n.OncePer) for scope in one.node.scopes)
    ]


def as_alternative(ctx: Context, one: NumberedAbility) -> s.Alternative:
    """The alternative that uses an ability. One that replaces a rule is not offered while it is in
    progress.
    """
    info = one.info
    use: s.Block = (s.Use(one.ability),) if info.window != NOTHING else ()
    guard: e.Expr = e.Active(one.ability)
    if any(isinstance(scope, n.InsteadOf) for scope in one.node.scopes):
        guard = e.All((guard, e.Not(e.During(one.rule))))
    return s.Alternative(info.name, None, guard, (*use, s.Do(one.rule, ())))
