"""Lowers the layout of the table, and the look of things."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise, zip_longest
from typing import NamedTuple

from targi_dsl.compiler.layers.changes import keys
from targi_dsl.compiler.lowering import resources, spaces
from targi_dsl.compiler.lowering.context import Abandoned, Context, instead
from targi_dsl.compiler.symbols.table import Region, SymbolTable
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import Variable
from targi_dsl.ir.layout import Item, Items, PlayerPart, Table, places_of
from targi_dsl.ir.look import NO_SHAPE, SHAPES, Look
from targi_dsl.ir.origins import Origin
from targi_dsl.syntax import ast as n
from targi_dsl.text.structs import FrozenMap

MOST_CELLS = 10_000

Part = Table | Items | PlayerPart


def lower(ctx: Context) -> tuple[Part, ...]:
    """The parts of the layout, with what later modules add to the game. Without a layout, every
    region in the order of declaration.
    """
    if ("layout", "layout") not in ctx.declared:
        return _default_layout(ctx)
    node = ctx.node(n.Layout, "layout")
    parts: list[Part] = []
    for line in node.lines:
        with suppress(Abandoned):
            if isinstance(line, n.LayoutPlayers):
                lines = [one for one in line.lines if not isinstance(one, n.LayoutPlayers)]
                for player, name in enumerate(ctx.symbols.players):
                    inner = tuple(_line(ctx, one, player) for one in lines)
                    parts.append(PlayerPart(name, inner))
            else:
                parts.append(_line(ctx, line, NOTHING))
    return _with_added(ctx, parts)


def _with_added(ctx: Context, parts: list[Part]) -> tuple[Part, ...]:
    """The layout with what is declared by modules that do not extend it and not shown yet:
    resources, pools, regions, variables with a wording; and spaces by which they extend shown
    regions. What they replace stays shown or hidden as before.
    """
    knowing = {one.module for one in ctx.declared["layout", "layout"].origins}
    added = [one.node for one in ctx.declared.values() if one.origins[0].module not in knowing]
    new = [one.node for one in ctx.declared.values() if one.origins[-1].module not in knowing]
    names, shown = {name for node in new for _, name in keys(node)}, {*places_of(parts)}
    changed, all_ = (
        {name for node in added for _, name in keys(node)},
        ctx.symbols.regions.values(),
    )
    changed = {one.name for one in all_ if not changed.isdisjoint((one.name, one.values))}
    names |= {name for name in changed if _is_shown_in_part(ctx, name, shown)}
    regions = [one for one in all_ if one.name in names]
    of_all = [one for one in regions if not one.owned]
    shared = [*_unseen(ctx, of_all, 0, shown), *_amounts(ctx, added, NOTHING)]
    found = []
    for part in parts:
        if isinstance(part, PlayerPart):
            player = ctx.symbols.players.index(part.player)
            own = _unseen(ctx, [one for one in regions if one.owned], player, shown)
            lines = _with_resources(ctx, part.parts, added)
            amounts = _amounts(ctx, added, player)
            part = PlayerPart(part.player, (*lines, *own, *amounts))
        found.append(part)
    at = next((i for i, one in enumerate(found) if isinstance(one, PlayerPart)), len(found))
    return (*found[:at], *shared, *found[at:])


def _amounts(ctx: Context, added: list[n.Component], player: int) -> list[Items]:
    """A line of the pools and worded variables that modules have added, for a player or for the
    table.
    """
    each = None if player == NOTHING else t.Player()
    items = list[Item]()
    for node in added:
        match node:
            case n.Pool(n.Word(name)) if each is None:
                items += _pool(ctx, name)
            case n.Variable(n.Word(name), wording=n.Wording()):
                one = ctx.tables.variables.get(name)
                if one is not None and one.each == each:
                    items.append(_value(ctx, one, player))
    return [Items(tuple(items))] if items else []


def _is_shown_in_part(ctx: Context, name: str, shown: set[str]) -> bool:
    """Whether the layout shows any space of a region."""
    region = ctx.symbols.regions.get(name)
    return region is not None and any(
        not shown.isdisjoint(_places(ctx, region, player).of) for player in ctx.symbols.seats
    )


def _unseen(
    ctx: Context, regions: list[Region], player: int, shown: set[str]
) -> list[Table | Items]:
    """Tables of spaces that are not shown yet, and a line of such zones."""
    places, zones, tables = ctx.symbols.places, list[Item](), list[Table]()
    for one in regions:
        left = [at for at in one.of_player(player) if places[at].name not in shown]
        if left and one.is_zone:
            zones.append(_places(ctx, one, player))
        elif left:
            tables.append(_table(ctx, one, player) if len(left) == one.size else _rows(ctx, [left]))
    return [*[Items(tuple(zones))] * bool(zones), *tables]


def _with_resources(
    ctx: Context, lines: tuple[Table | Items, ...], added: list[n.Component]
) -> tuple[Table | Items, ...]:
    """The lines of a player, with added resources after those already there."""
    every, shown, last = ctx.symbols.resources, set[str](), None
    for line in lines:
        items = line.items if isinstance(line, Items) else ()
        held = {of for one in items if one.what == "resource" for of in one.of}
        shown, last = shown | held, line if held else last
    new = [
        Item(word.text, "resource", (word.text,))
        for node in added
        if isinstance(node, n.Resources) and _is_shown_with(node, shown)
        for word in node.names
        if word.text in every and word.text not in shown
    ]
    if not isinstance(last, Items) or not new:
        return lines
    at = lines.index(last)
    return (*lines[:at], Items((*last.items, *new)), *lines[at + 1 :])


def _is_shown_with(node: n.Resources, shown: set[str]) -> bool:
    """Whether added resources belong in a line with these: players hold them, and a group is only
    shown if one of its resources is.
    """
    return not node.on if node.group is None else any(one.text in shown for one in node.names)


def _default_layout(ctx: Context) -> tuple[Part, ...]:
    symbols = ctx.symbols
    by_sort: dict[tuple[bool, bool], list[Region]] = defaultdict(list)
    names = *ctx.names_of("space"), *ctx.names_of("zone")  # not where undrawn cards lie
    for region in (symbols.regions[name] for name in names if name in symbols.regions):
        by_sort[region.is_zone, region.owned].append(region)
    parts: list[Part] = [_table(ctx, region, 0) for region in _with_tables(by_sort[False, False])]
    zones = (_places(ctx, region, 0) for region in by_sort[True, False])
    pools = (item for name in ctx.names_of("pool") for item in _pool(ctx, name))
    if shared := (*zones, *pools):
        parts.append(Items(shared))
    for player, seat in enumerate(symbols.players):
        items = [Item(name, "resource", (name,)) for name in symbols.resources]
        items += [_places(ctx, region, player) for region in by_sort[True, True]]
        tables = [_table(ctx, region, player) for region in _with_tables(by_sort[False, True])]
        parts.append(PlayerPart(seat, (Items(tuple(items)), *tables)))
    return tuple(parts)


def _with_tables(regions: list[Region]) -> list[Region]:
    """The regions that get a table of their own; edges and corners are drawn with their grid."""
    grids = {one.of for one in regions if one.shape == "edges"}
    whole = [one for one in regions if one.shape == "edges" or one.is_block]
    return [one for one in regions if one in whole or (one.of or one.name) not in grids]


def _lattice(ctx: Context, edges: Region, player: int) -> Table:
    """A table of a grid with its edges and corners, as far as they are spaces of the game."""
    own = (one for one in ctx.symbols.regions.values() if (one.of or one.name) == edges.of)
    place_at = {
        point: place
        for one in (*own, edges)
        for number, place in enumerate(() if one.is_block else _places(ctx, one, player).of)
        for point in one.points(number)
    }
    ys, xs = range(2 * edges.rows + 1), range(2 * edges.columns + 1)
    return Table(tuple(tuple(place_at.get((y, x), "") for x in xs) for y in ys), is_lattice=True)


def _table(ctx: Context, region: Region, player: int) -> Table:
    if region.shape == "edges":
        return _lattice(ctx, region, player)
    places = region.of_player(player)
    rows = [places[row * region.columns : (row + 1) * region.columns] for row in range(region.rows)]
    every = ctx.symbols.regions.values()
    blocks = (one.block for one in every if one.is_block and one.of == region.name)
    return _rows(ctx, rows, region.shape == "hex", next(blocks, (0, 0)))


def _rows(
    ctx: Context,
    rows: Sequence[Sequence[int]],
    is_staggered: bool = False,
    blocks: tuple[int, int] = (0, 0),
) -> Table:
    """A table of places, with the pairs of neighbours that it places next to each other."""
    columns = zip_longest(*rows, fillvalue=NOTHING)
    lines = [[one for one in line if one != NOTHING] for line in (*rows, *columns)]
    pairs = (pair for line in lines for pair in pairwise(line))
    joined = {pair for pair in pairs if pair[1] in spaces.neighbours_of(ctx, pair[0])}
    name = [place.name for place in ctx.symbols.places]
    ids = tuple(tuple("" if one == NOTHING else name[one] for one in row) for row in rows)
    joins = sorted((name[one], name[other]) for one, other in joined)
    return Table(ids, is_staggered, tuple(joins), blocks=blocks)


def _places(ctx: Context, region: Region, player: int) -> Item:
    places = (ctx.symbols.places[at].name for at in region.of_player(player))
    return Item(region.name, "places", tuple(places))


def _value(ctx: Context, variable: Variable, player: int) -> Item:
    """The item of a variable, or of a player's."""
    each = ctx.symbols.players[player] if variable.each else ""
    return Item(variable.name, "variable", (variable.wording_key(each),))


