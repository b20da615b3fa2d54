"""Does playing games find a fault of a generator? One generated line is changed at a time, and what
it does is held against what the unchanged engine does.

    python -m bench.mutate_codegen                     200 lines of Python, base and expansion
    python -m bench.mutate_codegen --language c        200 lines of C
    ... --tries 40 --parts 8 --part 0                  40 lines of an eighth of them

A change is a number that is one greater, a comparison turned round, or an assignment left out. A
line is changed in one way after the other until games tell; counted are the lines of which any
change shows, and those of which the first does. Lines are taken at random from those that games go
through, everybody choosing uniformly, never declining, or preferring what has been chosen least
often. Of Python the turns that go through a line are played again. Of C whole games are, with the
events of each turn, in four games of eight each position is opened anew, and more games in one
call, with what is counted in them; this needs tcc and gcc. Its lines of which no change shows are
equivalent, and counted apart, if gcc makes the same of the function around each change (-O1).
What only counts or limits the work of a turn changes no game and is passed over. So is what cannot
matter: in Python another number for one that is only asked whether it is 0, in C a change of which
the compiler makes the same code, and in both a number in a part of the line that no turn comes to.
"""

from __future__ import annotations

import ast
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

import click

from targi_dsl import load
from targi_dsl.codegen.c.check import checking
from targi_dsl.codegen.c.source import fixed, source
from targi_dsl.codegen.python.compiled import Functions, Pieces
from targi_dsl.codegen.python.engine import PythonEngine
from targi_dsl.codegen.python.flow import Flow
from targi_dsl.codegen.python.unit import Module, Unit
from targi_dsl.codegen.tally import Layout
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.engine.code import Code
from targi_dsl.engine.machine import Engine
from targi_dsl.engine.run import Run, Waiting
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game

LIMITS = ("in_doubt", "PARTS", "v[1] +=", "run.called", "#", "def ", '"""')
SWAPPED = {"==": "!=", "!=": "==", " < ": " >= ", " >= ": " < ", " > ": " <= ", " <= ": " > "}
PLAYERS = ("uniform", "busy", "rare")
ONLY_ASKED = "another number for one that is only asked whether it is 0"
UNREAD = "a number that no turn reads"
SAME_CODE = "a change of which the compiler makes the same code"
KEPT = 500
"""Turns that are kept of those that go through a line."""

PATIENCE = 30
"""Seconds after which a changed engine is said not to come back."""

COMPILING = 120
"""Seconds that a compiler may take."""


def changes(line: str, assigned: str) -> list[tuple[str, str]]:
    """The changes of a line, and for each number the line in which it tells that it is read.

    assigned: what an assignment that may be left out looks like.
    """
    found = []
    for match in re.finditer(r"(?<![\w.])\d+(?![\w.])", line):
        before, after = line[: match.start()], line[match.end() :]
        found.append((f"{before}{int(match[0]) + 1}{after}", f"{before}read({match[0]}){after}"))
    for old, new in SWAPPED.items():
        if old in line:
            found.append((line.replace(old, new, 1), ""))
    if re.match(assigned, line):
        found.append((re.sub(r"\S.*", "pass" if assigned is OF_PYTHON else ";", line), ""))
    return found


OF_PYTHON = r" +[fv]\[[^=]*\] [|+-]?= "
OF_C = r" *(f->s|g->v)\[[^=]*\] = [^;]*;$"


