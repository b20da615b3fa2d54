"""Why something is not offered now: every reason by name, with its place in the rules and what
would lift it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from targi_dsl.api import choices
from targi_dsl.api.naming import Naming
from targi_dsl.api.state import State
from targi_dsl.codegen import engine_of
from targi_dsl.engine import Engine
from targi_dsl.explain.refusal import Reason, Refusal, placed, price_words
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import CHANCE, NOTHING
from targi_dsl.ir.program import Question, Way
from targi_dsl.ir.slots import ENDED
from targi_dsl.ir.statements import Binding
from targi_dsl.text.suggestions import did_you_mean

__all__ = ["Reason", "why_not"]


def why_not(state: State, id_or_words: str, names: Naming | None = None) -> tuple[Reason, ...]:
    """All reasons why a choice, given by its id or its words, is not offered now; none if it is.
    The state does not change.

    For an answer to the open question: every prohibition and every payment in the way. For anything
    else there is one reason: `game_over`, `not_now` for an answer to another question, or `unknown`
    if it answers none. The reasons speak the language of the names, by default English.
    """
    if not isinstance(id_or_words, str):
        raise TypeError(f"a choice is named by its id or words, not {type(id_or_words).__name__}")
    names = names or Naming(state.game)
    engine, words = engine_of(state.game), " ".join(id_or_words.split())
    offered = choices(state)
    if state.seat is None:
        return (_over(engine, state, names),)
    question = engine.asked(state.vector)
    assert question is not None
    is_id = any(
        name == words for name in _ids(engine, question)
    )  # an id comes before the words of something else
    if any(
        words == choice.id or (not is_id and _same(words, choice.id, choice.text))
        for choice in offered
    ):
        return ()
    name, again = _numbered(words)
    plain = name if again and not any(choice.id == name for choice in offered) else words
    for reasons in (
        _refused(engine, state, question, plain, names),
        _exchange(engine, state, question, plain, names),
        _payment(engine, state, question, plain, names),
        _elsewhere(engine, state, question, plain, names),
    ):
        if reasons:
            return reasons
    meant = did_you_mean(words, [*(choice.id for choice in offered), *_ids(engine, question)])
    text = names.say(
        "`{answer}` is not an answer to any question of {game}.",
        answer=words,
        game=names.language.word(engine.game.title),
    )
    ids = ", ".join(f"`{choice.id}`" for choice in offered)
    hint = (
        names.say("Did you mean `{meant}`?", meant=meant)
        if meant
        else names.say("Possible are: {answers}.", answers=ids)
    )
    return (Reason("unknown", f"{text} {hint}"),)


# ---- the open question ----


def _refused(
    engine: Engine, state: State, question: Question, words: str, names: Naming
) -> tuple[Reason, ...]:
    """Why answers to the open question that match these words are not offered."""
    refused: dict[Reason, None] = {}
    for way in question.ways:
        for element in _elements(engine, way, words):
            refusal = Refusal(engine, state.vector, names)
            reasons = refusal.reasons(question.rule, way, element)
            if not reasons and way.choice is not None:
                reasons = (refusal.alike(question, way),)
            refused |= dict.fromkeys(reasons)
    return tuple(refused)


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
    # Several regions may contain the same name.
    domain, things = engine.code.domains.of(node.choice.type), elements(engine, node.choice)
    yield from [element for element in things if domain.name(element) == rest] or [
        element for element in things if _same(rest, domain.name(element), domain.word(element))
    ]


def elements(engine: Engine, choice: Binding) -> Sequence[int]:
    """Every element a choice could ever offer; none for numbers."""
    if choice.domain or isinstance(choice.type, t.Number):
        return choice.domain
    return engine.code.domains.of(choice.type).members


def _exchange(
    engine: Engine, state: State, question: Question, words: str, names: Naming
) -> tuple[Reason, ...]:
    """Why a free exchange of this name is not offered."""
    v, market, item = list(state.vector), engine.code.market, engine.code.domains.item
    for exchange in market.exchanges:
        if not _same(exchange.id, words) or engine.seat(v) == CHANCE:
            continue
        have = market.purse(v, engine.top(v)[0])
        if any(have[resource] < number for resource, number in exchange.give):
            yours = ", ".join(
                names.amount(item(resource), have[resource]) for resource, _ in exchange.give
            )
            costs = names.amounts(exchange.give)
            text = names.say("costs {costs}; you have {have}", costs=costs, have=yours)
            return (Reason(f"{exchange.id}.pay", text),)
        if market.after(have, exchange) is None:
            text = names.say("you cannot hold more of what you would get")
            return (Reason(f"{exchange.id}.full", text),)
        return (
            Reason(f"{exchange.id}.no_use", names.say("it would not help to pay what is asked")),
        )
    return ()


def _payment(
    engine: Engine, state: State, question: Question, words: str, names: Naming
) -> tuple[Reason, ...]:
    """Why a payment cannot be made in this way."""
    bill, rule = question.bill, engine.program.procedures[question.rule]
    if bill is None or not words.casefold().startswith("pay "):
        return ()
    v = list(state.vector)
    text = (
        names.say("what is owed is paid unit by unit, in what is asked for and you have")
        if question.kind == "unit"
        else price_words(engine, names, bill.price, bill.terms, v, engine.guards.code.frames.top(v))
    )
    return (placed(f"{rule.declared}.pay", text, rule.span),)


# ---- anything else ----


def _over(engine: Engine, state: State, names: Naming) -> Reason:
    rule = engine.program.procedures[state.vector[ENDED]]
    return placed("game_over", names.say("the game is over"), rule.span)


def _elsewhere(
    engine: Engine, state: State, question: Question, words: str, names: Naming
) -> tuple[Reason, ...]:
    """Whether this would answer a question of another rule."""
    for other in engine.program.questions:
        if not any(True for way in other.ways for _ in _elements(engine, way, words)):
            continue
        rule = engine.program.procedures[other.rule]
        text = names.say("it is not asked now, but in rule `{rule}`", rule=rule.declared)
        return (placed("not_now", text, rule.span),)
    return ()


def _ids(engine: Engine, question: Question) -> Iterator[str]:
    """The ids of all answers that a question could have."""
    for node in question.ways:
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
