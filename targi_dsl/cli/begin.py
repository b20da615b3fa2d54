"""Sets up games for people and programs: new ones and saved ones."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from secrets import randbelow

from targi_dsl.cli import arguments
from targi_dsl.compiler.load import load
from targi_dsl.engine.chance import Seed
from targi_dsl.ir.game import Game
from targi_dsl.players import PLAYERS, USUAL, is_kind
from targi_dsl.records import Record, read, read_record_file
from targi_dsl.records.notation import read as read_position
from targi_dsl.records.notation import write
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.files import read_file
from targi_dsl.text.source import Source
from targi_dsl.text.suggestions import suggestion

HUMAN = "human"
"""The kind of player of a seat for a person."""

KINDS = (HUMAN, *PLAYERS)
"""All kinds of players that a seat can have."""


def new_game(
    name: str,
    seats: Mapping[str, str],
    seed: int | None,
    options: Mapping[str, str],
    decks: Mapping[str, str],
    first: str = HUMAN,
    others: str = USUAL,
    position: Path | None = None,
) -> tuple[Record, Game]:
    """A new game. first, others: the default players of the first seat and of the others. position:
    a file with the initial position.
    """
    game = load(name, options=options, decks=decks)
    seated = players_by_seat(game, seats, first, others)
    if seed is None and list(seated.values()).count(HUMAN) < 2:
        seed = randbelow(arguments.LARGEST_SEED)  # among people, a known seed reveals secrets
    opening = ""
    if position is not None:
        drawn = Seed(randbelow(arguments.LARGEST_SEED) if seed is None else seed)
        opening = write(read_position(game, read_file(str(position)), drawn))
    return Record(name, game.hash, dict(game.options), seed, seated, (), decks, opening), game


def saved_game(
    source: Source,
    name: str | None,
    seats: Mapping[str, str],
    seed: int | None,
    options: Mapping[str, str],
    decks: Mapping[str, str],
) -> tuple[Record, Game]:
    """A saved game. Raises Problems if its file does not match what was requested."""
    saved = read(source)
    settings: list[tuple[str, object, object]] = [
        ("game", saved.game, name or saved.game),
        ("seed", saved.seed, saved.seed if seed is None else seed),
        ("options", dict(saved.options), {**saved.options, **options}),
        ("decks", dict(saved.decks), {**saved.decks, **decks}),
        ("seats", dict(saved.seats), {**saved.seats, **seats}),
    ]
    if others := [key for key, recorded, wanted in settings if recorded != wanted]:
        raise Problems(_other(saved, key) for key in others)
    for who in saved.seats.values():
        if who != HUMAN and not is_kind(who):
            raise Problems([_no_player(saved, who)])
    return saved, game_of(saved)


def recorded(file: Path) -> tuple[Record, Game]:
    """A game from a file, as recorded."""
    record = read(read_record_file(str(file)))
    return record, game_of(record)


def game_of(record: Record) -> Game:
    """The game of a record."""
    return load(record.game, options=record.options, decks=record.decks)


def _other(saved: Record, key: str) -> Problem:
    text = "This is not what was asked for."
    hint = "Leave it out to go on with the saved game, or name another file for a new one."
    return Problem("E709", f"saved game with other {key}", saved.spans.get(key), text, hint)


def _no_player(saved: Record, who: str) -> Problem:
    title, text = f"damaged record: unknown player '{who}'", f"The players are: {', '.join(KINDS)}."
    return Problem("E702", title, saved.spans["seats"], text, suggestion(who, KINDS))


def players_by_seat(
    game: Game, given: Mapping[str, str], first: str, others: str
) -> dict[str, str]:
    """The player of each seat: as given, or the defaults for the first seat and the others."""
    arguments.check_seats(game, given, KINDS)
    usual = {seat: others if number else first for number, seat in enumerate(game.players)}
    return {**usual, **given}
