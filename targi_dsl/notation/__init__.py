"""One position as text: written, and read back.

A position is written as what differs from the start: all cards where their deck lies, the last
listed on top, pieces off the board, amounts 0, variables as they start. One line for each thing;
`#` begins a comment.

    position of GAME after setup                                  the position to which the setup
    leads, instead of the start
    day: 3                                       a variable; `visits of anna: 2` one of many
    anna: 2 grey, 1 twigs                        all that a player has
    shore: 1 frog of anna; 4 heron, frog of bert the spaces of a region, those that are named shore
    1: frog of anna, raft                  the same for one space: pieces, and cards from the top
    hand of anna: den face up (known to bert)    a zone, cards from the top
    plan_pile: raft, rest                        `rest`: all other cards that lie here; `rest of
    plan_pile` those there
    nowhere: den.2, frog 1 of anna               out of the game, off the board stored 1 grey on den
    used raft 2 times                            the window of an ability; `used NAME by anna` if it
    is no card's remembered raft of anna                      what such an ability remembers of this
    period do hop by anna, then build by bert with den  what is done from here; then comes the next
    round ended by round                               the game is over, and by which rule

Without the last two a round begins. A card that is named lies there and nowhere else; cards that a
line leaves no room for go back under the cards where they started. A card lies face up or down and
is known as the place has it, unless `face up`, `face down`, `(known to anna)`, `(known only to
anna)` or `(known to nobody)` is said. A piece of a kind is the first that is free. What is in the
middle of being done has a line for each rule, the outermost first: the point at which it waits, and
what it will read from there on. The last one waits at its question:

    in round at after hop: anna, 2
    in hop at ask: bert
"""

from __future__ import annotations

from targi_dsl.engine.chance import Chance, Seed
from targi_dsl.engine.state import State
from targi_dsl.ir.game import Game
from targi_dsl.notation.laying import Laying
from targi_dsl.notation.writing import Writer
from targi_dsl.text.source import Source

__all__ = ["read", "write"]


def write(state: State) -> str:
    """The position as text; the chance that waits beside it is no part of it."""
    return "".join(f"{line}\n" for line in Writer(state).lines())


def read(game: Game, text: str | Source, chance: Chance = Seed(0)) -> State:  # noqa: B008 -- a frozen value
    """The position of a text, with this chance; it goes on to its first decision. A setup takes its
    chance from there.

    Raises Problems: E650 a line that says nothing known, E651 unknown names, E652 impossible
    values, E653 things twice or left over, E654 rules to be done that cannot be; others if the
    rules cannot go on.
    """
    return Laying(
        game, text if isinstance(text, Source) else Source("position", text), chance
    ).state()
