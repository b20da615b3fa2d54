"""Holds the language service to oracles, over the shipped games.

    python -m bench.editor rename [GAME...]    every name gets a fresh one, and its old one back
    python -m bench.editor complete [GAME...]  every word is cut off with the rest of its line
    python -m bench.editor edit [GAME...]      random edits give the same problems as a new check

`--every K` tries each K-th only, `--edits N` sets the number of edits. Exits with 1 if anything
differs.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from targi_dsl.compiler.index import Occurrence
from targi_dsl.compiler.load import analyse, check, check_alone
from targi_dsl.compiler.project import discovery
from targi_dsl.compiler.project.cache import CheckCache
from targi_dsl.engine import engine_of
from targi_dsl.language_service import Refused, Workspace, completions, path_of, rename
from targi_dsl.syntax import expected_at
from targi_dsl.syntax.grammar import language
from targi_dsl.syntax.lexer import WORD, tokenize
from targi_dsl.text.diagnostics import Edit, Problem, Problems, apply_edits
from targi_dsl.text.source import Source
from tests.random_edits import edits

ROOT = Path(__file__).parent.parent
GAMES = ("base", "bazaar_fair", "liars_dice", "reversi")
FRESH = "quite_another_name"
_FIXED = ("local", "module", "card set", "answer")
"""Kinds of names that are not declared, or belong to files."""
_NEEDED = (("rule", "setup"), ("rule", "round"))
"""What every game has by this name."""


def sheet_of(game: str) -> str:
    """The path of a shipped sheet."""
    return str(ROOT / f"rules/games/{game}.targi")


def renamed(game: str, every: int) -> Iterator[str]:
    """What goes wrong when the names of a game are changed and changed back, one by one."""
    sheet, workspace = sheet_of(game), Workspace()
    index = workspace.check(sheet).index
    assert index is not None
    before = _vectors(sheet, {})
    names = [
        one
        for key, one in index.symbols.items()
        if one.kind not in _FIXED and one.span and key not in _NEEDED
    ]
    for symbol in names[::every]:
        assert symbol.span is not None
        path, at = path_of(symbol.span.source.name), symbol.span.start
        try:
            changes = rename(workspace, path, at, FRESH, [str(ROOT)])
        except Refused as why:
            yield f"{symbol.kind} {symbol.name}: {why}"
            continue
        texts = _texts(changes)
        other = workspace.with_texts(texts)
        if told := other.problems(sheet):
            yield f"{symbol.kind} {symbol.name}: {told[0].code} {told[0].title}"
        elif _vectors(sheet, texts) != before:
            yield f"{symbol.kind} {symbol.name}: plays otherwise"
        elif failed := _failed(other, sheet):
            yield f"{symbol.kind} {symbol.name}: {failed}"
        else:
            own = symbol.name.rpartition(".")[2]
            at += sum(len(FRESH) - len(own) for edit in changes[path] if edit.span.start < at)
            back = _texts(rename(other, path, at, own, [str(ROOT)]))
            if any(text != workspace.source(path).text for path, text in back.items()):
                yield f"{symbol.kind} {symbol.name}: not changed back"


def _texts(changes: Mapping[str, tuple[Edit, ...]]) -> dict[str, str]:
    return {path: apply_edits(those) for path, those in changes.items()}


def _failed(workspace: Workspace, sheet: str) -> str:
    """The first rule test of a game that does not hold."""
    outcomes = (one for path in workspace.tests_of(sheet) for one in workspace.outcomes(path))
    return next(
        (f"{one.test.full_name}: {one.problems[0]}" for one in outcomes if one.problems), ""
    )


def _vectors(sheet: str, texts: dict[str, str]) -> list[tuple[tuple[int, ...], int]]:
    """How three random games end."""
    game, problems = check(sheet, discovery.beside(Path(sheet), texts, CheckCache()))
    assert game is not None, problems
    ends = (engine_of(game).playout(seed) for seed in range(3))
    return [(tuple(vector), decisions) for vector, decisions in ends]


def completed(game: str, every: int, tried: Counter[str] | None = None) -> Iterator[str]:
    """The words that are not offered where they stand in the rules of a game. tried: counts the
    words of the language and the names.
    """
    tried = Counter() if tried is None else tried
    workspace = Workspace()
    index = workspace.check(sheet_of(game)).index
    assert index is not None
    keywords = language().keywords
    known = {(path_of(one.span.source.name), one.span.start): one for one in index.occurrences}
    paths = sorted({path for path, _ in known if path.endswith(".targi")})
    for path in paths:
        text = workspace.source(path).text
        for word in [one for one in tokenize(Source("", text), True).all if one.kind == WORD][
            ::every
        ]:
            name = known.get((path, word.start))
            before = text[: word.start].rpartition("\n")[2]
            is_new = expected_at(text, word.start).kinds == {"new"}
            if is_new and not re.fullmatch(r"replace \w+ ", before):
                continue
            if word.text in keywords or (name is not None and not _is_declared_here(name)):
                end = text.index("\n", word.start)
                cut = workspace.with_texts({path: text[: word.start] + text[end:]})
                tried["name" if name else "word"] += 1
                found = {one.text for one in completions(cut, path, word.start).items}
                if word.text not in found:
                    line = text[: word.end].rpartition("\n")[2].strip()
                    yield f"{'name' if name else 'word'} {Path(path).name}: {line}"


def _is_declared_here(one: Occurrence) -> bool:
    symbol = one.symbol
    if symbol is None or symbol.span is None or symbol.kind == "answer":
        return True
    return symbol.span.start == one.span.start and symbol.span.source is one.span.source


def edited(game: str, number: int, seed: int) -> Iterator[str]:
    """The edits after which a workspace tells other problems than a check of everything."""
    sheet, workspace = sheet_of(game), Workspace()
    files = {path: workspace.source(path).text for path in workspace._files(sheet)}
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("rename", "complete", "edit"))
    parser.add_argument("games", nargs="*")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--edits", type=int, default=100)
    given = parser.parse_args()
    wrong, tried = 0, Counter[str]()
    for game in given.games or GAMES:
        begun = time.perf_counter()
        found = {
            "rename": lambda game: renamed(game, given.every),
            "complete": lambda game: completed(game, given.every, tried),
            "edit": lambda game: edited(game, given.edits, 1),
        }[given.what](game)
        lines = [*found]
        wrong += len(lines)
        seconds = time.perf_counter() - begun
        sys.stdout.write(f"{game}: {len(lines)} differ, {seconds:.0f} s\n")
        sys.stdout.writelines(f"  {line}\n" for line in lines)
    for kind, count in tried.items():
        sys.stdout.write(f"{count} {kind}s\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
