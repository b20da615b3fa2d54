"""Warns where a space must be free to which a piece is then moved, and there may be none (W952)."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.compiler.lints.asked import named
from targi_dsl.compiler.lowering.abilities import all_trees
from targi_dsl.compiler.lowering.context import Compilation
from targi_dsl.compiler.symbols.table import DIRECTIONS, GRIDS
from targi_dsl.ir import types as t
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.source import Span

_Shape = tuple[str, ...]
"""The steps of `next of next of s`, and the region of s."""


def off_the_board(game: Compilation) -> Iterator[Problem]:
    """`choose s in place of your man where no man on next of s` and `move M to next of s`, if
    nothing in the game asks in another way where such a step leads, or where it begins, as by a set
    of spaces.
    """
    trees = all_trees(game.context)
    free = [one for tree in trees for one in _free(game, tree)]
    if not free:
        return
    moved, harmless, asked = dict[_Shape, Span](), set[Span](), set[str]()
    asked |= {one.region.text for _, one in game.context.nodes(n.SpaceSet)}
    for tree in trees:
        lets = {one.name.text: one.value for one in tree.every(n.Let)}
        harmless |= {one.span for one in lets.values()}
        moves: list[n.Move | n.Place] = [*tree.every(n.Move), *tree.every(n.Place)]
        for step in moves:
            to = lets.get(step.space.text) if isinstance(step.space, n.Name) else step.space
            harmless |= {step.space.span}
            if to is not None and (shape := _shape(game, to)):
                moved.setdefault(shape, step.span)
        if not (isinstance(tree, n.Rule) and tree.name.text == "setup"):
            tests: list[n.Binary | n.Unary] = [*tree.every(n.Binary), *tree.every(n.Unary)]
            asked |= {one for test in tests for one in _compared(game, test)}
    steps = [one for tree in trees for one in tree.every(n.Of) if _shape(game, one)]
    harmless |= {places.span for _, places in free} | {one.subject.span for one in steps}
    others = {_shape(game, one) for one in steps if one.span not in harmless}
    for test, places in free:
        shape = _shape(game, places)
        if shape in moved and shape not in others and shape[-1] not in asked:
            to_it = places.span.text
            title = f"this also holds where there is no `{to_it}`"
            text = "A piece is then moved beyond the edge, which is an error (E611). Write:"
            hint = f"{to_it} is not nothing and {test.span.text}"
            labels = (Label(moved[shape], "here it is moved"),)
            yield Problem("W952", title, test.span, text, hint, labels).with_edit()


def _free(game: Compilation, tree: n.Node) -> Iterator[tuple[n.Unary, n.Of]]:
    """The conditions `no man on next of s` of sets of spaces or directions, each with the space."""
    sets: list[n.Those | n.Choose] = [*tree.every(n.Those), *tree.every(n.Choose)]
    for one in sets:
        joined = one.condition if isinstance(one.condition, n.Logic) else None
        for part in joined.parts if joined and joined.op == "and" else (one.condition,):
            match part:
                case n.Unary("no", n.On(things, n.Of() as places)) if (
                    named(things) in game.symbols.piece_kinds
                    and one.name.text in places.span.text.split()
                    and _shape(game, places)
                    and _is_whole(game, one.within)
                ):
                    yield part, places


def _is_whole(game: Compilation, within: n.Expr) -> bool:
    """Whether a set is all spaces of a region, those of pieces, or directions."""
    match within:
        case n.Name(name):
            define = dict(game.context.nodes(n.Define)).get(name)
            return name in game.symbols.regions or (
                define is not None and _is_whole(game, define.value)
            )
        case n.Of(n.Word("place" | "directions"), None):
            return True
        case _:
            return False


def _shape(game: Compilation, node: n.Expr) -> _Shape:
    """The shape of steps that can lead beyond the edge; () of anything else."""
    facts, steps = game.context.facts, list[str]()
    while isinstance(node, n.Of) and node.index is None:
        name = node.name
        if name.span not in facts.locals and name.text not in ("next", "previous", *DIRECTIONS):
            return ()
        steps.append("" if name.span in facts.locals else name.text)
        node = node.subject
    region = _region(game, node)
    return (*steps, region) if region and steps not in ([], [""]) else ()


def _region(game: Compilation, node: n.Expr) -> str:
    """The region of a space with a name of its own, if it has an edge; otherwise ""."""
    type_ = game.context.facts.types.get(node.span)
    if not isinstance(node, n.Name) or not isinstance(type_, t.Place):
        return ""
    spaces = [one for one in game.symbols.regions.values() if not one.is_zone]
    regions = [one for one in spaces if type_.region in ("", one.name)]
    has_edge = len(regions) == 1 and regions[0].shape in ("row", *GRIDS)
    return regions[0].name if has_edge else ""


def _compared(game: Compilation, test: n.Binary | n.Unary) -> Iterator[str]:
    """The regions of the spaces, or their numbers, that a comparison is about."""
    for one in (test.left, test.right) if isinstance(test, n.Binary) else (test.operand,):
        if isinstance(one, n.Of) and one.name.text in ("number", "row", "column"):
            one = one.subject
        if region := _region(game, one):
            yield region
