"""Matches between the players: who wins, with the seats rotated from game to game, and how long a
game takes.

    python bench/players.py base bazaar --games 200
    python bench/players.py kalah --pair search:1000 lookahead:1000
    python bench/players.py base --table levels
    python bench/players.py base --table switches --playouts 1000
    python bench/players.py base --pair search:1000 lookahead:1000 --games 400 --within 10

A player that thinks may be followed by its playouts for a decision, and by settings of its search:
`lookahead:1000,draws=1` has playouts that do not learn, `draws=4` those that do, with `prior=0`
they begin without what a few games tell, and with `evaluation=0` things are worth what they are by
hand. `from` and `to` are the ends of an interval
of 95 % (Wilson's) for the games won; what is drawn counts half. C by an optimizing compiler plays,
where there is one. With `--within` a match ends as soon as a sequential test knows whether the
first player wins more, less, or the same within so many percent.

Each deal is played from every seat. Seconds are processor time; `active` counts the first player's
cards on places with active abilities, and `refused` how often it did nothing although another
choice would have left it with more of a resource and with less of nothing.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import mean, pvariance
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import click
from msgspec.structs import replace

from targi_dsl.api import Choice, choices, play, result, start, step
from targi_dsl.api.state import State
from targi_dsl.codegen.c.errors import NotInC
from targi_dsl.codegen.tiered import use_c
from targi_dsl.compiler.load import load
from targi_dsl.engine.chance import Seed
from targi_dsl.information.observation import observe
from targi_dsl.ir.game import Game
from targi_dsl.lab.statistics.hypotheses import SequentialTest
from targi_dsl.players import LEVELS, Player, player_of
from targi_dsl.players.lookahead import Lookahead
from targi_dsl.search import Budget
from targi_dsl.search.estimates import proportion
from targi_dsl.search.values import by_hand

PAIRS = (
    ("search", "lookahead"),
    ("lookahead", "lookahead:1000,draws=1"),
    ("lookahead", "lookahead:100"),
    ("lookahead:100", "busy"),
    ("busy", "random"),
)
"""The table that is made if no match is named."""

LEVELLED = [(f"lookahead:{more}", f"lookahead:{less}") for less, more in pairwise(LEVELS)]
"""Each level against the one below."""


def switches(playouts: int) -> list[tuple[str, str]]:
    """A search as it is against what it is with one thing changed, and with ten times the playouts;
    and both searches against each other.
    """
    ahead, tree = f"lookahead:{playouts}", f"search:{playouts}"
    changed = [
        *((f"{one},draws=4", f"{one},draws=1") for one in (ahead, tree)),
        *((ahead, f"{ahead},{change}") for change in ("prior=0", "to_end=1", "evaluation=0")),
        *((tree, f"{tree},{change}") for change in ("prior=0", "exploration=256", "evaluation=0")),
        (tree, f"{tree},exploration=1024"),
    ]
    return [*changed, (f"{ahead}0", ahead), (f"{tree}0", tree), (tree, ahead)]


FEWEST = 20
"""Deals before a match may end."""

ENDLESS = 3_000
"""The number of decisions after which a game counts as endless."""


@dataclass(frozen=True, slots=True)
class Played:
    """One game from the first player's side. active: how many cards it had on places with active
    abilities. refused: how many gains it refused.
    """

    won: bool
    drawn: bool
    score: int
    best_other: int
    active: int
    refused: int
    seconds: float


def played(game: Game, first_player: str, others: str, seed: int, seat: int) -> Played:
    """A game of one player at this seat against others at all other seats. Raises RuntimeError if
    it does not end.
    """
    began, checked, refused = time.process_time(), 0.0, 0
    seats = [
        made(first_player if number == seat else others, seed, name, game)
        for number, name in enumerate(game.players)
    ]
    by_name = dict(zip(game.players, seats, strict=True))
    state, decisions = start(game, Seed(seed)), 0
    while state.seat is not None:
        choice = by_name[state.seat].choose(observe(state, state.seat), choices(state))
        if choice.declines and state.seat == game.players[seat]:
            since = time.process_time()
            refused += refuses_gain(state, choice)
            checked += time.process_time() - since
        state, _ = play(state, choice)
        decisions += 1
        if decisions > ENDLESS:
            raise RuntimeError(
                f"{first_player} against {others}, seed {seed}: no end after {ENDLESS} decisions"
            )
    ended = result(state)
    return Played(
        ended.winner == game.players[seat],
        ended.winner is None,
        ended.scores[seat],
        max((score for number, score in enumerate(ended.scores) if number != seat), default=0),
        active_cards(state, seat),
        refused,
        time.process_time() - began - checked,
    )


def made(player: str, seed: int, seat: str, game: Game) -> Player:
    """A player for a game, as it is named in a match."""
    kind, _, more = player.partition(":")
    playouts, *settings = more.split(",")
    found = player_of(kind, seed, seat, Budget(int(playouts)) if playouts else None)
    if settings and isinstance(found, Lookahead):
        changes: dict[str, Any] = {
            name: int(value) for name, value in (one.split("=") for one in settings)
        }
        if "evaluation" in changes:
            changes["evaluation"] = by_hand(game)
        found.settings = replace(found.settings, **changes)
    return found


def refuses_gain(state: State, declined: Choice) -> bool:
    """Whether another choice would have left the player with more of a resource and with less of
    nothing.
    """
    amounts, cards = belongings_after(state, declined)
    others = (belongings_after(state, choice) for choice in choices(state) if not choice.declines)
    return any(
        more != amounts and covers(more, amounts) and covers(with_cards, cards)
        for more, with_cards in others
    )


def covers(more: tuple[int, ...], less: tuple[int, ...]) -> bool:
    """Whether no number of the first is below that of the second."""
    return all(number >= other for number, other in zip(more, less, strict=True))


def belongings_after(state: State, choice: Choice) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """After a choice: the player's amount of each resource and the number of cards at each place,
    as soon as another player is asked. Until then the player does nothing more, if it can.
    """
    player, after = state.seat, step(state, choice)
    while after.seat == player:
        offered = choices(after)
        after = step(after, next((choice for choice in offered if choice.declines), offered[0]))
    seat = state.game.players.index(player or "")
    places = [place.name for place in state.game.places if place.owner == seat]
    amounts = [
        after.position.amount(resource, seat) for resource in range(len(state.game.resources))
    ]
    return tuple(amounts), tuple([len(after.cards(place)) for place in places])


def active_cards(state: State, seat: int) -> int:
    """The number of cards on a player's places with active abilities."""
    return sum(
        len(state.cards(place.name))
        for place in state.game.places
        if place.active and place.owner == seat
    )


