"""Shipped files are found in a checkout, an installed package and a zip."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from targi_dsl import resources

FILES = {
    "schema/cards.json": "{}",
    "rules/games/one.targi": "one",
    "rules/base.targi": "base",
    "rules/.hidden.targi": "hidden",
    "rules/notes.txt": "notes",
}
ASK = """
import json, targi_dsl.resources as resources
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
    package = {"targi_dsl/__init__.py": "", "targi_dsl/resources.py": module}
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
        "targi_dsl/resources.py",
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
