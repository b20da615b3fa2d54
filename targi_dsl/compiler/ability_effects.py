"""The effects of abilities: their rules, triggers and scores, lowered once all names have
numbers.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from typing import assert_never

from targi_dsl.compiler import fitting, prices, statements
from targi_dsl.compiler.ability_texts import reopen
from targi_dsl.compiler.bodies import blocks, forbids
from targi_dsl.compiler.context import YES, Context, Frame, Wrong
from targi_dsl.compiler.registered import Registered
from targi_dsl.ir import declarations as d
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.origins import Origin
from targi_dsl.syntax import ast as n


def lower_effects(ctx: Context) -> None:
    """Lowers the rules and triggers of abilities; reports modifiers of unknown names."""
    # Abilities in abandoned statements count too: why those were abandoned is reported.
    written = {part.name.text for one in ctx.declared.values() for part in forbids(one.node)}
    for one in ctx.registered.every:
        body = one.node.body
        if isinstance(body, n.EffectBody | n.AlsoOffers):
            ctx.tables.rules[one.rule] = _effect(ctx, one, body.body)
        with suppress(Wrong):
            prohibitions = written | {forbid.name for forbid in ctx.tables.forbids}
            _check_targets(ctx, one, prohibitions)
            _trigger(ctx, one)


def _effect(ctx: Context, one: Registered, body: n.Block) -> d.RuleInfo:
    name, origin = one.info.name, Origin("cards", one.info.span)
    frame = Frame(name, this=one.this, rule=one.rule)
    lowered = statements.block(ctx, frame, body)
    return d.RuleInfo(name, 0, tuple(frame.slots), lowered, (), (origin,))


def _check_targets(ctx: Context, one: Registered, prohibitions: set[str]) -> None:
    """Reports names that an ability changes but nothing declares."""
    body = one.node.body
    match body:
        case n.Ignore():
            _known(ctx, one, body.forbid, prohibitions, "prohibition")
        case n.Becomes():
            _known(ctx, one, body.define, ctx.names_of("define"), "definition")
        case n.AlsoOffers():
            _known(ctx, one, body.rule, ctx.tables.rule_numbers, "rule")
            name = body.rule.text
            if name in ctx.tables.rule_numbers and name not in ctx.asking:
                questions = "no `one of` and no `any of these in any order`"
                text = f"{name} has {questions} that it could be added to."
                ctx.fail("E322", f"`{name}` asks nothing", body.rule.span, text)
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
    steps = (part for block in blocks(ctx.node(n.Rule, rule).body) for part in block)
    return not any(isinstance(part, n.Pay | n.Exchange) for part in steps)


def _known(ctx: Context, one: Registered, word: n.Word, known: Collection[str], what: str) -> None:
    if word.text in known:
        return
    if word.text in ctx.elsewhere and one.info.card != NOTHING:
        ctx.without_effect.append((one.ability, word))
        return
    if what == "rule" and ctx.symbols.errors.no_cards:
        raise Wrong  # it may be the action of a card that could not be read
    text = f"No {what} of that name is in this game."
    ctx.unknown(what, word, text, known)


def _trigger(ctx: Context, one: Registered) -> None:
    when = next((scope for scope in one.node.scopes if isinstance(scope, n.When)), None)
    if when is None:
        return
    if when.verb == "do":
        if when.name.text not in ctx.tables.rule_numbers:
            _known(ctx, one, when.name, ctx.tables.rule_numbers, "rule")
            return
        subjects: tuple[int, ...] = (ctx.tables.rule_numbers[when.name.text],)
    else:
        subjects = prices.group_members(ctx, when.name)
    kind = fitting.kind_number(ctx, when.kind) if when.kind is not None else NOTHING
    memory = NOTHING
    for scope in one.node.scopes:
        if isinstance(scope, n.EvenEarlier):
            memory = ctx.new_slots(len(ctx.symbols.players))
            reopen(ctx, scope.period, range(memory, memory + len(ctx.symbols.players)))
    for subject in subjects:
        ctx.tables.triggers.append(
            d.Trigger(one.ability, when.verb, subject, when.actor, kind, one.rule, memory, YES)
        )


def end_scores(ctx: Context) -> list[d.ScorePart]:
    """The scores on cards."""
    found = []
    for one in ctx.registered.every:
        body = one.node.body
        if isinstance(body, n.ScoreBody):
            with suppress(Wrong):
                found.append(_score(ctx, one, body.value))
    return found


def _score(ctx: Context, one: Registered, value: n.Expr) -> d.ScorePart:
    name, origin = one.info.name, Origin("cards", one.info.span)
    frame = Frame(name, this=one.this)
    number = fitting.number(ctx, frame, value)
    return d.ScorePart(name, number, tuple(frame.slots), one.ability, (origin,))
