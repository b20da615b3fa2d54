"""Search in generated C."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from math import log, sqrt

from targi_dsl.codegen.c.compilers import QUICK
from targi_dsl.codegen.c.emit.source import source_of
from targi_dsl.codegen.c.errors import NotInC
from targi_dsl.codegen.c.library import library
from targi_dsl.codegen.c.rows import Rows
from targi_dsl.codegen.c.trust import in_memory
from targi_dsl.codegen.row import Seen, packed
from targi_dsl.codegen.search import Evaluation, Task
from targi_dsl.codegen.tally import Layout
from targi_dsl.ir.game import Game

NEEDS_DEAL = 7  # the status where C cannot draw a deal

_DEALS = 1024  # cached, where C cannot draw them
_NODES = 1 << 18  # of a tree
_TABLE = 4096  # direct entries of each table; in that of logarithms, ranges follow
_RANGES = 51
_INVERSE_ROOTS = array("i", [0, *(round(65536 / sqrt(n)) for n in range(1, _TABLE))])
_LOG_ROOTS = array("i", [0, *(round(256 * sqrt(log(n))) for n in range(1, _TABLE))])
_LOG_ROOTS.extend(round(256 * sqrt(log(_TABLE // 2 << n))) for n in range(_RANGES))


def rows_for_search(game: Game) -> Rows | None:
    """The verbs of a game in C, even where only another compiler can build it; None if C cannot
    play the game or there is no compiler.
    """
    with suppress(NotInC):
        return Rows(in_memory(game), game)
    with suppress(NotInC):
        return Rows(library(source_of(game), QUICK), game)
    return None


_OF_TASK = ("seat", "rounds", "enough", "farthest", "draws", "grows", "exploration", "proves")
_OF_EVALUATION = ("few", "rounds_weighed", "weighed", "lined")
_SIZES = (*_OF_EVALUATION, "count", "playouts", "most_nodes")
_PROGRESS = ("done", "nodes", "total", "deviation", "scale", "used", "dealt", "missing")
_CONSTANTS = (
    *("options", "places", "weights", "lines", "faces"),
    *("seen", "inverse_roots", "log_roots"),
)
_WORKED_ON = ("tree", "merits", "ends", "row", "playout")


class _Search(ctypes.Structure):
    """`Search` in runtime/search.h."""

    _fields_ = (
        ("seed", ctypes.c_uint64),
        *((name, ctypes.c_int64) for name in (*_OF_TASK, *_SIZES, *_PROGRESS)),
        *((name, ctypes.c_void_p) for name in (*_CONSTANTS, *_WORKED_ON)),
    )


_NODE = 7  # numbers of a node: visits, sum, offered, key, first, count, proven
_PROVEN = 6
_ROOM = 4  # room for nodes over their number, as moving children leaves gaps


class CompiledPlayouts:
    """Playouts in generated C. first: deal 0, as a row; deal: draws the deal of a number if C
    cannot.
    """

    def __init__(
        self, rows: Rows, seen: Seen, task: Task, first: bytes, deal: Callable[[int], bytes]
    ) -> None:
        self.ends = list[int]()
        self._rows, self._task, self._deal = rows, task, lru_cache(_DEALS)(deal)
        count, evaluation = len(task.options), task.evaluation
        self._row, self._tree = bytearray(first), (ctypes.c_int64 * (_NODE * (count + 1)))()
        self._arrays = {
            "options": array("q", task.options),
            **_arrays_of(rows, evaluation),
            "seen": array("i", packed(seen)),
            "inverse_roots": _INVERSE_ROOTS,
            "log_roots": _LOG_ROOTS,
            "merits": array("q", bytes(16 * cells_of(rows.game))),
        }
        self._search = _Search(
            seed=task.seed,
            **{name: getattr(task, name) for name in _OF_TASK},
            **{name: numbers.buffer_info()[0] for name, numbers in self._arrays.items()},
            tree=ctypes.addressof(self._tree),
            row=ctypes.addressof(ctypes.c_char.from_buffer(self._row)),
            few=evaluation.few,
            rounds_weighed=len(evaluation.weights),
            weighed=len(evaluation.weights[0]),
            lined=len(evaluation.lines),
            count=count,
            most_nodes=count + 1,
            nodes=count + 1,
            used=count + 1,
        )

    def _make_room(self, nodes: int) -> None:
        """Grows the tree to room for that many nodes."""
        if nodes > self._search.most_nodes:
            nodes = min(_NODES, max(nodes, 2 * self._search.most_nodes))
            larger = (ctypes.c_int64 * (_NODE * _ROOM * nodes))()
            ctypes.memmove(larger, self._tree, ctypes.sizeof(self._tree))
            self._tree, self._search.most_nodes = larger, nodes
            self._search.tree = ctypes.addressof(larger)

    def run(self, playouts: int) -> None:
        """Continues until there have been so many playouts."""
        if self._task.grows:  # a playout adds at most one node
            self._make_room(min(_NODES, self._search.count + 1 + playouts))
        search, before = self._search, len(self.ends)
        ends = array("q", bytes(8 * playouts))
        search.playouts, search.ends = playouts, ends.buffer_info()[0]
        while search.done < playouts:
            if self._rows.search(search) == NEEDS_DEAL:
                self._row[:] = self._deal(search.missing)
                search.dealt = search.missing
        self.ends += ends[before:]

    def visits(self) -> tuple[int, ...]:
        """The number of playouts of each option."""
        return self._of_nodes(0)

    def sums(self) -> tuple[int, ...]:
        """The sum of the final leads of each option's playouts."""
        return self._of_nodes(1)

    def proven(self) -> tuple[int, ...]:
        """1 for each option that is a proven win, -1 for each that is a proven loss."""
        return self._of_nodes(_PROVEN)

    def _of_nodes(self, number: int) -> tuple[int, ...]:
        return tuple(self._tree[_NODE + number : _NODE * (self._search.count + 1) : _NODE])


def _arrays_of(rows: Rows, of: Evaluation) -> dict[str, array[int]]:
    """An evaluation in the layout of C; that of the last search is cached."""
    if rows.evaluated is None or rows.evaluated[0] is not of:
        lines = ((len(one) - 2, *one) for one in of.lines)
        parts = {"places": of.places, "weights": of.weights, "lines": lines, "faces": of.faces}
        arrays = {name: array("q", chain([0], *part)) for name, part in parts.items()}
        rows.evaluated = of, arrays
    return rows.evaluated[1]


_KEY_OF_CELLS = "cells"


def cells_of(game: Game) -> int:
    """The number of action statistics for each player: a cell for each option anywhere."""
    found = game.program.engines.get(_KEY_OF_CELLS)
    if not isinstance(found, int):
        layout = Layout.of(game)
        found = (layout.exchanges + len(game.program.exchanges)) * layout.players
        game.program.engines[_KEY_OF_CELLS] = found
    return found
