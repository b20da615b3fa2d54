"""Takes over from the last check what has been lowered, as far as it does not depend on a change.

What lowering a declaration depends on is the declaration itself, the surroundings (the symbols of
the game), and the answers to the questions in its trace. These questions are asked again in their
order: they leave the tables as they would if the declaration were lowered again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from targi_dsl.compiler.context import Context, Wrong
from targi_dsl.compiler.traces import Lowered, Trace, is_same, same

Result = TypeVar("Result")


def begin(ctx: Context) -> None:
    """Forgets what the last check has lowered if it had other surroundings."""
    surroundings = _surroundings(ctx)
    if ctx.before.surroundings != surroundings:
        ctx.before.surroundings = surroundings
        ctx.before.declarations.clear()


def lowered(
    ctx: Context, key: tuple[str, ...], inputs: tuple[object, ...], make: Callable[[], Result]
) -> Result:
    """The result of lowering a declaration from these inputs: that of the last check, if it would
    be the same. A result with a problem is never kept.
    """
    before = ctx.before.declarations.get(key)
    if before is not None and _still_holds(ctx, before, inputs):
        taken: Result = _again(ctx, before)
        return taken
    outer, ctx.trace = ctx.trace, Trace()
    problems, ends = len(ctx.problems), _ends(ctx)
    errors = ctx.symbols.errors.names
    try:
        result = make()
    finally:
        trace, ctx.trace = ctx.trace, outer
        reported = len(ctx.problems) - problems
        outer.problems += reported
        _note(ctx, trace)
    if trace.is_kept and reported == trace.problems:
        ctx.before.declarations[key] = Lowered(
            inputs, ends, trace.names & errors, trace, result, *_since(ctx, ends)
        )
    return result


def _still_holds(ctx: Context, before: Lowered, inputs: tuple[object, ...]) -> bool:
    return (
        same(inputs, before.inputs)
        and before.ends == _ends(ctx)
        and before.errors == before.trace.names & ctx.symbols.errors.names
        and _answered(ctx, before.trace)
    )


def _answered(ctx: Context, trace: Trace) -> bool:
    """Whether all questions have the same answers as before."""
    try:
        for (question, given), before in trace.asked.items():
            answer = question(ctx, *given)
            if answer is not before and not is_same(answer, before):
                return False
    except Wrong:
        return False
    return True


def _again(ctx: Context, before: Lowered) -> Any:
    for table, more in zip(_growing(ctx), before.more, strict=True):
        table.extend(more)
    for name in before.lists:
        ctx.symbols.use_list(name)
    _note(ctx, before.trace)
    return before.result


def _note(ctx: Context, trace: Trace) -> None:
    ctx.noted.add(trace.noted)
    ctx.asking.update(trace.asking)


def _growing(ctx: Context) -> tuple[list[Any], ...]:
    """The tables in which whatever is appended gets the next number."""
    return ctx.tables.rules, ctx.tables.forbids, ctx.tables.worded


def _ends(ctx: Context) -> tuple[int, ...]:
    return *map(len, _growing(ctx)), len(ctx.symbols.values)


def _since(ctx: Context, ends: tuple[int, ...]) -> tuple[tuple[list[Any], ...], tuple[str, ...]]:
    *tables, lists = ends
    more = tuple(table[end:] for table, end in zip(_growing(ctx), tables, strict=True))
    return more, tuple(ctx.symbols.values)[lists:]


def _surroundings(ctx: Context) -> object:
    """Everything that any declaration may depend on, in order."""
    symbols, cards = ctx.symbols, ctx.cards
    tables: tuple[Mapping[str, object], ...] = (
        symbols.plurals, symbols.groups, symbols.values, symbols.numbers, symbols.regions,
        symbols.piece_kinds, symbols.sets, symbols.relations, symbols.options,
        symbols.option_values, cards.fields, ctx.tables.variables, ctx.tables.rule_numbers,
    )  # fmt: skip
    return (
        symbols.players, [*symbols.resources], [*symbols.places], [*symbols.pieces],
        [[*table.items()] for table in tables],
        [(name, *fields.items()) for name, fields in symbols.kinds.items()],
        [(card.entry.id, card.kind, card.set, *card.entry.fields) for card in cards.entries],
        symbols.errors.no_module, symbols.errors.no_cards,
        ctx.slots, ctx.next_slot, [*ctx.declared],
    )  # fmt: skip
