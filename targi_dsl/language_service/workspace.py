"""The texts of a workspace (edited texts over files on disk over shipped files), and the games that
read them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from msgspec import Struct, field

from targi_dsl.api.state import State
from targi_dsl.cardfiles import CardFile, scalar_at
from targi_dsl.compiler import load
from targi_dsl.compiler.index import SENTENCE_STARTS, Index, Occurrence
from targi_dsl.compiler.load import check_alone
from targi_dsl.compiler.project import discovery
from targi_dsl.compiler.project.cache import CheckCache
from targi_dsl.compiler.project.discovery import SHEETS, Project
from targi_dsl.language_service.rule_tests import names_in
from targi_dsl.records.testing import (
    Games,
    Outcome,
    TestFile,
    game_of,
    parse_tests,
    run_test,
    state_at,
)
from targi_dsl.syntax import File
from targi_dsl.syntax.completion import Start
from targi_dsl.text import resources
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.files import read_file
from targi_dsl.text.resources import TESTS
from targi_dsl.text.source import Source, Span

_GAME = re.compile(r"^game\b", re.MULTILINE)
"""The line that makes a file a sheet."""
_HEAD = re.compile(r"^(?:game|module|tests)\b.*(?:\n[ \t]+.*)*", re.MULTILINE)
"""The lines that determine which files belong to a game."""
_FILES = f"*{TESTS}"


class _Tests(Struct):
    """The parsed rule tests of a file, with problems, and their names by an index."""

    file: TestFile
    problems: tuple[Problem, ...]
    index: Index | None = None
    names: tuple[Occurrence, ...] = ()


class Check(Struct):
    """The latest check of a game. index: of the last check that could read the sheet. sound: the
    edited texts when the game was last without errors.
    """

    cache: CheckCache = field(default_factory=CheckCache)
    edition: int = 0
    problems: tuple[Problem, ...] = ()
    index: Index | None = None
    sound: Mapping[str, str] | None = None
    earlier: Workspace | None = None

    @property
    def is_sound(self) -> bool:
        """Whether there are no errors."""
        return not any(one.severity == "error" for one in self.problems)


class Workspace:
    """Texts by absolute path. All answers are about the current texts; unchanged texts are not
    parsed again.
    """

    def __init__(self) -> None:
        self._texts = dict[str, str]()
        self._edition, self._warned = 1, True
        self._checks = dict[str, Check]()
        self._games = dict[str, tuple[str, ...]]()
        self._first = dict[str, str | None]()
        self._read_files = dict[str, set[str]]()
        self._last_files = dict[str, set[str]]()
        self._last_game = dict[str, str]()
        self._chosen = dict[str, str]()
        self._parses = CheckCache()
        self._tests = dict[str, tuple[str, ...]]()
        self._read_tests = dict[str, _Tests]()
        self._played = dict[str, tuple[list[str], Games]]()

    # ---- texts ----

    def edit(self, path: str, text: str | None) -> None:
        """Sets the text of an edited file; None when it is closed."""
        before = self._texts.pop(path, None)
        if text is not None:
            self._texts[path] = text
        self._edition += 1
        if before is None or text is None or _HEAD.findall(before) != _HEAD.findall(text):
            self._forget()

    def reload(self) -> None:
        """To be called when files on disk have changed."""
        self._edition += 1
        self._forget()

    def _forget(self) -> None:
        """Drops the cached relation of files and games."""
        self._games.clear()
        self._first.clear()
        self._tests.clear()
        self._read_files.clear()

    def source(self, path: str) -> Source:
        """The current text of a file; raises Problems if it cannot be read."""
        text = self._texts.get(path)
        return read_file(path) if text is None else Source(path, text)

    def edited(self) -> tuple[str, ...]:
        """The files that are being edited."""
        return tuple(self._texts)

    def with_texts(self, texts: dict[str, str], *, warned: bool = True) -> Workspace:
        """The workspace with other texts; lints are skipped unless `warned`."""
        other = Workspace()
        other._warned = warned
        other._texts = {**self._texts, **texts}
        other._games, other._chosen, other._tests = self._games, self._chosen, self._tests
        other._read_files, other._read_tests = self._read_files, dict(self._read_tests)
        for game, check in self._checks.items():
            other._checks[game] = Check(check.cache.fork(), index=check.index)
        return other

    def rule_file(self, path: str) -> File:
        """The parsed rule file; raises Problems if it cannot be read."""
        return self._parses.file(self._parses.latest(self.source(path)))

    def card_file(self, path: str) -> CardFile | None:
        """The parsed card file, if possible."""
        return self._parses.card_file(self._parses.latest(self.source(path)))[0]

    def sentence_at(
        self, path: str, offset: int, fields: Mapping[str, str]
    ) -> tuple[str, int, Start] | None:
        """The sentence of a card at an offset, the offset in it, and its start symbol; `fields`:
        types of fields by name.
        """
        file = self.card_file(path)
        for card in () if file is None else file.cards:
            for name, node in card.fields.items() if covers(card.span, offset) else ():
                found, start = scalar_at(node, offset), SENTENCE_STARTS.get(fields.get(name, ""))
                if found is not None and start is not None:
                    return str(found[0].value), found[1], start
        return None

    # ---- games ----

    def games(self, path: str) -> tuple[str, ...]:
        """The sheets of games that read a file, in order of preference: a chosen one, the sheet
        itself, the one named after the file's folder.
        """
        if path not in self._games:
            self._games[path] = tuple(self._games_of(path))
        chosen = self._chosen.get(path, "")
        return tuple(sorted(self._games[path], key=lambda game: game != chosen))

    def game(self, path: str) -> str | None:
        """The first of these games, found without looking at the others."""
        if path not in self._first:
            self._first[path] = next(self._games_of(path), None)
        found = self._chosen.get(path) or self._first[path]
        if found is not None:
            self._last_game[path] = found
        return found

    def choose(self, path: str, game: str) -> None:
        """Sets the game of a file."""
        self._chosen[path] = game

    def _games_of(self, path: str) -> Iterator[str]:
        if path in self._games:
            yield from self._games[path]
            return
        if path.endswith(TESTS):
            yield from filter(None, [self._tested(path)])
            return
        likely = {Path(path).stem, Path(path).parent.name}
        sheets = sorted(self._sheets_near(Path(path)), key=lambda one: Path(one).stem not in likely)
        for sheet in sheets:
            is_beside = sheet != path and Path(sheet).parent == Path(path).parent
            if path in self._files(sheet) and not (is_beside and self._has_no_game(path)):
                yield sheet

    def _has_no_game(self, path: str) -> bool:
        """Whether a file in the place of a sheet is none, so that it is checked alone."""
        return path.endswith(".targi") and not _GAME.search(self.source(path).text)

    def _sheets_near(self, file: Path) -> Iterator[str]:
        above = file.parent.parent
        folders = [file.parent, above, above / SHEETS, above.parent / "rules" / SHEETS]
        default = resources.path(f"rules/{SHEETS}/{resources.default_game()}.targi")
        if resources.name(file) is not None and default is not None:
            folders.append(default.parent)
        for folder in dict.fromkeys(folders):
            edited = (path for path in self._texts if Path(path).parent == folder)
            paths = {*map(str, folder.glob("*.targi")), *edited}
            yield from sorted(one for one in paths if one.endswith(".targi"))

    def files(self, game: str) -> set[str]:
        """The files of a game and of its rule tests."""
        return {*self._files(game), *self.tests_of(game)}

    def _files(self, sheet: str) -> set[str]:
        """The files that a game reads, or read before its sheet had an error; none if it is not a
        sheet.
        """
        if sheet not in self._read_files:
            self._read_files[sheet] = self._files_read(sheet)
        return self._read_files[sheet]

    def _files_read(self, sheet: str) -> set[str]:
        found = set[str]()
        try:
            if _GAME.search(self.source(sheet).text):
                found = {sheet}
                written = load.read(sheet, self._project(sheet))
                found = {path_of(name) for name in written.files()}
                if not written.errors.no_module:
                    self._last_files[sheet] = found
        except Problems:
            pass  # the sheet or one of its files is unreadable
        return found and found | self._last_files.get(sheet, set())

    def _project(self, sheet: str) -> Project:
        check = self._checks.setdefault(sheet, Check())
        return discovery.beside(Path(sheet), self._texts, check.cache)

    # ---- checks ----

    def check(self, game: str, stop: Callable[[], bool] | None = None) -> Check:
        """The current check of a game. Raises Stopped when `stop` returns true."""
        check = self._checks.setdefault(game, Check())
        if check.edition != self._edition:
            edition = self._edition
            try:
                project = self._project(game)
                checked = load.analyse(game, project, stop=stop, warned=self._warned)
                alone = check_alone(self.source(game)) if checked.index.is_empty else None
                check.problems = checked.problems if alone is None else alone
                if check.index is None or not checked.index.is_empty:
                    check.index = checked.index
            except Problems as error:
                check.problems = error.problems
            check.edition = edition
            if check.is_sound:
                check.sound = dict(self._texts)
        return check

    def earlier(self, path: str) -> Workspace | None:
        """The workspace when the game of a file was last without errors; None if it has none now,
        or always had some.
        """
        game = self.game(path)
        before = game or self._last_game.get(path, "")
        check = self._checks.get(before)
        if check is None or check.sound is None or (game and check.is_sound):
            return None
        if check.earlier is None:
            check.earlier = Workspace()
        check.earlier.choose(path, before)
        if check.earlier._texts != check.sound:
            check.earlier._texts = {**check.sound}
            check.earlier._edition += 1
        return check.earlier

    def problems(self, path: str) -> tuple[Problem, ...]:
        """All problems of a file's game; of the file alone if no game reads it, or if it has rule
        tests (`outcomes` runs these).
        """
        if path.endswith(TESTS):
            try:
                return self._tests_in(path).problems
            except Problems as error:
                return error.problems
        game = self.game(path)
        if game is not None:
            return self.check(game).problems
        try:
            return check_alone(self.source(path)) or ()
        except Problems as error:
            return error.problems

    def index(self, path: str) -> Index | None:
        """The symbol index of a file's game."""
        game = self.game(path)
        return None if game is None else self.check(game).index

    def indexes(self, path: str) -> tuple[Index, ...]:
        """The index of the last check, which may be older than the latest edits, and that of when
        the game was last without errors.
        """
        check, earlier = self._checks.get(self.game(path) or ""), self.earlier(path)
        latest = (check and check.index) or self.index(path)
        before = None if earlier is None else earlier.index(path)
        return tuple(one for one in (latest, before) if one is not None)

    def at(self, path: str, offset: int) -> Occurrence | None:
        """The name at an offset."""
        return next((one for one in self.names(path) if covers(one.span, offset)), None)

    def names(self, path: str, index: Index | None = None) -> Iterator[Occurrence]:
        """The names in a file."""
        index = index or self.index(path)
        if path.endswith(TESTS) and index is not None:
            yield from self._names_in_tests(path, index)
            return
        for one in () if index is None else index.occurrences:
            if path_of(one.span.source.name) == path:
                yield one

    # ---- rule tests ----

    def test_file(self, path: str) -> TestFile:
        """The rule tests of a file, as far as they can be parsed; raises Problems if it cannot be
        read.
        """
        return self._tests_in(path).file

    def tests_of(self, game: str) -> tuple[str, ...]:
        """The files of rule tests of a game."""
        if game not in self._tests:
            folder = Path(game).parent
            found = {
                str(path) for part in ("", "*/", "*/*/") for path in folder.glob(part + _FILES)
            }
            if resources.name(Path(game)) is not None:
                shipped = (
                    resources.path(f"rules/{name}") for name in resources.names("rules", TESTS)
                )
                found |= {*map(str, filter(None, shipped))}
            found |= {path for path in self._texts if path.endswith(TESTS)}
            self._tests[game] = tuple(one for one in sorted(found) if self._tested(one) == game)
        return self._tests[game]

    def uses_in_tests(self, game: str, index: Index) -> Iterator[Occurrence]:
        """The names in the rule tests of a game."""
        for path in self.tests_of(game):
            yield from self._names_in_tests(path, index)

    def outcomes(self, path: str) -> Iterator[Outcome]:
        """Runs the rule tests of a file, one by one."""
        file, games = self.test_file(path), self.playable(path)
        yield from (run_test(file, test, games) for test in file.tests)

    def position(self, path: str, offset: int) -> State | None:
        """The position of a rule test at an offset, if there is one."""
        file = self.test_file(path)
        before = (test for test in reversed(file.tests) if test.span.start <= offset)
        test = next(before, None)
        return None if test is None else state_at(file, test, self.playable(path), offset)

    def playable(self, path: str) -> Games:
        """The games with which the rule tests of a file are run."""
        game = self.game(path)
        if game is None:
            return Games()
        texts = [self.source(one).text for one in sorted(self._files(game))]
        if game not in self._played or self._played[game][0] != texts:
            project = self._project(game)
            self._played[game] = texts, Games(lambda _, options: load.load(game, project, options))
        return self._played[game][1]

    def _tests_in(self, path: str) -> _Tests:
        source, read = self.source(path), self._read_tests.get(path)
        if read is None or read.file.source.text != source.text:
            read = self._read_tests[path] = _Tests(*parse_tests(source))
        return read

    def _names_in_tests(self, path: str, index: Index) -> tuple[Occurrence, ...]:
        try:
            read = self._tests_in(path)
        except Problems:
            return ()  # it cannot be read
        if read.index is not index:
            read.index, read.names = index, names_in(read.file, index)
        return read.names

    def _tested(self, path: str) -> str | None:
        """The sheet of the game that a file's tests are of."""
        try:
            found = game_of(self.test_file(path), self.source)
        except Problems:
            return None
        if found.endswith(".targi"):
            return found
        shipped = resources.path(f"rules/{SHEETS}/{found}.targi")
        return None if shipped is None else str(shipped)


@lru_cache(10_000)
def path_of(name: str) -> str:
    """The absolute path of a file, by the name in a span: a path, or the name of a shipped file."""
    shipped = None if os.path.isabs(name) else resources.path(name)  # noqa: PTH117
    return name if shipped is None else str(shipped)


def covers(span: Span, offset: int) -> bool:
    """Whether an offset is in a span, or directly after it."""
    return span.start <= offset <= span.end
