"""OpenSpiel's own tests, for every shipped sheet."""

from __future__ import annotations

import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, exploitability

from targi_dsl import actions, load, observe
from targi_dsl.adapters import openspiel
from targi_dsl.search.solving import NOTHING_YET, Solution
from tests.games import ALL


@pytest.mark.parametrize("sheet", ALL)
def test_openspiel_plays_it_at_random(sheet: str) -> None:
    small = sheet in ("tic_tac_toe", "kuhn_poker", "dice_race")
    pyspiel.random_sim_test(
        openspiel.game(sheet), num_sims=3 if small else 1, serialize=small, verbose=False
    )


@pytest.mark.parametrize("sheet", ALL)
def test_actions_are_numbers_of_the_table(sheet: str) -> None:
    made, table = openspiel.game(sheet), actions(load(sheet))
    state = made.new_initial_state()
    for _ in range(80):
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert sum(chance for _, chance in outcomes) == pytest.approx(1)
            state.apply_action(outcomes[0][0])
        elif not state.is_terminal():
            legal = state.legal_actions()
            assert legal and legal == sorted(set(legal))
            assert state.action_to_string(legal[0]) == table.ids[legal[0]]
            state.apply_action(legal[-1])


def test_a_state_is_cloned_and_goes_on_by_itself() -> None:
    state = openspiel.game("tic_tac_toe").new_initial_state()
    other = state.clone()
    other.apply_action(other.legal_actions()[0])
    assert str(state) != str(other) and len(state.legal_actions()) == 9
    assert state.information_state_string(0) != other.information_state_string(0)


def test_cfr_on_kuhn_poker_is_equal_to_openspiels_own() -> None:
    own = openspiel.game("kuhn_poker", zero_sum=True, lowest=-2, highest=2)
    found = []
    for game in (own, pyspiel.load_game("kuhn_poker")):
        solver = cfr.CFRSolver(game)
        for _ in range(20):
            solver.evaluate_and_update_policy()
        found.append(exploitability.exploitability(game, solver.average_policy()))
    assert found[0] == pytest.approx(found[1], abs=1e-6)


@pytest.mark.parametrize(("sheet", "iterations"), [("kuhn_poker", 300), ("leduc_poker", 500)])
def test_openspiel_finds_the_same_exploitability_of_a_solution(sheet: str, iterations: int) -> None:
    game = openspiel.game(sheet, zero_sum=True, lowest=-13, highest=13)
    solution = Solution(load(sheet))
    solution.iterate(iterations)
    strategy = solution.strategy()

    def play(state: openspiel._State) -> dict[int, float]:
        there, last = game.new_initial_state(), [NOTHING_YET, NOTHING_YET]
        for action in (*state.history(), None):
            player, slots = there.current_player(), dict[str, int]()
            if player >= 0:
                seen = observe(there.state, there.state.game.players[player])
                slots = dict(zip(seen.choices, solution.slots(seen, last[player]), strict=True))
            if action is not None:
                if player >= 0:
                    last[player] = slots[there.action_to_string(player, action)]
                there.apply_action(action)
        legal = there.legal_actions()
        return {one: strategy[slots[there.action_to_string(player, one)]] for one in legal}

    found = exploitability.exploitability(game, policy.tabular_policy_from_callable(game, play))
    assert found == pytest.approx(solution.exploitability(), abs=1e-9)
    assert 0 < found < 0.001


def test_a_game_has_a_name_for_each_type_and_for_other_options() -> None:
    sums = pyspiel.GameType.Utility
    usual, zero = openspiel.game("kuhn_poker"), openspiel.game("kuhn_poker", zero_sum=True)
    for made, utility in ((usual, sums.GENERAL_SUM), (zero, sums.ZERO_SUM)):
        name = made.get_type().short_name
        assert made.get_type().utility == pyspiel.load_game(name).get_type().utility == utility
    assert usual.get_type().short_name == "targi_dsl_kuhn_poker"
    small = openspiel.game("base", options={"own_opposite": "forbidden"})
    assert small is openspiel.game(load("base", options={"own_opposite": "forbidden"}))
    assert small.get_type().short_name.startswith("targi_dsl_base_")


def test_a_cooperative_game_has_identical_utilities() -> None:
    kind = openspiel.game("lamplighters").get_type()
    assert kind.utility == pyspiel.GameType.Utility.IDENTICAL


def test_there_is_no_tensor_of_an_information_state() -> None:
    state = openspiel.game("tic_tac_toe").new_initial_state()
    assert not state.get_game().get_type().provides_information_state_tensor
    with pytest.raises(ValueError, match="only its string"):
        state.information_state_tensor(0)
    assert len(state.observation_tensor(0)) > 9


def test_the_longest_course_of_a_small_game_is_its_length() -> None:
    lengths = {"tic_tac_toe": 8, "kuhn_poker": 3, "base": openspiel.LONGEST}
    found = {name: openspiel.game(name).max_game_length() for name in lengths}
    assert found == lengths
    assert openspiel.game("base", longest=500).max_game_length() == 500
