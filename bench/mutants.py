"""Changes the meaning of rules and cards in one place: validation or a rule test must notice it.

    python -m bench.mutants base                 every mutant, and those that survive
    python -m bench.mutants base --every 10      each tenth
    python -m bench.mutants base --file robber   those of files with this in their name
    python -m bench.mutants base --workers 2     in two processes

A mutant is a number that is one more, a resource, value or player replaced by another, a condition
turned round, an effect turned into its opposite, or a limit moved by one, on one line of the rules
or of a card, as the kinds below say; or a line left out, with those indented below it. It is killed
by an error or a new warning of the check, or by a rule test that fails. A mutant whose program is
that of the game says the same and is not counted; nor is one that `equivalent.yaml` lists with the
reason why no play can show it.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from itertools import takewhile
from pathlib import Path

import yaml

from targi_dsl.compiler.load import check, load, read
from targi_dsl.compiler.project.cache import CheckCache
from targi_dsl.compiler.project.discovery import Project, of_texts
from targi_dsl.ir.game import Game
from targi_dsl.records.testing import Games, RuleTest, TestFile, read_tests, run_test
from targi_dsl.text import resources
from targi_dsl.text.source import Source
from targi_dsl.tools.coverage import Coverage, coverage

Kind = tuple[str, Callable[[re.Match[str]], str]]
Kinds = Mapping[str, Kind]

KINDS: Kinds = {
    "number": (r"(?<![\w.])(\d+)\b(?!\.\.)", lambda found: str(int(found[1]) + 1)),
    "condition": (r"\bis not\b|\bis\b(?! (?:at|more|less|a|an|in|on|not|face)\b)",
                  lambda found: "is" if found[0] == "is not" else "is not"),
    "limit": (r"\bis at least\b|\bis at most\b|\bis more than\b|\bis less than\b",
              lambda found: {"is at least": "is more than", "is more than": "is at least",
                             "is at most": "is less than", "is less than": "is at most"}[found[0]]),
    "connective": (r"\band\b(?! \()|\bor\b", lambda found: "or" if found[0] == "and" else "and"),
    "player": (r"\bof opponent\b|\bof starter\b|\bopponent gains\b|\bopponent does\b"
               r"|\byour(?= \w+ on\b)|\byour (\w+)\b|\bfrom starter\b|\bby (?:owner|starter)\b",
               lambda found: {"of opponent": "of you", "of starter": "of you",
                              "opponent gains": "gain", "opponent does": "do",
                              "from starter": "", "your": ""}.get(
                   found[0], f"{found[1]} of opponent" if found[1] else "by you")),
    "effect": (r"\bgains? |\bpay ",
               lambda found: {"gain ": "lose ", "gains ": "loses "}.get(found[0], "gain ")),
    "face": (r"face up|face down",
             lambda found: "face down" if found[0] == "face up" else "face up"),
    "field": (r"(?<=: )true$", lambda found: "false"),
    "quantifier": (r"\bany\b|\bno\b(?= \()", lambda found: "no" if found[0] == "any" else "any"),
}  # fmt: skip
"""For each kind the pattern of what is replaced, and what replaces it."""

REMOVAL = "removal"

HOW = ("check", "tests", "equivalent", "survived", "same")
"""What can become of a mutant."""

EQUIVALENT = Path(__file__).with_name("equivalent.yaml")
"""Mutants that no play can tell from the game: by file, the line before and after, and why."""

_LAYOUT = re.compile(r"^(?:\w+ )?layout\b", re.MULTILINE)
_SAID = re.compile(r"^(?P<code>(?:[^#\"]|\"[^\"]*\")*)")
_QUOTED = re.compile(r"\"[^\"]*\"")
_SENTENCE = re.compile(r"^ +(?:- )?(?:ability|action|cost|points|(?!id)\w+(?=: \w+$)): *")
_WORD = re.compile(r"\w+")
_ENTRY = re.compile(r"  - id: (\w+)")
_FIELD, _INDENTED = r"    (?!id|name|text|short|source)\w+:", r" +[^\s#]"
_PLAIN = re.compile(
    r"^(?:language|module|about|option|resource|look|layout|  (?:table|line|each player)"
    r"| +\w+ \w+ \|)"
)


Place = tuple[str, int] | str
"""A line of a file, 0 for all of it, or the id of a card."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed text."""

    kind: str
    file: str
    line: int
    before: str
    after: str
    text: str
    card: str = ""

    @property
    def places(self) -> set[Place]:
        """Where it is: its file, its line, and the id of its card."""
        return {(self.file, 0), (self.file, self.line), self.card}

    @property
    def key(self) -> tuple[str, str, str]:
        """What `equivalent.yaml` knows it by."""
        return self.file, self.before, self.after


