"""Makes slips in the shipped rules, cards and sheets, one at a time, and measures the messages.

    python -m bench.slips            all of them, and the figures
    python -m bench.slips --show 12  the messages about slip 12

A slip is a word misspelt, omitted or doubled, a symbol of another language, a wrong indentation, or
a name that does not exist. Each kind is made at several places, spread over all possible ones. The
line of each slip and its original text are known.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from targi_dsl.compiler.load import check, read
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.text import resources
from targi_dsl.text.diagnostics import Problem, apply_edits, render

GAMES = (
    "base", "expansion", "bazaar_fair", "auction", "small_estate", "pig", "liars_dice",
    "dice_race_rough", "bazaar_all_day",
)  # fmt: skip
_COMMENT = re.compile(
    r'#.*|(?<=because )"[^"\n]*|(?:source|about|as) "[^"\n]*'
    r"|^ *(?:name|short|text|source):.*|^title .*",
    re.MULTILINE,
)

FILES = {
    "rules": r"rules/(?!games/).*\.targi",
    "cards": r"cards/.*\.yaml",
    "sheets": r"rules/games/.*\.targi",
}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of slip: the files it is made in, the pattern it replaces, the replacement, and how
    many are made.

    `can_suggest` is False if no suggestion can be made, since the intention cannot be known.
    """

    name: str
    files: str
    pattern: str
    replacement: str
    times: int
    can_suggest: bool = True

    def written(self, match: re.Match[str]) -> str:
        """The replacement for a match."""
        text = match.expand(self.replacement)
        return text.capitalize() if self.name == "capital letters" else text


def _kinds(which: str) -> Iterator[Kind]:
    text = Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")
    for name, files, pattern, replacement, times, *unclear in yaml.safe_load(text)[which]:
        yield Kind(name, FILES[files], pattern, replacement, times, not unclear)


KINDS = tuple(_kinds("first"))
FRESH = tuple(_kinds("second"))
"""A second set, invented when all of the first were reported correctly."""


@dataclass(frozen=True, slots=True)
class Slip:
    """One slip: its game, kind and file, and the text before and after."""

    game: str
    kind: Kind
    file: str
    before: str
    after: str

    @property
    def line(self) -> int:
        """The first line that was changed."""
        lines = zip(self.before.splitlines(), self.after.splitlines(), strict=False)
        return next(at for at, (old, new) in enumerate(lines, 1) if old != new)


@dataclass(frozen=True, slots=True)
class Report:
    """The messages about a slip, and whether they are as they should be."""

    slip: Slip
    problems: tuple[Problem, ...]
    once: bool
    place: bool
    suggestion: bool
    repairs: bool


