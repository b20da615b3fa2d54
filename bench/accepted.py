"""Plays mutants of shipped files that `targi validate` accepts without a word: none should stop in
play.

    python -m bench.accepted                         70 mutants of each sheet, 5 games each
    python -m bench.accepted pig base --mutants 500  of some sheets
    python -m bench.accepted pig --only 17           mutant 17 of a sheet: its change and its games

A mutant is one change of a number, a word, a condition or a line, in a file of the rules, the cards
or the sheet. Those of a sheet are numbered and always the same. C that is compiled in memory plays
them, in a process for each sheet, and other games than those of the trial in `targi validate`. Of a
mutant that stops in play, the seed of the first such game and the message with its place are told.
The exit code is 1 if more mutants stop than `--allowed`, if none is played, or if a process dies.
"""

from __future__ import annotations

import difflib
import json
import os
import random
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass
from unittest.mock import patch

import click

from bench.c_engine import CEngine
from bench.mutants import mutants
from targi_dsl.codegen.c import trust
from targi_dsl.codegen.c.compilers import IN_MEMORY
from targi_dsl.codegen.c.errors import NotInC
from targi_dsl.compiler.load import check
from targi_dsl.compiler.project.cache import CheckCache
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.engine.machine import ENDLESS, Engine
from targi_dsl.engine.run import Counting
from targi_dsl.ir.game import Game
from targi_dsl.simulation.smoke_test import TRIED, smoke_test
from targi_dsl.text.diagnostics import Problems
from tests.games import ALL
from tests.random_edits import edited, files_of

FIRST = 1_000
"""The seed of the first game of each mutant."""
LONGEST = 2_000
"""The decisions after which a game is broken off: that it goes on is no fault."""
TRIES = 25
"""The mutants that are made for each that is wanted: few changes of a small game are accepted."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a mutant: `refused` by the check or by the `trial`, the `same` game, `played`,
    or `stopped` in play, by which seed, and what was told.
    """

    sheet: str
    number: int
    ended: str
    seed: int = 0
    told: str = ""


class Mutants:
    """The mutants of a sheet."""

    def __init__(self, sheet: str) -> None:
        self.sheet, self.files = sheet, files_of(sheet)
        self._kept, self._met = CheckCache(), set[str]()
        self._accepted(self.files)

    def files_with(self, number: int) -> dict[str, str]:
        """The files with one change."""
        chance = random.Random(f"{self.sheet} {number}")
        name = chance.choice(sorted(self.files))
        text = self.files[name]
        meant = [*mutants({name: text})] if chance.random() < 0.5 else []
        return {**self.files, name: chance.choice(meant).text if meant else edited(text, chance)}

    def outcome(self, number: int, games: int) -> Outcome:
        """Checks a mutant, and plays it if it is accepted without a word and was not met before."""
        known = len(self._met)
        game = self._accepted(self.files_with(number))
        if game is None or len(self._met) == known:
            return Outcome(self.sheet, number, "same" if game else "refused")
        if smoke_test(game, TRIED):
            return Outcome(self.sheet, number, "trial")
        for seed, problems in faults(game, games):
            return Outcome(self.sheet, number, "stopped", seed, str(problems))
        return Outcome(self.sheet, number, "played")

    def _accepted(self, files: dict[str, str]) -> Game | None:
        found, problems = check(self.sheet, of_texts(files, self._kept))
        if found is None or problems:
            return None
        self._met.add(found.hash)
        return found


def faults(game: Game, games: int) -> Iterator[tuple[int, Problems]]:
    """The games that stop in play, with their seeds. In every second nobody declines who can do
    something.
    """
    try:
        engine: Engine = CEngine(game, IN_MEMORY, trust.in_memory(game))
    except NotInC:
        engine = Engine(game)
    for seed in range(FIRST, FIRST + games):
        run, busy = Counting(Seed(seed)), seed % 2 == 1
        try:
            left = engine.start(run)
            left = engine.rollout(left, run, Stream(seed), busy, LONGEST, ENDLESS)
            engine.scores(engine.pack(left))
        except Problems as problems:
            yield seed, problems


def batch(sheet: str, wanted: int, games: int) -> list[Outcome]:
    """Mutants of a sheet up to so many that were played, in a process of their own."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        code = 1
        try:
            # Whether C plays as the interpreter does is looked at by `bench.equal`.
            with os.fdopen(writing, "w", encoding="utf-8") as file, patch.object(trust, "Trial"):
                for outcome in _outcomes(sheet, wanted, games):
                    file.write(json.dumps(astuple(outcome)) + "\n")
                    file.flush()
            code = 0
        except Exception:  # noqa: BLE001  told as a process that dies
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as file:
        found = [Outcome(*json.loads(line)) for line in file]
    _, status = os.waitpid(child, 0)
    died = [Outcome(sheet, len(found), "died", 0, f"status {status}")] if status else []
    return found + died


def _outcomes(sheet: str, wanted: int, games: int) -> Iterator[Outcome]:
    made, left = Mutants(sheet), wanted
    for number in range(wanted * TRIES):
        outcome = made.outcome(number, games)
        left -= outcome.ended in ("played", "stopped")
        yield outcome
        if not left:
            return


def counted(ended: Counter[str]) -> str:
    """How many mutants ended in each way."""
    return ", ".join(f"{number} {how}" for how, number in sorted(ended.items()))


def show(sheet: str, number: int, games: int) -> None:
    """Prints the change of a mutant and its games."""
    made = Mutants(sheet)
    for name, text in made.files_with(number).items():
        both = made.files[name].splitlines(), text.splitlines()
        for line in difflib.unified_diff(*both, name, name, n=1, lineterm=""):
            click.echo(line)
    click.echo(made.outcome(number, games))


@click.command()
@click.argument("sheets", nargs=-1)
@click.option("--mutants", "wanted", default=70, show_default=True, help="Of each sheet.")
@click.option("--games", default=5, show_default=True, help="Of each mutant.")
@click.option("--only", type=int, help="The number of one mutant.")
@click.option("--allowed", default=0, show_default=True, help="Mutants that may stop.")
@click.option("--jobs", default=1, show_default=True, help="Processes at once.")
def main(
    sheets: tuple[str, ...], wanted: int, games: int, only: int | None, allowed: int, jobs: int
) -> None:
    """Play mutants that a check accepts without a word."""
    if only is not None:
        show(sheets[0], only, games)
        return
    ended = Counter[str]()
    with ThreadPoolExecutor(jobs) as pool:
        for found in pool.map(lambda sheet: batch(sheet, wanted, games), sheets or ALL):
            of_sheet = Counter(one.ended for one in found)
            ended += of_sheet
            click.echo(f"{found[0].sheet}: {counted(of_sheet)}")
            for one in found:
                if one.ended in ("stopped", "died"):
                    click.echo(f"  --only {one.number}: seed {one.seed}: {one.told}")
    click.echo(counted(ended))
    sys.exit(ended["stopped"] > allowed or ended["died"] > 0 or not ended["played"])


if __name__ == "__main__":
    main()
