"""States and games as small pickles: the rules are named, not carried.

A pickle holds the hash of the rules, and the name or path of the sheet with its options. Where it
is read, a game of the process with that hash is taken; else the sheet is loaded, and must have that
hash. Rules from texts in memory have no sheet to load: a game with them must be loaded before.
"""

from __future__ import annotations

import copyreg
from typing import Any

from targi_dsl.compiler.load import load
from targi_dsl.engine.state import State
from targi_dsl.ir import registry
from targi_dsl.ir.game import Game

_Reference = tuple[str, str, tuple[tuple[str, str], ...]]  # rules hash, sheet, options


def _game(rules_hash: str, sheet: str, options: tuple[tuple[str, str], ...]) -> Game:
    found = registry.find(rules_hash)
    if found is None and sheet:
        found = load(sheet, options=dict(options))
    if found is None or found.hash != rules_hash:
        raise ValueError(
            f"no game with rules {rules_hash} is loaded ({sheet or 'texts in memory'})"
        )
    return found


def _state(reference: _Reference, data: bytes) -> State:
    return State.from_bytes(_game(*reference), data)


def _reference(game: Game) -> _Reference:
    registry.register(game)
    return game.hash, game.sheet, game.options


def _reduced_state(state: State) -> tuple[Any, ...]:
    return _state, (_reference(state.game), state.to_bytes())


def _reduced_game(game: Game) -> tuple[Any, ...]:
    return _game, _reference(game)


copyreg.pickle(State, _reduced_state)
copyreg.pickle(Game, _reduced_game)
