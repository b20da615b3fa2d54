"""`targi replay`: replays a saved game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
from msgspec.structs import replace

from targi_dsl.api.state import State
from targi_dsl.cli import arguments
from targi_dsl.cli.begin import recorded
from targi_dsl.cli.output import put_document
from targi_dsl.cli.summary import Rounds, document, draw, ending, how_it_ended
from targi_dsl.cli.terminal import Terminal
from targi_dsl.compiler import translations
from targi_dsl.display.ink import Ink, line, unbroken
from targi_dsl.display.news import News
from targi_dsl.display.scene import scene_of
from targi_dsl.display.screen import screen
from targi_dsl.records import Step, opening, steps
from targi_dsl.tools.invariants import hold
from targi_dsl.view.words import Words


@click.command("replay")
@click.argument("file", metavar="FILE", callback=arguments.path)
@click.option("--to", metavar="N", type=click.IntRange(min=0), help="Stop after N choices.")
@arguments.language
@arguments.svg
@arguments.engine
@arguments.check
@arguments.as_json
def command(
    file: Path,
    to: int | None,
    language: str,
    svg: Path | None,
    seen_by: str,
    check: bool,
    as_json: bool,
) -> None:
    """Play back a saved game round by round: what happened, and where it led."""
    record, game = recorded(file)
    if to is not None and to > len(record.choices):
        raise click.UsageError(f"--to {to}: this game has {len(record.choices)} choices.")
    arguments.check_observer(game, seen_by)
    record = replace(record, choices=record.choices[:to])
    terminal = Terminal(quiet=as_json)
    words = Words(game, translations.of_game(game, record.game, language))
    (state, before), decisions = opening(game, record), 0
    rounds, news = Rounds(state, before), News(words, (), terminal.columns)
    reported, last = 0, None
    for number, step in enumerate(steps(game, record), 1):
        if rounds.begun != reported and not as_json:
            reported = rounds.begun
            terminal.show([line(Ink(f"── round {reported} ", "strong"))])
        decisions += not step.is_chance
        rounds.count(step)
        if check:
            hold(step.before, step.events, step.after)
        state, last = step.after, step
        if not as_json:
            terminal.show(news.report(step, f"{number}. "))
    if svg is not None:
        draw(state, seen_by, words.language, svg)
    if as_json:
        put_document(document(record, state, decisions, rounds.number))
        return
    terminal.show([line(), *screen(scene_of(state, words, (), terminal.columns))])
    for text in _where_it_led(words, state, last, terminal.columns):
        terminal.show(unbroken(text, terminal.columns))


def _where_it_led(words: Words, state: State, last: Step | None, room: int) -> Iterator[str]:
    """Who is to move, or how the game ended."""
    if state.seat is not None:
        yield from ("", words.say("{seat} is next.", seat=words.seat(state.seat)))
        return
    yield from ending(words, state, room, how_it_ended(words, last))
