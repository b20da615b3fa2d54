"""A page: the table in few lines if it must be, the news, the question and a menu of its choices,
in as many rows as the terminal has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import groupby

from msgspec.structs import replace

from targi_dsl.display.choosing import Keyed
from targi_dsl.display.ink import Ink, Line, fit, line, widest, width, words, wrap_parts
from targi_dsl.display.screen import GAP, beside, board, item_lines, screen
from targi_dsl.display.view import (
    View,
    address,
    held_on,
    is_empty,
    legend,
    marks_on,
    stack_names,
    values_on,
)
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.layout import LayoutItem, LayoutLine, LayoutPlayer, LayoutTable, split_by_player
from targi_dsl.text.columns import columns
from targi_dsl.text.languages import ENGLISH, Language
from targi_dsl.text.structs import Frozen
from targi_dsl.view.offers import join_words

LEAST, MOST = 5, 24
"""The width of a cell: narrower ones become a list, and wider ones are useless."""

ASIDE = 36
"""The width for each player where players are side by side."""

Part = LayoutTable | LayoutLine


class Form(IntEnum):
    """How much of the table is drawn: everything, with cells of two lines or of one; or, of what
    belongs to the players, only the number of cards.
    """

    FULL = 0
    TWO_LINES = 1
    ONE_LINE = 2
    COUNTS = 3


def compact(view: View, form: Form) -> list[Line]:
    """The table as the observers see it."""
    shared, own = split_by_player(view.game.layout)
    lines = [found for part in _paired(shared) for found in _shared(view, part, form)]
    if view.game.pieces and not view.game.cards:
        lines += wrap_parts(((ink,) for ink in legend(view)), view.columns)
    each = (view.columns - GAP * (len(own) - 1)) // max(len(own), 1)
    if len(own) > 1 and each >= ASIDE:
        return [*lines, *beside([_player(view, part, each, form) for part in own])]
    return [*lines, *(found for part in own for found in _player(view, part, view.columns, form))]


def _paired(parts: list[Part]) -> Iterator[list[Part]]:
    """The parts one by one, with consecutive lines grouped."""
    for is_line, found in groupby(parts, lambda part: isinstance(part, LayoutLine)):
        group = [*found]
        yield from [group] if is_line else ([part] for part in group)


def _shared(view: View, parts: list[Part], form: Form) -> list[Line]:
    if isinstance(parts[0], LayoutTable):
        return _cells(view, parts[0], view.columns, form)
    items = (item for part in parts if isinstance(part, LayoutLine) for item in part.items)
    lines = (one for item in items for one in _item(view, item, NOTHING, form))
    return wrap_parts(lines, view.columns)


# ---- tables ----


def _cells(view: View, table: LayoutTable, room: int, form: Form) -> list[Line]:
    """The rows of a table, without empty rows of a player's table."""
    if found := board(view, table, room):
        return found
    inner = min((room + 1) // table.size[0] - 1, MOST)
    rows = [row for row in table.rows if _is_shown(view, row)]
    if inner < LEAST:
        places = [place for row in rows for place in row if place != NOTHING]
        return wrap_parts((_top(view, place, room) for place in places), room)
    told = _counting_regions(view, table) if form <= Form.TWO_LINES else frozenset()
    return [part for row in rows for part in _row(view, row, inner, told)]


def _counting_regions(view: View, table: LayoutTable) -> frozenset[str]:
    """The regions with a card that counts as something, so that its name alone is not enough."""
    tops = ((place, next(view.cards(place), NOTHING)) for place in table.places)
    return frozenset(
        view.game.places[place].region
        for place, card in tops
        if card != NOTHING and view.knows(card) and view.words.brief(card).marks[-1]
    )


def _is_shown(view: View, row: tuple[int, ...]) -> bool:
    return any(
        view.game.places[place].owner == NOTHING or not is_empty(view, place)
        for place in row
        if place != NOTHING
    )


def _row(view: View, row: tuple[int, ...], inner: int, told: frozenset[str]) -> Iterator[Line]:
    places = [view.game.places[place] for place in row if place != NOTHING]
    has_more = any(place.owner == NOTHING and place.region in told for place in places)
    draws = (_top, _below) if has_more else (_top,)
    for draw in draws:
        inks: list[Ink] = []
        for place in row:
            cell = draw(view, place, inner) if place != NOTHING else ()
            inks += [*[Ink("│", "faint")] * bool(inks), *fit(cell, inner)]
        yield tuple(inks)


def _top(view: View, place: int, room: int) -> Line:
    """The label of a place, the card on it, and the pieces there."""
    info, pieces = view.game.places[place], marks_on(view, place)
    amounts = [view.words.amount(name, have) for have, name in held_on(view, place)]
    values = values_on(view, place)
    longest = " ".join([*amounts, *(f"{name} {value}".strip() for name, value in values)])
    shortest = " ".join([*amounts, *(value or name[:3] for name, value in values)])
    left = room - width(pieces) - len(view.words.addresses[place]) - 2
    held = longest if columns(longest) <= left else shortest
    if held:
        pieces = (Ink(held, "strong"), *[Ink(" ")] * bool(pieces), *pieces)
    if width(pieces) >= room:
        pieces = fit(pieces, room)
    left = max(room - width(pieces) - bool(pieces), 0)
    cards = list(view.cards(place))
    head: Line = ()
    if not cards or info.owner == NOTHING:
        called = address(view, place)
        head = line(replace(called, text=widest((called.text, view.words.addresses[place]), left)))
    if cards:
        head = (*head, *_card(view, cards, left - width(head), bool(head)))
    gap = Ink(" " * max(room - width(head) - width(pieces), 0))
    return (*head, gap, *pieces) if pieces else head


def _card(view: View, cards: list[int], room: int, has_address: bool) -> Line:
    """The longest name of the top card that fits; for one's own cards, with what the card counts
    as.
    """
    more = f" +{len(cards) - 1}" if len(cards) > 1 else ""
    card = cards[0]
    if not view.knows(card):
        return line(Ink(widest((view.card(card),), room - len(more)) + more, "faint"))
    if every := stack_names(view, cards, room):
        return line(Ink(every, "strong"))
    names = [view.card(card), view.words.short(card)]
    if not has_address and view.face_up(card):
        counts = view.words.brief(card).marks[-1]
        names = [*(f"{name} {counts}".rstrip() for name in names), *names]
    down = "" if view.face_up(card) else f"({view.words.say('down')}) "
    said = widest((f"{down}{name}" for name in names), max(room - len(more), 0))
    return line(Ink(said + more, "strong"))


def _below(view: View, place: int, room: int) -> Line:
    """What the card on a place costs, does or can, and what it counts as."""
    card = next(view.cards(place), NOTHING)
    if card == NOTHING or not view.knows(card):
        return ()
    brief = view.words.brief(card)
    said = brief.power if view.game.places[place].active else brief.effect
    if not said:
        return line(Ink(widest(brief.marks, room), "green"))
    counts = _unsaid(view.words.short(card), brief.marks[-1])
    left = room - columns(counts) - 1
    if not counts or columns(said[-1]) > left:
        return line(widest(said, room))
    return (*fit(line(widest(said, left)), left + 1), Ink(counts, "green"))


def _unsaid(name: str, counts: str) -> str:
    """What a card counts as, without the word with which its name begins."""
    first, _, rest = counts.partition(" ")
    return rest if rest and name.casefold().startswith(first.casefold()) else counts


# ---- players ----


def _player(view: View, part: LayoutPlayer, room: int, form: Form) -> list[Line]:
    """What belongs to one player: the name and the lines in one paragraph, and the tables."""
    name, colour = view.game.players[part.player], view.colour(part.player)
    seat = view.words.say("you") if view.observation.seat == name else ""
    turn = view.words.say("to move") if view.observation.turn == name else ""
    notes = ", ".join(one for one in (seat, turn) if one)
    name = view.words.seat(name)
    title = line(Ink(f"{name} ({notes}):" if notes else f"{name}:", colour))
    items = [item for one in part.lines if isinstance(one, LayoutLine) for item in one.items]
    said = [found for item in items for found in _item(view, item, part.player, form)]
    lines: list[Line] = []
    for one in part.lines:
        if isinstance(one, LayoutTable):
            taken = sum(not is_empty(view, place) for place in one.places)
            if form < Form.COUNTS and taken:
                lines += _cells(view, one, room, form)
            else:
                region = view.words.region(one.places[0])
                said.append(line(Ink(f"{region} ", "faint"), Ink(str(taken), "strong")))
    return [*wrap_parts([title, *said], room, "  ", " "), *lines]


def _item(view: View, item: LayoutItem, player: int, form: Form) -> Iterator[Line]:
    if item.what != "places" or view.game.places[item.of[0]].owner == NOTHING:
        yield from item_lines(view, item, player)
        return
    for place in item.of:
        yield from _owned(view, place, form)


def _owned(view: View, place: int, form: Form) -> Iterator[Line]:
    """The cards of a player's zone by name, equal ones together; unknown ones by number."""
    cards = list(view.cards(place))
    name = view.words.own_place(place)
    head = Ink(f"{name} ", "faint")
    if not cards or form == Form.COUNTS:
        yield line(head, Ink(str(len(cards)), "strong"))
        return
    backs = {f"?{view.words.back(card)}" for card in cards if not view.knows(card)}
    names = Counter(
        view.words.short(card) if view.knows(card) else view.card(card) for card in cards
    )
    said = [_alike(view, name, number, is_hidden=name in backs) for name, number in names.items()]
    for number, text in enumerate(said, 1):
        comma = "," * (number < len(said))
        yield line(*[head] * (number == 1), Ink(f"{text}{comma}", "strong"))


def _alike(view: View, name: str, number: int, *, is_hidden: bool) -> str:
    """A number of cards with one name."""
    if is_hidden:
        return view.words.say("{number} hidden", number=number)
    return view.words.say("{number} of {card}", number=number, card=name) if number > 1 else name


# ---- menus: a list, paragraphs, or pages of them ----

_PACKED = 7  # larger groups are set in columns, if their words are short
_SHORT, _MANY = 4, 24
"""The width of an address, and how many addresses are listed individually."""

_MARGIN = 8
"""The width that the key of a choice and the indentation may take."""


def menus(view: View, offered: tuple[Keyed, ...]) -> Iterator[list[Line]]:
    """The choices in fewer and fewer lines: as a list; in paragraphs; in paragraphs by name with
    their effects; with the effects as briefly as possible; and without effects.
    """
    yield menu(view, offered)
    if all(columns(one.words) <= view.columns - _MARGIN for one in offered):
        yield _paragraphs(view, offered, lambda one: one.thing)
    if any(one.offer.leads for one in offered):
        yield _paragraphs(view, offered, lambda one: one.brief(1))
        yield _paragraphs(view, offered, lambda one: one.brief(-1))
    yield _paragraphs(view, offered, lambda one: one.offer.name)


def _groups(offered: tuple[Keyed, ...]) -> Iterator[tuple[str, str, list[Keyed]]]:
    """The choices that share an action and the sort of thing it acts on, with a title for several,
    and the sort.
    """
    for (label, sort), members in groupby(
        offered, lambda one: (one.offer.label if one.offer.thing else "", one.offer.group)
    ):
        group = list(members)
        title = label if sort in label else f"{label} ({sort})"
        yield title if label and len(group) > 1 else "", sort, group


def menu(view: View, offered: tuple[Keyed, ...]) -> list[Line]:
    """The choices as a list, grouped by the sort of thing they act on."""
    last = max(len(one.key) for one in offered)
    lines: list[Line] = []
    for title, sort, group in _groups(offered):
        if title:
            lines += [*words(title, view.columns, style="faint"), *_list(view, group, last, sort)]
        else:
            lines += [part for one in group for part in _choice(view, one, one.words, last, "")]
    return lines


def _list(view: View, group: list[Keyed], last: int, sort: str) -> Iterator[Line]:
    said = [(one, one.thing.removeprefix(f"{sort} ")) for one in group]
    wide = max(columns(text) for _, text in said) + last + 4
    across = view.columns // wide if len(group) > _PACKED else 1
    if across < 2:
        yield from (part for one, text in said for part in _choice(view, one, text, last, "  "))
        return
    entries = [
        fit(line(Ink(f"{one.key:>{last + 2}})", "cyan"), f" {text}"), wide) for one, text in said
    ]
    high = -(-len(entries) // across)
    for row in range(high):
        yield tuple(ink for entry in entries[row::high] for ink in entry)


def _choice(view: View, offer: Keyed, text: str, last: int, indent: str) -> list[Line]:
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


def _paragraphs(view: View, offered: tuple[Keyed, ...], said: Callable[[Keyed], str]) -> list[Line]:
    lines: list[Line] = []
    parts: list[Line] = []
    for title, sort, group in _groups(offered):
        if not title:
            parts += [_entry(one, join_words(one.offer.label, said(one))) for one in group]
            continue
        lines += wrap_parts(parts, view.columns)
        members = [line(Ink(title, "faint")), *_members(view, group, sort, said)]
        lines += wrap_parts(members, view.columns, "  ", "  ")
        parts = []
    return [*lines, *wrap_parts(parts, view.columns)]


def _members(view: View, group: list[Keyed], sort: str, said: Callable[[Keyed], str]) -> list[Line]:
    """The members individually; for many addresses, only the first and the last."""
    texts = [said(one).removeprefix(f"{sort} ") for one in group]
    if len(group) > _MANY and all(len(text) <= _SHORT for text in texts):
        say, (first, last) = view.words.say, (group[0], group[-1])
        keys = say("{first} to {last}", first=first.key, last=last.key)
        names = say("by name: {first} to {last}", first=texts[0], last=texts[-1])
        return [line(Ink(f"{keys})", "cyan"), f" {names}")]
    return [_entry(one, text) for one, text in zip(group, texts, strict=True)]


def _entry(offer: Keyed, text: str) -> Line:
    return line(Ink(f"{offer.key})", "cyan"), f" {text}")


# ---- the page ----

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
