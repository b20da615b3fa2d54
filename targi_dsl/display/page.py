"""A page of the terminal: the table, the news, the question and its choices, fitted to the rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import groupby

from targi_dsl.display.choosing import Keyed
from targi_dsl.display.ink import Ink, Line, fit, line, plain_text, width, words, wrap_parts
from targi_dsl.display.scene import Scene, entry
from targi_dsl.display.screen import Form, screen
from targi_dsl.text.languages import ENGLISH, Language
from targi_dsl.text.structs import Frozen
from targi_dsl.text.width import columns
from targi_dsl.view.offers import join_words

# ---- menus ----

_PACKED = 7  # larger groups of short entries are set in columns
_SHORT, _MANY = 4, 24
"""The width of an address, and how many addresses are listed individually."""

_MARGIN = 8
"""Columns for the key of a choice and indentation."""


def menus(scene: Scene, offered: tuple[Keyed, ...]) -> Iterator[list[Line]]:
    """The choices in versions that take fewer and fewer lines: a list; paragraphs; with shorter
    consequences; without them.
    """
    yield menu(scene, offered)
    if all(columns(one.words) <= scene.columns - _MARGIN for one in offered):
        yield menu(scene, offered, lambda one: one.thing)
    if any(one.offer.leads for one in offered):
        yield menu(scene, offered, lambda one: one.brief(1))
        yield menu(scene, offered, lambda one: one.brief(-1))
    yield menu(scene, offered, lambda one: one.offer.name)


def _groups(offered: tuple[Keyed, ...]) -> Iterator[tuple[str, str, list[Keyed]]]:
    """Consecutive choices with the same action and sort of object, each group with a title and the
    sort.
    """
    for (label, sort), members in groupby(
        offered, lambda one: (one.offer.label if one.offer.thing else "", one.offer.group)
    ):
        group = list(members)
        title = label if not sort or sort in label else f"{label} ({sort})"
        yield title if label and len(group) > 1 else "", sort, group


def menu(
    scene: Scene, offered: tuple[Keyed, ...], text_of: Callable[[Keyed], str] | None = None
) -> list[Line]:
    """The choices as a grouped list; or in paragraphs, if `said` gives the text of each."""
    last = max(len(one.key) for one in offered)
    lines, parts = list[Line](), list[Line]()
    for title, sort, group in _groups(offered):
        if title and (text_of is not None or group[0].offer.is_exchange):
            members = _members(scene, group, sort, text_of or (lambda one: one.thing))
            lines += wrap_parts(parts, scene.columns)
            lines += wrap_parts([line(Ink(title, "faint")), *members], scene.columns, "  ", "  ")
            parts = []
        elif text_of is not None:
            parts += [_entry(one, join_words(one.offer.label, text_of(one))) for one in group]
        elif title:
            lines += [*words(title, scene.columns, style="faint"), *_list(scene, group, last, sort)]
        else:
            lines += [part for one in group for part in _choice(scene, one, one.words, last, "")]
    return [*lines, *wrap_parts(parts, scene.columns)]


def _list(scene: Scene, group: list[Keyed], last: int, sort: str) -> Iterator[Line]:
    texts = [(one, one.thing.removeprefix(f"{sort} ")) for one in group]
    wide = max(columns(text) for _, text in texts) + last + 4
    across = scene.columns // wide if len(group) > _PACKED else 1
    if across < 2:
        yield from (part for one, text in texts for part in _choice(scene, one, text, last, "  "))
        return
    entries = [
        fit(line(Ink(f"{one.key:>{last + 2}})", "cyan"), f" {text}"), wide) for one, text in texts
    ]
    high = -(-len(entries) // across)
    for row in range(high):
        yield tuple(ink for entry in entries[row::high] for ink in entry)


def _choice(scene: Scene, offer: Keyed, text: str, last: int, indent: str) -> list[Line]:
    head = line(Ink(f"{indent}{offer.key:>{last}})", "cyan"), " ")
    first, *rest = words(text, max(scene.columns - width(head), 1))
    return [(*head, *first), *((Ink(" " * width(head)), *part) for part in rest)]


def paged(lines: list[Line], room: int, page: int, language: Language = ENGLISH) -> list[Line]:
    """One page of lines, with a note how to see the next; page numbers wrap around."""
    if len(lines) <= room:
        return lines
    each = max(room - 1, 1)
    pages = -(-len(lines) // each)
    at = page % pages  # the note fits into 20 columns
    note = language.say("page {page}/{pages}; `more`", page=at + 1, pages=pages)
    return [*lines[at * each : (at + 1) * each], line(Ink(note, "faint"))]


def _members(
    scene: Scene, group: list[Keyed], sort: str, text_of: Callable[[Keyed], str]
) -> list[Line]:
    """The members of a group; a long list of addresses is abbreviated to the first and last."""
    texts = [text_of(one).removeprefix(f"{sort} ") for one in group]
    if len(group) > _MANY and all(len(text) <= _SHORT for text in texts):
        say, (first, last) = scene.say, (group[0], group[-1])
        keys = say("{first} to {last}", first=first.key, last=last.key)
        names = say("by name: {first} to {last}", first=texts[0], last=texts[-1])
        return [line(Ink(f"{keys})", "cyan"), f" {names}")]
    return [_entry(one, text) for one, text in zip(group, texts, strict=True)]


def _entry(offer: Keyed, text: str) -> Line:
    return line(Ink(f"{offer.key})", "cyan"), f" {text}")


# ---- the page ----

LEAST_ROWS = 8
_TOLD = 2
"""Rows reserved for the news."""
_OF_MENU = 4
"""The divisor of rows reserved for the choices, if they need them."""


class Page(Frozen):
    """What is drawn, from top to bottom; foot: the question and its choices."""

    table: list[Line]
    news: list[Line]
    foot: list[Line]

    @property
    def lines(self) -> list[Line]:
        return [*self.table, *self.news, *self.foot]


def fitting(
    scene: Scene, news: list[Line], heading: list[Line], menus: Sequence[list[Line]], rows: int
) -> tuple[list[Line], list[Line]]:
    """The table and the menu that fit into the rows: the fullest forms that leave room for the
    news, or else for part of them, or none; consequences of choices are shortened last. Cards that
    the question is about and that would not be readable are added below the table.
    """
    all_news, some_news = len(news), min(len(news), _TOLD)
    forms = [(form, all_news) for form in Form if form <= Form.NO_PILES]
    forms += [(form, some_news) for form in Form if Form.TWO_LINES <= form <= Form.ASKED]
    close = max(len(menus) - _BARE, 1)
    ways = [(form, left, at) for at in (0, close) for form, left in forms]
    ways += [(Form.ASKED, 0, 0), (Form.ONE_LINE, some_news, 0), (Form.ONE_LINE, 0, 0)]
    drawn = cache(partial(screen, scene))
    for form, left, first in ways:
        top = drawn(form)
        room = max(rows, LEAST_ROWS) - len(top) - len(heading) - left
        last = close if first == 0 and left else len(menus)
        for menu in menus[first:last]:
            needed = unread(scene, [*top, *heading, *menu]) if len(menu) <= room else []
            if len(menu) + len(needed) <= room:
                return [*top, *needed], menu
    return top, next((menu for menu in menus if len(menu) <= room), menus[-1])


_BARE = 2
"""The number of menus at the end with minimal or no consequences."""


def unread(scene: Scene, lines: Sequence[Line]) -> list[Line]:
    """The cards that the question is about whose names or costs these lines do not show."""
    rows, about = [f"{plain_text(one)} " for one in lines], dict.fromkeys(scene.about)
    missing, parts = (card for card in about if not _is_read(scene, rows, card)), list[Line]()
    for place, cards in groupby(missing, lambda card: scene.lying.get(card, "")):
        info = scene.game.places.get(place)
        parts += [entry(info.name, len(scene.cards(place)))] if info and info.is_left_out else []
        parts += (line(scene.game.cards[card].in_short) for card in cards)
    return wrap_parts(parts, scene.columns)


def _is_read(scene: Scene, rows: Sequence[str], card: str) -> bool:
    """Whether a card's name is in some row, with its cost after or below it."""
    face, place = scene.game.cards[card], scene.lying.get(card)
    is_paid = place is not None and scene.game.places[place].active
    has_cost = not is_paid and any(field.parts for field in face.fields)
    costs = face.effect if has_cost else ("",)
    found = (
        _near(rows, number, match.start())
        for number, row in enumerate(rows)
        for name in {face.name, face.short}
        for match in re.finditer(rf"(?<![\w+]){re.escape(name)}", row)
    )
    return any(cost in near for near in found for cost in costs)