# ---- Python ----


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn: the position, the draw and the option it begins with, and what came of it."""

    before: Waiting | None
    number: int
    option: int
    after: object

    def shows(self, engine: PythonEngine) -> bool:
        """Whether an engine makes something else of it, or leaves it to the reference."""
        run = Run(Seed(self.number))
        left = turned(engine, self.before, self.option, run)
        return seen(engine, left, run) != self.after or engine.unfounded > 0


def turned(engine: Engine, before: Waiting | None, option: int, run: Run) -> Waiting:
    """The position at the end of a turn, the first of a game or any other."""
    return engine.start(run) if before is None else engine.answer(before, option, run)


def seen(engine: Engine, left: Waiting, run: Run) -> object:
    """What there is to see when a turn is over."""
    return engine.packed(left), [*run.options] * (left.point != NOTHING), run.stream.number


class Changed(PythonEngine):
    """An engine with another text in the place of its whole module."""

    def __init__(self, game: Game, whole: Pieces, text: str, **names: Any) -> None:
        self._pieces, self._names = Pieces(whole.module, whole.sets), names
        self._pieces.add("<changed>", text)
        super().__init__(game)

    def _generated(self, names: dict[str, Any]) -> Functions:
        names.update(self._names)
        return Functions(self.code, names, self._pieces)


@dataclass(slots=True)
class Met:
    """The turns of games, by the lines that they go through."""

    engine: Changed
    random: Random
    turns: dict[int, list[Turn]] = field(default_factory=dict)
    often: Counter[int] = field(default_factory=Counter)
    taken: Counter[tuple[int, int]] = field(default_factory=Counter)
    lines: set[int] = field(default_factory=set)

    def play(self, seed: int) -> None:
        """Plays a game."""
        run, stream = Run(Seed(seed)), Stream(~seed)
        left = self._turn(None, NOTHING, run)
        while left.point != NOTHING:
            left = self._turn(left, self._chosen(left, run, seed, stream), run)

    def _chosen(self, left: Waiting, run: Run, seed: int, stream: Stream) -> int:
        player, options = PLAYERS[seed % len(PLAYERS)], run.options
        if player != "uniform":
            declining = self.engine.declining(left.point)
            options = [one for one in options if one not in declining] or options
        if player == "rare":
            least = min(self.taken[left.point, one] for one in options)
            options = [one for one in options if self.taken[left.point, one] == least]
        option = options[stream.below(len(options))]
        self.taken[left.point, option] += 1
        return option

    def _turn(self, before: Waiting | None, option: int, run: Run) -> Waiting:
        number = run.stream.number
        self.lines.clear()
        sys.settrace(self._trace)
        left = turned(self.engine, before, option, run)
        sys.settrace(None)
        turn = Turn(before, number, option, seen(self.engine, left, run))
        for line in self.lines:
            self._keep(line, turn)
        return left

    def _keep(self, line: int, turn: Turn) -> None:
        """Keeps a fair sample of the turns that go through a line."""
        self.often[line] += 1
        kept = self.turns.setdefault(line, [])
        if len(kept) < KEPT:
            kept.append(turn)
        elif (at := self.random.randrange(self.often[line])) < KEPT:
            kept[at] = turn

    def _trace(self, frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != "<changed>":
            return None
        if event == "line":
            self.lines.add(frame.f_lineno)
        return self._trace


def patient(shows: Callable[[], bool]) -> bool:
    """Whether something shows; whatever a changed engine does wrong shows, and so does that it does
    not come back.
    """

    def too_long(number: int, frame: FrameType | None) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(PATIENCE)
    try:
        return shows()
    except Exception:  # noqa: BLE001 -- that is what is looked for
        return True
    finally:
        signal.alarm(0)


@dataclass(frozen=True, slots=True)
class Change:
    """A changed line: its number from 1, what it was and what it is. reading: the line with a call
    where its number is read.
    """

    line: int
    old: str
    new: str
    reading: str = ""

    def within(self, lines: list[str]) -> str:
        """The text with the change in it."""
        return put(lines, self.line, self.new)


def put(lines: list[str], at: int, line: str) -> str:
    """A text with another line in the place of one."""
    return "\n".join([*lines[: at - 1], line, *lines[at:]])


def whole_of(code: Code) -> tuple[Pieces, str]:
    """The whole module of a program as one piece, and its text."""
    module = Module()
    flow = Flow(Unit(code, module))
    flow.everything()
    return Pieces(module, flow.unit.occupancy.sets), module.piece()


class Python:
    """The generated module of a game."""

    def __init__(self, game: Game, games: int, random: Random) -> None:
        self.game, self.whole, self.text = game, *whole_of(Engine(game).code)
        self.lines, self.met = self.text.splitlines(), Met(self._changed(self.text), random)
        self.asked = only_asked(self.text)
        for seed in range(games):
            self.met.play(seed)

    def _changed(self, text: str, **names: Any) -> Changed:
        return Changed(self.game, self.whole, text, **names)

    def changes(self) -> list[Change]:
        """All changes of lines that were met."""
        return [
            Change(at, self.lines[at - 1], new, reading)
            for at in sorted(self.met.turns)
            if not any(word in self.lines[at - 1] for word in LIMITS)
            for new, reading in changes(self.lines[at - 1], OF_PYTHON)
        ]

    def why_not(self, change: Change) -> str:
        """Why a change cannot be seen; empty if it might."""
        old, new = (self._function(change.line, one) for one in (change.old, change.new))
        if as_truths(old, self.asked) == as_truths(new, self.asked):
            return ONLY_ASKED
        return UNREAD if change.reading and not self._reads(change) else ""

    def _function(self, at: int, line: str) -> str:
        """The function around a line, with this in its place."""
        first = next(one for one in range(at - 1, 0, -1) if self.lines[one].startswith("def "))
        rest = range(at, len(self.lines))
        last = next((one for one in rest if self.lines[one][:1].strip()), len(self.lines))
        return "\n".join([*self.lines[first : at - 1], line, *self.lines[at:last]])

    def is_equivalent(self, change: Change) -> bool:
        """Never said: this compiler does not tell what changes nothing."""
        return False

    def _reads(self, change: Change) -> bool:
        """Whether any turn reads the number that a change is about."""
        read = list[int]()

        def noted(number: int) -> int:
            read.append(number)
            return number

        engine = self._changed(put(self.lines, change.line, change.reading), read=noted)
        return any(turn.shows(engine) or read for turn in self.met.turns[change.line])

    def shows(self, change: Change) -> bool:
        """Whether a turn tells a change."""
        engine = self._changed(change.within(self.lines))
        return any(turn.shows(engine) for turn in self.met.turns[change.line])


def as_truths(text: str, asked: set[str]) -> str:
    """A function in which each constant that is only asked whether it is 0 is yes or no; asked: the
    functions of which only that is asked.
    """
    tree = ast.parse(text)
    for condition in conditions(tree):
        _settle(condition)
    for one in functions(tree):
        for part in ast.walk(one) if one.name in asked else ():
            if isinstance(part, ast.Return) and part.value is not None:
                _settle(part.value)
    return ast.dump(tree)


def functions(tree: ast.Module) -> list[ast.FunctionDef]:
    """The functions of a module."""
    return [one for one in tree.body if isinstance(one, ast.FunctionDef)]


def only_asked(text: str) -> set[str]:
    """The functions of which all that they give is asked whether it is 0: they are named nowhere
    but in calls whose results are conditions.
    """
    tree = ast.parse(text)
    asked = {id(part) for condition in conditions(tree) for part in operands(condition)}
    named, called = Counter[str](), Counter[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            named[node.id] += 1
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and id(node) in asked:
            called[node.func.id] += 1
    return {one.name for one in functions(tree) if named[one.name] == called[one.name]}


def conditions(tree: ast.AST) -> Iterator[ast.expr]:
    """What is asked whether it is 0."""
    for node in ast.walk(tree):
        match node:
            case ast.If(test) | ast.While(test) | ast.IfExp(test):
                yield test
            case ast.UnaryOp(ast.Not(), operand):
                yield operand
            case ast.comprehension(ifs=tests):
                yield from tests
            case _:
                pass


def operands(node: ast.expr) -> Iterator[ast.expr]:
    """A condition and the conditions it is made of."""
    yield node
    match node:
        case ast.BoolOp(values=values):
            for one in values:
                yield from operands(one)
        case ast.IfExp(_, body, orelse):
            yield from operands(body)
            yield from operands(orelse)
        case _:
            pass


def _settle(condition: ast.expr) -> None:
    for part in operands(condition):
        if isinstance(part, ast.Constant):
            part.value = bool(part.value)


# ---- C ----

READ = "static int was_read;\n#define read(number) (was_read = 1, (number))\n"
MAIN = """
#include <stdio.h>
static int32_t vector[STACK + FRAMES * (HEAD + FRAME)];
static int64_t taken[1 << 16];

