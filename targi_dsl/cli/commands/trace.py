"""`targi trace`: which rules acted in a saved game, and what they did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

from targi_dsl.api import PUBLIC
from targi_dsl.api.offers import option_of
from targi_dsl.cli import arguments
from targi_dsl.cli.begin import recorded
from targi_dsl.cli.output import put, put_document
from targi_dsl.explain.tracing import Act, Tracer
from targi_dsl.ir.game import Game
from targi_dsl.records import Step, steps


@click.command("trace")
@click.argument("file", metavar="RECORD", callback=arguments.path)
@click.option("--step", metavar="N", type=click.IntRange(1), help="Only choice N.")
@click.option(
    "--seen-by", metavar="SEAT", default=PUBLIC, help="What this seat knows, or else everybody."
)
@arguments.as_json
def command(file: Path, step: int | None, seen_by: str, as_json: bool) -> None:
    """Show which rules acted after each choice of a saved game, in order and within the rules that
    caused them, and what they did, as a seat may know it.
    """
    record, game = recorded(file)
    arguments.check_observer(game, seen_by)
    check_step(step, len(record.choices))
    tracer = Tracer(game)
    traced = [
        (number, one, tracer.step(one.before, option_of(one.before, one.choice)))
        for number, one in enumerate(steps(game, record), 1)
        if step in (None, number)
    ]
    if as_json:
        put_document({"game": game.name, "choices": [_document(*one, seen_by) for one in traced]})
        return
    for one in traced:
        put("\n".join(_lines(*one, seen_by)))


def check_step(step: int | None, choices: int) -> None:
    """Refuses a choice number that the saved game does not have."""
    if step is not None and step > choices:
        raise click.UsageError(f"choice {step}: this game has {choices}.")


def _lines(number: int, step: Step, acts: Sequence[Act], seat: str) -> Iterator[str]:
    chosen = step.events[0].seen_by(seat)
    yield f"{number}. {chosen.seat}: {chosen.what}"
    game = step.before.game
    if acts and acts[0].event is not None:
        yield f"  {_rule(game, acts[0])} goes on"
    for act in acts:
        indent = "  " * max(act.depth, 1)
        if act.event is not None:
            yield f"{indent}  {act.event.seen_by(seat).text}"
        else:
            yield f"{indent}{_rule(game, act)}{_where(game, act)}"


def _rule(game: Game, act: Act) -> str:
    return game.program.procedures[act.rule].name


def _where(game: Game, act: Act) -> str:
    span = game.program.procedures[act.rule].span
    return "" if span is None else f"  {span.source.name}:{span.line}"


def _document(number: int, step: Step, acts: Sequence[Act], seat: str) -> Mapping[str, object]:
    game = step.before.game
    return {
        "number": number,
        "chosen": step.events[0].seen_by(seat).data(),
        "acts": [
            {
                "within": act.depth,
                "rule": _rule(game, act),
                "event": None if act.event is None else act.event.seen_by(seat).data(),
            }
            for act in acts
        ],
    }
