"""What a card costs or does, from the full text of the rules to a few words."""

from __future__ import annotations

import re
from collections.abc import Mapping

from targi_dsl.api.naming import Naming, spoken
from targi_dsl.text.languages import message

_AMOUNT = re.compile(r"\b(\d+) ([a-z_]+)\b")
_COUNTED = re.compile(r"(\b\d+ )([a-z_]+)")
_WORD = re.compile(r"[a-z_]+")

_PLAINER = (
    (r"^(always|at end)[:,] ", ""),
    (r"\b(any number of times:?|one of|of one|do|with)(?!\w) ?", ""),
    (r"[(){}]", ""),
    (r"\bgain (\d)", r"+\1"),
    (r"\bgain\b", "+"),
    (r" and ", ", "),
    (r" or | \| ", " / "),
    (r" -> ", " > "),
)
"""What is omitted from a text of the rules to shorten it."""

_KNOWN = {"plus": message("plus"), "for": message("for")}


class Deals:
    """Shortens texts of the rules of one game; items: the abbreviations of its resources."""

    def __init__(self, names: Naming, items: Mapping[str, str]) -> None:
        self.names, self.items = names, items

    def is_said(self, text: str) -> bool:
        """Whether a text contains only words of amounts and prices."""
        words = _WORD.findall(self._plainer(text))
        return all(word in _KNOWN or word in self.items for word in words)

    def told(self, text: str) -> tuple[str, ...]:
        """Versions of a text from long to short; none if one of its words has no translation."""
        if not (self.is_said(text) or self.names.language.is_english):
            return ()
        text = _WORD.sub(self._word, self._plainer(text))
        long = _AMOUNT.sub(lambda match: self.names.amount(match[2], int(match[1])), text)
        tight = _AMOUNT.sub(self._short, text).replace(", ", " ")
        tighter = re.sub(" ?([/>|]) ?", r"\1", tight)
        return tuple(dict.fromkeys(spoken(text) for text in (long, tight, tighter)))

    def _plainer(self, text: str) -> str:
        for pattern, instead in _PLAINER:
            text = re.sub(pattern, instead, text)
        return _COUNTED.sub(self._counted, text.strip())

    def _counted(self, match: re.Match[str]) -> str:
        return match[1] + self.names.game.counted(match[2])

    def _word(self, match: re.Match[str]) -> str:
        return self.names.say(_KNOWN[match[0]]) if match[0] in _KNOWN else match[0]

    def _short(self, match: re.Match[str]) -> str:
        return match[1] + self.items.get(match[2], f" {match[2]}")
