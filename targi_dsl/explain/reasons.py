"""Why something is not offered now: every reason by name, with its place in the rules and whatever
would lift it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from targi_dsl.api import choices
from targi_dsl.codegen import engine_of
from targi_dsl.engine import Engine
from targi_dsl.engine.state import State
from targi_dsl.explain.refusal import Reason, Refusal, placed, price_words
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import CHANCE, NOTHING
from targi_dsl.ir.program import Question, Way
from targi_dsl.ir.slots import ENDED
from targi_dsl.ir.statements import Binding
from targi_dsl.text.suggestions import did_you_mean

__all__ = ["Reason", "why_not"]


def why_not(state: State, id_or_words: str) -> tuple[Reason, ...]:
    """All reasons why a choice, given by its id or its words, is not offered now; none if it is.
    The state does not change.

    For an answer to the open question: every prohibition and every payment in the way. For anything
    else there is one reason: `game_over`, `not_now` for an answer to another question, or `unknown`
    if it answers none.
    """
    engine, words = engine_of(state.game), " ".join(id_or_words.split())
    offered = choices(state)
    if state.seat is None:
        return (_over(engine, state),)
    waiting = engine.asked(state.vector)
    assert waiting is not None
    is_id = any(
        name == words for name in _ids(engine, waiting)
    )  # an id comes before the words of something else
    if any(words == one.id or (not is_id and _same(words, one.id, one.text)) for one in offered):
        return ()
    name, again = _numbered(words)
    plain = name if again and not any(one.id == name for one in offered) else words
    for found in (
        _refused(engine, state, waiting, plain),
        _exchange(engine, state, waiting, plain),
        _payment(engine, state, waiting, plain),
        _elsewhere(engine, state, waiting, plain),
    ):
        if found:
            return found
    meant = did_you_mean(words, [*(one.id for one in offered), *_ids(engine, waiting)])
    hint = (
        f'Did you mean "{meant}"?'
        if meant
        else f"Possible are: {', '.join([one.id for one in offered])}."
    )
    return (
        Reason("unknown", f'"{words}" is no answer to any question of {engine.game.title}. {hint}'),
    )


# ---- the open question ----


def _refused(engine: Engine, state: State, waiting: Question, words: str) -> tuple[Reason, ...]:
    """Why answers to the open question that match these words are not offered."""
    found: dict[Reason, None] = {}
    for way in waiting.ways:
        for element in _elements(engine, way, words):
            refusal = Refusal(engine, state.vector)
            reasons = refusal.reasons(waiting.rule, way, element)
            if not reasons and way.choice is not None:
                reasons = (refusal.alike(waiting, way),)
            found |= dict.fromkeys(reasons)
    return tuple(found)


def _elements(engine: Engine, node: Way, words: str) -> Iterator[int]:
    """The elements of an alternative that these words name; NOTHING if the alternative is named and
    has no elements.
    """
    if node.choice is None:
        if _same(words, node.label):
            yield NOTHING
        return
    label, rest = words[: len(node.label)], words[len(node.label) :]
    if not _same(label, node.label) or not rest.startswith(" "):
        return
    rest = rest.strip()
    if isinstance(node.choice.type, t.Number):
        if rest.removeprefix("-").isdecimal():
            yield int(rest)
        return
    # The same name may stand in several regions.
    domain, things = engine.code.domains.of(node.choice.type), elements(engine, node.choice)
    yield from [one for one in things if domain.name(one) == rest] or [
        one for one in things if _same(rest, domain.name(one), domain.word(one))
    ]


def elements(engine: Engine, choice: Binding) -> Sequence[int]:
    """Every element a choice could ever offer; none for numbers."""
    if choice.domain or isinstance(choice.type, t.Number):
        return choice.domain
    return engine.code.domains.of(choice.type).members


def _exchange(engine: Engine, state: State, waiting: Question, words: str) -> tuple[Reason, ...]:
    """Why a free exchange of this name is not offered."""
    v, market, names = list(state.vector), engine.code.market, engine.code.domains
    for one in market.exchanges:
        if not _same(one.id, words) or engine.seat(v) == CHANCE:
            continue
        have = market.purse(v, engine.top(v)[0])
        if any(have[resource] < number for resource, number in one.give):
            yours = ", ".join(
                f"{have[resource]} {names.item(resource)}" for resource, _ in one.give
            )
            return (Reason(f"{one.id}.pay", f"costs {names.amounts(one.give)}; you have {yours}"),)
        if market.after(have, one) is None:
            return (Reason(f"{one.id}.full", "you cannot hold more of what you would get"),)
        return (Reason(f"{one.id}.no_use", "it would not help to pay what is asked"),)
    return ()


def _payment(engine: Engine, state: State, waiting: Question, words: str) -> tuple[Reason, ...]:
    """Why a payment cannot be made in this way."""
    bill, rule = waiting.bill, engine.program.procedures[waiting.rule]
    if bill is None or not words.casefold().startswith("pay "):
        return ()
    v = list(state.vector)
    text = (
        "what is owed is paid unit by unit, in what is asked for and you have"
        if waiting.kind == "unit"
        else price_words(engine, bill.price, bill.terms, v, engine.guards.code.frames.top(v))
    )
    return (placed(f"{rule.declared}.pay", text, rule.span),)


# ---- what is no answer to it ----


def _over(engine: Engine, state: State) -> Reason:
    rule = engine.program.procedures[state.vector[ENDED]]
    return placed("game_over", f"the game is over ({rule.declared})", rule.span)


def _elsewhere(engine: Engine, state: State, waiting: Question, words: str) -> tuple[Reason, ...]:
    """Whether this would answer a question of another rule."""
    for other in engine.program.questions:
        if not any(True for way in other.ways for _ in _elements(engine, way, words)):
            continue
        now, rule = waiting.name, engine.program.procedures[other.rule]
        text = f'the question is "{now}", to {state.seat}; this belongs to rule {rule.declared}'
        lasts = f"later, in rule {rule.declared}"
        return (placed("not_now", text, rule.span, lasts=lasts),)
    return ()


def _ids(engine: Engine, waiting: Question) -> Iterator[str]:
    """The ids of all answers that a question could have."""
    for node in waiting.ways:
        if node.choice is None:
            yield node.label
        else:
            for element in node.choice.domain:
                yield f"{node.label} {engine.code.domains.name(node.choice.type, element)}"


def _numbered(words: str) -> tuple[str, bool]:
    """Words without the number in parentheses that distinguishes answers with the same name, and
    whether there was one.
    """
    name, opening, number = words.rpartition(" (")
    return (name, True) if opening and number.removesuffix(")").isdecimal() else (words, False)


def _same(words: str, *names: str) -> bool:
    return words.casefold() in (name.casefold() for name in names)
