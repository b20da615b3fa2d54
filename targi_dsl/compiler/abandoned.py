"""Unknown names under a line that was abandoned, so that they are reported with its fault."""

from __future__ import annotations

from targi_dsl.compiler import parts
from targi_dsl.compiler.context import Context, Frame
from targi_dsl.compiler.error_symbols import Unresolved
from targi_dsl.ir import types as t
from targi_dsl.syntax import ast as n

_BLOCKS = ("then", "body", "otherwise")


def look_under(ctx: Context, frame: Frame, head: n.Statement | n.Alternative) -> None:
    """Reports the unknown names in the blocks of a head that could not be understood. Everything
    else in them may be a consequence.
    """
    before = len(ctx.problems)
    with frame.scope():
        if isinstance(head, n.Each | n.Alternative) and head.name is not None:
            frame.bind(head.name, t.UNKNOWN)
        for field in set(_BLOCKS) & set(n.field_names(type(head))):
            below = getattr(head, field)
            parts.block(ctx, frame, below if isinstance(below, tuple) else ())
    ctx.problems[before:] = [one for one in ctx.problems[before:] if isinstance(one, Unresolved)]
