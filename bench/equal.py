"""Compares the engines with each other, game by game.

    python -m bench.equal                                            every sheet
    python -m bench.equal base expansion mixed --games 20000 --reference 500
    python -m bench.equal base --games 20 --edited 2000

C compiled in memory is compared with C by an optimizing compiler by a checksum of each whole game:
of the positions, options and draws at every question, and of the scores. Both are compared with the
reference question by question, events and faults included; in every second game the outcomes of
chance are questions too. In every second game players decline only if they must. C plays on a stack
of 256 kB. With --edited that many valid games made from a sheet by random edits of its rules are
compared by both compiled forms.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from itertools import islice, zip_longest

import click

from bench.c_engine import CEngine
from bench.checked import Checked
from targi_dsl import load
from targi_dsl.codegen.c.compilers import CAREFUL, IN_MEMORY, QUICK
from targi_dsl.codegen.c.errors import NotInC
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Asked, Chance, Seed
from targi_dsl.engine.machine import Engine
from targi_dsl.engine.run import RawEvent
from targi_dsl.ir.game import Game
from targi_dsl.text.diagnostics import Problems
from tests.courses import LONGEST, course
from tests.games import ALL
from tests.random_edits import edits, files_of

ENDLESS = 2_000
"""The decisions after which an edited game is stopped."""

STACK = 256 * 1024
"""The bytes of stack on which every game fits."""


def unlike(one: Checked, other: Checked, seeds: range, longest: int = LONGEST) -> list[int]:
    """The seeds whose games, played on a small stack, differ in two compiled forms."""
    busy = [seed % 2 == 1 for seed in seeds]
    before = threading.stack_size(STACK)
    with ThreadPoolExecutor(1) as thread:
        both = [*thread.map(lambda form: form.courses(seeds, busy, longest), (one, other))]
    threading.stack_size(before)
    pairs = zip_longest(*both)
    return [seed for seed, (mine, theirs) in zip(seeds, pairs, strict=False) if mine != theirs]


def assert_equal(reference: Engine, engine: Engine, seeds: range, longest: int = LONGEST) -> None:
    """Plays these seeds on an engine and on the reference, question by question; in every second
    game the outcomes of chance are questions too.
    """
    for seed in seeds:
        chance = Seed(seed) if seed % 2 else Asked()
        both = (_told(each, seed, chance, longest) for each in (engine, reference))
        for number, (one, other) in enumerate(zip_longest(*both)):
            assert one == other, f"{engine.game.name}, seed {seed}, question {number}"


def _told(engine: Engine, seed: int, chance: Chance, longest: int) -> Iterator[object]:
    """A course with its events; a fault is the end of it."""
    events = list[RawEvent]()
    try:
        yield from course(engine, seed, chance, longest, events)
    except Problems as problems:
        yield str(problems)


def compared(name: str, games: int, reference: int, edited: int, level: int) -> str:
    """Plays a sheet on the engines; returns a summary of the games played, or raises at the first
    difference.
    """
    game, began = load(name), time.process_time()
    if games:
        differ = unlike(Checked(game, IN_MEMORY), Checked(game, level), range(games))
        assert not differ, f"{name}: C in memory and optimized C differ in seeds {differ[:5]}"
    for one in (IN_MEMORY, QUICK) if reference else ():
        assert_equal(Engine(game), CEngine(game, one), range(reference))
    valid = 0
    for edit in islice(valid_edits(name), edited):
        valid += 1
        differ = edit_differs(edit, games)
        assert not differ, f"{name}, edit {valid}: seeds {differ[:5]}"
    return (
        f"{game.name}: equal in {games} games of both compiled forms, {reference} of each and the "
        f"reference, {valid} edited games; {time.process_time() - began:.0f} s"
    )


def edit_differs(game: Game, games: int) -> list[int]:
    """The seeds in which the compiled forms of an edited game differ."""
    try:
        forms = Checked(game, IN_MEMORY), Checked(game, QUICK)
    except NotInC:
        return []
    return unlike(*forms, range(games), ENDLESS)


def valid_edits(name: str) -> Iterator[Game]:
    """Games made from a sheet by random edits, as far as they are valid and not the same."""
    met = {load(name).hash}
    for files in edits(files_of(name), 0):
        try:
            game = load(name, of_texts(files))
        except Problems:
            continue
        if game.hash not in met:
            met.add(game.hash)
            yield game


@click.command()
@click.argument("names", nargs=-1, metavar="[SHEET...]")
@click.option("--games", default=100, show_default=True, help="Of both compiled forms.")
@click.option("--reference", default=2, show_default=True, help="Of each and the reference.")
@click.option("--edited", default=0, show_default=True, help="Edited games of each sheet.")
@click.option("--level", default=CAREFUL, show_default=True, help="How well C is compiled.")
@click.option("--jobs", default=1, show_default=True, help="Sheets that are played at once.")
def main(
    names: tuple[str, ...], games: int, reference: int, edited: int, level: int, jobs: int
) -> None:
    """Play sheets on all engines, and stop at the first difference."""
    compare = partial(compared, games=games, reference=reference, edited=edited, level=level)
    with ProcessPoolExecutor(jobs) as pool:
        for line in pool.map(compare, names or ALL):
            click.echo(line)


if __name__ == "__main__":
    main()
