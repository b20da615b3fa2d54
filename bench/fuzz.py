"""Damages thousands of rules, sheets, cards and records: each is reported as problems or played.

    python -m bench.fuzz [COUNT] [--seed N] [--only NUMBER] [--jobs N] [--whole]

Input NUMBER of a seed is always the same, so a finding can be examined again with --only. Findings
are internal errors (the command line would exit with 70), refusals without a located problem,
faults in play that the rules do not explain, and inputs that take more than 2 seconds of processor
time or 300 MB. The exit code is 1 if there are any. With --whole, single slips are made in files
of all games and in the small game of the tests.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FrameType

from targi_dsl.api import choices, play, result, start
from targi_dsl.cardfiles import read_cards
from targi_dsl.compiler.load import check, load
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.records import Record, read, replay, write
from targi_dsl.text import resources
from targi_dsl.text.decoding import decode
from targi_dsl.text.diagnostics import Problems, render, to_json
from tests.small_game import FILES

KINDS = ("rules", "sheets", "cards", "records")
WHOLE = ("small game", "all rules", "all cards")
"""The kinds in which only single words are changed."""
GAMES = ("tic_tac_toe", "kuhn_poker", "dice_race", "bazaar")
"""Games that are checked quickly."""

SECONDS, MEGABYTES, GIVEN_UP = 2.0, 300, 20
BATCH = 25
PLAYED = 40
"""The number of choices after which a game is abandoned."""

TOKEN = re.compile(r"[A-Za-z_]+|[0-9]+|[^\sA-Za-z0-9_]|\n *")
WORD = re.compile(r"[a-z_]+|[0-9]+|[^\sa-z0-9_]")
COMMENT = re.compile(r"#.*|^ *(?:name|source): \{.*", re.MULTILINE)
ODD = (
    "\0", "\x1b[31m", "\t", "\u202e", "\U0001f42a", "\r", '"', "'", "(", "[", "{", "#", ":", "-",
    "&a", "*a", "!!x", "<<", "99999999999", "-1", "0", "010", "a" * 500, "(" * 80, "[" * 200,
    " " * 40, "yes", "null", "\n\n", "language 9", "based on", "each", "1 to 99999999",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Input:
    """A damaged text: the kind of input, the original file, and the result."""

    kind: str
    file: str
    text: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an input ended: with problems, played, or with an internal error; and the resources it
    used.
    """

    number: int
    kind: str
    ended: str
    seconds: float
    error: str = ""


# ---- the inputs ----


@cache
def corpus() -> Mapping[str, Sequence[tuple[str, str]]]:
    """The undamaged texts of each kind, with the names of their files."""
    rules = {
        name: _text(f"rules/{name}")
        for name in resources.names("rules", ".targi")
        if name.split("/")[0] in GAMES or name.startswith("games/")
    }
    cards = {name: _text(f"cards/{name}") for name in resources.names("cards", ".yaml")}
    every = [
        (f"rules/{name}", _text(f"rules/{name}")) for name in resources.names("rules", ".targi")
    ]
    return {
        "small game": [*FILES.items()],
        "all rules": every,
        "all cards": [(f"cards/{n}", t) for n, t in cards.items()],
        "rules": [(f"rules/{n}", t) for n, t in rules.items() if not n.startswith("games/")],
        "sheets": [(f"rules/{n}", t) for n, t in rules.items() if n.startswith("games/")],
        "cards": [(f"cards/{n}", t) for n, t in cards.items()],
        "records": [(f"{name}.yaml", write(played(name))) for name in GAMES],
    }


def _text(name: str) -> str:
    data = resources.read(name)
    if data is None:
        raise FileNotFoundError(name)
    return data.decode()


def played(name: str) -> Record:
    """Plays a whole game at random."""
    game, stream = load(name), Stream(1)
    state, ids = start(game, Seed(1)), []
    while offered := choices(state):
        ids.append(offered[stream.below(len(offered))].id)
        state, _ = play(state, ids[-1])
    seats = dict.fromkeys(game.players, "random")
    return Record(name, game.hash, dict(game.options), 1, seats, tuple(ids))


