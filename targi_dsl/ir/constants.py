"""Numbers and words with the same meaning in every game."""

from __future__ import annotations

from typing import Literal

NOTHING = -1
YOU = 0  # the slot of every frame that holds the player whom the rule addresses
CHANCE = -2  # the seat that answers for chance when it is asked

Facing = Literal["up", "down"]
"""How a card lies."""

Audience = Literal["all", "owner", "others", "nobody"]
"""Who sees the cards of a zone, or the value of a variable."""

TriggerVerb = Literal["gain", "pay", "do"]
"""What a trigger can react to."""

QuestionKind = Literal["ask", "pay", "unit", "shuffle", "roll", "random"]
"""What a question asks: an answer, a plan to pay by, one unit of a payment, or chance."""

EventKind = Literal[
    "round", "gain", "pay", "lose", "exchange", "use", "store", "move", "piece", "turn", "reveal",
    "look", "tell", "set", "do", "end", "refill", "shuffle", "roll", "random",
]  # fmt: skip
"""What an engine reports. Generated C numbers them in this order."""
