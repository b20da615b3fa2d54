"""Inlining of short definitions."""

from __future__ import annotations

from operator import is_

from targi_dsl.ir import expressions as e
from targi_dsl.ir.constants import YOU
from targi_dsl.ir.program import Program, with_expressions
from targi_dsl.ir.walk import Rewrite
from targi_dsl.optimize.rewrite import anywhere, depends_on_frame, everywhere, size, substituted

LARGEST = 30
"""The largest definition that is inlined, in expressions."""


def inline(program: Program) -> Program:
    """Inlines short definitions that bind nothing.

    >>> body = e.Arith("+", e.Local(1), e.Local(0))
    >>> substituted(body, (e.Local(0), e.Const(3)))
    Arith(op='+', left=Const(value=3), right=Local(slot=0))
    """
    for _ in range(3):  # a definition may call another
        before, program = program, everywhere(program, _inlining(program))
        if all(map(is_, with_expressions(program), with_expressions(before))):
            break
    return program


def _inlining(program: Program) -> Rewrite:
    bodies = [define.value for define in program.defines]
    short = [not depends_on_frame(body) and size(body) <= LARGEST for body in bodies]
    own = [anywhere(body, _asks_for_you) for body in bodies]

    def rewrite(node: e.Expr) -> e.Expr:
        match node:
            case e.Call(define, arguments) if short[define]:
                if own[define] and arguments[0] != e.Local(YOU):
                    return node
                body: e.Expr = substituted(bodies[define], arguments)
                return body
            case _:
                return node

    return rewrite


def _asks_for_you(node: object) -> bool:
    return isinstance(node, e.Active | e.CanDo)
