"""An editor is told what `targi validate` tells, after whatever has been typed."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from targi_dsl.cli.commands.validate import problems_of
from targi_dsl.language_service import Workspace
from targi_dsl.text.diagnostics import in_order, to_json
from tests.random_edits import edits
from tests.small_game import FILES

SHEET = "pond.targi"
NONE: dict[str, object] = {"problems": []}


class Written:
    """The small game on disk, and a workspace that has the same texts unsaved."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.workspace = folder, Workspace()
        self.write(FILES)

    def write(self, texts: dict[str, str]) -> None:
        for name, text in texts.items():
            path = self.folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            self.workspace.edit(str(path), text)

    def told(self) -> tuple[object, object]:
        """What the workspace tells of the sheet, and what `targi validate` does."""
        sheet = str(self.folder / SHEET)
        return to_json(self.workspace.problems(sheet)), to_json(in_order(problems_of(sheet)))


@pytest.fixture
def game(tmp_path: Path) -> Written:
    return Written(tmp_path)


@pytest.mark.parametrize("seed", range(4))
def test_after_random_edits_an_editor_is_told_what_validate_tells(game: Written, seed: int) -> None:
    faulty = 0
    for at, texts in enumerate(islice(edits(FILES, seed), 15)):
        game.write(texts)
        told, validated = game.told()
        assert told == validated, at
        faulty += told != NONE
    assert faulty


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (SHEET, 'game pond "At the pond"\n', ""),
        (SHEET, 'game pond "At the pond"\n', "# game\n"),
        (SHEET, FILES[SHEET], ""),
        (SHEET, FILES[SHEET], "language 2\n"),
        (SHEET, "game pond", "module pond"),
        (SHEET, "  rules pond\n", ""),
        ("pond/pond.targi", 'module pond "At the pond"\n', ""),
        ("pond/pond.targi", FILES["pond/pond.targi"], ""),
        ("pond/pond_plans.yaml", FILES["pond/pond_plans.yaml"], ""),
    ],
)
def test_of_what_is_no_longer_a_game_an_editor_is_told_what_validate_tells(
    game: Written, name: str, old: str, new: str
) -> None:
    assert old in FILES[name]
    assert game.told() == (NONE, NONE)
    game.write({name: FILES[name].replace(old, new, 1)})
    told, validated = game.told()
    assert told == validated
    game.write({name: FILES[name]})
    assert game.told() == (NONE, NONE)
