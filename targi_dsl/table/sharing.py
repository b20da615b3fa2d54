"""A game as a single page that needs no server: the view of every seat after every step, and the
record.
"""

from __future__ import annotations

import gzip
import re
from base64 import b64decode, b64encode
from binascii import Error
from collections.abc import Iterator
from graphlib import TopologicalSorter
from importlib.resources import files
from io import BytesIO

from msgspec import DecodeError, Raw, json, to_builtins
from msgspec.structs import replace

from targi_dsl.api import PUBLIC
from targi_dsl.information.observation import observe
from targi_dsl.ir.game import Game
from targi_dsl.records import Autosave, Record, write
from targi_dsl.table.editions import Edition, client_scripts
from targi_dsl.table.game import HUMAN, TableGame
from targi_dsl.table.hall import Link, Table
from targi_dsl.text.languages import Language
from targi_dsl.text.structs import Frozen
from targi_dsl.view.outcomes import score_table
from targi_dsl.view.shape import ScoreTable

LARGEST = 200_000_000
"""The most bytes of a page's contents that are read."""

_IMPORTED = re.compile(r'from "\./([\w-]+)\.js"')


class Contents(Frozen):
    """The data of a page: the record as text, the constant data, the scores of an unfinished game,
    the scripts, and for each step the difference of the public view from the preceding one, with
    those differences of seats from the public view that have changed.
    """

    record: str
    begin: Raw
    scores: ScoreTable | None
    steps: tuple[dict[str, object], ...]
    scripts: dict[str, str]
    style: str


def page(game: Game, record: Record, language: Language) -> str:
    """The page of a game. Raises Problems if the record cannot be replayed."""
    seats = dict.fromkeys(game.players, HUMAN)  # the view of each seat can be selected
    playing = TableGame(game, replace(record, seats=seats), Autosave(None, print))
    links = [Link("", "", (seat,)) for seat in game.players] + [Link("", "")]
    table = Table("", Edition(game, lambda _: language), playing, tuple(links), 0)
    code = language.code
    steps = tuple(_steps(table, code))
    client = files("targi_dsl.table") / "client"
    style = (client / "table.css").read_text(encoding="utf-8")
    style = re.sub(r"@font-face \{.*?\}\n", "", style, flags=re.DOTALL)
    begin = Raw(table.begin(links[-1], code))
    is_over, seen = playing.state.seat is None, observe(playing.state, PUBLIC)
    scores = None if is_over else score_table(seen, table.words(code))
    contents = Contents(write(record), begin, scores, steps, _scripts(), style)
    packed = b64encode(gzip.compress(json.encode(contents), mtime=0)).decode()
    shell = (client / "shared.html").read_text(encoding="utf-8")
    return shell.replace("{title}", game.title).replace("{contents}", packed)


def _scripts() -> dict[str, str]:
    """The scripts of the page by name, in topological order of their imports."""
    imported = {name: _IMPORTED.findall(text) for name, text in client_scripts().items()}
    return {name: client_scripts()[name] for name in TopologicalSorter(imported).static_order()}


def _steps(table: Table, code: str) -> Iterator[dict[str, object]]:
    before: object = {}
    own: dict[str, object] = {}
    for step in range(len(table.game.steps) + 1):
        views = {"".join(one.seats): _view(table, one, code, step) for one in table.links}
        public = views.pop("")
        for view in views.values():
            view["question"] = public["question"]  # without what concerns the seat alone
        found = {seat: _difference(public, view) for seat, view in views.items()}
        changed = {seat: view for seat, view in found.items() if view != own.get(seat)}
        yield {"": _difference(before, public), **changed}
        before, own = public, found


def _view(table: Table, link: Link, code: str, step: int) -> dict[str, object]:
    """The view after a step, without offers."""
    view: dict[str, object] = to_builtins(table.view(link.seats, code, step))
    del view["offers"]
    return view


def _difference(before: object, after: object) -> object:
    """A patch from one JSON value to another: for objects, the members that differ, with null for
    those that are removed.
    """
    if not (isinstance(before, dict) and isinstance(after, dict)):
        return after
    found = {
        key: _difference(before.get(key), value)
        for key, value in after.items()
        if key not in before or before[key] != value
    }
    return {**found, **{key: None for key in before if key not in after}}


_CONTENTS = re.compile(r'<script id="game" type="text/plain">([A-Za-z0-9+/=]+)</script>')


def record_in(text: str) -> str | None:
    """The record in a page, as text; None if it is not such a page."""
    found = _CONTENTS.search(text)
    if found is None:
        return None
    try:
        with gzip.open(BytesIO(b64decode(found[1]))) as packed:
            return json.decode(packed.read(LARGEST), type=_Kept).record
    except (OSError, EOFError, Error, DecodeError, RecursionError):
        return None


class _Kept(Frozen):
    record: str
