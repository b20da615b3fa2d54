"""Tests C compiled in memory, in a process of its own: whether it does what the
interpreter does.
"""

from __future__ import annotations

import ctypes
import faulthandler
import pickle
import sys
import time
from collections.abc import Iterator
from itertools import chain, zip_longest
from typing import get_args

if sys.platform != "win32":
    import resource

from targi_dsl.codegen.c.compilers import IN_MEMORY
from targi_dsl.codegen.c.emit.source import runtime_text, source
from targi_dsl.codegen.c.errors import NotInC
from targi_dsl.codegen.c.library import library
from targi_dsl.codegen.c.libtcc import InMemory
from targi_dsl.codegen.c.rows import FAULT, TOO_LARGE, Rows, Told
from targi_dsl.codegen.row import chance_of, event_of, options_of
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.engine.machine import ENDLESS, Engine
from targi_dsl.engine.run import Counting, RawEvent, Run, Waiting
from targi_dsl.ir.constants import NOTHING, EventKind
from targi_dsl.ir.game import Game
from targi_dsl.text.diagnostics import Problems

_KINDS: tuple[EventKind, ...] = get_args(EventKind)

GAMES = 10
"""The most games of a program that are compared."""
SECONDS = 1.0
"""The time limit of a comparison."""

_LONGEST = 8  # seconds of a processor after which this process ends, whatever it does,
_PATIENCE = 60  # and those of a clock: a machine may be busy
_TEN_LINES = """
typedef struct { int64_t a, b; int32_t c[40]; } Wide;
typedef struct { int status; jmp_buf out; } State;
static Wide wide(int64_t a) { Wide w = {0}; w.a = a; w.b = a / 7 % 11; w.c[39] = -3; return w; }
static void leave(State *s) { longjmp(s->out, s->status); }
int targi_make(uint64_t seed) {
    volatile int stage = 1;
    State s = {5};
    int status = setjmp(s.out), last;
    if (!status) { stage = 2; leave(&s); }
    Wide w = wide((int64_t)(seed * 0x9E3779B97F4A7C15u >> 3));
    memcpy(&last, w.c + 39, sizeof last);
    return stage * 1000 + status * 100 + (int)w.b + last;
}
"""
_SEED = 12_345_678_987_654_321
_RIGHT = 2_500 + (_SEED * 0x9E3779B97F4A7C15 % 2**64 >> 3) // 7 % 11 - 3


def main() -> None:
    """Prints what is wrong with this machine, or with the game that is read, if anything."""
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_CPU, (_LONGEST, _LONGEST))
    faulthandler.dump_traceback_later(_PATIENCE, exit=True)
    if sys.argv[1] == "machine":
        wrong = machine()
    else:
        try:
            game = pickle.load(sys.stdin.buffer)
        except (OSError, ValueError, Problems):  # a game of texts in memory, or changed meanwhile
            wrong = "untried"
        else:
            wrong = program(game)
    sys.stdout.write(wrong or "equal")


def machine() -> str:
    """What is wrong with C compiled in memory on this machine; empty if nothing is."""
    try:
        compute = InMemory(runtime_text("host.h") + _TEN_LINES).targi_make
    except NotInC as why:
        return str(why)
    compute.argtypes = [ctypes.c_uint64]
    return "" if compute(_SEED) == _RIGHT else "libtcc computes wrongly on this machine"


def program(game: Game, seconds: float = SECONDS) -> str:
    """Where compiled C differs from the interpreter in its first games; empty if nowhere."""
    engine = Engine(game)
    try:
        rows = Rows(library(source(engine), IN_MEMORY), game)
    except NotInC as why:
        return str(why)
    ends = time.monotonic() + seconds
    for seed in range(GAMES):
        both = zip_longest(_in_c(rows, seed), _interpreted(engine, seed))
        for number, (one, other) in enumerate(both):
            if one == TOO_LARGE:
                break
            if one != other:
                return f"seed {seed}, question {number}"
            if time.monotonic() > ends:
                return ""
    return ""


def _in_c(rows: Rows, seed: int) -> Iterator[object]:
    """Everything observable at each question, the scores, and a playout; or the status with which C
    stops.
    """
    told, stream = list[Told](), Stream(~seed)
    answer = begun = rows.begin(seed, told)
    while isinstance(answer, bytes) and (options := options_of(answer)):
        yield rows.vector(answer), options, chance_of(answer), _raw(told)
        told.clear()
        answer = rows.step(answer, options[stream.below(len(options))], told)
    if isinstance(answer, bytes):
        yield rows.vector(answer), rows.scores(answer), _raw(told)
        answer = begun
    if isinstance(answer, bytes):
        end, rounds = rows.rollout(answer, Stream(seed), bool(seed % 2), -1, ENDLESS)
        yield (rows.vector(end), rounds) if isinstance(end, bytes) else end
    else:
        yield answer


def _raw(told: list[Told]) -> list[RawEvent]:
    return [RawEvent(_KINDS[kind], *numbers[:6]) for kind, *numbers in map(event_of, told)]


def _interpreted(engine: Engine, seed: int) -> Iterator[object]:
    """The same by the interpreter."""
    events, stream = list[RawEvent](), Stream(~seed)
    run = Run(Seed(seed), lambda v, event: events.append(event))
    try:
        left = engine.start(run)
        begun, played = left, Counting(run.after())
        played.options = run.options
        while left.point != NOTHING:
            yield _vector(engine, left), tuple(run.options), run.stream.number, [*events]
            events.clear()
            left = engine.answer(left, run.options[stream.below(len(run.options))], run)
        yield _vector(engine, left), _values(engine, left), [*events]
        left = engine.rollout(begun, played, Stream(seed), bool(seed % 2), -1, ENDLESS)
        yield _vector(engine, left), played.rounds
    except Problems:
        yield FAULT


def _vector(engine: Engine, left: Waiting) -> tuple[int, ...]:
    return tuple(engine.pack(left))


def _values(engine: Engine, left: Waiting) -> tuple[int, ...]:
    """The scores, tie-break values and score parts, as `Rows.scores` has them."""
    v, game, found = engine.pack(left), engine.game, list[int]()
    points = engine.scores(v)
    for player, merit in enumerate(game.merits(points)):
        values = (engine.tie(v, at, player) for at in range(len(game.ties)))
        ties = zip(game.ties, values, strict=True)
        found += [merit, *(value if tie.most else -value for tie, value in ties)]
    return (*found, *chain.from_iterable(points))
