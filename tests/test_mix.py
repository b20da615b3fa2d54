"""`targi mix`: decks drawn once, as sheets that can be edited, validated and played."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from targi_dsl.compiler.load import check, load
from targi_dsl.ir.game import Game
from targi_dsl.tools.draw import mix_sheets
from tests.commands import Done, targi
from tests.games import compiled
from tests.invariants import random_game

POND = """\
language 2
game pond "Pond" based on bazaar
  deck stall_pile: draw 3 of each craft from bazaar_stalls
  deck favour_pile: draw 20 from (bazaar_favours + 2 x lucky_day of bazaar_favours)
"""


def mix(folder: Path, game: str, *more: str, seed: int = 7) -> Done:
    out, rest = folder / "out.targi", folder / "rest.targi"
    return targi("mix", game, "--seed", str(seed), "--out", str(out), "--rest", str(rest), *more)


def cards(game: Game, zone: str) -> Counter[str]:
    """The cards that begin in a zone, or are drawn for it."""
    return Counter(
        card.id.partition(".")[0]
        for card in game.cards
        if zone in game.places[card.start].name.split()
    )


def load_both(folder: Path) -> tuple[Game, Game]:
    return load(str(folder / "out.targi")), load(str(folder / "rest.targi"))


@pytest.mark.parametrize(
    ("name", "zone"), [("mixed", "tribe_pile"), ("mixed_border", "tribe_pile")]
)
def test_both_halves_are_together_exactly_all_cards_and_play(
    tmp_path: Path, name: str, zone: str
) -> None:
    assert mix(tmp_path, name).code == 0
    drawn, rest = load_both(tmp_path)
    assert (drawn.name, rest.name) == ("out", "rest")
    both = cards(drawn, zone), cards(rest, zone)
    assert sum(both, Counter[str]()) == cards(compiled(name), zone)
    assert both[0].total() == both[1].total() == 45
    symbols = Counter(
        card.fields["symbol"] for card in drawn.cards if drawn.places[card.start].name == zone
    )
    assert set(symbols.values()) == {9}
    for seed, game in enumerate((drawn, rest)):
        random_game(game, seed, busy=bool(seed))


def test_copies_are_respected(tmp_path: Path) -> None:
    (tmp_path / "pond.targi").write_text(POND)
    assert mix(tmp_path, str(tmp_path / "pond.targi")).code == 0
    drawn, rest = load_both(tmp_path)
    whole = load(str(tmp_path / "pond.targi"))
    for zone, count in (("stall_pile", 12), ("favour_pile", 20)):
        assert cards(drawn, zone).total() == count
        assert cards(drawn, zone) + cards(rest, zone) == cards(whole, zone)
    assert max(cards(whole, "favour_pile").values()) == 4


def test_the_same_seed_gives_the_same_files_and_another_seed_others() -> None:
    assert mix_sheets("mixed", 3, ("a", "b")) == mix_sheets("mixed", 3, ("a", "b"))
    assert mix_sheets("mixed", 3, ("a",))[0].text != mix_sheets("mixed", 4, ("a",))[0].text
    drawn = Counter(
        name
        for seed in range(6)
        for name in mix_sheets("mixed", seed, ("a",))[0].text.split()
        if "_1" in name
    )
    assert len(drawn) > 40  # every card has its chance


def test_a_sheet_can_be_edited(tmp_path: Path) -> None:
    assert mix(tmp_path, "mixed").code == 0
    file = tmp_path / "out.targi"
    text = file.read_text()
    assert max(map(len, text.splitlines())) <= 100
    first = text.partition("    cards ")[2].partition(",")[0]
    file.write_text(text.replace(f"cards {first},", "cards", 1))
    assert [one.code for one in check(str(file))[1]] == ["E532", "E532"]  # one is missing
    file.write_text(f"{file.read_text()}  deck tribe_pile must have 44 cards\n")
    assert cards(load(str(file)), "tribe_pile").total() == 44
    file.write_text(text.replace(f"cards {first},", "cards well_99,", 1))
    assert [one.code for one in check(str(file))[1]] == ["E523"]


def test_of_each_number_that_there_is_as_many_are_drawn() -> None:
    drawn = mix_sheets(
        "base", 1, ("some",), {"tribe_pile": "draw 3 of each points from base_tribe"}
    )[0].text
    points = {
        card.id: card.fields["points"] for card in compiled("base").cards if "points" in card.fields
    }
    words = re.findall(r"[a-z]+_[0-9]+", drawn)
    assert Counter(points[word] for word in words if word in points) == {1: 3, 2: 3, 3: 3}


def test_decks_are_named_on_the_command_line(tmp_path: Path) -> None:
    out = tmp_path / "out.targi"
    more = (
        "--deck",
        "tribe_pile=draw 6 of each symbol from base_tribe",
        "--deck",
        "goods_pile=base_goods + 2 x one_gold of base_goods",
    )
    assert targi("mix", "base", "--seed", "1", "--out", str(out), *more).code == 0
    game = load(str(out))
    assert cards(game, "tribe_pile").total() == 30
    assert cards(game, "goods_pile")["one_gold"] == 5
    assert targi("validate", "base", *more).code == 0
    assert targi("validate", "base", "--deck", "tribe_pile=draw 60 from base_tribe").code == 1


def test_decks_of_the_command_line_are_played_saved_resumed_and_replayed(tmp_path: Path) -> None:
    file, deck = tmp_path / "game.yaml", "tribe_pile=draw 2 of each symbol from base_tribe"
    seats = ("--seat", "blue=random", "--seat", "white=random", "--seed", "3")
    played = targi("play", "base", *seats, "--deck", deck, "--save", str(file), "--json")
    assert played.code == 0 and played.document["rules"] != compiled("base").hash
    kept = file.read_text()
    assert f"\ndecks: {{tribe_pile: {deck.partition('=')[2]}}}\n" in kept
    assert targi("replay", str(file), "--json").document == played.document
    assert targi("play", "--resume", str(file), "--json").document == played.document
    other = targi(
        "play", "base", *seats, "--deck", "tribe_pile=base_tribe", "--save", str(file), "--json"
    )
    assert (
        other.code == 1
        and "E709 saved game with other decks" in other.err
        and file.read_text() == kept
    )
