"""Secret values of variables: which ones a seat does not know, and what they could be; and
positions that rules declare impossible.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from targi_dsl.api.renumbering import GAMES
from targi_dsl.engine import Engine
from targi_dsl.engine.chance import Stream
from targi_dsl.engine.expressions import Value
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.declarations import DefineInfo
from targi_dsl.ir.expressions import Call, Local


def secret_slots(engine: Engine, v: Sequence[int], seat: int) -> tuple[int, ...]:
    """The slots with values that a player does not know; a spectator is numbered after them."""
    players = len(engine.program.players)
    return tuple(
        variable.base + at
        for variable in engine.program.variables
        if variable.secret != NOTHING
        for at in range(variable.count)
        if v[variable.secret + at] and not variable.seeing(at, players) >> seat & 1
    )


def without_secrets(engine: Engine, v: Sequence[int], hidden: Iterable[int]) -> list[int]:
    """The position with the lowest value in each of these slots."""
    w = list(v)
    for slot in hidden:
        w[slot] = engine.program.slots.lows[slot]
    return w


def filled(engine: Engine, v: Sequence[int], hidden: Iterable[int], rng: Stream) -> list[int]:
    """The position with a random value in each of these slots: one that its owner could choose now,
    given the values drawn before; if there is none, or nobody chose the value, any value of the
    variable.
    """
    w = list(v)
    for slot in hidden:
        values = _possible(engine, w, slot)
        w[slot] = values[rng.below(len(values))]
    return w


def _possible(engine: Engine, v: Sequence[int], slot: int) -> Sequence[int]:
    """The possible values of a slot for a player who does not see it."""
    variables = zip(engine.program.variables, _offers(engine), strict=True)
    variable, offers = next(one for one in variables if slot - one[0].base in range(one[0].count))
    at = slot - variable.base
    owner = variable.owner(at, len(engine.program.players))
    offer, domain = v[variable.secret + at] - 2, engine.code.domains.of(variable.type)
    any_ = (NOTHING, *domain.members) if domain.default == NOTHING else domain.members
    return (offer >= 0 and offers[offer](list(v), [owner, 0])) or any_


@lru_cache(GAMES)
def _offers(engine: Engine) -> list[list[Value]]:
    """The sets that each variable may have been chosen from."""
    value = engine.guards.value
    return [
        [value(Call(offer, (Local(YOU),))) for offer in variable.offers]
        for variable in engine.program.variables
    ]


def impossible(engine: Engine, v: list[int]) -> DefineInfo | None:
    """The definition that declares this position impossible, if there is one."""
    for number, holds in _impossible(engine):
        if any(holds(v[:], [player]) for player in range(len(engine.game.players))):
            return engine.program.defines[number]
    return None


@lru_cache(GAMES)
def _impossible(engine: Engine) -> list[tuple[int, Value]]:
    """The definitions that declare positions impossible, with their conditions."""
    value = engine.guards.value
    return [(number, value(Call(number, (Local(YOU),)))) for number in engine.program.impossible]
