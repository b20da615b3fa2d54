"""Plays a deal unchanged, and with something given or denied to a seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

from targi_dsl.api import Choice, Policy, choices, result, rollout, start, uniform
from targi_dsl.api.position import Position
from targi_dsl.api.state import State
from targi_dsl.codegen.tally import MOST_DECISIONS, Layout
from targi_dsl.engine.chance import Seed, Stream, whole_number
from targi_dsl.engine.run import pile
from targi_dsl.information.observation import observe
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.lab.version import Version, game_of
from targi_dsl.players import Player, player_of, thinks
from targi_dsl.players.busy import Busy
from targi_dsl.text.structs import Frozen

LUCK = 0x6A09E667F3BCC908
"""The origin of the streams of playouts, apart from those of deals."""

SEEN = 60
"""Games from which cards' final locations are found."""

UNKNOWN = float("nan")
"""The value of an intervention that is impossible in a deal."""


class Intervention(Frozen):
    """What a seat has before its first decision, or may not do. sort: `card`, `unit` or `use`;
    things: the number of the card or of the resource, or those of the cells of the tally.
    """

    name: str
    sort: str
    things: tuple[int, ...]


def measure(
    kind: str, interventions: Sequence[Intervention], version: Version, number: int
) -> Iterator[float]:
    """Plays a deal unchanged and once with each intervention, for a seat that alternates from deal
    to deal. Yields the share of the win and the points of that seat, unchanged first.
    """
    game = game_of(version)
    opening, seat = start(game, Seed(number)), number % len(game.players)
    regions = home_regions(version)
    yield from outcome(play_out(opening, policy(game, kind, number)), seat)
    for intervention in interventions:
        play, state = policy(game, kind, number), opening
        if intervention.sort == "use":
            play = _without(game, play, seat, frozenset(intervention.things))
        else:
            state = intervene(opening, intervention, seat, regions) or opening
        if state is opening and intervention.sort != "use":
            yield from (UNKNOWN, UNKNOWN)
        else:
            yield from outcome(play_out(state, play), seat)


def policy(game: Game, kind: str, seed: int) -> Policy:
    """A player of a kind, such as `busy` or `lookahead:100`, in all seats."""
    if not thinks(kind):
        return uniform(Stream(whole_number(LUCK, seed)), kind == Busy.kind)
    players = {seat: player_of(kind, seed, seat) for seat in game.players}
    return lambda state, offered: _chosen(players, state, offered)


def play_out(state: State, play: Policy) -> State:
    """The end of a game played on from here, or where it is broken off as endless."""
    return rollout(state, play, MOST_DECISIONS)


def _chosen(players: dict[str, Player], state: State, offered: Sequence[Choice]) -> Choice:
    seat = str(state.seat)
    return players[seat].choose(observe(state, seat), offered)


def outcome(state: State, seat: int) -> tuple[float, float]:
    """A seat's share of the win, and its points; unknown if the game has not ended."""
    if state.seat is not None:
        return UNKNOWN, UNKNOWN
    found = result(state)
    name, winners = state.game.players[seat], found.winners
    return (name in winners) / max(1, len(winners)), float(found.scores[seat])


def _without(game: Game, play: Policy, seat: int, cells: frozenset[int]) -> Policy:
    """A policy in which a seat avoids some cells while it has another choice."""
    name, layout = game.players[seat], Layout.of(game)

    def other(state: State, offered: Sequence[Choice]) -> Choice:
        left = offered
        if state.seat == name:
            left = [one for one in offered if layout.cell_of(state.question, one.code) not in cells]
        return play(state, left or offered)

    return other


def intervene(
    state: State, intervention: Intervention, seat: int, regions: dict[int, str]
) -> State | None:
    """The position after an intervention; None if it is impossible or changes nothing."""
    game, v, thing = state.game, list(state.vector), intervention.things[0]
    if intervention.sort == "unit":
        at = game.slots.amounts + thing * len(game.players) + seat
        v[at] += 1
        is_done = v[at] <= game.slots.highs[at]
    else:
        is_done = _hand_over(game, v, thing, seat, regions[game.cards[thing].kind])
    if not is_done:
        return None
    changed = State(game, v, state.chance, state.seat)
    return changed if choices(changed) else None


def _hand_over(game: Game, v: list[int], card: int, seat: int, region: str) -> bool:
    """Puts a card where the seat keeps such cards. If it lay alone, or with another seat, another
    of its kind from the bottom of the largest pile replaces it.
    """
    slots, places = game.slots, game.places
    own = [at for at, one in enumerate(places) if (one.region, one.owner) == (region, seat)]
    was = v[slots.card_place + card]
    free = [at for at in own if places[at].is_zone or v[slots.place_top + at] == NOTHING]
    if not free or was == NOTHING or was in own:
        return False
    left = [one for one in Position(game, v).cards_on(was) if one != card]
    if not places[was].is_zone or places[was].owner != NOTHING:
        if (instead := _from_pile(game, v, card)) == NOTHING:
            return False
        v[slots.card_known + instead] = _known(game, was)
        left.append(instead)
    pile(slots, v, was, left)
    pile(slots, v, free[0], [card, *Position(game, v).cards_on(free[0])])
    v[slots.card_known + card] = _known(game, free[0])
    return True


def _from_pile(game: Game, v: list[int], card: int) -> int:
    """Takes the bottom card of the largest pile with cards of this kind, or nothing."""
    kind, found = game.cards[card].kind, list[tuple[int, int]]()
    for at, place in enumerate(game.places):
        if place.is_zone and place.owner == NOTHING and not place.is_box:
            cards = [one for one in Position(game, v).cards_on(at) if one != card]
            if cards and game.cards[cards[-1]].kind == kind:
                found.append((len(cards), at))
    if not found:
        return NOTHING
    at = max(found)[1]
    *rest, last = Position(game, v).cards_on(at)
    pile(game.slots, v, at, rest)
    return last


def _known(game: Game, place: int) -> int:
    """The knowledge bits of a card that lies on a place in the usual way."""
    info = game.places[place]
    is_up = info.facing == "up"
    shown = [info.shows(seat, up=is_up) for seat in range(len(game.players))]
    return is_up + sum(one << 1 + seat for seat, one in enumerate(shown))


@cache
def home_regions(version: Version) -> dict[int, str]:
    """By kind of card, the region in which seats have such cards at the end of most games;
    preferably one with active abilities.
    """
    game, found = game_of(version), Counter[tuple[int, bool, str]]()
    for number in range(SEEN):
        position = play_out(start(game, Seed(number)), policy(game, Busy.kind, number)).position
        for card, info in enumerate(game.cards):
            if (at := position.place_of_card(card)) != NOTHING:
                place = game.places[at]
                found[info.kind, place.active, place.region] += place.owner != NOTHING
    regions = dict[int, str]()
    for (kind, _, region), count in sorted(found.items(), key=lambda one: (one[0][1], one[1])):
        if count:
            regions[kind] = region
    return regions