def match(
    game: Game, first_player: str, others: str, games: int, first: int = 0, within: float = 0
) -> Iterator[Played]:
    """The games of a match: each deal is played from every seat before the next. within: the match
    ends when it is known whether the first player wins more often than its share, less often, or
    the same within this.
    """
    seats, shares = len(game.players), list[float]()
    test, more = SequentialTest(within, FEWEST), list[float]()
    for number in range(games):
        one = played(game, first_player, others, first + number // seats, number % seats)
        shares.append(one.won + one.drawn / seats - 1 / seats)
        yield one
        if within and len(shares) % seats == 0:
            more.append(sum(shares[-seats:]) / seats)
            if test.verdict(len(more), mean(more), pvariance(more)):
                return


def row(pair: tuple[str, str], results: Iterable[Played]) -> str:
    """A match as a row of the table; an interrupt ends it with the games that there are."""
    games = list[Played]()
    with suppress(KeyboardInterrupt):
        games.extend(results)
    number = len(games)
    if not number:
        raise click.Abort
    won, drawn = sum(game.won for game in games), sum(game.drawn for game in games)
    _, low, high = proportion(won + drawn / 2, number)
    numbers = (
        f"{number:6}",
        f"{won / number:7.1%}",
        f"{drawn / number:7.1%}",
        f"{low:7.1%}",
        f"{high:7.1%}",
        f"{sum(game.score for game in games) / number:7.1f}",
        f"{sum(game.best_other for game in games) / number:7.1f}",
        f"{sum(game.active for game in games) / number:7.1f}",
        f"{sum(game.refused for game in games):8}",
        f"{sum(game.seconds for game in games) / number:8.2f}",
    )
    return f"{' against '.join(pair):42}" + "".join(numbers)


HEAD = (
    f"{'games':>6}{'won':>7}{'drawn':>7}{'from':>7}{'to':>7}{'score':>7}{'other':>7}{'active':>7}"
    f"{'refused':>8}{'seconds':>8}"
)


@click.command()
@click.argument("names", nargs=-1)
@click.option("--games", default=100, help="Games of each match.")
@click.option("--seed", default=0, help="Seed of the first deal.")
@click.option("--pair", "pairs", nargs=2, multiple=True, help="Only this match.")
@click.option("--table", type=click.Choice(["levels", "switches"]), help="These matches.")
@click.option("--playouts", default=1000, help="Those of the table of switches.")
@click.option("--within", default=0.0, help="End a match when it is known, to so many percent.")
def command(
    names: tuple[str, ...],
    games: int,
    seed: int,
    pairs: tuple[tuple[str, str], ...],
    table: str | None,
    playouts: int,
    within: float,
) -> None:
    """Play the shipped players against each other in the games NAMES."""
    tables = {"levels": LEVELLED, "switches": switches(playouts)}
    for name in names or ("base",):
        game = load(name)
        with suppress(NotInC):
            use_c(game)
        click.echo(f"{name:42}{HEAD}")
        for pair in pairs or (tables[table] if table else PAIRS):
            click.echo(row(pair, match(game, *pair, games, seed, within / 100)))


if __name__ == "__main__":
    command()
