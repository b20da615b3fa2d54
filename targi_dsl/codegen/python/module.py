"""Generates the source of the Python module that plays a program."""

from __future__ import annotations

from targi_dsl.codegen.python.flow import Flow
from targi_dsl.codegen.python.unit import Module, Unit
from targi_dsl.engine.code import Code


def source_of(code: Code) -> str:
    """The source of the whole module."""
    module = Module()
    Flow(Unit(code, module)).everything()
    return module.piece()
