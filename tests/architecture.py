"""The import graph of the package, and its picture in docs/architecture.md.

python -m tests.architecture
    redraws the picture from the imports
python -m tests.architecture --lines [SUBPACKAGE]
    counts the lines of code, without docstrings, comments and blank lines, and the tokens of each
    subpackage, of functions, of C headers, and of tests and benches; or of each module of one
    subpackage
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from functools import cache
from operator import itemgetter
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "targi_dsl"
PAGE = ROOT / "docs/architecture.md"
ROW = re.compile(r"^\| *(\w+) *\| *`(\w+)` *\| *(\S.*?) *\|$", re.MULTILINE)
PICTURE = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@cache
def text_of(path: Path) -> str:
    """The text of a module; each is read only once."""
    return path.read_text(encoding="utf-8")


@cache
def tree_of(text: str) -> ast.Module:
    """The syntax tree of a module; each is parsed only once."""
    return ast.parse(text)


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
        tree = tree_of(text_of(path))
        others = {name.partition(".")[0] for _, name in imported(tree, package)}
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


# ---- lines of code ----

DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
LONG = 380
"""Lines of a module that is near the limit."""

NOT_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENDMARKER,
}  # fmt: skip


C_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/) | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)+' | [^\W\d]\w*
      | \.?\d(?:[eEpP][+-]|[\w.])* | <<= | >>= | \.\.\. | -> | \+\+ | -- | << | >> | && | \|\|
      | [-+*/%&|^=!<>]= | \#\# | \S""",
    re.VERBOSE | re.DOTALL,
)


def docstring_lines(tree: ast.AST) -> set[int]:
    """The lines of all docstrings, including those below a name that they describe."""
    return {
        line
        for node in ast.walk(tree)
        if isinstance(node, DOCUMENTED)
        for one in node.body
        if isinstance(one, ast.Expr)
        and isinstance(one.value, ast.Constant)
        and isinstance(one.value.value, str)
        for line in range(one.lineno, (one.end_lineno or one.lineno) + 1)
    }


def code_lines(text: str) -> set[int]:
    """The lines of a module that have code."""
    found: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NOT_CODE:
            found.update(range(token.start[0], token.end[0] + 1))
    return found - docstring_lines(tree_of(text))


def tokens(text: str) -> int:
    """The tokens of a module, without comments, line ends and indentation; a docstring is one."""
    found = tokenize.generate_tokens(io.StringIO(text).readline)
    return sum(token.type not in NOT_CODE for token in found)


def tokens_of_c(text: str) -> int:
    """The tokens of a C header, without comments."""
    return sum(token.lastgroup != "comment" for token in C_TOKEN.finditer(text))


def function_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of code of every function of a module, with its name."""
    code = code_lines(text)
    for node in ast.walk(tree_of(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            yield len(code.intersection(lines)), node.name


def table_of_sizes(paths: dict[Path, str]) -> Iterator[str]:
    """A table of lines of code and of tokens by the names of modules, the largest first."""
    lines, words = Counter[str](), Counter[str]()
    for path, name in paths.items():
        lines[name] += len(code_lines(text_of(path)))
        words[name] += tokens(text_of(path))
    yield from ("| | lines | tokens |", "|---|---|---|")
    yield from (
        f"| `{name}` | {count:,} | {words[name]:,} |" for name, count in lines.most_common()
    )
    yield (
        f"lines of code: {lines.total():,}; tokens: {words.total():,}, "
        f"{words.total() / lines.total():.1f} a line"
    )


def lines_of_modules(subpackage: str) -> Iterator[str]:
    """The lines of code of each module of a subpackage, as in docs/decisions/019."""
    within = (path for path in modules() if subpackage_of(path) == subpackage)
    yield from table_of_sizes({path: path.relative_to(PACKAGE).as_posix() for path in within})


def lines_of_all() -> Iterator[str]:
    """The lines of code of each subpackage and of functions, as in docs/decisions/041."""
    texts = {path: text_of(path) for path in modules()}
    yield from table_of_sizes({path: subpackage_of(path) for path in texts})
    headers = [text_of(path) for path in PACKAGE.rglob("*.h")]
    lines, words = sum(text.count("\n") for text in headers), sum(map(tokens_of_c, headers))
    yield f"C headers: {len(headers)}; all their lines: {lines:,}; tokens: {words:,}"
    checks = [text_of(path) for room in ("tests", "bench") for path in (ROOT / room).rglob("*.py")]
    lines, words = sum(len(code_lines(text)) for text in checks), sum(map(tokens, checks))
    yield f"tests and benches: {len(checks)}; lines of code: {lines:,}; tokens: {words:,}"
    functions = sorted(found for text in texts.values() for found in function_lines(text))
    half, most, all_but_few = (
        functions[len(functions) * share // 100][0] for share in (50, 90, 99)
    )
    yield f"functions: {len(functions):,}; the median has {half} lines of code, 90% at most {most},"
    yield f"99% at most {all_but_few}; the longest, `{functions[-1][1]}`, {functions[-1][0]}"
    long = {path: lines for path, text in texts.items() if (lines := text.count("\n")) > LONG}
    yield f"modules: {len(texts)}; with more than {LONG} lines: {len(long)}"
    for path, lines in sorted(long.items(), key=itemgetter(1), reverse=True):
        yield f"  {path.relative_to(PACKAGE).as_posix()} {lines}"


def redraw() -> None:
    """Writes the picture into the page."""
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(
        PICTURE.sub(lambda _: f"```mermaid\n{picture()}```", text, count=1), encoding="utf-8"
    )


if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            redraw()
        case ["--lines"]:
            sys.stdout.writelines(f"{line}\n" for line in lines_of_all())
        case ["--lines", subpackage]:
            sys.stdout.writelines(f"{line}\n" for line in lines_of_modules(subpackage))
        case _:
            sys.exit(__doc__)
