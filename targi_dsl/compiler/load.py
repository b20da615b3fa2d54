"""Entry points of the compiler: load, check or analyse the game of a sheet."""

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
"""Where the files of a game are looked up; or texts by path, which take precedence over the files
on disk if the sheet is given by path, and over the shipped files otherwise.
"""


def load(
    name_or_path: str,
    find: Find | None = None,
    options: Mapping[str, str] | None = None,
    decks: Mapping[str, str] | None = None,
    players: int | None = None,
) -> Game:
    """The checked game of a sheet, with its program.

    `name_or_path`: a name is looked up in `find`, by default the shipped library and then the
    current folder; anything with a `/` or ending in `.targi` is a path. `options` override those of
    the sheet, `decks` its decks by zone, in the syntax of a sheet. `players` is the number of
    players, if the rules leave it open. Raises Problems with all problems of all files if there is
    an error.
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
    """The game, or None if it has errors, and all its problems including warnings. Parameters as of
    `load`.
    """
    try:
        request = _request(name_or_path, find, options, decks)
        game = request.compile()
    except Problems as error:
        return None, error.problems
    return game.finished if game.sound else None, request.problems(game)


class _Request(Frozen):
    """A compilation request: the sheet, where files are looked up, and overriding options and
    decks.
    """

    sheet: Source
    project: Project
    options: Mapping[str, str]
    decks: Mapping[str, str]

    def read(self) -> Written:
        return read_game(self.project, self.sheet, self.options, self.decks)

    def compile(
        self, passes: tuple[Pass, ...] = PASSES, stop: Callable[[], bool] | None = None
    ) -> Compilation:
        """Reads the game and runs passes on it; `stop` is polled for cancellation."""
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
        """The problems of the game in order, without allowed warnings and without repairs that do
        not work: each repair is tried by compiling again.
        """

        def problems_after(sources: Mapping[Source, Source]) -> Sequence[Problem]:
            sheet = sources.get(self.sheet, self.sheet)
            again = replace(self, sheet=sheet, project=self.project.with_sources(sources))
            try:
                return again.compile(CHECKING, game.stop).written.problems
            except Problems as error:
                return error.problems

        reported = in_order(without_allowed(game.written.problems))
        return faults.check_repairs(reported, problems_after)


def require(
    name_or_path: str, find: Find | None = None, decks: Mapping[str, str] | None = None
) -> None:
    """Raises Problems if a game has errors. Parameters as of `load`."""
    problems = analyse(name_or_path, find, None, decks, warned=False).problems
    if any(problem.severity == "error" for problem in problems):
        raise Problems(problems)


class Checked(Frozen):
    """The result of an analysis: all problems of a game, and its symbol index, which is available
    despite errors. players: the possible numbers of players, the usual one first, if neither the
    rules nor the sheet fix it.
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
    """Checks a game for every possible number of players, and indexes its symbols. Each problem is
    reported once. Raises Problems if there is no such sheet.

    `stop` is polled between passes and rules; Stopped is raised when it returns true. Unless
    `warned`, the lints are skipped.
    """
    request = _request(name_or_path, find, options, decks)
    passes = CHECKING if warned else REFUSING
    game = request.compile(passes, stop)
    problems = dict.fromkeys((*request.problems(game), *catalogues.problems(game)))
    is_fixed = PLAYERS in game.written.options
    numbers = () if is_fixed else game.symbols.option_values.get(PLAYERS, ())
    for number in numbers[1:] if game.sound else ():
        other = replace(request, options={**request.options, PLAYERS: number})
        problems |= dict.fromkeys(other.problems(other.compile(passes, stop)))
    return Checked(in_order(list(problems)), Index(game), numbers)


def check_alone(source: Source) -> tuple[Problem, ...] | None:
    """The problems of a module or card file by itself; None for a sheet, which can only be checked
    with the files that it names.
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
    """The parsed files of a game, not checked. Raises Problems if there is no such sheet."""
    return _request(name_or_path, find, options, decks).read()


def option_values(name_or_path: str) -> dict[str, tuple[str, ...]]:
    """The options of a game, each with its possible values. Raises Problems if there is no such
    sheet.
    """
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
    """Where the files of a game are looked up."""
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
