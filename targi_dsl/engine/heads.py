"""Whether a block can be begun: its head, read in the present position before anything is done.

A head is made backwards, statement by statement, each holding what comes after it. Most blocks cannot fail: then the
head is one of the two constants, and nobody asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from targi_dsl.engine import expressions, payment, sieves
from targi_dsl.engine.code import BLOCKED, ENDED, THROUGH, Code, Head, Value, Vector
from targi_dsl.engine.faults import OPTIONS
from targi_dsl.engine.folding import folded
from targi_dsl.model import (
    FRAME_HEAD,
    NOTHING,
    Alternative,
    Ask,
    Block,
    Const,
    Do,
    DoAction,
    Expr,
    Forbid,
    If,
    Leave,
    Let,
    Loop,
    Pay,
    Statement,
    Use,
)

Lift = Callable[[Vector, int], int]  # the ability that lifts a prohibition now, or nothing
Offers = Callable[[Vector, int, list[int], int], None]  # adds the options of an alternative until there are enough


def through(v: Vector, fp: int) -> int:
    return THROUGH


def ended(v: Vector, fp: int) -> int:
    return ENDED


def possible(code: Code, block: Block) -> Head | None:
    """Whether a block can be begun (not BLOCKED); None: it always can."""
    head = _head(code, block, through)
    return None if head is ended or head is through else head


def of_rule(code: Code, rule: int) -> Head:
    """The head of a rule, to be called in a frame of it; made when first wanted."""
    head = code.heads[rule]
    if head is None:
        code.heads[rule] = lambda v, fp: of_rule(code, rule)(v, fp)  # while it is made it may meet itself
        try:
            head = _head(code, code.rules[rule].body, through)
        finally:
            code.heads[rule] = None
        code.heads[rule] = head
    return head


def _head(code: Code, block: Block, rest: Head) -> Head:
    for statement in reversed(block):
        match statement:
            case Let(slot, value):
                rest = rest if rest in (through, ended) else _let(slot, expressions.number(code, value), rest)
            case Forbid():
                hinders = blocked(code, statement)
                rest = rest if hinders is None else _forbid(hinders, rest)
            case Pay(price, terms, _, otherwise):
                rest = rest if otherwise is not None else _pay(payment.can_pay(code, price, terms), rest)
            case If(test, then, otherwise):
                rest = _if(expressions.expression(code, test), _head(code, then, rest), _head(code, otherwise, rest))
            case Do(rule, arguments):
                rest = _do(code, rule, arguments, rest)
            case Ask(_, alternatives, otherwise):
                rest = ended if otherwise else _ask(code, alternatives)
            case DoAction(card):
                rest = _do_action(code, expressions.expression(code, card), rest)
            case Loop(slot, limit, body):
                rest = _loop(slot, expressions.expression(code, limit), _head(code, _without_way_out(body), through))
            case Use():
                pass
            case _:
                rest = ended
    return rest


def _let(slot: int, value: Value, rest: Head) -> Head:
    def let(v: Vector, fp: int) -> int:
        i = fp + slot
        before, v[i] = v[i], value(v, fp)
        holds = rest(v, fp)
        v[i] = before
        return holds

    return let


def _forbid(hinders: Value, rest: Head) -> Head:
    return lambda v, fp: BLOCKED if hinders(v, fp) else rest(v, fp)


def _pay(payable: Value, rest: Head) -> Head:
    return lambda v, fp: rest(v, fp) if payable(v, fp) else BLOCKED


def _if(test: Value, then: Head, otherwise: Head) -> Head:
    if then is otherwise:
        return then
    return lambda v, fp: then(v, fp) if test(v, fp) else otherwise(v, fp)


def _do(code: Code, rule: int, arguments: Iterable[Expr], rest: Head) -> Head:
    head = of_rule(code, rule)
    if head is ended:
        return ended
    if head is through:
        return rest
    frame = code.framed(rule, [expressions.number(code, argument) for argument in arguments], code.sizes[rule])

    def do(v: Vector, fp: int) -> int:
        inner = frame(v, fp)
        holds = head(v, inner)
        del v[inner - FRAME_HEAD :]
        return rest(v, fp) if holds == THROUGH else holds

    return do


def _do_action(code: Code, card: Value, rest: Head) -> Head:
    def do(v: Vector, fp: int) -> int:
        chosen = card(v, fp)
        rule = code.game.actions[chosen] if chosen != NOTHING else NOTHING
        if rule == NOTHING:
            return rest(v, fp)
        inner = code.scratch(v, fp, rule, v[fp], code.sizes[rule])
        given = code.carried(rule, chosen)
        v[inner + 1 : inner + 1 + len(given)] = given
        holds = of_rule(code, rule)(v, inner)
        del v[inner - FRAME_HEAD :]
        return rest(v, fp) if holds == THROUGH else holds

    return do


def _loop(slot: int, limit: Value, body: Head) -> Head:
    """A loop can be begun when its first turn can, other than by leaving at once."""

    def loop(v: Vector, fp: int) -> int:
        i = fp + slot
        before, v[i] = v[i], 1
        holds = limit(v, fp) > 0 and body(v, fp)
        v[i] = before
        return ENDED if holds else BLOCKED

    return loop


def _without_way_out(body: Block) -> Block:
    match body:
        case (Ask(name, alternatives, otherwise),):
            return (Ask(name, tuple(one for one in alternatives if one.body != (Leave(),)), otherwise),)
        case _:
            return body


def _ask(code: Code, alternatives: tuple[Alternative, ...]) -> Head:
    if any(_is_certain(code, one) for one in alternatives):
        return ended
    offering = [offers(code, *one) for one in enumerate(alternatives)]

    def ask(v: Vector, fp: int) -> int:
        found: list[int] = []
        for offer in offering:
            offer(v, fp, found, 1)
            if found:
                return ENDED
        return BLOCKED

    return ask


def _is_certain(code: Code, node: Alternative) -> bool:
    return node.choice is None and expressions.condition(code, node.guard) is None and possible(code, node.body) is None


def lifted(code: Code, node: Forbid) -> Lift:
    """What lifts a prohibition for you now: the number of an ability, or nothing."""
    permits = [(ability, expressions.condition(code, test)) for ability, test in code.game.forbids[node.forbid].permits]

    def lift(v: Vector, fp: int) -> int:
        for ability, test in permits:
            if code.is_active(v, ability, v[fp]) and (test is None or test(v, fp)):
                return ability
        return NOTHING

    return lift


def blocked(code: Code, node: Forbid) -> Value | None:
    """Whether a prohibition holds and nothing lifts it; None when it never holds."""
    if folded(node.condition) == Const(0):
        return None
    holds = expressions.expression(code, node.condition)
    if not code.game.forbids[node.forbid].permits:
        return holds
    lift = lifted(code, node)
    return lambda v, fp: holds(v, fp) and lift(v, fp) == NOTHING


def offers(code: Code, place: int, node: Alternative) -> Offers:
    """The options of the alternative at this place of its question, in the order of its set."""
    guard = expressions.condition(code, node.guard)
    first = (place << 16) + 1
    if node.choice is None:
        return _single(guard, possible(code, node.body), first - 1)
    within, slot = expressions.expression(code, node.choice.within), node.choice.slot
    sifting, body = _sifting(code, slot, node.body)
    head = possible(code, body)

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


def _sifting(code: Code, slot: int, body: Block) -> tuple[list[sieves.Sieve], Block]:
    """The prohibitions at the beginning of a body that can be asked for all elements at once, and the body without
    them."""
    found, rest = [], list[Statement]()
    for number, statement in enumerate(body):
        if not isinstance(statement, Forbid):
            rest += body[number:]
            break
        bars = _bars(code, slot, statement)
        if bars is None:
            rest.append(statement)
        else:
            found.append(bars)
    return found, tuple(rest)


def _bars(code: Code, slot: int, node: Forbid) -> sieves.Sieve | None:
    """A prohibition as a sieve that lets through what it allows."""
    bars = sieves.sieve(code, slot, node.condition)
    permits = code.game.forbids[node.forbid].permits
    if bars is None or not permits:
        return None if bars is None else (not bars[0], bars[1])
    inside, of = bars
    if not inside or any(expressions.condition(code, test) is not None for _, test in permits):
        return None
    lift = lifted(code, node)
    return False, lambda v, fp: of(v, fp) if lift(v, fp) == NOTHING else ()


def _uses_nothing(code: Code, node: Forbid) -> bool:
    """Whether a prohibition leaves no trace when it is carried out and something lifts it."""
    return all(code.game.abilities[ability].window == NOTHING for ability, _ in code.game.forbids[node.forbid].permits)


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


def _single(guard: Value | None, head: Head | None, option: int) -> Offers:
    def single(v: Vector, fp: int, found: list[int], enough: int) -> None:
        if (guard is None or guard(v, fp)) and (head is None or head(v, fp)):
            found.append(option)

    return single


def question(code: Code, node: Ask) -> Callable[[Vector, int], list[int]]:
    """All own options of a question, in order."""
    alternatives = [offers(code, *one) for one in enumerate(node.alternatives)]

    def options(v: Vector, fp: int) -> list[int]:
        found: list[int] = []
        for offer in alternatives:
            offer(v, fp, found, OPTIONS + 1)
        return found

    return options
