"""Texts with what is said of each: tests/corpus/*.txt, one case below the other.

A case is a change of a game, in lines that begin with `> `, and then the messages about the changed
game, as the terminal shows them. Within a change, a line is the name of a file; `- ` is what stands
there once, `+ ` what stands there instead, or at the end. A heading (`====`) may give lines that the
cases below it share: there `{}` stands for the lines of a case. The heading `base` has what all cases
of a file share. `check NAME` checks another game than the pond, `alone` takes the files of the pond
away, `play` plays to the end by first choices, and `paste` tells whether a hint in place of the
faulty part, or of its line, mends the text where no edit would. `parse`, `yaml` and `cards` only read a file.

`$ targi ...` is a command, carried out in a folder that has the files: what it prints is said, with its
exit code unless that is 0. Of `... | PATTERN` only the lines with the pattern are shown, and after
`... < ONE; OTHER` it is answered with these lines. `!` begins a line of the standard error. `$ cat FILE`
shows a file, and `$ ls` all names.

python -m tests.corpus [NAME]
    writes the messages anew, of one file or of all: the difference is to be read
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from targi_dsl.api import choices, play, start
from targi_dsl.cardfiles import read_cards, read_yaml
from targi_dsl.compiler.load import analyse, check, load
from targi_dsl.compiler.project.cache import CheckCache
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed
from targi_dsl.ir.game import Game
from targi_dsl.records import read, replay
from targi_dsl.records.testing import Games
from targi_dsl.syntax import parse_file
from targi_dsl.text.diagnostics import Problem, Problems, apply_edits, render
from targi_dsl.text.source import Source
from tests.commands import Done, targi
from tests.games import ALL, compiled
from tests.small_game import FILES, write_to

FOLDER = Path(__file__).parent / "corpus"
ENVIRONMENT = {"COLUMNS": "80", "LC_ALL": "en"}
Reader = Callable[[Source], tuple[object, Iterable[Problem]]]
READERS: dict[str, Reader] = {"parse": parse_file, "yaml": read_yaml, "cards": read_cards}
SAVED = "saved.yaml"
"""A file of this name is a record, which is replayed; HASH in it is the hash of the rules."""


@dataclass(frozen=True)
class Case:
    """Lines of a case, with those of its heading around them; and what is said of it."""

    heading: str
    lines: tuple[str, ...]
    shared: tuple[str, ...]
    said: str

    def name(self) -> str:
        """The heading and the first line."""
        return f"{self.heading}: {self.lines[0]}"

    def change(self) -> Iterator[str]:
        """The whole change, with the lines of the case in their place."""
        for line in self.shared:
            before, hole, after = line.partition("{}")
            yield from (f"{before}{one}{after}" for one in self.lines) if hole else (line,)
        if not any("{}" in line for line in self.shared):
            yield from self.lines


@dataclass
class Trial:
    """A game that a case has changed: its files, which is checked, and whether it is played."""

    files: dict[str, str]
    game: str = "pond"
    is_played: bool = False
    is_pasted: bool = False
    read: Reader | None = None
    commands: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, case: Case) -> Trial:
        trial = cls(dict(FILES))
        name, old, new = "", list[str](), list[str]()
        for line in (*case.change(), "."):
            mark, text = line[:1], line[2:]
            if old and mark != "+" and (new or mark != "-"):
                trial.change(name, "\n".join(old), "\n".join(new))
                old, new = [], []
            elif new and mark != "+":
                trial.files[name] = trial.files.get(name, "") + "\n".join([*new, ""])
                new = []
            match mark, line.split():
                case "-", _:
                    old.append(text)
                case "+", _:
                    new.append(text)
                case "$", _:
                    trial.commands.append(text)
                case _, ["check", game]:
                    trial.game = game
                case _, ["play"]:
                    trial.is_played = True
                case _, ["paste"]:
                    trial.is_pasted = True
                case _, [reader] if reader in READERS:
                    trial.read = READERS[reader]
                case _, ["alone"]:
                    trial.files.clear()
                case _:
                    name = line
        return trial

    def change(self, name: str, old: str, new: str) -> None:
        """Changes a passage of a file that occurs once; a line is removed with its end."""
        text = self.files[name]
        assert text.count(old) == 1, (name, old)
        self.files[name] = text.replace(old, new) if new else text.replace(f"{old}\n", "")

    def problems(self, kept: CheckCache | None = None) -> tuple[Problem, ...]:
        if self.read is not None:
            (text,) = self.files.items()
            return tuple(self.read(Source(*text))[1])
        project = of_texts(self.files, kept)
        if not self.is_played and SAVED not in self.files:
            return analyse(self.game, project).problems
        game, found = check(self.game, project)
        if game is not None:
            try:
                self.run(game)
            except Problems as problems:
                found += problems.problems
        return found

    def run(self, game: Game) -> None:
        if SAVED in self.files:
            replay(game, read(Source(SAVED, self.files[SAVED].replace("HASH", game.hash))))
            return
        state = start(game, Seed(1))
        while state.seat is not None:
            state, _ = play(state, choices(state)[0])

    def printed(self) -> Iterator[str]:
        """What each command prints, and the command itself where there are several."""
        with TemporaryDirectory() as home, pytest.MonkeyPatch.context() as patch:
            for name, value in {**ENVIRONMENT, "XDG_STATE_HOME": home}.items():
                patch.setenv(name, value)
            patch.setattr("targi_dsl.cli.commands.test.Games", partial(Games, loaded))
            folder = Path(home, "here")
            write_to(folder, self.files)
            folder.mkdir(exist_ok=True)
            patch.chdir(folder)
            for command in self.commands:
                said, _, pattern = command.partition(" | ")
                said, _, answers = said.partition(" < ")
                words = shlex.split(said)
                patch.setattr(sys, "argv", words)  # what is told to be done again is this
                done = carried_out(*words, answers=answers.replace("; ", "\n"))
                if len(self.commands) > 1:
                    yield f"$ {command}"
                lines = [f"  {line}" for line in done.out.replace(home, "HOME").splitlines()]
                lines += (f"! {line}" for line in done.err.replace(home, "HOME").splitlines())
                yield from [line for line in lines if re.search(pattern, line[2:])] or [
                    "  (nothing)"
                ]
                if done.code:
                    yield f"  (exit code {done.code})"

    def messages(self, kept: CheckCache) -> str:
        """What is said, whether the hints mend what they are about, and which of them get the same
        message again where they are pasted.
        """
        if self.commands:
            return cleaned("\n".join(self.printed()))
        found = self.problems(kept)
        told, errors = render(found) or "no problems", errors_of(found)

        @cache
        def after(name: str, text: str) -> tuple[Problem, ...]:
            return replace(self, files=self.files | {name: text}).problems(kept)

        for problem in found:
            assert not (self.is_pasted and problem.text[:1].islower()), "a text is sentences"
            name = problem.span.source.name if problem.span is not None else ""
            if problem.edits:
                changed = problem.edits[0].span.source.name
                left = errors_of(after(changed, apply_edits(problem.edits)))
                told += "\n  (mended)" if left < errors else f"\n  (mended, but for {left})"
            elif problem.hint and name in self.files:
                if self.is_pasted and not all(
                    errors_of(after(name, one)) for one in pasted(problem)
                ):
                    told += "\n  (mended if pasted)"
                in_place = islice(pasted(problem), 2 if self.is_pastable(problem) else 0)
                if any(is_told_again(problem, found, after(name, one)) for one in in_place):
                    told += f"\n  {AGAIN}"
        return cleaned(told)

    def is_pastable(self, problem: Problem) -> bool:
        """Whether the hint is what is to be written instead of an error of the game."""
        is_error = self.read is None and problem.severity == "error"
        return is_error and not IN_WORDS.search(problem.hint)


def loaded(name: str, options: dict[str, str]) -> Game:
    """A game of rule tests; a shipped one is compiled once for all."""
    return compiled(name) if name in ALL and not options else load(name, options=options)


def carried_out(name: str, *words: str, answers: str) -> Done:
    """What a command does."""
    match name:
        case "cat":
            return Done(0, Path(*words).read_text(encoding="utf-8"), "")
        case "ls":
            return Done(0, "\n".join(sorted(map(str, Path().rglob("*")))), "")
        case _:
            return targi(*words, answers=answers)


def cleaned(told: str) -> str:
    """A text without what depends on the rules of the day, and without blanks at line ends."""
    told = re.sub(r"\b(?!0123|0bad)[0-9a-f]{16}\b", "HASH", told)
    told = re.sub(r"-\d{8}-\d{6}-", "-TIME-", told)
    return "\n".join(line.rstrip() for line in told.splitlines())


AGAIN = "(told again if pasted)"

IN_WORDS = re.compile(
    "begin it with|begin it at|Put the text in quotes|Check that this|Close it with|Delete this"
)
"""Hints that say what is to be done, not what is to be written."""


def is_told_again(error: Problem, before: tuple[Problem, ...], after: tuple[Problem, ...]) -> bool:
    """Whether an error is still there, in a text that is understood as well as before."""
    same = {(one.code, one.title) for one in after}
    return unread(after) <= unread(before) and (error.code, error.title) in same


def unread(problems: Iterable[Problem]) -> int:
    """How much of a text is not understood at all."""
    return sum(one.code in ("E105", "E110") for one in problems)


def errors_of(problems: Iterable[Problem]) -> int:
    return sum(one.severity == "error" for one in problems)


def pasted(problem: Problem) -> Iterator[str]:
    """The text with the hint in place of the underlined part, of its line, before it, or after it."""
    span = problem.span
    assert span is not None
    text = span.source.text
    start = text.rfind("\n", 0, span.start) + 1
    end = (text + "\n").find("\n", span.start)
    line = text[start:end]
    indent = line[: len(line) - len(line.lstrip(" "))]
    for word in re.findall(r"`([^`]*)`", problem.hint) or [problem.hint]:
        yield text[: span.start] + word + text[span.end :]
        quoted = re.sub('"[^"]*"', lambda _, word=word: f'"{word}"', line)  # type: ignore[misc]
        key = line.partition(": ")[0]
        for instead in (
            indent + word, quoted, f"{key}: {word}", f"{indent}{word}\n{line}", f"{line}\n{word}",
        ):  # fmt: skip
            yield text[:start] + instead + text[end:]


@cache
def cases(name: str) -> tuple[Case, ...]:
    """The cases of a file, in order."""
    found, heading, base, shared = list[Case](), "", list[str](), list[str]()
    lines, said = list[str](), list[str]()
    for line in [*(FOLDER / f"{name}.txt").read_text(encoding="utf-8").split("\n"), "> ", "===="]:
        if line.startswith((">", "====")) and said and lines:
            told = "\n".join(said).strip("\n")
            found.append(Case(heading, tuple(lines), (*base, *shared), told))
            lines, said = [], []
        if line.startswith("===="):
            base = shared if heading == "base" else base
            heading, shared, lines, said = line[4:].strip(), [], [], []
        elif line.startswith(">"):
            lines.append(line[2:])
        elif lines:
            said.append(line)
        elif line:
            shared.append(line)
    return tuple(found)


def written(name: str) -> str:
    """A file with the messages of today."""
    kept, told = CheckCache(), iter(cases(name))
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    preface, *groups = re.split(r"^(?=====)", text, flags=re.MULTILINE)
    parts = [preface]
    for group in groups:
        head, *rest = re.split(r"^(?=>)", group, maxsplit=1, flags=re.MULTILINE)
        parts.append(head)
        for _ in re.findall(r"(?:^>.*\n)+", "".join(rest), re.MULTILINE):
            case = next(told)
            lines = [f"> {line}".rstrip() for line in case.lines]
            parts.append("\n".join([*lines, Trial.of(case).messages(kept), "\n"]))
    return "".join(parts).rstrip("\n") + "\n"


if __name__ == "__main__":
    for path in sorted(FOLDER.glob(f"{[*sys.argv, '*'][1]}.txt")):
        path.write_text(written(path.stem), encoding="utf-8")