_NEAR, _HIGH = 100, 4
"""How far after a card's name its cost may begin; and the rows of a cell."""


def _near(rows: Sequence[str], number: int, at: int) -> str:
    """The text of a cell from a position on; outside of cells, that of this row and the next."""
    row = rows[number]
    if "│" not in row:
        after = rows[number + 1].strip() if number + 1 < len(rows) else ""
        return f"{row[at:].rstrip()} {after}"[:_NEAR]
    first, last = row.rfind("│", 0, at) + 1, row.find("│", at)
    cells = (one[first : last if last >= 0 else None] for one in rows[number : number + _HIGH])
    return " ".join(" ".join(cells).split())


def page(
    top: list[Line],
    news: Sequence[list[Line]],
    heading: list[Line],
    menu: list[Line],
    rows: int,
    number: int | None = 0,
    language: Language = ENGLISH,
    notes: Sequence[Line] = (),
) -> Page:
    """Fits the table, the notes, the menu and a version of the news into the rows. The menu is
    paged if necessary; not if `number` is None.
    """
    rows = max(rows, LEAST_ROWS)
    most = rows - len(heading) - _TOLD - _least_menu(menu, rows)
    is_whole = len(top) + len(heading) + len(menu) <= rows
    if len(top) > most and not is_whole:
        top = [*top[: most - 1], _note(language.say("`table` shows all"))]
    room = rows - len(top) - len(heading)
    notes = notes[-room_for_notes(len(top), heading, menu, rows) :]
    room -= len(notes)
    least = len(menu) if is_whole else _least_menu(menu, rows)
    reserved = min(len(news[-1]), _TOLD, max(room - least, 0))
    menu = menu if number is None else paged(menu, max(room - reserved, 2), number, language)
    room = max(room - len(menu), reserved)
    shown = next((one for one in news if len(one) <= room), _latest(news[-1], room, language))
    blank = [line()] if len(shown) < room else []
    return Page([*top, *blank], [*shown, *notes], [*heading, *menu])


def room_for_notes(top: int, heading: list[Line], menu: list[Line], rows: int) -> int:
    """The number of lines of notes that fit between a table of `top` lines and the choices."""
    return max(rows - top - len(heading) - _least_menu(menu, rows), 1)


def _least_menu(menu: list[Line], rows: int) -> int:
    """The rows reserved for the choices."""
    return max(min(len(menu), rows // _OF_MENU), 2)


def _note(text: str) -> Line:
    """A note that there is more."""
    return line(Ink(f"… {text}", "faint"))


def _latest(news: list[Line], room: int, language: Language) -> list[Line]:
    if room < 2:
        return news[len(news) - room :]
    return [_note(language.say("`log` tells more")), *news[1 - room :]]
