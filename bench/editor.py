"""Holds the language service to oracles, over the shipped games.

    python -m bench.editor rename [GAME...]    every name gets another one, and its old one back
    python -m bench.editor complete [GAME...]  every word is cut off with the rest of its line
    python -m bench.editor edit [GAME...]      random edits give the same problems as a new check

A name is checked in all games that have it, a word where it stands; without games, those of all
sheets. `--every K` tries each K-th only, `--edits N` sets the number of edits of each game, and
`--seed N` which. `--log FILE` keeps what was found, and goes on behind it. Exits with 1 if anything
differs.
"""

from __future__ import annotations

import argparse
import gc
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from targi_dsl import Seed, choices, play, result, start
from targi_dsl.compiler.emit.linearize import linearize
from targi_dsl.compiler.index import Occurrence
from targi_dsl.compiler.load import analyse, check, check_alone
from targi_dsl.compiler.project import discovery
from targi_dsl.compiler.project.cache import CheckCache
from targi_dsl.ir.game import Game
from targi_dsl.language_service import Refused, Workspace, completions, path_of, rename
from targi_dsl.lsp.server import NEW_OBJECTS
from targi_dsl.records.testing import run_test
from targi_dsl.syntax import expected_at
from targi_dsl.syntax.grammar import is_cell, language
from targi_dsl.syntax.lexer import WORD, tokenize
from targi_dsl.text.diagnostics import Edit, Problem, Problems, apply_edits
from targi_dsl.text.resources import TESTS
from targi_dsl.text.source import Source
from tests.games import ALL
from tests.random_edits import edits

ROOT = Path(__file__).parent.parent
AGAIN, AGAIN_CELL = "zqz", "9041"
"""What a new name has behind the old one, so that it has the same place in the alphabet; nothing
else has it. One like a cell (b2), which needs no translation, stays like one.
"""
_FILES = ("module", "card set", "game")
"""Kinds of names that are those of files."""
_NEEDED = (("rule", "setup"), ("rule", "round"))
"""What every game has by this name."""
_PLACES = re.compile(r"(?:Span\(home=<[^>]*>, first=\d+, last=\d+\)|hash='[^']*')")
"""What is different in a game whose text has changed."""
_AT_ONCE = 20  # the most names that are changed together
_DECISIONS = 300  # the longest recorded game


def sheet_of(game: str) -> str:
    """The path of a shipped sheet."""
    return str(ROOT / f"rules/games/{game}.targi")


class Declared(NamedTuple):
    """A name where it is declared, and the first game that has it."""

    game: str
    kind: str
    name: str
    path: str
    start: int

    def __str__(self) -> str:
        file = Path(self.path).relative_to(ROOT)
        return f"{file}:{self.start} {self.kind} {self.name}"


def declared(workspace: Workspace, games: Iterable[str]) -> Iterator[Declared]:
    """The names that games declare, each once."""
    found = set[tuple[str, int]]()
    for game in games:
        index = workspace.check(sheet_of(game)).index
        assert index is not None
        local = (one.symbol for one in index.occurrences if one.symbol is not None)
        for one in (*index.symbols.values(), *local):
            if one.span is None or one.kind in _FILES or (one.kind, one.name) in _NEEDED:
                continue
            if one.span.text != one.name.rpartition(".")[2]:
                continue  # it is put together
            place = path_of(one.span.source.name), one.span.start
            if place not in found:
                found.add(place)
                yield Declared(game, one.kind, one.name.rpartition(".")[2], *place)


Check = tuple[str, Callable[[], Iterable[str]]]
"""The name of a check, and what does it; it gives a line for each difference."""

Group = dict[Declared, Mapping[str, tuple[Edit, ...]]]
"""The edits, by file, of each of some names of one game; none overlap."""


