"""The languages in which a game can be played: catalogues of the program and of the game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from targi_dsl.compiler.catalogues import catalogues, missing_texts
from targi_dsl.compiler.layers.declarations import comments_of_ends
from targi_dsl.compiler.load import project_of
from targi_dsl.compiler.project.discovery import SHEETS, shipped
from targi_dsl.ir.game import Game
from targi_dsl.text import resources
from targi_dsl.text.catalogues import chained, read_catalogue
from targi_dsl.text.decoding import decode
from targi_dsl.text.languages import ENGLISH, Language

_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables that set a user's locale; the first that is set counts."""


def languages() -> tuple[str, ...]:
    """The codes of the languages that the program itself is translated to, English first."""
    return (ENGLISH.code, *(name.removesuffix(".po") for name in resources.names("locale", ".po")))


def preferred_language(environment: Mapping[str, str]) -> str:
    """The language code of the user's locale if the program supports it, or else English."""
    locale = next((environment[name] for name in _LOCALE if environment.get(name)), "")
    (code,) = re.findall(r"^[a-z]*", locale)
    return code if code in languages() else ENGLISH.code


@cache
def of_program(code: str) -> Language:
    """The translations of the program's own messages."""
    data = resources.read(f"locale/{code}.po")
    if data is None:
        return ENGLISH
    return Language(code, read_catalogue(decode(f"locale/{code}.po", data)).translations)


def of_game(game: Game, name_or_path: str, code: str) -> Language:
    """The translations of a game's texts; English if any text is untranslated, so that languages
    are not mixed. Comments may lack a translation and are not shown then.
    """
    if code == ENGLISH.code:
        return ENGLISH
    project, modules = project_of(name_or_path), (SHEETS, *reversed(game.modules))
    found = tuple(one for module in modules for one in catalogues(project, module, code))
    missing = {text for _, text in missing_texts(game, found, code)}
    if missing.difference(comments_of_ends(game)):
        return ENGLISH
    return Language(code, of_program(code).messages, chained(found))


def of_titles(code: str) -> Language:
    """The translations of the titles of shipped games."""
    found = catalogues(shipped(), SHEETS, code)
    return Language(code, of_program(code).messages, chained(tuple(found)))


def notice(game: Game, spoken: Language, code: str) -> str:
    """The message that a game is not available in the requested language; empty if it is."""
    if spoken.code == code:
        return ""
    asked = of_program(code)
    return asked.say("{game} has not been translated; it is played in English.", game=game.title)