def damaged(seed: int, number: int, kinds: Sequence[str] = KINDS) -> Input:
    """The input with this number: a valid text with one to three kinds of damage, or a slip."""
    stream = Stream(seed * 1_000_003 + number)
    kind = kinds[number % len(kinds)]
    texts = corpus()[kind]
    file, text = texts[stream.below(len(texts))]
    if kind in WHOLE:
        return Input(kind, file, _slip(stream, text))
    for _ in range(1 + stream.below(3)):
        text = _damage(stream, text)
    return Input(kind, file, text)


def _slip(stream: Stream, text: str) -> str:
    """The text with a word replaced by another of the file, left out, doubled, misspelt or swapped
    with another; a slip in a comment would show nothing.
    """
    comments = [found.span() for found in COMMENT.finditer(text)]
    spots = [
        one
        for one in WORD.finditer(text)
        if not any(start <= one.start() < end for start, end in comments)
    ]
    one, other = sorted((spots[stream.below(len(spots))] for _ in range(2)), key=re.Match.start)
    word, letter = one.group(), stream.below(len(one.group()))
    new = (
        other.group(),
        "",
        f"{word} {word}",
        word[:-1],
        word[:letter] + word[letter:][:1] + word[letter:],
    )
    if (at := stream.below(6)) < len(new):
        return text[: one.start()] + new[at] + text[one.end() :]
    swapped = other.group() + text[one.end() : other.start()] + word
    return text[: one.start()] + swapped + text[other.end() :]


def _damage(stream: Stream, text: str) -> str:
    spots = [match.span() for match in TOKEN.finditer(text)] or [(0, 0)]
    (first, last), (a, b) = (spots[stream.below(len(spots))] for _ in range(2))
    word = text[first:last]
    match stream.below(9):
        case 0:
            new = text[a:b]
        case 1:
            new = ""
        case 2:
            new = f"{word} {word}"
        case 3:
            new = ODD[stream.below(len(ODD))]
        case 4:
            new = word + ODD[stream.below(len(ODD))]
        case 5:
            return text[:first]
        case 6:
            new = text[min(first, a) : max(last, b)][:2_000]
        case 7:
            new = f"\n{' ' * stream.below(7)}"
        case _:
            new = word[:1] + word[2:] if len(word) > 2 else word[::-1]
    return text[:first] + new + text[last:]


# ---- one input ----


def tried(item: Input) -> str:
    """Handles an input as the program does; an exception here is what would be exit code 70."""
    try:
        source = decode(item.file, item.text.encode("utf-8", "replace"))
        if item.kind == "records":
            record = read(source)
            replay(load(record.game if record.game in GAMES else GAMES[0]), record)
            return "played"
        if item.kind == "cards":
            read_cards(source)
        return _checked(item, source.text)
    except Problems as problems:
        render(problems.problems)
        json.dumps(to_json(problems.problems))
        return "problems"


def _checked(item: Input, text: str) -> str:
    is_small = item.kind == "small game"
    name = "pond" if is_small else _game_of(item.file)
    game, problems = check(name, {**(FILES if is_small else {}), item.file: text})
    render(problems)
    # A game that has another name now is not found: nothing in a file is wrong.
    lost = [one for one in problems if one.span is None and not one.file and one.code != "E422"]
    if lost and item.kind in WHOLE:
        return "problems without a place"
    if game is None:
        return "problems" if problems else "refused without a word"
    try:
        stream, state = Stream(7), start(game, Seed(7))
        for _ in range(PLAYED):
            offered = choices(state)
            if not offered:
                break
            state, _ = play(state, offered[stream.below(len(offered))])
        result(state)
    except Problems as fault:
        unexplained = [one for one in fault.problems if not one.code.startswith("E6")]
        return "unexplained" if unexplained else "problems"
    return "played"