def kinds_of(game: Game) -> Kinds:
    """The kinds, with those of the names of a game: each resource and value becomes the next."""
    resources = (*game.resources, *(name for name, _ in game.groups))
    sets = {"token": resources, **dict(game.values)}
    return {**KINDS, **{kind: _next_of(names) for kind, names in sets.items()}}


def _next_of(names: Sequence[str]) -> Kind:
    after = dict(zip(names, [*names[1:], *names[:1]], strict=True))
    return rf"\b(?:{'|'.join(names)})\b", lambda found: after[found[0]]


def mutants(files: dict[str, str], kinds: Kinds = KINDS) -> Iterator[Mutant]:
    """Every mutant of some files: those of these kinds, and those without a line."""
    for file, text in files.items():
        lines, card = text.split("\n"), ""
        for at, line in enumerate(lines):
            entry = _ENTRY.match(line)
            card = entry[1] if entry else card
            changes = [
                (kind, line[:start] + new + line[end:], at + 1)
                for kind, start, end, new in _changes(file, line, kinds)
            ]
            removed = [(REMOVAL, "", end) for end in _behind_removable(file, lines, at)]
            for kind, changed, end in (*changes, *removed):
                whole = "\n".join((*lines[:at], *([changed] * bool(changed)), *lines[end:]))
                yield Mutant(kind, file, at + 1, line.strip(), changed.strip(), whole, card)


def _behind_removable(file: str, lines: Sequence[str], at: int) -> Iterator[int]:
    """The line behind one that can be left out, and behind those indented below it."""
    line = lines[at]
    if re.match(_FIELD if file.endswith(".yaml") else _INDENTED, line):
        below = takewhile(lambda one: _indent(one) > _indent(line), lines[at + 1 :])
        yield at + 1 + len([*below])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _changes(file: str, line: str, kinds: Kinds) -> Iterator[tuple[str, int, int, str]]:
    """The changes of a line: the kind, where it begins and ends, and what is put there."""
    sentence = _SENTENCE.match(line) if file.endswith(".yaml") else None
    if _PLAIN.match(line) if not file.endswith(".yaml") else sentence is None:
        return
    said = _SAID.match(line)
    code, first = said["code"] if said else line, sentence.end() if sentence else 0
    if sentence is None:
        code = _QUOTED.sub(lambda found: " " * len(found[0]), code)
    for kind, (pattern, new) in kinds.items():
        for found in re.finditer(pattern, code):
            if found.start() >= first and (replaced := new(found)) != found[0]:
                yield kind, *found.span(), replaced


class Killing:
    """Looks for what notices a mutant of a game. Tests that use the changed line or name its card
    come first, and of these the test that noticed the last one.
    """

    def __init__(self, name: str) -> None:
        self.name, self.game, self.cache = name, load(name), CheckCache()
        self.files = {file: _text(file) for file in read(name).files()}
        self.usual = len(check(name, self._project({}))[1])
        self.tests = [(file, test) for file in tests_of(name) for test in file.tests]
        self.used = _used(self.tests)

    def _project(self, changed: Mapping[str, str]) -> Project:
        return of_texts({**self.files, **changed}, self.cache)

    def killed_by(self, mutant: Mutant) -> str:
        """`check`, or the first test that fails; "same" if its program is the same, and "" if
        nothing notices it.
        """
        texts = self._project({mutant.file: mutant.text})
        changed, problems = check(self.name, texts)
        if changed is None or len(problems) > self.usual:
            return "check"
        if changed.hash == self.game.hash:
            return "same"
        usual = changed  # for the tests that give no option
        games = Games(lambda _, options: load(self.name, texts, options) if options else usual)
        self.tests.sort(key=lambda one: -len(self.used[one[1].full_name] & mutant.places))
        for at, (file, test) in enumerate(self.tests):
            if run_test(file, test, games).problems:
                self.tests.insert(0, self.tests.pop(at))
                return f"{file.source.name}: {test.full_name}"
        return ""


