"""Which statement of the rules waits at an address, and which slots of a frame are still read from there on.

The engine makes steps of statements and forgets the statements. Here the rules are walked once more in the same order,
so that every address gets its statement back; `flow_of` checks that both came to the same questions.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache

from targi_dsl.engine import offers
from targi_dsl.engine.code import Code
from targi_dsl.engine.machine import Engine
from targi_dsl.engine.statements import RETURN, Way
from targi_dsl.model import (
    FP,
    FRAME_HEAD,
    NOTHING,
    PC,
    Alternative,
    Ask,
    Block,
    CanPay,
    Each,
    EachPlayer,
    Exists,
    Filter,
    Fold,
    Forbid,
    Game,
    If,
    Leave,
    Let,
    Local,
    Loop,
    Map,
    Pay,
    Roll,
    Shuffle,
    Statement,
    Stop,
)

KEPT = 16  # games of which what is worked out is kept

Slots = frozenset[int]
_NONE: Slots = frozenset()


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits at an address: the rule, and its statement. `units`: wildcards of a payment, one by one."""

    rule: int
    node: Ask | Pay | Shuffle | Roll
    units: bool = False


@dataclass(frozen=True, slots=True)
class Flow:
    """By address: what waits there; the slots of the frame that may be read before they are written again."""

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
    walk = _Walk(engine.code)
    if list(walk.waiting) != list(engine.questions) or len(walk.steps) != len(engine.steps):
        raise AssertionError("the walk through the rules and the engine's steps have parted")
    return Flow(walk.waiting, _live(walk.steps))


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


@dataclass(slots=True)
class _Step:
    """What a step reads, and where it may go on, each with the slots it has written by then."""

    reads: Slots = _NONE
    ways: tuple[tuple[int, Slots], ...] = ()


class _Walk:
    """The walk of `engine.statements`, with notes instead of closures."""

    def __init__(self, code: Code) -> None:
        self.code, self.game = code, code.game
        self.rule = NOTHING
        self.steps = [_Step(), _Step(), _Step()]  # the end, the next round, a rule that is done
        self.waiting: dict[int, Waiting] = {}
        for number, info in enumerate(code.rules):
            self.rule = number
            entry = self.block(info.body, RETURN, Way())
            if info.opens:
                self.add(_NONE, (entry, _NONE))

    def add(self, reads: Slots, *ways: tuple[int, Slots]) -> int:
        self.steps.append(_Step(reads, ways))
        return len(self.steps) - 1

    def asked(
        self, node: Ask | Pay | Shuffle | Roll, reads: Slots, *ways: tuple[int, Slots], units: bool = False
    ) -> int:
        address = self.add(reads, *ways)
        self.waiting[address] = Waiting(self.rule, node, units)
        return address

    def block(self, body: Block, after: int, way: Way) -> int:
        entry = after
        for statement in reversed(body):
            entry = self.statement(statement, entry, after, way)
        return entry

    def statement(self, node: Statement, after: int, end: int, way: Way) -> int:
        match node:
            case Stop():
                return RETURN
            case Leave():
                return way.leave if way.kept == NOTHING else self.add(_NONE, (way.leave, _NONE))
            case If(test, then, otherwise):
                paths = self.block(then, after, way), self.block(otherwise, after, way)
                return self.add(self.read(test), *((path, _NONE) for path in paths))
            case Each(slot, within, body):
                own = frozenset((slot,))
                return self.repeated(own | self.read(within), own, own, body, after, way)
            case EachPlayer(slot, start, body):
                inside = way if way.kept != NOTHING else replace(way, kept=slot + 2)
                return self.repeated(self.read(start), _NONE, _NONE, body, after, inside)
            case Loop(_, limit, body):
                return self.repeated(self.read(limit), _NONE, _NONE, body, after, Way(leave=after))
            case Ask(_, alternatives, otherwise):
                ways = [
                    (self.block(offers.settled(self.code, one.body), after, way), _chosen(one)) for one in alternatives
                ]
                last = self.block(otherwise, after, way) if otherwise else end
                reads = _NONE.union(*(self.offered(one) for one in alternatives))
                return self.asked(node, reads, *ways, (last, _NONE))
            case Pay(price, terms, _, otherwise):
                last = end if otherwise is None else self.block(otherwise, after, way)
                reads = self.read(price) | _of_terms(self.game, terms)
                units = self.asked(node, reads, (after, _NONE), units=True)
                return self.asked(node, reads, (units, _NONE), (last, _NONE))
            case Shuffle(place, _):
                return self.asked(node, self.read(place), (after, _NONE))
            case Roll(slot, low, high):
                return self.asked(node, self.read((low, high)), (after, frozenset((slot,))))
            case Forbid():
                return self.add(self.prohibited(node), (after, _NONE), (end, _NONE))
            case Let(slot, value):
                return self.add(self.read(value), (after, frozenset((slot,))))
            case _:
                return self.add(self.read(node), (after, _NONE))

    def repeated(self, reads: Slots, turned: Slots, begun: Slots, body: Block, after: int, way: Way) -> int:
        """The turn of a loop, its body, and its beginning: the slots each of them writes."""
        turn = self.add(reads)
        entry = self.block(body, turn, way)
        self.steps[turn].ways = ((entry, turned), (after, _NONE))
        return self.add(reads - begun, (turn, begun))

    def offered(self, node: Alternative) -> Slots:
        """What is read to tell whether an alternative is offered, and is not read again when it is taken."""
        reads = self.read(node.guard) | self.read(node.choice.within if node.choice else ())
        written = _chosen(node)
        for statement in node.body:
            match statement:
                case Let(slot, value):
                    reads |= self.read(value) - written
                    written |= {slot}
                case Forbid():
                    reads |= self.prohibited(statement) - written
                case _:
                    break
        return reads

    def prohibited(self, node: Forbid) -> Slots:
        return self.read((node.condition, self.game.forbids[node.forbid].permits))

    def read(self, node: object) -> Slots:
        return read_by(self.game, node)


def _chosen(node: Alternative) -> Slots:
    """The slot that an answer is written to."""
    return frozenset((node.choice.slot,)) if node.choice else _NONE


def _live(steps: list[_Step]) -> tuple[Slots, ...]:
    """For every step the slots that may be read before they are written: the least that fits all steps."""
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