class Renaming:
    """New names for what a workspace has. counts: how many games were compared, and how."""

    def __init__(self, workspace: Workspace, counts: Counter[str]) -> None:
        self._workspace, self._counts = workspace, counts
        self._before = dict[str, str]()

    def checks(self, names: Iterable[Declared]) -> Iterator[Check]:
        """The check of each name. Many are changed at once, and one by one only where anything goes
        wrong.
        """
        groups = list[tuple[Group, set[tuple[str, int]]]]()
        game = ""
        for one in names:
            if one.game != game:
                yield from chain(*(self._checks(group) for group, _ in groups))
                groups, game = [], one.game
            try:
                new = one.name + (AGAIN_CELL if is_cell(one.name) else AGAIN)
                edits = self._renamed(self._workspace, one, one.start, new)
            except Refused as refusal:
                yield str(one), partial(list, [f"refused: {refusal}"])
                continue
            places = {
                (path, at)
                for path, those in edits.items()
                for edit in those
                for at in range(edit.span.start, edit.span.end + 1)
            }
            apart = (at for at, (_, taken) in enumerate(groups) if taken.isdisjoint(places))
            at = next(apart, len(groups))
            groups[at:] = groups[at:] or [({}, set())]
            groups[at][0][one] = edits
            groups[at][1].update(places)
            if len(groups[at][0]) == _AT_ONCE:
                yield from self._checks(groups.pop(at)[0])
        yield from chain(*(self._checks(group) for group, _ in groups))

    def _checks(self, group: Group) -> Iterator[Check]:
        found = [*self.differences(group)]
        for one in group:
            lines = self.differences({one: group[one]}) if found and len(group) > 1 else found
            yield str(one), partial(list, lines)

    def differences(self, group: Group) -> Iterator[str]:
        """What goes wrong when names are changed in all games that have them, and each is changed
        back.
        """
        texts = _texts(*group.values())
        other = self._workspace.with_texts(texts)
        (own,) = {sheet_of(one.game) for one in group}
        own_files = self._workspace.files(own)
        with_more = (path for path in texts if path not in own_files)
        games = dict.fromkeys([own, *(game for path in with_more for game in other.games(path))])
        for game in games:
            if told := other.problems(game):
                yield f"{Path(game).stem}: {told[0].code} {told[0].title}"
                continue
            is_same, why = self._plays_otherwise(game, other, texts)
            if why:
                yield f"{Path(game).stem}: {why}"
            for path in self._workspace.tests_of(game):
                yield from _failing(other, path, [one.name if is_same else "" for one in group])
        for one in group:
            rest = [edits for name, edits in group.items() if name != one]
            before = {path: self._workspace.source(path).text for path in texts} | _texts(*rest)
            above = (edit for edits in group.values() for edit in edits.get(one.path, ()))
            moved = (
                len(edit.new) - len(edit.span.text) for edit in above if edit.span.start < one.start
            )
            try:
                back = self._renamed(other, one, one.start + sum(moved), one.name)
            except Refused as refusal:
                yield f"refused back: {refusal}"
                continue
            for path, text in {**texts, **_texts(back)}.items():
                if text != before.get(path):
                    yield f"{Path(path).relative_to(ROOT)} is not changed back"

    def _renamed(
        self, workspace: Workspace, one: Declared, start: int, name: str
    ) -> Mapping[str, tuple[Edit, ...]]:
        return rename(workspace, one.path, start, name, [str(ROOT)])

    def _plays_otherwise(
        self, sheet: str, other: Workspace, texts: dict[str, str]
    ) -> tuple[bool, str]:
        """Whether a game with these texts is as a whole what it was, apart from the name; if not,
        also how the course of a game differs.
        """
        if sheet not in self._before:
            self._before[sheet] = _whole(self._workspace, sheet)
        is_same = _old(_whole(other, sheet)) == self._before[sheet]
        self._counts["games alike" if is_same else "games that play alike"] += 1
        if is_same:
            return True, ""
        now = [_old(line) for line in _course(self._game(sheet, texts))]
        pairs = enumerate(zip_longest(now, _course(self._game(sheet, {}))), 1)
        return False, next((f"at choice {at}: {new}" for at, (new, old) in pairs if new != old), "")

    def _game(self, sheet: str, texts: dict[str, str]) -> Game:
        cache = self._workspace.check(sheet).cache.fork()
        game, problems = check(sheet, discovery.beside(Path(sheet), texts, cache))
        assert game is not None, problems
        return game


