"""The engine in C plays like the reference: the same positions, options, draws and events at each
question, the same scores, and the same faults.
"""

from __future__ import annotations

from functools import cache

import pytest

from bench.c_engine import CEngine
from bench.tallies import differ
from targi_dsl import Stream, begin, choices, load, play, result, rollout, start
from targi_dsl.api import uniform
from targi_dsl.codegen.c.emit.source import source
from targi_dsl.codegen.c.errors import NotInC
from targi_dsl.codegen.c.rows import NOT_A_POSITION
from targi_dsl.codegen.tiered import INTERPRETER, TieredEngine, engine_of, use_c
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Asked, Seed
from targi_dsl.engine.machine import ENGINE, Engine
from targi_dsl.engine.run import Run
from targi_dsl.ir.instructions import Shuffle
from tests.courses import course, told
from tests.faulty_games import WRONG, wrong
from tests.games import compiled
from tests.random_edits import files_of

PLAYED = (
    "auction", "bazaar", "connect_four", "hex_5", "lamplighters", "liars_dice", "mixed",
    "tic_tac_toe", "who_is_it",
)  # fmt: skip
"""Sheets that together have every kind of question, set and payment; bench/tallies.py plays all."""

LONGEST = 100


@cache
def engines(name: str) -> tuple[Engine, CEngine]:
    """The reference and the engine in C of a shipped game."""
    return Engine(compiled(name)), CEngine(compiled(name), level=0)


@pytest.mark.parametrize("chance", ["seed", "asked"])
@pytest.mark.parametrize("name", PLAYED)
def test_a_game_goes_as_on_the_reference(name: str, chance: str) -> None:
    for seed in range(2):
        source = Seed(seed) if chance == "seed" else Asked()
        both = (course(one, seed, source, LONGEST, []) for one in engines(name))
        for at, (theirs, mine) in enumerate(zip(*both, strict=True)):
            assert mine == theirs, (seed, at)


@pytest.mark.parametrize("name", ["heiress", "nim"])
def test_play_returns_the_same_events_as_by_the_interpreter(name: str) -> None:
    stories = []
    for is_in_c in (False, True):
        game = load(name)
        game.program.engines[ENGINE] = TieredEngine(game, INTERPRETER)
        if is_in_c:
            use_c(game, level=0)
        state, story = begin(game, Seed(4))
        while (offered := choices(state)) and len(story) < 200:
            state, events = play(state, offered[-1])
            story += events
        stories.append(([one.seen_by("public") for one in story], state.to_bytes()))
        assert (engine_of(game).compiled is not None) == is_in_c
    assert stories[0] == stories[1]


@pytest.mark.parametrize("name", ["auction", "bazaar", "crazy_eights", "tic_tac_toe"])
def test_results_are_the_same_as_by_the_interpreter(name: str) -> None:
    """Standings and ends: decided by ties, by the lowest score and by rules."""
    results = []
    for is_in_c in (False, True):
        game = load(name)
        game.program.engines[ENGINE] = TieredEngine(game, INTERPRETER)
        if is_in_c:
            use_c(game, level=0)
        found = []
        for seed in range(6):
            state, policy = start(game, Seed(seed)), uniform(Stream(seed))
            while state.seat is not None:
                found.append(result(state))
                state = rollout(state, policy, limit=7)
            found.append(result(state))
        results.append(found)
    assert results[0] == results[1]


@pytest.mark.parametrize("name", WRONG)
def test_a_fault_is_that_of_the_reference(name: str) -> None:
    both = [
        told(engine, 1, LONGEST) for engine in (Engine(wrong(name)), CEngine(wrong(name), level=0))
    ]
    assert both[0] == both[1] and name.split()[0] in str(both[0][-1])


@pytest.mark.parametrize(
    "change", [("short", -1), (0, 10_000), (0, -2), (5, 2**40), (6, -3), (2, 10_000)], ids=str
)
def test_what_is_no_position_is_refused(change: tuple[int | str, int]) -> None:
    reference, engine = engines("mixed")
    left = reference.start(Run(Seed(1)))
    vector, (at, number) = reference.pack(left), change
    if isinstance(at, int):
        vector[at] = number
    else:
        vector = vector[:number]
    assert engine.rows.enter(vector, 1) == NOT_A_POSITION


@pytest.mark.parametrize("settled", [-1, 100])
def test_a_shuffle_that_has_settled_no_such_number_of_cards_is_refused(settled: int) -> None:
    reference, engine = engines("auction")
    left = reference.start(Run(Asked()))
    operation = reference.program.code[reference.program.points[left.point].address].operation
    assert isinstance(operation, Shuffle) and isinstance(
        engine.rows.enter(reference.pack(left), None), bytes
    )
    left.frame[operation.work] = settled
    assert isinstance(engine.rows.enter(reference.pack(left), None), int)


@pytest.mark.parametrize("name", PLAYED)
def test_whole_games_are_counted_as_by_the_reference(name: str) -> None:
    """Every number of every row, and of the tally of all games."""
    assert differ(compiled(name), range(2), level=0) == []


def test_more_players_than_have_a_bit_are_left_to_the_interpreter() -> None:
    names = ", ".join(f"{letter}{other}" for letter in "abcd" for other in "efghijkl")
    rules = "\nrule setup\n  nothing\n\nrule round\n  everybody wins\n"
    for players, fits in ((names[: 30 * 4 - 2], True), (names[: 31 * 4 - 2], False)):
        text = f'language 2\ngame crowd "Crowd"\n\nplayers {players}\n{rules}'
        engine = Engine(load("crowd", of_texts({"crowd.targi": text})))
        if fits:
            assert source(engine)
        else:
            with pytest.raises(NotInC, match="more than 30 players"):
                source(engine)


@pytest.mark.parametrize("name", ["checkers", "clobber", "reversi"])
def test_a_definition_is_found_again_only_after_something_has_moved(name: str) -> None:
    assert "uint64_t *k = g->kept" in source(Engine(compiled(name)))
    for seed in range(2):
        both = (course(one, seed, Seed(seed), LONGEST, []) for one in engines(name))
        for at, (theirs, mine) in enumerate(zip(*both, strict=True)):
            assert mine == theirs, (seed, at)


@pytest.mark.parametrize(("size", "at_once"), [(8, True), (10, False)])
def test_ways_are_followed_four_at_a_time_where_places_fit_into_a_word(
    size: int, at_once: bool
) -> None:
    of_size = {"grid 8 by 8": f"grid {size} by {size}", "64 for each": f"{size * size} for each"}
    texts = files_of("reversi")
    for old, new in of_size.items():
        texts = {name: text.replace(old, new) for name, text in texts.items()}
    game = load("reversi", of_texts(texts))
    assert ("lanes_up(lanes_of(" in source(Engine(game))) is at_once
    assert ("holds = left & in_" in source(Engine(game))) is at_once
    both = (course(one, 1, Seed(1), LONGEST, []) for one in (Engine(game), CEngine(game, level=0)))
    for at, (theirs, mine) in enumerate(zip(*both, strict=True)):
        assert mine == theirs, at


@pytest.mark.parametrize("name", ["base", "gem_market", "oh_hell"])
def test_a_definition_that_reads_more_than_the_places_of_pieces_is_not_kept(name: str) -> None:
    assert "uint64_t *k = g->kept" not in source(Engine(compiled(name)))
