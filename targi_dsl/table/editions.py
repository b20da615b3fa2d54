"""Games in all their languages, with the words of the page: what the tables of one game share."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files

from msgspec import Raw, json

from targi_dsl.compiler.translations import languages
from targi_dsl.display.picture.svg import has_token, paint, piece, token
from targi_dsl.ir.game import Game
from targi_dsl.ir.look import COLOURS
from targi_dsl.players import PLAYERS
from targi_dsl.table.game import HUMAN
from targi_dsl.text.languages import Language
from targi_dsl.view.equipment import equipment
from targi_dsl.view.shape import Equipment
from targi_dsl.view.words import Words

_SAID = re.compile(r'\bword\("([^"]+)"')
_LANGUAGES = {"en": "English", "es": "Español", "fr": "Français", "pl": "Polski"}

Guide = Callable[[Language], tuple[Language, tuple[str, ...]]]


class Edition:
    """A game in all its languages.

    language: the words of the game in a language. guide: how it is played, line by line, and in
    which language that is, if not in this one.
    """

    def __init__(
        self, game: Game, language: Callable[[str], Language], guide: Guide | None = None
    ) -> None:
        self.game, self._guide = game, guide
        self.words = cache(lambda code: Words(game, language(code)))
        """The game's words in a language; in English if the game does not speak it."""
        self.begin = cache(self._begin)
        """What a page has to know of the game, in a language."""

    def guide(self, code: str) -> dict[str, object]:
        """How the game is played, and in which language that is written."""
        language = self.words(code).language
        spoken, lines = self._guide(language) if self._guide is not None else (language, ())
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


# ---- the words of the page ----


@cache
def client_scripts() -> dict[str, str]:
    """The scripts of the page by their names."""
    client = (files("targi_dsl.table") / "client").iterdir()
    scripts = (path for path in client if path.name.endswith(".js"))
    return {path.name.removesuffix(".js"): path.read_text(encoding="utf-8") for path in scripts}


@cache
def client_messages() -> frozenset[str]:
    """All that the scripts of the page say, in English."""
    scripts = client_scripts().values()
    return frozenset(text for script in scripts for text in _SAID.findall(script))


def client_words(language: Language) -> dict[str, object]:
    """The words of the page in another language than English, by the English ones; the kinds of
    players; and the languages.
    """
    said = language.messages.gettext
    words = {text: said(text) for text in sorted(client_messages()) if said(text) != text}
    kinds = {kind: said(kind) for kind in (HUMAN, *PLAYERS)}
    known = {code: _LANGUAGES.get(code, code) for code in languages()}
    return {"words": words, "kinds": kinds, "languages": known}
