"""`targi play`: a game at a terminal, or without one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from targi_dsl.cli import arguments

if TYPE_CHECKING:
    from pathlib import Path

    from targi_dsl.ir.model import Game
    from targi_dsl.records import Record

USUAL_GAME = "base"


@click.command("play")
@arguments.game(required=False)
@arguments.seats
@arguments.seed("Where chance begins; if not said, anywhere.")
@arguments.options
@arguments.decks
@arguments.language
@click.option(
    "--save", metavar="FILE", help="Keep the game in FILE, or go on with it if it is there."
)
@click.option("--resume", metavar="FILE", help="Go on with the game kept in FILE.")
@arguments.as_json
def command(
    name: str | None,
    seats: Mapping[str, str],
    seed: int | None,
    options: Mapping[str, str],
    decks: Mapping[str, str],
    language: str,
    save: str | None,
    resume: str | None,
    as_json: bool,
) -> None:
    """Play a game; without a name, the base game.

    Answer a question by the number or by words of a choice; `help` at the prompt tells the rest,
    `quit` leaves. A game with people in it is kept after every choice: in FILE, or else in your own
    state folder, and --resume goes on with it. With --json nobody is asked: every seat is played by
    the program.
    """
    # Imported here, as everything else that --help can do without.
    from pathlib import Path

    from targi_dsl.cli.failures import state_folder
    from targi_dsl.cli.keeping import Keeper, new_file
    from targi_dsl.cli.output import emit
    from targi_dsl.cli.sitting import Sitting
    from targi_dsl.cli.telling import document
    from targi_dsl.cli.terminal import Terminal

    if name == "":
        raise click.UsageError(
            f"the name of the game is empty. Leave it out to play '{USUAL_GAME}'."
        )
    if save and resume:
        raise click.UsageError("--save and --resume name the same thing; give one of them.")
    said = resume or save
    file = Path(said) if said else None
    kept, game = (
        _kept(file, name, seats, seed, options, decks)
        if file and (resume or file.exists())
        else (None, None)
    )
    if kept is None or game is None:
        kept, game = _new(name or USUAL_GAME, seats, seed, options, decks, as_json)
    if as_json and "human" in kept.seats.values():
        raise click.UsageError(
            "with --json nobody can be asked, so that no seat can be a person's."
        )
    terminal = Terminal(quiet=as_json)
    if file is None and "human" in kept.seats.values():
        file = new_file(state_folder(), kept.game, kept.seed)
    sitting = Sitting(game, kept, Keeper(file, terminal.say), terminal, language)
    sitting.play()
    if as_json:
        emit(document(sitting.record, sitting.state, sitting.decisions, sitting.rounds))


def _new(
    name: str,
    seats: Mapping[str, str],
    seed: int | None,
    options: Mapping[str, str],
    decks: Mapping[str, str],
    as_json: bool,
) -> tuple[Record, Game]:
    """A game that begins."""
    from secrets import randbelow

    from targi_dsl.compiler.load import load
    from targi_dsl.records import Record

    game = load(name, options=options, decks=decks)
    seed = randbelow(arguments.LARGEST_SEED) if seed is None else seed
    return Record(
        name, game.hash, dict(game.options), seed, _seated(game, seats, as_json), (), decks
    ), game


def _kept(
    file: Path,
    name: str | None,
    seats: Mapping[str, str],
    seed: int | None,
    options: Mapping[str, str],
    decks: Mapping[str, str],
) -> tuple[Record, Game]:
    """A game that goes on; raises Problems if its file is not what was asked for."""
    from targi_dsl.compiler.load import load
    from targi_dsl.records import read
    from targi_dsl.text.files import read_file

    kept = read(read_file(str(file)))
    asked: list[tuple[str, object, object]] = [
        ("game", kept.game, name or kept.game),
        ("seed", kept.seed, kept.seed if seed is None else seed),
        ("options", dict(kept.options), {**kept.options, **options}),
        ("decks", dict(kept.decks), {**kept.decks, **decks}),
        ("seats", dict(kept.seats), {**kept.seats, **seats}),
    ]
    _hold_against(kept, asked)
    return kept, load(kept.game, options=kept.options, decks=kept.decks)


def _hold_against(kept: Record, asked: list[tuple[str, object, object]]) -> None:
    """Raises Problems if a saved game is not the one that was asked for."""
    from targi_dsl.text.diagnostics import Problem, Problems

    hint = "Leave it out to go on with the saved game, or name another file for a new one."
    differing = [
        Problem(
            "E709",
            f"saved game with other {key}",
            kept.spans.get(key),
            "This is not what was asked for.",
            hint,
        )
        for key, there, wanted in asked
        if there != wanted
    ]
    if differing:
        raise Problems(differing)


def _seated(game: Game, said: Mapping[str, str], as_json: bool) -> dict[str, str]:
    """Who plays each seat: as said; else the usual player; but when nothing is said a person the
    first.
    """
    from targi_dsl.players import PLAYERS, USUAL
    from targi_dsl.text.diagnostics import did_you_mean

    known = ("human", *PLAYERS)
    for seat, who in said.items():
        if seat not in game.players:
            near = did_you_mean(seat, game.players)
            hint = f"Did you mean '{near}'?" if near else f"There are: {', '.join(game.players)}."
            raise click.UsageError(f"{game.title} has no seat '{seat}'. {hint}")
        if who not in known:
            near = did_you_mean(who, known)
            hint = f"Did you mean '{near}'?" if near else f"There are: {', '.join(known)}."
            raise click.UsageError(f"'{who}' is no player. {hint}")
    said = said or ({} if as_json else {game.players[0]: "human"})
    return {seat: said.get(seat, USUAL) for seat in game.players}
