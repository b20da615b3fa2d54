"""Menus of choices that fit the remaining rows: a list, paragraphs, or pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from targi_dsl.display.choosing import Offer, joined, menu
from targi_dsl.display.ink import Ink, Line, columns, line, wrapped
from targi_dsl.display.view import View
from targi_dsl.text.languages import ENGLISH, Language

_SHORT, _MANY = 4, 24
"""The width of an address, and how many addresses are listed individually."""

_MARGIN = 8
"""The width that the key of a choice and the indentation may take."""


def menus(view: View, offered: tuple[Offer, ...]) -> Iterator[list[Line]]:
    """The choices in fewer and fewer lines: as a list; in paragraphs; in paragraphs by name with
    their effects; with the effects as briefly as possible; and without effects.
    """
    yield menu(view, offered)
    if all(columns(one.words) <= view.columns - _MARGIN for one in offered):
        yield _paragraphs(view, offered, lambda one: one.thing)
    if any(one.leads for one in offered):
        yield _paragraphs(view, offered, lambda one: f"{one.name}{one.leads}".strip())
        yield _paragraphs(view, offered, lambda one: f"{one.name}{one.brief_leads}".strip())
    yield _paragraphs(view, offered, lambda one: one.name)


def paged(lines: list[Line], room: int, page: int, language: Language = ENGLISH) -> list[Line]:
    """As many of the lines as there is room for, from a page whose number wraps around; below them,
    how to see the next page.
    """
    if len(lines) <= room:
        return lines
    each = max(room - 1, 1)
    pages = -(-len(lines) // each)
    at = page % pages
    note = language.say(
        "page {page}/{pages}; `more`", page=at + 1, pages=pages
    )  # fits into 20 columns
    return [*lines[at * each : (at + 1) * each], line(Ink(note, "faint"))]


def _paragraphs(view: View, offered: tuple[Offer, ...], said: Callable[[Offer], str]) -> list[Line]:
    lines: list[Line] = []
    parts: list[Line] = []
    for (label, sort), members in groupby(
        offered, lambda one: (one.label if one.thing else "", one.group)
    ):
        group = list(members)
        if not label or len(group) == 1:
            parts += [_entry(one, joined(one.label, said(one))) for one in group]
            continue
        lines += wrapped(parts, view.columns)
        title = line(Ink(label if sort in label else f"{label} ({sort})", "faint"))
        lines += wrapped([title, *_told(view, group, sort, said)], view.columns, "  ", "  ")
        parts = []
    return [*lines, *wrapped(parts, view.columns)]


def _told(view: View, group: list[Offer], sort: str, said: Callable[[Offer], str]) -> list[Line]:
    """The members individually; for many addresses, only the first and the last."""
    texts = [said(one).removeprefix(f"{sort} ") for one in group]
    if len(group) > _MANY and all(len(text) <= _SHORT for text in texts):
        say, (first, last) = view.words.say, (group[0], group[-1])
        keys = say("{first} to {last}", first=first.key, last=last.key)
        names = say("by name: {first} to {last}", first=texts[0], last=texts[-1])
        return [line(Ink(f"{keys})", "cyan"), f" {names}")]
    return [_entry(one, text) for one, text in zip(group, texts, strict=True)]


def _entry(offer: Offer, text: str) -> Line:
    return line(Ink(f"{offer.key})", "cyan"), f" {text}")