def _line(ctx: Context, node: n.LayoutTable | n.LayoutItems, player: int) -> Table | Items:
    if isinstance(node, n.LayoutItems):
        items: list[Item] = []
        for one in node.items:
            with suppress(Abandoned):
                items += _items(ctx, one, player)
        return Items(tuple(items))
    if node.region is not None:
        region = _region(ctx, node.region, player)
        return _table(ctx, region, max(player, 0))
    cells = sum(len(row) for row in node.rows)
    if cells > MOST_CELLS:
        text = f"A table has at most {MOST_CELLS:,} cells; this one has {cells:,}."
        ctx.fail("E303", "too many cells", node.span, text)
    return _rows(ctx, [[_cell(ctx, cell, player) for cell in row] for row in node.rows])


def _region(ctx: Context, word: n.Word, player: int) -> Region:
    ctx.require_known(word.text)
    region = ctx.symbols.regions.get(word.text)
    if region is None or region.is_zone:
        text = "A table shows spaces of the board."
        ctx.fail_unknown("board part", word, text, ctx.symbols.boards())
    if region.owned and player == NOTHING:
        text = "Each player has one, so it belongs under `each player`."
        ctx.fail("E204", f"whose `{word.text}`?", word.span, text, "each player")
    return region


def _cell(ctx: Context, cell: n.LayoutCell, player: int) -> int:
    """The place in a cell; NOTHING if it is empty or in error."""
    if cell.region is not None and cell.element is not None:
        with suppress(Abandoned):
            region = _region(ctx, cell.region, player)
            return region.of_player(max(player, 0))[spaces.number_of(ctx, region, cell.element)]
    return NOTHING


