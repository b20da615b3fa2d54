"""Numbers with the same meaning in every game."""

from __future__ import annotations

NOTHING = -1
YOU = 0  # the slot of every frame that holds the player whom the rule addresses
CHANCE = -2  # the seat that answers for chance when it is asked
