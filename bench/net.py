"""A recorded game for every seed of every sheet: does a change to the engine change a game?

    python -m bench.net --check                      every sheet, every recorded seed
    python -m bench.net --check base --seeds 20      the quick check, of some sheets
    python -m bench.net --trace base 7 busy          one game in full; `diff` two checkouts' traces
    python -m bench.net --record base                rewrites bench/net/base.txt

Two players play each seed: `uniform` takes any choice, `busy` declines only when nothing else is
offered. Both take the choice whose hash of seed, step and id is smallest, so that neither the order
of the choices nor a missing one changes what is chosen elsewhere.

Two hashes of four letters are recorded for each game: of its course (seats, chosen ids, scores,
their parts, winner, tie-break, the rule that ended it) and of its offers (the ids offered at every
decision, in any order). Only the package's public verbs are used.

A record is replaced only for an intended change, listed in bench/net/README.md. While ids are
being renamed, RENAMED maps today's ids to the recorded ones.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path

import click

from targi_dsl import Choice, Seed, choices, load, play, result, start
from tests.games import ALL

DATA = Path(__file__).parent / "net"
PLAYERS = ("uniform", "busy")
SEEDS = 1000
CHUNK = 50
LETTERS = 4
PER_LINE = 10
ENDLESS = 5000

RENAMED: tuple[tuple[str, str], ...] = (("^new_silversmith_exchange", "free_smith"),)
"""Patterns of today's ids (and of names in results), each with its replacement in the record."""


@dataclass(frozen=True, slots=True)
class Job:
    """Some seeds of a sheet, played by one kind of player."""

    sheet: str
    player: str
    first: int
    after: int


def recorded_name(name: str) -> str:
    """The name that an id of today has in the record."""
    for pattern, old in RENAMED:
        name = re.sub(pattern, old, name)
    return name


def chosen(offered: dict[str, Choice], player: str, seed: int, step: int) -> str:
    """The id that a player chooses: the one with the smallest hash."""
    active = [name for name, choice in offered.items() if not choice.declines]
    names = active if player == "busy" and active else list(offered)
    return min(names, key=lambda name: blake2b(f"{seed} {step} {name}".encode()).digest())


