"""At 80 by 24, everything that a question is about can be read when it is asked.

python -m tests.test_readable [GAMES]
    plays whole games of base and expansion and says on how many questions that is so
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

import pytest

from targi_dsl import Seed, State, observe, start
from targi_dsl.cli.prompt import Prompt
from targi_dsl.cli.session import Session
from targi_dsl.cli.terminal import Terminal
from targi_dsl.display.page import _is_read
from targi_dsl.display.scene import scene_of
from targi_dsl.records import Record
from targi_dsl.records.autosave import Autosave
from targi_dsl.view.equipment import equipment
from targi_dsl.view.shape import Equipment, Face, View
from targi_dsl.view.views import view
from targi_dsl.view.words import Words
from tests.games import compiled
from tests.terminal import ROWS, Emulated, use_folder

COST = ("cost", "action")
"""The fields of Targi's cards that say what they cost or give."""


def needs(seen: View, game: Equipment) -> Iterator[tuple[str, list[str], list[str]]]:
    """What the question is about: for a card its id, its names, and its costs where they are not
    paid yet; for an amount what the viewer has, in the words of the table.
    """
    assert seen.question is not None
    laid = {
        card.id: game.places[place]
        for place, contents in seen.places.items()
        for card in contents.cards
    }
    for ref in seen.question.about:
        if ref.sort == "card" and ref.id:
            face, place = game.cards[ref.id], laid.get(ref.id)
            is_paid = place is not None and place.active
            yield ref.id, [face.name, face.short], [] if is_paid else costs(face)
        if ref.sort == "resource" and ref.of:
            names = {one.id: one.name for one in game.resources}
            yield ref.id, [f"{names[ref.id]} {ref.number}"], []


def costs(face: Face) -> list[str]:
    """The cost of a card or what it gives, if these are amounts, in any of its lengths."""
    is_said = any(one.parts for one in face.fields if one.id in COST)
    return [*face.effect] if is_said else []


def unread(seen: View, game: Equipment, rows: list[str]) -> list[str]:
    """What the question is about and these rows do not tell."""
    text = " ".join(" ".join(rows).split())
    return [
        what
        for what, names, told in needs(seen, game)
        if not any(_is_near(rows, text, name, told) for name in names)
    ]


def _is_near(rows: list[str], text: str, name: str, told: list[str]) -> bool:
    """Whether a name stands in the text with one of these costs right behind it, or in the cell
    below it.
    """
    if not told:
        return name in text
    cost = "|".join(map(re.escape, told))
    if re.search(rf"{re.escape(name)}[^│)]{{0,12}}\((?:[^)]*; )?(?:{cost})[);]", text):
        return True
    for row, below in pairwise(rows):
        for match in re.finditer(re.escape(name), row):
            first = row.rfind("│", 0, match.start()) + 1
            last = row.find("│", match.start())
            cell = below[first:] if last < 0 else below[first:last]
            if any(cell.startswith(one) for one in told):
                return True
    return False


class Reader(Emulated):
    """Somebody who looks at the screen at each question; what cannot be read is kept."""

    def __init__(self, most: int) -> None:
        super().__init__(80, [], most)
        self.session: Session | None = None
        self.missed = list[tuple[str, list[str], str]]()

    def _key(self) -> str:
        assert self.session is not None
        state = self.session.state
        seen, game = view_of(state, self.session.words), equipment(self.session.words)
        if missing := unread(seen, game, self.rows):
            assert seen.question is not None
            self.missed.append((seen.question.text, missing, "\n".join(self.rows)))
        return super()._key()


def view_of(state: State, words: Words) -> View:
    assert state.seat is not None
    return view(observe(state, state.seat), words)


def read_game(name: str, seed: int, folder: Path, most: int = 1000) -> Reader:
    """A game of one person against the random player."""
    game, reader = compiled(name), Reader(most)
    seats = dict.fromkeys(game.players, "random") | {game.players[0]: "human"}
    record = Record(name, game.hash, dict(game.options), seed, seats, (), {})
    size = {"COLUMNS": "80", "LINES": str(ROWS), "TERM": "xterm"}
    with (
        patch.dict(os.environ, size),
        patch.object(sys, "stdout", reader),
        patch.object(sys, "stdin", reader),
    ):
        terminal = Terminal()
        session = reader.session = Session(
            game, record, Autosave(folder / "game.yaml", terminal.say), terminal
        )
        reader.pick.number += seed
        Prompt(session).play()
    return reader


@pytest.mark.parametrize("name", ["base", "expansion"])
def test_all_that_a_question_is_about_can_be_read(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_folder(tmp_path, monkeypatch)
    reader = read_game(name, 1, tmp_path, most=40)
    assert reader.asked >= 30
    assert not reader.missed, "\n".join(f"{asked}: {what}" for asked, what, _ in reader.missed)


def test_a_screen_without_a_cost_is_noticed() -> None:
    told = ["1 salt, 1 gold", "1sal 1gol"]
    assert _is_near(["a1 Well  │b1", "1sal 1gol│"], "", "Well", told)
    assert not _is_near(["a1 Well  │b1", "1sal 1g… │"], "", "Well", told)
    assert not _is_near(["a1 Well  │b1 Camp", "1 date   │1sal 1gol"], "", "Well", told)
    assert _is_near([], "c) use b1: Well (1sal 1gol)", "Well", told)


def test_an_effect_is_not_the_name_of_a_card() -> None:
    game = compiled("expansion")
    scene = scene_of(start(game, Seed(1)), Words(game), ("blue",))
    assert not _is_read(scene, ["13 Water      │", "+2 water      │"], "two_water")
    assert _is_read(scene, ["goods discard 1 (2 water: +2 water)"], "two_water")


def main(games: int) -> None:
    for name in ("base", "expansion"):
        asked = missed = 0
        for seed in range(games):
            with tempfile.TemporaryDirectory() as folder:
                reader = read_game(name, seed, Path(folder))
            asked, missed = asked + reader.asked, missed + len(reader.missed)
            for question, what, screen in reader.missed[: 2 if games < 5 else 0]:
                sys.stdout.write(f"{question}: {what}\n{screen}\n\n")
        sys.stdout.write(f"{name}: {asked - missed} of {asked} questions of {games} games\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