static uint32_t seen(Game *g, uint32_t sum) {
    sum = crc(sum, vector, pack(g, vector) * sizeof *vector);
    sum = crc(sum, g->events, g->event_count * sizeof *g->events);
    return crc(sum, &g->chance, sizeof g->chance);
}

/* In four games of eight each position is opened anew from what is kept of it. */
static uint32_t played(Game *g, uint64_t seed) {
    uint64_t stream = ~seed;
    uint32_t sum = 0;
    if (targi_listen(g, 1) || targi_start(g, seed, 0)) return 1;
    for (int left = ENDLESS; left-- && g->waits != NOTHING;) {
        sum = crc(seen(g, sum), g->options, g->offered * sizeof *g->options);
        int64_t option = trouble(g, &stream, (int)(seed % TEMPERS), taken);
        int size = pack(g, vector);
        if (seed & 4 && targi_open(g, vector, size, g->chance, 0)) return 2;
        if (targi_listen(g, 1) || targi_answer(g, option)) return 3;
    }
    return scored(g, seen(g, sum));
}

/* Whole games in one call, with a tally and without: what is counted in them. */
static uint32_t counts(int64_t games, int64_t *tally) {
    uint64_t *seeds = calloc(games, sizeof *seeds);
    uint64_t *streams = calloc(games * PLAYERS, sizeof *streams);
    uint8_t *busy = calloc(games * PLAYERS, 1);
    int64_t *rows = calloc(games * ROW_WIDTH, sizeof *rows);
    for (int64_t i = 0; i < games * PLAYERS; i++) {
        seeds[i / PLAYERS] = 1000 + i / PLAYERS;
        streams[i] = ~(uint64_t)i;
        busy[i] = i / PLAYERS >> i % PLAYERS & 1;
    }
    uint32_t sum = (uint32_t)targi_run(seeds, streams, busy, rows, tally, games);
    sum = crc(sum, rows, games * ROW_WIDTH * sizeof *rows);
    return tally ? crc(sum, tally, TALLY * sizeof *tally) : sum;
}

