"""A page: the table in few lines if it must be, the news, the question and a menu of its choices,
in as many rows as the terminal has.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import groupby

from msgspec.structs import replace

from targi_dsl.display.board import board
from targi_dsl.display.choosing import Keyed
from targi_dsl.display.ink import Ink, Line, fit, line, plain_text, widest, width, words, wrap_parts
from targi_dsl.display.marks import address, legend, marks_on
from targi_dsl.display.scene import Scene, split_by_player
from targi_dsl.display.screen import GAP, MOST_BACKS, beside, item_lines, screen
from targi_dsl.text.languages import ENGLISH, Language
from targi_dsl.text.structs import Frozen
from targi_dsl.text.width import columns
from targi_dsl.view.offers import join_words
from targi_dsl.view.shape import Card, Item, Items, PlayerPart, Table

LEAST, MOST = 5, 24
"""The width of a cell: narrower ones become a list, and wider ones are useless."""

ASIDE = 36
"""The width for each player where players are side by side."""

Part = Table | Items


class Form(IntEnum):
    """How much of the table is drawn: everything; cells of two lines; without piles that the
    question is not about; of the tables of others only the number of cards; likewise of one's own,
    unless it is asked for a place; cells of one line.
    """

    FULL = 0
    TWO_LINES = 1
    NO_PILES = 2
    OWN_TABLE = 3
    ASKED = 4
    ONE_LINE = 5


def compact(scene: Scene, form: Form) -> list[Line]:
    """The table as the observers see it."""
    shared, own = split_by_player(scene.game)
    lines = [found for part in _paired(shared) for found in _shared(scene, part, form)]
    if scene.game.pieces and not scene.game.cards:
        lines += wrap_parts(((ink,) for ink in legend(scene)), scene.columns)
    each = (scene.columns - GAP * (len(own) - 1)) // max(len(own), 1)
    if len(own) > 1 and each >= ASIDE:
        return [*lines, *beside([_player(scene, part, each, form) for part in own])]
    return [*lines, *(found for part in own for found in _player(scene, part, scene.columns, form))]


def _paired(parts: list[Part]) -> Iterator[list[Part]]:
    """The parts one by one, with consecutive lines grouped."""
    for is_line, found in groupby(parts, lambda part: isinstance(part, Items)):
        group = [*found]
        yield from [group] if is_line else ([part] for part in group)


def _shared(scene: Scene, parts: list[Part], form: Form) -> list[Line]:
    if isinstance(parts[0], Table):
        return _cells(scene, parts[0], scene.columns, form)
    items = (item for part in parts if isinstance(part, Items) for item in part.items)
    lines = (one for item in items for one in _item(scene, item, "", form))
    return wrap_parts(lines, scene.columns)


# ---- tables ----


def _cells(scene: Scene, table: Table, room: int, form: Form) -> list[Line]:
    """The rows of a table, without empty rows of a player's table."""
    if found := board(scene, table, room):
        return found
    inner = min(int((room + 1) / table.span) - 1, MOST)
    rows = [(y, row) for y, row in enumerate(table.rows) if _is_shown(scene, row)]
    if inner < LEAST:
        places = [place for _, row in rows for place in row if place]
        return wrap_parts((_top(scene, place, room) for place in places), room)
    told = _counting_regions(scene, table) if form < Form.ONE_LINE else frozenset()
    lean = (inner + 1) // 2 if table.is_staggered else 0
    drawn = ((y, part) for y, row in rows for part in _row(scene, row, inner, told))
    return [(Ink(" " * lean * y), *part) if lean else part for y, part in drawn]


def _counting_regions(scene: Scene, table: Table) -> frozenset[str]:
    """The regions with a card that counts as something, so that its name alone is not enough."""
    return frozenset(
        scene.game.places[place].region
        for place in table.places
        for card in scene.on(place).cards[:1]
        if card.id and scene.face(card).marks[-1]
    )


def _is_shown(scene: Scene, row: tuple[str, ...]) -> bool:
    return any(
        not scene.game.places[place].owner or not scene.is_empty(place) for place in row if place
    )


def _row(scene: Scene, row: tuple[str, ...], inner: int, told: frozenset[str]) -> Iterator[Line]:
    places = [scene.game.places[place] for place in row if place]
    has_more = any(not place.owner and place.region in told for place in places)
    draws = (_top, _below) if has_more else (_top,)
    for draw in draws:
        inks: list[Ink] = []
        for place in row:
            cell = draw(scene, place, inner) if place else ()
            inks += [*[Ink("│", "faint")] * bool(inks), *fit(cell, inner)]
        yield tuple(inks)


