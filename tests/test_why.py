"""Why something is not offered, case by case: asked in a person's words, it names every rule in the
way and what lifts it; when the position is changed accordingly, it is offered.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from targi_dsl.api import choices, play
from targi_dsl.api.state import State
from targi_dsl.compiler.load import load
from targi_dsl.display.choosing import barred_offers, by_name, elsewhere, offers
from targi_dsl.display.scene import scene_of
from targi_dsl.engine.chance import Seed
from targi_dsl.explain.why_not import why_not
from targi_dsl.ir.game import Game
from targi_dsl.records.notation import read
from targi_dsl.view.words import Words
from tests.looking import seen_by

Situation = dict[str, Any]
SITUATIONS: list[Situation] = yaml.safe_load(
    (Path(__file__).parent / "why.yaml").read_text(encoding="utf-8")
)


@cache
def _game(name: str, options: tuple[tuple[str, str], ...]) -> Game:
    return load(name, options=dict(options))


def state_of(situation: Situation, text: str) -> State:
    name = situation.get("game", "base")
    # The bazaar's setup asks something, so that there everything is said.
    opening = "" if name == "bazaar" else "after setup\n"
    game = _game(name, tuple(situation.get("options", {}).items()))
    state = read(game, opening + text, Seed(1))
    for one in situation.get("first", ()):
        state, _ = play(state, one)
    return state


def lifted(situation: Situation) -> str:
    """The position with nothing in the way."""
    text: str = situation["position"]
    for change in situation["lift"]:
        if isinstance(change, str):
            text = f"{change}\n{text}"
        else:
            old, new = change
            assert old in text, old
            text = text.replace(old, new)
    return text


def test_there_are_enough_of_them_and_all_differ() -> None:
    assert len(SITUATIONS) >= 40
    assert len({one["about"] for one in SITUATIONS}) == len(SITUATIONS)
    assert len({name for one in SITUATIONS for name in one["names"]}) >= 25


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda one: one["about"])
def test_all_that_stands_against_it_is_named_and_what_lifts_it_does(situation: Situation) -> None:
    state = state_of(situation, situation["position"])
    id_ = _asked(state, situation["said"])
    assert id_ not in [one.id for one in choices(state)]
    reasons = why_not(state, id_)
    assert {reason.name for reason in reasons} == {*situation["names"]}
    assert all(reason.text for reason in reasons)
    after = state_of(situation, lifted(situation))
    assert id_ in [one.id for one in choices(after)]
    assert why_not(after, id_) == ()


def _asked(state: State, said: str) -> str:
    """The one answer that these words mean to the person who is asked; when the game is over it has
    none.
    """
    seats = (state.seat,) if state.seat else state.game.players[:1]
    words = Words(state.game)
    scene, seen = scene_of(state, words, seats), seen_by(state, words, *seats)
    known = by_name(said, (*offers(scene), *barred_offers(seen)))
    found = known or by_name(said, elsewhere(seen))[:1]
    (one,) = found
    return one.offer.id
