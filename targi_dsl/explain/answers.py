"""All possible answers of a game, in whatever position: ids of choices, and names of reasons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from targi_dsl.api.naming import amounts_dealt
from targi_dsl.codegen import engine_of
from targi_dsl.engine import Engine
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.ir.program import OF_CHANCE, Question, Way
from targi_dsl.ir.statements import Binding
from targi_dsl.ir.wordings import Chosen

GAMES = 16  # size of the cache


def elements(engine: Engine, choice: Binding) -> Sequence[int]:
    """All elements that a choice could ever offer; none for numbers without limits."""
    if choice.domain or isinstance(choice.type, t.Number):
        return choice.domain
    return engine.code.domains.of(choice.type).members


def ids_of(engine: Engine, question: Question) -> Iterator[str]:
    """The ids of all answers that a question could have, except payments and unlimited numbers."""
    for way in question.ways:
        if way.choice is None:
            yield way.label
        else:
            for element in elements(engine, way.choice):
                yield engine.code.name_of((way.label, way.choice.type, element))


@lru_cache(GAMES)
def possible_ids(game: Game) -> frozenset[str]:
    """The ids of all answers to questions that players are asked, in any position; as of
    `ids_of`.
    """
    engine = engine_of(game)
    ids = {id_ for question in _asked(engine) for id_ in ids_of(engine, question)}
    return frozenset(ids | {exchange.id for exchange in engine.program.exchanges})


def is_possible_id(game: Game, id_: str) -> bool:
    """Whether an answer can have this id in some position, judged by names alone."""
    plain = without_number(id_)
    return not {id_, plain}.isdisjoint(possible_ids(game)) or any(
        _is_payment(game, question, plain) or any(_is_number(way, plain) for way in question.ways)
        for question in _asked(engine_of(game))
    )


def _asked(engine: Engine) -> Iterator[Question]:
    return (one for one in engine.program.questions if one.kind not in OF_CHANCE)


def _is_payment(game: Game, question: Question, id_: str) -> bool:
    if not id_.startswith("pay "):
        return False
    if question.kind == "unit":
        return id_.removeprefix("pay ") in game.resources
    known = {*game.resources, *(name for name, _ in game.groups)}
    given, taken = amounts_dealt(id_)
    return question.kind == "pay" and bool(given) and known.issuperset(dict(given + taken))


def _is_number(way: Way, id_: str) -> bool:
    choice = way.choice
    if choice is None or choice.domain or not isinstance(choice.type, t.Number):
        return False
    label, _, number = id_.rpartition(" ")
    return label == way.label and number.removeprefix("-").isdecimal()


def without_number(words: str) -> str:
    """The words without a number in parentheses, which distinguishes answers of the same name."""
    name, opening, number = words.rpartition(" (")
    return name if opening and number.removesuffix(")").isdecimal() else words


def possible_reasons(game: Game) -> set[str]:
    """The names of all reasons for which something may not be offered; see `Reason`."""
    program = engine_of(game).program
    names = {"game_over", "not_now", *(forbid.name for forbid in game.forbids)}
    for rule in program.procedures:
        names |= {f"{rule.declared}.pay", f"{rule.declared}.times"}
    for exchange in program.exchanges:
        names |= {f"{exchange.id}.pay", f"{exchange.id}.full", f"{exchange.id}.no_use"}
    for question in program.questions:
        asks, ways = program.procedures[question.rule].declared, question.ways
        names |= {way.label for way in ways}
        names |= {reason_of_thing(game, asks, way) for way in ways if way.choice is not None}
    return names


def reason_of_thing(game: Game, rule: str, way: Way) -> str:
    """The name of the reason that something is not in the set to choose from: after the label of
    the answer, or if it has none of its own, what the rule calls the thing.
    """
    assert way.choice is not None
    chosen = chosen_by(game, way)
    name = chosen.name if chosen is not None else way.choice.type.name
    return f"{rule}.{way.label if way.label != rule else name}"


def chosen_by(game: Game, way: Way) -> Chosen | None:
    """What an answer chooses by `choose`, as the rules call it."""
    return game.wordings[way.wording].chosen if way.wording != NOTHING else None
