"""`targi why`: why something could not be chosen in a saved game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
from msgspec import to_builtins

from targi_dsl.cli import arguments
from targi_dsl.cli.begin import recorded
from targi_dsl.cli.commands.trace import check_step
from targi_dsl.cli.output import put, put_document
from targi_dsl.display.choosing import barred_offers, offers, offers_meant
from targi_dsl.display.scene import scene_of
from targi_dsl.explain.why_not import Reason, why_not
from targi_dsl.information.observation import observe
from targi_dsl.records import opening, steps
from targi_dsl.text.languages import ENGLISH
from targi_dsl.view.seen import Seen
from targi_dsl.view.words import Words


@click.command("why")
@click.argument("file", metavar="RECORD", callback=arguments.path)
@click.argument("number", metavar="STEP", type=click.IntRange(1))
@click.argument("words", metavar="WORDS")
@arguments.as_json
def command(file: Path, number: int, words: str, as_json: bool) -> None:
    """Tell why WORDS could not be chosen in a saved game instead of choice STEP, with the rule that
    says so and what would lift it.

    WORDS are the id or the words of a choice, such as 'display' or 'border 5'.
    """
    record, game = recorded(file)
    check_step(number, len(record.choices))
    state = opening(game, record)[0]
    for at, one in enumerate(steps(game, record), 1):
        state = one.before
        if at == number:
            break
    shown = Words(game, ENGLISH)
    seat = str(state.seat)
    meant = offers_meant(words, offers(scene_of(state, shown, (seat,))))
    meant = meant or offers_meant(words, barred_offers(Seen(observe(state, seat), shown)))
    asked = [one.offer.id for one in meant] or [words]
    reasons = tuple(dict.fromkeys(why for one in asked for why in why_not(state, one, shown)))
    if as_json:
        put_document({"number": number, "seat": state.seat, "reasons": to_builtins(reasons)})
        return
    put(f"choice {number}, {state.seat}: {words}")
    put(
        "\n".join(f"  {line}" for reason in reasons for line in _lines(reason))
        or "  It is offered."
    )


def _lines(reason: Reason) -> Iterator[str]:
    where = f"  {reason.file}:{reason.line}" if reason.file else ""
    yield f"{reason.name}: {reason.text}{where}"
    if reason.lifts:
        yield f"  lifted by {', '.join(reason.lifts)}"
