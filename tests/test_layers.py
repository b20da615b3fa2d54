"""docs/architecture.md tells the rooms of the house, and which of them may import which."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import targi_dsl
from tests.architecture import (
    PACKAGE,
    PAGE,
    PICTURE,
    ROOT,
    arrows,
    graph,
    imported,
    modules,
    picture,
    room_of,
    rooms,
)

ROOMS = rooms()
GENERATED = "compiled"
"""The room of engines generated for speed, whether it is there yet or not."""


def faults(
    room: str, text: str, rooms: list[str], package: tuple[str, ...] = ("targi_dsl",)
) -> list[str]:
    """The imports of a module that lead to a room not above its own."""
    above = {*rooms[: rooms.index(room)], room, "__version__"}
    if room == "adapters":  # they stand on the public names alone
        above = set(targi_dsl.__all__)
    found = ((line, name.partition(".")[0]) for line, name in imported(ast.parse(text), package))
    return [
        f"line {line}: {room} imports {other or 'the package itself'}"
        for line, other in found
        if other not in above
    ]


def test_the_table_names_every_room_and_no_other() -> None:
    assert sorted(ROOMS) == sorted({room_of(path) for path in modules()})
    assert len(ROOMS) <= 18


def test_the_picture_is_the_import_graph() -> None:
    """`python -m tests.architecture` draws it anew."""
    (drawn,) = PICTURE.findall(PAGE.read_text(encoding="utf-8"))
    assert drawn == picture()


def test_every_import_between_rooms_is_an_arrow_or_a_longer_way() -> None:
    drawn: dict[str, set[str]] = {room: set() for room in ROOMS}
    for room, other in arrows():
        drawn[room].add(other)

    def reached(room: str) -> set[str]:
        return drawn[room].union(*(reached(other) for other in drawn[room]))

    assert all(others <= reached(room) for room, others in graph().items())


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_room_imports_only_rooms_above_it(path: Path) -> None:
    package = ("targi_dsl", *path.relative_to(PACKAGE).parts[:-1])
    assert not faults(room_of(path), path.read_text(encoding="utf-8"), list(ROOMS), package)


def test_the_reference_engine_knows_nothing_of_engines_generated_from_a_model() -> None:
    for path in modules():
        if room_of(path) in ("engine", "ir"):
            names = {
                name.partition(".")[0]
                for _, name in imported(ast.parse(path.read_text(encoding="utf-8")), ("targi_dsl",))
            }
            assert GENERATED not in names, path.name


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


def test_every_room_opens_with_a_sentence() -> None:
    for path in modules():
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path


# ---- circles ----


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def runtime_imports(path: Path, names: set[str]) -> set[str]:
    """The modules of the package that one imports when it runs, wherever the import stands."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    only_types = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    found = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and id(node) not in only_types:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= inner & names or {node.module} & names
    return found - {module_name(path)}


def test_no_module_imports_itself_by_way_of_others() -> None:
    names = {module_name(path): path for path in modules()}
    imports = {name: runtime_imports(path, set(names)) for name, path in names.items()}
    while free := {name for name, those in imports.items() if not those & imports.keys()}:
        for name in free:
            del imports[name]
    assert sorted(imports) == []
