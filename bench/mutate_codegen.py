"""Does comparing games find a fault of the generator? One line of a generated module is changed
at a time, and games are held against the reference until one differs.

    python -m bench.mutate_codegen base --tries 200 --games 40

A change is a number that is one greater, a comparison turned round, or an assignment left out.
Lines are taken at random from those that the games go through. What only counts or limits the work
of a turn changes no game and is passed over.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from random import Random
from types import CodeType, FrameType
from typing import Any

import click

from targi_dsl import load
from targi_dsl.codegen.python.engine import PythonEngine
from targi_dsl.codegen.python.module import source_of
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.engine.machine import Engine
from targi_dsl.engine.run import Run
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game

LIMITS = ("in_doubt", "PARTS", "v[1] +=", "run.called", "#", "def ", '"""')
SWAPPED = {"==": "!=", "!=": "==", " < ": " >= ", " >= ": " < ", " > ": " <= ", " <= ": " > "}
DECISIONS = 300


def course(engine: Engine, seed: int) -> Iterator[object]:
    """A game: position and options at each question, and the scores at the end."""
    run, stream = Run(Seed(seed)), Stream(~seed)
    left = engine.start(run)
    for _ in range(DECISIONS):
        yield engine.packed(left), tuple(run.options), run.after()
        if left.point == NOTHING:
            break
        declining = engine.declining(left.point)
        found = [one for one in run.options if not seed % 2 or one not in declining] or run.options
        left = engine.answer(left, found[stream.below(len(found))], run)
    yield engine.scores(engine.packed(left))


def changes(line: str) -> list[str]:
    """The changes of a line."""
    found = []
    for match in re.finditer(r"(?<![\w.])\d+(?![\w.])", line):
        number = str(int(match[0]) + 1)
        found.append(line[: match.start()] + number + line[match.end() :])
    for old, new in SWAPPED.items():
        if old in line:
            found.append(line.replace(old, new, 1))
    if re.match(r" +[fv]\[[^=]*\] [|+-]?= ", line):
        found.append(re.sub(r"\S.*", "pass", line))
    return found


class Changed(PythonEngine):
    """An engine with another module than its own."""

    def __init__(self, game: Game, source: str) -> None:
        self._source = source
        super().__init__(game)

    def _compiled(self) -> CodeType:
        return compile(self._source, "<changed>", "exec")


def lines_met(game: Game, source: str, games: int) -> set[int]:
    """The lines that the games go through."""
    engine, found = Changed(game, source), set[int]()

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != "<changed>":
            return None
        if event == "line":
            found.add(frame.f_lineno)
        return trace

    sys.settrace(trace)
    for seed in range(games):
        list(course(engine, seed))
    sys.settrace(None)
    return found


def is_found(game: Game, source: str, known: list[list[object]]) -> bool:
    """Whether any game differs."""
    try:
        engine = Changed(game, source)
        return any(list(course(engine, seed)) != one for seed, one in enumerate(known))
    except Exception:  # noqa: BLE001 -- whatever a changed module does wrong, it is found
        return True


@click.command()
@click.argument("name", default="base")
@click.option("--tries", default=200, show_default=True)
@click.option("--games", default=40, show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(name: str, tries: int, games: int, seed: int) -> None:
    """Change one generated line at a time, and see whether games tell."""
    game, random = load(name), Random(seed)
    source = source_of(Engine(game).code)
    known = [list(course(Engine(game), one)) for one in range(games)]
    lines = source.splitlines()
    met = [
        at - 1
        for at in sorted(lines_met(game, source, games))
        if not any(word in lines[at - 1] for word in LIMITS) and changes(lines[at - 1])
    ]
    missed = 0
    for _ in range(tries):
        at = random.choice(met)
        changed = random.choice(changes(lines[at]))
        text = "\n".join([*lines[:at], changed, *lines[at + 1 :]])
        if not is_found(game, text, known):
            missed += 1
            click.echo(f"not found: {lines[at].strip()}  ->  {changed.strip()}")
    click.echo(f"{name}: {tries - missed} of {tries} changes found")


if __name__ == "__main__":
    main()
