"""What all have been told of a card without seeing it, in words."""

from __future__ import annotations

from collections.abc import Sequence

from targi_dsl.ir.declarations import Variable
from targi_dsl.ir.game import Game


def told(game: Game, v: Sequence[int], card: int) -> str:
    """All of it, as in "amber, climb not 1 or 2"; "" for nothing."""
    kept = (one for one in game.variables if one.bits)
    said = (told_of(game, one, v[one.base + card]) for one in kept)
    return ", ".join(one for one in said if one)


def told_of(game: Game, variable: Variable, excluded: int) -> str:
    """The value that a field has, or those that it has not, by the bits that are kept of it."""
    if not excluded:
        return ""
    field = variable.name.removeprefix("told ")
    values = {
        bit: game.cards[card].fields[field]
        for card, bit in enumerate(variable.bits)
        if field in game.cards[card].fields
    }
    left = [str(value) for bit, value in values.items() if not excluded & bit]
    out = [str(value) for bit, value in sorted(values.items()) if excluded & bit]
    word = left[0] if len(left) == 1 else f"not {' or '.join(out)}"
    return f"{field} {word}" if isinstance(next(iter(values.values())), int) else word
