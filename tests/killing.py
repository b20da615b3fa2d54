"""Plays a game again and again, killing the process at random moments.

    python -m tests.killing FILE COUNT SEED

Every life continues the game of the life before or, after its end, the game of the next seed.
Prints a JSON list with, for every life, the seed, how many writes it reported, and the text that
its file contained afterwards. Lives are forked from one warm process, so that many take seconds.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

import targi_dsl.cli as commands
import targi_dsl.compiler.load as loading
from targi_dsl.cli.prompt import Prompt
from targi_dsl.cli.session import Session
from targi_dsl.cli.terminal import Terminal
from targi_dsl.records import Autosave, Record, read, replay, write
from targi_dsl.text.source import Source

AT_FIRST, LATER = 0.15, 0.04
"""The seconds after which a life ends at the latest, counted from its beginning, and from the write
that is waited for.
"""


def life(arguments: list[str], awaited: int, seconds: float) -> int:
    """Plays until so many writes are reported and then for this time, and is killed; returns the
    number of writes that it reported. However slow the machine is, a life comes as far as it is
    waited for.
    """
    told, tell = os.pipe()
    child = os.fork()
    if not child:
        _play(arguments, tell)
    os.close(tell)
    with os.fdopen(told, "rb", buffering=0) as file:
        seen = 0
        while seen < awaited and (reported := file.read(awaited - seen)):
            seen += len(reported)
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return seen + len(file.read())


def _play(arguments: list[str], tell: int) -> None:
    """Plays, and reports every finished write; never returns."""
    keep = Autosave.save

    def kept(self: Autosave, record: Record) -> None:
        keep(self, record)
        os.write(tell, b".")

    Autosave.save = kept  # type: ignore[method-assign]  # told to whoever kills
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    code = 1
    try:
        code = commands.run(arguments)
    finally:
        os._exit(code)


def main(file: Path, count: int, seed: int) -> None:
    game = loading.load("base")
    loading.load = lambda *_, **__: game  # read and made ready once for all
    first = Record(
        "base", game.hash, dict(game.options), seed, {"blue": "busy", "white": "random"}, ()
    )
    record = read(Source("first", write(first)))
    Prompt(Session(game, record, Autosave(None, print), Terminal(quiet=True))).play()
    moments, lives = random.Random(seed), []
    for number in range(count):
        who = ["--seat", "blue=busy", "--seat", "white=random"]
        arguments = ["play", "--seed", str(seed), *who, "--save", str(file)]
        early = number % 4 == 0
        awaited, latest = (0, AT_FIRST) if early else (moments.randint(1, 4), LATER)
        writes = life(arguments, awaited, moments.uniform(0, latest))
        text = file.read_text("utf-8") if file.exists() else ""
        lives.append({"seed": seed, "writes": writes, "text": text})
        if text and replay(game, read(Source(str(number), text))).seat is None:
            file.unlink()
            seed += 1
    json.dump(lives, sys.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
