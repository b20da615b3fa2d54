"""The import graph of the package, and its picture in docs/architecture.md.

python -m tests.architecture        redraws the picture from the imports
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "targi_dsl"
PAGE = ROOT / "docs/architecture.md"
ROW = re.compile(r"^\| *(\w+) *\| *`(\w+)` *\| *(\S.*?) *\|$", re.MULTILINE)
PICTURE = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def modules() -> list[Path]:
    """Every module of a subpackage; the package's own `__init__` belongs to none."""
    return [path for path in sorted(PACKAGE.rglob("*.py")) if path != PACKAGE / "__init__.py"]


def subpackage_of(path: Path) -> str:
    """The subpackage that a module belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def subpackages() -> dict[str, str]:
    """The subpackages that the page lists, from the ground up, each with its layer."""
    return {
        subpackage: layer for layer, subpackage, _ in ROW.findall(PAGE.read_text(encoding="utf-8"))
    }


def imported(tree: ast.AST, package: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Line and dotted path below targi_dsl of all that a module of this package imports from it,
    wherever the import stands.
    """
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                names = [alias.name for alias in node.names]
            case ast.ImportFrom(level=0):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            case ast.ImportFrom():
                base = (*package[: len(package) - node.level + 1], *filter(None, [node.module]))
                names = [".".join((*base, alias.name)) for alias in node.names]
            case _:
                continue
        for name in names:
            first, _, rest = name.partition(".")
            if first == "targi_dsl":
                yield node.lineno, rest


def graph() -> dict[str, set[str]]:
    """For each subpackage the others that it imports; the public names are those of `api`."""
    found: dict[str, set[str]] = {}
    for path in modules():
        package = ("targi_dsl", *path.relative_to(PACKAGE).parts[:-1])
        tree = ast.parse(path.read_text(encoding="utf-8"))
        others = {name.partition(".")[0] for _, name in imported(tree, package)} - {"__version__"}
        found.setdefault(subpackage_of(path), set()).update(
            {
                other if (PACKAGE / other).exists() or (PACKAGE / f"{other}.py").exists() else "api"
                for other in others
            }
            - {subpackage_of(path)}
        )
    return found


def arrows() -> list[tuple[str, str]]:
    """The import graph without the arrows that a longer way implies: importer, imported."""
    direct = graph()

    def reached(subpackage: str) -> set[str]:
        return direct[subpackage].union(*(reached(other) for other in direct[subpackage]))

    order = list(subpackages())
    return [
        (subpackage, other)
        for subpackage in sorted(direct, key=order.index)
        for other in sorted(direct[subpackage], key=order.index)
        if not any(other in reached(between) for between in direct[subpackage])
    ]


def picture() -> str:
    """The import graph in the language of Mermaid."""
    listed = subpackages()
    lines = ["flowchart BT"]
    for layer in dict.fromkeys(listed.values()):
        lines.append(f"  subgraph {layer}")
        lines += [f"    {subpackage}" for subpackage, on in listed.items() if on == layer]
        lines.append("  end")
    lines += [f"  {subpackage} --> {other}" for subpackage, other in arrows()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(
        PICTURE.sub(lambda _: f"```mermaid\n{picture()}```", text, count=1), encoding="utf-8"
    )
