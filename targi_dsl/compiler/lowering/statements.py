"""Lowers statements and blocks."""

from __future__ import annotations

from itertools import takewhile
from typing import assert_never

from targi_dsl.compiler.layers.bodies import anchor_name
from targi_dsl.compiler.lowering import (
    amounts,
    blocks,
    calls,
    fitting,
    grouping,
    holders,
    moves,
    outcomes,
    prices,
    questions,
    repetition,
    secrets,
    turns,
)
from targi_dsl.compiler.lowering.blocks import bind_name, forbid
from targi_dsl.compiler.lowering.context import YES, Abandoned, Context, Frame, instead
from targi_dsl.compiler.symbols.types import Typed
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import YOU
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Label, Problem

MOST_TIMES = 50
_HEAD = (n.Let, n.Forbid, n.Do, n.Pay)
"""Statements that may come before a prohibition, as may a choice and, with these in it, an `if`."""


def block(ctx: Context, frame: Frame, body: n.Block) -> s.Block:
    """A block; names bound in it end with it. After `choose`, the rest of the block belongs to
    the choice.
    """
    if frame.is_about_another and body:  # everything else is done by the addressed player
        return (turns.back(ctx, frame, body),)
    names = dict(frame.names)
    done: list[s.Statement] = []
    _check_order(ctx, frame, body)
    for i, node in enumerate(body):
        try:
            chosen = _choice(ctx, frame, node, body[i + 1 :])
            if chosen is not None:
                done.extend(one.at(node.span) for one in chosen)
                break  # the rest of the block belongs to the choice
            lowered = moves.with_refills(ctx, frame, statement(ctx, frame, node))
            done.extend(one.at(node.span) for one in lowered)
        except Abandoned:
            _bind_unknown(frame, node)
            ctx.asking.add(frame.owner)  # the abandoned statement may be a question
            blocks.report_names_under(ctx, frame, node)
    frame.names = names
    return tuple(done)


def _check_order(ctx: Context, frame: Frame, body: n.Block) -> None:
    """Reports the first prohibition after an effect. If a module has added one of them to a rule,
    the hint says where to.
    """
    head = list(takewhile(lambda one: not isinstance(one, n.Choose), body))
    done, late = None, list[n.Forbid]()
    for part in head:
        done = done or _effect(part)
        if done is not None and isinstance(part, n.Forbid):
            late.append(part)
    if done is None or not late:
        return
    text, hint = "Prohibitions are checked before anything is done, so they come first.", ""
    owner, adding = ctx.declared.get(("rule", frame.owner)), ctx.module_of(done.span)
    if owner is not None and adding != ctx.module_of(late[0].span):
        places = [f"before {name}" for part in head if (name := anchor_name(part)) is not None]
        if adding != ctx.module_of(owner.node.span):
            places = [f"after {late[-1].name.text}"]
        if places[0] != f"before {late[0].name.text}":
            text, hint = f"{text} Write:", f"extend rule {frame.owner} {places[0]}"
    labels = (Label(done.span, "done first"),)
    title = "a prohibition after an effect"
    ctx.problems.append(Problem("E325", title, late[0].name.span, text, hint, labels=labels))


def _effect(node: n.Statement) -> n.Statement | None:
    """The first statement behind which nothing is examined: this one, or one under its `if`."""
    if isinstance(node, n.If):
        under = (_effect(one) for one in (*node.then, *node.otherwise))
        return next((one for one in under if one is not None), None)
    return None if isinstance(node, _HEAD) else node


def _choice(ctx: Context, frame: Frame, node: n.Statement, rest: n.Block) -> s.Block | None:
    """A choice with the rest of the block; None for any other statement."""
    match node:
        case n.Choose():
            return questions.choose(ctx, frame, node, rest)
        case n.By(who, n.Choose() as chosen):
            with turns.about(ctx, frame, who) as turn:
                return (turn(questions.choose(ctx, frame, chosen, rest)),)
        case _:
            return None


def _by(ctx: Context, frame: Frame, node: n.By) -> s.Block:
    """A statement about another player, in which `your` still refers to the addressed player."""
    if isinstance(node.statement, n.Gain) and not amounts.has_choice(ctx, node.statement):
        who = fitting.of_kind(ctx, frame, node.who, t.PLAYER)
        return amounts.gain(ctx, frame, node.statement, who)
    with turns.about(ctx, frame, node.who) as turn:
        return (turn(tuple(one.at(node.span) for one in statement(ctx, frame, node.statement))),)


