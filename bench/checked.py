"""Generated C together with checks: whether the invariants hold in its games, and the course of the
games.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path

from targi_dsl.codegen.c.compilers import BRISK
from targi_dsl.codegen.c.emit.source import source
from targi_dsl.codegen.c.emit.tables import lists, rows, table
from targi_dsl.codegen.c.library import library
from targi_dsl.engine.machine import Engine
from targi_dsl.ir.game import Game
from targi_dsl.ir.program import Program, Question
from targi_dsl.text.structs import Frozen

HEADER = Path(__file__).with_suffix(".h")
"""The checks in C."""

ENDLESS = 5_000
"""The number of choices after which a game is considered endless."""


class Soaked(Frozen):
    """The result of games with all invariants checked: how many are valid, their choices, and, if
    the next one is not, the options taken in it, the last of which shows the violation.
    """

    games: int
    choices: int
    trail: tuple[int, ...]


class Checked:
    """Plays games of one program in generated C and checks them. rules: the C of the program, if it
    is not the generated one.
    """

    def __init__(self, game: Game, level: int = BRISK, rules: str = "") -> None:
        self._taken = array("q", bytes(8 * len(_heads(game.program))))
        self._library = library(checking(game, rules or source(Engine(game))), level)
        at, i64 = ctypes.c_void_p, ctypes.c_int64
        self._library.targi_soak.restype = self._library.targi_courses.restype = i64
        self._library.targi_soak.argtypes = [at, i64, at, at, at]
        self._library.targi_courses.argtypes = [at, at, i64, at, i64]

    def soak(self, seeds: Sequence[int]) -> Soaked:
        """Plays games of the soak, by its four players in turn, up to the first that is not valid.
        How often each kind of choice was made is accumulated from call to call.
        """
        numbers, trail = array("Q", seeds), array("q", bytes(8 * ENDLESS))
        count = array("q", bytes(16))
        given = [_at(numbers), len(numbers), *map(_at, (self._taken, trail, count))]
        games = int(self._library.targi_soak(*given))
        last = trail[: count[1]] if games < len(numbers) else ()
        return Soaked(games, count[0], tuple(last))

    def courses(self, seeds: Sequence[int], busy: Sequence[bool], most: int) -> Sequence[int]:
        """The checksum of each game: of its positions, options and draws, and of its scores. A game
        of more than `most` decisions is stopped there. If a game cannot continue, the result is
        shorter.
        """
        numbers, kinds = array("Q", seeds), array("B", busy)
        sums = array("I", bytes(4 * len(numbers)))
        done = self._library.targi_courses(_at(numbers), _at(kinds), most, _at(sums), len(numbers))
        return sums[:done]


def checking(game: Game, rules: str) -> str:
    """The C of a program together with its checks."""
    program = Engine(game).program
    return "\n".join(
        [rules, *_tables(program, _heads(program)), HEADER.read_text(encoding="utf-8")]
    )


def _at(values: array[int]) -> int:
    return values.buffer_info()[0]


def _heads(program: Program) -> list[str]:
    """The kinds of choices: the first word of their ids."""
    found = [head for one in program.questions for head in _heads_of(one)]
    return [*dict.fromkeys([*found, *map(_first_word, (one.id for one in program.exchanges))])]


def _heads_of(question: Question) -> list[str]:
    if question.kind != "ask":
        return ["pay"]
    return [_first_word(way.label) for way in question.ways]


def _first_word(name: str) -> str:
    return name.partition(" ")[0]


def _tables(program: Program, heads: list[str]) -> Iterator[str]:
    """The definitions that checked.h needs."""
    players, number = range(len(program.players)), heads.index
    yield table("int8_t", "ZONES", (int(one.is_zone) for one in program.places))
    seeing = (sum(one.shows(who, up=True) << who for who in players) for one in program.places)
    yield table("int32_t", "SEEN_OPEN", seeing)
    stored = sorted({(one.resource, one.slot) for terms in program.terms for one in terms.stored})
    yield f"#define STORED_COUNT {len(stored)}"
    yield rows("int32_t", "STORED", 2, stored)
    yield f"#define VARIABLE_COUNT {len(program.variables)}"
    kept = ((one.base, one.count, int(bool(one.bits))) for one in program.variables)
    yield rows("int32_t", "VARIABLES", 3, kept)
    yield from lists("HEADS", ([*map(number, _heads_of(one))] for one in program.questions))
    yield table("int8_t", "QUESTION_ASKS", (int(one.kind == "ask") for one in program.questions))
    names = (_first_word(one.id) for one in program.exchanges)
    yield table("int16_t", "EXCHANGE_HEADS", map(number, names))
