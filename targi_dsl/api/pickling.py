"""Small pickles of states and games: they refer to the rules instead of containing them.

A pickle holds the hash of the rules, and the name or path of the sheet with its options. Unpickling
uses a game with that hash if the process has loaded one; otherwise it loads the sheet, which must
have that hash. Rules that exist only as texts in memory have no sheet to load, so such a game must
be loaded beforehand.
"""

from __future__ import annotations

import copyreg
from typing import Any

from targi_dsl.api.state import State
from targi_dsl.compiler.load import load
from targi_dsl.ir.game import Game, register, registered

_Reference = tuple[str, str, tuple[tuple[str, str], ...]]  # rules hash, sheet, options


def _game(rules_hash: str, sheet: str, options: tuple[tuple[str, str], ...]) -> Game:
    game = registered(rules_hash)
    if game is None and sheet:
        game = load(sheet, options=dict(options))
    if game is None or game.hash != rules_hash:
        raise ValueError(
            f"no game with rules {rules_hash} is loaded ({sheet or 'texts in memory'})"
        )
    return game


def _state(reference: _Reference, data: bytes) -> State:
    return State.from_bytes(_game(*reference), data)


def _reference(game: Game) -> _Reference:
    register(game)
    return game.hash, game.sheet, game.options


def _reduced_state(state: State) -> tuple[Any, ...]:
    return _state, (_reference(state.game), state.to_bytes())


def _reduced_game(game: Game) -> tuple[Any, ...]:
    return _game, _reference(game)


copyreg.pickle(State, _reduced_state)
copyreg.pickle(Game, _reduced_game)