def _items(ctx: Context, node: n.Expr, player: int) -> tuple[Item, ...]:
    """The items of an entry in a line; those of a pool or group are separate."""
    if isinstance(node, n.Name) and ctx.is_declared("pool", node.text):
        ctx.require_known(node.text)
        return _pool(ctx, node.text)
    item = _item(ctx, node, player)
    if item.what != "resource":
        return (item,)
    return tuple(Item(one, "resource", (one,)) for one in item.of)


def _pool(ctx: Context, name: str) -> tuple[Item, ...]:
    held = resources.in_pool(ctx, name)
    return tuple(
        Item(name if len(held) == 1 else one.name, "variable", (one.name,)) for one in held
    )


def _item(ctx: Context, node: n.Expr, player: int) -> Item:
    symbols = ctx.symbols
    span, own = node.span, not isinstance(node, n.Name)
    match node:
        case n.Your(name=n.Word(name)) | n.Name(name):
            pass
        case n.Of(name=n.Word(name), index=None, subject=n.Keyword("you")):
            pass
        case n.Of(name=n.Word(name), index=None):
            text = "What each player has is shown below `each player`:"
            ctx.fail("E317", "this cannot be shown", span, text, f"line your {name}")
        case _:
            text = (
                "A line can show anything with a name: `your coins`, a zone, a variable, a piece."
            )
            ctx.fail("E317", "this cannot be shown", span, text)
    ctx.require_known(name)
    variable = ctx.tables.variables.get(name)
    if variable is not None and isinstance(variable.each, t.Card | t.Value):
        text = f"Each {variable.each.name} has one; a line shows none of them."
        ctx.fail("E204", f"which `{name}`?", span, text)
    if own and player == NOTHING:
        text = "What is yours belongs under `each player`."
        ctx.fail("E204", f"whose `{name}`?", span, text, "each player")
    who = player if own else 0
    if own and name in symbols.resources:
        return Item(name, "resource", (name,))
    if own and name in symbols.groups:
        members = (symbols.resources[one] for one in symbols.groups[name])
        return Item(name, "resource", tuple(members))
    if name in symbols.regions and symbols.regions[name].owned == own:
        return _places(ctx, symbols.regions[name], who)
    if name in symbols.piece_kinds and bool(symbols.piece_kinds[name].per_player) == own:
        kind = symbols.piece_kinds[name]
        ids = kind.of_player(who) if own else kind.ids
        return Item(name, "pieces", tuple(symbols.pieces[one].name for one in ids))
    if variable is not None and variable.each == (t.Player() if own else None):
        return _value(ctx, variable, who)
    known = [
        *symbols.resources, *symbols.groups, *symbols.regions, *symbols.piece_kinds,
        *ctx.tables.variables,
    ]  # fmt: skip
    if name in known:
        text = f"`{name}` belongs to no player." if own else "Each player has one."
        if variable is not None and isinstance(variable.each, t.Place):
            text = "Each space has one, which a table of these spaces shows."
            ctx.fail("E204", f"whose `{name}`?", span, text)
        ctx.fail("E204", f"whose `{name}`?", span, text, instead(name if own else f"your {name}"))
    text = "Nothing with that name can be shown here."
    ctx.fail_unknown("name", n.Word(name, span=span), text, known)