def slips() -> Iterator[Slip]:
    """All slips, in the order of their kinds."""
    for kind in (*KINDS, *FRESH):
        pattern = re.compile(kind.pattern)
        places = [
            (name, match)
            for name in games_of_files()
            if re.fullmatch(kind.files, name)
            for match in pattern.finditer(text_of(name))
            if not is_in_comment(text_of(name), match)
        ]
        changes = [place for place in places if kind.written(place[1]) != place[1][0]]
        for at in range(kind.times):
            name, match = changes[at * len(changes) // kind.times]
            new, text = kind.written(match), text_of(name)
            after = text[: match.start()] + new + text[match.end() :]
            yield Slip(games_of_files()[name], kind, name, text, after)


@cache
def text_of(name: str) -> str:
    return (resources.read(name) or b"").decode()


@cache
def games_of_files() -> dict[str, str]:
    """For each file, a game that it belongs to."""
    games: dict[str, str] = {}
    for game in GAMES:
        games.update((name, game) for name in read(game).files() if name not in games)
    sheets = {name: re.fullmatch(r"rules/games/(\w+)\.targi", name) for name in games}
    games.update((name, sheet[1]) for name, sheet in sheets.items() if sheet is not None)
    return games


def is_in_comment(text: str, match: re.Match[str]) -> bool:
    """Whether a match is in a comment, a text or the like."""
    near = text.rfind("\n", 0, match.start()) + 1
    comments = (comment.span() for comment in _COMMENT.finditer(text, near, match.end() + 200))
    return any(start <= match.start() < end for start, end in comments)


def report_on(slip: Slip) -> Report:
    """The messages about a slip."""
    problems = errors(slip, slip.after)
    places = [problem.span for problem in problems if problem.span is not None]
    lines = {place.line for place in places if place.source.name == slip.file}
    repairs = [problem for problem in problems if problem.edits]
    good = [problem for problem in repairs if not _left(slip, problem)]
    return Report(
        slip,
        problems,
        once=len(problems) == 1,
        place=slip.line in lines,
        suggestion=bool(good) or _says_how_it_was(slip, problems),
        repairs=len(good) == len(repairs),
    )


def errors(slip: Slip, text: str) -> tuple[Problem, ...]:
    """The errors of the game with another text of the file."""
    folder = slip.file.rsplit("/", 1)[0]
    beside = [name for name in games_of_files() if name.rsplit("/", 1)[0] == folder]
    files = {name: text_of(name) for name in beside if name.endswith(".targi")}
    _, problems = check(slip.game, of_texts({**files, slip.file: text}))
    return tuple(problem for problem in problems if problem.severity == "error")


def _left(slip: Slip, problem: Problem) -> bool:
    """Whether an error remains after a repair."""
    mended = apply_edits(problem.edits)
    return mended != slip.before and bool(errors(slip, mended))


def _says_how_it_was(slip: Slip, problems: tuple[Problem, ...]) -> bool:
    """Whether the text or hint of a message contains the original line, or an original word."""
    line = slip.before.splitlines()[slip.line - 1]
    words = set(re.findall(r"\w+", slip.after.splitlines()[slip.line - 1]))
    lost = set(re.findall(r"\w+", line)) - words
    text = " ".join(f"{problem.title} {problem.text} {problem.hint}" for problem in problems)
    quoted = set(re.findall(r"`([^`]+)`", text)) | {problem.hint for problem in problems}
    return line.strip() in text or bool(lost & quoted)


FIGURES = ("reported", "once", "right line", "right suggestion", "repairs hold")


def figures(messages: list[Report]) -> dict[str, tuple[int, int]]:
    """For each figure, how many cases hold, and of how many."""
    possible = [message for message in messages if message.slip.kind.can_suggest]
    counts = (
        [bool(message.problems) for message in messages],
        [message.once for message in messages],
        [message.place for message in messages],
        [message.suggestion for message in possible],
        [message.repairs for message in messages],
    )
    return {
        name: (sum(holding), len(holding)) for name, holding in zip(FIGURES, counts, strict=True)
    }


def _is_good(message: Report) -> bool:
    return (
        message.once
        and message.place
        and message.repairs
        and (message.suggestion or not message.slip.kind.can_suggest)
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", type=int, metavar="N", help="the messages about slip N")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth slip")
    options = parser.parse_args()
    every = list(enumerate(slips(), 1))
    if options.show is not None:
        sys.stdout.write(f"{render(report_on(every[options.show - 1][1]).problems)}\n")
        return 0
    messages = list[Report]()
    for number, slip in every[:: options.every]:
        message = report_on(slip)
        messages.append(message)
        if not _is_good(message):
            wrong = slip.after.splitlines()[slip.line - 1].strip()
            sys.stdout.write(f"{number} {slip.kind.name}: {slip.file}:{slip.line}: {wrong}\n")
            sys.stdout.write(f"{render(message.problems[:3])}\n\n")
    for name, (holds, of) in figures(messages).items():
        sys.stdout.write(f"{name:17} {holds:4} of {of}  {100 * holds / of:.1f} %\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
