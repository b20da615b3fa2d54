"""`targi analyse`: says which choices of a saved game were good."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import Any

import click
from msgspec import to_builtins

from targi_dsl.cli import arguments
from targi_dsl.cli.analysis_page import Row, page
from targi_dsl.cli.begin import recorded
from targi_dsl.cli.output import put_document
from targi_dsl.cli.terminal import Terminal
from targi_dsl.cli.thinking import tell_unused, think
from targi_dsl.compiler import translations
from targi_dsl.display.choosing import offers
from targi_dsl.display.scene import scene_of
from targi_dsl.information.observation import observe
from targi_dsl.ir.game import Game
from targi_dsl.players import LEVELS, USUAL, USUAL_LEVEL
from targi_dsl.records import Record, Step, steps
from targi_dsl.search import Budget
from targi_dsl.search.analysis import Judgement, judgement
from targi_dsl.search.estimates import Interval
from targi_dsl.text.files import write_file
from targi_dsl.view.words import Words

TURNING_POINTS = 3
"""The most turning points that are shown."""
_SPARKS, _MOST_SPARKS = "▁▂▃▄▅▆▇█", 50

Judged = tuple[int, Step, Judgement]
"""A decision of a seat: the number of the choice, the step, and its judgement."""


@click.command("analyse")
@click.argument("file", metavar="FILE", callback=arguments.path)
@think
@arguments.language
@arguments.engine
@arguments.as_json
@arguments.file("--html", "Write a page with the course of the game to FILE.")
def command(
    file: Path, budget: Budget | None, language: str, as_json: bool, html: Path | None
) -> None:
    """Say which choices of a saved game were good.

    Every choice is compared with the best one that its seat had, by what that seat knew: what it
    has cost in points, and in the chance to win. Both are given with what the playouts leave open
    (95 %); what they leave open altogether is no mistake. The curves are the chances to win after
    each choice, as playouts go on.
    """
    record, game = recorded(file)
    tell_unused(game, [USUAL])
    terminal, judged = Terminal(quiet=as_json), list[Judged]()
    words = Words(game, translations.of_game(game, record.game, language))
    for one in _judged(game, record, budget or Budget(LEVELS[USUAL_LEVEL - 1])):
        judged.append(one)
        if one[2].is_mistake:
            terminal.say(f"{one[0]:4}. {_mistake(words, one)}")
    summary, turns = [*_summary(words, judged)], dict(_turning_points(words, judged))
    curves = {words.seat(seat): _curve(judged, seat) for seat in game.players}
    if html is not None:
        title = f"{words.title}: {file.name}"
        write_file(html, page(title, summary, curves, turns, [*map(partial(_row, words), judged)]))
    if as_json:
        put_document({"game": record.game, "decisions": [_data(one) for one in judged]})
        return
    for text in summary:
        terminal.say(text)
    for name, curve in curves.items():
        terminal.say(f"chance of {name} to win: {_sparkline(curve)}")
    for number, text in turns.items():
        terminal.say(f"turning point {number}: {text}")


def _judged(game: Game, record: Record, budget: Budget) -> Iterator[Judged]:
    for number, step in enumerate(steps(game, record), 1):
        seat = step.before.seat
        if seat in game.players:
            seed = (record.seed or 0) + number
            seen = observe(step.before, str(seat))
            yield number, step, judgement(seen, step.choice.id, seed, budget)


def _mistake(words: Words, one: Judged) -> str:
    _, step, found = one
    return (
        f"{words.seat(str(step.before.seat))}: {_title(words, step, found.choice)}."
        f" Better by {_interval(found.lost)}: {_title(words, step, found.best)}"
    )


def _row(words: Words, one: Judged) -> Row:
    number, step, found = one
    lost = [_interval(found.lost), _interval(found.lost_chance, 100)]
    is_best = found.best == found.choice
    titles = _title(words, step, found.choice), "" if is_best else _title(words, step, found.best)
    seat = words.seat(str(step.before.seat))
    return Row((f"{number}", seat, *titles, *(["", ""] if is_best else lost)), found.is_mistake)


def _title(words: Words, step: Step, id_: str) -> str:
    """A choice in words for people."""
    scene = scene_of(step.before, words, (str(step.before.seat),))
    return next(one.title for one in offers(scene) if one.offer.id == id_)


def _interval(found: Interval, unit: float = 1) -> str:
    far = f"{unit * (found.high - found.value):.1f}" if isfinite(found.high) else "?"
    return f"{unit * found.value:.1f} +- {far}"


def _summary(words: Words, judged: list[Judged]) -> Iterator[str]:
    """The losses of each seat."""
    for seat in words.game.players:
        own = [found for _, step, found in judged if step.before.seat == seat]
        mistakes = [found.lost.value for found in own if found.is_mistake]
        parts = [arguments.count_of(len(own), "decision")]
        parts += [arguments.count_of(len(mistakes), "mistake")]
        parts += [f"which cost {sum(mistakes):.1f}"] if mistakes else []
        yield f"{words.seat(seat)}: {', '.join(parts)}"


def _turning_points(words: Words, judged: list[Judged]) -> Iterator[tuple[int, str]]:
    """The choices that cost most of the chance to win, by number."""
    points = [one for one in judged if one[2].is_turning_point]
    points.sort(key=lambda one: one[2].lost_chance.value, reverse=True)
    for number, step, found in sorted(points[:TURNING_POINTS], key=lambda one: one[0]):
        yield (
            number,
            f"{words.seat(str(step.before.seat))} wins"
            f" {100 * found.chance:.0f} % after {_title(words, step, found.best)}, and less by"
            f" {_interval(found.lost_chance, 100)} after {_title(words, step, found.choice)}",
        )


def _curve(judged: list[Judged], seat: str) -> dict[int, float]:
    """A seat's chance to win after each of its choices, by number."""
    own = ((number, found) for number, step, found in judged if step.before.seat == seat)
    return {number: found.chance - found.lost_chance.value for number, found in own}


def _sparkline(curve: dict[int, float]) -> str:
    """A curve in at most this many characters, each the mean of a part."""
    values, width = [*curve.values()], min(len(curve), _MOST_SPARKS)
    cuts = [len(values) * at // width for at in range(width + 1)] if width else []
    means = (sum(values[a:b]) / (b - a) for a, b in pairwise(cuts))
    return "".join(_SPARKS[round(mean * (len(_SPARKS) - 1))] for mean in means)


def _data(one: Judged) -> dict[str, Any]:
    number, step, found = one
    intervals = {"lost": found.lost.data(), "lost_chance": found.lost_chance.data()}
    return {"number": number, "seat": step.before.seat, **to_builtins(found), **intervals}
