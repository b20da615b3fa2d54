"""The abilities of all cards in play, and the standing ones: what each registers on which name."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from targi_dsl import model as m
from targi_dsl.build import names, prices
from targi_dsl.build.context import YES, Context, Frame, Wrong
from targi_dsl.build.layers import blocks
from targi_dsl.build.world import TYPE_WORDS
from targi_dsl.cards import Scalar, Sequence
from targi_dsl.source import Span
from targi_dsl.syntax import nodes as n
from targi_dsl.syntax import parse_ability


@dataclass(frozen=True, slots=True)
class Registered:
    """One ability in play: its number, its card as `this`, what it says, and the rule its effect is (or nothing)."""

    ability: int
    this: m.Expr | None
    node: n.Ability
    rule: int


@dataclass(frozen=True, slots=True)
class Override:
    ability: int
    this: m.Expr | None
    value: n.Expr
    condition: n.Expr | None


def collect(ctx: Context) -> None:
    """Reads and numbers every ability; what they do is lowered later, when all names are known."""
    ctx.own = frozenset(_own_names(ctx))
    for card, entry in enumerate(ctx.cards.entries):
        texts = list(_texts(ctx, entry.kind, entry.entry.fields))
        for i, text in enumerate(texts):
            node, problems = parse_ability(text.text)
            ctx.problems.extend(problems)
            if node is not None:
                name = ctx.cards.cards[card].id + (f".{i + 1}" if len(texts) > 1 else "")
                _register(ctx, name, card, node, str(text.value), text.span)
    for name in ctx.names_of("standing"):
        standing = ctx.node("standing", name)
        assert isinstance(standing, n.Standing)
        _register(ctx, name, m.NOTHING, standing.ability, standing.ability.span.text, standing.span)


def _texts(ctx: Context, kind: str, fields: dict[str, Scalar | Sequence]) -> Iterator[Scalar]:
    for name, declaration in ctx.world.kinds.get(kind, {}).items():
        if declaration.type.name == "ability" and name in fields:
            given = fields[name]
            for item in given.items if isinstance(given, Sequence) else (given,):
                if isinstance(item, Scalar) and isinstance(item.value, str):
                    yield item


def _register(ctx: Context, name: str, card: int, node: n.Ability, text: str, span: Span) -> None:
    foreign = next(_foreign(ctx, node), None) if card != m.NOTHING else None
    if foreign is not None:
        ctx.tables.abilities.append(m.AbilityInfo(name, card, m.NOTHING, m.NOTHING, text, span, foreign.text))
        ctx.warn_no_effect(ctx.tables.abilities[-1], foreign)
        return
    try:
        _check_scopes(ctx, node, card == m.NOTHING)
        window = _window(ctx, card, node)
    except Wrong:
        return
    rule = m.NOTHING
    if isinstance(node.body, n.EffectBody | n.AlsoOffers):
        rule = len(ctx.tables.rules)
        ctx.tables.rules.append(None)
    arrives = any(isinstance(scope, n.OnArrival) for scope in node.scopes)
    number = len(ctx.tables.abilities)
    ctx.tables.abilities.append(m.AbilityInfo(name, card, window, rule if arrives else m.NOTHING, text, span))
    this = m.Const(card) if card != m.NOTHING else None
    ctx.registered.append(Registered(number, this, node, rule))


_BINDING = (n.Choose, n.Let, n.Roll, n.Each, n.Those, n.Alternative, n.Forbid, n.Param)
_OF_THE_LANGUAGE = ("game", "place", "owner", "neighbours", "next", "previous", "row", "column", "number", "cards")


def _own_names(ctx: Context) -> Iterator[str]:
    yield from (*_OF_THE_LANGUAGE, *names.SIDES, *TYPE_WORDS)
    world = ctx.world
    yield from (*world.players, *world.resources, *world.groups, *world.regions, *world.options)
    yield from (name for members in (*world.values.values(), *world.kinds.values()) for name in members)
    yield from (card.entry.id for card in ctx.cards.entries)
    for (_, name), effective in ctx.declared.items():
        yield name
        if isinstance(effective.node, n.Rule | n.Define):
            yield from (word.text for word, binds in _words(effective.node) if binds)


def _foreign(ctx: Context, node: n.Ability) -> Iterator[n.Word | n.Name]:
    """The names in an ability that this game does not have and another one has."""
    words = list(_words(node))
    bound = {word.text for word, binds in words if binds}
    for word, _ in words:
        if word.text in ctx.elsewhere and word.text not in bound and word.text not in ctx.own:
            yield word


def _words(node: object) -> Iterator[tuple[n.Word | n.Name, bool]]:
    """Every name in a node, and whether it stands for something new there."""
    if isinstance(node, tuple):
        for part in node:
            yield from _words(part)
    elif isinstance(node, n.Word | n.Name):
        yield node, False
    elif dataclasses.is_dataclass(node):
        for one in dataclasses.fields(node):
            value = getattr(node, one.name)
            if isinstance(value, n.Word):
                yield value, isinstance(node, _BINDING) and one.name in ("name", "label")
            elif not isinstance(value, Span):
                yield from _words(value)


def _check_scopes(ctx: Context, node: n.Ability, standing: bool) -> None:
    """Refuses words that do not go together."""
    kinds = {type(scope) for scope in node.scopes}
    effect = isinstance(node.body, n.EffectBody)
    if isinstance(node.body, n.ScoreBody) != (n.AtEnd in kinds):
        ctx.fail(
            "E320",
            "`at end` goes with `score`",
            node.span,
            "At the end of the game an ability scores.",
            "at end: score 2",
        )
    if n.OnArrival in kinds and (len(node.scopes) > 1 or not effect):
        ctx.fail(
            "E320",
            "`once` stands alone, before an effect",
            node.span,
            "It is done when the card arrives.",
            "once: gain ...",
        )
    if n.OnArrival in kinds and standing:
        text = "A standing ability has no card that arrives."
        ctx.fail("E320", "nothing arrives here", node.span, text, "standing NAME: always, ...")
    if not effect and {n.When, n.InsteadOf, n.EvenEarlier} & kinds:
        ctx.fail("E320", "an effect is needed here", node.body.span, "After `when` and `instead of` something is done.")
    if n.EvenEarlier in kinds and n.When not in kinds:
        ctx.fail("E320", "`even earlier` goes with `when`", node.span, "It speaks of something that has happened.")
    if effect and not kinds & {n.OnArrival, n.OncePer, n.When, n.InsteadOf}:
        text = "`always` goes before what is always so; an effect needs its moment."
        ctx.fail("E320", "when is this done?", node.span, text, "once per game: ...")
    if not effect and n.AtEnd not in kinds and not kinds & {n.Always, n.OncePer}:
        ctx.fail(
            "E320",
            "`always` is missing",
            node.span,
            "What changes a rule works always, or once per something.",
            "always: ...",
        )
    if n.OncePer in kinds and not effect and not isinstance(node.body, n.Ignore):
        text = "Only effects and `ignore` are used up."
        ctx.fail("E320", "`once per` does not go with this", node.span, text)


def _window(ctx: Context, card: int, node: n.Ability) -> int:
    """The slot that counts the uses of an ability with `once per`, or nothing."""
    for scope in node.scopes:
        if isinstance(scope, n.OncePer):
            slot = ctx.new_slots(1 if card != m.NOTHING else len(ctx.world.players))
            count = 1 if card != m.NOTHING else len(ctx.world.players)
            _reopen(ctx, scope.period, range(slot, slot + count))
            return slot
    return m.NOTHING


def _reopen(ctx: Context, period: n.Word, slots: range) -> None:
    if period.text == "game":
        return
    if period.text not in ctx.tables.rule_numbers:
        text = "A period is `game` or the name of a rule: it begins anew whenever that rule begins."
        known = ["game", *ctx.tables.rule_numbers]
        ctx.fail("E201", f"unknown period `{period.text}`", period.span, text, ctx.near(period.text, known))
    ctx.tables.opens.setdefault(period.text, []).extend(slots)


# ---- what is registered on a name -------------------------------------------------------------------------------


def overrides(ctx: Context, define: str) -> Iterator[Override]:
    for one in ctx.registered:
        body = one.node.body
        if isinstance(body, n.Becomes) and body.define.text == define:
            yield Override(one.ability, one.this, body.value, body.condition)


def permits(ctx: Context, frame: Frame, forbid: str) -> tuple[tuple[int, m.Expr], ...]:
    """The abilities that lift a prohibition, those without a window first."""
    found = []
    for one in ctx.registered:
        body = one.node.body
        if isinstance(body, n.Ignore) and body.forbid.text == forbid:
            try:
                found.append((one.ability, condition(ctx, frame, one, body.condition)))
            except Wrong:
                continue
    return tuple(sorted(found, key=lambda pair: ctx.tables.abilities[pair[0]].window != m.NOTHING))


def condition(ctx: Context, frame: Frame, one: Registered, node: n.Expr | None) -> m.Expr:
    """The condition of a modifier, read in the frame of what it modifies."""
    from targi_dsl.build import expressions

    if node is None:
        return YES
    before, frame.this = frame.this, one.this
    try:
        return expressions.truth(ctx, frame, node)
    finally:
        frame.this = before


def terms(ctx: Context, frame: Frame) -> int:
    """What abilities change about a payment here, as its number in the game's list.

    Their conditions are read where the payment stands, so that they can speak of what has been chosen before it.
    """
    rule = frame.owner
    reductions: list[m.Reduction] = []
    substitutes: list[m.Substitute] = []
    stored: list[m.Stored] = []
    for one in ctx.registered:
        body = one.node.body
        try:
            match body:
                case n.Reduce() if body.rule.text == rule:
                    when = condition(ctx, frame, one, body.condition)
                    for item, number in prices.fixed(ctx, body.amounts):
                        reductions.append(m.Reduction(one.ability, item, m.Const(number), when))
                case n.Substitute() if body.rule.text == rule:
                    when = condition(ctx, frame, one, body.condition)
                    paid, owed = prices.fixed(ctx, body.paid), prices.fixed(ctx, body.owed)
                    substitutes.append(m.Substitute(one.ability, paid, owed, when))
                case n.StoredPays() if body.rule.text == rule:
                    resource = prices.one_resource(ctx, body.resource)
                    stored.append(m.Stored(one.ability, resource, ctx.store_slot(one.ability, resource)))
                case _:
                    pass
        except Wrong:
            continue
    if not (reductions or substitutes or stored):
        return 0
    found = m.Terms(rule, tuple(reductions), tuple(substitutes), tuple(stored))
    if found not in ctx.tables.terms:
        ctx.tables.terms.append(found)
    return ctx.tables.terms.index(found)


def replacements(ctx: Context, rule: str) -> list[Registered]:
    return [
        one
        for one in ctx.registered
        if any(isinstance(scope, n.InsteadOf) and scope.rule.text == rule for scope in one.node.scopes)
    ]


def offers(ctx: Context, rule: str) -> list[Registered]:
    return [
        one for one in ctx.registered if isinstance(one.node.body, n.AlsoOffers) and one.node.body.rule.text == rule
    ]


def usable(ctx: Context) -> list[Registered]:
    """Abilities that are used by choice: `once per ...: effect`."""
    return [
        one
        for one in ctx.registered
        if isinstance(one.node.body, n.EffectBody) and all(isinstance(scope, n.OncePer) for scope in one.node.scopes)
    ]


def guarded(ctx: Context, one: Registered) -> m.Alternative:
    """An ability as an answer to a question; a replacement is not offered again while it is being done."""
    info = ctx.tables.abilities[one.ability]
    use: m.Block = (m.Use(one.ability),) if info.window != m.NOTHING else ()
    guard: m.Expr = m.Active(one.ability)
    if any(isinstance(scope, n.InsteadOf) for scope in one.node.scopes):
        guard = m.All((guard, m.Not(m.During(one.rule))))
    return m.Alternative(info.name, None, guard, (*use, m.Do(one.rule, ())))


def announced(ctx: Context, rule: str) -> bool:
    """Whether something is triggered when that rule has been done."""
    return any(
        isinstance(scope, n.When) and scope.verb == "do" and scope.name.text == rule
        for one in ctx.registered
        for scope in one.node.scopes
    )


# ---- after all rules have numbers -------------------------------------------------------------------------------


def lower_effects(ctx: Context) -> None:
    """The rules that abilities are, their triggers, and names that modifiers name in vain."""
    from targi_dsl.build import statements

    for one in ctx.registered:
        info = ctx.tables.abilities[one.ability]
        body = one.node.body
        if one.rule != m.NOTHING:
            assert isinstance(body, n.EffectBody | n.AlsoOffers)
            frame = Frame(info.name, this=one.this, rule=one.rule)
            origin = m.Origin("cards", info.span)
            lowered = statements.block(ctx, frame, body.body)
            ctx.tables.rules[one.rule] = m.RuleInfo(info.name, 0, tuple(frame.slots), lowered, (), (origin,))
        try:
            _check_targets(ctx, one)
            _trigger(ctx, one)
        except Wrong:
            continue


def _check_targets(ctx: Context, one: Registered) -> None:
    """Whether the names an ability changes are there at all."""
    forbids = {forbid.name for forbid in ctx.tables.forbids}
    body = one.node.body
    match body:
        case n.Ignore():
            _known(ctx, one, body.forbid, forbids, "prohibition")
        case n.Becomes():
            _known(ctx, one, body.define, ctx.names_of("define"), "definition")
        case n.AlsoOffers():
            _known(ctx, one, body.rule, ctx.tables.rule_numbers, "rule")
            if body.rule.text in ctx.tables.rule_numbers and body.rule.text not in ctx.asking:
                text = f"There is no `one of` or `in any order` in {body.rule.text} that it could be added to."
                ctx.fail("E322", f"`{body.rule.text}` asks nothing", body.rule.span, text)
        case n.Reduce() | n.Substitute() | n.StoredPays():
            _known(ctx, one, body.rule, ctx.tables.rule_numbers, "rule")
            if _pays_nothing(ctx, body.rule.text):
                text = f"Rule {body.rule.text} pays nothing itself, so there is nothing to change."
                ctx.fail("E321", f"`{body.rule.text}` pays nothing", body.rule.span, text)
        case n.EffectBody() | n.ScoreBody():
            pass
        case _:
            assert_never(body)
    for scope in one.node.scopes:
        if isinstance(scope, n.InsteadOf):
            _known(ctx, one, scope.rule, ctx.tables.rule_numbers, "rule")


def _pays_nothing(ctx: Context, rule: str) -> bool:
    if not ctx.is_declared("rule", rule):
        return False
    node = ctx.node("rule", rule)
    assert isinstance(node, n.Rule)
    return not any(isinstance(part, n.Pay | n.Exchange) for block in blocks(node.body) for part in block)


def _known(ctx: Context, one: Registered, word: n.Word, known: object, what: str) -> None:
    there = list(known)  # type: ignore[call-overload]  # a set, list or dict of names
    if word.text in there:
        return
    if word.text in ctx.elsewhere and ctx.tables.abilities[one.ability].card != m.NOTHING:
        ctx.warn_no_effect(ctx.tables.abilities[one.ability], word)
        return
    text = f"No {what} of that name is in this game."
    ctx.fail("E201", f"unknown {what} `{word.text}`", word.span, text, ctx.near(word.text, there))


def _trigger(ctx: Context, one: Registered) -> None:
    when = next((scope for scope in one.node.scopes if isinstance(scope, n.When)), None)
    if when is None:
        return
    from targi_dsl.build import expressions

    if when.verb == "do":
        if when.name.text not in ctx.tables.rule_numbers:
            _known(ctx, one, when.name, ctx.tables.rule_numbers, "rule")
            return
        subjects: tuple[int, ...] = (ctx.tables.rule_numbers[when.name.text],)
    else:
        subjects = prices.group_members(ctx, when.name)
    kind = expressions.kind_number(ctx, when.kind) if when.kind is not None else m.NOTHING
    memory = m.NOTHING
    for scope in one.node.scopes:
        if isinstance(scope, n.EvenEarlier):
            memory = ctx.new_slots(len(ctx.world.players))
            _reopen(ctx, scope.period, range(memory, memory + len(ctx.world.players)))
    for subject in subjects:
        ctx.tables.triggers.append(m.Trigger(one.ability, when.verb, subject, when.actor, kind, one.rule, memory, YES))


def end_scores(ctx: Context) -> list[m.ScorePart]:
    """What cards score at the end."""
    from targi_dsl.build import expressions

    found = []
    for one in ctx.registered:
        body = one.node.body
        if isinstance(body, n.ScoreBody):
            info = ctx.tables.abilities[one.ability]
            frame = Frame(info.name, this=one.this)
            try:
                value = expressions.number(ctx, frame, body.value)
            except Wrong:
                continue
            origin = m.Origin("cards", info.span)
            found.append(m.ScorePart(info.name, value, tuple(frame.slots), one.ability, (origin,)))
    return found
