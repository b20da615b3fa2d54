"""Generates the source of the Python module that plays a program."""

from __future__ import annotations

from targi_dsl.codegen.facts import Facts
from targi_dsl.codegen.python.base import Module
from targi_dsl.codegen.python.flow import Flow
from targi_dsl.engine.alike import Alike
from targi_dsl.engine.code import Code


def source_of(code: Code) -> str:
    """The source of the module that plays a program."""
    program, module = code.program, Module()
    flow = Flow(program, Facts(program, code.domains), code.table, module)
    alike = Alike(code)
    flow.crowded = frozenset(
        number for number, one in enumerate(program.questions) if alike.distinct(one) is not None
    )
    flow.write()
    module.constants["LONGEST"] = str(flow.longest)
    module.constants["SETS"] = repr(tuple(flow.occupancy.sets))
    module.constants["CROWDED"] = repr(tuple(sorted(flow.crowded)))
    module.constants["ENTRIES"] = repr({at: flow.function_name(at) for at in flow.entries})
    return module.source("Generated from the rules of one game; do not edit.")
