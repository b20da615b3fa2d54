"""Unknown names in whatever another fault has kept from being lowered, so that all are reported at
once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from targi_dsl.compiler.layers.error_symbols import Unresolved
from targi_dsl.compiler.lowering import calls, names, prices
from targi_dsl.compiler.lowering.ability_texts import bound_names, declared_names, sentences
from targi_dsl.compiler.lowering.compilation import Compilation
from targi_dsl.compiler.lowering.context import Abandoned, Context, Frame
from targi_dsl.compiler.symbols.mentions import COUNTED, Mention, mentions
from targi_dsl.syntax import ast as n
from targi_dsl.syntax import blanks, parse_value
from targi_dsl.text.source import Span

_REFUSED = ("E401", "E402", "E404")
"""Faults for which a whole declaration is not lowered."""
_LOWERED = (n.Rule, n.Define, n.ScorePart, n.Tie, n.FreeExchange, n.Standing)
_CHANGES = (n.ExtendRule, n.ExtendAction, n.ReplaceForbid, n.ExtendForbid)


def report(game: Compilation) -> None:
    """Reports every name that certainly refers to nothing, unless its place is reported already."""
    ctx = game.context
    trees = list(_trees(game))
    declared = {*declared_names(ctx), *_told_elsewhere(ctx, [tree.span for tree, _ in trees])}
    for tree, around in trees:
        local = tree.derived(bound_names) | around
        for node in (tree, *_values(ctx, tree)):
            for one in node.derived(mentions):
                if one.name not in declared and one.name not in local and _is_certain(ctx, one):
                    _report(ctx, one, sorted(local))
        _report_singulars(ctx, tree)


def _told_elsewhere(ctx: Context, places: list[Span]) -> Iterator[str]:
    """The unknown names of other declarations: their uses are consequences."""
    for one in (one for one in ctx.problems if isinstance(one, Unresolved)):
        span = one.span
        if span is not None and not any(place.contains(span) for place in places):
            yield one.name


def _is_certain(ctx: Context, one: Mention) -> bool:
    """Whether the name must refer to a declaration, and not to a player if there are none."""
    if not one.kinds or one.kinds == ("option value",) or one.only_known:
        return False
    if ctx.module_of(one.span) == "cards" and one.name in ctx.nearby:
        return False  # a card from another game's deck may mention what this game lacks (W901)
    return bool(ctx.symbols.players) or "player" not in one.kinds


def _trees(game: Compilation) -> Iterator[tuple[n.Node, frozenset[str]]]:
    """What is lowered, or would be but for a fault, with further names that are known there."""
    ctx, none = game.context, frozenset[str]()
    for effective in ctx.declared.values():
        if isinstance(effective.node, _LOWERED):
            yield effective.node, ctx.own if isinstance(effective.node, n.Standing) else none
    on_cards = tuple(sentences(ctx))
    there = ctx.own.union(*(one.derived(bound_names) for one in on_cards))
    yield from ((one, there) for one in on_cards)
    faults = [one.span for one in ctx.problems if one.code in _REFUSED and one.span is not None]
    for module in game.written.modules.values():
        for node in module.declarations:
            what = node.what if isinstance(node, n.Replace) else node
            if isinstance(what, _LOWERED + _CHANGES) and any(map(node.span.contains, faults)):
                yield what, _around(ctx, what)


def _around(ctx: Context, node: n.Node) -> frozenset[str]:
    """The names that an addition to a rule or action finds there."""
    match node:
        case n.ExtendRule(rule=word) if ctx.is_declared("rule", word.text):
            return ctx.node(n.Rule, word.text).derived(bound_names)
        case n.Rule() | n.Define():
            return frozenset()
        case _:
            return ctx.own


def _values(ctx: Context, tree: n.Node) -> Iterator[n.Node]:
    """The values inside braces in words for people."""
    for wording in tree.every(n.Wording):
        for said in (said for quoted in wording.every(n.Quoted) for said in blanks(quoted)):
            node, _ = ctx.project.sentence(parse_value, said)
            if node is not None:
                yield node


def _report(ctx: Context, one: Mention, local: list[str]) -> None:
    if _is_told(ctx, one.span) or ("card" in one.kinds and ctx.symbols.errors.no_cards):
        return
    word = n.Word(one.name, span=one.span)
    with suppress(Abandoned):
        if one.kinds[0] == "rule":
            calls.rule_number(ctx, word)
        elif one.kinds[0] in COUNTED:
            prices.item(ctx, word)
        else:
            every = (*local, *names.all_names(ctx, Frame("")), *ctx.cards.fields)
            names.unknown(ctx, word, (*every, *ctx.symbols.relations))


def _report_singulars(ctx: Context, tree: n.Node) -> None:
    for amount in tree.every(n.Amount):
        if not _is_told(ctx, amount.resource.span):
            with suppress(Abandoned):
                prices.resource_word(ctx, amount)


def _is_told(ctx: Context, place: Span) -> bool:
    return any(one.span is not None and one.span.contains(place) for one in ctx.problems)
