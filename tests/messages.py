"""The messages of the program, found in its source: the arguments of `say`, `count` and
`message`, and of `word` in the scripts of the page.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import targi_dsl
from targi_dsl.cli.begin import HUMAN
from targi_dsl.players import PLAYERS
from targi_dsl.table.editions import client_messages
from tests.architecture import text_of, tree_of

PACKAGE = Path(targi_dsl.__file__).parent
_SAYING = {"say": 1, "count": 2, "message": 1}
"""The number of arguments of each function that are texts."""


@cache
def messages() -> tuple[tuple[str, ...], ...]:
    """Every message, with its plural if it has one."""
    plain = (HUMAN, *PLAYERS, *sorted(client_messages()))
    found: dict[tuple[str, ...], None] = dict.fromkeys((text,) for text in plain)
    for file in sorted(PACKAGE.rglob("*.py")):
        for function in _functions(tree_of(text_of(file))):
            found |= dict.fromkeys(_of(function))
    return tuple(found)


def _functions(tree: ast.Module) -> Iterator[ast.AST]:
    """Each function, and each line outside of functions."""
    yield from (node for node in tree.body if isinstance(node, ast.Assign))
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def _of(node: ast.AST) -> Iterator[tuple[str, ...]]:
    """The messages passed to calls in a function, as literals or by name."""
    named: dict[str, list[str]] = {}
    for name, text in _assigned(node):
        named.setdefault(name, []).append(text)
    for call in ast.walk(node):
        if not isinstance(call, ast.Call):
            continue
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        texts = [_texts(one, named) for one in call.args[: _SAYING.get(name, 0)]]
        if texts and len(texts) == _SAYING[name]:  # `count` of a list has one argument
            yield from zip(*texts, strict=True)


def _assigned(node: ast.AST) -> Iterator[tuple[str, str]]:
    for one in ast.walk(node):
        if not isinstance(one, ast.Assign):
            continue
        names, values = one.targets[0], one.value
        pairs = (
            zip(names.elts, values.elts, strict=True)
            if isinstance(names, ast.Tuple) and isinstance(values, ast.Tuple)
            else [(names, values)]
        )
        for target, value in pairs:
            if isinstance(target, ast.Name) and isinstance(value, ast.Constant):
                yield target.id, str(value.value)


def _texts(node: ast.expr, named: dict[str, list[str]]) -> list[str]:
    match node:
        case ast.Constant(value=str(text)):
            return [text] if text.strip() else []
        case ast.Name(id=name):
            return named.get(name, [])
        case _:
            return []
