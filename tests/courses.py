"""The course of a game on one engine, for comparison with another engine.

All players choose at random, from a stream of the seed; in games of odd seeds players decline only
if they must.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import chain
from zlib import crc32

from targi_dsl.engine.chance import Chance, Seed, Stream
from targi_dsl.engine.machine import Engine
from targi_dsl.engine.run import RawEvent, Run
from targi_dsl.ir.constants import NOTHING
from targi_dsl.text.diagnostics import Problems

Row = tuple[object, ...]
LONGEST = 100_000


def course(
    engine: Engine,
    seed: int,
    chance: Chance,
    longest: int = LONGEST,
    events: list[RawEvent] | None = None,
) -> Iterator[Row]:
    """Everything observable at each question, and the scores at the end; with `events` also what
    has happened before it. At each question the listener finds the options that the run has left.
    """
    listener = None if events is None else lambda v, event: events.append(event)
    run, stream = Run(chance, listener), Stream(~seed)
    left = engine.start(run)
    for _ in range(longest):
        options = run.options if left.point != NOTHING else []
        v = engine.pack(left)
        assert engine.options(v) == options
        yield v, [*options], run.after(), [*(events or ())]
        if left.point == NOTHING:
            break
        if events is not None:
            events.clear()
        left = engine.answer(left, _chosen(engine, left.point, options, seed, stream), run)
    yield ("the end", engine.scores(engine.pack(left)))


def _chosen(engine: Engine, point: int, options: list[int], seed: int, stream: Stream) -> int:
    if seed % 2:
        declining = engine.declining(point)
        options = [one for one in options if one not in declining] or options
    return options[stream.below(len(options))]


def told(engine: Engine, seed: int, longest: int = LONGEST) -> list[object]:
    """A game until it ends or fails; a failure is part of the course."""
    found: list[object] = []
    try:
        found.extend(course(engine, seed, Seed(seed), longest))
    except Problems as problems:
        found.append(str(problems))
    return found


def checksum(engine: Engine, seed: int, longest: int = LONGEST) -> int:
    """The checksum of a course, as in `bench.checked`."""
    found, run, stream = 0, Run(Seed(seed)), Stream(~seed)
    left = engine.start(run)
    for _ in range(longest):
        found = crc32(array("i", engine.pack(left)), found)
        if left.point == NOTHING:
            break
        found = crc32(array("q", run.options), found)
        found = crc32(run.stream.number.to_bytes(8, "little"), found)
        left = engine.answer(left, _chosen(engine, left.point, run.options, seed, stream), run)
    parts = chain.from_iterable(engine.scores(engine.pack(left)))
    return crc32(array("i", parts), found)
