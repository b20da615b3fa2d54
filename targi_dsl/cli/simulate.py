"""`targi simulate`: plays a game many times and reports what happened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.extras import with_extra
from targi_dsl.cli.failures import DONE, INTERRUPTED, WRONG, unknown
from targi_dsl.cli.output import put, put_document, put_problems
from targi_dsl.cli.simulate_progress import Progress
from targi_dsl.cli.simulate_rows import CsvRows, Rows
from targi_dsl.cli.simulate_tables import tables
from targi_dsl.codegen.tiered import named_engine
from targi_dsl.compiler.load import load
from targi_dsl.ir.game import Game
from targi_dsl.players import PLAYERS
from targi_dsl.simulation.chunk import Played
from targi_dsl.simulation.document import Document
from targi_dsl.simulation.engines import play_all, settled
from targi_dsl.simulation.find import Found, find, played_again, usable
from targi_dsl.simulation.plan import Plan
from targi_dsl.simulation.report import Report
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.files import write_files

USUAL = "random"
"""The default player of a seat."""

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
    rotations = len(game.players) if pairs else 1
    plan = Plan(
        name,
        game.hash,
        tuple(seats.get(seat, USUAL) for seat in game.players),
        seed or 0,
        -(-games // rotations) * rotations,
        rotations,
        named_engine(),
        tuple(options.items()),
        tuple(decks.items()),
        with_rows=csv is not None or parquet is not None,
    )
    if plan.seed_of(plan.games) > arguments.LARGEST_SEED + 1:
        raise click.UsageError(
            f"the last game would have a seed above {arguments.LARGEST_SEED}: "
            "give fewer games or a lower --seed."
        )
    engine, reason = settled(plan, game)
    if reason:
        put(reason, err=True)
    plan = replace(plan, engine=engine)
    chunks = _chunks(plan, game, workers, on)
    if wanted is not None:
        return _find(plan, game, wanted, chunks, as_json)
    page = None if html is None else _Page(html)
    rows = list[Rows]()
    if csv is not None:
        rows.append(CsvRows(csv, plan, game))
    if parquet is not None:
        module = with_extra("targi_dsl.cli.simulate_parquet", "parquet")
        rows.append(module.ParquetRows(parquet, plan, game))
    return Simulation(plan, game, chunks, rows, page, as_json).run()


def _chunks(plan: Plan, game: Game, workers: int, on: str | None) -> Iterator[Played]:
    """The chunks of a plan, played where requested."""
    if on is not None:
        module = with_extra("targi_dsl.simulation.on_ray", "ray")
        address = None if on == "ray" else on
        chunks: Iterator[Played] = module.on_ray(plan, address, workers)
        return chunks
    return play_all(plan, game, workers)


def _find(plan: Plan, game: Game, wanted: str, chunks: Iterator[Played], as_json: bool) -> int:
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


def _play(plan: Plan, game: Game, use: Found) -> str:
    """The command that replays a game."""
    pairs = zip(game.players, use.seats, strict=True)
    seats = " ".join(f"--seat {seat}={who}" for seat, who in pairs)
    return f"targi play {plan.sheet} --seed {use.seed} {seats}"


class _Page:
    """The page of plots, which is written at the end."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.module = with_extra("targi_dsl.cli.simulate_page", "html")

    def write(self, document: Document, games: int) -> None:
        """Writes the page of a report."""
        write_files({self.path: self.module.page(document, games)}, replace=True)


class Simulation:
    """A simulation in progress: each chunk is added up, written and reported."""

    def __init__(
        self,
        plan: Plan,
        game: Game,
        chunks: Iterator[Played],
        rows: Sequence[Rows],
        page: _Page | None,
        as_json: bool,
    ) -> None:
        self.plan, self.game, self.chunks, self.rows = plan, game, chunks, rows
        self.report, self.page, self.as_json = Report(plan, game), page, as_json
        self.progress = Progress(plan.games)

    def run(self) -> int:
        """Plays, and shows the games played, however the simulation ended."""
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
        problems += self._closed()
        if self.report.games:
            problems += self._show()
        if problems:
            put_problems(problems)
            code = WRONG
        return code

    def _take(self, played: Played) -> None:
        """Adds a chunk. Raises the fault of a game that could not be finished."""
        if played.summaries and played.summaries[0].games:
            self.report.add(played)
            for row in self.rows:
                row.write(played)
        self.progress.show(self.report.games)
        if played.failed is not None:
            played_again(self.plan, self.game, played.failed)

    def _closed(self) -> list[Problem]:
        """Closes the files; returns what went wrong."""
        problems = list[Problem]()
        for row in self.rows:
            try:
                row.close()
            except Problems as error:
                problems += error.problems
        return problems

    def _show(self) -> list[Problem]:
        """Prints the tables and then writes the page; returns what went wrong with the page."""
        document = self.report.document()
        if self.as_json:
            put_document(document)
        else:
            for line in tables(document, self.plan.games):
                put(line)
        if self.page is not None:
            try:
                self.page.write(document, self.plan.games)
            except Problems as error:
                return [*error.problems]
        return []
