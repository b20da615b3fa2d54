"""Lowers the look of named things."""

from __future__ import annotations

from typing import NamedTuple

from targi_dsl.compiler.context import Context, Wrong
from targi_dsl.compiler.symbol_table import SymbolTable
from targi_dsl.ir.frozen import FrozenMap
from targi_dsl.ir.look import Look
from targi_dsl.syntax import ast as n

_LONGEST = {"symbol": 2, "letter": 1}
"""The most characters of a mark: some symbols take two."""


class _Sort(NamedTuple):
    """A kind of thing, and the parts that its look can have."""

    called: str
    traits: tuple[str, ...]


_TOKEN = ("symbol", "letter", "colour", "shape")


def lower(ctx: Context) -> FrozenMap[Look]:
    """The look of each thing that has a line, by its name."""
    if not ctx.is_declared("look", "look"):
        return FrozenMap()
    node = ctx.node("look", "look")
    assert isinstance(node, n.Look)
    known, found = _things(ctx.symbols), dict[str, Look]()
    for line in node.lines:
        try:
            look = _look(ctx, known, line)
            if line.name.text in found:
                text = "All that is said of its look stands on one line."
                ctx.fail("E202", f"`{line.name.text}` twice in one look", line.name.span, text)
            found[line.name.text] = look
        except Wrong:
            continue
    return FrozenMap(found)


def _things(symbols: SymbolTable) -> dict[str, _Sort]:
    spaces = [name for name, one in symbols.regions.items() if not one.is_zone]
    zones = [name for name, one in symbols.regions.items() if one.is_zone]
    values = [name for members in symbols.values.values() for name in members]
    return {
        **dict.fromkeys(symbols.players, _Sort("player", ("symbol", "letter", "colour"))),
        **dict.fromkeys(symbols.resources, _Sort("resource", _TOKEN)),
        **dict.fromkeys(values, _Sort("value", _TOKEN)),
        **dict.fromkeys(symbols.piece_kinds, _Sort("piece", _TOKEN)),
        **dict.fromkeys(spaces, _Sort("space", ("colour", "shape"))),
        **dict.fromkeys(zones, _Sort("zone", ("colour",))),
        **dict.fromkeys(symbols.kinds, _Sort("kind of card", ("symbol", "colour", "shows"))),
    }


def _look(ctx: Context, known: dict[str, _Sort], line: n.LookLine) -> Look:
    name = line.name
    ctx.known(name.text)
    if name.text not in known:
        text = "A look belongs to a player, resource, value, piece, space, zone or kind of card."
        near = ctx.near(name.text, known)
        ctx.fail("E201", f"unknown name `{name.text}`", name.span, text, near)
    said = {one.what: one for one in line.traits}
    for again in (one for one in line.traits if said[one.what] is not one):
        text = f"A thing has one `{again.what}`."
        ctx.fail("E112", f"`{again.what}` is said twice", again.span, text)
    for trait in line.traits:
        _check(ctx, known[name.text], trait)
    symbol, letter, colour, shape = (
        said[one].said.strip('"') if one in said else "" for one in _TOKEN
    )
    shown = said["shows"].fields if "shows" in said else ()
    return Look(symbol, letter, colour, shape, tuple(_field(ctx, name.text, one) for one in shown))


def _check(ctx: Context, sort: _Sort, trait: n.LookTrait) -> None:
    if trait.what not in sort.traits:
        title = f"a {sort.called} has no `{trait.what}`"
        text = f"The look of a {sort.called} may say: {', '.join(sort.traits)}."
        ctx.fail("E337", title, trait.span, text)
    mark, most = trait.said[1:-1], _LONGEST.get(trait.what, 0)
    if most and (not mark.strip() or len(mark) > most or not mark.isprintable()):
        characters = "one character" if most == 1 else f"one or {most} characters"
        ctx.fail("E337", "a mark of another length", trait.span, f"It is {characters} long.")


def _field(ctx: Context, kind: str, word: n.Word) -> str:
    ctx.known(word.text)
    fields = ctx.symbols.kinds[kind]
    if word.text not in fields:
        text = f"A {kind} has: {', '.join(fields)}."
        near = ctx.near(word.text, fields)
        ctx.fail("E201", f"unknown field `{word.text}`", word.span, text, near)
    return word.text
