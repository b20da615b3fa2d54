"""A page: the table, the news and the question, in as many rows as the terminal has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from targi_dsl.display.compact import Form, compact
from targi_dsl.display.ink import Ink, Line, line
from targi_dsl.display.menus import paged
from targi_dsl.display.screen import screen
from targi_dsl.display.view import View
from targi_dsl.text.languages import ENGLISH, Language
from targi_dsl.text.light import dataclass

LEAST_ROWS = 8
_BELOW = 8
"""Rows that should stay free below the table."""
_TOLD = 2
"""Rows reserved for the news."""
_OF_MENU = 4
"""The part of the rows that is reserved for the choices, if they need it: a quarter."""


@dataclass(frozen=True, slots=True)
class Page:
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
) -> Page:
    """The table and what fits below it: the first menu that leaves room for some of the news, and
    the first version of the news that then fits, or the end of the last version. Of the last menu
    only a page is shown if necessary, or all of it if no page is numbered.
    """
    rows, menus = max(rows, LEAST_ROWS), [*menus]
    needed = min((len(menu) for menu in menus), default=0)
    most = rows - len(heading) - _TOLD - max(min(needed, rows // _OF_MENU), 2)
    if len(top) > most:
        top = [*top[: most - 1], _note(language.say("`table` shows all"))]
    room = rows - len(top) - len(heading)
    kept, last = min(len(news[-1]), _TOLD), list[Line]()
    for last in menus:
        if len(last) + kept <= room:
            break
    last = last if number is None else paged(last, max(room - kept, 2), number, language)
    room = max(room - len(last), kept)
    told = next((one for one in news if len(one) <= room), None)
    if told is None:
        told = _latest(news[-1], room, language)
    blank = [line()] if len(told) < room else []
    return Page([*top, *blank], told, [*heading, *last])


def _note(text: str) -> Line:
    """Says where to see more."""
    return line(Ink(f"… {text}", "faint"))


def _latest(news: list[Line], room: int, language: Language) -> list[Line]:
    if room < 2:
        return news[len(news) - room :]
    return [_note(language.say("`log` tells all")), *news[1 - room :]]
