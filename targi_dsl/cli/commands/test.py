"""`targi test`: runs rule tests."""

from __future__ import annotations

import concurrent.futures as futures
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.commands.coverage import coverage_document, coverage_lines, page
from targi_dsl.cli.failures import DONE, WRONG
from targi_dsl.cli.output import put, put_document
from targi_dsl.compiler.load import read
from targi_dsl.records.testing import Games, Outcome, parse_tests, run_test
from targi_dsl.text import resources
from targi_dsl.text.decoding import decode
from targi_dsl.text.diagnostics import Problem, Problems, render, to_json
from targi_dsl.text.files import files_below, read_file, write_file
from targi_dsl.text.resources import TESTS
from targi_dsl.text.source import Source
from targi_dsl.text.structs import Frozen
from targi_dsl.tools.coverage import Coverage, of_options
from targi_dsl.tools.coverage import coverage as coverage_of


class Ran(Frozen):
    """The result of a test, or a file that could not be read: problems as text and data, without
    spans, since it is passed between processes.
    """

    file: str
    test: str
    cites: tuple[str, ...]
    problems: str
    data: Mapping[str, object]


class RanFile(Frozen):
    """The results of a file, and the coverage of its games if it is traced."""

    tests: tuple[Ran, ...]
    covered: Coverage


@click.command("test")
@click.argument("names", metavar="[GAME|FILE|FOLDER]...", nargs=-1)
@click.option("--coverage", is_flag=True, help="Also show what no test uses.")
@arguments.file("--html", "With --coverage: write the rules, coloured by what is used, to FILE.")
@arguments.number("--workers", 1, 64, min(os.cpu_count() or 1, 64), "The number of processes.")
@arguments.engine
@arguments.as_json
def command(
    names: tuple[str, ...], coverage: bool, html: Path | None, workers: int, as_json: bool
) -> int:
    """Run rule tests, in files that end in `.test.targi`; without a name, those in this folder and
    below. Of a shipped game, its shipped tests are run.
    """
    if html is not None and not coverage:
        raise click.UsageError("--html goes with --coverage.")
    files = [*_run(list(sources_of(names or (".",))), workers, coverage)]
    ran, covered = [one for file in files for one in file.tests], Coverage()
    for file in files:
        covered.update(file.covered)
    failed = sum(bool(one.problems) for one in ran)
    if html is not None:
        write_file(html, page("The rule tests", covered))
    if as_json:
        used = {"coverage": coverage_document(covered)} if coverage else {}
        put_document({"tests": [_data(one) for one in ran], **used})
        return WRONG if failed else DONE
    for one in ran:
        if one.problems:
            put(" ".join([one.test, f"({', '.join(one.cites)})" * bool(one.cites)]).strip())
            put(one.problems + "\n")
    if coverage:
        put("\n".join(coverage_lines(covered)) + "\n")
    put(f"{arguments.count_of(len(ran), 'test')}: {failed or 'none'} failed")
    return WRONG if failed else DONE


def sources_of(names: Iterable[str]) -> Iterator[Source]:
    """The test files of a shipped game, a file, or a folder."""
    for name in names:
        if Path(name).is_dir():
            paths = list(files_below(Path(name), TESTS))
            if not paths:
                raise Problems([_no_tests(name, f"No file below it ends in `{TESTS}`.")])
            yield from (read_file(str(path)) for path in paths)
        elif arguments.is_path(name):
            yield read_file(name)
        elif found := [one for one in _shipped() if f"\ntests of {name}\n" in one.text]:
            yield from found
        else:
            read(name)  # raises if there is no such game
            text = f"No file that ends in `{TESTS}` has `tests of {name}`."
            raise Problems([_no_tests(name, text)])


def _no_tests(name: str, text: str) -> Problem:
    return Problem("E664", f"`{name}` has no tests", None, text)


def _shipped() -> Iterator[Source]:
    for name in resources.names("rules", TESTS):
        data = resources.read(f"rules/{name}")
        yield decode(f"rules/{name}", data or b"")


def _run(sources: Sequence[Source], workers: int, traced: bool) -> Iterator[RanFile]:
    """The results of these files, in order."""
    run = partial(_run_file, traced=traced)
    if min(workers, len(sources)) < 2:
        yield from map(run, sources)
        return
    # it is imported when it is named
    with futures.ProcessPoolExecutor(min(workers, len(sources))) as pool:
        yield from pool.map(run, sources)


def _run_file(source: Source, traced: bool) -> RanFile:
    (file, problems), games = parse_tests(source), Games(traced=traced)
    ran = [Ran(source.name, source.name, (), render(problems), to_json(problems))] * bool(problems)
    ran += [_ran(source.name, run_test(file, test, games)) for test in file.tests if file.game]
    covered = of_options(tracer.game for tracer in games.tracers)
    for tracer in games.tracers:
        covered.update(coverage_of(tracer.game, tracer.hits))
    return RanFile(tuple(ran), covered)


def _ran(file: str, outcome: Outcome) -> Ran:
    test, problems = outcome.test, outcome.problems
    return Ran(file, test.full_name, test.cites, render(problems), to_json(problems))


def _data(one: Ran) -> Mapping[str, object]:
    return {"file": one.file, "test": one.test, "cites": [*one.cites], **one.data}
