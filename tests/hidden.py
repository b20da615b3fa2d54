"""All that is printed and sent of a position for one viewer, and whether it depends on what the
viewer cannot know.

    python -m tests.hidden --minutes 40
    python -m tests.hidden --positions 50 base five_trails

Of every position the observation of each viewer is compared with that in so many others which the
viewer cannot tell from it. What is found from an observation alone (views, screens) is compared for
one of the viewers with one of the others, as it cannot differ where observations are equal. At some
positions it is all compared: pictures, advice and news too, and with all the others what is found
from the position itself (why not, refusals, scores, the position as text).
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import click
import msgspec

from targi_dsl import (
    PUBLIC,
    Choice,
    Seed,
    State,
    Stream,
    choices,
    observe,
    sample,
    start,
    step,
)
from targi_dsl.cli.manual import card_text, rules_in_progress
from targi_dsl.cli.replies import known_position
from targi_dsl.display.choosing import barred_offers, offers
from targi_dsl.display.ink import Line, render_line
from targi_dsl.display.page import menus
from targi_dsl.display.parts import part_of_table
from targi_dsl.display.picture import picture
from targi_dsl.display.scene import scene_of
from targi_dsl.display.screen import Form, screen
from targi_dsl.explain.why_not import why_not
from targi_dsl.information.observation import observe_together
from targi_dsl.ir.game import Game
from targi_dsl.players import USUAL, player_of
from targi_dsl.records import step_by
from targi_dsl.search import Budget
from targi_dsl.table.hall import reasons
from targi_dsl.table.messages import Why
from targi_dsl.view.news import Teller
from targi_dsl.view.outcomes import score_table
from targi_dsl.view.words import Words
from tests.games import ALL, compiled
from tests.looking import seen_by

_CLOSELY = 10
"""Of so many positions one is looked at closely: also at its picture, news and answers."""
WHY = 4
"""How many answers and addresses are asked about."""
_TRIED = 3
"""How many choices are made for their news."""


def printed(state: State, viewer: str, words: Words, *, closely: bool = True) -> list[str]:
    """All that is found from what a viewer observes; closely: with a picture and advice."""
    scene, seen = scene_of(state, words, (viewer,)), seen_by(state, words, viewer)
    lines = [one for form in (Form.FULL, Form.ASKED) for one in screen(scene, form)]
    if offered := offers(scene):
        lines += [one for menu in menus(scene, offered) for one in menu]
    for region in dict.fromkeys(place.region for place in state.game.places):
        lines += part_of_table(scene, region)
    told = [msgspec.json.encode(scene.view).decode(), *map(_text, lines)]
    told += rules_in_progress(seen)
    for address in words.addresses[:WHY] if viewer == state.seat else ():
        told += card_text(seen, address)
    if closely:
        told.append(picture(observe(state, viewer)))
        if viewer == state.seat:
            player = player_of(USUAL, len(state.option_ids), viewer, Budget(3))
            told.append(f"advice: {player.choose(observe(state, viewer), choices(state)).id}")
    return told


def answered(state: State, viewer: str, words: Words) -> Iterator[str]:
    """All that is found from the position itself: why not, scores, the position as text."""
    if viewer != state.seat:
        yield from (str(one) for one in reasons(state, (viewer,), words, Why()))
        return
    for barred in barred_offers(seen_by(state, words, viewer))[:WHY]:
        yield from (reason.text for reason in why_not(state, barred.offer.id, words))
    yield from (str(one) for one in reasons(state, (viewer,), words, Why(words="no such thing")))
    yield str(score_table(observe(state, viewer), words))
    yield from known_position(state, viewer)


def _text(line: Line) -> str:
    return render_line(line, colour=False, plain=False)


def positions(game: Game, seed: int) -> Iterator[State]:
    """Positions of games of random choices, one after the other, without an end."""
    while True:
        state, stream = start(game, Seed(seed)), Stream(seed)
        while state.seat is not None:
            yield state
            for _ in range(1 + stream.below(3)):
                if offered := choices(state):
                    state = step(state, offered[stream.below(len(offered))])
        seed += 1


@dataclass
class Compared:
    """What has been compared: positions; those that hide anything from anybody; worlds, each with
    one that a viewer cannot tell from it; and the differences that were found.
    """

    positions: int = 0
    hiding: int = 0
    worlds: int = 0
    differences: tuple[str, ...] = ()


def compare(
    game: Game, most: int, others: int, seconds: float = math.inf, seed: int = 1
) -> Compared:
    """Compares what everybody sees of so many positions with so many others, or of as many as there
    is processor time for.
    """
    words, stream, found = Words(game), Stream(seed), Compared()
    until = time.process_time() + seconds
    for number, state in enumerate(islice(positions(game, seed), most)):
        if time.process_time() > until:
            break
        seen = {viewer: observe(state, viewer) for viewer in (*game.players, PUBLIC)}
        worlds = {
            viewer: [sample(one, stream) for _ in range(others)]
            for viewer, one in seen.items()
            if one.unknown or one.hidden
        }
        found.positions += 1
        found.hiding += bool(worlds)
        found.worlds += others * len(worlds)
        for viewer, alike in worlds.items():
            found.differences += (*_observed(state, alike, viewer),)
        if worlds:
            is_asked = number % 3 and state.seat in worlds
            viewer = (state.seat or "") if is_asked else [*worlds][number // 3 % len(worlds)]
            closely = number % _CLOSELY == 0
            shown = _shown(state, worlds[viewer], viewer, words, closely=closely)
            found.differences += (*shown,)
    return found


def _observed(state: State, alike: Sequence[State], viewer: str) -> Iterator[str]:
    mine = observe_together(state, (viewer,))
    yield from (
        f"{viewer}: another observation"
        for other in alike
        if observe_together(other, (viewer,)) != mine
    )


def _shown(
    state: State, alike: Sequence[State], viewer: str, words: Words, *, closely: bool
) -> Iterator[str]:
    """What is shown differently in positions that a viewer cannot tell apart."""
    shown = [printed(one, viewer, words, closely=closely) for one in (state, *alike[:1])]
    answers = [[*answered(one, viewer, words)] for one in (state, *alike)] if closely else []
    for mine, *others in filter(None, (shown, answers)):
        for other in others:
            yield from (f"{viewer}: {one}" for one in {*mine} ^ {*other})
            if mine != other and {*mine} == {*other}:
                yield f"{viewer}: another order"
    if closely:
        yield from _news((state, *alike[:_TRIED]), viewer, words)


def _news(worlds: Sequence[State], viewer: str, words: Words) -> Iterator[str]:
    """News that differ though a viewer knows the same before and after, of the same choices."""
    told = dict[object, bytes]()
    for state in worlds:
        for choice in choices(state)[:_TRIED]:
            known, news = _known(state, choice, viewer, words)
            if told.setdefault((choice.id, known), news) != news:
                yield f"{viewer}: {news.decode()}"


def news_of_secrets(game: Game, most: int, seed: int = 5) -> Iterator[str]:
    """News that differ, for others, with a choice that is not theirs to know."""
    words = Words(game)
    for state in islice(positions(game, seed), most):
        for seat in game.players if state.seat in game.players else ():
            told = dict[object, bytes]()
            for choice in choices(state) if seat != state.seat else ():
                known, news = _known(state, choice, seat, words)
                if told.setdefault(known, news) != news:
                    yield f"{seat}: {news.decode()}"


def _known(state: State, choice: Choice, seat: str, words: Words) -> tuple[object, bytes]:
    """What a seat knows after a choice, and the news that it is told."""
    made = step_by(state, choice)
    seen = tuple(event.seen_by(seat) for event in made.events)
    seats = state.game.players if seat == PUBLIC else (seat,)
    news = msgspec.json.encode(Teller(words, seats).news(0, made))
    return (observe(made.after, seat), seen), news


@click.command()
@click.argument("names", nargs=-1)
@click.option("--positions", "most", default=2000, help="Positions of each game.")
@click.option("--others", default=20, help="Positions that a viewer cannot tell from each.")
@click.option("--minutes", default=math.inf, help="Of processor time, for all games together.")
@click.option("--seed", default=1, help="Of the first game that is played.")
def main(names: tuple[str, ...], most: int, others: int, minutes: float, seed: int) -> None:
    """Compare what is shown in positions that a viewer cannot tell apart."""
    games = [compiled(name) for name in names or ALL]
    games.sort(key=lambda game: compare(game, 8, 0).hiding)  # what open games leave is for others
    whole, until = Compared(), time.process_time() + minutes * 60
    for number, game in enumerate(games):
        seconds = (until - time.process_time()) / (len(games) - number)
        found = compare(game, most, others, seconds, seed)
        whole.positions += found.positions
        whole.hiding += found.hiding
        whole.worlds += found.worlds
        whole.differences += found.differences
        click.echo(_line(game.name, found))
        for one in found.differences[:3]:
            click.echo(f"    {one[:300]}")
    click.echo(_line("all games", whole))
    sys.exit(bool(whole.differences))


def _line(name: str, found: Compared) -> str:
    where = f"{found.positions:,} positions, {found.hiding:,} of them hide anything"
    return f"{name}: {len(found.differences)} differences in {found.worlds:,} worlds of {where}"


if __name__ == "__main__":
    main()
