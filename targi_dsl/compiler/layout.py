"""Lowers the layout of the table."""

from __future__ import annotations

from itertools import pairwise, zip_longest

from targi_dsl.compiler import holders, spaces
from targi_dsl.compiler.context import Context, Wrong
from targi_dsl.compiler.symbol_table import Region
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.layout import LayoutItem, LayoutLine, LayoutPlayer, LayoutTable
from targi_dsl.syntax import ast as n

MOST_CELLS = 10_000

Part = LayoutTable | LayoutLine | LayoutPlayer


def lower(ctx: Context) -> tuple[Part, ...]:
    """The parts of the layout; without one, every region and zone in order of declaration."""
    if ("layout", "layout") not in ctx.declared:
        return _plain(ctx)
    node = ctx.node("layout", "layout")
    assert isinstance(node, n.Layout)
    parts: list[Part] = []
    for line in node.lines:
        try:
            if isinstance(line, n.LayoutPlayers):
                for player in range(len(ctx.symbols.players)):
                    inner = tuple(
                        _line(ctx, one, player)
                        for one in line.lines
                        if not isinstance(one, n.LayoutPlayers)
                    )
                    parts.append(LayoutPlayer(player, inner))
            else:
                parts.append(_line(ctx, line, NOTHING))
        except Wrong:
            continue
    return tuple(parts)


def _plain(ctx: Context) -> tuple[Part, ...]:
    symbols = ctx.symbols
    parts: list[Part] = [
        _table(ctx, region, 0)
        for region in symbols.regions.values()
        if not region.owned and not region.is_zone
    ]
    zones = tuple(
        _places(region, 0)
        for region in symbols.regions.values()
        if region.is_zone and not region.owned
    )
    pools = (item for name in ctx.names_of("pool") for item in _pool(ctx, name))
    if shared := (*zones, *pools):
        parts.append(LayoutLine(shared))
    for player in range(len(symbols.players)):
        items = [LayoutItem(name, "resource", (i,)) for i, name in enumerate(symbols.resources)]
        items += [
            _places(region, player)
            for region in symbols.regions.values()
            if region.is_zone and region.owned
        ]
        tables = [
            _table(ctx, region, player)
            for region in symbols.regions.values()
            if not region.is_zone and region.owned
        ]
        parts.append(LayoutPlayer(player, (LayoutLine(tuple(items)), *tables)))
    return tuple(parts)


def _table(ctx: Context, region: Region, player: int) -> LayoutTable:
    places = region.of(player)
    rows = tuple(
        places[row * region.columns : (row + 1) * region.columns] for row in range(region.rows)
    )
    return LayoutTable(rows, region.shape == "hex", _joins(ctx, rows))


def _joins(ctx: Context, rows: tuple[tuple[int, ...], ...]) -> frozenset[tuple[int, int]]:
    """The pairs of neighbours that are adjacent in a row or a column."""
    columns = zip_longest(*rows, fillvalue=NOTHING)
    lines = [[one for one in line if one != NOTHING] for line in (*rows, *columns)]
    pairs = (pair for line in lines for pair in pairwise(line))
    return frozenset(pair for pair in pairs if pair[1] in spaces.joined(ctx, pair[0]))


def _places(region: Region, player: int) -> LayoutItem:
    return LayoutItem(region.name, "places", region.of(player))


def _line(
    ctx: Context, node: n.LayoutTable | n.LayoutItems, player: int
) -> LayoutTable | LayoutLine:
    if isinstance(node, n.LayoutItems):
        return LayoutLine(tuple(item for one in node.items for item in _items(ctx, one, player)))
    if node.region is not None:
        region = _region(ctx, node.region, player)
        return _table(ctx, region, max(player, 0))
    cells = sum(len(row) for row in node.rows)
    if cells > MOST_CELLS:
        text = f"A table has at most {MOST_CELLS:,} cells; this one has {cells:,}."
        ctx.fail("E303", "too many cells", node.span, text)
    rows = tuple(tuple(_cell(ctx, cell, player) for cell in row) for row in node.rows)
    return LayoutTable(rows, joins=_joins(ctx, rows))


def _region(ctx: Context, word: n.Word, player: int) -> Region:
    ctx.known(word.text)
    region = ctx.symbols.regions.get(word.text)
    if region is None or region.is_zone:
        known = [one.name for one in ctx.symbols.regions.values() if not one.is_zone]
        text = "A table shows spaces of the board."
        ctx.fail(
            "E201", f"unknown board part `{word.text}`", word.span, text, ctx.near(word.text, known)
        )
    if region.owned and player == NOTHING:
        text = "It belongs to the players, so it stands under `each player`."
        ctx.fail("E204", f"whose `{word.text}`?", word.span, text, "each player")
    return region


def _cell(ctx: Context, cell: n.LayoutCell, player: int) -> int:
    if cell.region is None or cell.element is None:
        return NOTHING
    region = _region(ctx, cell.region, player)
    return region.of(max(player, 0))[spaces.number_of(ctx, region, cell.element)]


def _is_you(node: n.Expr) -> bool:
    return isinstance(node, n.Keyword) and node.text == "you"


def _items(ctx: Context, node: n.Expr, player: int) -> tuple[LayoutItem, ...]:
    """What an entry of a line shows; for a pool, everything that it holds."""
    if isinstance(node, n.Name) and ctx.is_declared("pool", node.text):
        ctx.known(node.text)
        return _pool(ctx, node.text)
    return (_item(ctx, node, player),)


def _pool(ctx: Context, name: str) -> tuple[LayoutItem, ...]:
    held = holders.in_pool(ctx, name)
    return tuple(
        LayoutItem(name if len(held) == 1 else one.name, "variable", (one.base,)) for one in held
    )


def _item(ctx: Context, node: n.Expr, player: int) -> LayoutItem:
    symbols = ctx.symbols
    own = not isinstance(node, n.Name)
    if isinstance(node, n.Your) or (
        isinstance(node, n.Of) and node.index is None and _is_you(node.subject)
    ):
        name, span = node.name.text, node.span
    elif isinstance(node, n.Name):
        name, span = node.text, node.span
    else:
        text = "A line shows what has a name: `your coins`, a zone, a variable, a piece."
        ctx.fail("E317", "this cannot be shown", node.span, text)
    ctx.known(name)
    if own and player == NOTHING:
        ctx.fail(
            "E204",
            f"whose `{name}`?",
            span,
            "What is yours stands under `each player`.",
            "each player",
        )
    who = player if own else 0
    if own and name in symbols.resources:
        return LayoutItem(name, "resource", (symbols.resources.index(name),))
    if own and name in symbols.groups:
        return LayoutItem(name, "resource", symbols.groups[name])
    if name in symbols.regions and symbols.regions[name].owned == own:
        return _places(symbols.regions[name], who)
    if name in symbols.piece_kinds and bool(symbols.piece_kinds[name].per_player) == own:
        kind = symbols.piece_kinds[name]
        each = kind.per_player
        return LayoutItem(
            name, "pieces", kind.ids[who * each : (who + 1) * each] if own else kind.ids
        )
    variable = ctx.tables.variables.get(name)
    if variable is not None and variable.each == (t.Player() if own else None):
        return LayoutItem(name, "variable", (variable.base + (who if own else 0),))
    known = [
        *symbols.resources,
        *symbols.groups,
        *symbols.regions,
        *symbols.piece_kinds,
        *ctx.tables.variables,
    ]
    ctx.fail(
        "E201",
        f"unknown name `{name}`",
        span,
        "Nothing of that name can be shown here.",
        ctx.near(name, known),
    )
