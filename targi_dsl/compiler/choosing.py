"""Lowers `choose`: one element or several, by a player or at random."""

from __future__ import annotations

from targi_dsl.compiler import parts, questions, wordings
from targi_dsl.compiler.context import NOBODY, YES, Context, Frame
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.syntax import ast as n

MOST_CHOSEN = 16
"""The most things that are chosen together."""


def choose(ctx: Context, frame: Frame, node: n.Choose, rest: n.Block) -> s.Block:
    """A choice together with the rest of the block, in which the chosen thing is bound."""
    if node.several is not None:
        return _several(ctx, frame, node, node.several, rest)
    if not node.at_random:
        return (questions.choose(ctx, frame, node, rest),)
    within, type_ = questions.lowered_set(ctx, frame, node)
    slot = parts.bound(ctx, frame, node.name, type_)
    return (_random(ctx, node, slot, within, type_), *parts.block(ctx, frame, rest))


def _several(ctx: Context, frame: Frame, node: n.Choose, how: n.Several, rest: n.Block) -> s.Block:
    """Chooses several elements in ascending order, so that every set can be chosen in only one
    way.
    """
    _check(ctx, node, how)
    within, type_ = questions.lowered_set(ctx, frame, node)
    slots = [frame.slot(type_) for _ in range(how.number)]
    parts.bound(ctx, frame, node.name, type_)
    chosen = e.MakeSet(tuple(e.Local(slot) for slot in slots))
    frame.names[node.name.text] = chosen, t.set_of(type_)
    if node.at_random:
        drawn = _drawn(ctx, node, slots, within, type_)
        return (*drawn, *parts.block(ctx, frame, rest))
    label = questions.label_of_choice(frame, node)
    worded = [
        wordings.number(ctx, frame.naming(node.name, slot, type_), node.wording) for slot in slots
    ]
    sets = [within, *(_above(frame, within, slot, type_) for slot in slots[:-1])]
    bindings = [questions.binding(ctx, *one, type_) for one in zip(slots, sets, strict=True)]
    if not how.fewer:
        body = parts.block(ctx, frame, rest)
        for one, wording in reversed([*zip(bindings, worded, strict=True)]):
            way = s.Alternative(label, one, YES, body, wording)
            body = (s.Ask(frame.owner, (way,), ()).at(node.span),)
        return body
    asked: s.Block = ()
    done = s.Alternative(questions.DONE, None, YES, ())
    for one, wording in reversed([*zip(bindings, worded, strict=True)]):
        ways = s.Alternative(label, one, YES, asked, wording), done
        asked = (s.Ask(frame.owner, ways, ()).at(node.span),)
    none = [s.Let(slot, NOBODY).at(node.span) for slot in slots]
    return (*none, *asked, *parts.block(ctx, frame, rest))


def _check(ctx: Context, node: n.Choose, how: n.Several) -> None:
    if not 1 <= how.number <= MOST_CHOSEN:
        text = f"From 1 to {MOST_CHOSEN} things are chosen together."
        ctx.fail("E303", f"{how.number} are chosen", how.span, text)
    if how.fewer and node.at_random:
        text = "Chance does not stop early; it takes as many as there are."
        hint = f"choose {how.number} {node.name.text} in {node.within.span.text} at random"
        ctx.fail("E328", "chance takes all that it is told to", how.span, text, hint)


def _above(frame: Frame, within: e.Expr, last: int, type_: t.Single) -> e.Expr:
    """The elements of a set after the one chosen last."""
    slot = frame.slot(type_)
    return e.Filter(slot, within, e.Compare("more_than", e.Local(slot), e.Local(last)))


def _drawn(
    ctx: Context, node: n.Choose, slots: list[int], within: e.Expr, type_: t.Single
) -> s.Block:
    """Chooses elements at random without replacement, as many as there are."""
    found: list[s.Statement] = []
    for at, slot in enumerate(slots):
        before = e.MakeSet(tuple(e.Local(one) for one in slots[:at]))
        left = e.SetOp("except", within, before) if at else within
        there = e.Compare("more_than", e.Size(left), e.Const(0))
        random = _random(ctx, node, slot, left, type_)
        found += [s.Let(slot, NOBODY), s.If(there, (random,), ())]
    return tuple(one.at(node.span) for one in found)


def _random(ctx: Context, node: n.Choose, slot: int, within: e.Expr, type_: t.Single) -> s.Random:
    label = f"random {node.name.text}"
    return s.Random(label, questions.binding(ctx, slot, within, type_)).at(node.span)
