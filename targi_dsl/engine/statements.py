"""Rules as steps: a flat list of closures, each of which does one thing and gives the address to go
on at.

A block is made backwards, so that every step knows where it goes on: `after` when it is done, `end`
when the rest of its block is left out. Addresses depend on the game alone: a position can be kept
and gone on with in another process.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from targi_dsl.engine import asking, deeds, expressions, heads, luck, offers
from targi_dsl.engine.code import Code, Made, Run, Step, Value, Vector
from targi_dsl.engine.deeds import OVER
from targi_dsl.engine.faults import check_stack
from targi_dsl.ir.model import (
    FP,
    FRAME_HEAD,
    NOTHING,
    YOU,
    Ask,
    Block,
    Do,
    Each,
    EachPlayer,
    Forbid,
    If,
    Leave,
    Loop,
    Pay,
    Roll,
    Shuffle,
    Statement,
    Stop,
)

NEXT_ROUND = 1  # the address at which a round begins
RETURN = 2  # the address at which a rule ends


@dataclass(frozen=True, slots=True)
class Way:
    """The rule, and where `Leave` goes on: after the innermost loop; `kept` is the slot of the
    `you` to give back before.
    """

    rule: int
    leave: int = RETURN
    kept: int = NOTHING


def begin(code: Code) -> None:
    """The first three steps of every game."""

    def over(v: Vector, run: Run) -> int:
        return ~OVER

    def next_round(v: Vector, run: Run) -> int:
        back = code.push(v, [(code.game.round, YOU, ())], NEXT_ROUND)
        if run.events is not None:
            run.tell(v, "round", YOU, code.game.round)
        return back

    def done(v: Vector, run: Run) -> int:
        fp = v[FP]
        back, v[FP] = v[fp - 3], v[fp - 2]
        del v[fp - FRAME_HEAD :]
        return back

    for step in (over, next_round, done):
        code.add(step)


def rule(code: Code, number: int) -> int:
    """The address at which a rule begins."""
    info = code.rules[number]
    entry = block(code, info.body, RETURN, Way(number))
    if not info.opens:
        return entry

    def opened(v: Vector, run: Run) -> int:
        for slot in info.opens:
            v[slot] = 0
        return entry

    return code.add(opened, entry)


def block(code: Code, body: Block, after: int, way: Way) -> int:
    """The address at which a block begins; after it, it goes on at `after`."""
    entry = after
    for statement in reversed(body):
        first = len(code.steps)
        entry = _statement(code, statement, entry, after, way)
        for address in range(first, len(code.steps)):
            inner = code.made.get(address)  # of a block within the statement
            if inner is None:
                code.made[address] = Made(way.rule, statement, statement.span)
            elif inner.span is None:
                code.made[address] = replace(inner, span=statement.span)
    return entry


def _statement(code: Code, node: Statement, after: int, end: int, way: Way) -> int:
    match node:
        case Stop():
            return RETURN
        case Leave():
            return (
                way.leave
                if way.kept == NOTHING
                else code.add(_give_back(way.kept, way.leave), way.leave)
            )
        case If(test, then, otherwise):
            paths = block(code, then, after, way), block(code, otherwise, after, way)
            return code.add(_if(expressions.expression(code, test), *paths), *paths)
        case Each():
            return _each(code, node, after, way)
        case EachPlayer():
            return _each_player(code, node, after, way)
        case Loop():
            return _loop(code, node, after, way)
        case Ask(_, alternatives, otherwise):
            bodies = [
                block(code, offers.settled(code, one.body), after, way) for one in alternatives
            ]
            return asking.ask(
                code, node, bodies, block(code, otherwise, after, way) if otherwise else end
            )
        case Pay(_, _, _, otherwise):
            return asking.pay(
                code, node, after, end if otherwise is None else block(code, otherwise, after, way)
            )
        case Shuffle(place, work):
            return luck.shuffle(code, expressions.expression(code, place), work, after)
        case Roll(slot, low, high):
            return luck.roll(
                code,
                slot,
                expressions.expression(code, low),
                expressions.expression(code, high),
                after,
            )
        case Forbid():
            return code.add(_forbid(code, node, after, end), after, end)
        case Do(number, arguments):
            given = [expressions.number(code, argument) for argument in arguments]
            return code.add(_do(code, number, given, after), after)
        case _:
            return code.add(deeds.deed(code, node, after), after)


def _if(test: Value, then: int, otherwise: int) -> Step:
    return lambda v, run: then if test(v, v[FP]) else otherwise


def _forbid(code: Code, node: Forbid, after: int, end: int) -> Step:
    """A prohibition carried out: what lifts it is used."""
    holds, lift = expressions.expression(code, node.condition), heads.lifted(code, node)

    def forbid(v: Vector, run: Run) -> int:
        fp = v[FP]
        if not holds(v, fp):
            return after
        ability = lift(v, fp)
        if ability == NOTHING:
            return end
        code.use(v, run, ability, v[fp])
        return after

    return forbid


def _do(code: Code, number: int, arguments: list[Value], after: int) -> Step:
    entries, long, size = code.entries, code.long_stack, code.sizes[number]
    rest = (0,) * (size - 1 - len(arguments))
    only = arguments[0] if len(arguments) == 1 else None

    def do(v: Vector, run: Run) -> int:
        fp = v[FP]
        if only is not None:
            v += (after, fp, number, v[fp], only(v, fp))
        elif arguments:
            v += (after, fp, number, v[fp], *[argument(v, fp) for argument in arguments])
        else:
            v += (after, fp, number, v[fp])
        v += rest
        top = len(v)
        v[FP] = top - size
        if top > long:
            check_stack(v)
        return entries[number]

    return do


def _each(code: Code, node: Each, after: int, way: Way) -> int:
    within, slot = expressions.expression(code, node.within), node.slot

    def turn(v: Vector, run: Run) -> int:
        fp = v[FP]
        last = v[fp + slot]
        for element in within(v, fp):
            if element > last:
                v[fp + slot] = element
                return body
        return after

    def first(v: Vector, run: Run) -> int:
        v[v[FP] + slot] = NOTHING
        return turn(v, run)

    again = code.add(turn)
    body = block(code, node.body, again, way)
    code.ways[again] = body, after
    return code.add(first, again)


def _each_player(code: Code, node: EachPlayer, after: int, way: Way) -> int:
    start, slot, players = expressions.expression(code, node.start), node.slot, code.players

    def turn(v: Vector, run: Run) -> int:
        fp = v[FP]
        i = fp + slot
        if v[i + 1] == players:
            v[fp] = v[i + 2]
            return after
        v[fp] = v[i] = (v[i] + 1) % players
        v[i + 1] += 1
        return body

    def first(v: Vector, run: Run) -> int:
        fp = v[FP]
        i = fp + slot
        v[i], v[i + 1], v[i + 2] = max(0, start(v, fp)) - 1, 0, v[fp]
        return turn(v, run)

    inside = way if way.kept != NOTHING else replace(way, kept=slot + 2)
    again = code.add(turn)
    body = block(code, node.body, again, inside)
    code.ways[again] = body, after
    return code.add(first, again)


def _give_back(kept: int, leave: int) -> Step:
    """Leaves a loop out of the turn of a player: `you` is again who it was before."""

    def give_back(v: Vector, run: Run) -> int:
        v[v[FP]] = v[v[FP] + kept]
        return leave

    return give_back


def _loop(code: Code, node: Loop, after: int, way: Way) -> int:
    limit, slot, head = (
        expressions.expression(code, node.limit),
        node.slot,
        heads.possible(code, node.body),
    )

    def turn(v: Vector, run: Run) -> int:
        fp = v[FP]
        i = fp + slot
        if v[i] >= limit(v, fp):
            return after
        v[i] += 1
        if head is not None and not head(v, fp):
            v[i] -= 1
            return after
        return body

    def first(v: Vector, run: Run) -> int:
        v[v[FP] + slot] = 0
        return turn(v, run)

    again = code.add(turn)
    body = block(code, node.body, again, Way(way.rule, leave=after))
    code.ways[again] = body, after
    return code.add(first, again)
