"""Lowers spaces: by name, number and direction; relations, reachability and lines."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import NoReturn

from targi_dsl.compiler.lowering import coercion
from targi_dsl.compiler.lowering.context import Context, instead
from targi_dsl.compiler.symbols.table import DIRECTIONS, Point, Region, Typed, describe
from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.syntax import ast as n
from targi_dsl.text.source import Span

_HEX = {
    "left": (0, -1), "right": (0, 1), "upper_left": (-1, 0), "upper_right": (-1, 1),
    "lower_left": (1, -1), "lower_right": (1, 0),
}  # fmt: skip
"""Steps in axial coordinates: each row is shifted half a space to the right of the one above it."""
_SIDES = ("left", "right", "above", "below")
_ONWARDS = ("right", "below", "lower_left", "lower_right")
"""The directions of straight lines in a grid."""
_NUMBERED = ("row", "column", "space", "card")
_NEAR = ("neighbours", "next", "previous", *DIRECTIONS)
TRAITS = (*_NEAR, "directions", "row", "column", "number")
"""What can be asked of any space of a grid."""


def _ways(region: Region) -> Mapping[str, tuple[int, int]]:
    """The directions of a region, with their steps in rows and columns."""
    if not region.is_grid:
        return {}
    return _HEX if region.shape == "hex" else DIRECTIONS


def _around(region: Region) -> tuple[str, ...]:
    """The directions, or steps along a line, that lead to the neighbours of a space."""
    match region.shape:
        case "grid" | "corners":
            return _SIDES
        case "ring" | "row" | "edges":
            return ("next", "previous")
        case _:
            return tuple(_ways(region))


def by_name(ctx: Context, node: n.SpaceByName) -> Typed:
    """A space by region and number or label: `border 15`, `board a1`."""
    name = node.region.text
    ctx.require_known(name)
    region = ctx.symbols.regions.get(name)
    if region is None and name == "between":
        text = "To ask whether a number lies in a range, give its ends:"
        ctx.fail("E201", "unknown word `between`", node.region.span, text, "is in 1..3")
    if name == "space":
        text = "A number that is worked out stands in parentheses: `space (2 * n - 1) of track`."
        ctx.fail("E201", f"`space {node.element.text}` of what?", node.span, text)
    if region is None or region.is_zone:
        text = "Name a space by its part of the board and its number."
        ctx.fail_unknown("board part", node.region, text, ctx.symbols.boards())
    if region.owned:
        text = f"Every player has a {name}; `{name} of p` is the one of player p."
        hint = instead(f"{name} {node.element.text} of you")
        ctx.fail("E204", f"whose `{name}`?", node.span, text, hint)
    return e.Const(region.base + number_of(ctx, region, node.element)), t.Place(name)


def number_of(ctx: Context, region: Region, element: n.Word) -> int:
    """The index of the space with this label."""
    names = region.labels()
    if element.text not in names:
        text = f"Its spaces are {region.extent}."
        title = f"`{region.name}` has no space `{element.text}`"
        hint = "" if element.text.isdecimal() else ctx.near(element, names)
        ctx.fail("E205", title, element.span, text, hint)
    return names.index(element.text)


def of_space(
    ctx: Context, word: n.Word, subject: e.Expr, type_: t.Place, is_set: bool
) -> Typed | None:
    """`NAME of SPACE`: a relation, a direction, or a property of spaces; None if it is nothing of
    that.
    """
    name, places = word.text, ctx.symbols.places
    if name in ctx.symbols.relations:
        related = ctx.symbols.relations[name]
        sets = tuple(related.get(place, ()) for place in range(len(places)))
        return _relation(sets, subject, is_set)
    if name in ctx.symbols.boards():
        found = _touching(ctx, ctx.symbols.regions[name], subject, type_, is_set)
        if found is not None:
            return found
    if name in _NEAR:
        _require_direction(ctx, word, type_)
        sets = _near(ctx, name)
        if name == "neighbours" or is_set:
            return _relation(sets, subject, is_set)
        ones = tuple(near[0] if near else NOTHING for near in sets)
        return e.Table((*ones, NOTHING), subject), type_
    if name == "directions" and not is_set:
        return _directions(ctx, subject)
    if (local := ctx.frame.local(name)) is not None and local[1] == t.DIRECTION:
        return _towards(ctx, local[0], subject, type_, is_set)
    numbers = {
        "row": [place.row for place in places],
        "column": [place.column for place in places],
        "number": [place.number + 1 for place in places],
    }
    if name in numbers and not is_set:
        return e.Table((*numbers[name], 0), subject), t.NUMBER
    regions = ctx.symbols.regions.values()
    near = [one.name for one in regions if one.values == name and not one.is_zone]
    if near and type_.region in ("", *near) and not (is_set or type_.is_zone):
        values = (place.number if place.region in near else NOTHING for place in places)
        return e.Table((*values, NOTHING), subject), t.Value(name)
    if name == "owner" and not is_set:
        return e.Table((*(place.owner for place in places), NOTHING), subject), t.PLAYER
    return None


def _touching(
    ctx: Context, region: Region, subject: e.Expr, type_: t.Place, is_set: bool
) -> Typed | None:
    """`REGION of SPACE`: the spaces of a region that touch a space of the same grid, where both are
    cells, edges, corners, or blocks of cells. A block touches the cells in it.
    """
    others = [
        one
        for one in ctx.symbols.regions.values()
        if one != region
        and (one.of or one.name) == (region.of or region.name)
        and (not (one.is_block or region.is_block) or "" in (one.of, region.of))
        and type_.region in ("", one.name)
    ]
    if not others:
        return None
    found = dict[int, tuple[int, ...]]()
    for owner, _ in ctx.symbols.owners(region.owned):
        at = dict[Point, int]()
        for number, place in enumerate(region.of_player(owner)):
            at |= dict.fromkeys(region.points(number), place)
        for one in others:
            is_inside = one.is_block or region.is_block
            around = [(0, 0)] if is_inside else [*product((-1, 0, 1), repeat=2)]
            for number, place in enumerate(one.of_player(owner)):
                points = ((y + j, x + i) for y, x in one.points(number) for j, i in around)
                found[place] = tuple(sorted({at[point] for point in points if point in at}))
    sets = tuple(found.get(place, ()) for place in range(len(ctx.symbols.places)))
    if region.is_block and not is_set:
        ones = (*(one[0] if one else NOTHING for one in sets), NOTHING)
        return e.Table(ones, subject), t.Place(region.name)
    return _relation(sets, subject, is_set)[0], t.set_of(t.Place(region.name))


def _require_direction(ctx: Context, word: n.Word, type_: t.Place) -> None:
    """Refuses a direction that the spaces of a known region do not have."""
    region = ctx.symbols.regions.get(type_.region)
    if region is None or region.is_zone:
        return
    if word.text in DIRECTIONS and word.text not in _ways(region):
        known = ", ".join(_ways(region)) or ", ".join(_around(region)) or "relations of your own"
        title = f"`{region.name}` has no `{word.text}`"
        ctx.fail("E201", title, word.span, f"Its spaces have: {known}.")
    if word.text in ("neighbours", "next", "previous") and region.shape == "spots":
        text = "Spots are connected by relations that you declare."
        labels = region.labels()
        hint = f"relation joined on {region.name} both ways: {labels[0]} to {labels[-1]}"
        ctx.fail("E201", f"`{region.name}` has no `{word.text}`", word.span, text, hint)


def _directions(ctx: Context, subject: e.Expr) -> Typed:
    """`directions of SPACE`: those in which it has a neighbour."""
    ctx.symbols.use_list(t.DIRECTION.of)
    names = tuple(DIRECTIONS)
    sets = []
    for place, info in enumerate(ctx.symbols.places):
        around = _around(ctx.symbols.regions[info.region]) if not info.is_zone else ()
        ways = (way for way in around if way in DIRECTIONS and _near(ctx, way)[place])
        sets.append(tuple(sorted(map(names.index, ways))))
    return e.Pick((*sets, ()), subject), t.set_of(t.DIRECTION)


def _towards(
    ctx: Context, direction: e.Expr, subject: e.Expr, type_: t.Place, is_set: bool
) -> Typed:
    """`WAY of SPACE`, where WAY is a local name of a direction."""
    sets = [_near(ctx, way) for way in DIRECTIONS]
    found: e.Expr = e.Const(()) if is_set else e.Const(NOTHING)
    for way, one in enumerate(sets):
        first = (*(near[0] if near else NOTHING for near in one), NOTHING)
        step = e.Image((*one, ()), subject) if is_set else e.Table(first, subject)
        found = e.Cond(e.Compare("is", direction, e.Const(way)), step, found)
    return found, t.set_of(t.PLACE) if is_set else type_


def _relation(sets: tuple[tuple[int, ...], ...], subject: e.Expr, is_set: bool) -> Typed:
    found: e.Expr = e.Image((*sets, ()), subject) if is_set else e.Pick((*sets, ()), subject)
    return found, t.set_of(t.PLACE)


def _near(ctx: Context, name: str) -> tuple[tuple[int, ...], ...]:
    """For each place, its neighbours, or the place next to it in a direction; cached."""
    if name not in ctx.near_places:
        places = range(len(ctx.symbols.places))
        ctx.near_places[name] = tuple(_near_places(ctx, place, name) for place in places)
    return ctx.near_places[name]


def _near_places(ctx: Context, place: int, name: str) -> tuple[int, ...]:
    info = ctx.symbols.places[place]
    if info.is_zone:
        return ()
    region = ctx.symbols.regions[info.region]
    first = place - info.number
    if name == "neighbours":
        found = {one for way in _around(region) for one in _near(ctx, way)[place]}
        return tuple(sorted(found - {place}))
    if region.shape == "edges":
        return _beside_edge(region, first, info.number, name)
    if name in ("next", "previous"):
        step = info.number + (1 if name == "next" else -1)
        if region.shape == "ring":
            step %= region.size
        in_line = region.shape in ("ring", "row") and 0 <= step < region.size
        return (first + step,) if in_line else ()
    ways = _ways(region)
    if name not in ways:
        return ()
    down, across = ways[name]
    row, column = info.row - 1 + down, info.column - 1 + across
    inside = 0 <= row < region.rows and 0 <= column < region.columns
    return (first + row * region.columns + column,) if inside else ()


def _beside_edge(region: Region, first: int, number: int, name: str) -> tuple[int, ...]:
    """The next or previous edge along the line of an edge."""
    at = {region.points(one): first + one for one in range(region.size)}
    ((y, x),) = region.points(number)
    step = {"next": 2, "previous": -2}.get(name, 0)
    beside = ((y + step, x) if y % 2 else (y, x + step),)
    return (at[beside],) if step and beside in at else ()


def neighbours_of(ctx: Context, place: int) -> frozenset[int]:
    """The neighbours of a space, by the shape of its region and by relations."""
    related = (to.get(place, ()) for to in ctx.symbols.relations.values())
    return frozenset(_near(ctx, "neighbours")[place]).union(*related)


def lower_reached(ctx: Context, node: n.Reached) -> Typed:
    """`reached from SPACES by STEP within SPACES`."""
    if node.word.text != "reached":
        text = "These words can only follow `reached`."
        hint = ctx.near(node.word, ("reached",))
        ctx.fail("E201", f"unknown `{node.word.text}`", node.word.span, text, hint)
    start, within = _spaces(ctx, node.start), _spaces(ctx, node.within)
    slot, step = _step(ctx, node.step, node)
    return e.Reached(slot, start, step, within), t.set_of(t.PLACE)


def _spaces(ctx: Context, node: n.Expr) -> e.Expr:
    """Lowers a set of spaces of the board."""
    found, type_ = ctx.lower(node)
    of = t.element(type_)
    if isinstance(of, t.Place) and of.is_zone:
        ctx.fail("E301", "spaces are needed here", node.span, f"This is {describe(type_)}.")
    return coercion.fit(ctx, found, type_, t.set_of(t.PLACE), node.span)


def _step(ctx: Context, word: n.Word, node: n.Node) -> tuple[int, e.Expr]:
    """A slot for a space, and an expression for the spaces one step from it."""
    here = n.Word("where a step begins", span=node.span)
    slot = ctx.frame.bind(here, t.PLACE)
    of_it = n.Of(word, None, n.Name(here.text, span=node.span), span=word.span)
    step = _spaces(ctx, of_it)
    del ctx.frame.names[here.text]
    return slot, step


def longest_line(ctx: Context, node: n.LongestLine) -> Typed:
    """`longest line in SPACES`: the length of the longest straight line without gaps."""
    within = _spaces(ctx, node.within)
    steps = [_near(ctx, way) for way in (*_ONWARDS, "next")]
    tables = [tuple(one[0] if one else NOTHING for one in step) for step in steps]
    return e.LongestLine(tuple(one for one in tables if set(one) != {NOTHING}), within), t.NUMBER


def _card_of(ctx: Context, node: n.Of, index: e.Expr, subject: e.Expr, type_: t.Type) -> Typed:
    """`card 3 of your hand`: the third card of a place from the top; nothing if there are fewer."""
    if not isinstance(type_, t.Place):
        text = f"Cards are in a zone or on spaces; this is {describe(type_)}."
        ctx.fail("E301", "a zone or a space is needed here", node.subject.span, text)
    slot, step = ctx.frame.slot(t.CARD), ctx.frame.slot(t.CARD)
    cards = e.CardsOn(coercion.set_of(subject))
    below = e.MakeSet((e.Var(ctx.slots.card_next, e.Local(step), NOTHING),))
    from_it = e.Size(e.Reached(step, e.MakeSet((e.Local(slot),)), below, cards))
    position = e.Arith("-", e.Arith("+", e.Size(cards), e.Const(1)), from_it)
    return e.First(e.Filter(slot, cards, e.Compare("is", position, index))), t.CARD


def _refuse_number_of(ctx: Context, node: n.Of) -> None:
    """Refuses `space number of x of board`, which parses as the space `number` of `x of board`."""
    inner, of, whole = node.subject.span.text.rpartition(" of ")
    known = (ctx.frame.names, ctx.tables.variables, ctx.names_of("define"))
    if of and not any("number" in names for names in known):
        text = "A number that is worked out stands in parentheses."
        hint = instead(f"{node.name.text} (number of {inner}) of {whole}")
        ctx.fail("E201", "unknown name `number`", node.span, text, hint)


def lower_indexed(ctx: Context, node: n.Of, index_node: n.Expr) -> Typed:
    """`row 2 of X`, `column 1 of X`, `space 5 of X`, `card 3 of X`: by number."""
    name = node.name.text
    region = ctx.symbols.regions.get(name)
    if region is not None and region.owned and not region.is_zone:
        return _space_called(ctx, node, index_node, region)
    field = index_node.span.text
    if name in ("total", "sum") and field in ctx.cards.fields:
        text = "A sum asks for a number of each element of a set:"
        new = instead(f"sum of {field} of c for (c in {node.subject.span.text})")
        ctx.fail("E201", f"unknown name `{name}`", node.span, text, new)
    if name not in _NUMBERED:
        text = "Only `row`, `column`, `space` and `card` take a number."
        near = ctx.near(node.name, _NUMBERED)
        ctx.fail("E201", f"`{name}` takes no number", node.name.span, text, near)
    if isinstance(index_node, n.Name) and index_node.text == "number":
        _refuse_number_of(ctx, node)
    if (
        isinstance(index_node, n.Name)
        and index_node.text in ctx.symbols.spaces
        and not ctx.symbols.values_with(index_node.text)  # two things of a name are told as such
    ):
        refuse_more_than_name(ctx, index_node.text, node.span)
    subject, type_ = ctx.lower(node.subject)
    if name == "card":
        return _card_of(ctx, node, coercion.number(ctx, index_node), subject, type_)
    if not isinstance(type_, t.SetOf) or not isinstance(type_.of, t.Place):
        text = f"This is {describe(type_)}."
        ctx.fail("E301", "a set of spaces is needed here", node.subject.span, text)
    region = ctx.symbols.regions.get(type_.of.region)
    values = region.values if region is not None and name == "space" else ""
    if name == "space" and isinstance(node.subject, n.Of) and isinstance(subject, e.Filter):
        these, of = node.subject.span.text, values or "number"
        text = "Each of several players has one. Say whose is meant, as in"
        text += f" `{node.span.text.removesuffix(these)}{node.subject.name.text} of p`, or all:"
        new = instead(f"(s in {these} where {of} of s is {index_node.span.text})")
        ctx.fail("E302", "a single thing is needed, not a set", node.span, text, new)
    if values in ctx.symbols.numbers and ctx.lower(index_node)[1] == t.NUMBER:
        title, text = f"{describe(t.Value(values))} is needed here", "This is a number."
        new = instead(f"(first (x in {values} where number of x is {field}))")
        ctx.fail("E301", title, index_node.span, text, new)
    index = coercion.of_kind(ctx, index_node, t.Value(values) if values else t.NUMBER)
    by_number: dict[int, list[int]] = {}
    for place, info in enumerate(ctx.symbols.places):
        if region is None or info.region == region.name:
            number = info.number if values else info.number + 1
            own = {"row": info.row, "column": info.column}.get(name, number)
            by_number.setdefault(own, []).append(place)
    if region is not None and isinstance(index, e.Const) and index.value not in by_number:
        text, hint = f"`{region.name}` has no spaces.", ""
        if by_number:
            text = f"They are numbered {min(by_number)} to {max(by_number)}:"
            hint = "choose one of these"
        ctx.fail("E205", f"no such {name}", index_node.span, text, hint)
    numbers = range(max(by_number, default=0) + 1)
    sets = tuple(tuple(by_number.get(number, ())) for number in numbers)
    picked: e.Expr = e.Pick((*sets, ()), index)
    if region is None or region.owned or subject != e.Const(region.of_player(0)):
        picked = e.SetOp("within", picked, subject)
    if name == "space":
        return e.First(picked), type_.of
    return picked, type_


def refuse_more_than_name(ctx: Context, name: str, span: Span) -> NoReturn:
    """Refuses a space with a name of its own that is referred to by more than that."""
    owned = ctx.symbols.regions[ctx.symbols.spaces[name][0]].owned
    text = "A space that has a name is called by it alone."
    new = instead(f"your {name}" if owned else name)
    ctx.fail("E301", f"`{span.text}` is written differently here", span, text, new)


def of_player(ctx: Context, region: Region, number: int, who: e.Expr) -> Typed:
    """The space with an index among those of a player."""
    places = tuple(region.of_player(player)[number] for player in ctx.symbols.seats)
    return e.Table((*places, NOTHING), who), t.Place(region.name)


def _space_called(ctx: Context, node: n.Of, index_node: n.Expr, region: Region) -> Typed:
    """`display b2 of PLAYER`: a space of a player by its label."""
    who = coercion.of_kind(ctx, node.subject, t.PLAYER)
    match index_node:
        case n.Name(text=label) if label not in ctx.frame.names:
            pass
        case n.Number(value=value):
            label = str(value)
        case _:
            text = "A computed space is given by its number."
            hint = f"space ({index_node.span.text}) of {region.name} of {node.subject.span.text}"
            ctx.fail("E301", "a space is named here", index_node.span, text, hint)
    number = number_of(ctx, region, n.Word(label, span=index_node.span))
    return of_player(ctx, region, number, who)
