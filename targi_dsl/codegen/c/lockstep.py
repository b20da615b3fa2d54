"""Tries C that is compiled in memory, in a process of its own: whether it does what the reference
does.
"""

from __future__ import annotations

import ctypes
import faulthandler
import pickle
import sys
import time
from collections.abc import Iterator
from itertools import count, zip_longest

from targi_dsl.codegen.c.compilers import IN_MEMORY
from targi_dsl.codegen.c.engine import CEngine
from targi_dsl.codegen.c.libtcc import InMemory
from targi_dsl.codegen.c.source import fixed
from targi_dsl.codegen.c.unit import NotInC
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.engine.machine import Engine
from targi_dsl.engine.run import Counting, RawEvent, Run
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.text.diagnostics import Problems

SECONDS = 1.0
"""How long a program is tried."""

_LONGEST = 8  # seconds after which this process ends, whatever it does
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
    """Prints what is wrong with this machine, or with the game that is read, if anything is."""
    faulthandler.dump_traceback_later(_LONGEST, exit=True)
    wrong = machine() if sys.argv[1] == "machine" else program(pickle.load(sys.stdin.buffer))
    sys.stdout.write(wrong or "equal")


def machine() -> str:
    """What is wrong with C compiled in memory on this machine; empty if nothing is."""
    try:
        compute = InMemory(fixed("host.h") + _TEN_LINES).targi_make
    except NotInC as why:
        return str(why)
    compute.argtypes = [ctypes.c_uint64]
    return "" if compute(_SEED) == _RIGHT else "libtcc computes wrongly on this machine"


def program(game: Game, seconds: float = SECONDS) -> str:
    """Where compiled C differs from the reference in games of this time; empty if nowhere."""
    try:
        engines = CEngine(game, IN_MEMORY), Engine(game)
    except NotInC as why:
        return str(why)
    ends = time.monotonic() + seconds
    for seed in count():
        for number, (one, other) in enumerate(zip_longest(*(_course(e, seed) for e in engines))):
            if one != other:
                return f"seed {seed}, question {number}"
            if time.monotonic() > ends:
                return ""
        if _played_out(engines[0], seed) != _played_out(engines[1], seed):
            return f"seed {seed}, played whole"
    raise AssertionError("count() has no end")


def _course(engine: Engine, seed: int) -> Iterator[object]:
    """Everything observable at each question, and the scores; or the fault that ends the game."""
    events, stream = list[RawEvent](), Stream(~seed)
    run = Run(Seed(seed), lambda v, event: events.append(event))
    try:
        left = engine.start(run)
        while left.point != NOTHING:
            yield engine.packed(left), [*run.options], run.stream.number, [*events]
            events.clear()
            left = engine.answer(left, run.options[stream.below(len(run.options))], run)
        yield engine.packed(left), engine.scores(engine.packed(left)), [*events]
    except (Problems, RuntimeError) as fault:
        yield str(fault)


def _played_out(engine: Engine, seed: int) -> object:
    """The end of a game of random players that is played in one call."""
    try:
        begun, run = Run(Seed(seed)), Counting(Seed(seed))
        left = engine.start(begun)
        if left.point != NOTHING:
            run.options = begun.options
            left = engine.rollout(left, run, Stream(seed), bool(seed % 2), -1, 2**31)
    except (Problems, RuntimeError) as fault:
        return str(fault)
    return engine.packed(left), run.rounds
