"""Checks the catalogues of a game: texts without a translation, and translations without a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from targi_dsl.compiler.compilation import Compilation
from targi_dsl.compiler.project import SHEETS, Project
from targi_dsl.compiler.vocabulary import catalogues, missing, vocabulary
from targi_dsl.ir.game import Game
from targi_dsl.text.catalogues import Catalogue, Key
from targi_dsl.text.diagnostics import Label, Problem, Problems
from targi_dsl.text.source import Source, Span

_BLANK = re.compile(r"\{[^{}]*\}")
_PIECES = re.compile(r'"(?P<quoted>[^"\n]*)"|# *(?P<comment>[^\n]*)|(?P<code>[^"#]+)')
_SHOWN = 20  # the most entries shown for pasting


def problems(game: Compilation) -> Iterator[Problem]:
    """All problems, language by language; none for a game with errors."""
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
            yield from _unknown(catalogue, needed, tuple(project.module(module)))
        yield from _other_blanks(catalogue)
    lacking = missing(game, tuple(catalogue for _, catalogue in read), code)
    for module, catalogue in read:
        # Other folders need not be translated.
        sources = tuple(project.module(module)) if module != SHEETS else ()
        found = {key: place for key in lacking if (place := _place(key[1], sources)) is not None}
        lacking = tuple(key for key in lacking if key not in found)
        if found:
            yield _untranslated(game, catalogue, found)


def _place(text: str, sources: Iterable[Source]) -> Span | None:
    """Where rules have a text: in quotes, in a comment, or as a name or a condition."""
    words = "|".join(map(re.escape, (text, text.replace(" ", "_"))))
    outside = re.compile(rf"(?<!\w)(?:{words})")
    for source in sources:
        for piece in _PIECES.finditer(source.text):
            if text in (piece["quoted"], (piece["comment"] or "").strip()):
                return source.span(*piece.span())
            if piece["code"] and (found := outside.search(piece["code"])):
                start = piece.start()
                return source.span(start + found.start(), start + found.end())
    return None


def _unknown(
    catalogue: Catalogue, needed: tuple[Key, ...], sources: tuple[Source, ...]
) -> Iterator[Problem]:
    """Translations of texts that are not in the rules, not even before a layer replaced them."""
    for entry in catalogue.entries:
        text = entry.key[1]
        if entry.key in needed or _place(text, sources) is not None:
            continue
        title = f'"{text}" is not in the rules'
        why = "Its translation is never shown. Write the text as in the rules, or delete the entry."
        span = catalogue.source.line_span(entry.line)
        yield Problem("W911", title, span, why, severity="warning")


def _other_blanks(catalogue: Catalogue) -> Iterator[Problem]:
    """Translations that lack a value of the text, or have one that the text lacks."""
    for entry in catalogue.entries:
        wanted = set(_BLANK.findall(entry.key[1]))
        for form in entry.forms:
            if (found := set(_BLANK.findall(form))) != wanted:
                names = " and ".join(sorted(wanted ^ found))
                title = "not the same values as in the rules"
                why = f"{names} must be in both or in neither."
                span = catalogue.source.line_span(entry.line)
                yield Problem("W912", title, span, why, severity="warning")


def _untranslated(game: Game, catalogue: Catalogue, lacking: Mapping[Key, Span]) -> Problem:
    number = f"{len(lacking)} texts" if len(lacking) > 1 else "1 text"
    title = f"{number} of {game.title} not translated"
    why = "Until they are translated, they are shown in English."
    hint = "\n\n".join(map(_entry, list(lacking)[:_SHOWN]))
    span = next(iter(lacking.values()))
    labels = (Label(catalogue.source.line_span(1), "has no translation of it"),)
    return Problem("W909", title, span, why, hint, severity="warning", labels=labels)


def _entry(key: Key) -> str:
    context, text = key
    if context:
        return f'msgctxt "{context}"\nmsgid "{text}"\nmsgid_plural ""\nmsgstr[0] ""\nmsgstr[1] ""'
    return f'msgid "{text}"\nmsgstr ""'
