"""Borders whose 16 cards lie elsewhere: whatever names a card must still mean it, and whatever
belongs to a place must stay there.

python -m tests.permuted_borders 200
    lays the border of the base game and that of the expansion in so many random orders
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from random import Random

from targi_dsl.api import choices, play, start
from targi_dsl.api.state import State
from targi_dsl.compiler.load import load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed
from targi_dsl.ir.game import Game
from targi_dsl.records.notation import read
from targi_dsl.text import resources
from tests.targi_base.tables import after, barred, has, offered

GAMES = ("base", "expansion")
NUMBERS = range(1, 17)
OPPOSITE = {1: 11, 2: 10, 3: 9, 5: 15, 6: 14, 7: 13}  # B12
ABLE = {
    "base": "a1 targia_3; b1 camel_3; c1 targia_6; d1 camel_6; a2 camel_7; b2 targia_9",
    "expansion": "a1 well_12; b1 camel_17; c1 camp_12; d1 targia_15; a2 targia_12; b2 well_14",
}
"""Displays of cards whose abilities name border cards, or what border cards do."""


@cache
def entries(name: str) -> dict[str, str]:
    """The border cards of a game by id, each as it is in its file."""
    found = dict[str, tuple[str, str]]()
    for box in ("base", "expansion")[: GAMES.index(name) + 1]:
        file = resources.read(f"cards/{box}/{box}_border.yaml") or b""
        _, *texts = file.decode().split("  - id: ")
        numbers = ((re.search(r"number: (\d+)", text), text) for text in texts)
        found |= {at[1]: (text.split()[0], text) for at, text in numbers if at}
    return dict(found.values())


def printed(name: str) -> dict[str, int]:
    """Where each card lies in the printed border."""
    return {
        card: int(re.findall(r"number: (\d+)", text)[0]) for card, text in entries(name).items()
    }


def laid(name: str, places: dict[str, int]) -> Game:
    """The game with a border card at each of these places."""
    texts = (
        "  - id: " + re.sub(r"number: \d+", f"number: {places[card]}", text, count=1)
        for card, text in entries(name).items()
    )
    head = "language: 2\nset: moved_border\nkind: border_card\nsource: laid elsewhere\ncards:\n"
    sheet = f"language 2\ngame moved based on {name}\n  deck border_cards: moved_border\n"
    files = {"moved.targi": sheet, "moved_border.yaml": head + "".join(texts)}
    return load("moved", of_texts(files))


def permuted(name: str, seed: int) -> dict[str, int]:
    """The cards of a border in a random order."""
    places = list(NUMBERS)
    Random(seed).shuffle(places)
    return dict(zip(printed(name), places, strict=True))


def used(game: Game, name: str, place: int) -> tuple[object, ...]:
    """What the card on a space does for a player whose display names border cards: what is
    offered, and what every answer leads to.
    """
    text = f"""after setup
round_number: 3
blue: 3 dates, 2 salt, 2 pepper, 2 gold, 5 points
hand of blue: oasis_8
tribe_discard: oasis_9
display of blue: {ABLE[name]}
centre: b2 well_2, marker of blue; a1 one_dates; b1 one_salt; c1 well_4
border {place}: targi of blue
do action_turn by blue"""
    if name == "expansion":
        text = text.replace("oasis_8", "oasis_10").replace("oasis_9", "oasis_11")
        text = text.replace("well_2", "well_10").replace("well_4", "well_11")
    state = after(read(game, text, Seed(5)), f"use_border {place}")
    return has(state, "blue"), *(_led_to(state, one) for one in offered(state) if one != "done")


def _led_to(state: State, answer: str) -> tuple[str, str, list[str]]:
    """An answer, what blue has then, and what is offered, as long as blue has not finished."""
    later = after(state, answer)
    asked = [one for one in offered(later) if not one.startswith("place_targi")]
    return answer, has(later, "blue"), asked


def raided(game: Game, name: str, place: int) -> tuple[object, ...]:
    """What happens when the robber comes to a space; without a tribe card, whatever the game."""
    before = f"border {place - 1}: robber\n" if place > 1 else ""
    rich = "3 dates, 3 salt, 3 pepper, 1 gold, 4 points"
    text = f"after setup\nstarter: blue\nblue: {rich}\nwhite: {rich}\n{before}do robber_moves"
    state = read(game, text, Seed(5))
    return tuple((one, has(after(state, one), "blue")) for one in offered(state))


def faults(name: str, places: dict[str, int]) -> Iterator[str]:
    """What a border in another order does otherwise than it should."""
    game, usual = laid(name, places), laid(name, printed(name))
    raids = {card for card in places if card.startswith("raid_")}
    for card, place in places.items():
        if start(game, Seed(1)).cards(f"border {place}") != (card,):
            yield f"{card} does not lie on {place}"
        looked_at = raided if card in raids else used
        if looked_at(game, name, place) != looked_at(usual, name, printed(name)[card]):
            yield f"{card} on {place} does something else"
    yield from _wrong_places(game, {places[card] for card in raids})
    yield from _wrong_course(game, places, raids)


def _wrong_places(game: Game, raids: set[int]) -> Iterator[str]:
    """What is barred, opposite or crossed elsewhere than it should."""
    border = "border " if any(place.region == "dunes" for place in game.places) else ""
    for place, opposite in OPPOSITE.items():
        state = read(
            game, f"after setup\nborder: {place} targi of white\ndo place_targi by blue", Seed(1)
        )
        for other in NUMBERS:
            expected = {"raid_card"} if other in raids else set()
            expected |= {"occupied"} if other == place else set()
            expected |= {"faces_opponent"} if other == opposite else set()
            if barred(state, f"place_targi {border}{other}") != expected:
                yield f"{other} is not barred as it should with a Targi on {place}"
    state = read(game, "after setup\nborder: 2 targi of blue; 6 targi of blue\ndo markers", Seed(1))
    if state.place_of("marker 1 of blue") != "centre b2":
        yield "the lines of 2 and 6 do not cross in b2"


def _wrong_course(game: Game, places: dict[str, int], raids: set[str]) -> Iterator[str]:
    """A course of the robber that does not go from place to place, but over the raids."""
    stops = {places[card] for card in raids}
    expected = [place for place in range(1, places["raid_4"]) if place not in stops]
    state, chance, found = start(game, Seed(3)), Random(3), list[int]()
    while state.seat is not None:
        there = int((state.place_of("robber") or "0").rpartition(" ")[2])
        if there not in stops and there not in found[-1:]:
            found.append(there)
        state = _next(state, chance)
    if found != expected[: len(found)]:
        yield f"the robber was on {found}, not on {expected}"


def _next(state: State, chance: Random) -> State:
    return play(state, chance.choice(choices(state)))[0]


if __name__ == "__main__":
    for number in range(int(sys.argv[1])):
        for of in GAMES:
            for fault in faults(of, permuted(of, number)):
                sys.exit(f"{of}, order {number}: {fault}")
    sys.stdout.write(f"{sys.argv[1]} orders of each border: every card does what it says\n")
