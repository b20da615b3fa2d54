"""What players have been told about a card without seeing it, in words."""

from __future__ import annotations

from collections.abc import Sequence

from targi_dsl.api.naming import Naming
from targi_dsl.ir.declarations import Variable


def clues_about(names: Naming, v: Sequence[int], card: int) -> str:
    """All clues about a card, as in "amber, climb not 1 or 2"; "" if there are none."""
    records = (variable for variable in names.game.variables if variable.bits)
    clues = (clue_of(names, record, v[record.base + card]) for record in records)
    return ", ".join(clue for clue in clues if clue)


def clue_of(names: Naming, variable: Variable, excluded: int) -> str:
    """The value of a field or those it does not have, from the bits of its clues."""
    if not excluded:
        return ""
    field, cards = variable.field, names.game.cards
    values = {
        bit: cards[card].fields[field]
        for card, bit in enumerate(variable.bits)
        if field in cards[card].fields
    }
    left = [names.word(str(value)) for bit, value in values.items() if not excluded & bit]
    out = [names.word(str(value)) for bit, value in sorted(values.items()) if excluded & bit]
    word = left[0] if len(left) == 1 else f"{names.say('not')} {names.either(out)}"
    is_number = isinstance(next(iter(values.values())), int)
    return f"{names.word(field)} {word}" if is_number else word
