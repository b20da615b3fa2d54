"""The invariants hold in every game, and detect a corrupted position or step."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from targi_dsl.api import Event, choices, play, start
from targi_dsl.api.state import State
from targi_dsl.cli import run
from targi_dsl.engine.chance import Seed
from targi_dsl.ir.constants import NOTHING
from targi_dsl.text.diagnostics import Problems
from targi_dsl.tools.invariants import broken, hold, unreported
from tests.games import compiled


@pytest.fixture(scope="module")
def beginning() -> State:
    return start(compiled("bazaar"), Seed(1))


def first_steps(state: State, number: int = 30) -> list[tuple[State, tuple[Event, ...], State]]:
    """The first steps of a game in which players decline only if they must."""
    steps = []
    for _ in range(number):
        choice = next(one for one in choices(state) if not one.declines)
        after, events = play(state, choice)
        steps.append((state, events, after))
        state = after
    return steps


def spoilt(state: State, slot: int, value: int) -> State:
    vector = list(state.vector)
    vector[slot] = value
    return State(state.game, vector, state.chance, state.seat)


def test_a_position_as_it_should_be(beginning: State) -> None:
    assert broken(beginning) == []


def test_a_card_that_lies_nowhere_and_a_card_that_lies_elsewhere(beginning: State) -> None:
    slots, game = beginning.game.slots, beginning.game
    at = beginning.vector[slots.card_place]
    other = next(n for n, place in enumerate(game.places) if n != at)
    assert any(
        "says otherwise" in one for one in broken(spoilt(beginning, slots.card_place, other))
    )
    pile = next(n for n in range(len(game.places)) if beginning.vector[slots.place_top + n] >= 0)
    emptied = broken(spoilt(beginning, slots.place_top + pile, NOTHING))
    assert emptied and all(one.endswith("lies 0 times") for one in emptied)


def test_a_number_outside_its_domain(beginning: State) -> None:
    slot = beginning.game.slots.amounts
    assert broken(spoilt(beginning, slot, -1))[0].startswith(f"slot {slot} is -1, not 0 to")


def test_a_piece_in_a_zone(beginning: State) -> None:
    zone = next(n for n, place in enumerate(beginning.game.places) if place.is_zone)
    found = broken(spoilt(beginning, beginning.game.slots.piece_place, zone))
    assert any("which is not a space" in one for one in found)


def test_an_open_card_that_somebody_does_not_know(beginning: State) -> None:
    game, slots = beginning.game, beginning.game.slots
    seen = [n for n, place in enumerate(game.places) if place.seen == "all"]
    for _, _, state in first_steps(beginning):
        cards = [n for n in range(len(game.cards)) if state.vector[slots.card_place + n] in seen]
        if cards:
            found = broken(spoilt(state, slots.card_known + cards[0], 1))
            assert any("does not know it" in one for one in found)
            return
    pytest.fail("no card came to lie open")


def test_a_step_is_told_by_its_events(beginning: State) -> None:
    """Without its events, a step that changed something is one that was not reported."""
    for before, events, after in first_steps(beginning):
        assert unreported(before, events, after) == []
        told = [one for one in events if one.kind not in ("gain", "pay", "move", "piece", "set")]
        if len(told) < len(events):
            assert unreported(before, tuple(told), after)


def test_a_card_that_lands_elsewhere_than_told(beginning: State) -> None:
    before, events, after = next(
        step for step in first_steps(beginning) if any(one.kind == "move" for one in step[1])
    )
    wrong = tuple(replace(one, to="nowhere") if one.kind == "move" else one for one in events)
    with pytest.raises(Problems, match="E614"):
        hold(before, wrong, after)


def test_the_commands_check_when_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "game.yaml")
    seats = [word for one in compiled("dice_race").players for word in ("--seat", f"{one}=random")]
    arguments = ["play", "dice_race", "--seed", "3", *seats, "--save", file, "--json", "--check"]
    assert run(arguments) == 0
    assert run(["replay", file, "--json", "--check"]) == 0
    monkeypatch.setattr("targi_dsl.tools.invariants.broken", lambda *_: ["nothing is as it was"])
    assert run(["replay", file, "--json"]) == 0
    assert "nothing is as it was" not in "".join(capsys.readouterr())
    assert run(["replay", file, "--json", "--check"]) != 0
    assert "nothing is as it was" in "".join(capsys.readouterr())
