"""A player that grows a search tree."""

from __future__ import annotations

from targi_dsl.players.lookahead import Lookahead
from targi_dsl.search import Settings


class Search(Lookahead):
    """Monte-Carlo tree search: takes the choice with the most visits; for every player, choices
    that have been good so far are visited more often. Needs generated C.
    """

    kind = "search"
    settings = Settings(grows=True)