def _used(tests: Sequence[tuple[TestFile, RuleTest]]) -> dict[str, set[Place]]:
    """The lines, cards and file that each test uses or names, by the name of the test."""
    used, games, before = dict[str, set[Place]](), Games(traced=True), dict[int, Coverage]()
    for file, test in tests:
        steps = {id(one): one.hits.instructions.total() for one in games.tracers}
        run_test(file, test, games)
        words = " ".join(line.text for phase in test.phases for line in phase.lines)
        found = used.setdefault(test.full_name, set(_WORD.findall(words)))
        found.add((file.source.name.replace(resources.TESTS, ".targi"), 0))
        for tracer in games.tracers:
            if tracer.hits.instructions.total() != steps.get(id(tracer)):
                now = coverage(tracer.game, tracer.hits)
                new = now - before.get(id(tracer), Coverage())
                found |= {(item.file, item.line) for item in new}
                before[id(tracer)] = now
    return used


def equivalent() -> dict[tuple[str, str, str], str]:
    """Why these mutants are no others: by file, line and changed line."""
    listed = yaml.safe_load(EQUIVALENT.read_text(encoding="utf-8"))
    return {
        (file, one["before"], one["after"]): one["why"]
        for file, entries in listed.items()
        for one in entries
    }


def rule_files(name: str) -> dict[str, str]:
    """The texts of the rules and cards that a game does not share with the one that it is based on,
    without its layout and look.
    """
    written = read(name)
    bases = (read(Path(sheet.name).stem) for sheet in written.sheets[1:])
    other = {sheet.name for sheet in written.sheets}.union(*(base.files() for base in bases))
    files = (file for file in written.files() if file not in other)
    texts = {file: _text(file) for file in files}
    return {file: text for file, text in texts.items() if not _LAYOUT.search(text)}


def _text(file: str) -> str:
    return (resources.read(file) or b"").decode()


def tests_of(name: str) -> list[TestFile]:
    """The shipped rule tests of a game."""
    names = (f"rules/{one}" for one in resources.names("rules", resources.TESTS))
    files = [read_tests(Source(one, _text(one))) for one in names]
    return [file for file in files if file.game == name]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth mutant")
    parser.add_argument("--file", default="", metavar="PART", help="only files named like this")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes")
    given = parser.parse_args()
    counts, known, kinds = Counter[tuple[str, str]](), equivalent(), kinds_of(load(given.game))
    files = {file: text for file, text in rule_files(given.game).items() if given.file in file}
    made = [*mutants(files, kinds)][:: given.every]
    for mutant, by in zip(made, _killers(given.game, made, given.workers), strict=True):
        how = by if by in ("check", "same") else "tests" if by else "survived"
        if mutant.key in known:
            how, by = ("equivalent", by) if not by else (how, f"listed, but noticed by {by}")
        counts[mutant.kind, how] += 1
        if how == "survived" or by.startswith("listed"):
            sys.stdout.write(f"{mutant.kind}: {mutant.file}:{mutant.line} {by}\n")
            sys.stdout.write(f"  - {mutant.before}\n  + {mutant.after}\n")
            sys.stdout.flush()
    for kind in (*kinds, REMOVAL, "all"):
        these = [(by, n) for (one, by), n in counts.items() if kind in (one, "all")]
        found = {how: sum(n for by, n in these if by == how) for how in HOW}
        killed = found["check"] + found["tests"]
        share = f"{100 * killed / ((killed + found['survived']) or 1):.1f} % killed"
        sys.stdout.write(
            f"{kind:11} {', '.join(f'{n} {how}' for how, n in found.items())}: {share}\n"
        )
    return 0


def _killers(name: str, made: Sequence[Mutant], workers: int) -> Iterator[str]:
    """What notices each mutant."""
    if workers < 2:
        yield from map(Killing(name).killed_by, made)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(partial(_killer, name), made, chunksize=16)


def _killer(name: str, mutant: Mutant) -> str:
    return _killing(name).killed_by(mutant)


_killing = cache(Killing)


if __name__ == "__main__":
    sys.exit(main())
