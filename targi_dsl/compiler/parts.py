"""Parts common to several statements: nested blocks, bound names, prohibitions."""

from __future__ import annotations

from targi_dsl.compiler import abilities
from targi_dsl.compiler.context import Context, Frame
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


def bound(ctx: Context, frame: Frame, word: n.Word, type_: t.Type) -> int:
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
