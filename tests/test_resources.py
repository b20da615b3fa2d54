"""Shipped files are found in a checkout, an installed package and a zip."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from targi_dsl import load
from targi_dsl.compiler.load import check
from targi_dsl.ir.statements import MovePieces
from targi_dsl.text import resources

FILES = {
    "schema/cards.json": "{}",
    "rules/games/one.targi": "one",
    "rules/base.targi": "base",
    "rules/.hidden.targi": "hidden",
    "rules/notes.txt": "notes",
}
ASK = """
import json, targi_dsl.text.resources as resources
print(json.dumps({
    "read": (resources.read("rules/games/one.targi") or b"").decode(),
    "missing": resources.read("rules/none.targi"),
    "folder": resources.read("rules/games"),
    "below a file": resources.read("rules/base.targi/x"),
    "names": resources.names("rules", ".targi"),
    "inner": resources.names("rules/games", ".targi"),
    "nowhere": resources.names("cards", ".yaml"),
}))
"""
ANSWER = {
    "read": "one",
    "missing": None,
    "folder": None,
    "below a file": None,
    "names": ["base.targi", "games/one.targi"],
    "inner": ["one.targi"],
    "nowhere": [],
}


def contents(data: str) -> dict[str, str]:
    """A package with the module, and the files in folder `data`."""
    module = Path(resources.__file__).read_text(encoding="utf-8")
    package = {
        "targi_dsl/__init__.py": "",
        "targi_dsl/text/__init__.py": "",
        "targi_dsl/text/resources.py": module,
    }
    return package | {data + name: text for name, text in FILES.items()}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def asked(place: Path, cwd: Path) -> object:
    """The output of the module when the package is imported from `place`."""
    code = f"import sys; sys.path.insert(0, {str(place)!r}){ASK}"
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], cwd=cwd, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_a_checkout_reads_its_own_folders(tmp_path: Path) -> None:
    write(tmp_path, contents("") | {"pyproject.toml": ""})
    assert asked(tmp_path, tmp_path) == ANSWER


def test_an_installed_package_reads_the_folders_inside_it(tmp_path: Path) -> None:
    write(tmp_path, contents("targi_dsl/data/"))
    assert asked(tmp_path, tmp_path) == ANSWER


def test_a_package_beside_a_foreign_project_file_reads_its_own_folders(tmp_path: Path) -> None:
    write(tmp_path, contents("targi_dsl/data/") | {"pyproject.toml": ""})
    assert asked(tmp_path, tmp_path) == ANSWER


def test_a_zipped_package_reads_the_folders_inside_it(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for name, text in contents("targi_dsl/data/").items():
            archive.writestr(name, text)
    assert asked(tmp_path / "all.zip", tmp_path) == ANSWER


@pytest.mark.parametrize(
    "name",
    [
        "pyproject.toml",
        "targi_dsl/text/resources.py",
        "../schema/cards.json",
        "rules/../schema/cards.json",
        "schema//cards.json",
        "./schema/cards.json",
        "/schema/cards.json",
        "schema\\cards.json",
        "schema/cards.json\0",
        "schema/C:cards.json",
        "schema",
        "",
    ],
)
def test_only_names_inside_the_shipped_folders_are_read(name: str) -> None:
    assert resources.read("schema/cards.json") is not None
    assert resources.read(name) is None


def test_the_shipped_schemas_are_listed() -> None:
    assert "cards.json" in resources.names("schema", ".json")


# ---- a checkout is edited while a process runs ----


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The shipped folders, to be edited."""
    root = Path(resources.__file__).parents[2]
    for folder in resources.FOLDERS:
        shutil.copytree(root / folder, tmp_path / folder)
    monkeypatch.setattr(resources, "_root", lambda package: tmp_path)
    monkeypatch.setattr(resources, "_listed", {})
    return tmp_path


def test_an_edit_of_a_shipped_sheet_is_seen(checkout: Path) -> None:
    sheet = checkout / "rules/games/tic_tac_toe.targi"
    before = load("tic_tac_toe")
    sheet.write_text(sheet.read_text().replace(f'"{before.title}"', '"Noughts and crosses"'))
    assert load("tic_tac_toe").title == "Noughts and crosses"


def test_an_edit_of_a_shipped_rule_file_is_seen(checkout: Path) -> None:
    rules = checkout / "rules/tic_tac_toe/01_tic_tac_toe.targi"
    before, text = load("tic_tac_toe"), rules.read_text()
    places = [move.span for rule in before.rules for move in rule.every(MovePieces) if move.span]
    lines = [place.line for place in places]
    rules.write_text(
        "# A line above.\n" + text.replace("space board: grid 3", "space board: grid 4")
    )
    changed = load("tic_tac_toe")
    assert (len(before.places), len(changed.places)) == (9, 12)
    assert lines == [place.line for place in places] != []
    rules.write_text(text)
    assert load("tic_tac_toe").hash == before.hash


def test_an_edit_of_a_shipped_card_file_is_seen(checkout: Path) -> None:
    cards = checkout / "cards/kuhn_poker/kuhn_cards.yaml"
    assert [one.id for one in load("kuhn_poker").cards] == ["jack", "queen", "king"]
    cards.write_text(cards.read_text().replace("id: king", "id: ace"))
    assert [one.id for one in load("kuhn_poker").cards] == ["jack", "queen", "ace"]


def test_shipped_files_that_are_added_or_removed_are_seen(checkout: Path) -> None:
    games = checkout / "rules/games"
    assert [one.code for one in check("crosses")[1]] == ["E422"]
    shutil.copy(games / "tic_tac_toe.targi", games / "crosses.targi")
    assert check("crosses")[0]
    assert "games/crosses.targi" in resources.names("rules", ".targi")
    (games / "crosses.targi").unlink()
    assert [one.code for one in check("crosses")[1]] == ["E422"]


def test_a_new_folder_of_a_shipped_module_is_seen(checkout: Path) -> None:
    assert "mine/extra.targi" not in resources.names("rules", ".targi")
    (checkout / "rules/mine").mkdir()
    (checkout / "rules/mine/extra.targi").write_text("module mine\n")
    assert "mine/extra.targi" in resources.names("rules", ".targi")
