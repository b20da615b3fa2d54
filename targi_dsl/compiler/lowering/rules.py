"""Lowers rules, actions of cards, effects of abilities, scores, tie-breaks and free exchanges."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress

from msgspec.structs import replace

from targi_dsl.cardfiles import Scalar
from targi_dsl.compiler.cards.decks import DeckCard
from targi_dsl.compiler.layers.changes import CardChange, extend_body, forbids
from targi_dsl.compiler.lowering import (
    abilities,
    coercion,
    passing,
    resources,
    statements,
    wordings,
)
from targi_dsl.compiler.lowering.abilities import reopen
from targi_dsl.compiler.lowering.context import (
    YES,
    Abandoned,
    Context,
    Frame,
    NumberedAbility,
    targets,
)
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.origins import Origin
from targi_dsl.syntax import ast as n
from targi_dsl.syntax import parse_action
from targi_dsl.text.diagnostics import Problem


def number_rules(ctx: Context) -> None:
    """Assigns a number to every declared rule."""
    for name in ctx.names_of("rule"):
        ctx.tables.rule_numbers[name] = len(ctx.tables.rules)
        ctx.tables.rules.append(None)


def number_actions(ctx: Context) -> dict[str, int]:
    """Assigns a rule number to each card id with an action; copies, and cards of other sets with
    that id, share it.
    """
    found: dict[str, int] = {}
    for card in ctx.cards.entries:
        name = card.entry.id
        if name in found or abilities.action_of(ctx, card) is None:
            continue
        if name in ctx.tables.rule_numbers:
            continue  # a rule of that name; clashes are reported with the namespaces
        found[name] = ctx.tables.rule_numbers[name] = len(ctx.tables.rules)
        ctx.tables.rules.append(None)
    return found


def lower_rule(ctx: Context, name: str) -> None:
    node, origins = ctx.node(n.Rule, name), ctx.declared["rule", name].origins
    with ctx.within(Frame(name, rule=ctx.tables.rule_numbers[name])) as frame:
        params = passing.bind_parameters(ctx, node.params)
        wording = wordings.number(ctx, node.wording)
        rule = _rule(ctx, node.body, params, origins, wording)
        ctx.tables.rules[frame.rule] = _whole_rule(ctx, rule)


def lower_actions(
    ctx: Context, actions: dict[str, int], changes: Mapping[str, tuple[CardChange, ...]]
) -> None:
    """Lowers the actions of cards with their extensions. Each becomes a rule with the card as
    argument, which dispatches on the card set if cards of several sets share the id.
    """
    ctx.problems.extend(_missing_actions(ctx, actions, changes))
    cards: dict[str, dict[str, list[int]]] = {name: {} for name in actions}
    for number, card in enumerate(ctx.cards.entries):
        if card.entry.id in cards and abilities.action_of(ctx, card) is not None:
            cards[card.entry.id].setdefault(card.set, []).append(number)
    for name, sets in cards.items():
        lowered = [
            _action(ctx, ctx.cards.entries[numbers[0]], changes.get(name, ()))
            for numbers in sets.values()
        ]
        rule, *others = lowered
        if others:
            rule = _dispatch(ctx, lowered, [*sets.values()])
        with ctx.within(Frame(name, rule=actions[name])):
            ctx.tables.rules[actions[name]] = _whole_rule(ctx, rule)


def _action(ctx: Context, card: DeckCard, changes: tuple[CardChange, ...]) -> d.RuleInfo:
    """The rule of a card's action, by itself."""
    name, given = card.entry.id, abilities.action_of(ctx, card)
    body: n.Block | None = None  # that it is not a text has been reported
    if isinstance(given, Scalar) and isinstance(given.value, str):
        body, problems = ctx.project.sentence(parse_action, given.text)
        ctx.problems.extend(problems)
    body = body or ()
    origins: tuple[Origin, ...] = (Origin("cards", given.span if given is not None else None),)
    for one in changes:
        if isinstance(one.node, n.ExtendAction):
            body = extend_body(f"The action of {name}", body, one.node, ctx.problems)
            origins = (Origin(one.module, one.card.span, "extended"), *origins)
    with ctx.within(Frame(name, rule=ctx.tables.rule_numbers[name])) as frame:
        frame.this = e.Local(frame.slot(t.Card(card.kind)))
        return _rule(ctx, body, 1, origins)


def _dispatch(ctx: Context, rules: list[d.RuleInfo], cards: list[list[int]]) -> d.RuleInfo:
    """A rule that calls one of these rules, depending on its argument, the card."""
    first, this = rules[0], e.Local(1)
    ways = list[s.Statement]()
    for rule, numbers in zip(rules, cards, strict=True):
        do = s.Do(len(ctx.tables.rules), (this,))
        ways.append(s.If(e.Member(this, e.Const(tuple(numbers))), (do,), ()))
        name = f"{rule.name} of {ctx.cards.entries[numbers[0]].set}"
        ctx.tables.rules.append(replace(rule, name=name, part_of=rule.name))
    origins = tuple(one for rule in rules for one in rule.origins)
    return replace(first, slots=first.slots[:2], body=tuple(ways), origins=origins)


