"""Translation catalogues in gettext's .po format, read directly without compiling them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from itertools import pairwise

import polib

from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.source import Source
from targi_dsl.text.structs import Frozen

LARGEST_COUNT = 1_000
"""The plural rule of a catalogue is checked for numbers up to this one."""

_CACHE_SIZE = 100

Key = tuple[str, str]
"""The context and the text of an entry."""


class Entry(Frozen, eq=False):
    """A text with its translations by plural form; none if it is unfinished."""

    key: Key
    forms: tuple[str, ...]
    line: int


class Catalogue(Frozen, eq=False):
    """A parsed catalogue."""

    source: Source
    entries: tuple[Entry, ...]
    translations: GNUTranslations


@lru_cache(_CACHE_SIZE)
def read_catalogue(source: Source) -> Catalogue:
    """Raises Problems if the file is not a catalogue, or has a text twice."""
    try:
        file = polib.pofile(source.text + "\n", wrapwidth=0)
    except (OSError, ValueError) as error:
        raise Problems([_no_catalogue(source, str(error))]) from None
    entries = tuple(_entries(file))
    if twice := _given_twice(source, entries):
        raise Problems([twice])
    file.metadata["Content-Type"] = "text/plain; charset=UTF-8"
    try:
        translations = GNUTranslations(BytesIO(file.to_binary()))
    except (ValueError, LookupError, UnicodeError) as error:
        raise Problems([_no_catalogue(source, str(error))]) from None
    forms = re.search(r"nplurals\s*=\s*(\d+)", file.metadata.get("Plural-Forms", ""))
    if fault := _plural_fault(translations, int(forms[1]) if forms else 2):
        raise Problems([_wrong_plural(source, fault)])
    return Catalogue(source, entries, translations)


def chained(catalogues: Iterable[Catalogue]) -> NullTranslations:
    """Merges catalogues; earlier ones take precedence."""
    found: list[GNUTranslations] = [copy(one.translations) for one in catalogues]
    for one, following in pairwise(found):
        one.add_fallback(following)
    return found[0] if found else NullTranslations()


def _entries(file: polib.POFile) -> Iterator[Entry]:
    for one in file:
        forms = tuple(one.msgstr_plural.values()) if one.msgstr_plural else (one.msgstr,)
        is_done = all(forms) and not one.fuzzy and not one.obsolete
        key = one.msgctxt or "", one.msgid
        yield Entry(key, forms if is_done else (), max(one.linenum or 1, 1))


def _given_twice(source: Source, entries: tuple[Entry, ...]) -> Problem | None:
    lines: dict[Key, int] = {}
    for one in entries:
        if one.key in lines:
            text = f"It is translated in line {lines[one.key]} already. Delete one of the two."
            span = source.line_span(one.line)
            return Problem("E028", f'"{one.key[1]}" is translated twice', span, text)
        lines[one.key] = one.line
    return None


def _plural_fault(translations: GNUTranslations, forms: int) -> str:
    """What is wrong with the plural rule; "" if it gives a valid form for every number."""
    of: Callable[[int], int] = vars(translations)["plural"]
    for number in range(LARGEST_COUNT + 1):
        try:
            form = of(number)
        except ZeroDivisionError:
            return f"For {number} it divides by zero."
        if not 0 <= form < forms:
            return f"For {number} it gives form {form}; there are {forms}, counted from 0."
    return ""


def _wrong_plural(source: Source, fault: str) -> Problem:
    found = re.search("plural *=", source.text)
    span = source.span(*found.span()) if found else source.line_span(1)
    hint = '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"'
    return Problem("E027", "a plural rule that fails", span, fault, hint)


def _no_catalogue(source: Source, complaint: str) -> Problem:
    found = re.search(r"\(line (\d+)\)", complaint)
    text = (
        "It does not have the format of gettext's .po files."
        if found
        else f"Gettext says: {complaint}."
    )
    span = source.line_span(int(found[1]) if found else 1)
    return Problem("E027", "not a catalogue", span, text, 'msgid "yes"\nmsgstr "sí"')
