"""`targi fix`: repairs what can be repaired."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.commands.fmt import put_difference
from targi_dsl.cli.commands.validate import problems_of
from targi_dsl.cli.failures import DONE, WRONG
from targi_dsl.cli.output import put
from targi_dsl.text.diagnostics import (
    Edit,
    Problem,
    Problems,
    apart,
    apply_edits,
    by_source,
    render,
)
from targi_dsl.text.files import read_file, write_files

_MOST = 20
"""The most rounds of repairs, as a repair may reveal further problems."""

_GUESSES = "E2"
"""The prefix of codes of unknown names, where the nearest name is a guess."""


@click.command("fix")
@click.argument("names", metavar="[GAME|FILE]...", nargs=-1, required=True)
@click.option(
    "--code",
    "codes",
    metavar="CODE",
    multiple=True,
    help="Only problems of this code, all of them.",
)
@click.option("--at", metavar="FILE:LINE", help="Only problems at this place, whatever they are.")
@click.option("--diff", is_flag=True, help="Write nothing; show the repairs.")
def command(names: tuple[str, ...], codes: tuple[str, ...], at: str | None, diff: bool) -> int:
    """Repair problems in games and files: every repair that `targi validate` shows and that is no
    guess, since it has been checked.

    The nearest known name for an unknown one is a guess. It is taken only if it is asked for, by
    --code or --at. Files that the program has brought with it are not changed.
    """
    repaired = 0
    for _ in range(_MOST):
        found = (problem for name in names for problem in problems_of(name))
        mended = list(apart(one for one in found if _is_wanted(one, codes, at)))
        texts = by_source(edit for one in mended for edit in one.edits)
        if diff:
            for edits in texts.values():
                put_difference(edits[0].span.source, apply_edits(edits))
            return DONE
        if not mended:
            break
        write_files({Path(file): apply_edits(one) for file, one in texts.items()}, replace=True)
        repaired += len(mended)
    left = [problem for name in names for problem in problems_of(name)]
    if left:
        put(render(left) + "\n")
    put(
        f"{arguments.count_of(repaired, 'repair')}, {arguments.count_of(len(left), 'problem')} left"
    )
    return WRONG if any(one.severity == "error" for one in left) else DONE


def _is_wanted(problem: Problem, codes: Collection[str], at: str | None) -> bool:
    """Whether a repair is wanted and its file is not shipped."""
    if problem.span is None or (codes and problem.code not in codes):
        return False
    if not all(map(_is_own, problem.edits)):
        return False
    if at is not None:
        return at == f"{problem.span.source.name}:{problem.span.line}"
    return bool(codes) or not problem.code.startswith(_GUESSES)


def _is_own(edit: Edit) -> bool:
    """Whether an edit is of a file outside of the installed program."""
    try:
        return read_file(edit.span.source.name).text == edit.span.source.text
    except Problems:
        return False
