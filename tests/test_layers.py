"""The table of subpackages in docs/architecture.md is complete, and every import obeys it."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from types import ModuleType

import pytest

import targi_dsl
from targi_dsl.ir.slots import Offsets
from tests.architecture import (
    PACKAGE,
    PAGE,
    PICTURE,
    ROOT,
    arrows,
    code_lines,
    graph,
    imported,
    modules,
    picture,
    subpackage_of,
    subpackages,
    text_of,
    tokens,
    tokens_of_c,
    tree_of,
)

SUBPACKAGES = subpackages()
PLAYING = ("ir", "compiler", "optimize", "engine", "codegen")
"""The subpackages that make positions and play them; `api.position` shows them to others."""

OFFSETS = re.compile(rf"\bslots\.({'|'.join(Offsets.__struct_fields__)})\b")
GENERATED = "codegen"
"""The subpackage of engines generated for speed."""


LONGEST = 700
"""Lines of a module: a recursive descent may be one."""

ROOM = re.compile(r"^\| `(\w+)` \| (.*) \|$", re.MULTILINE)
"""A subpackage of the compiler on the page, and what it does."""


def faults(
    subpackage: str, text: str, subpackages: list[str], package: tuple[str, ...] = ("targi_dsl",)
) -> list[str]:
    """The imports of a module that lead to a subpackage not above its own."""
    above = {*subpackages[: subpackages.index(subpackage)], subpackage}
    if subpackage == "adapters":  # they stand on the public names alone
        above = set(targi_dsl.__all__)
    found = ((line, name.partition(".")[0]) for line, name in imported(tree_of(text), package))
    return [
        f"line {line}: {subpackage} imports {other or 'the package itself'}"
        for line, other in found
        if other not in above
    ]


def test_few_modules_outside_the_engines_know_where_a_position_has_what() -> None:
    """`api` shows positions to others and renumbers equal things; notation reads and writes
    positions whole, invariants check the slots themselves, interventions change an opening, and a simulation
    counts in a loop over all options.
    """
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in modules()
        if subpackage_of(path) not in PLAYING and OFFSETS.search(text_of(path))
    }
    assert found == {
        "api/position.py",
        "api/renumbering.py",
        "lab/interventions.py",
        "records/notation/names.py",
        "records/notation/reading.py",
        "records/notation/writing.py",
        "simulation/game_loop.py",
        "tools/invariants.py",
    }


def test_the_table_names_every_subpackage_and_no_other() -> None:
    assert sorted(SUBPACKAGES) == sorted({subpackage_of(path) for path in modules()})
    assert len(SUBPACKAGES) <= 24


def test_the_picture_is_the_import_graph() -> None:
    """`python -m tests.architecture` redraws it."""
    (drawn,) = PICTURE.findall(PAGE.read_text(encoding="utf-8"))
    assert drawn == picture()


def test_every_import_between_subpackages_is_an_arrow_or_a_longer_way() -> None:
    drawn: dict[str, set[str]] = {subpackage: set() for subpackage in SUBPACKAGES}
    for subpackage, other in arrows():
        drawn[subpackage].add(other)

    def reached(subpackage: str) -> set[str]:
        return drawn[subpackage].union(*(reached(other) for other in drawn[subpackage]))

    assert all(others <= reached(subpackage) for subpackage, others in graph().items())


def test_a_subpackage_imports_only_those_above_it() -> None:
    found = {
        module_name(path): faults(
            subpackage_of(path), text_of(path), list(SUBPACKAGES), package_of(path)
        )
        for path in modules()
    }
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_the_reference_engine_knows_nothing_of_engines_generated_from_a_model() -> None:
    for path in modules():
        if subpackage_of(path) in ("engine", "ir"):
            names = {
                name.partition(".")[0]
                for _, name in imported(tree_of(text_of(path)), ("targi_dsl",))
            }
            assert GENERATED not in names, path.name


def test_a_room_of_the_compiler_imports_only_those_above_it() -> None:
    rooms = dict(ROOM.findall(PAGE.read_text(encoding="utf-8")))
    home = PACKAGE / "compiler"
    assert {*rooms} == {path.parent.name for path in home.glob("*/__init__.py")}
    order = [*rooms]
    for path in home.glob("*/*.py"):
        above = order[: order.index(path.parent.name) + 1]
        named = (name.split(".") for _, name in imported(tree_of(text_of(path)), package_of(path)))
        found = {name[1] for name in named if name[0] == "compiler"}
        assert found <= {*above}, path


def test_a_room_of_the_compiler_says_what_it_does() -> None:
    rooms = ROOM.findall(PAGE.read_text(encoding="utf-8"))
    for room, said in rooms:
        text = importlib.import_module(f"targi_dsl.compiler.{room}").__doc__ or ""
        assert " ".join(text.split()) == said[:1].upper() + said[1:]


@pytest.mark.parametrize(
    "text",
    [
        "import targi_dsl.shell",
        "from targi_dsl import shell",
        "from targi_dsl.shell import main",
        "from .. import shell",
        "from ..shell.other import main",
        "def late():\n    from targi_dsl.shell import main",
        "if TYPE_CHECKING:\n    from targi_dsl.shell import main",
    ],
)
def test_an_import_from_below_is_found_in_every_spelling(text: str) -> None:
    assert faults("middle", text, ["ground", "middle", "shell"], ("targi_dsl", "middle"))
    assert not faults("shell", text, ["ground", "middle", "shell"], ("targi_dsl", "shell"))


def test_an_import_from_above_or_from_the_own_room_is_none() -> None:
    text = (
        "from targi_dsl.ground import a\nfrom . import b\nfrom .c import d\nimport click\nimport"
        " targi_dsl.middle"
    )
    assert not faults("middle", text, ["ground", "middle", "shell"], ("targi_dsl", "middle"))


def test_every_subpackage_opens_with_a_sentence() -> None:
    for path in modules():
        assert ast.get_docstring(tree_of(text_of(path))), path


def test_no_public_name_of_a_package_hides_a_module_of_it() -> None:
    """After `import a.b`, `a.b` is the module, unless a function `b` of the package replaces it."""
    for path in PACKAGE.rglob("__init__.py"):
        package = importlib.import_module(module_name(path))
        for name in {below.stem for below in path.parent.iterdir()} & {*vars(package)}:
            assert isinstance(getattr(package, name), ModuleType), f"{package.__name__}.{name}"
    below = {path.stem for path in PACKAGE.iterdir()}
    assert not below & {*targi_dsl.__all__}


def test_no_module_is_long() -> None:
    lines = {
        path.relative_to(PACKAGE).as_posix(): len(text_of(path).splitlines())
        for path in PACKAGE.rglob("*.py")
    }
    assert not {name: count for name, count in lines.items() if count > LONGEST}


def test_lines_of_code_are_counted_without_docstrings_comments_and_blank_lines() -> None:
    text = '"""Page."""\n\nA = 1  # one\n"""What it is."""\n# why\nB = """a\nb"""\n'
    assert code_lines(text) == {3, 6, 7}


def test_tokens_are_counted_without_comments_line_ends_and_indentation() -> None:
    assert tokens('"""Page."""\nif a == 1:  # one\n    b = -2\n') == 1 + 5 + 4


def test_tokens_of_c_are_counted_without_comments() -> None:
    text = "#define A 0x1F // one\n/* two\nlines */ a->b <<= \"x /* y\" + 1e-3; c != '\\n'"
    assert tokens_of_c(text) == 4 + 8 + 3


# ---- circles ----


def package_of(path: Path) -> tuple[str, ...]:
    """The package that a module is part of, in which its relative imports are read."""
    return ("targi_dsl", *path.relative_to(PACKAGE).parts[:-1])


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports_of(text: str, package: tuple[str, ...], names: Collection[str]) -> set[str]:
    """The modules of the package that a module imports, anywhere and for any purpose."""
    paths = {f"targi_dsl.{name}" for _, name in imported(tree_of(text), package)}
    return {path if path in names else path.rpartition(".")[0] for path in paths} & {*names}


def circles(imports: Mapping[str, set[str]]) -> list[str]:
    """The modules that import themselves by way of others, and those that import them."""
    left = dict(imports)
    while free := [name for name, those in left.items() if not (those - {name}) & left.keys()]:
        for name in free:
            del left[name]
    return sorted(left)


def test_no_module_imports_itself_by_way_of_others() -> None:
    names = {module_name(path): path for path in modules()}
    assert not circles(
        {name: imports_of(text_of(path), package_of(path), names) for name, path in names.items()}
    )


@pytest.mark.parametrize(
    "back",
    [
        "from targi_dsl.part.one import a",
        "from targi_dsl.part import b, one",
        "import targi_dsl.part.one",
        "from .one import a",
        "if TYPE_CHECKING:\n    from targi_dsl.part.one import a",
        "def late():\n    from targi_dsl.part.one import a",
    ],
)
def test_a_circle_is_found_in_every_spelling(back: str) -> None:
    texts = {
        "targi_dsl.part": "",
        "targi_dsl.part.one": "from targi_dsl.part.two import b",
        "targi_dsl.part.two": back,
    }
    found = {name: imports_of(text, ("targi_dsl", "part"), texts) for name, text in texts.items()}
    assert circles(found) == ["targi_dsl.part.one", "targi_dsl.part.two"]


# ---- late loading ----

LATE = {
    "targi_dsl",  # the public names
    "targi_dsl.cardfiles",  # what reads files, with its libraries
    "targi_dsl.cli",  # the commands
    "targi_dsl.cli.extras",  # libraries that not everybody has
    "targi_dsl.players",  # the players, which are the modules of this package
    "targi_dsl.codegen.tiered",  # generated C
    "targi_dsl.search",  # generated C
    "targi_dsl.simulation.engines",  # generated C, and processes
    "targi_dsl.cli.terminal",  # readline, which changes the terminal when it is imported
}
"""The modules that load others when they are needed, by `import_module`."""


def imported_inside(text: str) -> list[int]:
    """The lines of import statements inside functions."""
    return [
        node.lineno
        for function in ast.walk(tree_of(text))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]


def loaded_late(text: str) -> list[int]:
    """The lines on which a module is imported by a call."""
    return [
        node.lineno
        for node in ast.walk(tree_of(text))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] in ("import_module", "__import__")
    ]


def test_no_import_stands_inside_a_function() -> None:
    texts = {module_name(path): text_of(path) for path in PACKAGE.rglob("*.py")}
    assert {name: found for name, text in texts.items() if (found := imported_inside(text))} == {}
    assert {name for name, text in texts.items() if loaded_late(text)} == LATE


@pytest.mark.parametrize(
    "text",
    [
        "def late():\n    from targi_dsl.part.one import a",
        "def late():\n    import json",
        "async def late():\n    import json",
        "class One:\n    def late(self):\n        if self:\n            import json",
    ],
)
def test_an_import_inside_a_function_is_found_in_every_spelling(text: str) -> None:
    assert imported_inside(text)
    assert not imported_inside("import json\n\n\ndef late():\n    return json")


@pytest.mark.parametrize(
    "text", ["importlib.import_module('json')", "import_module('json')", "__import__('json')"]
)
def test_late_loading_is_found_in_every_spelling(text: str) -> None:
    assert loaded_late(f"def late():\n    return {text}")
    assert not loaded_late("from importlib import import_module")


def test_what_tests_share_is_in_no_test_file() -> None:
    importing = re.compile(r"^ *(?:from|import) tests\.(?:\w+\.)*test_", re.MULTILINE)
    files = [*ROOT.glob("tests/**/*.py"), *ROOT.glob("bench/*.py")]
    assert not [path.name for path in files if importing.search(path.read_text(encoding="utf-8"))]