def _missing_actions(
    ctx: Context, actions: Collection[str], changes: Mapping[str, tuple[CardChange, ...]]
) -> Iterator[Problem]:
    """Problems of extensions of actions that the cards do not have."""
    in_play = {card.entry.id for card in ctx.cards.entries}
    for name, ones in changes.items():
        for one in ones if name in in_play and name not in actions else ():
            if isinstance(one.node, n.ExtendAction):
                text = "It has no action to extend. To give the card one, write:"
                hint = f'change card {name}: action "..."'
                yield Problem("E402", f"`{name}` has no action", one.card.span, text, hint)


def _rule(
    ctx: Context, body: n.Block, params: int, origins: tuple[Origin, ...], wording: int = NOTHING
) -> d.RuleInfo:
    """Lowers a body in the current frame."""
    frame = ctx.frame
    frame.chooses = sum(len(one.every(n.Choose)) for one in body)
    # A rule with parameters is called inside others, where its own name would mean little.
    frame.chooses += 1 if params and frame.this is None else 0
    lowered = statements.block(ctx, body)
    slots = tuple(frame.slots)
    return d.RuleInfo(frame.owner, params, slots, lowered, (), origins, wording=wording)


def _whole_rule(ctx: Context, rule: d.RuleInfo) -> d.RuleInfo:
    """Wraps a rule in the replacements that abilities offer, and in the announcement that triggers
    abilities.
    """
    name, rules = rule.name, ctx.tables.rules
    instead = ctx.abilities.changing(n.InsteadOf, name)
    is_announced = bool(ctx.abilities.changing(n.When, name))
    if not instead and not is_announced:
        return rule
    done: s.Statement = s.Do(len(rules), tuple(e.Local(slot) for slot in range(1, rule.params + 1)))
    rules.append(replace(rule, name=f"{name} itself", part_of=name))
    if instead:
        ways = (
            s.Alternative(name, None, YES, (done,), rule.wording),
            *(abilities.as_alternative(ctx, one) for one in instead),
        )
        done = s.Ask(name, ways)
    announced = (s.Announce(ctx.frame.rule),) if is_announced else ()
    return replace(rule, body=(done, *announced))


def open_periods(ctx: Context) -> None:
    """Lets each rule that is a period reset its slots when it begins: windows of abilities,
    memories of triggers. All of these must have been allocated.
    """
    for name, slots in ctx.tables.opens.items():
        number = ctx.tables.rule_numbers.get(name)
        rule = ctx.tables.rules[number] if number is not None else None
        if number is not None and rule is not None:
            ctx.tables.rules[number] = replace(rule, opens=tuple(slots))


# ---- effects of abilities, lowered once all names have numbers ----


def lower_effects(ctx: Context) -> None:
    """Lowers the effects and triggers of abilities; reports modifiers of undeclared names."""
    # Prohibitions in abandoned statements count too.
    written = {part.name.text for one in ctx.declared.values() for part in forbids(one.node)}
    for one in ctx.abilities.every:
        body = one.node.body
        if isinstance(body, n.EffectBody | n.AlsoOffers):
            with ctx.within(Frame(one.info.name, this=one.this, rule=one.rule)) as frame:
                lowered = statements.block(ctx, body.body)
                slots, origin = tuple(frame.slots), Origin("cards", one.info.span)
            effect = d.RuleInfo(one.info.name, 0, slots, lowered, (), (origin,))
            ctx.tables.rules[one.rule] = effect
        with suppress(Abandoned):
            prohibitions = written | {forbid.name for forbid in ctx.tables.forbids}
            _check_targets(ctx, one, prohibitions)
            _trigger(ctx, one)


def _check_targets(ctx: Context, one: NumberedAbility, prohibitions: set[str]) -> None:
    """Refuses names that are not declared, and changes that have no effect on the rule."""
    rules = ctx.tables.rule_numbers
    for clause, word in targets(one.node):
        if clause is n.Ignore:
            _require_target(ctx, one, word, prohibitions, "prohibition")
        elif clause is n.Becomes:
            _require_target(ctx, one, word, ctx.names_of("define"), "definition")
        else:
            _require_target(ctx, one, word, rules, "rule")
        if clause is n.AlsoOffers and word.text in rules and word.text not in ctx.asking:
            questions = "no `one of` and no `any of these in any order`"
            text = f"{word.text} has {questions} that it could be added to."
            ctx.fail("E322", f"`{word.text}` asks nothing", word.span, text)
        if clause in resources.OF_PRICES and _pays_nothing(ctx, word.text):
            text = f"Rule {word.text} pays nothing itself, so there is nothing to change."
            ctx.fail("E321", f"`{word.text}` pays nothing", word.span, text)