def _top(scene: Scene, place: str, room: int) -> Line:
    """The label of a place, the card on it, and the pieces there."""
    info, pieces = scene.game.places[place], marks_on(scene, place)
    amounts, values = [one.text for one in scene.amounts(place)], scene.on(place).values
    longest = " ".join([*amounts, *(f"{one.name} {one.text}".strip() for one in values)])
    shortest = " ".join([*amounts, *(one.text or one.name[:3] for one in values)])
    left = room - width(pieces) - len(info.address) - 2
    held = longest if columns(longest) <= left else shortest
    if held:
        pieces = (Ink(held, "strong"), *[Ink(" ")] * bool(pieces), *pieces)
    if width(pieces) >= room:
        pieces = fit(pieces, room)
    left = max(room - width(pieces) - bool(pieces), 0)
    cards = scene.cards(place)
    head: Line = ()
    if not info.owner or (not cards and place in scene.open):
        called = address(scene, place)
        head = line(replace(called, text=widest((called.text, info.address), left)))
    if cards:
        head = (*head, *_card(scene, cards, left - width(head), bool(head)))
    gap = Ink(" " * max(room - width(head) - width(pieces), 0))
    return (*head, gap, *pieces) if pieces else head


def _card(scene: Scene, cards: list[Card], room: int, has_address: bool) -> Line:
    """The longest name of the top card that fits; for one's own cards, with what the card counts
    as.
    """
    more = f" +{len(cards) - 1}" if len(cards) > 1 else ""
    card = cards[0]
    if not card.id:
        return line(Ink(widest((scene.name(card),), room - len(more)) + more, "faint"))
    if every := scene.stack(cards, room):
        return line(Ink(every, "strong"))
    face = scene.face(card)
    names = [face.name, face.short]
    if not has_address and not card.down:
        names = [*(f"{name} {face.unsaid(name, -1)}".rstrip() for name in names), *names]
    down = f"({scene.say('down')}) " if card.down else ""
    said = widest((f"{down}{name}" for name in names), max(room - len(more), 0))
    return line(Ink(said + more, "strong"))


def _below(scene: Scene, place: str, room: int) -> Line:
    """What the card on a place costs, does or can, and what it counts as."""
    tops = scene.on(place).cards[:1]
    if not tops or not tops[0].id:
        return ()
    face = scene.face(tops[0])
    said = face.power if scene.game.places[place].active else face.effect
    if not said:
        return line(Ink(widest(face.marks, room), "green"))
    counts = face.unsaid(face.short, -1)
    left = room - columns(counts) - 1
    if not counts or columns(said[-1]) > left:
        return line(widest(said, room))
    return (*fit(line(widest(said, left)), left + 1), Ink(counts, "green"))


# ---- players ----


def _player(scene: Scene, part: PlayerPart, room: int, form: Form) -> list[Line]:
    """What belongs to one player: the name and the lines in one paragraph, and the tables."""
    title = line(Ink(f"{scene.titled(part.player)}:", scene.colours[part.player]))
    items = [item for one in part.parts if isinstance(one, Items) for item in one.items]
    said = [found for item in items for found in _item(scene, item, part.player, form)]
    lines: list[Line] = []
    for one in part.parts:
        if isinstance(one, Table):
            taken = sum(not scene.is_empty(place) for place in one.places)
            if taken and _is_drawn(scene, one, form):
                lines += _cells(scene, one, room, form)
            else:
                region = scene.region(one.places[0])
                said.append(line(Ink(f"{region} ", "faint"), Ink(str(taken), "strong")))
    return [*wrap_parts([title, *said], room, "  ", " "), *lines]


def _is_drawn(scene: Scene, table: Table, form: Form) -> bool:
    """Whether a player's table is drawn, rather than counted."""
    is_own = scene.game.places[table.places[0]].owner == scene.you
    is_asked = not scene.open.isdisjoint(table.places)
    return is_asked or form < Form.OWN_TABLE or (is_own and form == Form.OWN_TABLE)


def _item(scene: Scene, item: Item, player: str, form: Form) -> Iterator[Line]:
    if item.what != "places":
        yield from item_lines(scene, item, player)
    elif scene.game.places[item.of[0]].owner:
        for place in item.of:
            yield from _owned(scene, place, form)
    elif form < Form.NO_PILES or not scene.asked.isdisjoint(_names_on(scene, item)):
        yield from item_lines(scene, item, player)


