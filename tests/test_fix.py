"""Repairs are made in all files or in none (tests/corpus/fix.txt has what is repaired), and every
code is explained.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import targi
from tests.message_codes import Row, rows
from tests.small_game import FILES, write_to

RULE = "language 2\nmodule pond\nrule hop_{}\n  each player:  {} 1 fame\n"


@pytest.mark.parametrize(
    ("command", "word", "new"),
    [("fix pond.targi", "gian", 0), ("fmt pond/1.targi pond/2.targi", "gain", 1)],
)
@pytest.mark.parametrize("failure", [KeyboardInterrupt(), PermissionError(1, "not permitted")])
def test_a_command_that_cannot_finish_leaves_each_file_old_or_new(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    word: str,
    new: int,
    failure: BaseException,
) -> None:
    """Files are formatted one by one."""
    before = {f"pond/{number}.targi": RULE.format(number, word) for number in (1, 2)}
    write_to(tmp_path, FILES | before)
    monkeypatch.chdir(tmp_path)
    move, moved = Path.replace, list[str]()

    def fail_later(self: Path, target: Path) -> Path:
        if target.parent.name == "pond" and target.name not in moved:
            moved.append(target.name)
            if len(moved) > 1:
                raise failure
        return move(self, target)

    monkeypatch.setattr(Path, "replace", fail_later)
    done = targi(*command.split())
    assert done.code not in (0, 70) and len(moved) == 2
    after = {path: Path(path).read_text() for path in before}
    assert {*map(str, Path("pond").iterdir())} == {
        *before,
        "pond/pond.targi",
        "pond/pond_plans.yaml",
    }
    changed = [path for path in after if after[path] != before[path]]
    assert changed == [f"pond/{name}" for name in moved[:new]]


@pytest.mark.parametrize("row", list(rows()), ids=lambda row: row.code)
def test_every_code_is_explained(row: Row) -> None:
    done = targi("explain", row.code.lower())
    assert done.out.splitlines()[1] == f"  {row.meaning}"
