"""Lowers definitions, with the abilities that override them, on first use."""

from __future__ import annotations

from contextlib import suppress

from targi_dsl.compiler.layers import declarations
from targi_dsl.compiler.layers.changes import Effective
from targi_dsl.compiler.lowering import abilities, calls, fitting
from targi_dsl.compiler.lowering.context import Abandoned, Context, Frame
from targi_dsl.compiler.symbols.types import describe
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Span

DEEPEST = 32
"""How deeply definitions may be nested, since the engine evaluates them recursively."""


def lower_definitions(ctx: Context) -> None:
    """Lowers all definitions, including unused ones."""
    for name in ctx.names_of("define"):
        with suppress(Abandoned):
            define_number(ctx, name, None)


def define_number(ctx: Context, name: str, span: Span | None) -> tuple[int, t.Type]:
    """The number and type of a definition; reports one that depends on itself."""
    tables = ctx.tables
    key = f"define {name}"
    if key in ctx.in_progress:
        ctx.fail("E310", f"`{name}` needs itself", span, "Evaluating it would never end.")
    if name in tables.define_numbers:
        done = tables.defines[tables.define_numbers[name]]
        if done is None:
            raise Abandoned
        return tables.define_numbers[name], done.type
    if len(ctx.in_progress) >= DEEPEST:
        text = f"Definitions may use each other at most {DEEPEST} deep."
        ctx.fail("E323", f"`{name}` is nested too deeply", span, text)
    number = tables.define_numbers[name] = len(tables.defines)
    tables.defines.append(None)
    ctx.in_progress.append(key)
    try:
        done = tables.defines[number] = _lower(ctx, ctx.declared["define", name])
    finally:
        ctx.in_progress.remove(key)
    return number, done.type


def _lower(ctx: Context, effective: Effective) -> d.DefineInfo:
    node = effective.node
    assert isinstance(node, n.Define)
    name = node.name.text
    frame = Frame(name)
    for param in node.params:
        frame.bind(param.name, calls.param_type(ctx, param))
    value, type_ = fitting.lower(ctx, frame, node.value)
    for change in abilities.overrides(ctx, name):
        frame.this = change.this
        with suppress(Abandoned):
            value = _with_override(ctx, frame, value, type_, change)
        _warn_if_lowered(ctx, effective, node, change)
    frame.this = None
    return d.DefineInfo(name, tuple(frame.slots), value, type_, effective.origins)


def _warn_if_lowered(
    ctx: Context, effective: Effective, node: n.Define, change: abilities.Override
) -> None:
    """Reports W906 if a module has raised a number so far that a card which sets it now
    lowers it.
    """
    body, origins = change.body, effective.origins
    match node.value, body.value:
        case n.Number(value=made), n.Number(value=to) if not body.by and to < made:
            pass
        case _:
            return
    match declarations.effective(origins[-1:]):
        case n.Define(value=n.Number(was)) if was < to and origins[0].how == "replaced":
            pass
        case _:
            return
    name, module = node.name.text, origins[0].module
    text = f"Module {module} has made it {made}, so the card now lowers it. Write:"
    title, hint = f"this lowers `{name}`", f"{name} becomes {to - was} more"
    ctx.warn(Problem("W906", title, body.span, text, hint, "warning"))


def _with_override(
    ctx: Context, frame: Frame, value: e.Expr, type_: t.Type, change: abilities.Override
) -> e.Expr:
    """The value of a definition with one more ability that overrides it."""
    body = change.body
    _refuse_itself(ctx, body)
    ctx.require_types(type_)
    if body.by and not isinstance(type_, t.Number):
        text = f"`{body.define.text}` is {describe(type_)}, and only a number can become {body.by}."
        ctx.fail("E301", "this is not a number", body.define.span, text)
    other, other_type = fitting.lower(ctx, frame, body.value, type_)
    other = fitting.fit(ctx, other, other_type, type_, body.value.span)
    parts: tuple[e.Expr, ...] = (e.Active(change.ability),)
    if body.condition is not None:
        parts += (fitting.truth(ctx, frame, body.condition),)
    if body.by:
        change_by = e.Cond(e.All(parts), other, e.Const(0))
        return e.Arith("+" if body.by == "more" else "-", value, change_by)
    return e.Cond(e.All(parts), other, value)


def _refuse_itself(ctx: Context, body: n.Becomes) -> None:
    """Refuses `limit becomes limit + 1`, which refers to the value that it changes."""
    name = body.define.text
    if not any(isinstance(one, n.Name) and one.text == name for one in body.value.walk()):
        return
    hint = ""
    match body.value:
        case n.Binary(op="+" | "-" as op, left=n.Name(text=left), right=right) if left == name:
            hint = f"{name} becomes {right.span.text} {'more' if op == '+' else 'less'}"
    text = "It is changed by adding to its former value, or subtracting from it."
    ctx.fail("E310", f"`{name}` needs itself", body.value.span, text, hint)
