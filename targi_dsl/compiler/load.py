"""Loads a game by name or path: reads, checks and lowers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from targi_dsl import cardfiles
from targi_dsl.compiler import catalogues
from targi_dsl.compiler.index import Index
from targi_dsl.compiler.layers.combine import combine
from targi_dsl.compiler.lowering.context import Compilation
from targi_dsl.compiler.pipeline import CHECKING, PASSES, RECURSION, REFUSING, Pass, run
from targi_dsl.compiler.project import discovery
from targi_dsl.compiler.project.discovery import PLAYERS, Project
from targi_dsl.compiler.project.sheets import read_game
from targi_dsl.compiler.project.written import Written
from targi_dsl.compiler.recovery import faults
from targi_dsl.compiler.recovery.allowances import without_allowed
from targi_dsl.ir.game import Game, register
from targi_dsl.syntax import parse_file
from targi_dsl.syntax.ast import Option, Sheet
from targi_dsl.text.diagnostics import Problem, Problems, in_order
from targi_dsl.text.files import is_file, read_file
from targi_dsl.text.nesting import allow_nesting
from targi_dsl.text.source import Source
from targi_dsl.text.structs import Frozen
from targi_dsl.text.suggestions import suggestion

Find = Project | Mapping[str, str]
"""Where the files of a game are found; or texts by path, which take precedence over the files on
disk if a sheet is given by path, and over the shipped ones.
"""


def load(
    name_or_path: str,
    find: Find | None = None,
    options: Mapping[str, str] | None = None,
    decks: Mapping[str, str] | None = None,
    players: int | None = None,
) -> Game:
    """The checked game of a sheet.

    A name is looked up in `find`, by default the shipped library and then the files of the current
    folder; a name with a `/` or ending in `.targi` is a path. Texts in memory are given to `find`
    by file name. `options` override those of the sheet. `decks` override its decks, by zone, as a
    sheet would write them. `players` is the number of players, if the rules leave it open. Raises
    Problems with everything that is wrong in any file.
    """
    if not isinstance(name_or_path, str):
        raise TypeError(f"a game has a name or path as text, not {type(name_or_path).__name__}")
    given = options or {}
    if players is not None:
        given = {**given, PLAYERS: str(players)}
    game, problems = check(name_or_path, find, given, decks)
    if game is None:
        raise Problems(problems)
    # Texts in memory and other decks cannot be loaded again by name.
    return register(replace(game, sheet="" if find or decks else name_or_path))


def check(
    name_or_path: str,
    find: Find | None = None,
    options: Mapping[str, str] | None = None,
    decks: Mapping[str, str] | None = None,
) -> tuple[Game | None, tuple[Problem, ...]]:
    """The game, unless it has errors, and all problems including warnings; `decks` override the
    sheet's.
    """
    try:
        request = _request(name_or_path, find, options, decks)
        game = request.compile()
    except Problems as error:
        return None, error.problems
    return game.finished if game.sound else None, request.problems(game)


class _Request(Frozen):
    """A sheet, where its files are found, and the options and decks that override its own."""

    sheet: Source
    project: Project
    options: Mapping[str, str]
    decks: Mapping[str, str]

    def read(self) -> Written:
        """The game as written."""
        return read_game(self.project, self.sheet, self.options, self.decks)

    def compile(
        self, passes: tuple[Pass, ...] = PASSES, stop: Callable[[], bool] | None = None
    ) -> Compilation:
        """The game after these passes."""
        game = Compilation(self.read(), RECURSION, stop)
        allow_nesting()
        try:
            run(game, passes)
        except RecursionError:
            why = "Definitions use one another in too long a row."
            hint = "Let the last of them use a variable."
            raise Problems(
                [
                    Problem(
                        "E106", "this is nested too deeply", None, why, hint, file=self.sheet.name
                    )
                ]
            ) from None
        self.project.store()
        return game

    def problems(self, game: Compilation) -> tuple[Problem, ...]:
        """The problems of the game, with repairs that have been checked."""

        def problems_after(sources: Mapping[Source, Source]) -> Sequence[Problem]:
            sheet = sources.get(self.sheet, self.sheet)
            again = replace(self, sheet=sheet, project=self.project.with_sources(sources))
            try:
                return again.compile(CHECKING, game.stop).written.problems
            except Problems as error:
                return error.problems

        told = in_order(without_allowed(game.written.problems))
        return faults.check_repairs(told, problems_after)


class Checked(Frozen):
    """All problems of a game, and its symbol index, which faulty games have too. players: the
    possible numbers of players, the usual one first, if neither the rules nor the sheet say it.
    """

    problems: tuple[Problem, ...]
    index: Index
    players: tuple[str, ...] = ()


def analyse(
    name_or_path: str,
    find: Find | None = None,
    options: Mapping[str, str] | None = None,
    decks: Mapping[str, str] | None = None,
    stop: Callable[[], bool] | None = None,
    *,
    warned: bool = True,
) -> Checked:
    """All that is wrong with a game, with every possible number of players, each problem once, and
    its symbol index. Raises Problems if there is no such sheet.

    `stop` is polled between declarations; Stopped is raised when it returns true. Unless `warned`,
    only errors are looked for.
    """
    request = _request(name_or_path, find, options, decks)
    passes = CHECKING if warned else REFUSING
    game = request.compile(passes, stop)
    found = dict.fromkeys((*request.problems(game), *catalogues.problems(game)))
    is_said = PLAYERS in game.written.options
    numbers = () if is_said else game.symbols.option_values.get(PLAYERS, ())
    for number in numbers[1:] if game.sound else ():
        other = replace(request, options={**request.options, PLAYERS: number})
        found |= dict.fromkeys(other.problems(other.compile(passes, stop)))
    return Checked(in_order(list(found)), Index(game), numbers)


def check_alone(source: Source) -> tuple[Problem, ...] | None:
    """The problems of the text of a module or card file, apart from any game; None for a sheet,
    which is checked with all that it uses.
    """
    if source.name.endswith((".yaml", ".yml")):
        return tuple(cardfiles.read_cards(source)[1])
    declarations, problems = parse_file(source)
    return None if any(isinstance(node, Sheet) for node in declarations) else problems


def read(
    name_or_path: str,
    find: Find | None = None,
    options: Mapping[str, str] | None = None,
    decks: Mapping[str, str] | None = None,
) -> Written:
    """The game as written, not yet checked; raises Problems if there is no such sheet."""
    return _request(name_or_path, find, options, decks).read()


def option_values(name_or_path: str) -> dict[str, tuple[str, ...]]:
    """The options of a game with all their values; raises Problems if there is no such sheet."""
    sheet = read(name_or_path)
    layers, _ = combine(tuple(sheet.modules.values()), {}, sheet.cites)
    options = (one.node for (sort, _), one in layers.effective.items() if sort == "option")
    return {
        node.name.text: tuple(value.text for value in node.values)
        for node in options
        if isinstance(node, Option)
    }


def _request(
    name_or_path: str,
    find: Find | None,
    options: Mapping[str, str] | None = None,
    decks: Mapping[str, str] | None = None,
) -> _Request:
    sheet, project = _sheet(name_or_path, find)
    # A value that is not a text is not a value of any option, and is refused as such.
    given = {str(name): str(value) for name, value in (options or {}).items()}
    return _Request(sheet, project, given, decks or {})


def project_of(name_or_path: str, find: Find | None = None) -> Project:
    """Where the files of a game are found."""
    return _sheet(name_or_path, find)[1]


def _sheet(name_or_path: str, find: Find | None) -> tuple[Source, Project]:
    if "/" in name_or_path or name_or_path.endswith(".targi"):
        if isinstance(find, Project):
            return find.sheet_at(name_or_path) or read_file(name_or_path), find
        path = Path(name_or_path)
        near = discovery.beside(path, find)
        return near.source(near.folders[0], path.name), near
    found = discovery.of_texts(find) if isinstance(find, Mapping) else find or discovery.shipped()
    sheet = found.game(name_or_path)
    if sheet is not None:
        return sheet, found
    if find is None and is_file(Path(f"{name_or_path}.targi")):
        return _sheet(f"./{name_or_path}.targi", None)
    games, text = found.names("game"), "There is no sheet with that name."
    hint = suggestion(name_or_path, games, f"The games are: {', '.join(sorted(games))}.")
    if find is None:
        here = [one.stem for one in sorted(Path().glob("[!.]*.targi"))]
        listed = "`targi games` lists those that are shipped."
        hint = suggestion(name_or_path, (*here, *games), listed)
        within = f"{name_or_path}/{name_or_path}.targi"
        if is_file(Path(within)) and check_alone(read_file(within)) is None:
            hint = f"Did you mean `{within}`?"
    raise Problems([Problem("E422", f"unknown game `{name_or_path}`", None, text, hint)])
