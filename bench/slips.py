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
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from targi_dsl.compiler.load import check, read
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.text import resources
from targi_dsl.text.diagnostics import Problem, render
from targi_dsl.text.edits import applied

GAMES = (
    "base",
    "expansion",
    "bazaar_fair",
    "auction",
    "small_estate",
    "pig",
    "liars_dice",
    "dice_race_rough",
    "bazaar_all_day",
)
_COMMENT = re.compile(
    r'#.*|(?<=because )"[^"\n]*|(?:source|about|as) "[^"\n]*'
    r"|^ *(?:name|short|text|source):.*|^title .*",
    re.MULTILINE,
)

RULES, CARDS, SHEETS = r"rules/(?!games/).*\.targi", r"cards/.*\.yaml", r"rules/games/.*\.targi"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of slip: the files it is made in, the pattern it replaces, the replacement, and how
    many are made.

    `can_suggest` is False if no suggestion can be made, since the intention cannot be known.
    """

    name: str
    files: str
    pattern: str
    replacement: str | Callable[[re.Match[str]], str]
    times: int
    can_suggest: bool = True


STEP = r"(?:put|gain|do|set|shuffle|pay|move) [^\n:]*"
KINDS = (
    Kind("an instruction misspelt", RULES, r"(?<=  )g(ain|ains) (?=\d|\()", r"gg\1 ", 4),
    Kind("an instruction misspelt", RULES, r"(?<=  )put (?=\w)", "ptu ", 4),
    Kind("an instruction misspelt", RULES, r"(?<=  )choose (?=\w)", "chose ", 5),
    Kind("an instruction misspelt", RULES, r"(?<=  )shuffle ", "shufle ", 3),
    Kind("an instruction misspelt", RULES, r"(?<=  )forbid ", "forbidd ", 4),
    Kind("a declaration misspelt", RULES, r"(?<=\n)variable ", "varible ", 4),
    Kind("a declaration misspelt", RULES, r"(?<=\n)define ", "defin ", 4),
    Kind("a declaration misspelt", RULES, r"(?<=\n)resource ", "resourse ", 3),
    Kind("a rule misspelt", RULES, r"(?<=  do )(\w{3})(\w)(\w)(?=\w)", r"\1\3\2", 6),
    Kind("a resource misspelt", RULES, r"(?<=gain \d )(\w)(\w+)(?= and)", r"\1\1\2", 3),
    Kind("a name misspelt", RULES, r"(?<=your )(\w{3})(\w)(\w+)", r"\1\3", 6),
    Kind("a name misspelt", RULES, r"(?<= on )(\w{3})(\w)(\w)(\w+)", r"\1\3\2\4", 5),
    Kind("a word of the language misspelt", RULES, r"(?<= )where ", "wehre ", 4),
    Kind("a word of the language misspelt", RULES, r"(?<= )because ", "becuase ", 4),
    Kind("a word of the language misspelt", RULES, r"(?<= )count of ", "coutn of ", 4),
    Kind("a word of the language left out", RULES, r"(?<=put )(\w+) on ", r"\1 ", 4),
    Kind("a word of the language left out", RULES, r"(?<=count of your \w{4}) is (?=at)", " ", 1),
    Kind("a word left out", RULES, r"(?<= )in (?=[\w ]+\n)", "", 4, can_suggest=False),
    Kind("a word doubled", RULES, r"(?<= )(on|of|in|is|to) ", r"\1 \1 ", 5),
    Kind(
        "capital letters",
        RULES,
        r"(?<=  do )(\w)(\w+)",
        lambda match: match[1].upper() + match[2],
        4,
    ),
    Kind(
        "capital letters",
        RULES,
        r"(?<=  )(if|each|put|gain) ",
        lambda match: match[1].title() + " ",
        4,
    ),
    Kind("a colon left out", RULES, r"(?<=\n)(define \w+|score \w+): ", r"\1 ", 4),
    Kind("a colon left out", RULES, r"(?<=  )(if [^:\n]+): ", r"\1 ", 4),
    Kind("a parenthesis left open", RULES, r"(\([^()\n]+)\)(?=\n)", r"\1", 4),
    Kind("a text left open", RULES, r'(because "[^"\n]+)"', r"\1", 4),
    Kind("a sign of another language", RULES, r"(?<= )is (?=\d)", "== ", 3),
    Kind("a sign of another language", RULES, r" is at least ", " >= ", 4),
    Kind("a sign of another language", RULES, r" -> ", " => ", 4),
    Kind("a word of another language", RULES, r"(?<=  )otherwise(?=\n)", "else", 4),
    Kind("a word of another language", RULES, r"(?<=\n)rule ", "function ", 4),
    Kind("a word of another language", RULES, r"(?<=  )set (\w+) to ", r"\1 = ", 4),
    Kind("an article", RULES, r"(?<=shuffle )(?=\w)", "the ", 3),
    Kind("an article", RULES, r"(?<=top of )(?=\w)", "the ", 4),
    Kind("a number left out", RULES, r"(?<=gain )1 (?=\w+\n)", "", 4),
    Kind("a number in words", RULES, r"(?<=gain )1 (?=\w+\n)", "one ", 3),
    Kind(
        "a line too far in",
        RULES,
        rf"(?<=\n  )({STEP}\n  )(?={STEP})",
        r"\1  ",
        4,
        can_suggest=False,
    ),
    Kind(
        "a line between two levels",
        RULES,
        rf"({STEP}\n   ) (?={STEP})",
        r"\1",
        4,
        can_suggest=False,
    ),
    Kind("a name of two words", RULES, r"(?<=\ndefine )([a-z]+)_([a-z]+)(?=:)", r"\1 \2", 3),
    Kind(
        "what is given left out",
        RULES,
        r"(?<=  )(do \w+) with \w+(?=\n)",
        r"\1",
        4,
        can_suggest=False,
    ),
    Kind("a key misspelt", CARDS, r"(?<=\n    )(c|a)(\w)(\w)(\w+)(?=: )", r"\1\3\2\4", 4),
    Kind("an ability misspelt", CARDS, r'(?<=: "once: )gain ', "gian ", 2),
    Kind("an ability misspelt", CARDS, r'(?<=: ")always', "allways", 4),
    Kind(
        "a resource of a card misspelt", CARDS, r"(?<=\n    cost: \d )(\w\w)(\w)(\w)", r"\1\3\2", 4
    ),
    Kind("an ability left open", CARDS, r'(ability: "[^"\n]+)"', r"\1", 3),
    Kind("a value of a card misspelt", CARDS, r"(?<=\n    symbol: )(\w)(\w)(\w+)", r"\1\3", 3),
    Kind(
        "an id twice",
        CARDS,
        r"(?<=\n  - id: )(\w+)([^#]+?  - id: )\w+",
        r"\1\2\1",
        3,
        can_suggest=False,
    ),
    Kind("a module misspelt", SHEETS, r"(?<=  rules )(\w)(\w)(\w)", r"\1\3\2", 3),
    Kind("a zone misspelt", SHEETS, r"(?<=  deck )(\w\w)(\w)(\w)", r"\1\3\2", 3),
    Kind("a card set misspelt", SHEETS, r"(?<=: )(\w\w)(\w)(\w)(?=\w+\n)", r"\1\3\2", 3),
    Kind("a line of the sheet misspelt", SHEETS, r"(?<=  )deck ", "dek ", 3),
)

FRESH = (
    Kind("somebody else's verb", RULES, r"(?<=  )gain (?=\d)", "gains ", 2),
    Kind("somebody else's verb", RULES, r"(?<=  )put (?=top|card)", "puts ", 2),
    Kind("somebody else's verb", RULES, r"(?<=  )shuffle ", "shuffles ", 1),
    Kind("a plural too many", RULES, r"(?<=  )each player(?=\n)", "each players", 2),
    Kind("a word too many", RULES, r"(?<=  )each player(?=\n)", "for each player", 2),
    Kind("a word too many", RULES, r"(?<=  )end game(?=\n)", "end the game", 2),
    Kind("a word too many", RULES, r"(?<=  )end game(?=\n)", "game over", 1, can_suggest=False),
    Kind("another language's step", RULES, r"(?<=  )set (\w+) to \1 \+ 1", r"increase \1 by 1", 2),
    Kind("another language's step", RULES, r"(?<=  )set (\w+) to \1 \+ 1", r"\1 += 1", 2),
    Kind("another language's step", RULES, r"(?<=  )set (\w+) to \1 \+ 1", r"add 1 to \1", 1),
    Kind("another language's branch", RULES, r"(?<=  )otherwise if ", "else if ", 2),
    Kind("another language's branch", RULES, r"(?<=  )otherwise if ", "elif ", 1),
    Kind("another language's test", RULES, r"(?<=if )(\w+) is (?=\w+:)", r"\1 = ", 2),
    Kind("another language's test", RULES, r" is not (?=\w+\n)", " != ", 1),
    Kind("another language's test", RULES, r"(?<=\w) and (?=not |no |any )", " && ", 2),
    Kind("another language's test", RULES, r"(?<=\w) or (?=not |no |any )", " || ", 1),
    Kind("another preposition", RULES, r"(?<=  )choose (\w+) in ", r"choose \1 from ", 2),
    Kind("another preposition", RULES, r"(?<=  )(put [^\n]*) on (?=\w+\n)", r"\1 onto ", 2),
    Kind("another preposition", RULES, r"(?<=  )(put [^\n]*) on (?=\w+\n)", r"\1 into ", 1),
    Kind("another preposition", RULES, r"(?<=  )(move [^\n]*) to (?=\w+\n)", r"\1 onto ", 2),
    Kind("another preposition", RULES, r"(?<=  )(place \w+) on ", r"\1 at ", 2),
    Kind("an article too many", RULES, r"(?<=  )choose (?=\w+ in )", "choose a ", 2),
    Kind("an article too many", RULES, r"(?<= )opponent\b", "the opponent", 2),
    Kind("an article too many", RULES, r"(?<=  )reveal (?=\w)", "reveal the ", 1),
    Kind("a word too many", RULES, r"(?<= )top of ", "top card of ", 2),
    Kind("a reason without quotes", RULES, r'because "([^"\n]+)"', r"because \1", 2),
    Kind("quotes of another language", RULES, r'because "([^"\n\']+)"', r"because '\1'", 1),
    Kind("another sign of a declaration", RULES, r"(?<=\nvariable )(\w+): ", r"\1 = ", 1),
    Kind("another sign of a declaration", RULES, r"(?<=\ndefine )(\w+): ", r"\1 = ", 2),
    Kind("another sign of a declaration", RULES, r"(?<=\ndefine )(\w+): ", r"\1 is ", 1),
    Kind("another sign of a declaration", RULES, r"(?<=\nscore )(\w+): ", r"\1 = ", 1),
    Kind("another sign of a declaration", RULES, r"(?<=\nplayers )", ": ", 1),
    Kind("another sign of a declaration", RULES, r"(?<=\nresource )(?=\w)", ": ", 1),
    Kind("another range", RULES, r"(?<=\nvariable )(\w+): (\d+) to (\d+)", r"\1: \2..\3", 1),
    Kind("another range", RULES, r"(?<=\nvariable )(\w+): (\d+) to (\d+)", r"\1: \2-\3", 1),
    Kind("another range", RULES, r"(?<=\nvariable )(\w+): (\d+) to (\d+)", r"\1: from \2 to \3", 1),
    Kind("another facing", RULES, r"face down", "facedown", 2),
    Kind("another facing", RULES, r"face down", "face-down", 1),
    Kind("another list", RULES, r"(?<=\noption )(\w+): (\w+) or (\w+)", r"\1: \2, \3", 2),
    Kind("another list", RULES, r"(?<=\noption )(\w+): (\w+) or (\w+)", r"\1: \2 | \3", 1),
    Kind("another remark", RULES, r"(?<=\n)(?=rule )", "// a remark\n", 2, can_suggest=False),
    Kind("a sign at the end", RULES, r"(?<=  )(do \w+)(?=\n)", r"\1;", 2),
    Kind("a sign at the end", RULES, r"(?<=  )(do \w+)(?=\n)", r"\1:", 2),
    Kind("a sign at the end", RULES, r"(?<=  )(do \w+)(?=\n)", r"\1.", 1),
    Kind(
        "braces round a block", RULES, r"(?<=  )(if [^:\n]+)(?=\n)", r"\1 {", 1, can_suggest=False
    ),
    Kind("a colon too many", RULES, r"(?<=\n)(rule \w+)(?=\n)", r"\1:", 2),
    Kind(
        "parentheses of a call", RULES, r"(?<=\nrule )(\w+) with (\w+) \((\w+)\)", r"\1(\2: \3)", 2
    ),
    Kind("parentheses of a call", RULES, r"(?<=  do )(\w+) with (\w+)(?=\n)", r"\1(\2)", 2),
    Kind("a word left out", RULES, r"(?<=  do )(\w+) with (\w+)(?=\n)", r"\1 \2", 2),
    Kind("a word left out", RULES, r"(?<=  )shuffle (\w+)(?=\n)", "shuffle", 1, can_suggest=False),
    Kind("a word left out", RULES, r"(?<=  )set (\w+) to ", r"\1 to ", 2),
    Kind("a word left out", RULES, r"(?<=  )(let \w+) be ", r"\1 ", 1),
    Kind("a word in place of another", RULES, r"(?<=  )(let \w+) be ", r"\1 = ", 1),
    Kind("a sum of prices", CARDS, r"(?<=\n    cost: )(\d \w+) and (\d)", r"\1 + \2", 2),
    Kind("a sum of prices", CARDS, r"(?<=\n    cost: )(\d \w+) and (\d)", r"\1, \2", 2),
    Kind("a number left out", CARDS, r"(?<=\n    cost: )\d (\w+)(?=\n)", r"\1", 2),
    Kind("a number in words", CARDS, r"(?<=\n    points: )3", "three", 1),
    Kind("a colon left out", CARDS, r'(?<=ability: "once): ', " ", 2),
    Kind("quotes left out", CARDS, r'(?<=ability: )"([^"\n]+)"', r"\1", 2, can_suggest=False),
    Kind("a plural too many", CARDS, r"(?<=\n    symbol: )(\w+)", r"\1s", 2),
    Kind("a name of two words", CARDS, r"(?<=\n  - id: )(\w+)_(\w+)", r"\1 \2", 2),
    Kind("a key left out", CARDS, r"(?<=\n  - )id: ", "", 1, can_suggest=False),
    Kind("another sign of a list", SHEETS, r"(?<=  rules )([^\n]+) \+ ", r"\1, ", 2),
    Kind("another sign of a declaration", SHEETS, r"(?<=  option )(\w+): ", r"\1 = ", 2),
    Kind("another sign of a declaration", SHEETS, r"(?<=  )option (?=\w+:)", "options ", 1),
    Kind("another sign of a declaration", SHEETS, r"(?<=  )deck (\w+): ", r"deck \1 = ", 1),
    Kind("a word left out", SHEETS, r"(?<= )based on ", "based ", 2),
    Kind("a title without quotes", SHEETS, r'(?<=\ngame )(\w+) "(\w+)"', r"\1 \2", 1),
)
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
            if not _is_in_comment(text_of(name), match)
        ]
        changes = [place for place in places if _written(kind, place[1]) != place[1][0]]
        for at in range(kind.times):
            name, match = changes[at * len(changes) // kind.times]
            new, text = _written(kind, match), text_of(name)
            after = text[: match.start()] + new + text[match.end() :]
            yield Slip(games_of_files()[name], kind, name, text, after)


def _written(kind: Kind, match: re.Match[str]) -> str:
    """The replacement for a match."""
    return (
        match.expand(kind.replacement)
        if isinstance(kind.replacement, str)
        else kind.replacement(match)
    )


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


def _is_in_comment(text: str, match: re.Match[str]) -> bool:
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
    mended = applied(problem.edits)
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
