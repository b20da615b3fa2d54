"""The small game on disk, as an editor has it open."""

from __future__ import annotations

from pathlib import Path

from targi_dsl.language_service import Workspace
from tests.small_game import FILES, write_to

RULES, PLANS, SHEET = "pond/pond.targi", "pond/pond_plans.yaml", "pond.targi"


class Pond:
    """The small game on disk, and a workspace over it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.workspace = folder, Workspace()
        write_to(folder)

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def edit(self, name: str, old: str, new: str) -> None:
        assert old in FILES[name]
        self.workspace.edit(self.path(name), FILES[name].replace(old, new, 1))

    def place(self, name: str, passage: str, word: str) -> tuple[Workspace, str, int]:
        """The place of a word in a passage of a file."""
        text = self.workspace.source(self.path(name)).text
        return self.workspace, self.path(name), text.index(passage) + passage.index(word) + 1

    def codes(self, name: str = RULES) -> list[str]:
        return [one.code for one in self.workspace.problems(self.path(name))]
