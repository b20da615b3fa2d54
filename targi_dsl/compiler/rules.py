"""Numbers and lowers rules and the actions of cards, with everything abilities wrap around them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from targi_dsl.cardfiles import Scalar, Sequence
from targi_dsl.compiler import abilities, calls, statements, wordings
from targi_dsl.compiler.bodies import extended
from targi_dsl.compiler.changes import CardChange, Effective
from targi_dsl.compiler.context import Context, Frame, Wrong
from targi_dsl.compiler.decks import DeckCard
from targi_dsl.compiler.registered import Registered
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.origins import Origin
from targi_dsl.syntax import ast as n
from targi_dsl.syntax import parse_action
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.light import replace


def number_rules(ctx: Context) -> None:
    """A number for every declared rule."""
    for name in ctx.names_of("rule"):
        ctx.tables.rule_numbers[name] = len(ctx.tables.rules)
        ctx.tables.rules.append(None)


def number_actions(ctx: Context) -> dict[str, int]:
    """A rule for each card id with an action; copies share it."""
    found: dict[str, int] = {}
    for card in ctx.cards.entries:
        name = card.entry.id
        if name in found or _action(ctx, card) is None:
            continue
        if name in ctx.tables.rule_numbers:
            continue  # a rule of that name; clashes are reported with the namespaces
        found[name] = ctx.tables.rule_numbers[name] = len(ctx.tables.rules)
        ctx.tables.rules.append(None)
    return found


def _action(ctx: Context, card: DeckCard) -> Scalar | Sequence | None:
    fields = ctx.symbols.kinds.get(card.kind, {})
    named = (name for name, one in fields.items() if one.type.name == "action")
    return card.entry.fields.get(next(named, ""))


def lower_rule(ctx: Context, name: str) -> None:
    """Lowers a declared rule."""
    effective, number = ctx.declared["rule", name], ctx.tables.rule_numbers[name]
    ctx.tables.rules[number] = _declared_rule(ctx, effective, number)


def _declared_rule(ctx: Context, effective: Effective, number: int) -> d.RuleInfo:
    node = effective.node
    assert isinstance(node, n.Rule)
    frame = Frame(node.name.text, rule=number)
    for param in node.params:
        try:
            type_ = calls.param_type(ctx, param)
        except Wrong:
            type_ = t.UNKNOWN
        frame.bind(param.name, type_)
    wording = wordings.number(ctx, frame, node.wording)
    return _whole_rule(ctx, frame, node.body, len(node.params), effective.origins, wording)


def lower_actions(
    ctx: Context, actions: dict[str, int], changes: Mapping[str, tuple[CardChange, ...]]
) -> None:
    """Lowers the actions of cards with the additions of modules; each is a rule with its card as
    argument.
    """
    ctx.problems.extend(_extended_in_vain(ctx, actions, changes))
    for card, given in _with_actions(ctx, actions).values():
        name, rule = card.entry.id, actions[card.entry.id]
        body: n.Block | None = None  # that it is not a text has been reported
        if isinstance(given, Scalar) and isinstance(given.value, str):
            body, problems = ctx.project.sentence(parse_action, given.text)
            ctx.problems.extend(problems)
        body = body or ()
        origins: tuple[Origin, ...] = (Origin("cards", given.span),)
        for one in changes.get(name, ()):
            if isinstance(one.node, n.ExtendAction):
                body = extended(f"The action of {name}", body, one.node, ctx.problems)
                origins = (Origin(one.module, one.card.span, "extended"), *origins)
        ctx.tables.rules[rule] = _action_rule(ctx, name, rule, card.kind, body, origins)


def _action_rule(
    ctx: Context, name: str, rule: int, kind: str, body: n.Block, origins: tuple[Origin, ...]
) -> d.RuleInfo:
    frame = Frame(name, rule=rule)
    frame.this = e.Local(frame.slot(t.Card(kind)))
    return _whole_rule(ctx, frame, body, 1, origins)


def _with_actions(
    ctx: Context, actions: Collection[str]
) -> dict[str, tuple[DeckCard, Scalar | Sequence]]:
    """The first card of each id with an action, and the action."""
    found: dict[str, tuple[DeckCard, Scalar | Sequence]] = {}
    for card in ctx.cards.entries:
        name = card.entry.id
        if name in actions and name not in found and (given := _action(ctx, card)) is not None:
            found[name] = card, given
    return found


def _extended_in_vain(
    ctx: Context, actions: Collection[str], changes: Mapping[str, tuple[CardChange, ...]]
) -> Iterator[Problem]:
    """Reports extensions of actions that the cards do not have."""
    in_play = {card.entry.id for card in ctx.cards.entries}
    for name, those in changes.items():
        for one in those if name in in_play and name not in actions else ():
            if isinstance(one.node, n.ExtendAction):
                text = "It has no action to extend. To give the card one, write:"
                hint = f'change card {name}: action "..."'
                yield Problem("E402", f"`{name}` has no action", one.card.span, text, hint)


def _whole_rule(
    ctx: Context,
    frame: Frame,
    body: n.Block,
    params: int,
    origins: tuple[Origin, ...],
    wording: int = NOTHING,
) -> d.RuleInfo:
    """Lowers the body and wraps it in what abilities do instead of the rule or after it."""
    name = frame.owner
    frame.chooses = sum(len(one.every(n.Choose)) for one in body)
    # A rule with parameters is called inside others, where its own name would mean little.
    frame.chooses += 1 if params and frame.this is None else 0
    lowered = statements.block(ctx, frame, body)
    instead = abilities.replacements(ctx, name)
    if instead or abilities.announced(ctx, name):
        lowered = _wrapped(ctx, frame, lowered, params, origins, instead, wording)
    slots = tuple(frame.slots)
    return d.RuleInfo(name, params, slots, lowered, (), origins, wording=wording)


def open_periods(ctx: Context) -> None:
    """Makes each rule that is a period reset its windows and memories when it begins.

    Must be called when all of them are known.
    """
    for name, slots in ctx.tables.opens.items():
        number = ctx.tables.rule_numbers.get(name)
        rule = ctx.tables.rules[number] if number is not None else None
        if number is not None and rule is not None:
            ctx.tables.rules[number] = replace(rule, opens=tuple(slots))


def _wrapped(
    ctx: Context,
    frame: Frame,
    body: s.Block,
    params: int,
    origins: tuple[Origin, ...],
    instead: Collection[Registered],
    wording: int,
) -> s.Block:
    inner, name, slots = len(ctx.tables.rules), f"{frame.owner} itself", tuple(frame.slots)
    itself = d.RuleInfo(name, params, slots, body, (), origins, frame.owner, wording)
    ctx.tables.rules.append(itself)
    done: s.Statement = s.Do(inner, tuple(e.Local(slot) for slot in range(1, params + 1)))
    if instead:
        ways = (
            s.Alternative(frame.owner, None, e.Const(1), (done,), wording),
            *(abilities.guarded(ctx, one) for one in instead),
        )
        done = s.Ask(frame.owner, ways, ())
    announce = (s.Announce(frame.rule),) if abilities.announced(ctx, frame.owner) else ()
    return (done, *announce)
