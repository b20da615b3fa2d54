"""Changes the meaning of rules and cards in one place: validation or a rule test must notice it.

    python -m bench.mutants base                 every mutant, and those that survive
    python -m bench.mutants base --every 10      each tenth

A mutant is a number that is one more, a condition turned round, a player replaced by another, an
effect turned into its opposite, or a limit moved by one, on one line of the rules or in a sentence
of a card, as the kinds below say. It is killed by an error or a new warning of the check, or by a
rule test that fails. A mutant whose program is that of the game says the same and is not counted.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from targi_dsl.compiler.load import check, load, read
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.ir.game import Game
from targi_dsl.records.testing import Games, TestFile, read_tests, run_test
from targi_dsl.text import resources
from targi_dsl.text.source import Source

KINDS: dict[str, tuple[str, Callable[[re.Match[str]], str]]] = {
    "number": (r"(?<![\w.])(\d+)\b(?!\.\.)", lambda found: str(int(found[1]) + 1)),
    "condition": (r"\bis not\b|\bis\b(?! (?:at|more|less|a|an|in|on|not|face)\b)",
                  lambda found: "is" if found[0] == "is not" else "is not"),
    "limit": (r"\bis at least\b|\bis at most\b|\bis more than\b|\bis less than\b",
              lambda found: {"is at least": "is more than", "is more than": "is at least",
                             "is at most": "is less than", "is less than": "is at most"}[found[0]]),
    "connective": (r"\band\b(?! \()|\bor\b", lambda found: "or" if found[0] == "and" else "and"),
    "player": (r"\bof opponent\b|\bopponent gains\b|\byour(?= \w+ on\b)|\bfrom starter\b",
               lambda found: {"of opponent": "of you", "opponent gains": "gain",
                              "from starter": ""}.get(found[0], "")),
    "effect": (r"\bgains? |\bpay ",
               lambda found: {"gain ": "lose ", "gains ": "loses "}.get(found[0], "gain ")),
    "face": (r"face up|face down",
             lambda found: "face down" if found[0] == "face up" else "face up"),
    "quantifier": (r"\bany\b|\bno\b(?= \()", lambda found: "no" if found[0] == "any" else "any"),
}  # fmt: skip
"""For each kind the pattern of what is replaced, and what replaces it."""

HOW = ("check", "tests", "survived", "same")
"""What can become of a mutant."""

_SAID = re.compile(r"^(?P<code>(?:[^#\"]|\"[^\"]*\")*)")
_QUOTED = re.compile(r"\"[^\"]*\"")
_SENTENCE = re.compile(r"^ +(?:- )?(?:ability|action|cost|points): *")
_PLAIN = re.compile(
    r"^(?:language|module|about|option|look|layout|  (?:table|line|each player)| +\w+ \w+ \|)"
)


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed text."""

    kind: str
    file: str
    line: int
    before: str
    after: str
    text: str


def mutants(files: dict[str, str]) -> Iterator[Mutant]:
    """Every mutant of some files."""
    for file, text in files.items():
        start = 0
        for number, line in enumerate(text.split("\n"), 1):
            for kind, at, end, new in _changes(file, line):
                changed = line[:at] + new + line[end:]
                whole = text[:start] + changed + text[start + len(line) :]
                yield Mutant(kind, file, number, line.strip(), changed.strip(), whole)
            start += len(line) + 1


def _changes(file: str, line: str) -> Iterator[tuple[str, int, int, str]]:
    """The changes of a line: the kind, where it begins and ends, and what is put there."""
    sentence = _SENTENCE.match(line) if file.endswith(".yaml") else None
    if _PLAIN.match(line) if not file.endswith(".yaml") else sentence is None:
        return
    said = _SAID.match(line)
    code, first = said["code"] if said else line, sentence.end() if sentence else 0
    if sentence is None:
        code = _QUOTED.sub(lambda found: " " * len(found[0]), code)
    for kind, (pattern, new) in KINDS.items():
        for found in re.finditer(pattern, code):
            if found.start() >= first and (replaced := new(found)) != found[0]:
                yield kind, *found.span(), replaced


def killed_by(name: str, game: Game, mutant: Mutant, tests: list[TestFile], usual: int) -> str:
    """What notices a mutant: `check`, or the first test that fails; "same" if its program is the
    same, and "" if nothing notices it.
    """
    texts = of_texts({mutant.file: mutant.text})
    changed, problems = check(name, texts)
    if changed is None or len(problems) > usual:
        return "check"
    if changed.hash == game.hash:
        return "same"
    games = Games(lambda _, options: load(name, texts, options))
    failed = (
        f"{file.source.name}: {test.full_name}"
        for file in tests
        for test in file.tests
        if run_test(file, test, games).problems
    )
    return next(failed, "")


def rule_files(name: str) -> dict[str, str]:
    """The texts of the rules and cards of a game, without its layout and look."""
    files = (file for file in read(name).files() if not file.startswith("rules/games/"))
    texts = {file: (resources.read(file) or b"").decode() for file in files}
    return {file: text for file, text in texts.items() if "\nlayout\n" not in text}


def tests_of(name: str) -> list[TestFile]:
    """The shipped rule tests of a game."""
    names = (f"rules/{one}" for one in resources.names("rules", resources.TESTS))
    files = [read_tests(Source(one, (resources.read(one) or b"").decode())) for one in names]
    return [file for file in files if file.game == name]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth mutant")
    given = parser.parse_args()
    game, tests, counts = load(given.game), tests_of(given.game), Counter[tuple[str, str]]()
    usual = len(check(given.game)[1])
    for mutant in [*mutants(rule_files(given.game))][:: given.every]:
        by = killed_by(given.game, game, mutant, tests, usual)
        how = by if by in ("check", "same", "") else "tests"
        counts[mutant.kind, how or "survived"] += 1
        if not by:
            sys.stdout.write(f"{mutant.kind}: {mutant.file}:{mutant.line}\n")
            sys.stdout.write(f"  - {mutant.before}\n  + {mutant.after}\n")
    for kind in (*KINDS, "all"):
        these = [(by, n) for (one, by), n in counts.items() if kind in (one, "all")]
        found = {how: sum(n for by, n in these if by == how) for how in HOW}
        killed = found["check"] + found["tests"]
        share = f"{100 * killed / ((killed + found['survived']) or 1):.1f} % killed"
        sys.stdout.write(
            f"{kind:11} {', '.join(f'{n} {how}' for how, n in found.items())}: {share}\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
