"""Editions: a game in all its languages, with the texts of the page; shared by the tables of a
game.
"""

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
    """A game in all its languages. language: gives the game's translations by language code. guide:
    gives the rules of play, line by line, and their language if it is another.
    """

    def __init__(
        self, game: Game, language: Callable[[str], Language], guide: Guide | None = None
    ) -> None:
        self.game, self._guide = game, guide
        self.words = cache(lambda code: Words(game, language(code)))
        """The game's words by language code; in English if it is not translated."""
        self.begin = cache(self._begin)
        """The first message to a page, by language code; cached."""

    def guide(self, code: str) -> dict[str, object]:
        """The message with the rules of play."""
        language = self.words(code).language
        spoken, lines = self._guide(language) if self._guide is not None else (language, ())
        return {"is": "rules", "text": lines, "language": spoken.code}

    def _begin(self, code: str) -> Raw:
        """The constant data of a page: equipment, colours (fill, edge and ink by name), marks by
        id, and the texts of the page.
        """
        words = self.words(code)
        named, colours = equipment(words), {name: paint(name) for name in COLOURS}
        drawn = {"equipment": named, "colours": colours, "marks": _marks(named)}
        return Raw(json.encode(drawn | client_words(words.language)))


SIZE = 24.0
"""The size of a mark in pixels."""


def _marks(equipment: Equipment) -> dict[str, str]:
    """The marks of things as SVG."""
    things = (*equipment.resources, *equipment.values)
    found = {one.id: token(one, SIZE).body for one in things if has_token(one)}
    for kind, owner in dict.fromkeys((one.kind, one.owner) for one in equipment.pieces.values()):
        found[f"piece {kind} {owner}".strip()] = piece(equipment, kind, owner, SIZE).body
    return found


# ---- texts of the page ----


@cache
def client_scripts() -> dict[str, str]:
    """The scripts of the page by name."""
    client = (files("targi_dsl.table") / "client").iterdir()
    scripts = (path for path in client if path.name.endswith(".js"))
    return {path.name.removesuffix(".js"): path.read_text(encoding="utf-8") for path in scripts}


@cache
def client_messages() -> frozenset[str]:
    """All messages in the scripts of the page, in English."""
    scripts = client_scripts().values()
    return frozenset(text for script in scripts for text in _SAID.findall(script))


def client_words(language: Language) -> dict[str, object]:
    """The translations of the page's messages, the kinds of players, and the languages."""
    translate = language.messages.gettext
    words = {text: translate(text) for text in sorted(client_messages()) if translate(text) != text}
    kinds = {kind: translate(kind) for kind in (HUMAN, *PLAYERS)}
    known = {code: _LANGUAGES.get(code, code) for code in languages()}
    return {"words": words, "kinds": kinds, "languages": known}