def _failing(workspace: Workspace, path: str, names: Sequence[str]) -> Iterator[str]:
    """The rule tests of a file that have one of the names and fail; in the same game others do what
    they did before.
    """
    file = workspace.test_file(path)
    for test in file.tests:
        lines = [line.text for phase in test.phases for line in phase.lines]
        if any(name in line for line in lines for name in names):
            for problem in run_test(file, test, workspace.playable(path)).problems:
                yield f"{test.full_name}: {problem.title}"


def _whole(workspace: Workspace, sheet: str) -> str:
    """A game and its program as text, without the places of declarations."""
    index = workspace.check(sheet).index
    assert index is not None
    game = index.game
    assert game is not None
    return _PLACES.sub("", repr(game)) + _PLACES.sub("", repr(linearize(game)))


def _old(text: str) -> str:
    """A text with the old name."""
    return text.replace(AGAIN, "").replace(AGAIN_CELL, "")


def _course(game: Game) -> list[str]:
    """A game line by line: what is offered, what is chosen, and the end."""
    state, found = start(game, Seed(1)), list[str]()
    for step in range(_DECISIONS):
        offered = choices(state)
        if not offered:
            break
        choice = offered[crc32(b"%d" % step) % len(offered)]
        found.append(f"{state.seat}: {choice.id} of {[one.id for one in offered]}")
        state, _ = play(state, choice)
    return [*found, repr(result(state)) if state.seat is None else "goes on"]


def _texts(*changes: Mapping[str, tuple[Edit, ...]]) -> dict[str, str]:
    """The texts of all files after all changes."""
    paths = dict.fromkeys(chain(*changes))
    return {path: apply_edits([*chain(*(one.get(path, ()) for one in changes))]) for path in paths}


def completed(workspace: Workspace, path: str, every: int, tried: Counter[str]) -> Iterator[str]:
    """The words of a file that are not offered where they stand. tried: counts the words of the
    language and the names.
    """
    text, keywords = workspace.source(path).text, language().keywords
    names = {one.span.start: one for one in workspace.names(path)}
    words = [*_words(workspace, path, names)][::every]
    for begin, end in words:
        name, word = names.get(begin), text[begin:end]
        before = text[:begin].rpartition("\n")[2]
        is_new = path.endswith(".targi") and expected_at(text, begin).kinds == {"new"}
        if is_new and not re.fullmatch(r"replace \w+ ", before):
            continue
        if word in keywords or (name is not None and not _is_declared_here(name)):
            cut = workspace.with_texts({path: text[:begin] + text[text.index("\n", begin) :]})
            kind = "name" if name else "word"
            tried[kind] += 1
            found = completions(cut, path, begin)
            begun = text[found.span.start : begin] + word
            if not any(re.match(rf"{begun}\b", one.text) for one in found.items):
                yield f"{kind} {Path(path).name}: {before.strip()} | {word}"


