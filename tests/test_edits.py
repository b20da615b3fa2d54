"""A check that has kept what did not change finds what a check of everything finds."""

from __future__ import annotations

import re
from itertools import islice

import pytest

from targi_dsl.compiler.kept import Kept
from targi_dsl.compiler.load import analyse, check
from targi_dsl.compiler.project import of_texts
from targi_dsl.syntax.parser import sections
from targi_dsl.text import resources
from tests.random_edits import edits, files_of, found, outcome
from tests.small_game import FILES, with_change

MODULE, CARDS = "pond/pond.targi", "pond/pond_plans.yaml"
OF_THE_EXPANSION = re.compile(r"(rules/|cards/)?(base|expansion|games)/.*|cards/[^/]*")


def test_every_declaration_of_a_small_game_can_be_edited() -> None:
    kept, text = Kept(), FILES[MODULE]
    whole = found("pond", FILES, kept)
    for at, (start, end) in enumerate(sections(text)):
        without_its_end = text[:end].rstrip().rpartition(" ")[0] + "\n\n" + text[end:]
        moved = text[:start] + "# A line above.\n" + text[start:]
        files = {**FILES, MODULE: moved if at % 3 == 0 else without_its_end}
        assert found("pond", files, kept) == found("pond", files, Kept()), text[start:end]
    assert found("pond", FILES, kept) == whole


def test_edits_of_a_large_game_leave_nothing_behind() -> None:
    files = {
        f"{top}/{name}": (resources.read(f"{top}/{name}") or b"").decode()
        for top, suffix in (("rules", ".targi"), ("cards", ".yaml"))
        for name in resources.names(top, suffix)
        if OF_THE_EXPANSION.fullmatch(name)
    }
    kept = Kept()
    rules = [name for name in files if name.endswith(".targi")]
    for at, name in enumerate(rules):
        if at % 12 == 0:
            analyse("expansion", of_texts(files, kept))
        files[name] = files[name].replace(" 4", " 3", 1) + "\n# The end.\n"
    fresh = Kept()
    assert found("expansion", files, kept) == found("expansion", files, fresh)
    games = [check("expansion", of_texts(files, one))[0] for one in (kept, fresh)]
    assert games[0] and games[1] and games[0].hash == games[1].hash


OF_FIELDS = (
    (MODULE, "resource pebbles: grey, red", "resource pebbles: red, grey"),
    (MODULE, "resource twigs, fame", "resource twig, fame"),
    (MODULE, "values sort: reed, lily, newt", "values sort: newt, lily, reed"),
    (MODULE, "values sort: reed, lily, newt", "values sort: reed, lily"),
    (MODULE, "worth: 1 to 3", "worth: 1 to 2"),
    (MODULE, "worth: 1 to 3", "worth: pebbles"),
    (MODULE, "  sort: sort\n  worth: 1 to 3\n", "  worth: 1 to 3\n  sort: sort\n"),
    (CARDS, "cost: 3 pebbles", "cost: 2 pebbles"),
    (CARDS, "worth: 1", "worth: yes"),
    (CARDS, "sort: newt", "sort: reed"),
    (CARDS, "copies: 3\n    name: {en: Raft}", "copies: 2\n    name: {en: Raft}"),
    (CARDS, "id: raft", "id: float"),
)
"""Edits of what the fields of cards depend on: their file, what it says and what it is to say."""


def cards_of(files: dict[str, str], kept: Kept) -> object:
    """The rules hash, the prices and the cards with their fields, unless there are errors."""
    game, _ = check("pond", of_texts(files, kept))
    cards = [(card.id, dict(card.fields)) for card in game.cards] if game else []
    return game and (game.hash, game.prices, cards)


def test_fields_of_cards_are_kept_until_something_changes_that_they_depend_on() -> None:
    kept = Kept()

    def same(files: dict[str, str]) -> None:
        fresh = Kept()
        assert found("pond", files, kept) == found("pond", files, fresh)
        assert cards_of(files, kept) == cards_of(files, fresh)

    for name, old, new in OF_FIELDS:
        same(FILES)
        before = kept.filled
        same(with_change(MODULE, "\nspace shore", "\n# A line.\nspace shore"))
        assert kept.filled is before is not None
        same(with_change(name, old, new))


def test_the_index_keeps_no_part_of_what_is_gone() -> None:
    kept = Kept()
    numbers = set()
    for at in range(20):
        files = with_change(CARDS, "name: {en: Raft}", f"name: {{en: Raft {at}}}")
        assert analyse("pond", of_texts(files, kept)).index.occurrences
        numbers.add(len(kept.games["pond"].parts))
    assert len(numbers) == 1 and numbers.isdisjoint({0})


@pytest.mark.parametrize(
    ("game", "count"),
    [("kalah", 60), ("nine_mens_morris", 40), ("two_traders", 20), ("base", 20), ("expansion", 6)],
)
def test_random_edits_leave_nothing_behind(game: str, count: int) -> None:
    files, kept, other = files_of(game), Kept(), Kept()
    for at, edited in enumerate(islice(edits(files, count), count)):
        other.games.clear()
        other.filled = None
        assert outcome(game, edited, kept) == outcome(game, edited, other), at
