"""Compiled libraries: a compiler that is missing, broken or hangs, and a cache that others could
have written to.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event, Timer

import pytest

from bench.tallies import differ
from targi_dsl import load
from targi_dsl.codegen.c import compilers as compilers_
from targi_dsl.codegen.c.compilers import BRISK, QUICK, Compiler, compilers
from targi_dsl.codegen.c.emit.source import source
from targi_dsl.codegen.c.errors import NotInC
from targi_dsl.codegen.c.library import library
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.machine import Engine
from targi_dsl.text import cache
from targi_dsl.text.cache import folder, keep, read
from tests.games import compiled
from tests.small_game import with_change

THERE = {Path(one.command[0]).resolve(): one for one in compilers(QUICK)}.values()
"""The compilers of this machine, each under one name."""

SEVEN, EIGHT = "int targi_make(void) { return 7; }", "int targi_make(void) { return 8; }"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def program(below: Path, name: str, text: str) -> Path:
    """A program of this name."""
    below.mkdir(exist_ok=True)
    path = below / name
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def value(text: str) -> int:
    """The result of the function of a source."""
    return int(library(text, 0).targi_make())


def only() -> Path:
    """The only library in the cache."""
    (found,) = folder("c").glob("*.lib")
    return found


# ---- compilers ----


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("echo 'error: unrecognized option -std=c99' >&2; exit 1", "error: unrecognized option"),
        ("exit 1", "has failed"),
        ("exit 0", "has failed"),
        ("exec sleep 60", "has taken more than"),
        ("sleep 60 & sleep 60", "has taken more than"),
        ('for last; do :; done; mkdir "$last"', "has failed"),
        ('for last; do :; done; mkfifo "$last"', "has failed"),
        ('for last; do :; done; echo no library > "$last"', "cannot be kept or loaded"),
        ('for last; do :; done; echo "int f;" > a.c; gcc -shared a.c -o "$last"', "no functions"),
        ("yes error >&2", "has taken more than"),
    ],
    ids=[
        *("old", "broken", "does nothing", "hangs", "its child hangs", "makes a folder"),
        *("makes a pipe", "makes a text", "makes another library", "never stops talking"),
    ],
)
def test_a_compiler_that_makes_nothing_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, told: str
) -> None:
    path = program(tmp_path / "bin", "cc", text)
    monkeypatch.setattr(
        "targi_dsl.codegen.c.library.compilers", lambda level: [Compiler((str(path),))]
    )
    monkeypatch.setattr(compilers_, "LONGEST", 0.3)
    with pytest.raises(NotInC, match=told):
        library(SEVEN, 0)
    assert not [*folder("c").glob("*")]


def test_a_folder_for_temporary_files_that_is_not_there_is_told_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/dev/null/none")
    with pytest.raises(NotInC, match="cannot be kept or loaded"):
        library(SEVEN, 0)


def test_a_compiler_is_ended_when_it_is_told_to_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, stop = program(tmp_path / "bin", "cc", "exec sleep 60"), Event()
    monkeypatch.setattr(
        "targi_dsl.codegen.c.library.compilers", lambda level: 2 * [Compiler((str(path),))]
    )
    Timer(0.1, stop.set).start()
    began = time.monotonic()
    with pytest.raises(NotInC):
        library(SEVEN, 0, stop)
    assert time.monotonic() - began < 5


def test_without_a_compiler_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CC", "no_such_compiler -O9")
    monkeypatch.setattr(compilers_, "find_spec", lambda name: None)
    with pytest.raises(NotInC, match="there is no C compiler"):
        library(SEVEN, 0)


def test_the_compiler_that_is_asked_for_comes_first_and_the_next_one_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = program(tmp_path / "bin", "odd", "exit 1")
    monkeypatch.setenv("CC", f"{path} --some 'option with blanks'")
    first = next(compilers())
    assert first.command == (str(path), "--some", "option with blanks")
    assert value(SEVEN) == 7


@pytest.mark.parametrize("one", THERE, ids=lambda one: Path(one.command[0]).name)
def test_every_compiler_that_is_there_makes_the_same_engine(
    monkeypatch: pytest.MonkeyPatch, one: Compiler
) -> None:
    monkeypatch.setattr("targi_dsl.codegen.c.library.compilers", lambda level: [one])
    assert differ(compiled("bazaar"), range(3), QUICK) == []


def test_a_first_run_is_compiled_by_the_quickest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("gcc", "tcc"):
        program(tmp_path, name, "exit 1")
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(compilers_, "find_spec", lambda name: None)
    names = {
        level: [Path(one.command[0]).name for one in compilers(level)] for level in (QUICK, BRISK)
    }
    assert names == {QUICK: ["tcc", "gcc"], BRISK: ["gcc", "tcc"]}


def test_a_command_that_cannot_be_read_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "gcc 'never closed")
    assert value(SEVEN) == 7


# ---- the cache ----


def spoiled(change: Callable[[Path], object]) -> None:
    """A library that has been tampered with is not loaded but compiled again."""
    assert value(SEVEN) == 7
    change(only())
    assert value(SEVEN) == 7


def swap(path: Path) -> None:
    """A whole, valid library of something else takes its place."""
    path.unlink()
    assert value(EIGHT) == 8
    only().rename(path)


def link(path: Path) -> None:
    moved = path.with_name("moved")
    path.rename(moved)
    path.symlink_to(moved)


def become_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


CHANGES: dict[str, Callable[[Path], object]] = {
    "truncated": lambda path: path.write_bytes(path.read_bytes()[:-100]),
    "empty": lambda path: path.write_bytes(b""),
    "changed": lambda path: path.write_bytes(
        path.read_bytes().replace(b"targi_make", b"targi_wrng")
    ),
    "swapped": swap,
    "a link": link,
    "others may write": lambda path: path.chmod(0o666),
    "gone": lambda path: path.unlink(),
    "a folder": become_folder,
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_library_that_is_not_as_it_was_kept_is_made_anew(name: str) -> None:
    spoiled(CHANGES[name])


def test_a_library_is_kept_for_the_user_alone_and_used_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert value(SEVEN) == 7
    assert only().stat().st_mode & 0o777 == 0o600 and folder("c").stat().st_mode & 0o077 == 0
    compiler = next(compilers(QUICK))
    monkeypatch.setattr(Compiler, "compile", lambda *given: pytest.fail("compiled again"))
    monkeypatch.setattr("targi_dsl.codegen.c.library.compilers", lambda level: [compiler])
    assert value(SEVEN) == 7


@pytest.mark.parametrize("is_there", [True, False])
def test_a_cache_that_cannot_be_used_is_not_needed(is_there: bool) -> None:
    folder("c").parent.mkdir(parents=True)
    if is_there:
        folder("c").mkdir()
        folder("c").chmod(0o777)
    else:
        folder("c").write_text("a file")
    assert value(SEVEN) == 7
    assert not is_there or not [*folder("c").iterdir()]


def test_what_nobody_uses_does_not_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST", 3)
    below, now = folder("c"), time.time()
    for age in range(5):
        path = below / f"{age}"
        keep(path, b"data", b"key")
        os.utime(path, (now - 60 * (5 - age), now - 60 * (5 - age)))
    assert {one.name for one in below.iterdir()} == {"2", "3", "4"}
    assert read(below / "2", b"key") == b"data"
    keep(below / "new", b"data", b"key")
    assert {one.name for one in below.iterdir()} == {"2", "4", "new"}
    os.utime(below / "4", (now - 2 * cache.LONGEST,) * 2)
    keep(below / "new", b"again", b"key")
    assert {one.name for one in below.iterdir()} == {"2", "new"}


# ---- what of a rule file is in a source ----


def test_no_text_of_a_rule_file_is_in_its_source() -> None:
    code = '*/ int broken = 1; #error /* "'.replace('"', "'")
    files = with_change("pond/pond.targi", "the heron stands there", code)
    written = source(Engine(load("pond", of_texts(files))))
    assert code not in written and "#error" not in written and "broken" not in written