def _words(
    workspace: Workspace, path: str, names: Mapping[int, Occurrence]
) -> Iterator[tuple[int, int]]:
    """Where the words of a file begin and end: in rules all, in rule tests what can be a name or
    begins a line, and on cards the names and what is in sentences.
    """
    text = workspace.source(path).text
    if path.endswith(".yaml"):
        fields = {
            key: of
            for game in workspace.indexes(path)
            for kind, name in game.symbols
            if kind == "kind of card"
            for key, of in game.fields(name).items()
        }
        for word in re.finditer(r"\b[a-z]\w*", text):
            at = word.start()
            sentence = workspace.sentence_at(path, at, fields)
            quoted = sentence is not None and sentence[0][: sentence[1]].count('"') % 2
            if at in names or (sentence is not None and not quoted):
                yield word.span()
    elif path.endswith(TESTS):
        yield from (one.span() for one in re.finditer(r"\w+", text) if one.start() in names)
        yield from (one.span(1) for one in re.finditer(r"^ +(\w+)\b", text, re.MULTILINE))
    else:
        lexemes = tokenize(Source("", text), True).all
        yield from ((one.start, one.end) for one in lexemes if one.kind == WORD)


def _is_declared_here(one: Occurrence) -> bool:
    symbol = one.symbol
    if symbol is None or symbol.span is None or symbol.kind == "answer":
        return True
    return symbol.span.start == one.span.start and symbol.span.source is one.span.source


def edited(game: str, number: int, seed: int) -> Iterator[str]:
    """The edits after which a workspace tells other problems than a check of everything."""
    sheet, workspace = sheet_of(game), Workspace()
    paths = [one for one in workspace.files(sheet) if not one.endswith(TESTS)]
    files = {path: workspace.source(path).text for path in paths}
    for texts in islice(edits(files, seed), number):
        changed = {path: text for path, text in texts.items() if text != files[path]}
        for path in files:
            workspace.edit(path, changed.get(path))
        if _told(workspace.problems(sheet)) != _told(_validated(sheet, changed)):
            yield f"{sorted(changed)}: other problems"


def _validated(sheet: str, texts: Mapping[str, str]) -> tuple[Problem, ...]:
    """What `targi validate` tells of a sheet with these texts."""
    try:
        alone = check_alone(Source(sheet, texts[sheet])) if sheet in texts else None
        found = discovery.beside(Path(sheet), texts, CheckCache())
        return analyse(sheet, found).problems if alone is None else alone
    except Problems as error:
        return error.problems


def _told(problems: tuple[Problem, ...]) -> list[object]:
    return [
        (
            one.code,
            one.title,
            one.text,
            one.hint,
            one.span and (one.span.source.name, one.span.start),
        )
        for one in problems
    ]


def _checks(
    given: argparse.Namespace, counts: Counter[str], done: Collection[str]
) -> Iterator[Check]:
    """The checks, apart from some that are done."""
    workspace = Workspace()
    if given.what == "edit":
        for game in given.games:
            yield game, partial(edited, game, given.edits, given.seed)
    elif given.what == "rename":
        names = [*declared(workspace, given.games)][:: given.every]
        yield from Renaming(workspace, counts).checks(one for one in names if str(one) not in done)
    else:
        games = map(sheet_of, given.games)
        for path in dict.fromkeys(path for game in games for path in sorted(workspace.files(game))):
            words = partial(completed, workspace, path, given.every, counts)
            yield str(Path(path).relative_to(ROOT)), words


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("rename", "complete", "edit"))
    parser.add_argument("games", nargs="*", default=ALL)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--edits", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path, default=Path(os.devnull))
    given = parser.parse_args()
    counts = Counter[str]()
    given.log.touch()
    gc.set_threshold(NEW_OBJECTS)
    done = {line.split("\t")[0] for line in given.log.read_text().splitlines()}
    with given.log.open("a") as log:
        for name, check in _checks(given, counts, done):
            if name in done:
                continue
            lines = [*check()]
            counts["checks"] += 1
            counts["differences"] += len(lines)
            log.writelines(f"{name}\t{line}\n" for line in lines or [""])
            log.flush()
            sys.stdout.writelines(f"{name}: {line}\n" for line in lines)
    sys.stdout.writelines(f"{count} {kind}\n" for kind, count in counts.items())
    return 1 if counts["differences"] else 0


if __name__ == "__main__":
    sys.exit(main())
