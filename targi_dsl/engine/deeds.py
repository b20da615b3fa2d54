"""Statements that change the position, as steps: each does one thing and goes on at `after`."""

from __future__ import annotations

from typing import assert_never

from targi_dsl.engine import cards, expressions
from targi_dsl.engine.code import Calls, Code, Run, Step, Value, Vector
from targi_dsl.engine.happenings import change, fired, gain
from targi_dsl.ir.model import (
    ENDED,
    FP,
    NOTHING,
    Announce,
    Assign,
    DoAction,
    EndGame,
    Gain,
    Let,
    MoveCards,
    MovePieces,
    Refresh,
    Reveal,
    Store,
    Turn,
    Use,
)

OVER = 0  # the address of the end

Deed = (
    Gain | Store | MoveCards | MovePieces | Turn | Reveal | Refresh | Assign | Let | DoAction | Announce | Use | EndGame
)  # fmt: skip


def deed(code: Code, node: Deed, after: int) -> Step:
    """The step of a statement that changes the position."""
    match node:
        case Gain():
            return _gain(code, node, after)
        case Store(slot, resource, number):
            return _store(code, slot, resource, expressions.expression(code, number), after)
        case MoveCards():
            return _move_cards(code, node, after)
        case MovePieces():
            return _move_pieces(code, node, after)
        case Turn(of, up):
            return _turn(code, expressions.expression(code, of), up, after)
        case Reveal(of):
            return _reveal(code, expressions.expression(code, of), after)
        case Refresh(place):
            return _refresh(code, expressions.expression(code, place), after)
        case Assign():
            return _assign(code, node, after)
        case Let(slot, value):
            return _let(slot, expressions.number(code, value), after)
        case DoAction(card):
            return _do_action(code, expressions.expression(code, card), after)
        case Announce(rule):
            return _announce(code, rule, after)
        case Use(ability):
            return _use(code, ability, after)
        case EndGame(rule):
            return _end_game(code, rule)
        case _:
            assert_never(node)


def _gain(code: Code, node: Gain, after: int) -> Step:
    who, resource = (
        expressions.expression(code, node.who),
        expressions.expression(code, node.resource),
    )
    number, source = (
        expressions.expression(code, node.number),
        expressions.expression(code, node.source),
    )

    def step(v: Vector, run: Run) -> int:
        fp = v[FP]
        player, what, count = who(v, fp), resource(v, fp), number(v, fp)
        if player < 0 or what < 0 or count <= 0:
            return after
        calls = gain(code, v, run, player, what, count, source(v, fp))
        return code.push(v, calls, after) if calls else after

    return step


def _store(code: Code, slot: int, resource: int, number: Value, after: int) -> Step:
    name = f"stored {code.domains.item(resource)}"

    def step(v: Vector, run: Run) -> int:
        count = number(v, v[FP])
        if count > 0:
            change(code, v, slot, count, name)
            if run.events is not None:
                run.tell(v, "store", v[v[FP]], resource, count)
        return after

    return step


def _move_cards(code: Code, node: MoveCards, after: int) -> Step:
    moved, place = (
        expressions.expression(code, node.cards),
        expressions.expression(code, node.place),
    )

    def step(v: Vector, run: Run) -> int:
        fp = v[FP]
        to = place(v, fp)
        if to < 0:
            return after
        calls: Calls = []
        for card in moved(v, fp):
            calls += cards.move(code, v, run, card, to, node.under, node.facing)
        return code.push(v, calls, after) if calls else after

    return step


def _move_pieces(code: Code, node: MovePieces, after: int) -> Step:
    moved, place = (
        expressions.expression(code, node.pieces),
        expressions.expression(code, node.place),
    )
    base = code.slots.piece_place

    def step(v: Vector, run: Run) -> int:
        fp = v[FP]
        to = place(v, fp)
        for piece in moved(v, fp):
            if run.events is not None:
                run.tell(v, "piece", v[fp], piece, 1, v[base + piece], to)
            v[base + piece] = to
        return after

    return step


def _turn(code: Code, of: Value, up: bool, after: int) -> Step:
    known = code.slots.card_known

    def step(v: Vector, run: Run) -> int:
        for card in of(v, v[FP]):
            if v[known + card] & 1 != up and run.events is not None:
                run.tell(v, "turn", v[v[FP]], card, up)
            cards.turn(code, v, card, up)
        return after

    return step


def _reveal(code: Code, of: Value, after: int) -> Step:
    known, everybody = code.slots.card_known, code.table.everybody

    def step(v: Vector, run: Run) -> int:
        for card in of(v, v[FP]):
            v[known + card] |= everybody
            if run.events is not None:
                run.tell(v, "reveal", v[v[FP]], card)
        return after

    return step


def _refresh(code: Code, place: Value, after: int) -> Step:
    tops = code.slots.place_top

    def step(v: Vector, run: Run) -> int:
        where = place(v, v[FP])
        if where < 0 or v[tops + where] != NOTHING:
            return after
        return code.push(v, cards.refill(code, v, run, where), after)

    return step


def _assign(code: Code, node: Assign, after: int) -> Step:
    variable, index = code.game.variables[node.variable], expressions.expression(code, node.index)
    value = expressions.number(code, node.value)
    base, count, name = variable.base, variable.count, variable.name

    def step(v: Vector, run: Run) -> int:
        fp = v[FP]
        at = index(v, fp)
        if not 0 <= at < count:
            return after
        slot, before = base + at, v[base + at]
        change(code, v, slot, value(v, fp) - before, name)
        if v[slot] != before and run.events is not None:
            run.tell(v, "set", v[fp], node.variable, v[slot], -1, at)
        return after

    return step


def _let(slot: int, value: Value, after: int) -> Step:
    def step(v: Vector, run: Run) -> int:
        fp = v[FP]
        v[fp + slot] = value(v, fp)
        return after

    return step


def _do_action(code: Code, card: Value, after: int) -> Step:
    def step(v: Vector, run: Run) -> int:
        fp = v[FP]
        this = card(v, fp)
        rule = code.game.actions[this] if this >= 0 else NOTHING
        return (
            code.push(v, [(rule, v[fp], code.carried(rule, this))], after)
            if rule != NOTHING
            else after
        )

    return step


def _announce(code: Code, rule: int, after: int) -> Step:
    def step(v: Vector, run: Run) -> int:
        you = v[v[FP]]
        if run.events is not None:
            run.tell(v, "do", you, rule)
        calls = fired(code, v, run, "do", rule, you, NOTHING)
        return code.push(v, calls, after) if calls else after

    return step


def _use(code: Code, ability: int, after: int) -> Step:
    def step(v: Vector, run: Run) -> int:
        code.use(v, run, ability, v[v[FP]])
        return after

    return step


def _end_game(code: Code, rule: int) -> Step:
    def step(v: Vector, run: Run) -> int:
        if run.events is not None:
            run.tell(v, "end", v[v[FP]], rule)
        v[ENDED], v[FP] = rule, 0
        del v[code.slots.stack :]
        return OVER

    return step
