"""What a question offers, alternative by alternative."""

from __future__ import annotations

from collections.abc import Callable

from targi_dsl.engine import expressions, heads, sieves
from targi_dsl.engine.code import BLOCKED, ENDED, Code, Head, Value, Vector, packed
from targi_dsl.engine.faults import OPTIONS
from targi_dsl.engine.folding import folded
from targi_dsl.model import (
    NOTHING,
    Alternative,
    Ask,
    Block,
    Const,
    Expr,
    Forbid,
    Let,
    Local,
    Member,
    Statement,
)

Offers = Callable[[Vector, int, list[int], int], None]  # adds the options of an alternative until there are enough


def question(code: Code, node: Ask) -> Callable[[Vector, int], list[int]]:
    """All own options of a question, in order."""
    alternatives = [_offers(code, *one) for one in enumerate(node.alternatives)]

    def options(v: Vector, fp: int) -> list[int]:
        found: list[int] = []
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
    """The body of an alternative without the prohibitions at its beginning that were asked when it was offered."""
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
    sifting, chosen, body = _sifting(code, slot, node.choice.within, node.body)
    within, head = expressions.expression(code, chosen), heads.possible(code, body)

    def options(v: Vector, fp: int, found: list[int], enough: int) -> None:
        if guard is not None and not guard(v, fp):
            return
        elements = sieves.sieved(within(v, fp), sifting, v, fp)
        if head is None:
            found += [first + element for element in elements]
            return
        i = fp + slot
        before = v[i]
        for element in elements:
            v[i] = element
            if head(v, fp):
                found.append(first + element)
                if len(found) >= enough:
                    break
        v[i] = before

    return options


def _single(guard: Value | None, head: Head | None, option: int) -> Offers:
    def single(v: Vector, fp: int, found: list[int], enough: int) -> None:
        if (guard is None or guard(v, fp)) and (head is None or head(v, fp)):
            found.append(option)

    return single


def _sifting(code: Code, slot: int, within: Expr, body: Block) -> tuple[list[sieves.Sieve], Expr, Block]:
    """The prohibitions at the beginning of a body that can be asked for all elements at once; what they leave of the
    set whenever they are asked; and the body without them."""
    found, rest = [], list[Statement]()
    for number, statement in enumerate(body):
        if not isinstance(statement, Forbid):
            rest += body[number:]
            break
        bars = _bars(code, slot, statement)
        match within, folded(statement.condition):
            case Const(tuple(elements)), Member(Local(at), Const(tuple(barred))) if at == slot and bars is not None:
                if not code.game.forbids[statement.forbid].permits:
                    within = Const(tuple(element for element in elements if element not in barred))
                    continue
        if bars is None:
            rest.append(statement)
        else:
            found.append(bars)
    return found, within, tuple(rest)


def _bars(code: Code, slot: int, node: Forbid) -> sieves.Sieve | None:
    """A prohibition as a sieve that lets through what it allows."""
    bars = sieves.sieve(code, slot, node.condition)
    permits = code.game.forbids[node.forbid].permits
    if bars is None or not permits:
        return None if bars is None else (not bars[0], bars[1])
    inside, of = bars
    if not inside or any(expressions.condition(code, test) is not None for _, test in permits):
        return None
    lift = heads.lifted(code, node)
    return False, lambda v, fp: of(v, fp) if lift(v, fp) == NOTHING else ()


def _uses_nothing(code: Code, node: Forbid) -> bool:
    """Whether a prohibition leaves no trace when it is carried out and something lifts it."""
    return all(code.game.abilities[ability].window == NOTHING for ability, _ in code.game.forbids[node.forbid].permits)
