"""The look: how what has a name is drawn. Nothing that is played depends on it."""

from __future__ import annotations

from targi_dsl.text.light import dataclass


@dataclass(frozen=True, slots=True)
class Look:
    """How one thing looks; what is empty is left to whoever draws.

    symbol: a mark where there is room for any character; letter: one where there is not. shows:
    the fields on the face of a card, in order.
    """

    symbol: str = ""
    letter: str = ""
    colour: str = ""
    shape: str = ""
    shows: tuple[str, ...] = ()


PLAIN = Look()
"""The look of what has none of its own."""
