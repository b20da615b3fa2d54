"""Search: generated C finds what plain Python finds, and both forms of C grow the same tree."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from targi_dsl import Problems, Seed, Stream, choices, load, observe, result, start, step
from targi_dsl.api.state import State
from targi_dsl.codegen.c.bulk import Bulk, Games, Seating, bulk
from targi_dsl.codegen.c.compilers import IN_MEMORY
from targi_dsl.codegen.c.search import CompiledPlayouts, Seats, rows_for_search
from targi_dsl.codegen.tally import Layout, Row
from targi_dsl.codegen.tiered import SEARCH, use_c
from targi_dsl.engine.machine import Engine
from targi_dsl.players import player_of
from targi_dsl.search import Budget, Search, Settings, deal_for, prior_of, seat_task, task_of
from targi_dsl.search.reference import ReferencePlayouts
from targi_dsl.search.values import Values, evaluation_of, names_of
from tests.texts import game_file

SHEETS = ("base", "pig", "two_traders", "tic_tac_toe", "bazaar", "lamplighters", "kuhn_poker")
TREE, FLAT = Settings(grows=True), Settings()


def positions(name: str, every: int, most: int = 60) -> list[State]:
    """Positions of a random game in which a player is asked."""
    state, stream, found = start(load(name), Seed(3)), Stream(5), list[State]()
    for decision in range(most):
        if state.seat is None:
            break
        if decision % every == 0:
            found.append(state)
        state = step(state, choices(state)[stream.below(len(choices(state)))])
    return found


def search_of(state: State, settings: Settings, seed: int = 7) -> Search:
    return Search(observe(state, str(state.seat)), seed, settings)


def found(state: State, settings: Settings, playouts: int, seed: int = 7) -> object:
    """All that a search tells."""
    search = search_of(state, settings, seed)
    search.run(Budget(playouts))
    return search.estimates(), search.ends


@pytest.mark.parametrize("name", SHEETS)
def test_c_finds_what_plain_python_finds(name: str) -> None:
    for state in positions(name, every=30):
        seen = observe(state, str(state.seat))
        playouts, in_c = 4 * len(seen.choices), Search(seen, 7, FLAT)
        in_c.run(Budget(playouts))
        task = task_of(in_c.deal(0), 7, FLAT)
        in_python = ReferencePlayouts(Engine(state.game), task, in_c.deal)
        in_python.run(playouts)
        assert isinstance(in_c.playouts, CompiledPlayouts)
        assert in_c.ends == in_python.ends
        assert (in_c.playouts.visits(), in_c.playouts.sums()) == (
            in_python.visits(),
            in_python.sums(),
        )


@pytest.mark.parametrize("name", SHEETS)
def test_every_weight_counts_in_c_as_in_plain_python(name: str) -> None:
    for state in positions(name, every=30):
        seen, below = observe(state, str(state.seat)), Stream(9).below
        size = len(evaluation_of(state.game).weights[0])
        weights = tuple(tuple(below(400) - 200 for _ in range(size)) for _ in range(3))
        everything = Values("", 0, 0, dict.fromkeys(names_of(state.game), (0, 0)))
        evaluation = replace(everything.evaluation(state.game), weights=weights)
        state.game.program.engines["evaluation"] = evaluation
        in_c = Search(seen, 7, FLAT)
        in_python = ReferencePlayouts(Engine(state.game), task_of(in_c.deal(0), 7, FLAT), in_c.deal)
        for one in (in_c.playouts, in_python):
            one.run(3 * len(seen.choices))
        assert isinstance(in_c.playouts, CompiledPlayouts) and in_c.ends == in_python.ends


@pytest.mark.parametrize("name", ["base", "bazaar", "capture_the_flag", "tic_tac_toe"])
def test_both_forms_of_c_grow_the_same_tree(name: str) -> None:
    trees = list[object]()
    for level in (None, 0):
        game = load(name)
        if level is None:
            game.program.engines[SEARCH] = rows_for_search(game)
        else:
            use_c(game, level)
        here = [State(game, one.vector, one.chance, one.seat) for one in positions(name, every=40)]
        trees.append([found(state, TREE, 200) for state in here])
    assert trees[0] == trees[1]


@pytest.mark.parametrize("seed", range(4))
def test_a_tree_proves_what_certainly_wins_and_loses(seed: int) -> None:
    """Noughts at a1 and b3, crosses at a2, a3 and c3: b1 makes two threats."""
    state = start(load("tic_tac_toe"), Seed(0))
    for square in ("a2", "a1", "a3", "b3", "c3"):
        state = step(state, f"round {square}")
    search = search_of(state, TREE, seed)
    search.run(Budget(1_000))
    assert [one.id for one in search.estimates() if one.proven > 0] == ["round b1"]
    assert search.best([one.id for one in choices(state)]) == ["round b1"]


def test_nothing_is_proven_where_chance_or_a_secret_decides() -> None:
    for name in ("pig", "kuhn_poker", "phantom_tic_tac_toe"):
        search = search_of(positions(name, every=40)[0], TREE)
        search.run(Budget(500))
        assert not any(one.proven for one in search.estimates()), name


def test_tic_tac_toe_by_searches_is_a_draw() -> None:
    game = load("tic_tac_toe")
    for seed in range(6):
        players = {seat: player_of("search", seed, seat, Budget(1_000)) for seat in game.players}
        state = start(game, Seed(seed))
        while (seat := state.seat) is not None:
            state = step(state, players[seat].choose(observe(state, seat), choices(state)))
        assert result(state).winner is None, seed


def test_a_search_that_goes_on_has_found_what_a_longer_one_finds() -> None:
    (state, *_) = positions("base", every=40)
    count = len(choices(state))
    search = search_of(state, FLAT)
    for _ in range(3):
        search.run(Budget(4 * count))
    assert (search.estimates(), search.ends) == found(state, FLAT, 12 * count)


def test_choices_are_tried_in_the_same_deals_with_the_same_luck() -> None:
    """An option that is tried twice in each deal comes to the same end."""
    search = search_of(positions("base", every=40)[1], FLAT)
    task = task_of(search.deal(0), 7, Settings(draws=1))
    playouts = ReferencePlayouts(
        Engine(search.observation.game), replace(task, options=task.options[:1] * 2), search.deal
    )
    playouts.run(24)
    assert playouts.ends[::2] == playouts.ends[1::2] and len({*playouts.ends}) > 3


def test_seconds_end_a_search() -> None:
    (state, *_) = positions("base", every=100)
    search = search_of(state, FLAT)
    search.run(Budget(seconds=0.05))
    assert min(one.visits for one in search.estimates()) >= 2


def test_without_a_compiler_a_tree_is_refused_and_a_lookahead_does_the_same() -> None:
    """But it does not begin with what a few games would tell."""
    (state, *_) = positions("two_traders", every=100)
    compiled = found(state, Settings(prior=False), 60)
    state.game.program.engines[SEARCH] = None
    assert found(state, FLAT, 60) == compiled
    with pytest.raises(Problems, match="E618"):
        search_of(state, TREE)


def test_a_prior_favours_what_a_few_games_have_shown_to_be_good() -> None:
    game = load("base")
    tasks = [(seat_task(game, Settings(prior=has)), 10) for has in (True, False)]
    assert tasks[0][0].prior and not tasks[1][0].prior
    seating = Seating((1, 2), (True, True))
    games, won = range(25), 0
    for seat, both in enumerate((tasks, tasks[::-1])):
        with closing(
            Seats(bulk(game, IN_MEMORY).library, game, both, partial(deal_for, game))
        ) as seats:
            rows = bulk(game, IN_MEMORY).run(0, games, [seating], False, seats).rows
        width = Layout.of(game).width
        won += sum(mask == 1 << seat for mask in rows[Row.WINNERS :: width])
    assert won > 30, "of 50 games; 83 % of 300"


def test_a_prior_is_not_learned_from_the_deals_of_games_that_are_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seeds, run = list[int](), Bulk.run

    def spied(bulk: Bulk, seed: int, *more: Any) -> Games:
        seeds.append(seed)
        return run(bulk, seed, *more)

    monkeypatch.setattr(Bulk, "run", spied)
    assert prior_of(load("two_traders")) and min(seeds) > 1 << 32


def test_games_without_scores_have_no_prior() -> None:
    assert not seat_task(load("hex_5"), FLAT).prior


@pytest.mark.parametrize("kind", ["lookahead", "search"])
@pytest.mark.parametrize("budget", [Budget(1), Budget(4_000), Budget(seconds=0.01)])
def test_of_as_many_options_as_there_may_be_a_good_one_is_found(kind: str, budget: Budget) -> None:
    state = start(load(game_file("field")), Seed(0))
    assert len(choices(state)) == 1024, "with 2,000 the rules are refused: E609"
    player = player_of(kind, 1, str(state.seat), budget)
    chosen = player.choose(observe(state, str(state.seat)), choices(state))
    after = result(step(state, chosen))
    assert after.scores[0] > 24