def _bind_unknown(frame: Frame, node: n.Statement) -> None:
    # One mistake, one message: what follows may use the name that could not be understood.
    if isinstance(node, n.Let | n.Roll | n.Choose):
        frame.bind(node.name, t.UNKNOWN)


def statement(ctx: Context, frame: Frame, node: n.Statement) -> s.Block:
    """Lowers one statement."""
    match node:  # the most frequent first
        case n.Do():
            rule = calls.rule_number(ctx, node.rule)
            return (s.Do(rule, calls.call_arguments(ctx, frame, node.rule, node.arguments)),)
        case n.Gain():
            return amounts.gain(ctx, frame, node, e.Local(YOU))
        case n.Put():
            return moves.put(ctx, frame, node)
        case n.Forbid():
            return (_named_forbid(ctx, frame, node),)
        case n.If():
            condition = fitting.truth(ctx, frame, node.condition)
            then, otherwise = (block(ctx, frame, one) for one in (node.then, node.otherwise))
            return (s.If(condition, then, otherwise),)
        case n.Assign():
            return (moves.assign(ctx, frame, node),)
        case n.OneOf():
            ways = questions.alternatives(ctx, frame, node.alternatives)
            ways += questions.offers_of_abilities(ctx, frame)
            unanswered = block(ctx, frame, node.otherwise) if node.otherwise else None
            return (s.Ask(frame.owner, ways, unanswered),)
        case n.EachPlayer():
            return (turns.each_player(ctx, frame, node),)
        case n.DoAction():
            return (s.DoAction(fitting.of_kind(ctx, frame, node.card, t.CARD)),)
        case n.Let():
            return (_let(ctx, frame, node),)
        case n.Pay():
            unpaid = None
            if node.otherwise is not None:
                unpaid = block(ctx, frame, (node.otherwise,))
            return (amounts.pay(ctx, frame, prices.reference(ctx, frame, node.price), unpaid),)
        case n.Move():
            return moves.move(ctx, frame, node)
        case n.Lose():
            return amounts.lose(ctx, frame, node)
        case n.Keep():
            return amounts.keep(ctx, frame, node)
        case n.By():
            return _by(ctx, frame, node)
        case n.Exchange():
            ways = amounts.exchange(ctx, frame, node)
            return (s.Ask(frame.owner, ways),)
        case n.Store():
            return tuple(moves.store(ctx, frame, amount, node.span) for amount in node.amounts)
        case n.Place():
            return moves.place(ctx, frame, node)
        case n.RemovePieces():
            return moves.remove(ctx, frame, node)
        case n.Swap():
            return _swap(ctx, frame, node)
        case n.Transfer():
            return holders.transfer(ctx, frame, node)
        case n.Draw():
            return moves.draw(ctx, frame, node)
        case n.Deal():
            return moves.deal(ctx, frame, node)
        case n.Fill():
            return moves.fill(ctx, frame, node)
        case n.Turn():
            return (s.Turn(moves.cards(ctx, frame, node.cards), node.facing == "up"),)
        case n.Reveal() if secrets.is_secret(ctx, frame, node.cards):
            return secrets.reveal(ctx, frame, node)
        case n.Reveal():
            return (s.Reveal(moves.cards(ctx, frame, node.cards)),)
        case n.LookAt():
            return (s.Reveal(moves.cards(ctx, frame, node.cards), e.Local(YOU)),)
        case n.Tell():
            return secrets.tell(ctx, frame, node)
        case n.Remember():
            return repetition.remember(ctx, frame, node)
        case n.Shuffle():
            return (
                s.Shuffle(fitting.of_kind(ctx, frame, node.zone, t.PLACE), frame.slot(t.NUMBER)),
            )
        case n.ChooseInSecret():
            return (secrets.choose(ctx, frame, node),)
        case n.RollVariable():
            return secrets.roll(ctx, frame, node)
        case n.Roll():
            low, high = (fitting.number(ctx, frame, one) for one in (node.low, node.high))
            match low, high:
                case e.Const(int(least)), e.Const(int(most)) if least > most:
                    text = "The lowest number comes first."
                    ctx.fail("E326", "nothing can be rolled", node.span, text)
            return (s.Roll(bind_name(ctx, frame, node.name, t.NUMBER), low, high),)
        case n.EndGame():
            return (s.EndGame(frame.rule),)
        case n.Outcome():
            return outcomes.lower(ctx, frame, node)
        case n.Stop():
            return (s.Stop(),)
        case n.PassBy():
            return ()
        case n.Each():
            return (_each(ctx, frame, node),)
        case n.TurnOf():
            return (turns.turn_of(ctx, frame, node),)
        case n.ByTurns():
            return turns.by_turns(ctx, frame, node)
        case n.Pass():
            return turns.pass_(ctx, frame, node)
        case n.Repeat():
            return turns.repeat(ctx, frame, node)
        case n.RepeatUntil():
            return (turns.repeat_until(ctx, frame, node),)
        case n.Times():
            limit: e.Expr = e.Const(MOST_TIMES)
            if node.limit is not None:
                limit = fitting.number(ctx, frame, node.limit)
            slot, leave = frame.slot(t.NUMBER), (s.Leave(),)
            body = block(ctx, frame, node.body)
            asked = questions.optional(
                ctx, frame, body, questions.DONE, leave, node.body, node.wording
            )
            return (s.Loop(slot, limit, asked),)
        case n.May():
            body, label = block(ctx, frame, node.body), questions.DECLINE
            return questions.optional(ctx, frame, body, label, (), node.body, node.wording)
        case n.AnyOrder():
            slot = frame.slot(t.NUMBER)
            ways = questions.alternatives(ctx, frame, node.alternatives)
            done = s.Alternative(questions.DONE, None, YES, (s.Leave(),))
            ways += (*questions.offers_of_abilities(ctx, frame), done)
            return (s.Loop(slot, e.Const(MOST_TIMES), (s.Ask(frame.owner, ways),)),)
        case n.Choose():
            raise AssertionError("a choice is made with the rest of its block")
        case _:
            assert_never(node)


