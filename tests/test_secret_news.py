"""What somebody chose in secret is on nobody else's screen before all may know it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from targi_dsl import Choice, Seed, State, Stream, choices, load, observe, play, start
from targi_dsl.cli.prompt import Prompt
from targi_dsl.cli.session import Session
from targi_dsl.cli.terminal import Terminal
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Asked
from targi_dsl.records import Autosave, Record, Step, step_by
from targi_dsl.view import shape
from targi_dsl.view.news import Teller
from targi_dsl.view.words import Words
from tests.commands import targi
from tests.games import QUICK, compiled
from tests.terminal import Emulated, use_folder, watched

ASKED = ["log", "log all", "how", "table", "score", "position"]
"""What may be said at a prompt to learn more."""

CHOICES, SCREENS = 40, 1
"""How many choices of a game are looked at, and how many of the pairs found are shown."""


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_folder(tmp_path, monkeypatch)


def alike(name: str) -> Iterator[tuple[tuple[str, ...], State, Choice, Choice]]:
    """Two choices after which the next player, another one, has seen the same and knows the same:
    the choices before, the position, and both.
    """
    state, stream, made = start(compiled(name), Seed(5)), Stream(5), list[str]()
    for _ in range(CHOICES):
        offered = choices(state)
        if not offered:
            return
        first: dict[tuple[object, ...], Choice] = {}
        for choice in offered:
            after, events = play(state, choice)
            if events[0].known_to is None or after.seat in (None, state.seat):
                continue
            assert after.seat is not None
            seen = tuple(event.seen_by(after.seat) for event in events)
            other = first.setdefault((observe(after, after.seat), seen), choice)
            if other is not choice:
                yield tuple(made), state, other, choice
                break
        chosen = offered[stream.below(len(offered))]
        made.append(chosen.id)
        state = play(state, chosen)[0]


class Patient(Emulated):
    """Somebody who asks for everything and then leaves; all that was written is kept."""

    def __init__(self) -> None:
        super().__init__(80, [*ASKED], 0)
        self.said = ""

    def write(self, text: str) -> int:
        self.said += text
        return super().write(text)

    def readline(self, _: int | None = -1) -> str:
        if self.rows[self.screen.cursor.y] != ">":
            return "\n"
        return f"{self.answers.pop(0)}\n" if self.answers else ""


def shown(
    state: State, made: tuple[str, ...], human: tuple[str, ...], patched: pytest.MonkeyPatch
) -> str:
    """Everything written to a terminal where this game is resumed."""
    game, patient = state.game, Patient()
    patched.setenv("COLUMNS", "80")
    patched.setenv("LINES", "24")
    patched.setattr(sys, "stdout", patient)
    patched.setattr(sys, "stdin", patient)
    seats = {seat: "human" if seat in human else "random" for seat in game.players}
    record = Record(game.name, game.hash, dict(game.options), 5, seats, made, {})
    terminal = Terminal()
    Prompt(Session(game, record, Autosave(None, terminal.say), terminal)).play()
    return patient.said


def names_with_secrets() -> list[str]:
    """The games in which a choice may be hidden from the next player."""
    return [name for name in QUICK if next(alike(name), None)]


def test_a_choice_that_the_next_player_may_not_know_changes_nothing_they_can_see(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With one person at the table and with several, whatever they ask for."""
    names = names_with_secrets()
    assert {"auction", "goofspiel", "bazaar"} <= {*names}
    for name in names:
        for _, (made, state, one, other) in zip(range(SCREENS), alike(name), strict=False):
            after = play(state, one)[0].seat
            assert after is not None
            for human in ((after,), state.game.players):
                texts = []
                for choice in (one, other):
                    with monkeypatch.context() as patched:
                        texts.append(shown(state, (*made, choice.id), human, patched))
                assert texts[0] == texts[1], (name, one.id, other.id, human)


def test_what_was_bid_in_secret_is_told_when_it_is_revealed() -> None:
    revealed = re.compile(r"bid of ann is (?:\w+) of hearts")
    with watched("goofspiel", "--seed", "5", "--seat", "ann=busy", "--seat", "ben=human") as seen:
        assert re.search(r"^ann: bid \?$", seen.text, re.MULTILINE)
        assert not revealed.search(seen.text)
        seen.say("1")
        assert revealed.search(" ".join(seen.text.split()))
        seen.say("log all")
        assert len(revealed.findall(" ".join(seen.text.split()))) >= 1


