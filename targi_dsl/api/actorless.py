"""Rules that no player carries out: their events have no seat."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from targi_dsl.engine import Engine
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.statements import (
    Ask,
    Block,
    Do,
    Each,
    EachPlayer,
    If,
    Loop,
    Pay,
    Statement,
    TurnOf,
    Until,
)

_KEPT = 16


@lru_cache(_KEPT)
def rules_without_actor(engine: Engine) -> frozenset[int]:
    """The rules that are called only by the setup or the round, outside `each player`, and that ask
    no question.
    """
    game = engine.game
    by_players = [trigger.body for trigger in game.triggers]
    by_players += [ability.arrival for ability in game.abilities if ability.arrival != NOTHING]
    by_players += [rule for rule in game.actions if rule != NOTHING]
    game_itself = _reached(engine, [game.setup, game.round], by_players=False)
    for rule in game_itself:
        by_players += _callees(engine, rule, by_players=True)
        if any(isinstance(node, Ask | Pay) for node, _ in _walk(game.rules[rule].body)):
            by_players.append(rule)
    return frozenset(game_itself - _reached(engine, by_players, by_players=None))


def _reached(engine: Engine, first: list[int], by_players: bool | None) -> set[int]:
    """These rules and all rules that they call: by players, by no player, or by either."""
    reached, left = set[int](), list(first)
    while left:
        rule = left.pop()
        if rule not in reached:
            reached.add(rule)
            left += _callees(engine, rule, by_players)
    return reached


def _callees(engine: Engine, rule: int, by_players: bool | None) -> list[int]:
    return [
        node.rule
        for node, by_player in _walk(engine.game.rules[rule].body)
        if isinstance(node, Do) and by_players in (None, by_player)
    ]


def _walk(body: Block, by_player: bool = False) -> Iterator[tuple[Statement, bool]]:
    """All statements of a block, each with whether every player carries it out in turn."""
    for node in body:
        yield node, by_player
        match node:
            case If(_, then, otherwise):
                yield from _walk((*then, *otherwise), by_player)
            case EachPlayer() | TurnOf():
                yield from _walk(node.body, True)
            case Each() | Loop() | Until():
                yield from _walk(node.body, by_player)
            case Ask():
                for alternative in node.alternatives:
                    yield from _walk(alternative.body, by_player)
                yield from _walk(node.otherwise or (), by_player)
            case Pay():
                yield from _walk(node.otherwise or (), by_player)