def _swap(ctx: Context, frame: Frame, node: n.Swap) -> s.Block:
    """Swaps two cards."""
    for one in (node.card, node.other):
        moves.cards(ctx, frame, one)  # reported for what is written, if it is not a card
    with frame.scope():
        lowered = [one for said in moves.swap_steps(node) for one in statement(ctx, frame, said)]
    return tuple(one.at(node.span) for one in lowered)


def _let(ctx: Context, frame: Frame, node: n.Let) -> s.Let:
    value, type_ = grouping.read(ctx, frame, node.value, lambda one: _single(ctx, frame, one))
    if isinstance(type_, t.Place) and not type_.is_zone:
        type_ = t.PLACE
    return s.Let(bind_name(ctx, frame, node.name, type_), value)


def _single(ctx: Context, frame: Frame, node: n.Expr) -> Typed:
    """Things that can be bound to a name."""
    value, type_ = fitting.lower(ctx, frame, node)
    if isinstance(type_, t.SetOf | t.Nothing):
        text = "A name stands for a single thing; write the set where it is needed, or define it."
        hint = instead(f"first {node.span.text}")
        ctx.fail("E302", "a single thing is needed, not a set", node.span, text, hint)
    return value, type_


def _named_forbid(ctx: Context, frame: Frame, node: n.Forbid) -> s.Forbid:
    """A prohibition with a name, unique in its rule."""
    name, span = node.name.text, node.span
    holds = fitting.truth(ctx, frame, node.condition)
    twin = frame.forbids.setdefault(name, span)
    if twin is not span:
        text, labels = (
            "A name can stand for only one prohibition of a rule.",
            (Label(twin, "first here"),),
        )
        ctx.report("E202", f"`{name}` appears twice", span, text, labels=labels)
    condition = _as_written(node.condition)
    return forbid(ctx, frame, name, holds, node.reason or condition, span, condition)


def _as_written(condition: n.Expr) -> str:
    """A condition in the words of the rules; one that a layer has extended is in two places."""
    match condition:
        case n.Logic("or", parts) if condition.span is parts[-1].span:
            return " or ".join(map(_as_written, parts))
        case _:
            return " ".join(condition.span.text.split())


def _each(ctx: Context, frame: Frame, node: n.Each) -> s.Statement:
    with frame.scope():
        within, type_ = fitting.lower_set(ctx, frame, node.within)
        slot = bind_name(ctx, frame, node.name, type_)
        frame.ranges[node.name.text] = node.within.span
        if node.condition is not None:
            tested = frame.slot(type_)  # a separate slot: the loop's slot is its state
            frame.names[node.name.text] = (e.Local(tested), type_)
            within = e.Filter(tested, within, fitting.truth(ctx, frame, node.condition))
            frame.names[node.name.text] = (e.Local(slot), type_)
        return s.Each(slot, within, block(ctx, frame, node.body))