def test_two_people_at_one_screen_bid_in_secret() -> None:
    people = ("--seat", "ann=human", "--seat", "ben=human", "--seed", "5")
    with watched("goofspiel", *people) as seen:
        seen.say("")
        seen.say("king of hearts")
        assert "ben, press Enter" in seen.text
        seen.say("")
        news, _, _ = seen.text.partition("ben: bid for")
        assert "ann: bid ?" in news and "ann: bid King" not in news


def test_why_something_cannot_be_undone_names_a_choice_and_no_outcome_of_chance() -> None:
    """Among people an outcome may be the order of a pile."""
    said = targi("play", "pig", "--seat", "ann=human", "--seat", "ben=human", answers="1\nundo\n")
    why = r"That cannot be undone: after `roll again` of (ann|ben) chance was drawn\."
    assert re.search(why, said.out)


def test_what_is_rolled_in_secret_is_news_to_everybody_without_the_number() -> None:
    game, told = compiled("liars_dice"), set[shape.News]()
    words, state = Words(game), start(game, Asked())
    while not told or state.seat not in game.players:
        choice = choices(state)[0]
        after, events = play(state, choice)
        step = Step(state, choice, tuple(events), after)
        told |= {Teller(words, (seat,)).news(0, step) for seat in game.players if step.is_chance}
        state = after
    assert {one.choice for one in told} == {""}


DRAWN_AND_PLAYED = {
    "trial.targi": "language 2\ngame trial\n  rules trial\n  deck pile: wares\n",
    "trial/trial.targi": """\
language 2
module trial
players ann, ben
card ware
  height: 1 to 9
zone pile: ware, face down
zone hand for each player: ware, seen by owner
zone played: ware
define best of p (player): (c in hand of p where height of c is highest height of x for (x in hand of p))
rule setup
  shuffle pile
  deal 1 from pile to each hand
rule round
  each player
    one of
      wait: nothing
      go: nothing
    draw 1 from pile to your hand
    put best of you on played
  if no pile: everybody wins
""",
    "wares.yaml": "language: 2\nset: wares\nkind: ware\nsource: own\ncards:\n"
    + "".join(f"  - {{id: c{n}, name: {{en: Ware {n}}}, height: {n}}}\n" for n in range(1, 9)),
}


def test_which_card_was_drawn_is_not_told_when_it_is_played_from_among_others() -> None:
    """Whoever sees a card played from a hand does not learn whether it has just been drawn."""
    game = load("trial", of_texts(DRAWN_AND_PLAYED))
    for seed in range(6):
        state = start(game, Seed(seed))
        (choice, _) = choices(state)
        step = step_by(state, choice)
        told = [one.text for one in Teller(Words(game), ("ben",)).news(0, step).events]
        assert told[0] == "?ware goes from pile to hand of ann"
        assert re.fullmatch(r"Ware \d goes from hand of ann to played", told[1])


def test_which_card_was_drawn_is_not_told_when_it_lay_alone_before_it_went_among_others() -> None:
    """Until the listeners know it, it must have lain alone wherever it went."""
    through = "    draw 1 from pile to tray\n    put tray on your hand\n"
    rules = DRAWN_AND_PLAYED["trial/trial.targi"]
    rules = rules.replace("    draw 1 from pile to your hand\n", through)
    rules = rules.replace("zone played", "zone tray: ware, face down\nzone played")
    game = load("trial", of_texts({**DRAWN_AND_PLAYED, "trial/trial.targi": rules}))
    for seed in range(6):
        state = start(game, Seed(seed))
        step = step_by(state, choices(state)[0])
        told = [one.text for one in Teller(Words(game), ("ben",)).news(0, step).events]
        assert told[:2] == [
            "?ware goes from pile to tray",
            "?ware goes from tray to hand of ann",
        ]
        assert re.fullmatch(r"Ware \d goes from hand of ann to played", told[2])
