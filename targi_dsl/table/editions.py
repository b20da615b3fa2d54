"""Games in all their languages: what the tables of one game share."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from msgspec import Raw, json

from targi_dsl.display.picture.marks import has_token, paint, piece, token
from targi_dsl.ir.game import Game
from targi_dsl.table.client_words import client_words
from targi_dsl.text.languages import Language
from targi_dsl.view.equipment import equipment
from targi_dsl.view.looks import COLOURS
from targi_dsl.view.shape import Equipment
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
        """Equipment; the colours by name, each as its fill, its edge and the ink on it; the marks
        by the ids of their things; and the page's own words.
        """
        words = self.words(code)
        named, colours = equipment(words), {name: paint(name) for name in COLOURS}
        drawn = {"equipment": named, "colours": colours, "marks": _marks(named)}
        return Raw(json.encode(drawn | client_words(words.language)))


SIZE = 24.0
"""The height and width of a mark."""


def _marks(equipment: Equipment) -> dict[str, str]:
    """The marks of things as SVG."""
    things = (*equipment.resources, *equipment.values)
    found = {one.id: token(one, SIZE).body for one in things if has_token(one)}
    for kind, owner in dict.fromkeys((one.kind, one.owner) for one in equipment.pieces.values()):
        found[f"piece {kind} {owner}".strip()] = piece(equipment, kind, owner, SIZE).body
    return found
