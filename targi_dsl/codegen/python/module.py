"""Generates the source of the Python module that plays a program."""

from __future__ import annotations

from targi_dsl.codegen.facts import Facts
from targi_dsl.codegen.python.base import Module
from targi_dsl.codegen.python.flow import Flow
from targi_dsl.engine.alike import Alike
from targi_dsl.engine.code import Code


def flow_of(code: Code, module: Module) -> Flow:
    """What generates the functions of a program for a module."""
    program = code.program
    flow = Flow(program, Facts(program, code.domains), code.table, module)
    alike = Alike(code)
    flow.crowded = frozenset(
        number for number, one in enumerate(program.questions) if alike.distinct(one) is not None
    )
    return flow


def source_of(code: Code) -> str:
    """The source of the whole module."""
    module = Module()
    flow_of(code, module).everything()
    return module.piece()
