"""Decides which problems are reported: unknown names in declarations that were not lowered, which
unknown names are faults of their own, and which repairs work.
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
"""Codes of problems because of which a whole declaration is not lowered."""
_LOWERED = (n.Rule, n.Define, n.ScorePart, n.Tie, n.Never, n.FreeExchange, n.Standing)
_CHANGES = (n.ExtendRule, n.ExtendAction, n.ReplaceForbid, n.ExtendForbid)


def report_hidden(game: Compilation) -> None:
    """Reports unknown names where another error has prevented lowering, unless there is a problem
    at that place already.
    """
    ctx = game.context
    trees = list(_trees(game))
    declared = {*declared_names(ctx), *_reported_elsewhere(ctx, [tree.span for tree, _ in trees])}
    for tree, around in trees:
        local = tree.derived(bound_names) | around
        for node in (tree, *values_in_words(ctx, tree)):
            for one in node.derived(mentions):
                if one.name not in declared and one.name not in local and _is_certain(ctx, one):
                    _report(ctx, one, sorted(local))
        _report_singulars(ctx, tree)


def _reported_elsewhere(ctx: Context, places: list[Span]) -> Iterator[str]:
    """Names that are unresolved outside these spans; their other uses are consequences."""
    for one in (one for one in ctx.problems if isinstance(one, Unresolved)):
        span = one.span
        if span is not None and not any(place.contains(span) for place in places):
            yield one.name


def _is_certain(ctx: Context, one: Mention) -> bool:
    """Whether the name must refer to a declaration of this game; without players, a name of a
    player need not.
    """
    if not one.kinds or one.kinds == ("option value",) or one.only_known:
        return False
    if ctx.module_of(one.span) == "cards" and one.name in ctx.nearby:
        return False  # a card from another game's deck may mention what this game lacks (W901)
    return bool(ctx.symbols.players) or "player" not in one.kinds


def _trees(game: Compilation) -> Iterator[tuple[n.Node, frozenset[str]]]:
    """The trees that are lowered, or would be without errors, each with the names in scope
    there.
    """
    ctx, none = game.context, frozenset[str]()
    for effective in ctx.declared.values():
        if isinstance(effective.node, _LOWERED):
            yield effective.node, ctx.own if isinstance(effective.node, n.Standing) else none
    on_cards = tuple(sentences(ctx))
    bound = ctx.own.union(*(one.derived(bound_names) for one in on_cards))
    yield from ((one, bound) for one in on_cards)
    faults = [one.span for one in ctx.problems if one.code in _REFUSED and one.span is not None]
    for node in game.written.declarations:
        what = node.what if isinstance(node, n.Replace) else node
        if isinstance(what, _LOWERED + _CHANGES) and any(map(node.span.contains, faults)):
            yield what, _scope(ctx, what)


def _scope(ctx: Context, node: n.Node) -> frozenset[str]:
    """The names in scope where an extension adds something to a rule or action."""
    match node:
        case n.ExtendRule(rule=word) if ctx.is_declared("rule", word.text):
            return ctx.node(n.Rule, word.text).derived(bound_names)
        case n.Rule() | n.Define():
            return frozenset()
        case _:
            return ctx.own


def _report(ctx: Context, one: Mention, local: list[str]) -> None:
    if _is_reported(ctx, one.span) or ("card" in one.kinds and ctx.symbols.errors.no_cards):
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
        if not _is_reported(ctx, amount.resource.span):
            with suppress(Abandoned):
                resources.resource_word(ctx, amount)


def _is_reported(ctx: Context, place: Span) -> bool:
    return any(one.span is not None and one.span.contains(place) for one in ctx.problems)


def resolve(
    problems: list[Problem],
    symbols: ErrorSymbols,
    nearby: NearbyNames,
    gone: Mapping[str, Origin],
    own: Collection[str],
) -> Iterator[Problem]:
    """The problems without consequences of others, and with better hints for unresolved names.

    `gone`: names that a removal or replacement took away; `own`: names that the game declares.
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
"""Up to this many cards of a file with the same problem are reported one by one."""


def _one_for_many_cards(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Merges equal problems of many cards in a file into one: the fault is then in what they share,
    such as the declaration of a field.
    """
    groups: dict[object, dict[Span | None, Problem]] = defaultdict(dict)
    for number, one in enumerate(problems):
        source = one.span.source if one.span is not None else None
        alike = (one.code, one.title, one.text, one.hint, source)
        groups[alike if one.code in _OF_FIELDS else number].setdefault(one.span, one)
    for same in (tuple(group.values()) for group in groups.values()):
        if len(same) > _FEW:
            first = same[0]
            others = f"It is the same in {len(same) - 1} other places of this file."
            text = " ".join((first.text, first.hint if first.hint.endswith("?") else "", others))
            yield replace(first, text=" ".join(text.split()), hint="", edits=())
        else:
            yield from same


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
    """The problem as a plain `Problem`."""
    return Problem(*(getattr(problem, name) for name in Problem.__struct_fields__))


MOST_REPAIRS = 50
"""The most repairs that are tried; further ones are dropped."""


def check_repairs(
    problems: Sequence[Problem], check: Callable[[Mapping[Source, Source]], Sequence[Problem]]
) -> tuple[Problem, ...]:
    """The problems without repairs that leave an error on their line.

    Applies all repairs that do not overlap, and repeats with the rest. `check` gives the problems
    of the game with some sources replaced.
    """
    tried = list(islice(apart(problems), MOST_REPAIRS))
    if not tried:
        return tuple(_without(one) if one.edits else one for one in problems)
    edits: dict[Source, list[Edit]] = defaultdict(list)
    for one in tried:
        edits[one.edits[0].span.source] += one.edits
    repaired = {source: Source(source.name, apply_edits(those)) for source, those in edits.items()}
    others = {(one.code, one.title) for one in problems if not one.edits}
    faulty = {
        (one.span.source.name, line)
        for one in check(repaired)
        if one.span is not None and one.severity == "error" and (one.code, one.title) not in others
        for line in range(one.span.line, one.span.end_line + 1)
    }
    good = {id(one) for one in tried if not _lines(one, edits) & faulty}
    checked = tuple(one if id(one) in good or not one.edits else _without(one) for one in problems)
    changed = [one for one, before in zip(checked, problems, strict=True) if one is not before]
    return check_repairs(checked, check) if any(one.edits for one in changed) else checked


def _lines(problem: Problem, edits: Mapping[Source, Sequence[Edit]]) -> set[tuple[str, int]]:
    """The lines that a repair writes, numbered as after all repairs."""
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
