"""The games that a server of tables offers and continues, and the links stored beside saved
games.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from itertools import count
from pathlib import Path
from secrets import randbelow

import click
from msgspec import DecodeError, json
from msgspec.structs import replace

from targi_dsl.api import PUBLIC, choices, start
from targi_dsl.cli import arguments
from targi_dsl.cli.begin import HUMAN, KINDS, game_of, new_game, players_by_seat
from targi_dsl.cli.first_page import guide, settings, settings_texts, shelf, speaking
from targi_dsl.cli.thinking import tell_unused
from targi_dsl.compiler import translations
from targi_dsl.compiler.load import load
from targi_dsl.display.picture import picture
from targi_dsl.engine.chance import Seed
from targi_dsl.information.observation import observe
from targi_dsl.ir.game import Game
from targi_dsl.players import USUAL
from targi_dsl.records import Autosave, Record, new_file, read, read_record_file
from targi_dsl.search import Budget
from targi_dsl.table.editions import Edition
from targi_dsl.table.game import TableGame
from targi_dsl.table.hall import Link, Table, new_key
from targi_dsl.table.lobby import Form, Setting, Title
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.languages import Language, words_of
from targi_dsl.text.structs import Frozen

_ONLY_OURS = 0o600
_GUIDE = 64  # columns of how to play
_KEPT = 64  # size of the cache of games


class Saved(Frozen):
    """Data beside a saved game, so that its links survive a restart: port, whether the network has
    access, keys with their seats, and the key of the start page.
    """

    port: int
    lan: bool
    keys: dict[str, tuple[str, ...]]
    host: str = ""


class Shelf:
    """The library of a server: the shipped games. port, lan, host: as in Saved. pace: the least
    seconds of a program's move. folder: for new games. budget: how long programs think.
    """

    def __init__(
        self,
        port: int,
        host: str,
        pace: float,
        folder: Path,
        *,
        lan: bool,
        budget: Budget | None = None,
    ) -> None:
        self._port, self._host, self._pace, self._lan = port, host, pace, lan
        self._folder, self._budget = folder, budget
        self._names = map(str, count(1))
        self._tell = partial(click.echo, err=True)
        self._edition = lru_cache(_KEPT)(self._new_edition)

    # ---- games to begin ----

    def titles(self, code: str) -> tuple[Title, ...]:
        """The games with their titles in a language."""
        language = translations.of_titles(code)
        found = (Title(name, language.word(title)) for name, title, _ in shelf())
        return tuple(sorted(found, key=lambda one: one.title.casefold()))

    def form(self, name: str, options: Mapping[str, str], code: str) -> Form:
        """The form to begin a game; options are in English unless all their texts are
        translated.
        """
        game = load(name, options=options)
        spoken = translations.of_game(game, name, code)
        word, others = spoken.word, HUMAN if self._lan else USUAL
        seats = players_by_seat(game, {}, HUMAN, others)
        names = {seat: word(words_of(seat)) for seat in seats}
        language = speaking(spoken, settings_texts(game))
        found = tuple(_setting(one, language) for one in settings(game))
        return Form(name, word(game.title), word(game.about), names, seats, found, language.code)

    def picture(self, name: str) -> str:
        """The opening position of a game as SVG."""
        return picture(observe(start(load(name), Seed(1)), PUBLIC))

    def begin(self, name: str, seats: Mapping[str, str], options: Mapping[str, str]) -> Table:
        """A new table; unknown seats and players are ignored."""
        players = load(name, options=options).players
        known = {seat: kind for seat, kind in seats.items() if seat in players and kind in KINDS}
        others = HUMAN if self._lan else USUAL
        record, game = new_game(name, known, None, options, {}, others=others)
        return self.table(record, game, new_file(self._folder, record.game, record.seed))

    # ---- tables ----

    def table(
        self,
        record: Record,
        game: Game,
        file: Path,
        text: str | None = None,
        saved: Saved | None = None,
    ) -> Table:
        """The table of a new game; or of a saved one, with the text of its file and its links."""
        name = next(self._names)
        edition = self._edition(record.game, game)
        playing = TableGame(game, record, Autosave(file, self._tell, text=text), self._budget)
        links = self._links(name, record, saved)
        self._keep_links(file, links)
        renew = partial(self._again, links=links)
        return Table(name, edition, playing, links, self._pace, renew)

    def under_way(self, file: Path) -> Iterator[Table]:
        """The unfinished tables of the same server as a saved game."""
        for beside in sorted(file.parent.glob("*.links")):
            other, saved = beside.with_suffix(""), saved_links(beside.with_suffix(""))
            if other == file or saved is None or not self._host or saved.host != self._host:
                continue
            with suppress(Problems):  # unreadable files are skipped
                source = read_record_file(str(other))
                record = read(source)
                game = game_of(record)
                found = self.table(record, game, other, source.text, saved)
                if choices(found.game.state):
                    yield found

    def _new_edition(self, name: str, game: Game) -> Edition:
        tell_unused(game, [USUAL])
        spoken = partial(translations.of_game, game, name)
        edition = Edition(game, spoken, partial(guide, game, width=_GUIDE))
        edition.begin(translations.preferred_language(os.environ))  # fills the cache
        return edition

    def _links(self, table: str, record: Record, saved: Saved | None) -> tuple[Link, ...]:
        """The links of a table: the saved ones; or one for all seats at this screen, or in a
        network one for each person and one for spectators.
        """
        if saved is not None:
            return tuple(Link(key, table, seats) for key, seats in saved.keys.items())
        if not self._lan:
            return (Link(new_key(), table, tuple(record.seats)),)
        people = [(seat,) for seat, who in record.seats.items() if who == HUMAN]
        return tuple(Link(new_key(), table, seats) for seats in (*people, ()))

    def _again(self, before: TableGame, links: tuple[Link, ...]) -> TableGame:
        """A new game with the same seats, in a new file."""
        seed = None if before.record.seed is None else randbelow(arguments.LARGEST_SEED)
        record = replace(before.record, seed=seed, choices=())
        file = new_file(self._folder, record.game, seed)
        self._keep_links(file, links)
        return TableGame(before.game, record, Autosave(file, self._tell), self._budget)

    def _keep_links(self, file: Path, links: tuple[Link, ...]) -> None:
        """Saves the links where only the user can read them; the game can continue without them."""
        keys = {link.key: link.seats for link in links}
        with suppress(OSError):
            _beside(file).unlink(missing_ok=True)
            flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
            with os.fdopen(os.open(_beside(file), flags, _ONLY_OURS), "wb") as written:
                written.write(json.encode(Saved(self._port, self._lan, keys, self._host)))


def _setting(option: tuple[str, str, tuple[str, ...], str], language: Language) -> Setting:
    name, usual, values, about = option
    named = {one: language.word(words_of(one)) for one in values}
    return Setting(name, language.word(words_of(name)), usual, named, language.word(about))


def _beside(file: Path) -> Path:
    return file.with_name(f"{file.name}.links")


def saved_links(file: Path) -> Saved | None:
    """The links of a saved game; None if there are none, or they cannot be read."""
    try:
        return json.decode(_beside(file).read_bytes(), type=Saved)
    except (OSError, DecodeError, RecursionError):
        return None
