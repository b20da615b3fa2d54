"""A player that grows a tree of choices."""

from __future__ import annotations

from targi_dsl.players.lookahead import Lookahead
from targi_dsl.search import Settings


class Search(Lookahead):
    """Takes the choice that it has tried most: of everybody's choices, those that have been good so
    far are tried more often. Needs generated C.
    """

    kind = "search"
    settings = Settings(grows=True)
