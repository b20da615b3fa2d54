"""`targi watch`: checks a game on every save, and replays a game under the new rules."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

import click

from targi_dsl.api import choices, play, start
from targi_dsl.cli import arguments
from targi_dsl.cli.commands.diff import comparison
from targi_dsl.cli.failures import DONE
from targi_dsl.cli.output import put
from targi_dsl.compiler.load import check, load
from targi_dsl.compiler.project.discovery import home
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.explain.why_not import why_not
from targi_dsl.ir.game import Game
from targi_dsl.records import Record, read, read_record_file, replay_changed
from targi_dsl.text.diagnostics import Problems, render
from targi_dsl.text.files import files_below
from targi_dsl.tools.diff import differences

_PAUSE = 0.2
"""Seconds between polls of the files."""

_Files = Mapping[Path, tuple[int, int]]
"""Files with modification times and sizes."""

_LONGEST = 2_000
"""The most choices of the random game that is replayed by default."""


@click.command("watch")
@click.argument("sheet", metavar="SHEET", callback=arguments.path)
@arguments.file("--record", "The saved game that is replayed; else a game is played at random.")
@click.option("--times", metavar="N", type=click.IntRange(1), help="End after N checks.")
def command(sheet: Path, record: Path | None, times: int | None) -> int:
    """Check a game whenever a file beside its SHEET or below is saved, and show what has changed.

    After every check the same game is played again under the new rules, and how far its choices
    still hold is told. Ctrl-C ends it.
    """
    name = arguments.as_path(sheet)
    played = None if record is None else read(read_record_file(str(record)))
    before: Game | None = None
    try:
        for saved in islice(_saves(home(sheet)), times):
            for line in saved:
                put(line)
            game, problems = check(name)
            if problems:
                put(render(problems) + "\n")
            if game is None:
                put("The game cannot be played; the next save is checked.")
                continue
            if before is not None and before.hash != game.hash:
                _, *changes = comparison(before, game, differences(before, game))
                put("\n".join(changes))
            before = load(name) if before is None or before.hash != game.hash else before
            played = played or random_record(before, name)
            put(how_far(before, played))
    except KeyboardInterrupt:
        put()
    return DONE


def _saves(folder: Path) -> Iterator[list[str]]:
    """Yields nothing at once, and then the changed files whenever files of the game change."""
    known = _files(folder)
    yield []
    while True:
        time.sleep(_PAUSE)
        found = _files(folder)
        if found != known:
            yield ["", *_changed(folder, known, found)]
            known = found


def _changed(folder: Path, known: _Files, found: _Files) -> Iterator[str]:
    for path in sorted({*known, *found}):
        if known.get(path) != found.get(path):
            how = "is new" if path not in known else "has changed"
            name = path.relative_to(folder).as_posix()
            yield f"{name} {how if path in found else 'is gone'}"


def _files(folder: Path) -> _Files:
    found = {}
    for path in files_below(folder, ".targi", ".yaml", ".po"):
        try:
            about = path.stat()
        except OSError:  # removed meanwhile
            continue
        found[path] = about.st_mtime_ns, about.st_size
    return found


def random_record(game: Game, name: str) -> Record:
    """A record of random choices."""
    state, stream, chosen = start(game, Seed(0)), Stream(~0), list[str]()
    try:
        while state.seat is not None and len(chosen) < _LONGEST:
            offered = choices(state)
            choice = offered[stream.below(len(offered))].id
            state, _ = play(state, choice)
            chosen.append(choice)
    except Problems as error:
        put(render(error.problems) + "\n")
    seats = dict.fromkeys(game.players, "random")
    return Record(name, game.hash, dict(game.options), 0, seats, tuple(chosen))


def how_far(game: Game, record: Record) -> str:
    """How far a record can be replayed under the current rules, and why not further."""
    replayed, number = replay_changed(game, record), len(record.choices)
    if replayed.problem is None:
        return f"{replayed.made} of {number} choices still hold."
    otherwise = f"The game goes otherwise from choice {replayed.made + 1} of {number}"
    if replayed.state.seat is None:
        return f"{otherwise}: it is over."
    wanted = record.choices[replayed.made]
    reasons = "; ".join(f"{one.name}: {one.text}" for one in why_not(replayed.state, wanted))
    return f"{otherwise}: `{wanted}` is not offered ({reasons})."
