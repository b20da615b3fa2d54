"""The shipped games that tests of every game use."""

from __future__ import annotations

from functools import cache

from targi_dsl import load
from targi_dsl.ir.game import Game
from targi_dsl.text import resources

ALL = tuple(name.removesuffix(".targi") for name in resources.names("rules/games", ".targi"))

_LIKE_ANOTHER = {
    "base_incense", "base_online", "base_open_hands", "base_robber_returns", "base_short",
    "base_trailing_start", "bazaar_short", "expansion_easier", "five_trails_short", "foretold_5",
    "heiress_court", "inn_short", "inn_thrifty", "lamplighters_six", "liars_dice_4", "mixed_border",
    "small_estate_lean", "two_traders_mules",
}  # fmt: skip
_LONG = {"amazons", "gomoku", "hex", "quoridor", "reversi"}

QUICK = tuple(name for name in ALL if name not in _LIKE_ANOTHER | _LONG)
"""All but variants that add little, and boards on which a game takes many seconds."""

VARIED = (
    "tic_tac_toe", "hex_5", "connect_four", "nine_mens_morris", "lots", "liars_dice", "kuhn_poker",
    "who_is_it", "foretold", "lamplighters", "auction", "two_traders", "bazaar", "expansion",
)  # fmt: skip
"""Games that together have whatever any sheet has (`test_few_games_have_whatever_any_has`): for
tests of what holds in every game because of the engine and not because of its rules.
"""


@cache
def compiled(name: str) -> Game:
    """A shipped game; each is compiled only once."""
    return load(name)
