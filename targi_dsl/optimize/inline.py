"""Short definitions, put where they are asked."""

from __future__ import annotations

from targi_dsl.ir import model as m
from targi_dsl.ir import program as p
from targi_dsl.optimize.rewrite import (
    Rewrite,
    anywhere,
    depends_on_frame,
    everywhere,
    size,
    substituted,
)

LARGEST = 30
"""The most parts of a definition that is put where it is asked."""


def inline(program: p.Program) -> p.Program:
    """Puts short definitions that bind nothing where they are asked.

    >>> body = m.Arith("+", m.Local(1), m.Local(0))
    >>> substituted(body, (m.Local(0), m.Const(3)))
    Arith(op='+', left=Const(value=3), right=Local(slot=0))
    """
    for _ in range(3):  # a definition may ask another
        program = everywhere(program, _inlining(program))
    return program


def _inlining(program: p.Program) -> Rewrite:
    bodies = [one.value for one in program.defines]
    short = [not depends_on_frame(body) and size(body) <= LARGEST for body in bodies]
    own = [anywhere(body, _asks_for_you) for body in bodies]

    def rewrite(node: m.Expr) -> m.Expr:
        match node:
            case m.Call(define, arguments) if short[define]:
                if own[define] and arguments[0] != m.Local(m.YOU):
                    return node
                body: m.Expr = substituted(bodies[define], arguments)
                return body
            case _:
                return node

    return rewrite


def _asks_for_you(node: object) -> bool:
    return isinstance(node, m.Active | m.CanDo)