def _pays_nothing(ctx: Context, rule: str) -> bool:
    if not ctx.is_declared("rule", rule):
        return False
    declared = ctx.node(n.Rule, rule)
    return not declared.every(n.Pay) and not declared.every(n.Exchange)


def _require_target(
    ctx: Context, one: NumberedAbility, word: n.Word, known: Collection[str], what: str
) -> None:
    if word.text in known:
        return
    if word.text in ctx.nearby and one.info.card != NOTHING:
        ctx.without_effect.append((one.ability, word))
        return
    if what == "rule" and ctx.symbols.errors.no_cards:
        raise Abandoned  # it may be the action of a card that could not be read
    text = f"No {what} of that name is in this game."
    ctx.fail_unknown(what, word, text, known)


def _trigger(ctx: Context, one: NumberedAbility) -> None:
    when = next((scope for scope in one.node.scopes if isinstance(scope, n.When)), None)
    if when is None:
        return
    if when.verb == "do":
        if when.name.text not in ctx.tables.rule_numbers:
            return
        subjects: tuple[int, ...] = (ctx.tables.rule_numbers[when.name.text],)
    else:
        subjects = resources.group_members(ctx, when.name)
    kind = coercion.kind_number(ctx, when.kind) if when.kind is not None else NOTHING
    memory = NOTHING
    for scope in one.node.scopes:
        if isinstance(scope, n.EvenEarlier):
            memory = ctx.new_slots(len(ctx.symbols.players))
            reopen(ctx, scope.period, range(memory, memory + len(ctx.symbols.players)))
    for subject in subjects:
        ctx.tables.triggers.append(
            d.Trigger(one.ability, when.verb, subject, when.actor, kind, one.rule, memory, YES)
        )


# ---- scores, tie-breaks and free exchanges ----


def scores(ctx: Context) -> list[d.ScorePart]:
    """The parts of the score: of rules first, then of cards."""
    found = list[d.ScorePart]()
    for name, node in ctx.nodes(n.ScorePart):
        with suppress(Abandoned):
            value = _value(ctx, Frame(name), node.value)
            origins = ctx.declared["score", name].origins
            found.append(d.ScorePart(name, *value, NOTHING, origins))
    for one in ctx.abilities.every:
        if isinstance(one.node.body, n.ScoreBody):
            name, origin = one.info.name, Origin("cards", one.info.span)
            with suppress(Abandoned):
                value = _value(ctx, Frame(name, this=one.this), one.node.body.value)
                found.append(d.ScorePart(name, *value, one.ability, (origin,)))
    return found


def _value(ctx: Context, frame: Frame, node: n.Expr) -> tuple[e.Expr, tuple[t.Type, ...]]:
    """Lowers a number in a frame; returns it with the frame's slots."""
    with ctx.within(frame):
        return coercion.number(ctx, node), tuple(frame.slots)


def ties(ctx: Context) -> list[d.Tie]:
    """The tie-breaks, in order."""
    found = list[d.Tie]()
    for rank in (rank for _, node in ctx.nodes(n.Tie) for rank in node.ranks):
        with suppress(Abandoned):
            value = _value(ctx, Frame("tie"), rank.value)
            text = f"{rank.order} {rank.value.span.text}"
            found.append(d.Tie(rank.order == "most", *value, text))
    return found


def exchanges(ctx: Context) -> list[d.FreeExchange]:
    """The free exchanges, with their conditions as definitions."""
    found = []
    for name, node in ctx.nodes(n.FreeExchange):
        try:
            give = resources.literal_amounts(ctx, node.give)
            take = resources.literal_amounts(ctx, node.take)
        except Abandoned:
            continue
        if {item for item, _ in give} & {item for item, _ in take} or not give:
            text = "A resource given must not be obtained again, or the exchange would never end."
            title = f"exchange `{name}` can give back what was paid"
            ctx.report("E313", title, node.span, text)
        when = None
        if node.condition is not None:
            with suppress(Abandoned), ctx.within(Frame(name)) as frame:
                holds = coercion.truth(ctx, node.condition)
                when = e.Call(_define(ctx, frame, "exchange", holds), (e.Local(YOU),))
        found.append(d.FreeExchange(name, give, take, when))
    return found


def impossible(ctx: Context) -> list[int]:
    """The numbers of the definitions of `never` declarations."""
    found = list[int]()
    for name, node in ctx.nodes(n.Never):
        with suppress(Abandoned), ctx.within(Frame(name)) as frame:
            holds = coercion.truth(ctx, node.condition)
            found.append(_define(ctx, frame, "never", holds))
    return found


def _define(ctx: Context, frame: Frame, sort: str, holds: e.Expr) -> int:
    """Adds a definition for the condition of a declaration; returns its number."""
    slots, origins = tuple(frame.slots), ctx.declared[sort, frame.owner].origins
    info = d.DefineInfo(f"{sort} {frame.owner}", slots, holds, t.TRUTH, origins)
    ctx.tables.defines.append(info)
    return len(ctx.tables.defines) - 1
