"""Simulations on a Ray cluster of two workers on this machine. They need the extra `ray` and are
run explicitly: `python -m pytest tests/ray`.
"""

from __future__ import annotations

import os
import signal
from array import array
from collections.abc import Iterator
from pathlib import Path

import pytest

from targi_dsl.simulation.chunk import ChunkResult, Plan
from targi_dsl.simulation.document import Document
from targi_dsl.simulation.engines import play_all
from targi_dsl.simulation.on_ray import on_ray
from targi_dsl.simulation.report import Report
from targi_dsl.text.diagnostics import Problems
from tests.games import compiled

NAME = "kuhn_poker"


def plan_of(games: int) -> Plan:
    return Plan(NAME, compiled(NAME).hash, ("random", "busy"), 7, games, 2, "python")


def told(plan: Plan, chunks: Iterator[ChunkResult]) -> tuple[Document, array[int]]:
    """The report and the rows of all chunks."""
    report, rows = Report(plan, compiled(NAME)), array("q")
    for played in chunks:
        report.add(played)
        rows += played.rows
    return report.document(), rows


def killed_in_the_middle(chunks: Iterator[ChunkResult]) -> Iterator[ChunkResult]:
    """The chunks; the first worker that is met at work is killed."""
    killed = False
    for played in chunks:
        yield played
        at_work = [
            one for one in Path("/proc").glob("[0-9]*/cmdline") if b"ray::_play" in text(one)
        ]
        if at_work and not killed:
            os.kill(int(at_work[0].parent.name), signal.SIGKILL)
            killed = True
    assert killed


def text(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def test_a_cluster_gives_what_one_process_gives_though_a_worker_is_killed() -> None:
    plan = plan_of(12_000)
    one = told(plan, play_all(plan, compiled(NAME), 1))
    assert told(plan, killed_in_the_middle(on_ray(plan, None, 2))) == one


def test_a_cluster_that_is_not_there_is_told() -> None:
    with pytest.raises(Problems, match="E026"):
        next(on_ray(plan_of(10), "ray://localhost:1", 2))


def test_a_cluster_that_does_not_come_up_in_time_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object, **__: object) -> None:
        raise Exception("The current node timed out during startup.\nMore of that.")

    monkeypatch.setattr("ray.init", late)
    with pytest.raises(Problems, match="E026") as told:
        next(on_ray(plan_of(10), None, 2))
    assert told.value.problems[0].text == "The current node timed out during startup."
