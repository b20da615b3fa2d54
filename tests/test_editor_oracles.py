"""New names and completion, held to what is written in a shipped game."""

from __future__ import annotations

from collections import Counter

import pytest

from bench.editor import ROOT, Renaming, completed, declared, sheet_of
from targi_dsl.language_service import Workspace
from targi_dsl.language_service.new_names import Refused, rename


@pytest.mark.parametrize("game", ["pig", "reversi"])
def test_a_name_is_changed_everywhere_and_back_and_the_game_plays_the_same(game: str) -> None:
    workspace = Workspace()
    names = [*declared(workspace, [game])]
    assert len(names) > 10
    checks = Renaming(workspace, Counter()).checks(names)
    assert [line for _, check in checks for line in check()] == []


def test_a_card_that_two_sets_have_is_renamed_in_all_games_that_have_either() -> None:
    """One sheet lays a set over the other, so their cards of one name are the same card."""
    workspace = Workspace()
    names = declared(workspace, ["base"])
    trader = next(one for one in names if (one.kind, one.name) == ("card", "trader"))
    changed = rename(workspace, trader.path, trader.start, "dealer", [str(ROOT)])
    assert str(ROOT / "rules/expansion/02_setup.test.targi") in changed
    assert str(ROOT / "cards/expansion/expansion_border.yaml") in changed


@pytest.mark.parametrize("name", ["raid_1", "raid_3"])
def test_a_name_that_a_table_puts_together_in_any_row_is_refused(name: str) -> None:
    workspace = Workspace()
    names = declared(workspace, ["expansion"])
    card = next(one for one in names if (one.kind, one.name) == ("card", name))
    with pytest.raises(Refused, match="is put together from a table"):
        rename(workspace, card.path, card.start, "foray", [str(ROOT)])


def test_what_is_written_is_offered_where_the_line_is_cut() -> None:
    workspace, tried = Workspace(), Counter[str]()
    files = sorted(workspace.files(sheet_of("pig")))
    assert [line for file in files for line in completed(workspace, file, 2, tried)] == []
    assert tried["name"] > 20 and tried["word"] > 20
