"""One position as text: written, and read back.

A position is written as its difference from the start, in which all cards lie where their deck
lies (the first one listed on top), all pieces are off the board, amounts are 0 and variables have
their initial values. There is one line for each thing; `#` begins a comment.

    position of GAME
    after setup                       the position after the setup instead of the start
    day: 3                            a variable; `visits of anna: 2` for one of many
    anna: 2 grey, 1 twigs             everything a player has
    shore: 1 frog of anna; 4 heron    the spaces of a region that have something on them; `nothing`
    shore: 4 heron; rest nothing      the same, and no cards on any other of its spaces
    shore 1: frog of anna, raft       one space: pieces, and cards from the top
    hand of anna: den face up (known to bert)    a zone, cards from the top
    plan_pile: raft, rest             all other cards that start here; also `rest of plan_pile`
    nowhere: den.2, frog 1 of anna    out of the game, off the board
    secret 1 bid of anna              not all know it; 2 and more: chosen from what rules offer
    stored 1 grey on den
    used raft 2 times                 the window of an ability; `by anna` if it has no card
    remembered raft of anna           what such an ability remembers of this period
    do hop by anna, then build by bert with den    what is done next, before the next round
    ended by round                    the game is over, ended by this rule

Without the last two, a round begins. A card that is named lies there and nowhere else; cards for
which a line leaves no room go back to the bottom of the place where they started. A card is face
up or face down, and known, as is usual at its place, unless it says `face up`, `face down`,
`(known to anna)`, `(known only to anna)` or `(known to nobody)`. A piece given by its kind is the
first free one. Of the pieces that the setup puts on a space or in a region, none stays there if
the space or region has a line. A rule in progress has a line of its own, the outermost first: the
point at which it waits, and the values it will read from there on. The innermost waits at its
question:

    in round at after hop: anna, 2
    in hop at ask: bert
"""

from __future__ import annotations

from targi_dsl.api.state import State
from targi_dsl.engine.chance import Chance, Seed
from targi_dsl.ir.game import Game
from targi_dsl.records.notation.reading import Loader
from targi_dsl.records.notation.writing import Writer
from targi_dsl.text.source import Source, Text

__all__ = ["read", "write"]


def write(state: State) -> str:
    """The position as text. The state of chance is not part of it."""
    return "".join(f"{line}\n" for line in Writer(state).lines())


def read(game: Game, text: str | Text, chance: Chance = Seed(0)) -> State:  # noqa: B008 -- a frozen value
    """The position described by a text, with this source of chance, played on to its first
    decision. A setup uses that chance too.

    Raises Problems: E650 for a line that is not understood, E651 for unknown names, E652 for
    impossible values, E653 for things given twice or left over, E654 for rules that cannot be
    carried out; others if the rules cannot continue.
    """
    return Loader(game, Source("position", text) if isinstance(text, str) else text, chance).state()
