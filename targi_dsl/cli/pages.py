"""Pages on a terminal: drawn in place, or written one below the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from targi_dsl.cli.terminal import Terminal
from targi_dsl.display.compact import Form
from targi_dsl.display.ink import Line, line
from targi_dsl.display.page import Page, form_for, page, room_for_notes, table
from targi_dsl.display.view import View


class Pages:
    """The pages that one terminal shows; turned: the page of the choices."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal, self.turned = terminal, 0
        self._form, self._size = Form.FULL, (0, 0)
        self._table: list[Line] = []
        self._room = 0

    def put(
        self,
        view: View,
        news: Sequence[list[Line]],
        heading: list[Line],
        menus: Iterator[list[Line]],
        notes: Sequence[Line] = (),
    ) -> None:
        """Draws a page with the first version of the news that fits, or writes it with the longest;
        when writing, omits a table that is still visible.
        """
        self._put(self._page(view, news, heading, [*menus], self.turned, notes))

    def put_last(self, view: View, news: Sequence[list[Line]], ending: list[Line]) -> None:
        """Like `put`, but with the whole ending: what has no room above it scrolls away."""
        self._put(self._page(view, news, [], [ending], None))

    def has_room(self, notes: Sequence[Line]) -> bool:
        """Whether these notes fit on the page that was shown last."""
        return len(notes) <= self._room

    def _put(self, shown: Page) -> None:
        if self.terminal.draws:
            self.terminal.draw(shown.lines)
            return
        below = [*shown.news, *shown.foot]
        self.terminal.show([line()])
        if shown.table != self._table or not self.terminal.has_room(len(below)):
            self.terminal.mark()
            self.terminal.show(shown.table)
            self._table = shown.table
        self.terminal.show(below)

    def _page(
        self,
        view: View,
        news: Sequence[list[Line]],
        heading: list[Line],
        menus: list[list[Line]],
        number: int | None,
        notes: Sequence[Line] = (),
    ) -> Page:
        rows = self.terminal.rows
        if rows is None:
            below = [line(), *heading, *menus[0]]
            return Page(table(view, Form.FULL), [*notes, *news[0]], below)
        if self._size != (view.columns, rows):
            self._form, self._size = Form.FULL, (view.columns, rows)
        self._form = form_for(view, rows, self._form)  # within one size it only gets shorter
        top, language = table(view, self._form), view.words.language
        self._room = room_for_notes(len(top), heading, menus, rows)
        return page(top, news, heading, menus, rows, number, language, notes)
