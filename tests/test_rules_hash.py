"""The rules hash covers everything that affects play, and nothing that is only shown."""

from __future__ import annotations

import pytest

from targi_dsl import load
from targi_dsl.compiler.project.discovery import of_texts
from tests.small_game import FILES

MODULE, PLANS, SHEET = "pond/pond.targi", "pond/pond_plans.yaml", "pond.targi"


def rules_hash(file: str = "", old: str = "", new: str = "") -> str:
    files = dict(FILES)
    if file:
        assert old in files[file], old
        files[file] = files[file].replace(old, new, 1)
    return load("pond", of_texts(files)).hash


SHOWN = {
    "a reason": (MODULE, 'because "the heron stands there"', 'because "a heron is there"'),
    "a reason that was not given": (MODULE, ' because "the heron stands there"', ""),
    "a comment": (MODULE, "define most_plans: 2", "define most_plans: 2  # at first"),
    "blanks in a rule": (MODULE, "gain 2 grey and 1 red", "gain 2  grey and  1 red"),
    "a title": (MODULE, '"At the pond"', '"By the pond"'),
    "the title of the sheet": (SHEET, '"At the pond"', '"By the pond"'),
    "a name of a card": (PLANS, "en: Raft", "en: Float"),
    "a translation": (PLANS, "en: Raft", "en: Raft, pt-BR: Jangada"),
    "blanks in an ability": (PLANS, "once: gain 1 fame", "once:  gain 1  fame"),
    "a layout": (MODULE, "score built", "layout\n  line plan_pile\n\nscore built"),
}


@pytest.mark.parametrize("change", SHOWN.values(), ids=SHOWN)
def test_what_is_only_shown_leaves_the_hash_as_it_was(change: tuple[str, str, str]) -> None:
    assert rules_hash(*change) == rules_hash()


PLAYED = {
    "an amount": (MODULE, "gain 2 grey", "gain 3 grey"),
    "a prohibition": (MODULE, "forbid taken: any frog", "forbid taken: no frog"),
    "a cost": (PLANS, "cost: 1 grey\n", "cost: 2 grey\n"),
    "the copies of a card": (PLANS, "copies: 3", "copies: 2"),
}


@pytest.mark.parametrize("change", PLAYED.values(), ids=PLAYED)
def test_what_is_played_is_part_of_the_hash(change: tuple[str, str, str]) -> None:
    assert rules_hash(*change) != rules_hash()
