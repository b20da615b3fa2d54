"""Games for a variable number of players."""

from __future__ import annotations

from pathlib import Path

import pytest

from targi_dsl.api import result, start
from targi_dsl.compiler.load import analyse, check, load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed
from targi_dsl.text.diagnostics import Problems
from tests.commands import targi

RULES = """\
language 2
module chairs
players 2 to 4: ann, ben, cleo, dora
resource points
zone hand for each player: card, seen by owner
piece chair: 2 for each player
variable seen: 0 to 9
rule setup
  set seen to count of players
  each player: gain 1 points
rule round
  each player: choose n in 1..2 then you win
score points: your points
"""
SHEET = "language 2\ngame chairs\n  rules chairs\n"


def files(sheet: str = SHEET, rules: str = RULES) -> dict[str, str]:
    return {"chairs/chairs.targi": rules, "chairs.targi": sheet}


@pytest.mark.parametrize(("number", "seats"), [(None, 2), (2, 2), (3, 3), (4, 4)])
def test_so_many_play_as_are_asked_for(number: int | None, seats: int) -> None:
    game = load("chairs", files(), players=number)
    state = start(game, Seed(1))
    assert game.players == ("ann", "ben", "cleo", "dora")[:seats]
    assert len(game.pieces) == 2 * seats and state.value("seen") == seats
    assert result(state).scores == (1,) * seats
    assert dict(game.options) == {"players": str(seats)}


def test_a_sheet_says_how_many_and_whoever_asks_overrides_it() -> None:
    sheet = SHEET + "  players 3\n"
    assert len(load("chairs", files(sheet)).players) == 3
    assert len(load("chairs", files(sheet), players=4).players) == 4


def test_each_number_is_another_game() -> None:
    assert len({load("chairs", files(), players=number).hash for number in (2, 3, 4)}) == 3


def test_a_game_for_one_number_has_none_to_choose() -> None:
    rules = RULES.replace("players 2 to 4: ann, ben, cleo, dora", "players ann, ben")
    (problem,) = check("chairs", of_texts(files(SHEET + "  players 2\n", rules)))[1]
    assert problem.code == "E410" and "The game is for 2." in problem.text
    with pytest.raises(Problems, match="E410 the number of players is fixed"):
        load("chairs", files(SHEET, rules), players=2)


def test_a_number_that_the_caller_cannot_choose_is_told_with_those_that_can_be() -> None:
    with pytest.raises(Problems, match="It is for 2, 3 or 4 players"):
        load("chairs", files(), players=7)


def test_validate_checks_every_number() -> None:
    rules = RULES.replace("you win", "opponent wins")
    assert check("chairs", of_texts(files(SHEET, rules)))[1] == ()
    (problem,) = analyse("chairs", of_texts(files(SHEET, rules))).problems
    assert problem.code == "E207"
    fixed = of_texts(files(SHEET + "  players 2\n", rules))
    assert analyse("chairs", fixed).problems == ()


def test_an_editor_reads_the_line_of_a_sheet() -> None:
    assert analyse("chairs", of_texts(files(SHEET + "  players 3\n"))).problems == ()


def test_a_record_keeps_how_many_play(tmp_path: Path) -> None:
    for name, text in files().items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    saved = tmp_path / "save.yaml"
    sheet = str(tmp_path / "chairs.targi")
    seats = [f"--seat={seat}=random" for seat in ("ann", "ben", "cleo")]
    played = targi("play", sheet, "--players", "3", "--seed", "1", "--save", str(saved), *seats)
    assert played.code == 0, played.err
    assert "players: 3" in saved.read_text(encoding="utf-8").replace("'", "").replace('"', "")
    assert targi("replay", str(saved)).code == 0
    assert targi("play", sheet, "--players", "7").code == 1
    assert targi("validate", sheet).code == 0
