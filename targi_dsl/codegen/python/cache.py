"""The compiled module of a program."""

from __future__ import annotations

from types import CodeType

from targi_dsl.codegen.python.module import source_of
from targi_dsl.engine.code import Code


def code_of(code: Code) -> CodeType:
    """The compiled module."""
    return compile(source_of(code), f"<{code.program.name}>", "exec")
