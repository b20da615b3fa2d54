"""What a question offers, alternative by alternative."""

from __future__ import annotations

from collections.abc import Callable

from targi_dsl.engine import expressions, heads, sieves
from targi_dsl.engine.code import BLOCKED, ENDED, Code, Head, Value, Vector, packed
from targi_dsl.engine.faults import OPTIONS
from targi_dsl.ir.model import (
    FP,
    NOTHING,
    Alternative,
    Ask,
    Block,
    Forbid,
    Let,
    Not,
    Statement,
)

Offers = Callable[
    [Vector, int, list[int], int], None
]  # adds the options of an alternative until there are enough


def question(code: Code, node: Ask) -> Callable[[Vector], list[int]]:
    """All own options of a question, in order."""
    alternatives = [_offers(code, *one) for one in enumerate(node.alternatives)]

    def options(v: Vector) -> list[int]:
        fp, found = v[FP], list[int]()
        for offer in alternatives:
            offer(v, fp, found, OPTIONS + 1)
        return found

    return options


def answerable(code: Code, alternatives: tuple[Alternative, ...]) -> Head:
    """The head of a question: whether anything is offered."""
    if any(_is_certain(code, one) for one in alternatives):
        return heads.ended
    offering = [_offers(code, *one) for one in enumerate(alternatives)]

    def ask(v: Vector, fp: int) -> int:
        found: list[int] = []
        for offer in offering:
            offer(v, fp, found, 1)
            if found:
                return ENDED
        return BLOCKED

    return ask


def _is_certain(code: Code, node: Alternative) -> bool:
    return (
        node.choice is None
        and expressions.condition(code, node.guard) is None
        and heads.possible(code, node.body) is None
    )


def settled(code: Code, body: Block) -> Block:
    """The body of an alternative without the prohibitions at its beginning that were asked when it
    was offered.
    """
    kept = list[Statement]()
    for number, statement in enumerate(body):
        if isinstance(statement, Forbid) and _uses_nothing(code, statement):
            continue
        kept.append(statement)
        if not isinstance(statement, Let | Forbid):
            kept += body[number + 1 :]
            break
    return tuple(kept)


def _offers(code: Code, place: int, node: Alternative) -> Offers:
    """The options of the alternative at this place of its question, in the order of its set."""
    guard = expressions.condition(code, node.guard)
    first = packed(place, 0)
    if node.choice is None:
        return _single(guard, heads.possible(code, node.body), packed(place))
    slot = node.choice.slot
    sieve, body = _sifting(code, slot, node.body)
    elements, head = sieves.sifted(code, node.choice.within, sieve), heads.possible(code, body)
    if head is None or not heads.reads(code, body, slot):
        return _all(guard, elements, head, first)
    elements = code.fuel.per_element(node.choice.within, code.fuel.of_head(node.body), elements)

    def options(v: Vector, fp: int, found: list[int], enough: int) -> None:
        if guard is not None and not guard(v, fp):
            return
        i = fp + slot
        before = v[i]
        for element in elements(v, fp):
            v[i] = element
            if head(v, fp):
                found.append(first + element)
                if len(found) >= enough:
                    break
        v[i] = before

    return options


def _all(guard: Value | None, elements: Value, head: Head | None, first: int) -> Offers:
    """As `_single`, for every element of a set alike."""

    def every(v: Vector, fp: int, found: list[int], enough: int) -> None:
        if guard is None or guard(v, fp):
            offered = elements(v, fp)
            if offered and (head is None or head(v, fp)):
                found += [first + element for element in offered]

    return every


def _single(guard: Value | None, head: Head | None, option: int) -> Offers:
    def single(v: Vector, fp: int, found: list[int], enough: int) -> None:
        if (guard is None or guard(v, fp)) and (head is None or head(v, fp)):
            found.append(option)

    return single


def _sifting(code: Code, slot: int, body: Block) -> tuple[list[sieves.Sieve], Block]:
    """The prohibitions at the beginning of a body that can be asked for all elements at once; the
    body without them.
    """
    found, rest = list[sieves.Sieve](), list[Statement]()
    for number, statement in enumerate(body):
        if not isinstance(statement, Forbid):
            rest += body[number:]
            break
        sieve = _allowing(code, slot, statement)
        if sieve is None:
            rest.append(statement)
        else:
            found.append(sieve)
    return found, tuple(rest)


def _allowing(code: Code, slot: int, node: Forbid) -> sieves.Sieve | None:
    """A prohibition as a sieve that lets through what it allows."""
    permits = code.game.forbids[node.forbid].permits
    if not permits:
        return sieves.sieve(code, slot, Not(node.condition))
    bars = sieves.sieve(code, slot, node.condition)
    if (
        bars is None
        or bars.kind != "inside"
        or any(expressions.condition(code, test) for _, test in permits)
    ):
        return None
    of, lift = bars.of, heads.lifted(code, node)
    return sieves.Sieve("outside", lambda v, fp: of(v, fp) if lift(v, fp) == NOTHING else ())


def _uses_nothing(code: Code, node: Forbid) -> bool:
    """Whether a prohibition leaves no trace when it is carried out and something lifts it."""
    return all(
        code.game.abilities[ability].window == NOTHING
        for ability, _ in code.game.forbids[node.forbid].permits
    )
