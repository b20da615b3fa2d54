"""Lowers references to cards by name, and tests of their fields, to constant sets."""

from __future__ import annotations

from targi_dsl.compiler.context import Context, Frame, Wrong
from targi_dsl.compiler.fitting import kind_number, of_kind
from targi_dsl.compiler.noted import KindAsked
from targi_dsl.compiler.types import Typed
from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.syntax import ast as n


def named(ctx: Context, node: n.CardNamed) -> Typed:
    """`the card C`, or all its copies with `the cards C`."""
    name = node.card.text
    found = tuple(i for i, one in enumerate(ctx.cards.entries) if one.entry.id == name)
    if not found:
        ctx.known(name)
        if ctx.symbols.errors.no_cards:
            raise Wrong  # it may be one of the cards with errors
        known = dict.fromkeys(card.entry.id for card in ctx.cards.entries)
        ctx.unknown("card", node.card, "No deck of this game has a card with that name.", known)
    type_ = t.Card(ctx.cards.entries[found[0]].kind)
    if node.all:
        return e.Const(found), t.set_of(type_)
    if len({ctx.cards.entries[number].set for number in found}) > 1:
        raise Wrong  # one id in two sets is reported with its deck
    if len(found) > 1:
        text = f"The game has {len(found)} of them. To name one of them, write:"
        hint = f"first the cards {name}"
        ctx.fail("E204", f"which `{name}`?", node.card.span, text, hint)
    return e.Const(found[0]), type_


def has_field(ctx: Context, frame: Frame, node: n.HasField) -> Typed:
    """`C has an ability`: whether a card has that field."""
    name = node.field.text
    subject = of_kind(ctx, frame, node.subject, t.CARD)
    known = {field for kind in ctx.symbols.kinds.values() for field in kind}
    if name not in known:
        ctx.known(name)
        text = f"The cards of this game have: {', '.join(sorted(known))}."
        ctx.unknown("field", node.field, text, known)
    filled = tuple(i for i, one in enumerate(ctx.cards.entries) if name in one.entry.fields)
    there = e.Member(subject, e.Const(filled))
    return (e.Not(there) if node.article == "no" else there), t.TRUTH


def is_kind(ctx: Context, frame: Frame, node: n.IsKind) -> Typed:
    """`card is a KIND`"""
    card = of_kind(ctx, frame, node.subject, t.CARD)
    kind = kind_number(ctx, node.kind)
    if frame.rule != NOTHING:
        ctx.noted.kinds.append(KindAsked(frame.rule, card, kind, node.span))
    kinds = (*(one.kind for one in ctx.cards.cards), NOTHING)
    return e.Compare("is", e.Table(kinds, card), e.Const(kind)), t.TRUTH
