"""All that is printed and sent of a position for one viewer, and whether it depends on what the
viewer cannot know.

python -m tests.hidden [POSITIONS [OTHERS]]
    compares so many positions of every game of the library with so many others that the viewer
    cannot tell from them
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import msgspec

from targi_dsl import PUBLIC, Seed, State, Stream, choices, observe, sample, start, step
from targi_dsl.cli.manual import card_text, rules_in_progress
from targi_dsl.cli.replies import known_position, scores
from targi_dsl.display.choosing import barred_offers, offers
from targi_dsl.display.ink import Line, render_line
from targi_dsl.display.page import Form, menus, table
from targi_dsl.display.picture import picture
from targi_dsl.display.scene import scene_of
from targi_dsl.display.screen import part_of_table
from targi_dsl.explain.why_not import why_not
from targi_dsl.ir.game import Game
from targi_dsl.records import step_by
from targi_dsl.text.languages import ENGLISH
from targi_dsl.view.news import Teller
from targi_dsl.view.seen import Seen
from targi_dsl.view.words import Words
from tests.games import ALL, compiled
from tests.looking import seen_by

_DRAWN = 4
"""Of so many positions one is drawn as a picture."""
WHY = 4
"""How many answers and addresses are asked about."""


def printed(state: State, viewer: str, words: Words, *, drawn: bool = True) -> list[str]:
    """Everything that a viewer can be shown of a position, by every table; drawn: with pictures."""
    scene, seen = scene_of(state, words, (viewer,)), seen_by(state, words, viewer)
    lines = [one for form in (Form.FULL, Form.OWN_TABLE) for one in table(scene, form)]
    if offered := offers(scene):
        lines += [one for menu in menus(scene, offered) for one in menu]
    for region in dict.fromkeys(place.region for place in state.game.places):
        lines += part_of_table(scene, region)
    told = [msgspec.json.encode(scene.view).decode(), *map(_text, lines)]
    told += [picture(observe(state, viewer))] if drawn else []
    told += rules_in_progress(seen)
    if viewer == state.seat:
        told += _answers(state, seen, words)
    return told


def _answers(state: State, seen: Seen, words: Words) -> Iterator[str]:
    """What can be asked at the prompt."""
    seat = state.seat or ""
    for barred in barred_offers(seen)[:WHY]:
        yield from (reason.text for reason in why_not(state, barred.offer.id, words))
    yield from map(str, scores(state, seat, ENGLISH))
    yield from known_position(state, seat)
    for address in words.addresses[:WHY]:
        yield from card_text(seen, address)


def _text(line: Line) -> str:
    return render_line(line, colour=False, plain=False)


def positions(game: Game, most: int, seed: int) -> Iterator[State]:
    """Positions of games of random choices, one after the other."""
    found = 0
    while found < most:
        state, stream = start(game, Seed(seed)), Stream(seed)
        while found < most and state.seat is not None:
            yield state
            found += 1
            for _ in range(1 + stream.below(3)):
                if offered := choices(state):
                    state = step(state, offered[stream.below(len(offered))])
        seed += 1


def differences(game: Game, most: int, others: int, seed: int = 1) -> Iterator[str]:
    """What is printed differently in positions that a viewer cannot tell apart; the viewers take
    turns.
    """
    words, stream, viewers = Words(game), Stream(seed), (*game.players, PUBLIC)
    for number, state in enumerate(positions(game, most, seed)):
        asked = state.seat if state.seat in game.players and number % 2 else ""
        viewer = asked or viewers[number % len(viewers)]
        seen = observe(state, viewer)
        if not seen.unknown and not seen.hidden:
            continue
        drawn = number % _DRAWN == 0
        mine = printed(state, viewer, words, drawn=drawn)
        for _ in range(others):
            other = printed(sample(seen, stream), viewer, words, drawn=drawn)
            yield from (f"{viewer}: {one}" for one in {*mine} ^ {*other})
            if mine != other and {*mine} == {*other}:
                yield f"{viewer}: another order"


def news_of_secrets(game: Game, most: int, seed: int = 5) -> Iterator[str]:
    """News that differ, for others, with a choice that is not theirs to know."""
    words = Words(game)
    for state in positions(game, most, seed):
        for seat in game.players if state.seat in game.players else ():
            told: dict[object, bytes] = {}
            for choice in choices(state) if seat != state.seat else ():
                made = step_by(state, choice)
                told_by = tuple(event.seen_by(seat) for event in made.events)
                known = observe(made.after, seat), told_by
                news = msgspec.json.encode(Teller(words, (seat,)).news(0, made))
                if told.setdefault(known, news) != news:
                    yield f"{seat}: {news.decode()}"


def main(most: int, others: int) -> None:
    for name in ALL:
        found = [*differences(compiled(name), most, others)]
        sys.stdout.write(f"{name}: {len(found)} differences in {most} positions\n")
        sys.stdout.writelines(f"    {one[:300]}\n" for one in found[:3])
        sys.stdout.flush()


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:]]
    main(*(given + [2000, 20][len(given) :]))
