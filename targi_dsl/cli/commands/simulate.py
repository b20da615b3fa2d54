"""`targi simulate`: plays a game many times and reports what happened."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Protocol

import click
from msgspec.structs import replace

from targi_dsl.cli import arguments
from targi_dsl.cli.extras import with_extra
from targi_dsl.cli.failures import DONE, INTERRUPTED, WRONG, unknown
from targi_dsl.cli.output import put, put_document, put_problems
from targi_dsl.cli.progress import Progress
from targi_dsl.cli.simulation.tables import tables
from targi_dsl.cli.thinking import tell_unused
from targi_dsl.codegen.tally import CUT_OFF, Layout, Row
from targi_dsl.codegen.tiered import named_engine
from targi_dsl.compiler.load import load
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.players import PLAYERS
from targi_dsl.simulation.chunk import ChunkResult, Plan
from targi_dsl.simulation.document import Document
from targi_dsl.simulation.engines import play_all, with_engine
from targi_dsl.simulation.report import Report
from targi_dsl.simulation.simulate import FirstUse, find, replay_failure, usable
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.files import Growing, write_files

USUAL = "random"
"""The default player."""

MOST_WORKERS = 256


@click.command("simulate")
@arguments.game()
@arguments.number("--games", 1, arguments.LARGEST_SEED, 1000, "How many games.")
@arguments.seats(PLAYERS, USUAL)
@arguments.seed("The seed of the first game, 0 if it is not given; the next game has the next one.")
@arguments.options
@arguments.decks
@click.option(
    "--pairs", is_flag=True, help="Play every seed once for each way to shift the players."
)
@arguments.engine
@arguments.number("--workers", 1, MOST_WORKERS, 1, "How many processes play.")
@click.option(
    "--on",
    metavar="ray|ray://HOST:PORT",
    help="Play on a Ray cluster: one of --workers processes here, or the one at that address.",
)
@click.option(
    "--find",
    "wanted",
    metavar="NAME",
    help="Only tell the first game and choice that used this rule, card or option.",
)
@arguments.as_json
@arguments.file("--csv", "Write a line for every game to FILE.")
@arguments.file("--parquet", "Write a row for every game to FILE, or to parts in it if a folder.")
@arguments.file("--html", "Write a page with plots to FILE.")
def command(
    name: str,
    games: int,
    seats: Mapping[str, str],
    seed: int | None,
    options: Mapping[str, str],
    decks: Mapping[str, str],
    pairs: bool,
    workers: int,
    on: str | None,
    wanted: str | None,
    as_json: bool,
    csv: Path | None,
    parquet: Path | None,
    html: Path | None,
) -> int:
    """Play a game many times and count what happens: who wins, how long games are, how they end,
    and how often cards, spaces and options are used.

    Game number N has the seed of the first game plus N; `targi play` with that seed and the same
    players gives the same game. An interrupt (Ctrl-C) ends the simulation and shows the games
    played so far.
    """
    if on is not None and on != "ray" and not on.startswith("ray://"):
        raise click.UsageError(
            f"'{on}' is neither 'ray' nor an address such as 'ray://host:10001'."
        )
    if wanted is not None and (csv or parquet or html):
        raise click.UsageError("--find stops at the first game found, so no file can be written.")
    game = load(name, options=options, decks=decks)
    arguments.check_seats(game, seats, PLAYERS)
    kinds = tuple(seats.get(seat, USUAL) for seat in game.players)
    plan = Plan.of(game, kinds, seed or 0, games, pairs=pairs, engine=named_engine())
    settings = tuple(options.items()), tuple(decks.items())
    plan = replace(plan, sheet=name, options=settings[0], decks=settings[1])
    plan = replace(plan, with_rows=csv is not None or parquet is not None)
    if plan.seed_of(plan.games) > arguments.LARGEST_SEED + 1:
        raise click.UsageError(
            f"the last game would have a seed above {arguments.LARGEST_SEED}: "
            "give fewer games or a lower --seed."
        )
    plan, reason = with_engine(plan, game)
    if reason:
        put(reason, err=True)
    tell_unused(game, kinds)
    chunks = _chunks(plan, game, workers, on)
    if wanted is not None:
        return _find(plan, game, wanted, chunks, as_json)
    page = None if html is None else with_extra("targi_dsl.cli.simulation.page", "html").page
    rows = list[Rows]()
    if csv is not None:
        rows.append(CsvRows(csv, plan, game))
    if parquet is not None:
        module = with_extra("targi_dsl.cli.simulation.parquet", "parquet")
        rows.append(module.ParquetRows(parquet, plan, game))
    return Simulation(plan, game, chunks, rows, as_json).run(html, page)


def _chunks(plan: Plan, game: Game, workers: int, on: str | None) -> Iterator[ChunkResult]:
    """The chunks of a plan, played where requested."""
    if on is not None:
        module = with_extra("targi_dsl.simulation.on_ray", "ray")
        address = None if on == "ray" else on
        chunks: Iterator[ChunkResult] = module.on_ray(plan, address, workers)
        return chunks
    return play_all(plan, game, workers)


def _find(plan: Plan, game: Game, wanted: str, chunks: Iterator[ChunkResult], as_json: bool) -> int:
    known = usable(game)
    if wanted not in known:
        raise unknown(f"{game.title} has no rule, card or option '{wanted}'", wanted, known)
    use = find(plan, game, wanted, chunks)
    if as_json:
        put_document(None if use is None else use.data())
    elif use is None:
        put(f"{wanted}: not used in {plan.games:,} games.")
    else:
        put(f"{wanted}: seed {use.seed}, choice {use.choice} (game {use.game:,})")
        put(f"    {_play(plan, game, use)}")
    return DONE


def _play(plan: Plan, game: Game, use: FirstUse) -> str:
    """The command that replays a game."""
    pairs = zip(game.players, use.seats, strict=True)
    seats = " ".join(f"--seat {seat}={who}" for seat, who in pairs)
    return f"targi play {plan.sheet} --seed {use.seed} {seats}"


class Simulation:
    """A simulation in progress: chunks are added up, written and reported."""

    def __init__(
        self,
        plan: Plan,
        game: Game,
        chunks: Iterator[ChunkResult],
        rows: Sequence[Rows],
        as_json: bool,
    ) -> None:
        self.plan, self.game, self.chunks, self.rows = plan, game, chunks, rows
        self.report, self.as_json, self.progress = Report(plan, game), as_json, Progress(plan.games)

    def run(self, file: Path | None, page: Callable[[Document, int], str] | None) -> int:
        """Plays and reports, even if interrupted."""
        code, problems = DONE, list[Problem]()
        try:
            for played in self.chunks:
                self._take(played)
        except KeyboardInterrupt:
            code = INTERRUPTED
        except Problems as error:
            code, problems = WRONG, [*error.problems]
        finally:
            self.progress.clear()
        for row in self.rows:
            problems += _problems_of(row.close)
        if self.report.games:
            document = self.report.document()
            self._show(document)
            if file is not None and page is not None:
                texts = {file: page(document, self.plan.games)}
                problems += _problems_of(partial(write_files, texts, replace=True))
        if problems:
            put_problems(problems)
            code = WRONG
        return code

    def _take(self, played: ChunkResult) -> None:
        """Adds a chunk. Raises the fault of a game that could not be finished."""
        if played.summaries and played.summaries[0].games:
            self.report.add(played)
            for row in self.rows:
                row.write(played)
        self.progress.show(self.report.games)
        if played.failed is not None:
            replay_failure(self.plan, self.game, played.failed)

    def _show(self, document: Document) -> None:
        if self.as_json:
            put_document(document)
            return
        for line in tables(document, self.plan.games):
            put(line)


def _problems_of(step: Callable[[], None]) -> Sequence[Problem]:
    """The problems in a step."""
    try:
        step()
    except Problems as error:
        return error.problems
    return ()


Value = str | int


class Rows(Protocol):
    """Writes the rows of chunks in order."""

    def write(self, played: ChunkResult) -> None:
        """Writes the games of a chunk."""

    def close(self) -> None:
        """Closes the file."""


class Columns:
    """The columns of a simulation's rows, by name."""

    def __init__(self, plan: Plan, game: Game) -> None:
        self.plan, self.game, self.layout = plan, game, Layout.of(game)
        players = game.players
        parts = [part.name for part in game.scores]
        self.names = [
            *("game", "seed", *(f"player_{seat}" for seat in players)),
            *("decisions", "branching", "rounds", "ended_by", "tie", "winners", "lead_changes"),
            *(f"score_{seat}" for seat in players),
            *_distinct([f"{part}_{seat}" for seat in players for part in parts]),
        ]

        numbers = len(self.names) - 2 - len(players) - 7
        self.types: list[type[Value]] = [
            *(int, int, *(str for _ in players)),
            *(int, int, int, str, str, str, int),
            *(int for _ in range(numbers)),
        ]

    def values(self, played: ChunkResult) -> Iterator[list[Value]]:
        """The rows of a chunk."""
        width = self.layout.width
        for at, number in enumerate(played.chunk.games):
            yield self._row(number, played.rows[at * width : (at + 1) * width])

    def _row(self, number: int, row: Sequence[int]) -> list[Value]:
        plan, players = self.plan, self.game.players
        winners = [name for seat, name in enumerate(players) if row[Row.WINNERS] >> seat & 1]
        return [
            *(number, plan.seed_of(number)),
            *plan.seating(plan.rotation_of(number)),
            *(row[Row.DECISIONS], row[Row.BRANCHING], row[Row.ROUNDS]),
            *(self._ending(row[Row.ENDED_BY]), self._tie(row[Row.TIE])),
            *("+".join(winners), row[Row.LEAD_CHANGES]),
            *row[Row.SCORES :],
        ]

    def _ending(self, rule: int) -> str:
        if rule in (NOTHING, CUT_OFF):
            return ""
        return self.game.program.procedures[rule].declared

    def _tie(self, tie: int) -> str:
        return "" if tie == NOTHING else self.game.ties[tie].text


def _distinct(names: list[str]) -> list[str]:
    """The names made unique by numbers."""
    return [
        name if name not in names[:at] else f"{name}_{names[:at].count(name) + 1}"
        for at, name in enumerate(names)
    ]


class CsvRows:
    """Writes rows as comma-separated values, with a header line."""

    def __init__(self, path: Path, plan: Plan, game: Game) -> None:
        self.columns, self.file = Columns(plan, game), Growing(path)
        self._append([self.columns.names])

    def write(self, played: ChunkResult) -> None:
        """Writes the games of a chunk."""
        self._append([*self.columns.values(played)])

    def close(self) -> None:
        """Closes the file."""
        self.file.close()

    def _append(self, rows: Sequence[Sequence[Value]]) -> None:
        text = StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows(rows)
        self.file.append(text.getvalue().encode())
