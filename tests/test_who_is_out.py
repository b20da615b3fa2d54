"""Who is out, of the game or of turns in progress, is told and shown at every table."""

from __future__ import annotations

from targi_dsl import Seed, State, choices, load, observe, start
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.display.ink import plain_text
from targi_dsl.display.picture import picture
from targi_dsl.display.scene import scene_of
from targi_dsl.display.screen import Form, screen
from targi_dsl.records import Step, step_by
from targi_dsl.view.news import Teller
from targi_dsl.view.views import view
from targi_dsl.view.words import Words
from tests.games import compiled
from tests.texts import game_file

SHEET = {
    "trial.targi": "language 2\ngame trial\n  rules trial\n",
    "trial/trial.targi": """\
language 2
module trial
players ann, ben, cleo
resource coins
rule setup
  ben gains 1 coins
rule round
  by turns
    if your coins is 1: pass
    one of
      wait: nothing
      pass: pass
      banish: cleo is out
""",
}


def made(state: State, *ids: str) -> list[Step]:
    steps = list[Step]()
    for id_ in ids:
        chosen = next(one for one in choices(state) if one.id == id_)
        steps.append(step_by(state, chosen))
        state = steps[-1].after
    return steps


def told(step: Step) -> list[str]:
    teller = Teller(Words(step.before.game), ("cleo",))
    return [event.text for event in teller.news(0, step).events]


def shown(state: State) -> tuple[str, str, str]:
    """The table in full, in few lines, and as a picture."""
    scene = scene_of(state, Words(state.game), ("cleo",))
    full, brief = (
        "\n".join(map(plain_text, screen(scene, form))) for form in (Form.FULL, Form.ASKED)
    )
    return full, brief, picture(observe(state, "cleo"))


def test_who_is_out_of_the_game_is_told_and_shown() -> None:
    (step,) = made(start(load("trial", of_texts(SHEET)), Seed(0)), "banish")
    assert view(observe(step.after, "cleo"), Words(step.after.game)).out == ("cleo",)
    assert "cleo is out" in told(step)
    for drawn in shown(step.after):
        assert "out" in drawn


def test_who_has_passed_is_shown_until_the_turns_are_over() -> None:
    first, *_, last = made(start(compiled("stairs"), Seed(1)), "height 1", "number 1", "pass")
    assert not view(observe(first.after, "ben"), Words(first.after.game)).passed
    assert view(observe(last.after, "cleo"), Words(last.after.game)).passed == ("ben",)
    for drawn in shown(last.after):
        assert "has passed" in drawn
    (after,) = made(last.after, "pass")
    assert not view(observe(after.after, "cleo"), Words(after.after.game)).passed


def test_of_turns_within_turns_the_inner_ones_are_shown() -> None:
    """And of the others it is not told again who had passed, when the inner ones are over."""
    game = load(game_file("nested"))
    done, here, leave, _, _, raised = made(
        start(game, Seed(0)), "done", "here", "leave", "raise", "there", "raise"
    )
    words = Words(game)
    assert view(observe(done.after, "ann"), words).passed == ("ann",)
    assert view(observe(here.after, "ann"), words).passed == ()
    assert view(observe(leave.after, "ann"), words).passed == ("ann",)
    assert view(observe(raised.before, "ann"), words).passed == ()
    assert view(observe(raised.after, "ann"), words).passed == ("ann",)
    assert not [text for text in told(raised) if "passes" in text]


def test_who_passes_is_told_by_the_choice_and_without_one_by_the_news() -> None:
    waited, passed = made(start(load("trial", of_texts(SHEET)), Seed(0)), "wait", "pass")
    assert told(waited) == ["ben passes"] and told(passed) == []
