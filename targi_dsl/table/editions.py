"""Games in all their languages: what the tables of one game share."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from msgspec import Raw, json

from targi_dsl.ir.game import Game
from targi_dsl.table.client_words import client_words
from targi_dsl.table.drawing import drawing
from targi_dsl.text.languages import Language
from targi_dsl.view.equipment import equipment
from targi_dsl.view.words import Words

Guide = Callable[[Language], tuple[Language, tuple[str, ...]]]


def _no_guide(language: Language) -> tuple[Language, tuple[str, ...]]:
    return language, ()


class Edition:
    """A game in all its languages.

    language: the words of the game in a language. guide: how it is played, line by line, and in
    which language that is, if not in this one.
    """

    def __init__(
        self, game: Game, language: Callable[[str], Language], guide: Guide = _no_guide
    ) -> None:
        self.game, self._guide = game, guide
        self.words = cache(lambda code: Words(game, language(code)))
        """The game's words in a language; in English if the game does not speak it."""
        self.begin = cache(self._begin)
        """What a page has to know of the game, in a language."""

    def guide(self, code: str) -> dict[str, object]:
        """How the game is played, and in which language that is written."""
        spoken, lines = self._guide(self.words(code).language)
        return {"is": "rules", "text": lines, "language": spoken.code}

    def _begin(self, code: str) -> Raw:
        """Equipment, colours and marks, and the page's own words."""
        words = self.words(code)
        named = equipment(words)
        spoken = client_words(words.language)
        return Raw(json.encode({"equipment": named, **drawing(named), **spoken}))
