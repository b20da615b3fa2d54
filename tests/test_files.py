"""Opening and writing files: any system error is one message."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.files import exists, read_file, write_file, write_files


def refusal(what: Callable[[], object]) -> tuple[str, str]:
    """The code and text of the one problem that is raised."""
    with pytest.raises(Problems) as raised:
        what()
    (problem,) = raised.value.problems
    return problem.code, problem.text


def loop(folder: Path) -> Path:
    (folder / "here").symlink_to(folder / "there")
    (folder / "there").symlink_to(folder / "here")
    return folder / "here"


STRANGE_NAMES = ["a" * 300, "a\0b", "a\ud800b", "a/b/c", ""]


@pytest.mark.parametrize("name", STRANGE_NAMES)
def test_a_name_that_no_file_can_have_is_told_when_it_is_read(tmp_path: Path, name: str) -> None:
    code, text = refusal(lambda: read_file(f"{tmp_path}/{name}"))
    assert code == ("E005" if name else "E006") and text.endswith(".")


@pytest.mark.parametrize("name", STRANGE_NAMES)
def test_a_name_that_no_file_can_have_is_told_when_it_is_written(tmp_path: Path, name: str) -> None:
    code, text = refusal(lambda: write_file(tmp_path / name, "text"))
    assert code == "E021" and text.endswith(".")
    assert list(tmp_path.iterdir()) == []


def test_a_loop_of_links_is_told(tmp_path: Path) -> None:
    path = loop(tmp_path)
    assert refusal(lambda: read_file(str(path)))[0] == "E005"
    assert refusal(lambda: write_file(path, "text"))[0] == "E021"
    assert exists(path)


def test_what_is_no_plain_file_is_not_read_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert refusal(lambda: read_file(str(tmp_path / "pipe")))[0] == "E006"
    assert refusal(lambda: read_file(str(tmp_path))) == ("E006", "This is a folder.")
    assert refusal(lambda: read_file("/dev/zero"))[0] == "E006"
    assert refusal(lambda: write_file(tmp_path / "pipe", "text"))[0] == "E021"
    assert refusal(lambda: write_file(tmp_path, "text")) == ("E021", "Is a directory.")


def test_a_file_of_the_system_without_an_end_is_read_at_once() -> None:
    assert read_file("/proc/self/maps").text == ""


def test_a_new_file_has_the_rights_that_the_user_gives_new_files(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        write_file(tmp_path / "new", "text")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


def test_a_file_that_is_replaced_keeps_its_rights_and_its_link(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old", encoding="utf-8")
    (tmp_path / "file").chmod(0o600)
    (tmp_path / "link").symlink_to("file")
    write_file(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text(encoding="utf-8") == "new"
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600


def test_nothing_is_written_over_unless_that_is_wanted(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("old", encoding="utf-8")
    texts: dict[Path, str | bytes] = {tmp_path / "new": "a", tmp_path / "there": "b"}
    assert refusal(lambda: write_files(texts))[0] == "E020"
    assert {one.name for one in tmp_path.iterdir()} == {"there"}
    write_files(texts, replace=True)
    assert (tmp_path / "there").read_text(encoding="utf-8") == "b"


@pytest.mark.parametrize("first", ["old", None])
def test_all_files_are_written_or_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str | None
) -> None:
    """Found by `mix --force`: one file was new and the other still old."""
    one, two = tmp_path / "one", tmp_path / "two"
    if first:
        one.write_text(first, encoding="utf-8")
    move = Path.replace

    def refuse_the_second(self: Path, target: Path) -> Path:
        if target == two:
            raise PermissionError(1, "Operation not permitted")
        return move(self, target)

    monkeypatch.setattr(Path, "replace", refuse_the_second)
    assert refusal(lambda: write_files({one: "1", two: "2"}, replace=True))[0] == "E021"
    left = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert left == ({"one": first} if first else {})


def test_folders_that_were_made_go_again_with_what_could_not_be_written(tmp_path: Path) -> None:
    texts: dict[Path, str | bytes] = {tmp_path / "a" / "b" / "c": "1", tmp_path / ("x" * 300): "2"}
    assert refusal(lambda: write_files(texts, make_folders=True))[0] == "E021"
    assert list(tmp_path.iterdir()) == []
