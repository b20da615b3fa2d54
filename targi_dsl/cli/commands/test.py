"""`targi test`: runs rule tests."""

from __future__ import annotations

import concurrent.futures as futures
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from pathlib import Path

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.commands.coverage import coverage_document, coverage_lines, page
from targi_dsl.cli.failures import DONE, WRONG
from targi_dsl.cli.output import put, put_document
from targi_dsl.compiler.load import read
from targi_dsl.records.testing import Games, parse_tests, run_test
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


class Share(Frozen):
    """The results of some files, and the coverage of their games if they are traced."""

    files: tuple[tuple[Ran, ...], ...]
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
    shares = _run(list(sources_of(names or (".",))), workers, coverage)
    files, covered = zip_longest(*(one.files for one in shares), fillvalue=()), Coverage()
    ran = [one for turn in files for file in turn for one in file]
    for share in shares:
        covered.update(share.covered)
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


def _run(sources: Sequence[Source], workers: int, traced: bool) -> list[Share]:
    """The results of these files, dealt out to the processes."""
    run, number = partial(_run_files, traced=traced), min(workers, len(sources))
    if number < 2:
        return [run(sources)]
    # it is imported when it is named
    with futures.ProcessPoolExecutor(number) as pool:
        return [*pool.map(run, (sources[at::number] for at in range(number)))]


def _run_files(sources: Sequence[Source], traced: bool) -> Share:
    """A game is loaded once for all its files."""
    games = Games(traced=traced)
    ran = tuple(tuple(_run_file(source, games)) for source in sources)
    covered = of_options(tracer.game for tracer in games.tracers)
    for tracer in games.tracers:
        covered.update(coverage_of(tracer.game, tracer.hits))
    return Share(ran, covered)


def _run_file(source: Source, games: Games) -> Iterator[Ran]:
    file, problems = parse_tests(source)
    if problems:
        yield Ran(source.name, source.name, (), render(problems), to_json(problems))
    for test in file.tests if file.game else ():
        found = run_test(file, test, games).problems
        yield Ran(source.name, test.full_name, test.cites, render(found), to_json(found))


def _data(one: Ran) -> Mapping[str, object]:
    return {"file": one.file, "test": one.test, "cites": [*one.cites], **one.data}