int main(int count, char **given) {
    Game *g = made();
    int64_t games = atoll(given[1]);
    static int64_t tally[TALLY + 1];
    make_crc();
    for (int64_t i = 0; i < games; i++) printf("%u\\n", played(g, i));
    printf("%u %u\\n", counts(10 * games, 0), counts(2 * games, tally));
    return READS;
}
"""
QUICKLY = "tcc -std=gnu11 -w game.c -o game"
OBJECT = "tcc -std=gnu11 -w -c game.c -o game.o"
OPTIMIZED = "gcc -std=gnu11 -w -O1 -fwrapv -c game.c -o game.o"
COUNTING = "gcc -std=gnu11 -w -O0 -fwrapv --coverage game.c -o game"


class C:
    """The generated C of a game."""

    def __init__(self, game: Game, games: int, random: Random) -> None:
        self.game, self.games, self.text = game, games, source(Engine(game))
        self.lines = self.text.splitlines()
        self.known, self.object = self._done(self.text, QUICKLY), self._object(self.lines, OBJECT)
        self.met = self._met()

    def _done(self, text: str, command: str, before: str = "") -> str:
        """What a text prints that is made into a program by this command: the checksums of games,
        or if lines are counted, how often each was gone through.
        """
        with TemporaryDirectory() as folder:
            size = f"\n#define TALLY {Layout.of(self.game).size}"
            main = size + MAIN.replace("READS", "was_read" if before else "0")
            whole = before + checking(self.game, text) + main
            Path(folder, "game.c").write_text(whole, encoding="utf-8")
            _run(command, folder, COMPILING)
            done = _run(f"./game {self.games}", folder)
            return _run("gcov -t game.c", folder) if command == COUNTING else done

    def _met(self) -> list[int]:
        """The lines of generated functions that games go through, as gcov has counted them."""
        counted = self._done(self.text, COUNTING)
        rows = re.findall(r"^ *(\d+)\*?: *(\d+):", counted, re.MULTILINE)
        first = self.text[: self.text.index(fixed("play.h"))].rindex(fixed("alike.h"))
        first = self.text[:first].count("\n") + fixed("alike.h").count("\n")
        last = self.text[: self.text.index(" CHANCES[] =")].count("\n")
        return [int(line) for _, line in rows if first < int(line) <= last]

    def changes(self) -> list[Change]:
        """All changes of lines that were met."""
        return [
            Change(at, self.lines[at - 1], new, reading)
            for at in self.met
            if not any(word in self.lines[at - 1] for word in OF_THE_METER)
            for new, reading in changes(self.lines[at - 1], OF_C)
        ]

    def why_not(self, change: Change) -> str:
        """Why a change cannot be seen; empty if it might."""
        if self._is_same(change):
            return SAME_CODE
        return UNREAD if change.reading and not self._reads(change) else ""

    def _is_same(self, change: Change) -> bool:
        """Whether a compiler makes the same of a change."""
        return self._object(self._changed(change), OBJECT) == self.object

    def is_equivalent(self, change: Change) -> bool:
        """Whether an optimizing compiler makes the same of the function around a change."""
        old, new = (
            self._object(self._around(lines, change.line), OPTIMIZED)
            for lines in (self.lines, self._changed(change))
        )
        return bool(old) and old == new

    def _changed(self, change: Change) -> list[str]:
        return change.within(self.lines).split("\n")

    def _around(self, lines: list[str], at: int) -> list[str]:
        """The text in which only the function around a line is wanted."""
        end = self.text[: self.text.index(fixed("play.h"))].count("\n")
        first = next(one for one in range(at - 1, 0, -1) if re.match(r"static .*{$", lines[one]))
        wanted = f"__attribute__((used)) {lines[first]}"
        return [*lines[:first], wanted, *lines[first + 1 : end]]

    def _object(self, lines: list[str], command: str) -> bytes:
        """What a compiler makes of a text; nothing if it refuses it or takes too long."""
        with TemporaryDirectory() as folder:
            Path(folder, "game.c").write_text("\n".join(lines), encoding="utf-8")
            try:
                _run(command, folder, COMPILING)
            except subprocess.SubprocessError:
                return b""
            return Path(folder, "game.o").read_bytes()

    def _reads(self, change: Change) -> bool:
        """Whether any game reads the number that a change is about, as far as that can be told."""
        try:
            self._done(put(self.lines, change.line, change.reading), QUICKLY, READ)
        except subprocess.CalledProcessError:
            return True
        return False

    def shows(self, change: Change) -> bool:
        """Whether a game tells a change."""
        return self._done(change.within(self.lines), QUICKLY) != self.known


def _run(command: str, folder: str, longest: int = PATIENCE) -> str:
    """What a command prints; raises what it cannot do, or not in time."""
    done = subprocess.run(
        command.split(), cwd=folder, capture_output=True, check=True, timeout=longest
    )
    return done.stdout.decode()


OF_THE_METER = ("count(g", "steps", "TELL", "stop(g")


# ---- what is printed ----

DEFAULT = ("base", "expansion")


def made(language: str, game: Game, games: int, random: Random) -> Python | C:
    """What was generated for a game."""
    return Python(game, games, random) if language == "python" else C(game, games, random)


@dataclass(slots=True)
class Tally:
    """What was found: of the first change of each line, and of lines by any of their changes."""

    random: Random
    lines: int = 0
    held: int = 0
    first: int = 0
    equivalent: int = 0
    left_out: Counter[str] = field(default_factory=Counter)

    def line(self, sheet: Python | C, changes: list[Change]) -> None:
        """Changes a line in one way after the other until games tell."""
        self.random.shuffle(changes)
        tried = list[Change]()
        for change in changes:
            if patient(partial(sheet.shows, change)):
                self.held += 1
                self.first += not tried
                self._count()
                break
            if why := sheet.why_not(change):
                self.left_out[why] += 1
            else:
                tried.append(change)
        else:
            left = [one for one in tried if not sheet.is_equivalent(one)]
            self.equivalent += bool(tried) and not left
            for change in left:
                where = f"{sheet.game.name}:{change.line}"
                click.echo(f"not found: {where}: {change.old.strip()}  ->  {change.new.strip()}")
            if tried:
                self._count()

    def _count(self) -> None:
        self.lines += 1
        if not self.lines % 10:
            self.report()

    def report(self) -> None:
        """Prints what has been found so far."""
        click.echo(
            f"{self.lines} lines: {self.held} show a change, {self.first} of them the first tried; "
            f"{self.equivalent} have only changes that an optimizing compiler removes"
        )


@click.command()
@click.argument("names", nargs=-1)
@click.option("--language", type=click.Choice(["python", "c"]), default="python", show_default=True)
@click.option("--tries", default=200, show_default=True, help="Lines with changes that can matter.")
@click.option("--games", default=300, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--parts", default=1, show_default=True, help="In how many runs the lines are tried.")
@click.option("--part", default=0, show_default=True, help="Which of them this is, from 0.")
def main(
    names: tuple[str, ...], language: str, tries: int, games: int, seed: int, parts: int, part: int
) -> None:
    """Change one generated line at a time, and see whether games tell."""
    tally = Tally(Random(seed))
    sheets = [made(language, load(one), games, tally.random) for one in names or DEFAULT]
    lines = [
        (sheet, list(changes))
        for sheet in sheets
        for _, changes in groupby(sheet.changes(), key=attrgetter("line"))
    ]
    tally.random.shuffle(lines)
    for sheet, changes in lines[part::parts]:
        if tally.lines == tries:
            break
        tally.line(sheet, changes)
    tally.report()
    for why, number in tally.left_out.items():
        click.echo(f"{number} changes left out: {why}")


if __name__ == "__main__":
    main()
