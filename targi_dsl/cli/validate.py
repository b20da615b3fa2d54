"""`targi validate`: every problem in games and files."""

from __future__ import annotations

from collections.abc import Mapping

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.failures import DONE, WRONG
from targi_dsl.cli.output import put, put_document
from targi_dsl.compiler.load import analyse, check_alone
from targi_dsl.compiler.project.discovery import shipped
from targi_dsl.records.testing import read_tests
from targi_dsl.text.diagnostics import Problem, Problems, in_order, render, to_json
from targi_dsl.text.files import read_file
from targi_dsl.text.resources import TESTS


@click.command("validate")
@click.argument("names", metavar="[GAME|FILE]...", nargs=-1)
@arguments.options
@arguments.decks
@arguments.as_json
def command(
    names: tuple[str, ...], options: Mapping[str, str], decks: Mapping[str, str], as_json: bool
) -> int:
    """Report every problem in games and files; without a name, in everything that is shipped.

    A game is checked with everything it uses. A module file or a card file is checked on its own.
    """
    names = names or tuple(sorted(shipped().games()))
    problems = in_order(problem for name in names for problem in _problems(name, options, decks))
    errors = sum(problem.severity == "error" for problem in problems)
    if as_json:
        put_document(to_json(problems))
        return WRONG if errors else DONE
    if problems:
        put(render(problems) + "\n")
    counts = (
        arguments.count_of(errors, "error"),
        arguments.count_of(len(problems) - errors, "warning"),
    )
    summary = ", ".join(counts) if problems else "no problems"
    put(f"{names[0] if len(names) == 1 else f'{len(names)} games and files'}: {summary}")
    return WRONG if errors else DONE


def _problems(
    name: str, options: Mapping[str, str], decks: Mapping[str, str]
) -> tuple[Problem, ...]:
    """All problems of a game, or of a file checked on its own."""
    try:
        if name.endswith(TESTS):
            read_tests(read_file(name))
            return ()
        alone = check_alone(read_file(name)) if arguments.is_path(name) else None
        return alone if alone is not None else analyse(name, None, options, decks).problems
    except Problems as error:
        return error.problems