# ---- the look of named things ----


_LONGEST = {"symbol": 2, "letter": 1}
"""The most characters of a mark; some symbols take two."""


class _Sort(NamedTuple):
    """What messages call a sort of thing, and the traits that its look can have."""

    called: str
    traits: tuple[str, ...]


_TOKEN = ("symbol", "letter", "colour", "shape")


def look(ctx: Context, gone: Mapping[str, Origin]) -> FrozenMap[Look]:
    """The look of things, by name. Lines about names that another module has removed are
    skipped.
    """
    if not ctx.is_declared("look", "look"):
        return FrozenMap()
    known, found = _things(ctx.symbols), dict[str, Look]()
    for line in ctx.node(n.Look, "look").lines:
        name = line.name.text
        removal = gone.get(name) if name not in known else None
        if removal is not None and removal.module != ctx.module_of(line.span):
            continue
        with suppress(Abandoned):
            look = _look(ctx, known, line)
            if name in found:
                title = f"`{name}` appears twice in one look"
                text = "Write everything about its look on one line."
                ctx.fail("E202", title, line.name.span, text)
            found[name] = look
    return FrozenMap(found)


def _things(symbols: SymbolTable) -> dict[str, _Sort]:
    zones = [name for name, one in symbols.regions.items() if one.is_zone]
    values = [name for members in symbols.values.values() for name in members]
    return {
        **dict.fromkeys(symbols.players, _Sort("player", ("symbol", "letter", "colour"))),
        **dict.fromkeys(symbols.resources, _Sort("resource", _TOKEN)),
        **dict.fromkeys(values, _Sort("value", _TOKEN)),
        **dict.fromkeys(symbols.piece_kinds, _Sort("piece", _TOKEN)),
        **dict.fromkeys(symbols.boards(), _Sort("space", ("colour", "shape"))),
        **dict.fromkeys(zones, _Sort("zone", ("colour",))),
        **dict.fromkeys(symbols.kinds, _Sort("kind of card", ("symbol", "colour", "shows"))),
    }


def _look(ctx: Context, known: dict[str, _Sort], line: n.LookLine) -> Look:
    name = line.name
    text = "A look belongs to a player, resource, value, piece, space, zone or kind of card."
    if name.text in ctx.symbols.spaces:
        of = ctx.symbols.spaces[name.text][0]
        title, text = f"`{name.text}` has no look of its own", "All these spaces look alike:"
        ctx.fail("E201", title, name.span, text, instead(of))
    ctx.require("name", name, text, known)
    given = {one.what: one for one in line.traits}
    for again in (one for one in line.traits if given[one.what] is not one):
        text = f"A thing has one `{again.what}`."
        ctx.fail("E112", f"`{again.what}` is given twice", again.span, text)
    for trait in line.traits:
        _check(ctx, known[name.text], trait)
    symbol, letter, colour, outline = (
        given[one].said.strip('"') if one in given else "" for one in _TOKEN
    )
    shape = next((one for one in SHAPES if one == outline), NO_SHAPE)
    shown = given["shows"].fields if "shows" in given else ()
    return Look(symbol, letter, colour, shape, tuple(_field(ctx, name.text, one) for one in shown))


def _check(ctx: Context, sort: _Sort, trait: n.LookTrait) -> None:
    if trait.what not in sort.traits:
        title = f"a {sort.called} has no `{trait.what}`"
        text = f"The look of a {sort.called} can have: {', '.join(sort.traits)}."
        ctx.fail("E337", title, trait.span, text)
    mark, most = trait.said[1:-1], _LONGEST.get(trait.what, 0)
    if most and (not mark.strip() or len(mark) > most or not mark.isprintable()):
        characters = "one character" if most == 1 else f"one or {most} characters"
        ctx.fail("E337", "the mark has the wrong length", trait.span, f"It is {characters} long.")


def _field(ctx: Context, kind: str, word: n.Word) -> str:
    fields = ctx.symbols.kinds[kind]
    ctx.require("field", word, f"A {kind} has: {', '.join(fields)}.", fields)
    return word.text
