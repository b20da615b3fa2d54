"""`targi play`: plays a game, at a terminal or without one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click
from msgspec.structs import replace

from targi_dsl.cli import arguments
from targi_dsl.cli.begin import HUMAN, KINDS, new_game, saved_game
from targi_dsl.cli.output import put_document
from targi_dsl.cli.prompt import Prompt
from targi_dsl.cli.session import Session
from targi_dsl.cli.summary import document
from targi_dsl.cli.terminal import Terminal
from targi_dsl.cli.thinking import tell_unused, think
from targi_dsl.compiler import translations
from targi_dsl.compiler.load import load
from targi_dsl.ir.game import Game
from targi_dsl.players import USUAL
from targi_dsl.records import Autosave, Record, new_file, read_record_file
from targi_dsl.records.testing import head_of, read_tests, test_of
from targi_dsl.search import Budget
from targi_dsl.text.cache import state_folder
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.files import exists, read_file, write_file
from targi_dsl.text.resources import default_game
from targi_dsl.text.source import Source


@click.command("play")
@arguments.game(required=False)
@arguments.seats(KINDS, f"you the first, {USUAL} the others")
@arguments.seed("The seed of all chance; a random one if it is not given.")
@arguments.options
@arguments.decks
@arguments.language
@arguments.file("--save", "Save the game to FILE, or go on with it if FILE exists.")
@arguments.resume()
@arguments.file("--position", "Begin at the position in FILE, as `position` prints it.")
@think
@arguments.file("--test", "Add what was played to FILE as a rule test.")
@arguments.advice
@arguments.pace
@arguments.engine
@arguments.check
@arguments.as_json
def command(
    name: str | None,
    seats: Mapping[str, str],
    seed: int | None,
    options: Mapping[str, str],
    decks: Mapping[str, str],
    language: str,
    save: Path | None,
    resume: Path | None,
    position: Path | None,
    budget: Budget | None,
    test: Path | None,
    advice: bool,
    pace: float,
    check: bool,
    as_json: bool,
) -> None:
    """Play a game; without a name, the first of the shipped games.

    Answer a question with the key or words of a choice. At the prompt `rules` tells how the game
    goes, `help` what else can be said; `quit` leaves. A game with people in it is saved after every
    choice: to FILE, or else to your own state folder, and --resume goes on with it. With --json
    nobody is asked: the program plays every seat. Where two people or more play without --seed, the
    system draws what chance decides.
    """
    if name == "":
        raise click.UsageError(
            f"the name of the game is empty. Leave it out to play '{default_game()}'."
        )
    if save and resume:
        raise click.UsageError("--save and --resume name the same thing; give one of them.")
    file = resume or save
    if file and (resume or exists(file)):
        if position:
            raise click.UsageError("a saved game goes on where it was; leave out --position.")
        source = read_record_file(str(file))
        record, game = saved_game(source, name, seats, seed, options, decks)
    else:
        source = None
        first = USUAL if as_json else HUMAN
        name = name or default_game()
        record, game = new_game(name, seats, seed, options, decks, first, position=position)
    has_people = HUMAN in record.seats.values()
    if as_json and has_people:
        raise click.UsageError("with --json nobody can be asked, so no seat can be a person's.")
    if file is None and has_people:
        file = new_file(state_folder(), record.game, record.seed)
    terminal = Terminal(quiet=as_json)
    tell_unused(game, record.seats.values(), terminal)
    spoken = translations.of_game(game, record.game, language)
    if has_people and (notice := translations.notice(game, spoken, language)):
        terminal.say(notice, "faint")
    autosave = Autosave(file, terminal.remark, spoken, source.text if source else None)
    session = Session(game, record, autosave, terminal, spoken, check=check, budget=budget)
    Prompt(session, advice=advice, pace=pace).play()
    if test is not None:
        _keep(test, session.game, session.record)
    if as_json:
        put_document(document(session.record, session.state, session.decisions, session.rounds))


def _keep(file: Path, game: Game, record: Record) -> None:
    """Appends a test to a file of tests, which may be new."""
    text = read_file(str(file)).text if exists(file) else head_of(game)
    if (tested := read_tests(Source(str(file), text))).game != game.name:
        why, hint = f"These are tests of {tested.game}.", "Name another file."
        raise Problems([Problem("E663", "tests of another game", tested.span, why, hint)])
    usual = dict(load(record.game, decks=record.decks).options)
    options = {name: value for name, value in record.options.items() if usual[name] != value}
    name = f"as played, of {len(record.choices)} choices"
    write_file(file, f"{text}\n{test_of(game, replace(record, options=options), name)}")
