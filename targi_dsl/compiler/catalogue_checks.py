"""What is wrong with the catalogues of a game: texts without a translation, and the reverse."""

from __future__ import annotations

import re
from collections.abc import Iterator

from targi_dsl.compiler.compilation import Compilation
from targi_dsl.compiler.project import SHEETS, Project
from targi_dsl.compiler.vocabulary import catalogues, missing, vocabulary
from targi_dsl.ir.game import Game
from targi_dsl.text.catalogues import Catalogue, Key
from targi_dsl.text.diagnostics import Problem, Problems

_BLANK = re.compile(r"\{[^{}]*\}")
_SHOWN = 20  # entries to paste


def problems(game: Compilation) -> Iterator[Problem]:
    """All of them, language by language; nothing of a game with errors."""
    if game.made is None or not game.sound:
        return
    project, modules = game.written.project, (SHEETS, *reversed(game.made.modules))
    codes = dict.fromkeys(code for one in modules for code, _ in project.catalogues(one))
    for code in codes:
        try:
            read = [(one, found) for one in modules for found in catalogues(project, one, code)]
        except Problems as unreadable:
            yield from unreadable.problems
            continue
        yield from _checked(game.made, project, code, read)


def _checked(
    game: Game, project: Project, code: str, read: list[tuple[str, Catalogue]]
) -> Iterator[Problem]:
    needed = vocabulary(game, code)
    for module, catalogue in read:
        if module != SHEETS:
            yield from _unknown(catalogue, needed, _written(project, module))
        yield from _other_blanks(catalogue)
    own = [(module, catalogue) for module, catalogue in read if module != SHEETS]
    lacking = missing(game, tuple(catalogue for _, catalogue in read), code)
    # Nobody has promised a translation of what another folder adds.
    written = "\n".join(_written(project, module) for module, _ in own)
    lacking = tuple(key for key in lacking if _is_in(key[1], written))
    if own and lacking:
        yield _untranslated(game, own[0][1], lacking)


def _is_in(text: str, written: str) -> bool:
    """Whether rules have a text, as it is or as a name."""
    return text in written or text.replace(" ", "_") in written


def _written(project: Project, module: str) -> str:
    return "\n".join(source.text for source in project.module(module))


def _unknown(catalogue: Catalogue, needed: tuple[Key, ...], written: str) -> Iterator[Problem]:
    """Texts that nothing in the rules has, or had before a layer replaced it."""
    for entry in catalogue.entries:
        text = entry.key[1]
        if entry.key in needed or _is_in(text, written):
            continue
        title = f'"{text}" is not in the rules'
        why = "Its translation is never shown. Write the text as the rules have it, or delete it."
        span = catalogue.source.line_span(entry.line)
        yield Problem("W911", title, span, why, severity="warning")


def _other_blanks(catalogue: Catalogue) -> Iterator[Problem]:
    """Translations in which a value is missing, or one that the text does not have."""
    for entry in catalogue.entries:
        wanted = set(_BLANK.findall(entry.key[1]))
        for form in entry.forms:
            if (found := set(_BLANK.findall(form))) != wanted:
                names = " and ".join(sorted(wanted ^ found))
                title = "other values than in the rules"
                why = f"{names} must stand in both or in neither."
                span = catalogue.source.line_span(entry.line)
                yield Problem("W912", title, span, why, severity="warning")


def _untranslated(game: Game, catalogue: Catalogue, lacking: tuple[Key, ...]) -> Problem:
    number = f"{len(lacking)} texts" if len(lacking) > 1 else "1 text"
    title = f"{number} of {game.title} not translated"
    why = "Until they are, the game is played in English."
    hint = "\n\n".join(map(_entry, lacking[:_SHOWN]))
    span = catalogue.source.line_span(1)
    return Problem("W909", title, span, why, hint, severity="warning")


def _entry(key: Key) -> str:
    context, text = key
    if context:
        return f'msgctxt "{context}"\nmsgid "{text}"\nmsgid_plural ""\nmsgstr[0] ""\nmsgstr[1] ""'
    return f'msgid "{text}"\nmsgstr ""'
