"""Players: they use only what they may know, they finish their games, and the better ones win."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from statistics import mean

import pytest

from bench.players import Played, made, match
from bench.searches import DIFFERENT, counted, otherwise, positions
from targi_dsl.api import choices, play, start, step
from targi_dsl.api.state import State
from targi_dsl.compiler.load import load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed
from targi_dsl.information.observation import observe
from targi_dsl.players import PLAYERS, USUAL
from tests.games import VARIED, compiled
from tests.texts import game_text

# What declines here is not told by its name.
NAMES = game_text("names.targi")
SHEET = 'language 2\ngame names "Names"\n  rules names\n'


THINKING = ("lookahead", "search")


def asked(state: State, kind: str, seed: int = 5) -> str:
    """The choice of a new player of a kind, given what the seat whose turn it is may know."""
    assert state.seat is not None
    player = made(f"{kind}:100", seed, state.seat, state.game)
    return player.choose(observe(state, state.seat), choices(state)).id


def peeks(found: Iterable[State], choose: Callable[[State], str]) -> bool:
    """Whether somebody ever chooses otherwise in another position that is seen alike."""
    hidden = 0
    for state in found:
        chosen = choose(state)
        for seed in range(5):
            other = otherwise(state, seed)
            hidden += other.vector != state.vector
            if choose(other) != chosen:
                return True
    assert hidden, "nothing was hidden in any of the positions"
    return False


def won(found: Iterable[Played]) -> float:
    return mean(one.won for one in found)


# ---- what all players hold to ----


def test_the_usual_player_is_in_the_table() -> None:
    assert USUAL in PLAYERS


@pytest.mark.parametrize("kind", PLAYERS)
@pytest.mark.parametrize("name", ["base", "goofspiel", "kuhn_poker"])
def test_what_is_hidden_makes_no_difference(name: str, kind: str) -> None:
    found = positions(compiled(name), games=40 if name == "kuhn_poker" else 1, every=16)
    assert not peeks(found, lambda state: asked(state, kind))


def test_searches_find_the_same_in_every_world_and_in_every_form() -> None:
    counts = counted("kuhn_poker", wanted=4, playouts=20, compiled=4, games=1)
    assert [counts[one] for one in ("positions", "compiled", "games")] == [4, 4, 1]
    assert counts["worlds"] and not any(counts[one] for one in DIFFERENT)


@pytest.mark.parametrize("name", ["base", "goofspiel"])
def test_a_player_that_peeks_is_caught(name: str) -> None:
    """At a card, or at the secret bid of another."""

    def peeking(state: State) -> str:
        hidden = observe(state, str(state.seat)).hidden or range(0, len(state.vector), 7)
        seen = sum(state.vector[slot] for slot in hidden)
        return choices(state)[seen % len(choices(state))].id

    assert peeks(
        positions(compiled(name), games=1, every=4 if name == "goofspiel" else 16), peeking
    )


@pytest.mark.parametrize("kind", PLAYERS)
def test_the_same_stream_gives_the_same_choices(kind: str) -> None:
    for state in positions(compiled("base"), games=1, every=60):
        assert asked(state, kind, 3) == asked(state, kind, 3)


@pytest.mark.parametrize("kind", PLAYERS)
@pytest.mark.parametrize("name", VARIED)
def test_every_player_comes_to_the_end_of_a_game(name: str, kind: str) -> None:
    assert list(match(compiled(name), f"{kind}:10", f"{kind}:10", games=1))


# ---- what declines ----


def test_what_declines_is_told_by_what_it_does_and_not_by_its_name() -> None:
    state = start(
        load("names", of_texts({"names/names.targi": NAMES, "names.targi": SHEET})), Seed(0)
    )
    declining = []
    for way in ("done", "nothing_else", "done", "decline"):
        declining.append({one.id for one in choices(state) if one.declines})
        state, _ = play(state, next(one for one in choices(state) if one.id == way))
    assert declining[0] == {"hurry"}
    assert not any(one.declines for one in choices(state)), (
        "a place is chosen, though nothing is done with it"
    )


def test_busy_never_declines() -> None:
    seen = 0
    for state in positions(compiled("base"), games=3, every=1):
        declining = {one.id for one in choices(state) if one.declines}
        seen += bool(declining)
        if len(declining) < len(choices(state)):
            assert asked(state, "busy") not in declining
    assert seen


# ---- who wins ----


def test_more_thought_wins_more_often() -> None:
    """The players from weak to strong, seats swapped on the same deals."""
    game = compiled("base")
    assert won(match(game, "busy", "random", games=12)) >= 2 / 3
    found = list(match(game, "lookahead:60", "busy", games=4, first=100))
    assert won(found) >= 3 / 4
    assert sum(one.active for one in found) / len(found) >= 5, "no display was built"
    assert won(match(game, "lookahead:300", "lookahead:30", games=2, first=200)) >= 1 / 2


@pytest.mark.parametrize("kind", THINKING)
def test_who_thinks_seldom_loses_to_random_at_tic_tac_toe(kind: str) -> None:
    found = list(match(compiled("tic_tac_toe"), f"{kind}:300", "random", games=20))
    assert sum(one.won or one.drawn for one in found) / len(found) >= 0.9


def test_a_tree_never_loses_at_tic_tac_toe() -> None:
    found = list(match(compiled("tic_tac_toe"), "search:3000", "lookahead:300", games=6))
    assert all(one.won or one.drawn for one in found)


@pytest.mark.parametrize("kind", THINKING)
def test_who_thinks_takes_a_row_of_three_and_hinders_one(kind: str) -> None:
    state = start(compiled("tic_tac_toe"), Seed(0))
    for square in ("a1", "b1", "a2", "b2"):
        state, _ = play(state, next(one for one in choices(state) if one.id.endswith(square)))
    assert asked(state, kind).endswith("a3")
    state, _ = play(state, next(one for one in choices(state) if one.id.endswith("c3")))
    assert asked(state, kind).endswith("b3")


def test_lookahead_wins_more_than_its_share_at_the_bazaar() -> None:
    assert won(match(compiled("bazaar"), "lookahead:200", "busy", games=3)) >= 2 / 3


def test_lookahead_avoids_points_where_the_lowest_score_wins() -> None:
    assert won(match(compiled("stray_cats"), "lookahead:100", "busy", games=3)) >= 2 / 3


def test_lookahead_gains_at_kuhn_poker() -> None:
    found = list(match(compiled("kuhn_poker"), "lookahead:100", "random", games=100))
    assert sum(one.score for one in found) > 0


@pytest.mark.parametrize("kind", [*THINKING, "mixing"])
def test_nobody_trades_in_a_circle_for_ever(kind: str) -> None:
    """Apples are changed to pears and back, as often as anybody likes."""
    for seed in range(3):
        turns = seats_asked(game_text("traders.targi"), kind, seed, most=100)
        assert len(turns) < 100


@pytest.mark.parametrize("kind", [*THINKING, "mixing"])
def test_a_game_without_an_end_goes_from_one_to_the_other(kind: str) -> None:
    rules = game_text("traders.targi").replace("    if your points is at least 2: end game\n", "")
    seats = seats_asked(rules, kind, 0, most=60)
    turns = [len([*those]) for _, those in groupby(seats)]
    assert len(seats) == 60 and max(turns) < 20


def seats_asked(rules: str, kind: str, seed: int, most: int) -> list[str]:
    """The seats of the first decisions of a game of traders."""
    sheet = 'language 2\ngame traders "Traders"\n  rules traders\n'
    game = load("traders", of_texts({"traders/traders.targi": rules, "traders.targi": sheet}))
    players = {seat: made(f"{kind}:40", seed, seat, game) for seat in game.players}
    state, found = start(game, Seed(0)), list[str]()
    while state.seat is not None and len(found) < most:
        found.append(state.seat)
        state = step(state, players[state.seat].choose(observe(state, state.seat), choices(state)))
    return found