def _names_on(scene: Scene, item: Item) -> Iterator[str]:
    """The places of a line, and the cards that lie open on them."""
    for place in item.of:
        yield place
        yield from (card.id for card in scene.on(place).cards if card.id)


def _owned(scene: Scene, place: str, form: Form) -> Iterator[Line]:
    """The cards of a player's zone by name, equal ones together; unknown ones by number."""
    cards = scene.cards(place)
    info = scene.game.places[place]
    head, is_own = Ink(f"{info.own_name} ", "faint"), info.owner == scene.you
    if not cards or (form > Form.OWN_TABLE and not is_own):
        yield line(head, Ink(str(len(cards)), "strong"))
        return
    is_priced = is_own and len(cards) <= MOST_BACKS
    names = Counter(_called(scene, card, is_priced) for card in cards)
    said = [_alike(scene, *one, number) for one, number in names.items()]
    for number, text in enumerate(said, 1):
        comma = "," * (number < len(said))
        yield line(*[head] * (number == 1), Ink(f"{text}{comma}", "strong"))


def _called(scene: Scene, card: Card, is_priced: bool) -> tuple[str, bool]:
    """The short name of a card, or its back; and whether nothing is known of it."""
    if not card.id:
        return scene.name(card), not card.said
    face = scene.face(card)
    return face.in_short if is_priced else face.short, False


def _alike(scene: Scene, name: str, is_hidden: bool, number: int) -> str:
    """A number of cards with one name."""
    if is_hidden:
        return scene.say("{number} hidden", number=number)
    return scene.say("{number} of {card}", number=number, card=name) if number > 1 else name


# ---- menus: a list, paragraphs, or pages of them ----

_PACKED = 7  # larger groups are set in columns, if their words are short
_SHORT, _MANY = 4, 24
"""The width of an address, and how many addresses are listed individually."""

_MARGIN = 8
"""The width that the key of a choice and the indentation may take."""


def menus(scene: Scene, offered: tuple[Keyed, ...]) -> Iterator[list[Line]]:
    """The choices in fewer and fewer lines: as a list; in paragraphs; in paragraphs by name with
    their effects; with the effects as briefly as possible; and without effects.
    """
    yield menu(scene, offered)
    if all(columns(one.words) <= scene.columns - _MARGIN for one in offered):
        yield _paragraphs(scene, offered, lambda one: one.thing)
    if any(one.offer.leads for one in offered):
        yield _paragraphs(scene, offered, lambda one: one.brief(1))
        yield _paragraphs(scene, offered, lambda one: one.brief(-1))
    yield _paragraphs(scene, offered, lambda one: one.offer.name)


def _groups(offered: tuple[Keyed, ...]) -> Iterator[tuple[str, str, list[Keyed]]]:
    """The choices that share an action and the sort of thing it acts on, with a title for several,
    and the sort.
    """
    for (label, sort), members in groupby(
        offered, lambda one: (one.offer.label if one.offer.thing else "", one.offer.group)
    ):
        group = list(members)
        title = label if not sort or sort in label else f"{label} ({sort})"
        yield title if label and len(group) > 1 else "", sort, group


def menu(scene: Scene, offered: tuple[Keyed, ...]) -> list[Line]:
    """The choices as a list, grouped by the sort of thing they act on."""
    last = max(len(one.key) for one in offered)
    lines: list[Line] = []
    for title, sort, group in _groups(offered):
        if title and group[0].offer.is_exchange:
            lines += _folded(scene, title, group, sort, lambda one: one.thing)
        elif title:
            lines += [*words(title, scene.columns, style="faint"), *_list(scene, group, last, sort)]
        else:
            lines += [part for one in group for part in _choice(scene, one, one.words, last, "")]
    return lines


