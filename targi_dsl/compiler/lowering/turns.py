"""Lowers outcomes (who wins, loses or is out), turns and repetitions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from targi_dsl.compiler.lowering import coercion, passing
from targi_dsl.compiler.lowering.context import NOBODY, YES, Context, Turns
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.declarations import DRAWN, OUT, OUTCOME, OUTCOMES, PLAYING, outcome_base
from targi_dsl.ir.walk import parts as parts_of
from targi_dsl.syntax import ast as n
from targi_dsl.syntax.printer import print_body

_NAMED_ELSEWHERE = ("rule", "score", "option", "exchange", "standing")
"""Sorts of declarations that may be called `outcome`, since they are never bare names."""


def declare(ctx: Context, written: Iterable[n.Node]) -> None:
    """Declares the variable of the players' outcomes, if any rule or card sets one."""
    named = {one.outcome for node in written for one in node.every(n.Outcome)}
    if not named:
        return
    ctx.facts.goes_out = OUTCOMES[OUT] in named
    for (sort, name), effective in ctx.declared.items():
        if name == OUTCOME and sort not in _NAMED_ELSEWHERE:
            text = f"This name is reserved for how each player stands: {', '.join(OUTCOMES)}."
            title = f"`{OUTCOME}` has a special meaning"
            ctx.report("E206", title, effective.node.span, text)
            ctx.symbols.errors.names.add(OUTCOME)
            return
    count = len(ctx.symbols.players)
    ctx.symbols.values[OUTCOME] = OUTCOMES
    ctx.tables.variables[OUTCOME] = d.Variable(
        OUTCOME, ctx.new_slots(count), count, t.PLAYER, t.Value(OUTCOME), PLAYING, DRAWN, PLAYING
    )


def lower(ctx: Context, node: n.Outcome) -> s.Block:
    """Lowers an outcome. `P wins`, `P loses` and a draw end the game if there is such a player; `P
    is out` ends it when nobody is left.
    """
    ctx.require_known(OUTCOME)
    who: e.Expr = players(ctx) if node.outcome == OUTCOMES[DRAWN] else _everybody(ctx)
    if node.who is not None:
        _refuse_out_of_scope(ctx, node.who, node)
        who = coercion.as_set(ctx, *ctx.lower(node.who, t.PLAYER), node.who.span, t.PLAYER)
    evaluated, who = passing.once(ctx, who, t.SetOf(t.PLAYER))
    slot, value = ctx.frame.slot(t.PLAYER), e.Const(OUTCOMES.index(node.outcome))
    number = ctx.tables.number_of(ctx.tables.variables[OUTCOME])
    outcomes = s.Each(slot, who, (s.Assign(number, e.Local(slot), value).at(node.span),))
    end = s.EndGame(ctx.frame.rule).at(node.span)
    if node.outcome != OUTCOMES[OUT]:
        anybody = e.Compare("more_than", e.Size(who), e.Const(0))
        ends = (s.If(anybody, (outcomes, end), ()),) if _may_be_nobody(who) else (outcomes, end)
        return (*evaluated, *ends)
    somebody = e.Compare("more_than", e.Size(players(ctx)), e.Const(0))
    return (*evaluated, outcomes, s.If(somebody, (), (end,)))


def _refuse_out_of_scope(ctx: Context, who: n.Expr, node: n.Outcome) -> None:
    """Refuses `any (p in SET where C): p wins`, where `p` is out of scope."""
    name = ctx.frame.global_name(who)
    known = (ctx.symbols.players, ctx.tables.variables, ctx.names_of("define"))
    binder = ctx.frame.ranges.get(name)
    if not isinstance(binder, n.Those) or any(name in names for names in known):
        return
    text = f"`{name}` is known only inside its parentheses. Say it of all of them:"
    hint = print_body((replace(node, who=binder),))
    ctx.fail("E201", f"unknown name `{name}`", who.span, text, hint)


def _may_be_nobody(who: e.Expr) -> bool:
    match who:
        case e.MakeSet((e.Local(slot) | e.Table(_, e.Local(slot)),)):
            return slot != YOU
        case _:
            return not isinstance(who, e.Const)


def players(ctx: Context) -> e.Expr:
    """The set of players who are not out."""
    base = outcome_base(ctx.tables.variables.values())
    if base == NOTHING:
        return _everybody(ctx)
    slot = ctx.frame.slot(t.PLAYER)
    return e.Filter(slot, _everybody(ctx), is_in(base, e.Local(slot)))


def _everybody(ctx: Context) -> e.Const:
    return e.Const(tuple(ctx.symbols.seats), t.set_of(t.PLAYER))


def is_in(base: int, player: e.Expr) -> e.Expr:
    """Whether a player is not out, given the slot of the first player's outcome."""
    return e.Compare("is_not", e.Var(base, player, PLAYING), e.Const(OUT))


def beside(ctx: Context, player: e.Expr, step: int) -> e.Expr:
    """The next player (step 1) or the previous one (step -1) who is not out."""
    count, base = len(ctx.symbols.players), outcome_base(ctx.tables.variables.values())
    seats = tuple(range(count))
    if base == NOTHING:
        return e.Table((*((seat + step) % count for seat in seats), NOTHING), player)

    def seat_at(distance: e.Expr) -> e.Expr:
        ahead = e.Arith("+" if step > 0 else "-", e.Arith("+", player, e.Const(count)), distance)
        return e.Table((*seats * 3, NOTHING), ahead, t.PLAYER)

    slot = ctx.frame.slot(t.NUMBER)
    distances = e.Const(tuple(range(1, count + 1)))
    near = e.First(e.Filter(slot, distances, is_in(base, seat_at(e.Local(slot)))))
    return e.Cond(e.Compare("is", player, NOBODY), NOBODY, seat_at(near))


