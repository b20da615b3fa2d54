"""`targi fmt`: rules, sheets, rule tests and the sentences of cards in their one form."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from difflib import unified_diff
from pathlib import Path

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.failures import DONE, WRONG
from targi_dsl.cli.output import put, put_problems, put_text
from targi_dsl.text.decoding import decode
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.files import files_below, read_file, write_file
from targi_dsl.text.source import Source
from targi_dsl.tools.formatting import formatted, is_card_file

STANDARD_INPUT = "-"


@click.command("fmt")
@click.argument("paths", metavar="[FILE|FOLDER]...", nargs=-1)
@click.option("--check", is_flag=True, help="Write nothing; name the files that would change.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
def command(paths: tuple[str, ...], check: bool, diff: bool) -> int:
    """Write rules, sheets, rule tests and the sentences of cards in their one form; without a name,
    those in this folder and below. `-` reads standard input and writes standard output.

    Comments, and in card files everything but the sentences, stay as they are. A file with an error
    is reported and stays as it is.
    """
    if STANDARD_INPUT in paths:
        if len(paths) > 1 or check or diff:
            raise click.UsageError("standard input is formatted alone, to standard output.")
        source = decode("standard input", sys.stdin.buffer.read())
        put_text(formatted(source))
        return DONE
    problems, changed, count = list[Problem](), 0, 0
    for source in _sources(paths or (".",), problems):
        count += 1
        try:
            text = formatted(source)
            if text == source.text:
                continue
            changed += 1
            if diff:
                put_difference(source, text)
            elif check:
                put(source.name)
            else:
                write_file(Path(source.name), text)
        except Problems as error:
            problems += error.problems
    if problems:
        put_problems(problems)
    verb = "would change" if check or diff else "changed"
    put(f"{arguments.count_of(count, 'file')}: {changed} {verb}", err=diff)
    return WRONG if problems or (changed and (check or diff)) else DONE


def put_difference(source: Source, text: str) -> None:
    """Prints the change of a file as a unified diff."""
    before, after = (one.splitlines() for one in (source.text, text))
    for line in unified_diff(before, after, source.name, source.name, lineterm=""):
        put(line)


def _sources(paths: Iterable[str], problems: list[Problem]) -> Iterator[Source]:
    """The files with these names, and in folders of these names; YAML files only if they are card
    files.
    """
    for path in paths:
        is_folder = Path(path).is_dir()
        for name in files_below(Path(path), ".targi", ".yaml", ".yml") if is_folder else (path,):
            try:
                source = read_file(str(name))
            except Problems as error:
                problems += error.problems
                continue
            if not is_folder or str(name).endswith(".targi") or is_card_file(source):
                yield source