@cache
def _game_of(file: str) -> str:
    """A game that uses a file."""
    _, folder, *rest = file.split("/")
    if folder == "games":
        return rest[-1].removesuffix(".targi")
    games = [name.removesuffix(".targi") for name in resources.names("rules/games", ".targi")]
    own = folder.removesuffix(".yaml")
    return next((name for name in sorted(games, key=len) if name[:4] == own[:4]), games[0])


def outcome(seed: int, number: int, kinds: Sequence[str] = KINDS) -> Outcome:
    """Tries the input with this number, within a time limit."""
    item, before = damaged(seed, number, kinds), time.process_time()
    ended, error = "", ""
    signal.signal(signal.SIGPROF, _give_up)
    signal.setitimer(signal.ITIMER_PROF, GIVEN_UP)
    try:
        ended = tried(item)
    except _GivenUpError:
        ended = "given up"
    except Exception:  # noqa: BLE001  this is what the test looks for
        ended, error = "error", traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return Outcome(number, item.kind, ended, time.process_time() - before, error)


class _GivenUpError(BaseException):
    pass


def _give_up(_: int, __: FrameType | None) -> None:
    raise _GivenUpError


# ---- many inputs ----


def batch(
    seed: int, numbers: Sequence[int], kinds: Sequence[str] = KINDS
) -> tuple[list[Outcome], int]:
    """Tries inputs in a separate process; also measures the megabytes that it comes to need."""
    reading, writing = os.pipe()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    held = pages * os.sysconf("SC_PAGE_SIZE") // 1024
    child = os.fork()
    if not child:
        os.close(reading)
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # only the parent reports an interruption
        with os.fdopen(writing, "w", encoding="utf-8") as file:
            for number in numbers:
                trial = outcome(seed, number, kinds)
                fields = [trial.number, trial.kind, trial.ended, trial.seconds, trial.error]
                file.write(json.dumps(fields) + "\n")
                file.flush()
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as file:
        trials = [Outcome(*json.loads(line)) for line in file]
    _, status, usage = os.wait4(child, 0)
    if status:
        lost = numbers[len(trials)]
        trials.append(Outcome(lost, kinds[lost % len(kinds)], "killed", 0, f"status {status}"))
    return trials, (usage.ru_maxrss - held) // 1024


def all_of(
    seed: int, count: int, job: int, jobs: int, kinds: Sequence[str]
) -> Iterator[tuple[list[Outcome], int]]:
    """The batches of one of several jobs, up to the last or to an interruption."""
    corpus()
    with suppress(KeyboardInterrupt):
        for first in range(job * BATCH, count, BATCH * jobs):
            yield batch(seed, range(first, min(first + BATCH, count)), kinds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("count", type=int, nargs="?", default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--job", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--whole", action="store_true")
    options = parser.parse_args()
    seed, kinds = options.seed, WHOLE if options.whole else KINDS
    if options.only is not None:
        item = damaged(seed, options.only, kinds)
        sys.stdout.write(f"{item.file}\n{item.text}\n{outcome(seed, options.only, kinds)}\n")
        return 0
    return report(seed, all_of(seed, options.count, options.job, options.jobs, kinds))


def report(seed: int, batches: Iterator[tuple[list[Outcome], int]]) -> int:
    """Prints the results; returns the exit code."""
    ended, slowest, largest, wrong = Counter[str](), 0.0, 0, 0
    for trials, megabytes in batches:
        largest = max(largest, megabytes)
        if megabytes > MEGABYTES:
            wrong += 1
            sys.stdout.write(f"{megabytes} MB within inputs {[trial.number for trial in trials]}\n")
        for trial in trials:
            ended[f"{trial.kind} {trial.ended}"] += 1
            slowest = max(slowest, trial.seconds)
            if trial.ended not in ("problems", "played") or trial.seconds > SECONDS:
                wrong += 1
                sys.stdout.write(f"--seed {seed} --only {trial.number}: {trial}\n")
    for what, number in sorted(ended.items()):
        sys.stdout.write(f"{number:7} {what}\n")
    sys.stdout.write(
        f"{ended.total()} inputs, {wrong} wrong; at most {slowest:.2f} s and {largest} MB\n"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main())
