"""Lowers questions: choices of one or several elements, alternatives, optional bodies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from targi_dsl.compiler.layers.error_symbols import Unresolved
from targi_dsl.compiler.lowering import abilities, coercion, resources, wordings
from targi_dsl.compiler.lowering.context import NOBODY, YES, Abandoned, Context
from targi_dsl.compiler.project.discovery import PLAYERS
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.wordings import NotAmong
from targi_dsl.syntax import ast as n
from targi_dsl.syntax.printer import print_expression, print_statement
from targi_dsl.text.diagnostics import Label
from targi_dsl.text.source import Span

MOST_ANSWERS = 1024
DECLINE, DONE = "decline", "done"


def label_of_choice(ctx: Context, node: n.Choose) -> str:
    """The label of a choice's answers: the rule's name if the rule asks nothing else."""
    return ctx.frame.owner if ctx.frame.chooses == 1 else node.name.text


def _binding_way(
    ctx: Context,
    label: str,
    node: n.Choose | n.Alternative,
    name: n.Word,
    within: n.Expr,
    body: n.Block,
) -> s.Alternative:
    """The alternative that binds an element of a set; its `where` becomes a prohibition."""
    found, type_ = coercion.lower_set(ctx, within)
    check_count(ctx, found, within.span)
    head: s.Block = ()
    with ctx.frame.scope():
        slot = ctx.bind(name, type_)
        if (condition := node.condition) is not None:
            holds = coercion.truth(ctx, condition)
            reason = NotAmong(_about_it(condition, name.text))
            name_ = f"{ctx.frame.owner}.{name.text}"
            head = (abilities.forbid(ctx, name_, e.Not(holds), reason, condition.span),)
        if isinstance(node, n.Choose):
            wording = wordings.of_choice(ctx, node, 1, slot, type_)
        else:
            wording = wordings.of_answer(ctx, node.wording, body)
        lowered = ctx.block(body)
    return s.Alternative(label, binding(ctx, slot, found, type_), YES, (*head, *lowered), wording)


def lowered_set(ctx: Context, node: n.Choose | n.ChooseInSecret) -> tuple[e.Expr, t.Single]:
    """The set to choose from, filtered by `where`, with its element type."""
    found, type_ = coercion.lower_set(ctx, node.within)
    check_count(ctx, found, node.within.span)
    if node.condition is None:
        return found, type_
    with ctx.frame.scope():
        slot = ctx.bind(node.name, type_)
        return e.Filter(slot, found, coercion.truth(ctx, node.condition)), type_


def binding(ctx: Context, slot: int, within: e.Expr, type_: t.Single) -> s.Binding:
    """The binding of a choice, with the domain of everything that could ever be chosen."""
    domain = _domain(ctx, within, type_, ctx.frame.given)
    if domain != _domain(ctx, within, type_, {}):  # no rule is stopped from passing other spaces
        within = e.SetOp("within", within, e.Const(domain, t.set_of(type_)))
    if isinstance(type_, t.Place):
        regions = {ctx.symbols.places[one].region for one in domain}
        type_ = t.Place(regions.pop() if len(regions) == 1 else "", type_.is_zone)
    return s.Binding(slot, within, type_, domain)


def check_count(ctx: Context, found: e.Expr, span: Span) -> None:
    """Refuses a set with more elements than a question can have answers."""
    count = len(_constant(found))
    if count > MOST_ANSWERS:
        text = f"A question has at most {MOST_ANSWERS} answers; this set has {count}."
        ctx.fail("E327", "too many to choose from", span, text)


def _constant(within: e.Expr) -> Sequence[int]:
    """The elements of a constant set; empty for any other."""
    match within:
        case e.Const(tuple() as value):
            return value
        case e.Range(e.Const(int() as low), e.Const(int() as high)):
            return range(low, high + 1)
        case _:
            return ()


def _domain(
    ctx: Context, within: e.Expr, type_: t.Type, given: Mapping[int, t.Place]
) -> tuple[int, ...]:
    """An upper bound, known at compile time, of the elements of a set; `given` are the regions of
    parameters, by slot.
    """
    match within:
        case e.Const(tuple() as value):
            return value
        case e.Range():
            return tuple(_constant(within)[:MOST_ANSWERS])
        case e.SetOp("within" | "except", inner) | e.Filter(_, inner):
            return _domain(ctx, inner, type_, given)
        case e.SetOp("plus", left, right) if not isinstance(type_, t.Number):
            both = (_domain(ctx, one, type_, given) for one in (left, right))
            return tuple(sorted({one for part in both for one in part}))
        case e.MakeSet((e.Local(slot),)) if slot in given:
            return tuple(ctx.domains.of(given[slot]).members)
        case e.Pick(sets, e.Local(slot)) if slot in given:
            members = ctx.domains.of(given[slot]).members
            return tuple(sorted({one for member in members for one in sets[member]}))
        case _:
            return () if isinstance(type_, t.Number) else tuple(ctx.domains.of(type_).members)


def alternatives(
    ctx: Context, given: tuple[n.Alternative | n.YourAbilities, ...]
) -> tuple[s.Alternative, ...]:
    """Lowers the alternatives of a question; their labels must be unique."""
    ways: list[s.Alternative] = []
    labels: dict[str, Span] = {}
    for one in given:
        if isinstance(one, n.Alternative) and one.label is not None:
            if one.label.text in labels:
                text = "Answers are identified by name, so each needs a different one."
                first = (Label(labels[one.label.text], "first here"),)
                title = f"two answers `{one.label.text}`"
                ctx.report("E202", title, one.label.span, text, labels=first)
            labels.setdefault(one.label.text, one.label.span)
        try:
            ways.extend(_ways(ctx, one))
        except Abandoned:
            if isinstance(one, n.Alternative):
                report_names_under(ctx, one)
    return tuple(ways)


def _ways(ctx: Context, one: n.Alternative | n.YourAbilities) -> Iterator[s.Alternative]:
    """Lowers one alternative, which may stand for several."""
    if isinstance(one, n.YourAbilities):
        yield from (
            abilities.as_alternative(ctx, ability) for ability in abilities.abilities_to_use(ctx)
        )
        return
    label = one.label.text if one.label else label_of(ctx, one.body)
    if one.label is one.name is None and isinstance(one.body[0], n.Forbid):
        text = "Each line here is an answer. Write it under the answer that it forbids, first:"
        hint = f"NAME:\n  {one.body[0].span.text}"
        ctx.fail("E341", "a prohibition is no answer", one.body[0].span, text, hint)
    if one.name is not None and one.within is not None:
        yield _binding_way(ctx, label, one, one.name, one.within, one.body)
    elif one.label is None and len(one.body) == 1 and isinstance(one.body[0], n.Exchange):
        yield from resources.exchange(ctx, one.body[0])
    else:
        wording = wordings.of_answer(ctx, one.wording, one.body)
        yield s.Alternative(label, None, YES, ctx.block(one.body), wording)


def offers_of_abilities(ctx: Context) -> tuple[s.Alternative, ...]:
    """The alternatives that abilities add to the first question of a rule."""
    if ctx.frame.offered:
        return ()
    ctx.frame.offered = True
    ctx.asking.add(ctx.frame.owner)
    return tuple(
        abilities.as_alternative(ctx, one)
        for one in ctx.abilities.changing(n.AlsoOffers, ctx.frame.owner)
    )


def _about_it(condition: n.Expr, chosen: str) -> str:
    """The source of a condition, with `it` in place of the chosen thing, and without names for
    others that there are or are not.
    """

    def called(name: str, words: str) -> Callable[[n.Node], n.Node]:
        def call(node: n.Node) -> n.Node:
            match node:
                case n.Name(text) if text == name:
                    return replace(node, text=words)
                case n.Unary("any" | "no" as op, n.Those(one, within, among)) if among:
                    among = n.rewritten(among, called(one.text, "that one"))
                    of = f"{print_expression(within)} where {print_expression(among)}"
                    there = f"there is {'none' if op == 'no' else 'one'} of {of}"
                    return n.Name(there, span=node.span)
                case _:
                    return node

        return call

    return print_expression(n.rewritten(condition, called(chosen, "it")))


def label_of(ctx: Context, body: n.Block) -> str:
    """The label of an unnamed alternative: the rule that it calls, or else its text as an
    identifier.
    """
    first = next((one for one in body if not isinstance(one, n.Forbid | n.Let)), body[0])
    match first:
        case n.Do():
            return first.rule.text
        case n.PassBy():
            return "nothing"
        case _:
            text = " ".join(print_statement(n.rewritten(first, partial(_in_plural, ctx))))
            return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")[:40]


def _in_plural(ctx: Context, node: n.Node) -> n.Node:
    """An amount with the plural of its resource, so that the label does not depend on the
    number.
    """
    if not isinstance(node, n.Amount | n.Transfer):
        return node
    name = ctx.symbols.plurals.get(node.resource.text, node.resource.text)
    return replace(node, resource=replace(node.resource, text=name))


def optional(
    ctx: Context,
    body: s.Block,
    label: str,
    leave: s.Block,
    written: n.Block,
    words: n.Wording | None = None,
) -> s.Block:
    """A body that can be declined: by an answer of its own question, if it consists of that
    alone.
    """
    way_out = s.Alternative(label, None, YES, leave)
    if len(body) == 1 and isinstance(body[0], s.Ask) and body[0].otherwise is None:
        if words is not None:
            text = "The answers are those of the question below it. Give words to these."
            ctx.report("E117", "words for people that are never shown", words.span, text)
        return (s.Ask(body[0].name, (*body[0].alternatives, way_out)),)
    wording = wordings.of_answer(ctx, words, written)
    way = s.Alternative(label_of(ctx, written), None, YES, body, wording)
    return (s.Ask(ctx.frame.owner, (way, way_out)),)


_BLOCKS = ("then", "body", "otherwise")


def report_names_under(ctx: Context, head: n.Statement | n.Alternative) -> None:
    """Reports unknown names in the blocks of a statement whose head was abandoned. Other problems
    in them may be consequences and are dropped.
    """
    before = len(ctx.problems)
    with ctx.frame.scope():
        if isinstance(head, n.Each | n.Alternative) and head.name is not None:
            ctx.frame.name(head.name, None)
        for field in set(_BLOCKS) & set(n.field_names(type(head))):
            below = getattr(head, field)
            ctx.block(below if isinstance(below, tuple) else ())
    ctx.problems[before:] = [one for one in ctx.problems[before:] if isinstance(one, Unresolved)]


# ---- choices of one element or several, by a player or at random ----


MOST_CHOSEN = 16
"""The most elements that one choice can bind."""


def choose(ctx: Context, node: n.Choose, rest: n.Block) -> s.Block:
    """Lowers a choice with the rest of its block, in which the chosen element is bound."""
    if node.at_random and node.in_any_case:
        text = "Chance decides here, and nobody is asked."
        hint = "Leave out `in any case`."
        ctx.fail("E328", "chance is not asked", node.name.span, text, hint)
    refuse_truths(ctx, node.within)
    if node.several is not None:
        return _several(ctx, node, node.several, rest)
    if not node.at_random:
        label = label_of_choice(ctx, node)
        way = _binding_way(ctx, label, node, node.name, node.within, rest)
        return (s.Ask(ctx.frame.owner, (way,), None, s.Manner(False, node.in_any_case)),)
    within, type_ = lowered_set(ctx, node)
    slot = ctx.bind(node.name, type_)
    return (_random(ctx, node, slot, within, type_), *ctx.block(rest))


def refuse_truths(ctx: Context, within: n.Expr) -> None:
    """Refuses to choose between yes and no, which would not say to people what they choose."""
    match within:
        case n.List(items) if all(one.span.text in ("yes", "no") for one in items):
            pass
        case n.Name(t.TRUTH.name):
            pass
        case _:
            return
    text = "What can be chosen has names. Declare them, and choose from `answer`:"
    hint = "values answer: agreed, declined"
    ctx.fail("E301", "yes or no is not chosen from", within.span, text, hint)


def _several(ctx: Context, node: n.Choose, how: n.Several, rest: n.Block) -> s.Block:
    """A choice of several elements, asked for in ascending order so that every set can be chosen in
    one way only.
    """
    _check(ctx, node, how)
    within, type_ = lowered_set(ctx, node)
    slots = [ctx.frame.slot(type_) for _ in range(how.number)]
    ctx.bind(node.name, type_)
    chosen = e.MakeSet(tuple(e.Local(slot) for slot in slots))
    ctx.frame.name(node.name, (chosen, t.set_of(type_)))
    if node.at_random:
        drawn = _draw_at_random(ctx, node, slots, within, type_)
        return (*drawn, *ctx.block(rest))
    label = label_of_choice(ctx, node)
    wordings_ = [wordings.of_choice(ctx, node, *one, type_) for one in enumerate(slots, 1)]
    sets = [within, *(_above(ctx, within, slot, type_) for slot in slots[:-1])]
    bindings = [binding(ctx, *one, type_) for one in zip(slots, sets, strict=True)]
    if not how.fewer:
        _check_enough(ctx, node, how, within, type_)
    done = (s.Alternative(DONE, None, YES, ()),) * how.fewer
    manner = s.Manner(False, node.in_any_case)
    asked: s.Block = () if how.fewer else ctx.block(rest)
    for one, wording in reversed([*zip(bindings, wordings_, strict=True)]):
        ways = s.Alternative(label, one, YES, asked, wording), *done
        asked = (s.Ask(ctx.frame.owner, ways, None, manner).at(node.span),)
    if not how.fewer:
        return asked
    none = [s.Let(slot, NOBODY).at(node.span) for slot in slots]
    return (*none, *asked, *ctx.block(rest))


def _check(ctx: Context, node: n.Choose, how: n.Several) -> None:
    if not 1 <= how.number <= MOST_CHOSEN:
        text = f"From 1 to {MOST_CHOSEN} things can be chosen together."
        ctx.fail("E303", f"{how.number} are chosen", how.span, text)
    if how.fewer and node.at_random:
        text = "`up to` is for players, who may stop early. Chance cannot."
        hint = f"choose {how.number} {node.name.text} in {node.within.span.text} at random"
        ctx.fail("E328", "chance cannot stop early", how.span, text, hint)


def _check_enough(
    ctx: Context, node: n.Choose, how: n.Several, within: e.Expr, type_: t.Single
) -> None:
    """Refuses to choose more elements than the set can ever have."""
    count = len(_domain(ctx, within, type_, {}))
    if not 0 < count < how.number or (type_ == t.PLAYER and PLAYERS in ctx.symbols.options):
        return
    text = f"There are never more than {count} here, so {how.number} cannot be chosen."
    hint = " ".join(node.span.text.split())
    hint = hint.replace(f" {how.span.text} ", f" {count} " if count > 1 else " ", 1)
    ctx.fail("E340", "too few to choose from", how.span, text, hint)


def _above(ctx: Context, within: e.Expr, last: int, type_: t.Single) -> e.Expr:
    """The elements of a set after the one chosen last."""
    slot = ctx.frame.slot(type_)
    return e.Filter(slot, within, e.Compare("more_than", e.Local(slot), e.Local(last)))


def _draw_at_random(
    ctx: Context, node: n.Choose, slots: list[int], within: e.Expr, type_: t.Single
) -> s.Block:
    """Chooses distinct elements at random, as many as there are."""
    found: list[s.Statement] = []
    for at, slot in enumerate(slots):
        before = e.MakeSet(tuple(e.Local(one) for one in slots[:at]))
        rest = e.SetOp("except", within, before) if at else within
        any_left = e.Compare("more_than", e.Size(rest), e.Const(0))
        random = _random(ctx, node, slot, rest, type_)
        found += [s.Let(slot, NOBODY), s.If(any_left, (random,), ())]
    return tuple(one.at(node.span) for one in found)


def _random(ctx: Context, node: n.Choose, slot: int, within: e.Expr, type_: t.Single) -> s.Random:
    label = f"random {node.name.text}"
    return s.Random(label, binding(ctx, slot, within, type_)).at(node.span)
