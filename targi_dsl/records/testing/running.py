"""Runs rule tests: sets up the position, makes the choices, checks the expectations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from targi_dsl.api import Event, begin, choices, play
from targi_dsl.api.offers import option_of
from targi_dsl.api.state import State
from targi_dsl.compiler.load import load
from targi_dsl.compiler.project.discovery import PLAYERS
from targi_dsl.engine.chance import Asked, Chance, Seed
from targi_dsl.explain.tracing import Tracer
from targi_dsl.ir.game import Game
from targi_dsl.records import notation
from targi_dsl.records.notation.names import Words
from targi_dsl.records.testing.expecting import Expectations, listed
from targi_dsl.records.testing.reading import Phase, RuleTest, TestFile, joined
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.files import read_file
from targi_dsl.text.source import Embedded, Source
from targi_dsl.text.structs import Frozen
from targi_dsl.text.suggestions import suggestion

CHANCE = "chance"
MOST_OUTCOMES = 1_000
"""The most outcomes of chance in a row: taking always the first one may never end."""


MOST_ANSWERS = 8
"""The most forced answers that are reported with a failure."""


class Step(Frozen):
    """A choice or an outcome of chance, by its id, in a position."""

    before: State
    id: str


class Outcome(Frozen):
    """The result of a test: its problems, none if it passes."""

    test: RuleTest
    problems: tuple[Problem, ...]


class Games:
    """The games of tests, loaded once, by default by `load`; with `traced` they are traced."""

    def __init__(self, read: Callable[..., Game] = load, *, traced: bool = False) -> None:
        self.read, self.traced, self.tracers = read, traced, list[Tracer]()
        self.load = cache(self._load)

    def _load(self, name: str, options: tuple[tuple[str, str], ...]) -> Game:
        game = self.read(name, options=dict(options))
        if self.traced:
            self.tracers.append(tracer := Tracer(game))
            tracer.attach()
        return game

    def count(self, game: Game, events: Iterable[Event]) -> None:
        """Counts the things that events of a game name, if it is traced."""
        for tracer in self.tracers:
            for event in events if tracer.game is game else ():
                tracer.hits.count(event)


def game_of(file: TestFile, read: Callable[[str], Source] = read_file) -> str:
    """The name or path of the sheet under test: a file beside the tests or above them, or a shipped
    game. A module's tests may have its name.
    """
    folder = Path(file.source.name).parent
    above = (place / f"{file.game}.targi" for place in (folder, *folder.parents[:2]))
    paths = (f"{place.parent}/{place.name}" for place in above)
    return next((path for path in paths if _is_sheet(path, read)), file.game)


def _is_sheet(path: str, read: Callable[[str], Source]) -> bool:
    try:
        return _GAME.search(read(path).text) is not None
    except Problems:
        return False  # there is none


_GAME = re.compile(r"^game\b", re.MULTILINE)


def run_test(file: TestFile, test: RuleTest, games: Games) -> Outcome:
    """Runs a test. Expectations that do not hold are problems (E661), and so is what cannot be
    done.
    """
    running = _Running(file, games)
    try:
        for phase in test.phases:
            running.run(phase)
        running.end()
    except Problems as error:
        problems = tuple(
            one if one.span is not None else replace(one, span=file.span, file="")
            for one in error.problems
        )
        return Outcome(test, (*running.problems, *problems))
    return Outcome(test, tuple(running.problems))


def state_at(file: TestFile, test: RuleTest, games: Games, offset: int) -> State | None:
    """The position of a test at an offset of its file; None if it does not get there."""
    running = _Running(file, games)
    try:
        for phase in test.phases:
            lines = tuple(one for one in map(partial(_before, offset), phase.lines) if one.text)
            if phase.kind != "then" and phase.span.start < offset:
                running.run(replace(phase, lines=lines))
        return running.position()
    except Problems:
        return None


def _before(offset: int, line: Embedded) -> Embedded:
    """The part of a line that ends before an offset: for choices, those that another follows."""
    if line.offsets[-1] < offset and not line.text.endswith(";"):
        return line
    end = line.text.rfind(";", 0, sum(one < offset for one in line.offsets))
    return Embedded(line.home, line.text[: max(end, 0)], line.offsets[: max(end, 0) + 1])


class _Running(Struct):
    """The state of a running test. outcomes: listed outcomes of chance still to come. given: the
    position to which `again` returns. recent: the steps since the last `when` or `given`. earlier:
    those of the `when` before. decided: the outcomes of chance so far. read: makes the given
    position again.
    """

    file: TestFile
    games: Games
    lines: list[Embedded] = field(default_factory=list)
    outcomes: list[Words] = field(default_factory=list)
    given: tuple[State, list[Words]] | None = None
    state: State | None = None
    events: list[Event] = field(default_factory=list)
    recent: list[Step] = field(default_factory=list)
    earlier: list[Step] = field(default_factory=list)
    decided: list[str] = field(default_factory=list)
    read: Callable[[], object] | None = None
    problems: list[Problem] = field(default_factory=list)

    def run(self, phase: Phase) -> None:
        """Carries out a step of the test."""
        if phase.kind == "given":
            said = {_thing(line) for line in phase.lines}
            self.lines = [*(line for line in self.lines if _thing(line) not in said), *phase.lines]
            return
        self.position()
        match phase.kind:
            case "again":
                assert self.given is not None
                self.state, outcomes = self.given
                self.outcomes, self.events = [*outcomes], []
                self.earlier, self.recent = [], []
            case "when":
                self.events, self.earlier, self.recent = [], self.recent, []
                for line in phase.lines:
                    self._when(Words(line, 0, len(line.text)))
            case "then":
                self._then(phase)

    def position(self) -> State:
        """The current position."""
        if self.given is None:
            self._set_up()
        return self._now()

    def end(self) -> None:
        """Checks that all listed outcomes of chance were used."""
        for words in self.outcomes:
            first, _, several = words.text.partition(",")
            kind, _, name = first.partition(" ")
            if several and name and any(one.startswith(f"{kind} ") for one in self.decided):
                apart = listed([first, *(f"{kind} {one.strip()}" for one in several.split(","))])
                text = "Chance decides one thing after the other."
                title = f"`{words.text}` is several outcomes"
                words.fail("E662", title, text, f"Write: {CHANCE}: {apart}")
            text = "Chance was asked for fewer outcomes than are listed, or for others."
            if any(line.text == "after setup" for line in self.lines):
                text += " The setup before `after setup` takes none from the list."
            told = listed(self.decided[-MOST_ANSWERS:])
            text += f" It decided last: {told}." if told else ""
            words.fail("E662", f"`{words.text}` did not happen", text, "Delete it.")

    # ---- given ----

    def _set_up(self) -> None:
        options, lines, seed = dict[str, str](), list[Embedded](), None
        for line in self.lines:
            words = Words(line, 0, len(line.text))
            key, rest = words.partition(":")
            if rest is not None and key.text == CHANCE:
                self.outcomes += rest.split(";")
            elif rest is not None and key.text.startswith("option "):
                options[key.after("option ").text] = rest.text
            elif rest is not None and key.text == PLAYERS:
                options[PLAYERS] = rest.text
            elif words.text.startswith("seed "):
                seed = words.after("seed ").number()
            else:
                lines.append(line)
        game = self.games.load(game_of(self.file), tuple(options.items()))
        chance: Chance = Asked() if seed is None else Seed(seed)
        if lines:
            read = partial(notation.read, game, joined(lines, self.file.source), chance)
            self.read, self.state = read, read()
        else:
            self.read = partial(begin, game, chance)
            self.state, events = begin(game, chance)
            self.events += events
        self._wait()
        self.given = self.state, [*self.outcomes]

    # ---- when ----

    def _when(self, line: Words) -> None:
        key, rest = line.partition(":")
        if rest is not None and key.text == CHANCE:
            self.outcomes += rest.split(";")
            self._wait()
            return
        named: Words | None = None
        for wanted in line.split(";"):
            state = self._now()
            key, rest = wanted.partition(":")
            if rest is not None and key.text in state.game.players:
                named, wanted = key, rest
            if named is not None and state.seat != named.text:
                text = f"It is {state.seat} that is asked." if state.seat else "The game is over."
                text += self._unasked(self._latest())
                named.fail("E662", f"{named.text} is not asked", text)
            self._choose(wanted)
            self._wait()

    def _latest(self) -> list[Step]:
        """The latest choice, with the outcomes of chance since."""
        steps = self.recent or self.earlier
        chosen = [at for at, step in enumerate(steps) if step.before.seat != CHANCE]
        return steps[max(chosen, default=0) :]

    def _unasked(self, steps: Sequence[Step]) -> str:
        """The forced answers in these steps, or in the given position."""
        is_given = all(step.before.seat == CHANCE for step in (*self.earlier, *self.recent))
        answers = unasked(self._now().game, steps, self.read if is_given else None)
        if not answers:
            return ""
        told = ", ".join(answers[:MOST_ANSWERS])
        more = f", and {len(answers) - MOST_ANSWERS} more" if len(answers) > MOST_ANSWERS else ""
        return f" Made at once, since there was no other choice: {told}{more}."

    def _choose(self, wanted: Words) -> None:
        offered = [choice.id for choice in choices(self._now())]
        if wanted.text not in offered:
            text = f"Offered are: {listed(offered)}." if offered else "The game is over."
            text += self._unasked(self._latest())
            hint = suggestion(wanted.text, offered)
            choice, by, _ = wanted.text.rpartition(" by ")
            if by and choice in offered:
                text += f" It is {self._now().seat} that is asked, so nobody needs to be named."
                hint = f"Write: {choice}"
            wanted.fail("E662", f"`{wanted.text}` cannot be chosen here", text, hint)
        self._play(wanted.text)

    def _wait(self) -> None:
        """Lets chance decide until a player is asked: as listed, or the first outcome."""
        outcomes = 0
        while (state := self._now()).seat == CHANCE:
            if (outcomes := outcomes + 1) > MOST_OUTCOMES:
                text = f"Chance has decided {MOST_OUTCOMES:,} times, and no player is asked."
                hint = "List outcomes after `chance:` that lead to a question."
                raise Problems([Problem("E662", "this does not end", None, text, hint)])
            offered = [choice.id for choice in choices(state)]
            listed_ = next((one for one in self.outcomes if one.text in offered), None)
            if listed_ is not None:
                self.outcomes.remove(listed_)
            self._play(offered[0] if listed_ is None else listed_.text)
            self.decided.append(self.recent[-1].id)

    def _play(self, id_: str) -> None:
        step = Step(self._now(), id_)
        self.recent.append(step)
        self.state, events = play(step.before, id_)
        self.events += events
        self.games.count(self.state.game, events)

    # ---- then ----

    def _then(self, phase: Phase) -> None:
        found = list(self._checked(phase, ()))
        if found:  # tracing the rules takes a replay, so only after a failure
            rules, answers = rules_of(self.recent), self._unasked(self.recent)
            for problem in self._checked(phase, rules):
                text = problem.text + answers
                self.problems.append(replace(problem, text=text))

    def _checked(self, phase: Phase, rules: Sequence[str]) -> Iterator[Problem]:
        asks = any(line.text.startswith(("acted", "not acted")) for line in phase.lines)
        rules = rules_of(self.recent) if asks and not rules else rules
        expectations = Expectations(self._now(), self.events, rules)
        for line in phase.lines:
            if (problem := expectations.check(line)) is not None:
                yield problem

    def _now(self) -> State:
        assert self.state is not None
        return self.state


def _thing(line: Embedded) -> str:
    """The thing that a line of a position is about; later lines override earlier ones."""
    key, colon, _ = line.text.partition(":")
    return key if colon else line.text.partition(" ")[0]


def unasked(
    game: Game, steps: Sequence[Step], read: Callable[[], object] | None = None
) -> tuple[str, ...]:
    """The forced answers in these steps, and before them in reading the position."""
    tracer = Tracer(game)

    def play() -> None:
        if read is not None:
            read()
        for step in steps:
            tracer.step(step.before, option_of(step.before, step.id))

    return tracer.without_asking(play)


def rules_of(steps: Sequence[Step]) -> tuple[str, ...]:
    """The rules that acted in these steps, in order."""
    rules = dict[str, None]()
    for step in steps:
        game = step.before.game
        for act in Tracer(game).step(step.before, option_of(step.before, step.id)):
            rules[game.program.procedures[act.rule].name] = None
    return tuple(rules)
