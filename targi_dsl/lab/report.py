"""A report on a game and its variants: the same questions asked with a weaker and a stronger
player, and where the answers disagree.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, Literal

from targi_dsl.lab.compare import compare
from targi_dsl.lab.effects import effects
from targi_dsl.lab.findings import Finding, Result, aligned, quantity
from targi_dsl.lab.metrics import metrics
from targi_dsl.lab.runner import Failure, Runner
from targi_dsl.lab.seats import seats
from targi_dsl.lab.version import Version, game_of
from targi_dsl.text.structs import Frozen

SECONDS = 120
"""The default time limit of a report."""

OPEN = "not known yet"

NOTHING_CERTAIN = "Nothing is certain yet: more games would tell, or more --time."

_SETTLED = ("", "same", "even", "like others")
"""Verdicts that need no mention at the top."""

Agreement = Literal["agree", "disagree", "unsure", "alone"]


class PlayerFinding(Frozen):
    """A finding in the games of one player. games: their number."""

    player: str
    games: int
    finding: Finding

    @property
    def heading(self) -> str:
        """The player, and the number of the games."""
        return f"{self.player}, {quantity(self.games, 'game')}"


class Conclusion(Frozen):
    """One measure as the games of each player show it, and whether they agree."""

    measure: str
    told: tuple[PlayerFinding, ...]
    agreement: Agreement

    @property
    def verdict(self) -> str:
        """What the players agree on, or how far they disagree."""
        if self.agreement == "disagree":
            return "the players disagree"
        if self.agreement == "unsure":
            return OPEN
        alone = [f"with {self.told[0].player} only"] * (self.agreement == "alone")
        return ", ".join(filter(None, [self.told[0].finding.verdict, *alone]))

    @property
    def summary(self) -> str:
        """The verdict, with the estimate of each player."""
        return f"{self.verdict}: {', '.join(f'{t.finding.told} ({t.player})' for t in self.told)}"

    @property
    def is_certain(self) -> bool:
        """Whether the players agree on something worth mention at the top."""
        return self.agreement == "agree" and self.verdict not in _SETTLED


class Question(Frozen):
    """A question with its answers. commands: reproduce them, one for each player; cautions: what
    the numbers do not tell.
    """

    title: str
    commands: tuple[str, ...]
    conclusions: tuple[Conclusion, ...]
    cautions: tuple[str, ...]

    def tables(self) -> Iterator[tuple[list[str], list[Conclusion]]]:
        """The conclusions grouped by the games they are from, with who played how many of them."""
        for of, those in groupby(self.conclusions, lambda one: [t.heading for t in one.told]):
            yield of, [*those]


class Report(Frozen):
    """All questions with their answers. command: reproduces the report."""

    title: str
    command: str
    questions: tuple[Question, ...]
    failures: tuple[Failure, ...] = ()

    @property
    def certain(self) -> list[Conclusion]:
        """What the players agree on, and what they disagree on."""
        every = [one for question in self.questions for one in question.conclusions]
        apart = [one for one in every if one.agreement == "disagree"]
        return [one for one in every if one.is_certain] + apart

    def lines(self) -> Iterator[str]:
        """The report as text: what is certain, and a table for each question."""
        yield self.title
        yield ""
        yield "In short"
        found = [f"  {one.measure}: {one.summary}" for one in self.certain]
        yield from found or [f"  {NOTHING_CERTAIN}"]
        for question in self.questions:
            yield ""
            yield question.title
            for heading, those in question.tables():
                rows = (
                    [one.measure, *(t.finding.told for t in one.told), one.verdict] for one in those
                )
                yield from aligned([["", *heading, ""], *rows])
            yield from (f"  ({caution})" for caution in question.cautions)
            yield from (f"  {command}" for command in question.commands)
        yield from (f"failed: {one.told}" for one in self.failures)

    def data(self) -> dict[str, Any]:
        """The report as plain data for JSON."""
        return {
            "title": self.title,
            "command": self.command,
            "failures": [one.told for one in self.failures],
            "questions": [
                {
                    "title": question.title,
                    "commands": [*question.commands],
                    "cautions": [*question.cautions],
                    "conclusions": [
                        {
                            "measure": one.measure,
                            "agreement": one.agreement,
                            "told": [
                                {"player": of.player, "games": of.games, **of.finding.data()}
                                for of in one.told
                            ],
                        }
                        for one in question.conclusions
                    ],
                }
                for question in self.questions
            ],
        }


class _Question(Frozen):
    """What is asked of each player. verb: the command of `targi lab`, with its arguments; told: the
    measures that another question reports.
    """

    title: str
    verb: str
    ask: Callable[[str, Runner], Result]
    told: frozenset[str] = frozenset()


def report(
    version: Version,
    variants: Sequence[Version],
    players: Sequence[str],
    runner: Runner,
    command: str = "",
) -> Report:
    """Asks what the seats, play and the cards of a game are like, and what each variant changes,
    with each player in all seats. The questions share the time of the runner. Raises Problems if a
    version has errors.
    """
    for one in (version, *variants):
        game_of(one)
    asked, found = _questions(version, variants), list[Question]()
    failures = dict[Failure, None]()
    seconds = (runner.seconds or SECONDS) / (len(asked) * len(players))
    for question in asked:
        told = [_answered(question, player, runner, seconds) for player in players]
        if answers := [one for one in told if one is not None]:
            found.append(_side_by_side(question, answers))
            failures |= dict.fromkeys(one for each in answers for one in each.result.failures)
    titles = " and ".join(one.arguments for one in (version, *variants))
    return Report(f"A report on {titles}", command, tuple(found), tuple(failures))


def _questions(version: Version, variants: Sequence[Version]) -> list[_Question]:
    game, name = game_of(version), version.arguments
    found = list[_Question]()
    by_seat = frozenset(f"{one} of {seat}" for one in ("share", "points") for seat in game.players)
    if len(game.players) > 1:
        of_seats = _Question(
            f"What the seats of {name} are worth",
            f"seats {name}",
            lambda kind, runner: seats(version, kind, runner),
        )
        found.append(of_seats)
    of_play = _Question(
        f"What play of {name} is like",
        f"metrics {name}",
        lambda kind, runner: metrics(version, kind, runner),
        by_seat | {"draws"} if found else frozenset(),
    )
    found.append(of_play)
    if game.cards:
        of_cards = _Question(
            f"What the cards of {name} are worth",
            f"cards {name}",
            lambda kind, runner: effects(version, "cards", kind, runner),
        )
        found.append(of_cards)
    return [*found, *(_change(version, one) for one in variants)]


def _change(version: Version, variant: Version) -> _Question:
    return _Question(
        f"What {variant.arguments} changes in {version.arguments}",
        f"compare {version.arguments} {variant.arguments}",
        lambda kind, runner: compare(version, variant, [kind], runner),
    )


# ---- one answer ----


class _Answer(Frozen):
    player: str
    command: str
    result: Result


def _answered(question: _Question, player: str, runner: Runner, seconds: float) -> _Answer | None:
    """The answer from as many deals as the time allows; a few deals tell how many those are, so
    that the number of deals alone reproduces it. None after an interrupt before the first.
    """
    found, deals, end = None, 1, time.monotonic() + seconds
    while not runner.interrupted:
        began, part = time.monotonic(), runner.part(deals)
        told = question.ask(player, part)
        if found is None or not part.interrupted:
            line = f"targi lab {question.verb} --player {shlex.quote(player)} --games {deals}"
            line += f" --seed {runner.seed}" if runner.seed else ""
            found = _Answer(player, line, told)
        runner.played += part.played
        runner.interrupted |= part.interrupted
        took, left = time.monotonic() - began, end - time.monotonic()
        more = min(10.0, 0.8 * left / max(took, 1e-6))
        if deals == runner.games or more < 2:
            break
        deals = min(int(deals * more), runner.games)
    return found


def _side_by_side(question: _Question, answers: Sequence[_Answer]) -> Question:
    """The answers for all players side by side; where a number is missing, why."""
    by_measure: dict[str, list[PlayerFinding]] = {}
    cautions = dict[str, None]()
    for answer in answers:
        for section in answer.result.sections:
            cautions |= dict.fromkeys(section.cautions if section.findings else [section.about])
            for one in section.findings:
                if one.measure in question.told:
                    continue
                told = PlayerFinding(answer.player, section.games, one)
                by_measure.setdefault(one.measure, []).append(told)
    conclusions = tuple(
        Conclusion(measure, tuple(told), agreement(told, len(answers)))
        for measure, told in by_measure.items()
    )
    commands = tuple(answer.command for answer in answers)
    by_games = sorted(conclusions, key=lambda one: len(one.told), reverse=True)
    return Question(question.title, commands, tuple(by_games), tuple(cautions))


def agreement(told: Sequence[PlayerFinding], players: int) -> Agreement:
    """Equal verdicts agree; intervals without overlap disagree. An interval without bounds is not
    certain of anything.
    """
    findings = [one.finding for one in told]
    verdicts = {one.verdict for one in findings}
    if OPEN in verdicts or not all(one.interval.is_known for one in findings):
        return "unsure"
    if len(told) < players:
        return "alone"
    if len(verdicts) == 1 and verdicts != {""}:
        return "agree"
    if max(one.interval.low for one in findings) > min(one.interval.high for one in findings):
        return "disagree"
    return "agree" if verdicts == {""} else "unsure"
