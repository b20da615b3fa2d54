"""Measures a check after an edit of one line, in a process that keeps what it has read; or compares
such checks with fresh ones.

    python -m bench.edits
    python -m bench.edits base expansion --random 1000 --seed 1

The first form edits one number of base again and again, and prints the bytecodes of a check with
the symbol index, and the processor time of forty checks. The second makes random edits of one line
and reports those after which a check that has kept everything differs from a fresh one.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from itertools import islice
from types import FrameType
from typing import Any

import click

from targi_dsl.compiler.load import analyse
from targi_dsl.compiler.project.cache import CheckCache
from targi_dsl.compiler.project.discovery import of_texts
from tests.random_edits import edits, files_of, outcome

GAME, FILE = "base", "rules/base/10_border_cards.targi"
OLD, NEW = "2 of one good -> 1 point", "2 of one good -> {} points"
EDITS, WARMING = 40, 4


def bytecodes(run: Callable[[], object]) -> int:
    """How many bytecodes are executed."""
    count = 0

    def traced(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return traced

    sys.settrace(traced)
    try:
        run()
    finally:
        sys.settrace(None)
    return count


def measure() -> None:
    """Prints the figures of checks after edits of one number."""
    files, kept = files_of(GAME), CheckCache()
    assert OLD in files[FILE]

    def check(number: int, with_index: bool) -> None:
        text = files[FILE].replace(OLD, NEW.format(number), 1)
        checked = analyse(GAME, of_texts({**files, FILE: text}, kept))
        assert not checked.problems
        assert not with_index or checked.index.occurrences

    for at in range(WARMING):
        check(2 + at, True)
    click.echo(f"bytecodes: {bytecodes(lambda: check(7, False)):,}", nl=False)
    click.echo(f", {bytecodes(lambda: check(8, True)):,} with the index")
    times = []
    for at in range(EDITS):
        began = time.process_time()
        check(2 + at % 9, True)
        times.append((time.process_time() - began) * 1000)
    least, median = min(times), statistics.median(times)
    click.echo(f"milliseconds with the index: least {least:.1f}, median {median:.1f}")


def compare(game: str, count: int, seed: int) -> None:
    """Prints the edits after which a kept check differs from a fresh one."""
    files, kept, different = files_of(game), CheckCache(), 0
    for at, edited in enumerate(islice(edits(files, seed), count)):
        if outcome(game, edited, kept) != outcome(game, edited, CheckCache()):
            different += 1
            click.echo(f"{game}: edit {at} of seed {seed} differs")
    click.echo(f"{game}: {different} of {count:,} edits differ")


@click.command()
@click.argument("games", nargs=-1)
@click.option("--random", "count", default=0, help="Compare after so many random edits.")
@click.option("--seed", default=1)
def main(games: tuple[str, ...], count: int, seed: int) -> None:
    if not count:
        measure()
    for game in (games or (GAME,)) if count else ():
        compare(game, count, seed)


if __name__ == "__main__":
    main()