def _list(scene: Scene, group: list[Keyed], last: int, sort: str) -> Iterator[Line]:
    said = [(one, one.thing.removeprefix(f"{sort} ")) for one in group]
    wide = max(columns(text) for _, text in said) + last + 4
    across = scene.columns // wide if len(group) > _PACKED else 1
    if across < 2:
        yield from (part for one, text in said for part in _choice(scene, one, text, last, "  "))
        return
    entries = [
        fit(line(Ink(f"{one.key:>{last + 2}})", "cyan"), f" {text}"), wide) for one, text in said
    ]
    high = -(-len(entries) // across)
    for row in range(high):
        yield tuple(ink for entry in entries[row::high] for ink in entry)


def _choice(scene: Scene, offer: Keyed, text: str, last: int, indent: str) -> list[Line]:
    head = line(Ink(f"{indent}{offer.key:>{last}})", "cyan"), " ")
    first, *rest = words(text, max(scene.columns - width(head), 1))
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


def _paragraphs(
    scene: Scene, offered: tuple[Keyed, ...], said: Callable[[Keyed], str]
) -> list[Line]:
    lines: list[Line] = []
    parts: list[Line] = []
    for title, sort, group in _groups(offered):
        if not title:
            parts += [_entry(one, join_words(one.offer.label, said(one))) for one in group]
            continue
        lines += wrap_parts(parts, scene.columns)
        lines += _folded(scene, title, group, sort, said)
        parts = []
    return [*lines, *wrap_parts(parts, scene.columns)]


def _folded(
    scene: Scene, title: str, group: list[Keyed], sort: str, said: Callable[[Keyed], str]
) -> list[Line]:
    """The choices of a group after its title, in one paragraph."""
    members = [line(Ink(title, "faint")), *_members(scene, group, sort, said)]
    return wrap_parts(members, scene.columns, "  ", "  ")


def _members(
    scene: Scene, group: list[Keyed], sort: str, said: Callable[[Keyed], str]
) -> list[Line]:
    """The members individually; for many addresses, only the first and the last."""
    texts = [said(one).removeprefix(f"{sort} ") for one in group]
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
"""The part of the rows that is reserved for the choices, if they need it: a quarter."""


class Page(Frozen):
    """What is drawn, from top to bottom; foot: the question and its choices."""

    table: list[Line]
    news: list[Line]
    foot: list[Line]

    @property
    def lines(self) -> list[Line]:
        return [*self.table, *self.news, *self.foot]


def table(scene: Scene, form: Form) -> list[Line]:
    return screen(scene) if form is Form.FULL else compact(scene, form)


def fitting(
    scene: Scene, news: list[Line], heading: list[Line], menus: Sequence[list[Line]], rows: int
) -> tuple[list[Line], Sequence[list[Line]]]:
    """The table and the menus for so many rows: the fullest that leave room for the latest news,
    or else for some of it, or for none. Only then do choices no longer tell what they lead to.
    Cards that the question is about and that cannot be read there stand below the table.
    """
    told, told_of = len(news), min(len(news), _TOLD)
    kept = [(form, told) for form in Form if form <= Form.NO_PILES]
    kept += [(form, told_of) for form in Form if Form.TWO_LINES <= form <= Form.ASKED]
    close = max(len(menus) - _BARE, 1)
    ways = [(form, left, at) for at in (0, close) for form, left in kept]
    ways += [(Form.ASKED, 0, 0), (Form.ONE_LINE, told_of, 0), (Form.ONE_LINE, 0, 0)]
    for form, left, first in ways:
        top = table(scene, form)
        room = max(rows, LEAST_ROWS) - len(top) - len(heading) - left
        last = close if first == 0 and left else len(menus)
        for at in range(first, last) if room > 0 else ():
            needed = unread(scene, [*top, *heading, *menus[at]]) if len(menus[at]) <= room else []
            if len(menus[at]) + len(needed) <= room:
                return [*top, *needed], menus[at : at + 1]
    return table(scene, Form.ONE_LINE), menus


_BARE = 2
"""The menus at the end that tell of effects as little as possible, or nothing."""


def unread(scene: Scene, lines: Sequence[Line]) -> list[Line]:
    """The cards that the question is about and whose names or costs these lines do not tell."""
    rows, about = [f"{plain_text(one)} " for one in lines], dict.fromkeys(scene.about)
    missing = (
        line(scene.game.cards[card].in_short) for card in about if not _is_read(scene, rows, card)
    )
    return wrap_parts(missing, scene.columns)


def _is_read(scene: Scene, rows: Sequence[str], card: str) -> bool:
    """Whether the name of a card stands in some row, and its cost after it or below it."""
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
"""How far after the name of a card its cost may begin, and the rows of a cell."""


def _near(rows: Sequence[str], number: int, at: int) -> str:
    """The text of a cell from here on; outside of cells, of this row and the next."""
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
    is_whole = len(top) + len(heading) + min(map(len, menus), default=0) <= rows
    if len(top) > most and not is_whole:
        top = [*top[: most - 1], _note(language.say("`table` shows all"))]
    room = rows - len(top) - len(heading)
    notes = notes[-room_for_notes(len(top), heading, menus, rows) :]
    room -= len(notes)
    least = min(map(len, menus), default=0) if is_whole else _least_menu(menus, rows)
    kept = min(len(news[-1]), _TOLD, max(room - least, 0))
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
