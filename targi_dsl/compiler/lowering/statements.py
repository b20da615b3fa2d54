"""Lowers statements and blocks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import assert_never

from targi_dsl.compiler.layers.changes import anchor_name
from targi_dsl.compiler.lowering import (
    calls,
    coercion,
    moves,
    passing,
    questions,
    repetition,
    resources,
    secrets,
    turns,
)
from targi_dsl.compiler.lowering.abilities import forbid
from targi_dsl.compiler.lowering.context import YES, Abandoned, Context, instead
from targi_dsl.compiler.symbols.table import Typed
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import YOU
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Label, Problem

MOST_TIMES = 50
_HEAD = (n.Let, n.Forbid, n.Do, n.Pay)
"""Statements that may precede a prohibition; so may a choice, and an `if` that contains only
these.
"""


def block(ctx: Context, body: n.Block) -> s.Block:
    """Lowers a block, which is a scope. The rest of a block after `choose` is lowered as part of
    the choice.
    """
    if ctx.frame.is_about_another and body:  # the addressed player acts in nested blocks
        return (turns.back(ctx, body),)
    _check_order(ctx, body)
    with ctx.frame.scope():
        return tuple(_steps(ctx, body))


def _steps(ctx: Context, body: n.Block) -> Iterator[s.Statement]:
    """Lowers the statements of a block in its scope; each gets its span."""
    for i, node in enumerate(body):
        try:
            chosen = _choice(ctx, node, body[i + 1 :])
            lowered = moves.with_refills(ctx, statement(ctx, node)) if chosen is None else chosen
            yield from (one.at(node.span) for one in lowered)
            if chosen is not None:
                return  # the rest of the block belongs to the choice
        except Abandoned:
            if isinstance(node, n.Let | n.Roll | n.Choose):
                ctx.frame.name(node.name, None)
            ctx.asking.add(ctx.frame.owner)  # the abandoned statement may be a question
            questions.report_names_under(ctx, node)


def _check_order(ctx: Context, body: n.Block) -> None:
    """Refuses a prohibition after an effect (E325). If a module has added one of the two, the hint
    says where the extension belongs.
    """
    head = list(takewhile(lambda one: not isinstance(one, n.Choose), body))
    done: n.Statement | None = None
    late: list[n.Forbid] = []
    for part in head:
        done = done or _effect(part)
        if done is not None and isinstance(part, n.Forbid):
            late.append(part)
    if done is None or not late:
        return
    text, hint = "Prohibitions are checked before anything is done, so they come first.", ""
    owner, adding = ctx.declared.get(("rule", ctx.frame.owner)), ctx.module_of(done.span)
    if owner is not None and adding != ctx.module_of(late[0].span):
        places = [f"before {name}" for part in head if (name := anchor_name(part)) is not None]
        if adding != ctx.module_of(owner.node.span):
            places = [f"after {late[-1].name.text}"]
        if places[0] != f"before {late[0].name.text}":
            text, hint = f"{text} Write:", f"extend rule {ctx.frame.owner} {places[0]}"
    labels = (Label(done.span, "done first"),)
    title = "a prohibition after an effect"
    ctx.problems.append(Problem("E325", title, late[0].name.span, text, hint, labels=labels))


def _effect(node: n.Statement) -> n.Statement | None:
    """The first statement with an effect: this one, or one inside it if it is an `if`; else
    None.
    """
    if isinstance(node, n.If):
        under = (_effect(one) for one in (*node.then, *node.otherwise))
        return next((one for one in under if one is not None), None)
    return None if isinstance(node, _HEAD) else node


def _choice(ctx: Context, node: n.Statement, rest: n.Block) -> s.Block | None:
    """Lowers a choice with the rest of the block; None for any other statement."""
    match node:
        case n.Choose():
            return questions.choose(ctx, node, rest)
        case n.By(who, n.Choose() as chosen):
            with turns.about(ctx, who) as turn:
                asked = questions.choose(ctx, chosen, rest)
                return (turn(tuple(one.at(node.span) for one in asked)),)
        case _:
            return None


def _by(ctx: Context, node: n.By) -> s.Block:
    """Lowers a statement about another player, in which `your` still refers to the addressed
    player.
    """
    if isinstance(node.who, n.Those):
        span, those, name = node.span, node.who.span.text, node.who.name.text
        new = instead(f"each {those[1:-1]}: {name} {span.text.removeprefix(those).lstrip()}")
        text = "What each of several players does is said of one after the other:"
        ctx.fail("E302", "a single player is needed, not a set", span, text, new)
    if isinstance(node.statement, n.Gain) and not resources.has_choice(ctx, node.statement):
        who = coercion.of_kind(ctx, node.who, t.PLAYER)
        return resources.gain(ctx, node.statement, who)
    with turns.about(ctx, node.who) as turn:
        return (turn(tuple(one.at(node.span) for one in statement(ctx, node.statement))),)


def statement(ctx: Context, node: n.Statement) -> s.Block:
    if isinstance(node, n.Gain | n.Pay | n.Lose):
        resources.refuse_variable(ctx, node)
    match node:  # the most frequent first
        case n.Do():
            rule = calls.rule_number(ctx, node.rule)
            return (s.Do(rule, passing.passed(ctx, node.rule, node.arguments)),)
        case n.Gain():
            return resources.gain(ctx, node, e.Local(YOU))
        case n.Put():
            return moves.put(ctx, node)
        case n.Forbid():
            return (_named_forbid(ctx, node),)
        case n.If():
            condition = coercion.truth(ctx, node.condition)
            then, otherwise = (block(ctx, one) for one in (node.then, node.otherwise))
            return (s.If(condition, then, otherwise),)
        case n.Assign():
            return moves.assign(ctx, node)
        case n.OneOf():
            ways = questions.alternatives(ctx, node.alternatives)
            ways += questions.offers_of_abilities(ctx)
            unanswered = block(ctx, node.otherwise) if node.otherwise else None
            return (s.Ask(ctx.frame.owner, ways, unanswered),)
        case n.EachPlayer():
            return (turns.each_player(ctx, node),)
        case n.DoAction():
            return (s.DoAction(coercion.of_kind(ctx, node.card, t.CARD)),)
        case n.Let():
            return (_let(ctx, node),)
        case n.Pay():
            unpaid = None
            if node.otherwise is not None:
                unpaid = block(ctx, (node.otherwise,))
            pay = s.Pay(resources.reference(ctx, node.price), resources.terms(ctx), unpaid)
            return (pay,) if node.to is None else resources.pay_to(ctx, pay, node.to)
        case n.Move():
            return moves.move(ctx, node)
        case n.Lose() | n.Keep():
            return resources.lose(ctx, node)
        case n.By():
            return _by(ctx, node)
        case n.Exchange():
            ways = resources.exchange(ctx, node)
            return (s.Ask(ctx.frame.owner, ways),)
        case n.Store():
            return tuple(moves.store(ctx, amount, node.span) for amount in node.amounts)
        case n.Place():
            return moves.place(ctx, node)
        case n.RemovePieces():
            return moves.remove(ctx, node)
        case n.Swap():
            return _swap(ctx, node)
        case n.Transfer():
            return resources.transfer(ctx, node)
        case n.Draw():
            return moves.draw(ctx, node)
        case n.Deal():
            return moves.deal(ctx, node)
        case n.Fill():
            return moves.fill(ctx, node)
        case n.Turn():
            return (s.Turn(moves.cards(ctx, node.cards), node.facing == "up"),)
        case n.Reveal() if secrets.is_secret(ctx, node.cards):
            return secrets.reveal(ctx, node)
        case n.Reveal():
            return (s.Reveal(moves.cards(ctx, node.cards)),)
        case n.LookAt():
            return (s.Reveal(moves.cards(ctx, node.cards), e.Local(YOU)),)
        case n.Tell():
            return secrets.tell(ctx, node)
        case n.Remember():
            return repetition.remember(ctx, node)
        case n.Shuffle():
            return (s.Shuffle(coercion.of_kind(ctx, node.zone, t.PLACE), ctx.frame.slot(t.NUMBER)),)
        case n.ChooseInSecret():
            return secrets.choose(ctx, node)
        case n.RollVariable():
            return secrets.roll(ctx, node)
        case n.Roll():
            low, high = (coercion.number(ctx, one) for one in (node.low, node.high))
            match low, high:
                case e.Const(int(least)), e.Const(int(most)) if least > most:
                    text = "The lowest number comes first."
                    ctx.fail("E326", "nothing can be rolled", node.span, text)
            return (s.Roll(ctx.bind(node.name, t.NUMBER), low, high),)
        case n.EndGame():
            return (s.EndGame(ctx.frame.rule),)
        case n.Outcome():
            return turns.lower(ctx, node)
        case n.Stop():
            return (s.Stop(),)
        case n.PassBy():
            return ()
        case n.Each():
            return _each(ctx, node)
        case n.TurnOf():
            return (turns.turn_of(ctx, node),)
        case n.ByTurns():
            return turns.by_turns(ctx, node)
        case n.Pass():
            return turns.pass_(ctx, node)
        case n.Repeat():
            return turns.repeat(ctx, node)
        case n.RepeatUntil():
            return (turns.repeat_until(ctx, node),)
        case n.Times():
            counted: s.Block = ()
            limit: e.Expr = e.Const(MOST_TIMES)
            if node.limit is not None:
                counted, limit = coercion.once(ctx, coercion.number(ctx, node.limit))
            slot, leave = ctx.frame.slot(t.NUMBER), (s.Leave(),)
            body = block(ctx, node.body)
            asked = questions.optional(ctx, body, questions.DONE, leave, node.body, node.wording)
            return (*counted, s.Loop(slot, limit, asked))
        case n.May():
            body, label = block(ctx, node.body), questions.DECLINE
            return questions.optional(ctx, body, label, (), node.body, node.wording)
        case n.AnyOrder():
            slot = ctx.frame.slot(t.NUMBER)
            ways = questions.alternatives(ctx, node.alternatives)
            done = s.Alternative(questions.DONE, None, YES, (s.Leave(),))
            ways += (*questions.offers_of_abilities(ctx), done)
            return (s.Loop(slot, e.Const(MOST_TIMES), (s.Ask(ctx.frame.owner, ways),)),)
        case n.Choose():
            raise AssertionError("a choice is made with the rest of its block")
        case _:
            assert_never(node)


def _swap(ctx: Context, node: n.Swap) -> s.Block:
    for one in (node.card, node.other):
        _, type_ = ctx.lower(one)
        if isinstance(type_, t.Place):
            text = "A zone or space is no card. `swap` exchanges two cards:"
            new = f"swap top of {node.card.span.text} and top of {node.other.span.text}"
            ctx.fail("E301", "cards are swapped, not places", node.span, text, instead(new))
        moves.cards(ctx, one)  # so that errors are reported at the operands
    with ctx.frame.scope():
        lowered = [one for step in moves.swap_steps(node) for one in statement(ctx, step)]
    return tuple(one.at(node.span) for one in lowered)


def _let(ctx: Context, node: n.Let) -> s.Let:
    value, type_ = coercion.read(ctx, node.value, lambda one: _single(ctx, one))
    if isinstance(type_, t.Place) and not type_.is_zone:
        type_ = t.PLACE
    return s.Let(ctx.bind(node.name, type_, is_unsure=True), value)


def _single(ctx: Context, node: n.Expr) -> Typed:
    """Lowers what can be bound to a name: a single thing."""
    value, type_ = ctx.lower(node)
    if isinstance(type_, t.SetOf | t.Nothing):
        text = "A name stands for a single thing; write the set where it is needed, or define it."
        hint = instead(f"first {node.span.text}")
        ctx.fail("E302", "a single thing is needed, not a set", node.span, text, hint)
    return value, type_


def _named_forbid(ctx: Context, node: n.Forbid) -> s.Forbid:
    """Lowers a prohibition, whose name must be unique in its rule."""
    name, span = node.name.text, node.span
    holds = coercion.truth(ctx, node.condition)
    first = ctx.frame.forbids.setdefault(name, span)
    if first is not span:
        text = "A name can stand for only one prohibition of a rule."
        labels = (Label(first, "first here"),)
        ctx.report("E202", f"`{name}` appears twice", span, text, labels=labels)
    condition = _as_written(node.condition)
    return forbid(ctx, name, holds, node.reason or condition, span, condition)


def _as_written(condition: n.Expr) -> str:
    """The source of a condition; one that layers have extended has several spans."""
    match condition:
        case n.Logic("or", parts) if condition.span is parts[-1].span:
            return " or ".join(map(_as_written, parts))
        case _:
            return " ".join(condition.span.text.split())


def _each(ctx: Context, node: n.Each) -> s.Block:
    with ctx.frame.scope():
        counted: s.Block = ()
        within, type_ = coercion.lower_set(ctx, node.within)
        if isinstance(within, e.Range):  # its bounds do not move with what the steps change
            before, low = coercion.once(ctx, within.low)
            after, high = coercion.once(ctx, within.high)
            counted, within = (*before, *after), e.Range(low, high)
        slot = ctx.bind(node.name, type_)
        ctx.frame.ranges[node.name.text] = node
        if node.condition is not None:
            tested = ctx.frame.slot(type_)  # a separate slot: the loop's slot is its state
            ctx.frame.name(node.name, (e.Local(tested), type_))
            within = e.Filter(tested, within, coercion.truth(ctx, node.condition))
            ctx.frame.name(node.name, (e.Local(slot), type_))
        return (*counted, s.Each(slot, within, block(ctx, node.body)))
