"""No hidden card reaches a table: what is printed and sent is equal wherever a viewer cannot tell
positions apart. `python -m tests.hidden` compares many more.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from targi_dsl import State
from targi_dsl.information import observation
from targi_dsl.information.observation import Observation
from targi_dsl.records.notation import write
from targi_dsl.view import views
from targi_dsl.view.news import Teller
from targi_dsl.view.seen import Seen
from targi_dsl.view.shape import Card
from tests import hidden
from tests.games import QUICK, compiled
from tests.hidden import compare, news_of_secrets

EACH = 300 // len(QUICK) + 1
"""Positions of each game."""


@pytest.mark.parametrize("name", QUICK)
def test_what_is_printed_depends_on_what_the_viewer_knows_alone(name: str) -> None:
    assert compare(compiled(name), EACH, 2).differences == ()


@pytest.mark.parametrize("name", ["goofspiel", "auction", "blind_bluff", "liars_dice"])
def test_news_of_a_secret_choice_are_equal_for_whoever_may_not_know_it(name: str) -> None:
    assert [*news_of_secrets(compiled(name), 12)] == []


# ---- tables that leak ----

Mutant = Callable[[pytest.MonkeyPatch], None]


def _see(patch: pytest.MonkeyPatch, change: Callable[[State, Observation], Observation]) -> None:
    true = observation.observe

    def observe(state: State, seat: str, learned: tuple[int, ...] = ()) -> Observation:
        return change(state, true(state, seat, learned))

    patch.setattr(observation, "observe", observe)


def names_every_card(patch: pytest.MonkeyPatch) -> None:
    _see(patch, lambda state, seen: replace(seen, vector=state.vector, unknown=()))


def tells_secret_values(patch: pytest.MonkeyPatch) -> None:
    _see(patch, lambda state, seen: replace(seen, vector=state.vector, hidden=()))


def tells_the_choices_of_others(patch: pytest.MonkeyPatch) -> None:
    _see(patch, lambda state, seen: replace(seen, choices=state.option_ids))


def numbers_unknown_cards(patch: pytest.MonkeyPatch) -> None:
    _see(patch, lambda state, seen: replace(seen, vector=state.vector))
    true = views._card

    def card(seen: Seen, number: int) -> Card:
        found = true(seen, number)
        return found if found.id else replace(found, said=f"card {number}")

    patch.setattr(views, "_card", card)


def writes_the_true_position(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(hidden, "known_position", lambda state, _: write(state).splitlines())


def tells_secret_choices(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Teller, "_is_secret", lambda *_: False)


@pytest.mark.parametrize(
    ("mutant", "name"),
    [
        (names_every_card, "five_trails"),
        (tells_secret_values, "liars_dice"),
        (tells_the_choices_of_others, "five_trails"),
        (numbers_unknown_cards, "lamplighters"),
        (writes_the_true_position, "kuhn_poker"),
        (tells_secret_choices, "goofspiel"),
    ],
)
def test_a_table_that_leaks_is_caught(
    mutant: Mutant, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        mutant(patch)
        game = compiled(name)
        found = compare(game, 12, 2).differences or [*news_of_secrets(game, 4)]
    assert found
