"""A page: the table, the news, the question and a menu of its choices, in as many rows as the
terminal has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from targi_dsl.display.choosing import Offer, joined
from targi_dsl.display.compact import Form, compact
from targi_dsl.display.ink import Ink, Line, columns, fitted, line, width, words, wrapped
from targi_dsl.display.screen import screen
from targi_dsl.display.view import View
from targi_dsl.text.languages import ENGLISH, Language
from targi_dsl.text.structs import Frozen

_PACKED = 7  # larger groups are set in columns, if their words are short
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


def _groups(offered: tuple[Offer, ...]) -> Iterator[tuple[str, str, list[Offer]]]:
    """The choices that share an action and the sort of thing it acts on, with a title for several,
    and the sort.
    """
    for (label, sort), members in groupby(
        offered, lambda one: (one.label if one.thing else "", one.group)
    ):
        group = list(members)
        title = label if sort in label else f"{label} ({sort})"
        yield title if label and len(group) > 1 else "", sort, group


def menu(view: View, offered: tuple[Offer, ...]) -> list[Line]:
    """The choices as a list, grouped by the sort of thing they act on."""
    last = max(len(one.key) for one in offered)
    lines: list[Line] = []
    for title, sort, group in _groups(offered):
        if title:
            lines += [*words(title, view.columns, style="faint"), *_list(view, group, last, sort)]
        else:
            lines += [part for one in group for part in _row(view, one, one.words, last, "")]
    return lines


def _list(view: View, group: list[Offer], last: int, sort: str) -> Iterator[Line]:
    said = [(one, one.thing.removeprefix(f"{sort} ")) for one in group]
    wide = max(columns(text) for _, text in said) + last + 4
    across = view.columns // wide if len(group) > _PACKED else 1
    if across < 2:
        yield from (part for one, text in said for part in _row(view, one, text, last, "  "))
        return
    entries = [
        fitted(line(Ink(f"{one.key:>{last + 2}})", "cyan"), f" {text}"), wide) for one, text in said
    ]
    high = -(-len(entries) // across)
    for row in range(high):
        yield tuple(ink for entry in entries[row::high] for ink in entry)


def _row(view: View, offer: Offer, text: str, last: int, indent: str) -> list[Line]:
    head = line(Ink(f"{indent}{offer.key:>{last}})", "cyan"), " ")
    first, *rest = words(text, max(view.columns - width(head), 1))
    return [(*head, *first), *((Ink(" " * width(head)), *part) for part in rest)]


def paged(lines: list[Line], room: int, page: int, language: Language = ENGLISH) -> list[Line]:
    """As many of the lines as there is room for, from a page whose number wraps around; below them,
    how to see the next page.
    """
    if len(lines) <= room:
        return lines
    each = max(room - 1, 1)
    pages = -(-len(lines) // each)
    at = page % pages  # the note fits into 20 columns
    note = language.say("page {page}/{pages}; `more`", page=at + 1, pages=pages)
    return [*lines[at * each : (at + 1) * each], line(Ink(note, "faint"))]


def _paragraphs(view: View, offered: tuple[Offer, ...], said: Callable[[Offer], str]) -> list[Line]:
    lines: list[Line] = []
    parts: list[Line] = []
    for title, sort, group in _groups(offered):
        if not title:
            parts += [_entry(one, joined(one.label, said(one))) for one in group]
            continue
        lines += wrapped(parts, view.columns)
        members = [line(Ink(title, "faint")), *_told(view, group, sort, said)]
        lines += wrapped(members, view.columns, "  ", "  ")
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


LEAST_ROWS = 8
_BELOW = 8
"""Rows that should stay free below the table."""
_TOLD = 2
"""Rows reserved for the news."""
_OF_MENU = 4
"""The part of the rows that is reserved for the choices, if they need it: a quarter."""


class Page(Frozen):
    """What is drawn, from top to bottom; foot: the question and its choices."""

    table: list[Line]
    news: list[Line]
    foot: list[Line]

    @property
    def lines(self) -> list[Line]:
        return [*self.table, *self.news, *self.foot]


def form_for(view: View, rows: int, least: Form) -> Form:
    """The first form from this on that leaves room below the table."""
    fitting = (one for one in Form if one >= least and len(table(view, one)) + _BELOW <= rows)
    return next(fitting, Form.COUNTS)


def table(view: View, form: Form) -> list[Line]:
    return screen(view) if form is Form.FULL else compact(view, form)


def page(
    top: list[Line],
    news: Sequence[list[Line]],
    heading: list[Line],
    menus: Iterable[list[Line]],
    rows: int,
    number: int | None = 0,
    language: Language = ENGLISH,
    notes: Sequence[Line] = (),
) -> Page:
    """The table and what fits below it: the notes; the first menu that leaves room for the news, or
    for some of it; and the first version of the news that then fits, or the end of the last
    version. Of the last menu only a page is shown if necessary, or all of it if no page is
    numbered.
    """
    rows, menus = max(rows, LEAST_ROWS), [*menus]
    most = rows - len(heading) - _TOLD - _least_menu(menus, rows)
    if len(top) > most:
        top = [*top[: most - 1], _note(language.say("`table` shows all"))]
    room = rows - len(top) - len(heading)
    notes = notes[-room_for_notes(len(top), heading, menus, rows) :]
    room -= len(notes)
    kept = min(len(news[-1]), _TOLD)
    if notes:
        kept = min(kept, max(room - _least_menu(menus, rows), 0))
    menu = _first_menu(menus, room, len(news[-1]), kept)
    menu = menu if number is None else paged(menu, max(room - kept, 2), number, language)
    room = max(room - len(menu), kept)
    told = next((one for one in news if len(one) <= room), None)
    if told is None:
        told = _latest(news[-1], room, language)
    blank = [line()] if len(told) < room else []
    return Page([*top, *blank], [*told, *notes], [*heading, *menu])


def room_for_notes(top: int, heading: list[Line], menus: Sequence[list[Line]], rows: int) -> int:
    """How many lines of notes fit between a table of so many lines and the choices."""
    return max(rows - top - len(heading) - _least_menu(menus, rows), 1)


def _least_menu(menus: Sequence[list[Line]], rows: int) -> int:
    """The rows that are reserved for the choices."""
    return max(min(min(map(len, menus), default=0), rows // _OF_MENU), 2)


def _first_menu(menus: Sequence[list[Line]], room: int, news: int, kept: int) -> list[Line]:
    """The first menu, other than the shortest, that leaves room for all of the news; or else the
    first that leaves room for what is kept of it; or else the shortest.
    """
    whole = (menu for menu in menus[:-1] if len(menu) + news <= room)
    some = (menu for menu in menus if len(menu) + kept <= room)
    return next(whole, None) or next(some, None) or (menus[-1] if menus else [])


def _note(text: str) -> Line:
    """Says where to see more."""
    return line(Ink(f"… {text}", "faint"))


def _latest(news: list[Line], room: int, language: Language) -> list[Line]:
    if room < 2:
        return news[len(news) - room :]
    return [_note(language.say("`log` tells more")), *news[1 - room :]]