def course(sheet: str, seed: int, player: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """A game, line by line: the choices with their seats, and the ids that were offered."""
    state = start(load_once(sheet), Seed(seed))
    for step in range(ENDLESS):
        offered = {recorded_name(choice.id): choice for choice in choices(state)}
        if not offered:
            break
        name = chosen(offered, player, seed, step)
        yield f"{state.seat}: {name}", tuple(sorted(offered))
        state, _ = play(state, offered[name])
    else:
        raise RuntimeError(f"{sheet}, seed {seed}, {player}: no end after {ENDLESS} decisions")
    end = result(state)
    parts = [sorted(part.items()) for part in end.breakdown]
    standing = f"{list(end.scores)} {parts} {end.winner} {end.tiebreak} {end.ended_by}"
    yield recorded_name(standing), ()


load_once = cache(load)


def game_hash(sheet: str, seed: int, player: str) -> str:
    """The two hashes of a game, of its course and of its offers, as one word."""
    played, offers = blake2b(digest_size=12), blake2b(digest_size=12)
    for done, offered in course(sheet, seed, player):
        played.update(f"{done}\n".encode())
        offers.update(("\n".join(offered) + "\n\n").encode())
    both = (urlsafe_b64encode(digest.digest()).decode()[:LETTERS] for digest in (played, offers))
    return "".join(both)


def hashes(job: Job) -> list[str]:
    """The hashes of a job's seeds."""
    return [game_hash(job.sheet, seed, job.player) for seed in range(job.first, job.after)]


def jobs_of(sheet: str, seeds: int) -> list[Job]:
    """The work on a sheet, divided into jobs for several processes."""
    return [
        Job(sheet, player, first, min(first + CHUNK, seeds))
        for player in PLAYERS
        for first in range(0, seeds, CHUNK)
    ]


def read(sheet: str) -> dict[str, list[str]]:
    """The recorded hashes of a sheet, by player."""
    hashes: dict[str, list[str]] = {player: [] for player in PLAYERS}
    for line in (DATA / f"{sheet}.txt").read_text("ascii").splitlines():
        player, first, *words = line.split()
        assert len(hashes[player]) == int(first), f"{sheet}.txt: a line is missing before {line}"
        hashes[player] += words
    return hashes


def write(sheet: str, hashes: dict[str, list[str]]) -> None:
    """Records the hashes of a sheet."""
    lines = [
        f"{player} {first} {' '.join(words[first : first + PER_LINE])}\n"
        for player, words in hashes.items()
        for first in range(0, len(words), PER_LINE)
    ]
    (DATA / f"{sheet}.txt").write_text("".join(lines), "ascii")


def differences(job: Job, now: list[str]) -> list[str]:
    """The differences from the record, one line a game."""
    then = read(job.sheet)[job.player][job.first : job.after]
    differences = []
    for seed, (old, new) in enumerate(zip(then, now, strict=True), job.first):
        if old[:LETTERS] != new[:LETTERS]:
            differences.append(f"{job.sheet} {seed} {job.player}: another course")
        elif old != new:
            differences.append(f"{job.sheet} {seed} {job.player}: the same course, other offers")
    return differences


def check(sheets: tuple[str, ...], seeds: int, jobs: int) -> int:
    """Compares the sheets with the record and prints every difference; returns their number."""
    count = 0
    with ProcessPoolExecutor(jobs) as pool:
        for sheet in sheets:
            work = jobs_of(sheet, min(seeds, len(read(sheet)[PLAYERS[0]])))
            reports = [
                line
                for job, now in zip(work, pool.map(hashes, work), strict=True)
                for line in differences(job, now)
            ]
            games = sum(job.after - job.first for job in work)
            click.echo(f"{sheet}: {games} games, {len(reports)} differ")
            for line in reports[:3]:
                click.echo(f"  {line}")
            count += len(reports)
    return count


def record(sheets: tuple[str, ...], seeds: int, jobs: int) -> None:
    """Plays the sheets and writes their records."""
    DATA.mkdir(exist_ok=True)
    with ProcessPoolExecutor(jobs) as pool:
        for sheet in sheets:
            record: dict[str, list[str]] = {player: [] for player in PLAYERS}
            work = jobs_of(sheet, seeds)
            for job, now in zip(work, pool.map(hashes, work), strict=True):
                record[job.player] += now
            write(sheet, record)
            click.echo(f"{sheet}: {seeds} seeds recorded")


def trace(sheet: str, seed: int, player: str) -> None:
    """Prints a game: for each decision a line with the choice, then the ids that were offered."""
    for step, (done, offered) in enumerate(course(sheet, seed, player)):
        click.echo(f"{step} {done}")
        for name in offered:
            click.echo(f"    {name}")


@click.command()
@click.argument("names", nargs=-1, metavar="[SHEET...] or SHEET SEED PLAYER")
@click.option("--check", "task", flag_value="check", default="check", help="Compare (the default).")
@click.option("--record", "task", flag_value="record", help="Write the records anew.")
@click.option("--trace", "task", flag_value="trace", help="Print one game in full.")
@click.option("--seeds", default=SEEDS, show_default=True, help="So many seeds, from 0.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
def main(names: tuple[str, ...], task: str, seeds: int, jobs: int) -> None:
    """Compares games with their records."""
    if task == "trace":
        match names:
            case (sheet, seed, player) if seed.isdecimal() and player in PLAYERS:
                trace(sheet, int(seed), player)
            case _:
                raise click.UsageError("--trace takes SHEET SEED PLAYER")
        return
    sheets = names or ALL
    if task == "record":
        record(sheets, seeds, jobs)
    elif check(sheets, seeds, jobs):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
