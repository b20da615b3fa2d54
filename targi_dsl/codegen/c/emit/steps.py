"""Steps from all elements of a mask at once, by shifts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from math import prod
from typing import TypeVar

from targi_dsl.codegen.c.emit.shapes import Shape
from targi_dsl.ir import expressions as e
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.expressions import COMPARISONS

MOST = 8  # distances; with more, visiting elements one by one is faster
Values = Sequence[tuple[int, ...]]
Known = Mapping[int, int]
Entry = TypeVar("Entry")


def values(node: e.Expr, slot: int, known: Known, room: int) -> Values | None:
    """The sets that an expression yields for each number in a slot; None if it depends on more."""
    found = [value(node, {**known, slot: x}) for x in range(room)]
    sets = [one for one in found if isinstance(one, tuple)]
    return sets if len(sets) == room else None


def integer(node: e.Expr, known: Known) -> int | None:
    """The value of a number that depends on known slots only; else None."""
    found = value(node, known)
    return found if isinstance(found, int) else None


def value(node: e.Expr, known: Known) -> int | tuple[int, ...] | None:
    """The value of an expression whose slots are known; None if it depends on more."""
    match node:
        case e.Const(found):
            return found
        case e.Local(slot):
            return known.get(slot)
        case e.Table(entries, index):
            return _entry(entries, integer(index, known))
        case e.Pick(sets, index):
            return _entry(sets, integer(index, known))
        case e.MakeSet(items):
            members = _numbers(items, known)
            return None if members is None else tuple(sorted({*members} - {NOTHING}))
        case e.All(parts):
            every = _numbers(parts, known)
            return None if every is None else int(all(every))
        case e.Cond(condition, then, otherwise):
            holds = integer(condition, known)
            return None if holds is None else value(then if holds else otherwise, known)
        case e.Compare(op, left, right) if both := _numbers((left, right), known):
            return int(COMPARISONS[op].holds(*both))
        case e.Arith("+" | "*" as op, left, right) if both := _numbers((left, right), known):
            return sum(both) if op == "+" else prod(both)
        case _:
            return None


def _entry(entries: Sequence[Entry], index: int | None) -> Entry | None:
    if index is None:
        return None
    return entries[index] if 0 <= index < len(entries) - 1 else entries[-1]


def _numbers(nodes: Iterable[e.Expr], known: Known) -> list[int] | None:
    every = [integer(one, known) for one in nodes]
    found = [one for one in every if one is not None]
    return found if len(found) == len(every) else None


def steps(sets: Values, is_reversed: bool = False) -> dict[int, list[int]]:
    """The distances from the elements of a table to the members of their sets, and for each
    distance the elements it applies to; empty if there are too many distances.
    """
    found: dict[int, list[int]] = {}
    for x, members in enumerate(sets):
        for to in members:
            one, other = (to, x) if is_reversed else (x, to)
            found.setdefault(other - one, []).append(one)
    return found if len(found) <= MOST else {}


def longest(begins: Iterable[int], distance: int) -> int:
    """The greatest number of consecutive steps of a distance."""
    level, count = {*begins}, 0
    while level:
        level, count = {x + distance for x in level}.intersection(begins), count + 1
    return count


def fill(
    run: str, among: str, ends: str, most: int, name: str, further: Callable[[str, int], str]
) -> str:
    """Grows a mask by up to `most` steps within `among`, doubling each time: the Kogge-Stone fill
    of chess programs. ends: where a step can end; name: of the type; further: shifts a mask by a
    number of steps.
    """
    p, far = f"{run}_p", 1
    text = f"{{ {name} {p} = {name}_and({among}, {ends});"
    while far <= most:
        text += f" {run} = {name}_or({run}, {name}_and({p}, {further(run, far)}));"
        if 2 * far <= most:
            text += f" {p} = {name}_and({p}, {further(p, far)});"
        far *= 2
    return f"{text} }}"


def shifts(by: Mapping[int, list[int]], text: str, shape: Shape) -> list[str]:
    """For each distance, the mask that it leads to."""
    return [
        shape.shifted(f"{shape.name}_and({text}, {shape.constant(begins)})", distance)
        for distance, begins in sorted(by.items())
    ]


def image(by: Mapping[int, list[int]], text: str, shape: Shape) -> str:
    """The union of these masks."""
    return reduce(lambda one, other: f"{shape.name}_or({one}, {other})", shifts(by, text, shape))