def each_player(ctx: Context, node: n.EachPlayer) -> s.EachPlayer:
    start = _start(ctx, node.start)
    slot = ctx.frame.slots_of_round()
    return s.EachPlayer(slot, start, _turn(ctx, node.body, None))


def _start(ctx: Context, player: n.Expr | None) -> e.Expr:
    """The player who begins; by default, the first."""
    return e.Const(0) if player is None else coercion.of_kind(ctx, player, t.PLAYER)


def turn_of(ctx: Context, node: n.TurnOf) -> s.TurnOf:
    player = coercion.of_kind(ctx, node.player, t.PLAYER)
    return s.TurnOf(ctx.frame.slot(t.PLAYER), player, _turn(ctx, node.body, None))


def _turn(ctx: Context, body: n.Block, turns: Turns | None) -> s.Block:
    """Lowers a block in which `pass` refers to these turns."""
    before, ctx.frame.turns = ctx.frame.turns, turns
    try:
        return ctx.block(body)
    finally:
        ctx.frame.turns = before


@contextmanager
def about(ctx: Context, player: n.Expr) -> Iterator[Callable[[s.Block], s.TurnOf]]:
    """A context for statements about another player: the function wraps what was lowered in it in a
    turn of that player.
    """
    who, slot = coercion.of_kind(ctx, player, t.PLAYER), ctx.frame.slot(t.PLAYER)
    before, ctx.frame.you = ctx.frame.you, e.Local(slot)
    try:
        yield lambda done: s.TurnOf(slot, who, done)
    finally:
        ctx.frame.you = before


def back(ctx: Context, body: n.Block) -> s.TurnOf:
    """A block, inside a statement about another player, in which the addressed player acts
    again.
    """
    before, ctx.frame.you = ctx.frame.you, e.Local(YOU)
    try:
        return s.TurnOf(ctx.frame.slot(t.PLAYER), before, ctx.block(body))
    finally:
        ctx.frame.you = before


def repeat(ctx: Context, node: n.Repeat) -> s.Block:
    """A fixed number of iterations; the number is evaluated once."""
    counted, times = coercion.once(ctx, coercion.number(ctx, node.times))
    turns = e.Range(e.Const(1), times)
    return (*counted, s.Each(ctx.frame.slot(t.NUMBER), turns, ctx.block(node.body)))


def repeat_until(ctx: Context, node: n.RepeatUntil) -> s.Until:
    condition = coercion.truth(ctx, node.condition)
    return s.Until(ctx.frame.slot(t.NUMBER), condition, ctx.block(node.body))


# ---- by turns ----

_LEAVING = (s.NextTurn, s.Stop, s.EndGame, s.Do, s.DoAction)
"""Statements that can end a repetition."""


def by_turns(ctx: Context, node: n.ByTurns) -> s.Block:
    """Turns in order among the players who have not passed."""
    start = _start(ctx, node.start)
    count = len(ctx.symbols.players)
    turns = Turns(
        ctx.frame.slot(t.PLAYER), ctx.frame.slot(t.PLAYER), ctx.frame.slot(t.PLAYER, count)
    )
    still: e.Expr = e.MakeSet(tuple(e.Local(turns.first + one) for one in range(count)))
    if outcome_base(ctx.tables.variables.values()) != NOTHING:
        still = e.SetOp("within", still, players(ctx))
    over: e.Expr = e.Not(e.Exists(NOTHING, still, YES))
    if node.until is not None:
        over = e.AnyOf((over, coercion.truth(ctx, node.until)))
    body = _turn(ctx, node.body, turns)
    if node.until is None and not any(next(parts_of(body, one), None) for one in _LEAVING):
        text = "Write `until` and a condition, or let the players `pass`. For example:"
        beginning = f" from {node.start.span.text}" if node.start is not None else ""
        hint = f"by turns{beginning} until ..."
        ctx.fail("E324", "these turns never end", node.span, text, hint)
    before = e.Table((*range(NOTHING, count - 1), NOTHING), start, t.PLAYER)
    everybody = (s.Let(turns.first + one, e.Const(one, t.PLAYER)) for one in range(count))
    turn = s.TurnOf(turns.kept, e.Local(turns.player), body)
    each = s.Let(turns.player, _next(still, turns.player, count))
    return (
        s.Let(turns.player, before),
        *everybody,
        s.Until(turns.player, over, (each, turn), turns.first),
    )


def _next(still: e.Expr, player: int, count: int) -> e.Expr:
    """The next player in `still`: the first after this one, or else the first of all."""
    after = tuple(tuple(range(one + 1, count)) for one in range(count))
    later = e.SetOp("within", still, e.Pick((*after, ()), e.Local(player), t.SetOf(t.PLAYER)))
    return e.Cond(e.Exists(NOTHING, later, YES), e.First(later), e.First(still))


def pass_(ctx: Context, node: n.Pass) -> s.Block:
    """Ends the turn, and takes the player out of these turns."""
    turns = ctx.frame.turns
    if turns is None:
        text = "`pass` gives up further turns in a block of `by turns`, so it stands in that block"
        text += " itself, behind what the turn does:"
        ctx.fail("E331", "there are no turns to pass", node.span, text, "do RULE then pass")
    nobody, you = e.Const(NOTHING, t.Nothing()), e.Local(turns.player)
    slots = (turns.first + one for one in ctx.symbols.seats)
    out = (
        s.Let(slot, e.Cond(e.Compare("is", e.Local(slot), you), nobody, e.Local(slot)))
        for slot in slots
    )
    return (*out, s.Let(YOU, e.Local(turns.kept)), s.NextTurn(turns.player))
