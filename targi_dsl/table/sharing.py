"""A game as one page that needs no server: every step with everybody's eyes, and its record."""

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
"""Bytes of a page's contents that are read."""

_IMPORTED = re.compile(r'from "\./([\w-]+)\.js"')


class Contents(Frozen):
    """What a page holds besides its scripts: the record as text, what never changes, the scores of
    a game that is not over, and for every step how the view of everybody differs from that of the
    step before, and how that of each seat differs from it, if otherwise than the step before.
    """

    record: str
    begin: Raw
    scores: ScoreTable | None
    steps: tuple[dict[str, object], ...]
    scripts: dict[str, str]
    style: str


def page(game: Game, record: Record, language: Language) -> str:
    """The page of a game. Raises Problems if the record cannot be replayed."""
    seats = dict.fromkeys(game.players, HUMAN)  # everybody's eyes can be chosen
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
    """The scripts of the page by their names, each after those that it imports."""
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
    """What was seen after a step, without what could be chosen then."""
    view: dict[str, object] = to_builtins(table.view(link.seats, code, step))
    del view["offers"]
    return view


def _difference(before: object, after: object) -> object:
    """What changes one JSON value into another: of objects, the members that differ; null for one
    that is left out.
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
    """The record that a page holds, as text; None if it is no such page."""
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
