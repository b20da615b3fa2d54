"""Words for people: texts with blanks for values. They do not affect play."""

from __future__ import annotations

import re

from targi_dsl.ir.expressions import Expr
from targi_dsl.ir.types import Type
from targi_dsl.text.structs import Frozen


class Blank(Frozen):
    """A placeholder for a value in a text. reads: the slots that must be known."""

    written: str
    value: Expr
    type: Type
    reads: tuple[int, ...]


class Phrase(Frozen):
    """A text, which is also its key in a translation catalogue, and its blanks in order."""

    text: str
    blanks: tuple[Blank, ...]


class Lead(Frozen):
    """The effect of a choice, shown where the condition holds; without one, always."""

    phrase: Phrase
    condition: Blank | None


class Chosen(Frozen):
    """What the rules call the thing that an answer chooses. is_said: whether an answer without a
    phrase says it, as its label does not. at, of: which of how many chosen one after the other;
    fewer: there may be fewer.
    """

    name: str
    is_said: bool
    at: int
    of: int
    fewer: bool


class Wording(Frozen):
    """The words for people of a rule or an answer, and its effects. slots: those of its frame."""

    phrase: Phrase | None
    leads: tuple[Lead, ...] = ()
    slots: int = 0
    chosen: Chosen | None = None

    @property
    def reads(self) -> frozenset[int]:
        """The slots that its texts and conditions read."""
        phrases = (self.phrase, *(one.phrase for one in self.leads))
        blanks = [blank for phrase in phrases if phrase is not None for blank in phrase.blanks]
        blanks += [one.condition for one in self.leads if one.condition is not None]
        return frozenset(slot for blank in blanks for slot in blank.reads)


# ---- wordings composed of the wordings of their parts ----

_SUM = r"\d+ \w+(?:(?:, | and )\d+ \w+)*"
DEAL = re.compile(rf"(?P<verb>pay |gain |)(?P<given>{_SUM})(?:,? for (?P<taken>{_SUM}))?")
"""An answer named after amounts, as in its id."""

# ---- the reasons of prohibitions that statements imply ----


class NoneLeft(Frozen):
    """No piece of this kind is off the board; of yours, if each player has some."""

    piece: str
    yours: bool


class NotAmong(Frozen):
    """Only what meets a condition can be chosen: `it`, in the words of the rules."""

    condition: str


Reason = str | NoneLeft | NotAmong
"""A reason given in the rules, or one of those they imply."""

PLAIN = ("done", "decline", "gain", "put", "nothing")
"""Answers that exist in every game."""
