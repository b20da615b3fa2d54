"""Variants of shipped games are warned of only where something is wrong with them. Each warning listed
here was read beside its variant; `python -m bench.alarms` prints those of all sheets.
"""

from __future__ import annotations

from itertools import islice

import pytest

from bench.alarms import variants

VARIANTS = 4
WARNED = {
    "checkers": {1: ["W905"]},  # a draw after 80 idle moves, where 40 are counted
    # nobody can keep what they have, and so nobody ever has 100; nobody can roll again
    "pig": {2: ["W945", "W919", "W902"], 33: ["W945"]},
    # the end after 6 deals, of which 3 are counted; cards are never played
    "foretold": {4: ["W905"], 24: ["W919"]},
    # nobody can bet, though it is asked who bet; cards are dealt before the shuffle
    "kuhn_poker": {8: ["W919", "W945"], 10: ["W934"]},
    # whoever pays for a lot does not get it; what is ruined stays
    "lots": {1: ["W916"], 3: ["W916"]},
    "hex_5": {},
    "nim": {2: ["W916"]},  # nothing is taken
    "liars_dice": {1: ["W905"]},
}


@pytest.mark.parametrize("sheet", WARNED)
def test_a_variant_is_warned_of_only_where_something_is_wrong(sheet: str) -> None:
    found = {
        one.number: [each.code for each in one.warnings]
        for one in islice(variants(sheet), VARIANTS)
        if one.warnings
    }
    assert found == WARNED[sheet]
