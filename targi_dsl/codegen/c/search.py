"""Search in generated C."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from math import log, sqrt
from typing import Any

from targi_dsl.codegen.c.compilers import QUICK
from targi_dsl.codegen.c.emit.source import source_of
from targi_dsl.codegen.c.errors import NotInC
from targi_dsl.codegen.c.library import Library, library
from targi_dsl.codegen.c.rows import Rows
from targi_dsl.codegen.c.trust import in_memory
from targi_dsl.codegen.row import Seen, packed
from targi_dsl.codegen.search import LEAST, Task
from targi_dsl.codegen.tally import Layout
from targi_dsl.engine.faults import OPTIONS
from targi_dsl.ir.constants import NOTHING
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
_OF_SEAT = ("budget", "is_under_way", "observed")
_CONSTANTS = (
    *("options", "places", "weights", "lines", "faces"),
    *("inverse_roots", "log_roots", "seen"),
)
_WORKED_ON = (
    *("tree", "merits", "ends", "row", "playout", "prior"),
    *("inside", "position", "taken", "learned"),
)


class _Search(ctypes.Structure):
    """`Search` in runtime/search.h."""

    _fields_ = (
        ("seed", ctypes.c_uint64),
        *((name, ctypes.c_int64) for name in (*_OF_TASK, *_SIZES, *_PROGRESS, *_OF_SEAT)),
        *((name, ctypes.c_void_p) for name in (*_CONSTANTS, *_WORKED_ON)),
    )


def _search(
    task: Task, arrays: Mapping[str, array[int]], tree: ctypes.Array[ctypes.c_int64], **more: int
) -> _Search:
    """A search that works on these arrays and on this tree, which has room for `most_nodes`."""
    evaluation = task.evaluation
    return _Search(
        seed=task.seed,
        **{name: getattr(task, name) for name in _OF_TASK},
        **{name: numbers.buffer_info()[0] for name, numbers in arrays.items()},
        tree=ctypes.addressof(tree),
        few=evaluation.few,
        rounds_weighed=len(evaluation.weights),
        weighed=len(evaluation.weights[0]),
        lined=len(evaluation.lines),
        **more,
    )


_NODE = 7  # numbers of a node: visits, sum, offered, key, first, count, proven
_PROVEN = 6
_TAKEN = 1 << 15  # room for the choices of a game, as in runtime/search.h
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
        count = len(task.options)
        self._row, self._tree = bytearray(first), (ctypes.c_int64 * (_NODE * (count + 1)))()
        self._arrays = {
            "options": array("q", task.options),
            **_arrays_of(rows.game, task),
            "seen": array("i", packed(seen)),
            "inverse_roots": _INVERSE_ROOTS,
            "log_roots": _LOG_ROOTS,
            "merits": merits(rows.game),
        }
        self._search = _search(
            task,
            self._arrays,
            self._tree,
            row=ctypes.addressof(ctypes.c_char.from_buffer(self._row)),
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


_GIVEN, _CELLS = "given", "cells"  # keys in `Program.engines`


def _arrays_of(game: Game, task: Task) -> dict[str, array[int]]:
    """An evaluation and a prior in the layout of C; those of the last search are cached."""
    found: Any = game.program.engines.get(_GIVEN)
    if found is None or found[0] is not task.evaluation or found[1] is not task.prior:
        of = task.evaluation
        lines = ((len(one) - 2, *one) for one in of.lines)
        parts = {"places": of.places, "weights": of.weights, "lines": lines, "faces": of.faces}
        arrays = {name: array("q", chain([0], *part)) for name, part in parts.items()}
        arrays |= {"prior": array("q", task.prior)} if task.prior else {}
        game.program.engines[_GIVEN] = found = of, task.prior, arrays
    arrays_of: dict[str, array[int]] = found[2]
    return arrays_of


def merits(game: Game) -> array[int]:
    """Action statistics, all zero: visits and sum, for each player and each option anywhere."""
    found = game.program.engines.get(_CELLS)
    if not isinstance(found, int):
        layout = Layout.of(game)
        found = game.program.engines[_CELLS] = layout.taken - layout.offered
    return array("q", bytes(16 * found))


SeatTask = tuple[Task, int] | None
"""How a seat of whole games searches: a task, whatever is asked, and its playouts for each
decision; None for one that does not search.
"""

Dealer = Callable[[bytes, int, int], bytes]
"""Draws a deal, as a row, for whoever is asked in one: from that, the seed of the search and the
number of the deal.
"""


class Seats:
    """The searches of the seats of whole games, by seating; they share what they work on. deal: is
    used where C cannot draw one. learned: is added to, if it is given: the visits of each action,
    and by how much they ended better than others.
    """

    def __init__(
        self,
        compiled: Library,
        game: Game,
        players: Sequence[SeatTask],
        deal: Dealer,
        learned: array[int] | None = None,
    ) -> None:
        self._compiled, self._deal = compiled, lru_cache(_DEALS)(deal)
        most = max(LEAST * OPTIONS, *(one[1] for one in players if one))
        grown = most * any(one[0].grows for one in players if one)
        nodes = min(_NODES, 1 + OPTIONS + grown)
        compiled.targi_room.restype = ctypes.c_int64
        room = compiled.targi_room()
        self._tree = (ctypes.c_int64 * (_NODE * _ROOM * nodes))()
        self._arrays = {
            "inverse_roots": _INVERSE_ROOTS,
            "log_roots": _LOG_ROOTS,
            "merits": merits(game),
            "ends": array("q", bytes(8 * most)),
            "taken": array("Q", bytes(8 * _TAKEN)),
            **{name: array("b", bytes(room)) for name in ("seen", "row", "position")},
            **({} if learned is None else {"learned": learned}),
        }
        self._inside = compiled.targi_make()
        if not self._inside:
            raise MemoryError
        self.searches = (_Search * len(players))()
        self._given: list[dict[str, array[int]]] = []  # what the searches point to
        for number, one in enumerate(players):
            if one is not None:
                task, budget = one
                self._given.append(arrays := _arrays_of(game, task))
                self.searches[number] = _search(
                    task,
                    self._arrays | arrays,
                    self._tree,
                    budget=budget,
                    most_nodes=nodes,
                    inside=self._inside,
                )

    def close(self) -> None:
        """Frees the memory of C."""
        self._compiled.targi_free(self._inside)

    def supply(self) -> bool:
        """Draws the deal that a search waits for; returns whether one does."""
        waiting = next((s for s in self.searches if s.is_under_way and s.dealt == NOTHING), None)
        if waiting is None:
            return False
        row = self._deal(self._arrays["position"].tobytes(), waiting.seed, waiting.missing)
        self._arrays["row"][: len(row)] = array("b", row)
        waiting.dealt = waiting.missing
        return True
