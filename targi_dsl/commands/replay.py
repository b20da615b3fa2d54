"""`targi replay`: a saved game once more."""

from __future__ import annotations

import click

from targi_dsl.commands import arguments


@click.command("replay")
@click.argument("file")
@click.option("--to", "to", metavar="N", type=click.IntRange(min=0), help="Stop after so many choices.")
@arguments.as_json
def command(file: str, to: int | None, as_json: bool) -> None:
    """Play a saved game again: what happened, and where it leads."""
    from dataclasses import replace

    from targi_dsl.build.library import read_file
    from targi_dsl.build.load import load
    from targi_dsl.commands.output import emit
    from targi_dsl.commands.position import position
    from targi_dsl.commands.telling import document, ending, told
    from targi_dsl.record import begun, read, steps

    record = read(read_file(file))
    game = load(record.game, options=record.options)
    record = replace(record, choices=record.choices[:to])
    state, decisions = begun(game, record), 0
    for number, step in enumerate(steps(game, record), 1):
        decisions += step.was_asked
        state = step.after
        if not as_json:
            click.echo("\n".join(told(step, f"{number}. ")))
    if as_json:
        emit(document(record, state, decisions))
        return
    lines = ending(state) if state.seat is None else position(state)
    click.echo("\n".join(["", *lines]))
