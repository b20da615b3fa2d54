"""Which statement of the rules waits at an address, and which slots of a frame are still read from
there on.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache
from itertools import chain, repeat

from targi_dsl.engine.code import Code
from targi_dsl.engine.machine import Engine
from targi_dsl.ir.model import (
    FP,
    FRAME_HEAD,
    NOTHING,
    PC,
    Alternative,
    Ask,
    CanPay,
    Each,
    EachPlayer,
    Exists,
    Filter,
    Fold,
    Forbid,
    Game,
    If,
    Let,
    Local,
    Loop,
    Map,
    Pay,
    Roll,
    Shuffle,
)

KEPT = 16  # games of which what is worked out is kept

Slots = frozenset[int]
_NONE: Slots = frozenset()


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits at an address: the rule, and its statement. `units`: wildcards of a payment, one
    by one.
    """

    rule: int
    node: Ask | Pay | Shuffle | Roll
    units: bool = False


@dataclass(frozen=True, slots=True)
class Flow:
    """By address: what waits there; the slots of the frame that may be read before they are written
    again.
    """

    waiting: dict[int, Waiting]
    live: tuple[Slots, ...]

    def frames(self, v: list[int]) -> list[tuple[int, int, Slots]]:
        """The frames of a position, innermost first: frame pointer, rule, and the slots still read."""
        found, fp, address = [], v[FP], v[PC]
        while fp > 0:
            found.append((fp, v[fp - 1], self.live[address]))
            address, fp = v[fp - FRAME_HEAD], v[fp - 2]
        return found


@lru_cache(KEPT)
def flow_of(engine: Engine) -> Flow:
    """The flow of a game's rules."""
    code = engine.code
    waiting = {}
    for address in code.questions:
        made = code.made[address]
        assert isinstance(made.node, Ask | Pay | Shuffle | Roll), made.node
        # A payment goes on to its wildcards or is left out; from the wildcards there is one way.
        units = isinstance(made.node, Pay) and len(code.ways[address]) == 1
        waiting[address] = Waiting(made.rule, made.node, units)
    return Flow(waiting, _live([_step(code, address) for address in range(len(code.steps))]))


def read_by(game: Game, node: object) -> Slots:
    """The slots of the frame that an expression, or every expression in something, reads."""
    match node:
        case Local(slot):
            return frozenset((slot,))
        case Filter(slot, within, inner) | Map(slot, within, inner) | Exists(slot, within, inner):
            return read_by(game, within) | read_by(game, inner) - {slot}
        case Fold(_, slot, within, inner):
            return read_by(game, within) | read_by(game, inner) - {slot}
        case CanPay(price, terms):
            return read_by(game, price) | _of_terms(game, terms)
        case tuple():
            return _NONE.union(*(read_by(game, one) for one in node if not isinstance(one, int)))
        case _ if is_dataclass(node):
            return _NONE.union(*(read_by(game, getattr(node, one.name)) for one in fields(node)))
        case _:
            return _NONE


def _of_terms(game: Game, terms: int) -> Slots:
    return read_by(game, game.terms[terms]) if terms != NOTHING else _NONE


@dataclass(frozen=True, slots=True)
class _Step:
    """What a step reads, and where it may go on, each with the slots it has written by then."""

    reads: Slots = _NONE
    ways: tuple[tuple[int, Slots], ...] = ()


def _step(code: Code, address: int) -> _Step:
    """What the step at an address reads, and what it has written on each of its ways."""
    made, ways, game = code.made.get(address), code.ways[address], code.game

    def step(node: object, *written: Slots) -> _Step:
        """With what is written on the first ways."""
        return _Step(
            read_by(game, node), tuple(zip(ways, chain(written, repeat(_NONE)), strict=False))
        )

    match made.node if made is not None else None:
        case If(test):
            return step(test)
        case Each(slot, within):
            # The slot is its memory: the turn, which goes on to the body or past it, reads it; the
            # beginning writes it.
            found = step(within, frozenset((slot,)))
            return found if len(ways) == 1 else replace(found, reads=found.reads | {slot})
        case EachPlayer(_, start):
            return step(start)
        case Loop(_, limit):
            return step(limit)
        case Ask(_, alternatives):
            reads = _NONE.union(*(_offered(game, one) for one in alternatives))
            return replace(step((), *map(_chosen, alternatives)), reads=reads)
        case Pay(price, terms):
            return replace(step(()), reads=read_by(game, price) | _of_terms(game, terms))
        case Shuffle(place):
            return step(place)
        case Roll(slot, low, high):
            return step((low, high), frozenset((slot,)))
        case Forbid() as forbid:
            return step(_prohibited(game, forbid))
        case Let(slot, value):
            return step(value, frozenset((slot,)))
        case node:
            return step(node)


def _offered(game: Game, node: Alternative) -> Slots:
    """What is read to tell whether an alternative is offered, and is not read again when it is
    taken.
    """
    reads = read_by(game, node.guard) | read_by(game, node.choice.within if node.choice else ())
    written = _chosen(node)
    for statement in node.body:
        match statement:
            case Let(slot, value):
                reads |= read_by(game, value) - written
                written |= {slot}
            case Forbid():
                reads |= read_by(game, _prohibited(game, statement)) - written
            case _:
                break
    return reads


def _prohibited(game: Game, node: Forbid) -> object:
    """The expressions of a prohibition."""
    return node.condition, game.forbids[node.forbid].permits


def _chosen(node: Alternative) -> Slots:
    """The slot that an answer is written to."""
    return frozenset((node.choice.slot,)) if node.choice else _NONE


def _live(steps: list[_Step]) -> tuple[Slots, ...]:
    """For every step the slots that may be read before they are written: the least that fits all
    steps.
    """
    live = [step.reads for step in steps]
    changed = True
    while changed:
        changed = False
        for address, step in enumerate(steps):
            found = step.reads.union(*(live[to] - written for to, written in step.ways))
            if found != live[address]:
                live[address] = found
                changed = True
    return tuple(live)
