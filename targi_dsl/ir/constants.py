"""Numbers with the same meaning in every game."""

from __future__ import annotations

NOTHING = -1
YOU = 0  # the slot of every frame that holds whose turn of phrase it is
CHANCE = -2  # the seat that answers for chance when it is asked
