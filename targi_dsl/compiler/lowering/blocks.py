"""Parts common to several statements: nested blocks, bound names, prohibitions."""

from __future__ import annotations

from targi_dsl.compiler.layers.error_symbols import Unresolved
from targi_dsl.compiler.lowering import abilities
from targi_dsl.compiler.lowering.context import Context, Frame
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.origins import Origin
from targi_dsl.ir.wordings import Reason
from targi_dsl.syntax import ast as n
from targi_dsl.text.source import Span


def block(ctx: Context, frame: Frame, body: n.Block) -> s.Block:
    """A block inside a statement."""
    return ctx.recursion.block(ctx, frame, body)


def bind_name(ctx: Context, frame: Frame, word: n.Word, type_: t.Type) -> int:
    """A slot for a name that a statement binds; it must not be the name of a resource, which
    amounts use.
    """
    if word.text in ctx.symbols.resources:
        text = "This would hide the resource of that name. Choose another name, for example:"
        ctx.report("E212", f"`{word.text}` is a resource", word.span, text, f"some_{word.text}")
    return frame.bind(word, type_)


def forbid(
    ctx: Context,
    frame: Frame,
    name: str,
    holds: e.Expr,
    reason: Reason,
    span: Span,
    condition: str = "",
) -> s.Forbid:
    """A prohibition with its permissions and, if the rules state it, its condition as written."""
    permits = abilities.permits(ctx, frame, name)
    origin = Origin(ctx.module_of(span), span)
    info = d.ForbidInfo(name, frame.rule, reason, permits, (origin,), condition)
    ctx.tables.forbids.append(info)
    return s.Forbid(len(ctx.tables.forbids) - 1, holds).at(span)


_BLOCKS = ("then", "body", "otherwise")


def report_names_under(ctx: Context, frame: Frame, head: n.Statement | n.Alternative) -> None:
    """Reports the unknown names in the blocks of a head that could not be understood. Everything
    else in them may be a consequence.
    """
    before = len(ctx.problems)
    with frame.scope():
        if isinstance(head, n.Each | n.Alternative) and head.name is not None:
            frame.bind(head.name, t.UNKNOWN)
        for field in set(_BLOCKS) & set(n.field_names(type(head))):
            below = getattr(head, field)
            block(ctx, frame, below if isinstance(below, tuple) else ())
    ctx.problems[before:] = [one for one in ctx.problems[before:] if isinstance(one, Unresolved)]
