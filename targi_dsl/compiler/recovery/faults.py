"""Decides which problems are reported: unknown names that another fault has hidden, which unknown
names are faults of their own, and which repairs are shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice

from msgspec.structs import replace

from targi_dsl.compiler.layers.error_symbols import ErrorSymbols, Unresolved
from targi_dsl.compiler.lowering import calls, names, resources
from targi_dsl.compiler.lowering.abilities import bound_names, declared_names, sentences
from targi_dsl.compiler.lowering.context import Abandoned, Compilation, Context
from targi_dsl.compiler.lowering.wordings import values_in_words
from targi_dsl.compiler.project.written import NearbyNames
from targi_dsl.compiler.symbols.mentions import COUNTED, Mention, mentions
from targi_dsl.ir.origins import Origin
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Edit, Label, Problem, apart, apply_edits
from targi_dsl.text.source import Source, Span

_REFUSED = ("E401", "E402", "E404")
"""Faults for which a whole declaration is not lowered."""
_LOWERED = (n.Rule, n.Define, n.ScorePart, n.Tie, n.Never, n.FreeExchange, n.Standing)
_CHANGES = (n.ExtendRule, n.ExtendAction, n.ReplaceForbid, n.ExtendForbid)


def report_overlooked(game: Compilation) -> None:
    """Reports every name that certainly refers to nothing, unless its place is reported already."""
    ctx = game.context
    trees = list(_trees(game))
    declared = {*declared_names(ctx), *_told_elsewhere(ctx, [tree.span for tree, _ in trees])}
    for tree, around in trees:
        local = tree.derived(bound_names) | around
        for node in (tree, *values_in_words(ctx, tree)):
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
    for node in game.written.declarations:
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


def _report(ctx: Context, one: Mention, local: list[str]) -> None:
    if _is_told(ctx, one.span) or ("card" in one.kinds and ctx.symbols.errors.no_cards):
        return
    word = n.Word(one.name, span=one.span)
    with suppress(Abandoned):
        if one.kinds[0] == "rule":
            calls.rule_number(ctx, word)
        elif one.kinds[0] in COUNTED:
            resources.item_named(ctx, word)
        else:
            every = (*local, *names.all_names(ctx), *ctx.cards.fields)
            names.unknown(ctx, word, (*every, *ctx.symbols.relations))


def _report_singulars(ctx: Context, tree: n.Node) -> None:
    for amount in tree.every(n.Amount):
        if not _is_told(ctx, amount.resource.span):
            with suppress(Abandoned):
                resources.resource_word(ctx, amount)


def _is_told(ctx: Context, place: Span) -> bool:
    return any(one.span is not None and one.span.contains(place) for one in ctx.problems)


def resolve(
    problems: list[Problem],
    symbols: ErrorSymbols,
    nearby: NearbyNames,
    gone: Mapping[str, Origin],
    own: Collection[str],
) -> Iterator[Problem]:
    """The problems without consequences of others, and with hints for unknown names.

    `gone` has the names that a removal or replacement took away, `own` those that the game
    declares.
    """
    for problem in _one_for_many_cards(problems):
        if symbols.excuse(problem):
            continue
        if isinstance(problem, Unresolved):
            explained = problem if problem.name in own else _explained(problem, nearby, gone)
            yield _without_lookups(explained)
        else:
            yield problem


_OF_FIELDS = ("E503", "E510", "E511", "E512", "E513")
_FEW = 3
"""So many cards of a file with the same fault are told one by one."""


def _one_for_many_cards(problems: Iterable[Problem]) -> Iterator[Problem]:
    """The problems, of which the first stands for those that many cards of a file have alike: what
    these have in common is at fault.
    """
    found: dict[object, dict[Span | None, Problem]] = defaultdict(dict)
    for number, one in enumerate(problems):
        source = one.span.source if one.span is not None else None
        alike = (one.code, one.title, one.text, one.hint, source)
        found[alike if one.code in _OF_FIELDS else number].setdefault(one.span, one)
    for those in (tuple(group.values()) for group in found.values()):
        if len(those) > _FEW:
            first = those[0]
            others = f"It is the same in {len(those) - 1} other places of this file."
            text = " ".join((first.text, first.hint if first.hint.endswith("?") else "", others))
            yield replace(first, text=" ".join(text.split()), hint="", edits=())
        else:
            yield from those


def _explained(problem: Unresolved, nearby: NearbyNames, gone: Mapping[str, Origin]) -> Unresolved:
    removal = gone.get(problem.name)
    if removal is not None and removal.span is not None and problem.code != "E402":
        label = Label(removal.span, f"{removal.how} here, in module {removal.module}")
        text = "It has been removed, but is still used here."
        if removal.how == "replaced":
            text = "The replacement does not declare it, but it is still used here."
        return replace(problem, text=text, hint="", labels=(*problem.labels, label), edits=())
    if problem.of_card and problem.name in nearby.cards:
        text = "It is a card. To change what it does, change its action:"
        return replace(problem, text=text, hint=problem.of_card, edits=())
    hint = nearby.hint(problem.name)
    return replace(problem, hint=hint, edits=()) if hint else problem


def _without_lookups(problem: Problem) -> Problem:
    """The problem with nothing left to look up."""
    return Problem(*(getattr(problem, name) for name in Problem.__struct_fields__))


MOST = 50
"""The most repairs of a game that are verified; others are not shown."""


def check_repairs(
    problems: Sequence[Problem], check: Callable[[Mapping[Source, Source]], Sequence[Problem]]
) -> tuple[Problem, ...]:
    """The problems, without repairs that leave an error of their own on their line.

    `check` returns the problems of the game with some of its sources replaced.
    """
    tried = list(islice(apart(problems), MOST))
    if not tried:
        return tuple(_without(one) if one.edits else one for one in problems)
    edits: dict[Source, list[Edit]] = defaultdict(list)
    for one in tried:
        edits[one.edits[0].span.source] += one.edits
    mended = {source: Source(source.name, apply_edits(those)) for source, those in edits.items()}
    others = {(one.code, one.title) for one in problems if not one.edits}
    left = {
        (one.span.source.name, line)
        for one in check(mended)
        if one.span is not None and one.severity == "error" and (one.code, one.title) not in others
        for line in range(one.span.line, one.span.end_line + 1)
    }
    good = {id(one) for one in tried if not _lines(one, edits) & left}
    told = tuple(one if id(one) in good or not one.edits else _without(one) for one in problems)
    news = [one for one, before in zip(told, problems, strict=True) if one is not before]
    return check_repairs(told, check) if any(one.edits for one in news) else told


def _lines(problem: Problem, edits: Mapping[Source, Sequence[Edit]]) -> set[tuple[str, int]]:
    """The lines of a repair, numbered as after all repairs."""
    source = problem.edits[0].span.source
    lines = set[tuple[str, int]]()
    for edit in problem.edits:
        before = [one for one in edits[source] if one.span.start < edit.span.start]
        moved = sum(one.new.count("\n") - one.span.text.count("\n") for one in before)
        first = edit.span.line + moved
        lines |= {(source.name, first + at) for at in range(edit.new.count("\n") + 1)}
    return lines


def _without(problem: Problem) -> Problem:
    """The problem without its repair."""
    if problem.unrepaired is not None:
        return problem.unrepaired
    text = problem.text.removesuffix(" Write:")
    text = f"{text[:-1]}." if text.endswith(":") else text
    return replace(problem, text=text, hint="", edits=())
