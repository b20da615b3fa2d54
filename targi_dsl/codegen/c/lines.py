"""Generates the search for the longest line of a set of places."""

from __future__ import annotations

from targi_dsl.codegen.c.sets import Sets
from targi_dsl.codegen.c.shapes import WORD, Shape
from targi_dsl.codegen.c.unit import Scope
from targi_dsl.ir import expressions as e
from targi_dsl.ir.constants import NOTHING


def longest_line(
    sets: Sets, ways: tuple[tuple[int, ...], ...], within: e.Expr, scope: Scope
) -> str:
    """The length of the longest line in a set of places."""
    s, r, x = (sets.unit.fresh(one) for one in ("s", "r", "x"))
    shape, head = sets.counted(within, scope, s)
    name = shape.name
    if not ways:
        return sets.unit.lifted("int", f"{head} return {name}_any({s});", scope)
    along, end = shape.each(x, s)
    lines = []
    for way in ways:
        step = _step(way)
        if 0 < abs(step) < WORD and shape.words == 1:
            lines.append(_shifted(way, step, s, r, shape))
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
    return sets.unit.lifted("int", f"{head} int {r} = 0; {' '.join(lines)} return {r};", scope)


def _step(way: tuple[int, ...]) -> int:
    """The constant step of a way over all places from which it continues; 0 if the step varies."""
    steps = {to - place for place, to in enumerate(way) if to != NOTHING}
    return steps.pop() if len(steps) == 1 else 0


def _shifted(way: tuple[int, ...], step: int, s: str, r: str, shape: Shape) -> str:
    """The longest line along a way with a constant step: all places of the set are advanced at
    once, as long as any of them leads to another.
    """
    going_on = shape.constant([place for place, to in enumerate(way) if to != NOTHING])
    shift = f"<< {step}" if step > 0 else f">> {-step}"
    after = f"{s}_k = ({s}_k & {going_on}) {shift} & {s}"
    return f"{{ int {s}_n = 0; for (mask1 {s}_k = {s}; {s}_k; {after}) {s}_n++; " + (
        f"if ({s}_n > {r}) {r} = {s}_n; }}"
    )
