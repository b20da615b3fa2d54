"""What somebody at a terminal looks at, in tests."""

from __future__ import annotations

from targi_dsl.api.state import State
from targi_dsl.display.scene import Scene
from targi_dsl.information.observation import observe_together
from targi_dsl.view.seen import Seen
from targi_dsl.view.words import Words


def question_of(scene: Scene) -> str:
    """The words of the open question; none when the game is over."""
    return scene.view.question.text if scene.view.question is not None else ""


def seen_by(state: State, words: Words, *seats: str) -> Seen:
    """What a seat knows; of several, what all of them know; without one, everything."""
    return Seen(observe_together(state, seats), words)
