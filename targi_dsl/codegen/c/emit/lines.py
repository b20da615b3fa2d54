"""Generates the search for the longest line of a set of places."""

from __future__ import annotations

from functools import reduce

from targi_dsl.codegen.c.emit.sets import Sets
from targi_dsl.codegen.c.emit.shapes import Shape
from targi_dsl.codegen.c.emit.steps import steps
from targi_dsl.codegen.c.emit.unit import Scope
from targi_dsl.ir import expressions as e
from targi_dsl.ir.constants import NOTHING


def longest_line(
    sets: Sets, ways: tuple[tuple[int, ...], ...], within: e.Expr, scope: Scope
) -> str:
    """The length of the longest line in a set of places."""
    s, r, x = (sets.unit.fresh(one) for one in ("s", "r", "x"))
    shape, head = sets.declare_counted(within, scope, s)
    name = shape.name
    if not ways:
        return sets.unit.call_of_new("int", f"{head} return {name}_any({s});", scope)
    along, end = shape.each(x, s)
    lines = []
    for way in ways:
        if by := _step(way, shape):
            lines.append(_shifted(*by, s, r, shape))
            continue
        table = sets.unit.numbers(way)
        starts, rest = f"{s}_b", f"{s}_l"
        first, first_end = shape.each(f"{x}_f", starts)
        again, again_end = shape.each(f"{x}_g", rest)
        follow = (
            "int {n} = 0; for (int {a} = {f}; {name}_has({rest}, {a}); {a} = {table}[{a}]) "
            "{{ {rest} = {name}_less({rest}, {one}); {n}++; }} if ({n} > {r}) {r} = {n};"
        )
        walks = [
            follow.format(
                n=f"{f}n", a=f"{f}a", f=f, name=name, rest=rest, table=table, r=r,
                one=f"{name}_one({f}a)",
            )
            for f in (f"{x}_f", f"{x}_g")
        ]  # fmt: skip
        lines.append(
            f"{{ {name} {starts} = {s}, {rest} = {s}; {along} int {x}_k = {table}[{x}]; "
            f"if ({x}_k >= 0) {starts} = {name}_less({starts}, {name}_one({x}_k)); {end} "
            f"{first} {walks[0]} {first_end} "
            f"{again} if (!{name}_has({rest}, {x}_g)) continue; {walks[1]} {again_end} }}"
        )
    return sets.unit.call_of_new("int", f"{head} int {r} = 0; {' '.join(lines)} return {r};", scope)


def line_of(
    sets: Sets, ways: tuple[tuple[int, ...], ...], within: e.Expr, number: int, scope: Scope
) -> str:
    """Whether so many places of a set are in a line; empty if a way's distance varies."""
    s, shape = sets.unit.fresh("s"), sets.unit.shape(within, scope.types)
    by = [one for one in (_step(way, shape) for way in ways) if one]
    if (
        number < 1
        or not by
        or len(by) < len(ways)
        or any(abs(one) * number > shape.room for _, one in by)
    ):
        return ""
    shape, head = sets.declare_counted(within, scope, s)
    found = [_ending(f"{s}_{at}_", number, *one, s, shape) for at, one in enumerate(by)]
    ends = reduce(lambda one, other: f"{shape.name}_or({one}, {other})", (one for _, one in found))
    body = " ".join(one for one, _ in found)
    return sets.unit.call_of_new("int", f"{head} {body} return {shape.name}_any({ends});", scope)


def _ending(
    k: str, number: int, begins: str, step: int, within: str, shape: Shape
) -> tuple[str, str]:
    """Where lines of so many places along a way end, by doubling their length."""
    name, text, long = shape.name, f"{shape.name} {k}1 = {within};", 1
    while long < number:
        more = min(long, number - long)
        before = shape.shifted(f"{name}_and({k}{more}, {begins})", step * long)
        text += f" {name} {k}{long + more} = {name}_and({k}{long}, {before});"
        long += more
    return text, f"{k}{number}"


def _step(way: tuple[int, ...], shape: Shape) -> tuple[str, int] | None:
    """The places from which a way continues, and its distance, if that is constant."""
    by = steps([() if to == NOTHING else (to,) for to in way])
    if len(by) != 1 or 0 in by or not shape.words:
        return None
    ((step, begins),) = by.items()
    return shape.constant(begins), step


def _shifted(begins: str, step: int, s: str, r: str, shape: Shape) -> str:
    """The longest line along a way of constant distance: all places of the set advance at once,
    until none leads to another.
    """
    name, k = shape.name, f"{s}_k"
    on = shape.shifted(f"{name}_and({k}, {begins})", step)
    return (
        f"{{ int {s}_n = 0; for ({name} {k} = {s}; {name}_any({k}); {k} = {name}_and({on}, {s})) "
        f"{s}_n++; if ({s}_n > {r}) {r} = {s}_n; }}"
    )
