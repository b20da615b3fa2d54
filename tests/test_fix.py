"""Problems repaired, allowed, raised and printed for other programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import targi
from tests.message_codes import Row, rows

SHEET = 'language 2\ngame hops "Hops"\n  rules hops\n'
RULES = """\
language 2
module hops
players ann, ben
resource coins, seeds

rule setup
  nothing

rule round
  each player: gian 1 coins
  each player: gain 1 coin
  each player: if your coinz is at least 9: end game

score coins: your coins
"""
MENDED = RULES.replace("gian", "gain").replace("1 coin\n", "1 coins\n")


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    (tmp_path / "hops").mkdir()
    (tmp_path / "hops/01.targi").write_text(RULES)
    (tmp_path / "hops.targi").write_text(SHEET)
    return tmp_path / "hops.targi"


def rules(sheet: Path) -> str:
    return (sheet.parent / "hops/01.targi").read_text()


def test_repairs_that_are_no_guess_are_made(sheet: Path) -> None:
    done = targi("fix", str(sheet))
    assert done.code == 1
    assert rules(sheet) == RULES.replace("gian", "gain")
    assert "1 repair, 2 problems left" in done.out


def test_guesses_are_made_where_they_are_asked_for(sheet: Path) -> None:
    targi("fix", str(sheet))
    place = f"{sheet.parent}/hops/01.targi:12"
    assert targi("fix", str(sheet), "--at", place).code == 1
    assert rules(sheet) == RULES.replace("gian", "gain").replace("coinz", "coins")
    assert targi("fix", str(sheet), "--code", "E201").code == 0
    assert rules(sheet) == MENDED.replace("coinz", "coins")
    assert targi("fix", str(sheet)).out.endswith("0 repairs, 0 problems left\n")


@pytest.mark.parametrize(("command", "new"), [("fix", 0), ("fmt", 1)])
@pytest.mark.parametrize("failure", [KeyboardInterrupt(), PermissionError(1, "not permitted")])
def test_a_command_that_cannot_finish_leaves_each_file_old_or_new(
    sheet: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    new: int,
    failure: BaseException,
) -> None:
    """Repairs are made in all files or in none; files are formatted one by one."""
    if command == "fmt":
        (sheet.parent / "hops/01.targi").write_text(MENDED.replace("9", "9   "))
    more = "language 2\nmodule hops\nrule hop\n  each player:  gian 1 coins\n"
    (sheet.parent / "hops/02.targi").write_text(
        more if command == "fix" else more.replace("ia", "ai")
    )
    before = {path: path.read_text() for path in sheet.parent.glob("hops/*")}
    move, moved = Path.replace, list[Path]()

    def fail_later(self: Path, target: Path) -> Path:
        if target.parent.name == "hops" and target not in moved:
            moved.append(target)
            if len(moved) > 1:
                raise failure
        return move(self, target)

    monkeypatch.setattr(Path, "replace", fail_later)
    done = targi(command, str(sheet if command == "fix" else sheet.parent))
    assert done.code not in (0, 70) and len(moved) == 2
    after = {path: path.read_text() for path in sheet.parent.glob("hops/*")}
    assert after.keys() == before.keys()
    assert [path for path in after if after[path] != before[path]] == moved[:new]


def test_a_difference_is_shown_and_nothing_written(sheet: Path) -> None:
    done = targi("fix", str(sheet), "--diff")
    assert "+  each player: gain 1 coins" in done.out
    assert rules(sheet) == RULES


def test_only_the_wanted_code_is_repaired(sheet: Path) -> None:
    targi("fix", str(sheet), "--code", "E999")
    assert rules(sheet) == RULES


WARNED = """\
language 2
module hops
players ann, ben
resource coins

rule setup
  nothing

rule round
  each player: gain 1 coins
  each player: if your coins is at least 9: end game

rule unused
  nothing

score coins: your coins
"""


def warnings(sheet: Path, above: str) -> list[str]:
    text = WARNED.replace("rule unused", f"{above}rule unused")
    (sheet.parent / "hops/01.targi").write_text(text)
    problems = targi("validate", str(sheet), "--json").document["problems"]
    return [f"{one['code']} {one['hint']}" for one in problems]


def test_a_warning_is_allowed_with_a_reason_above_it_or_beside_it(sheet: Path) -> None:
    (code,) = {one.split()[0] for one in warnings(sheet, "")}
    assert warnings(sheet, f"# allow {code}: for later\n") == []
    assert warnings(sheet, f"# allow {code}: for later\n# what it is\n") == []
    assert warnings(sheet, "# allow W999: for later\n") != []
    assert warnings(sheet, f"# allow {code}: for later\n\n") != []


def test_without_a_reason_nothing_is_allowed(sheet: Path) -> None:
    (code,) = {one.split()[0] for one in warnings(sheet, "")}
    assert warnings(sheet, f"# allow {code}\n") == [f"{code} # allow {code}: WHY"]


def test_a_level_makes_a_warning_an_error_or_nothing(sheet: Path) -> None:
    (code,) = {one.split()[0] for one in warnings(sheet, "")}
    assert targi("validate", str(sheet)).code == 0
    assert targi("validate", str(sheet), "--level", f"{code}=error").code == 1
    assert "no problems" in targi("validate", str(sheet), "--level", f"{code}=off").out
    assert targi("validate", str(sheet), "--level", f"{code}=loud").code == 2
    assert targi("validate", str(sheet), "--level", "E101=off").code == 2


def test_problems_are_printed_for_other_programs(sheet: Path) -> None:
    file = f"{sheet.parent}/hops/01.targi"
    concise = targi("validate", str(sheet), "--format", "concise").out.splitlines()
    assert concise[0] == f"{file}:10:16: E110 unknown word `gian`"
    github = targi("validate", str(sheet), "--format", "github").out.splitlines()
    assert github[0].startswith(
        f"::error file={file},line=10,col=16,endLine=10,endColumn=20,title=E110 unknown word `gian`::"
    )
    log = json.loads(targi("validate", str(sheet), "--format", "sarif").out)
    (run,) = log["runs"]
    assert len(run["results"]) == len(concise) == len(github)
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"]["startColumn"] == 16
    both = [targi("validate", str(sheet), *how).out for how in (["--json"], ["--format", "json"])]
    assert both[0] == both[1]


@pytest.mark.parametrize("row", list(rows()), ids=lambda row: row.code)
def test_every_code_is_explained(row: Row) -> None:
    done = targi("explain", row.code.lower())
    assert done.out.splitlines()[1] == f"  {row.meaning}"


def test_a_code_that_there_is_not_is_wrong_usage() -> None:
    assert targi("explain", "W999").code == 2
