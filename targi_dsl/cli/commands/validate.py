"""`targi validate`: every problem in games and files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import click
from msgspec.structs import replace

from targi_dsl.cli import arguments
from targi_dsl.cli.failures import DONE, WRONG, unknown
from targi_dsl.cli.formats import FORMATS, JSON, SARIF, TEXT, formatted_lines, sarif
from targi_dsl.cli.output import put, put_document
from targi_dsl.compiler.load import analyse, check_alone, load, option_values
from targi_dsl.compiler.project.discovery import PLAYERS, shipped
from targi_dsl.records.testing import read_tests
from targi_dsl.simulation.smoke_test import TRIED, smoke_test
from targi_dsl.text.diagnostics import Problem, Problems, in_order, to_json
from targi_dsl.text.files import read_file
from targi_dsl.text.resources import TESTS
from targi_dsl.text.resources import name as shipped_name

LEVELS = ("error", "warning", "off")
_AS = "an error, as usual or not at all: error, warning or off"
NONE: Mapping[str, str] = {}


@click.command("validate")
@click.argument("names", metavar="[GAME|FILE]...", nargs=-1)
@arguments.options
@arguments.decks
@arguments.pairs("--level", "levels", "CODE=LEVEL", f"Report a warning as {_AS}.")
@click.option("--games", default=TRIED, show_default=True, help="Played on trial.")
@click.option("--format", "form", type=click.Choice(FORMATS), default=TEXT, help="How to print.")
@arguments.as_json
def command(
    names: tuple[str, ...],
    options: Mapping[str, str],
    decks: Mapping[str, str],
    levels: Mapping[str, str],
    games: int,
    form: str,
    as_json: bool,
) -> int:
    """Report every problem in games and files; without a name, in everything that is shipped.

    A game is checked with everything it uses, and if it has no errors a few games are played by
    chance: a warning tells where one stops. A module file or a card file is checked on its own. A
    warning is allowed at its place by a comment: # allow W913: WHY
    """
    names = names or tuple(sorted(shipped().games()))
    check_levels(levels)
    found = (problem for name in names for problem in problems_of(name, options, decks, games))
    problems = in_order(at_levels(found, levels))
    errors = sum(problem.severity == "error" for problem in problems)
    if as_json or form in (JSON, SARIF):
        put_document(sarif(problems) if form == SARIF else to_json(problems))
        return WRONG if errors else DONE
    if problems:
        put(formatted_lines(problems, form) + "\n" * (form == TEXT))
    if form != TEXT:
        return WRONG if errors else DONE
    counts = (
        arguments.count_of(errors, "error"),
        arguments.count_of(len(problems) - errors, "warning"),
    )
    summary = ", ".join(counts) if problems else "no problems"
    put(f"{names[0] if len(names) == 1 else f'{len(names)} games and files'}: {summary}")
    for note in filter(None, map(_what_was_checked, names)):
        put(note)
    return WRONG if errors else DONE


def check_levels(levels: Mapping[str, str]) -> None:
    """Refuses unknown levels, and levels of anything but warnings."""
    for code, level in levels.items():
        if not re.fullmatch(r"W\d{3}", code):
            raise click.UsageError(f"'{code}' is not the code of a warning, such as W913.")
        if level not in LEVELS:
            raise unknown(f"there is no level '{level}'", level, LEVELS)


def at_levels(problems: Iterable[Problem], levels: Mapping[str, str]) -> Iterator[Problem]:
    """The problems, with warnings at the given levels."""
    for problem in problems:
        match levels.get(problem.code, problem.severity):
            case "error":
                yield replace(problem, level="error")
            case "warning":
                yield problem
            case _:
                pass  # it is off


def problems_of(
    name: str,
    options: Mapping[str, str] = NONE,
    decks: Mapping[str, str] = NONE,
    games: int = 0,
) -> tuple[Problem, ...]:
    """All problems of a game, or of a file checked alone. If there are no errors, trial games are
    played with each number of players.
    """
    try:
        if name.endswith(TESTS):
            read_tests(read_file(name))
            return ()
        if arguments.is_path(name) and (alone := check_alone(read_file(name))) is not None:
            return alone
        found = analyse(name, None, options, decks)
        if not games or any(one.severity == "error" for one in found.problems):
            return found.problems
        for number in found.players or (None,):
            given = options if number is None else {**options, PLAYERS: number}
            if stopped := (*_on_trial(name, given, decks, games),):
                return (*found.problems, *stopped)
        return found.problems
    except Problems as error:
        return error.problems


def _what_was_checked(name: str) -> str:
    """What a name stands for, if that may be misunderstood."""
    if not arguments.is_path(name):
        is_shipped = name in shipped().games()
        here = (Path(f"{name}.targi"), Path("rules/games", f"{name}.targi")) if is_shipped else ()
        other = (one for one in here if one.is_file() and shipped_name(one.resolve()) is None)
        file = next(map(arguments.as_path, other), "")
        return f"`{name}` is the shipped game; the one here: targi validate {file}" if file else ""
    with suppress(Problems):
        if not name.endswith(TESTS) and check_alone(read_file(name)) is not None:
            return f"`{name}` was checked by itself; with its game: targi validate GAME"
    return ""


def _on_trial(
    name: str, options: Mapping[str, str], decks: Mapping[str, str], games: int
) -> Iterator[Problem]:
    """The problem that stops a trial game, and the chosen options without which it does not
    occur.
    """
    game = load(name, None, options, decks)
    if not (found := smoke_test(game, games)):
        return
    usual, freed = {option: values[0] for option, values in option_values(name).items()}, []
    for option, value in game.options:
        if value != usual.get(option, value):
            other = load(name, None, {**options, option: usual[option]}, decks)
            if not smoke_test(other, games):
                freed.append(f"`option {option}: {usual[option]}`")
    for one in found:
        hint = f"No game on trial stops with {' or with '.join(freed)}. " if freed else ""
        yield replace(one, text=hint + one.text)
