"""The words of the page itself, in the language of its reader."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from targi_dsl.compiler.translations import languages
from targi_dsl.players import PLAYERS
from targi_dsl.table.game import HUMAN
from targi_dsl.text.languages import Language

_SAID = re.compile(r'\bword\("([^"]+)"')
_LANGUAGES = {"en": "English", "es": "Español", "fr": "Français", "pl": "Polski"}


@cache
def client_messages() -> frozenset[str]:
    """All that the scripts of the page say, in English."""
    client = (files("targi_dsl.table") / "client").iterdir()
    scripts = (path.read_text(encoding="utf-8") for path in client if path.name.endswith(".js"))
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
