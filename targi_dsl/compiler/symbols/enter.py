"""Builds the symbol table: enters players, resources, lists of values, kinds of cards, options,
places, pieces, sets and relations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import TypeVar

from msgspec.structs import replace

from targi_dsl.compiler.layers.changes import Effective, Key, names
from targi_dsl.compiler.layers.error_symbols import ErrorSymbols, Unresolved
from targi_dsl.compiler.project.discovery import PLAYERS
from targi_dsl.compiler.project.written import Written
from targi_dsl.compiler.symbols.table import TYPE_WORDS, Entry, PieceKind, Region, SymbolTable
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import PieceInfo, PlaceInfo
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.source import Source, Span
from targi_dsl.text.suggestions import did_you_mean, suggestion

LARGEST_REGION = 1024
MOST_PLACES = 4096
"""The most spaces and zones of all players together; also the most pieces."""
MOST_RELATED = 100_000
"""The most pairs in all relations together."""

Declaration = TypeVar("Declaration", bound=n.Component)


class BoardEntry(Entry):
    """Enters places and pieces, numbered in the order of declaration, spaces before zones."""

    related: int = 0
    """The number of pairs in relations so far."""

    def enter(self, declared: Mapping[Key, Effective], boxes: Iterable[tuple[str, str]]) -> None:
        """Enters all places, pieces, sets and relations. `boxes`: the boxes from which cards are
        drawn before setup, with the zones that they are drawn for.
        """
        spaces = list(_of_sort(declared, n.Space))
        for name, space in sorted(spaces, key=lambda one: one[1].of is not None):
            self._space(name, space)
        zones = list(_of_sort(declared, n.Zone))
        for name, zone in zones:
            self._zone(name, zone)
        for name, drawn_for in boxes:
            self._box(name, drawn_for)
        for name, zone in zones:
            self._refill(name, zone)
        for name, piece in _of_sort(declared, n.Piece):
            self._piece(name, piece)
        for name, set_ in _of_sort(declared, n.SpaceSet):
            self._set(name, set_)
        for name, relation in _of_sort(declared, n.Relation):
            self._relation(name, relation)

    # ---- places ----

    def _space(self, name: str, node: n.Space) -> None:
        owned, base = self._is_owned(node.each), len(self.table.places)
        rows, columns, values = node.rows, node.columns, node.by.text if node.by else ""
        names = self._names(node)
        if node.by is not None and not names:
            self.table.errors.names.add(name)
            return
        columns = columns or len(names)
        size, shape = rows * columns, node.shape
        region = Region(name, base, size, owned, False, shape, rows, columns, "", values, names)
        if node.of is not None:
            derived = self._of_grid(region, node, node.of)
            if derived is None:
                return
            region = derived
        if not 1 <= region.size <= LARGEST_REGION:
            text = f"A region has from 1 to {LARGEST_REGION} spaces."
            self.refuse(name, "E303", f"`{name}` has {region.size} spaces", node.span, text)
            return
        if not self._has_room(base, region.size, owned, name, node.span):
            return
        self.table.regions[name] = region
        if node.names:
            self.table.spaces |= {one: (name, number) for number, one in enumerate(names)}
        for owner, whose in self.table.owners(owned):
            for number, label in enumerate(region.labels()):
                row, column = region.cell(number)
                self.table.places.append(
                    PlaceInfo(
                        f"{name} {label}{whose}", name, label, number, owner,
                        active=node.active, row=row + 1, column=column + 1,
                    )
                )  # fmt: skip

    def _names(self, node: n.Space) -> tuple[str, ...]:
        """The names of spaces that have names, or the values if there is one for each."""
        if node.by is None:
            self.report_duplicates(node.names)
            for word in (one for one in node.names if one.text in self.table.spaces):
                of, text = self.table.spaces[word.text][0], "The name of a space says which it is."
                self.report("E202", f"`{word.text}` is already a space of `{of}`", word.span, text)
            return tuple(dict.fromkeys(word.text for word in node.names))
        if node.by.text not in self.table.values:
            text = "No list of values has that name."
            self.report_unknown("list of values", node.by, text, self.table.values)
        return self.table.values.get(node.by.text, ())

    def _of_grid(self, region: Region, node: n.Space, word: n.Word) -> Region | None:
        """A region of the edges, corners or blocks of a grid; None if that is impossible."""
        name, shape, grid = region.name, node.shape, self.table.regions.get(word.text)
        if word.text in self.table.errors:
            self.table.errors.names.add(name)
            return None
        if grid is None or grid.of or grid.shape not in ("grid", "grid with diagonals"):
            text = f"Only a grid of rows and columns has {shape}. Declare one, for example:"
            hint = f"space {word.text if grid is None else 'GRID'}: grid 8 by 8"
            self.refuse(name, "E339", f"`{word.text}` has no {shape}", word.span, text, hint)
            return None
        if grid.owned != region.owned:
            text = f"`{word.text}` is {'' if grid.owned else 'not '}for each player, so write:"
            hint = f"space {name}{' for each player' * grid.owned}"
            self.refuse(name, "E339", f"whose {shape}?", node.span, text, hint)
            return None
        rows, columns, high, wide = grid.rows, grid.columns, node.rows, node.columns
        derived, size = replace(region, of=grid.name), 0
        if shape == "edges":
            size = rows * (columns + 1) + (rows + 1) * columns
        elif shape == "corners":
            rows, columns = rows + 1, columns + 1
        elif high and wide and not rows % high and not columns % wide:
            rows, columns = rows // high, columns // wide
            derived = replace(derived, shape=grid.shape, block=(high, wide))
        else:
            text = f"`{word.text}` has {rows} rows and {columns} columns. Blocks divide it evenly:"
            sizes = [_divisor(rows, high), _divisor(columns, wide)]
            hint = f"blocks {sizes[0]} by {sizes[1]} of {word.text}"
            self.refuse(name, "E339", f"no blocks {high} by {wide}", node.span, text, hint)
            return None
        return replace(derived, size=size or rows * columns, rows=rows, columns=columns)

    def _zone(self, name: str, node: n.Zone) -> None:
        values = node.each.text if node.each and node.each.text in self.table.values else ""
        owned = not values and self._is_owned(node.each)
        self._check_zone(name, node, owned)
        seen = node.seen or ("nobody" if node.facing == "down" else "all")
        facing = node.facing or ("up" if seen == "all" else "down")
        each = self.table.values.get(values, ())
        if not self._has_room(len(self.table.places), len(each) or 1, owned, name, node.span):
            return
        self._zone_region(name, owned, node.kind.text, values)
        owners = [(NOTHING, f" of {value}") for value in each] or self.table.owners(owned)
        for owner, whose in owners:
            place = PlaceInfo(
                name + whose, name, name + whose, 0, owner, is_zone=True, active=node.active,
                seen=seen, facing=facing, refill_at_once=self._is_refilled_at_once(node),
                closed=node.closed,
            )  # fmt: skip
            self.table.places.append(place)

    def _check_zone(self, name: str, node: n.Zone, owned: bool) -> None:
        kind = node.kind.text
        if kind not in ("card", *self.table.kinds):
            kinds = ", ".join(("card", *self.table.kinds))
            text = f"A zone holds cards of one kind, or any `card`. It can be: {kinds}."
            self.report_unknown("kind of card", node.kind, text, self.table.kinds)
        if node.seen in ("owner", "others") and not owned:
            title = f"`{name}` has no owner"
            text = "It has no owner, so nobody is its `owner` and nobody one of the `others`."
            written = " ".join(node.span.text.split())
            hint = written.replace(f"zone {name}", f"zone {name} for each player", 1)
            self.refuse(name, "E318", title, node.span, text, hint)

    def _box(self, name: str, drawn_for: str) -> None:
        self._zone_region(name, False, "card")
        box = PlaceInfo(
            name, name, name, 0, NOTHING, is_zone=True, seen="nobody", facing="down",
            drawn_for=drawn_for,
        )  # fmt: skip
        self.table.places.append(box)

    def _zone_region(self, name: str, owned: bool, kind: str, values: str = "") -> None:
        base, size = len(self.table.places), len(self.table.values.get(values, ())) or 1
        region = Region(name, base, size, owned, True, "", 1, size, kind, values)
        self.table.regions[name] = region

    def _is_refilled_at_once(self, node: n.Zone) -> bool:
        if not isinstance(node.refill, n.OptionIs):
            return node.refill == "at_once"
        option, value = node.refill.option, node.refill.value
        values = self.table.option_values.get(option.text, ())
        if not values:
            text = "No option has that name."
            self.report_unknown("option", option, text, self.table.options)
        elif value.text not in values:
            text = f"Option {option.text} can be: {', '.join(values)}."
            self.report_unknown("option value", value, text, values)
        return self.table.options.get(option.text) == value.text

    def _refill(self, name: str, node: n.Zone) -> None:
        table, word = self.table, node.refilled_from
        if word is None or name not in table.regions or word.text in table.errors:
            return
        own, other = table.regions[name], table.regions.get(word.text)
        zones = [
            one.name
            for one in table.regions.values()
            if one.is_zone and one is not own and (one.owned, one.values) == (own.owned, own.values)
        ]
        if other is None or word.text not in zones:
            if other is None:
                self.report_unknown("zone", word, "No zone has that name.", zones)
                return
            title = f"`{word.text}` cannot refill `{name}`"
            text = "A zone can only be refilled from a zone with the same owner."
            self.report("E203", title, word.span, text, suggestion(word.text, zones))
            return
        for number in range(len(table.players) if other.owned else other.size):
            place = own.base + number
            table.places[place] = replace(table.places[place], refill=other.base + number)

    # ---- pieces ----

    def _piece(self, name: str, node: n.Piece) -> None:
        table, owned, first = self.table, self._is_owned(node.each), len(self.table.pieces)
        if not 1 <= node.number <= LARGEST_REGION:
            text = f"From 1 to {LARGEST_REGION} are possible."
            self.refuse(name, "E303", f"{node.number} pieces", node.span, text)
            return
        if not self._has_room(first, node.number, owned, name, node.span):
            return
        for owner, whose in table.owners(owned):
            for number in range(1, node.number + 1):
                which = f" {number}" if node.number > 1 else ""
                table.pieces.append(PieceInfo(name + which + whose, name, owner))
        ids = tuple(range(first, len(table.pieces)))
        table.piece_kinds[name] = PieceKind(name, ids, node.number if owned else 0)

    def _is_owned(self, each: n.Word | None) -> bool:
        if each is not None and each.text != "player":
            text = f"Only `for each player` can stand here, not `for each {each.text}`."
            title, hint = "this cannot be owned by that", "for each player"
            self.report("E203", title, each.span, text, hint)
        return each is not None

    def _has_room(self, taken: int, size: int, owned: bool, name: str, span: Span) -> bool:
        """Whether that many more spaces, zones or pieces are within the limits; reports if not."""
        wanted = taken + size * (len(self.table.players) if owned else 1)
        if wanted > MOST_PLACES:
            text = f"With `{name}` there are {wanted:,} spaces"
            text += f"; at most {MOST_PLACES:,} are possible."
            self.refuse(name, "E303", "too many in all", span, text)
        return wanted <= MOST_PLACES

    # ---- sets and relations ----

    def _set(self, name: str, node: n.SpaceSet) -> None:
        region = self._board(node.region)
        if region is None:
            self.table.errors.names.add(name)
            return
        numbers = _numbers(region)
        self.table.sets[name] = tuple(sorted({*self._elements(region, numbers, node.elements)}))

    def _relation(self, name: str, node: n.Relation) -> None:
        source, target = self._board(node.source), self._board(node.target)
        if source is None or target is None:
            self.table.errors.names.add(name)
            return
        self.related += sum(len(pair.left) * len(pair.right) for pair in node.pairs)
        if self.related > MOST_RELATED:
            count = f"With `{name}` there are {self.related:,} pairs"
            text = f"{count}; at most {MOST_RELATED:,} are possible."
            self.refuse(name, "E303", "too many pairs in all", node.span, text)
            return
        found: dict[int, set[int]] = {}
        from_, to_ = _numbers(source), _numbers(target)
        for pair in node.pairs:
            left = self._elements(source, from_, pair.left)
            right = self._elements(target, to_, pair.right)
            for one, other in product(left, right):
                found.setdefault(one, set()).add(other)
                if node.both_ways:
                    found.setdefault(other, set()).add(one)
        self.table.relations[name] = {place: tuple(sorted(to)) for place, to in found.items()}

    def _board(self, word: n.Word) -> Region | None:
        if word.text in self.table.errors:
            return None
        region = self.table.regions.get(word.text)
        text = "A set or relation needs a `space` without an owner."
        if region is None:
            self.report_unknown("board part", word, text, self.table.boards())
        elif region.is_zone or region.owned:
            what = "a zone" if region.is_zone else "for each player"
            self.report("E201", f"`{word.text}` is {what}", word.span, text)
            return None
        return region

    def _elements(
        self, region: Region, numbers: Mapping[str, int], words: Iterable[n.Word]
    ) -> list[int]:
        """The places named by words; reports unknown and repeated ones."""
        self.report_duplicates(words)
        for word in words:
            if word.text not in numbers:
                title = f"`{region.name}` has no space `{word.text}`"
                text, hint = f"Its spaces are {region.extent}.", suggestion(word.text, region.names)
                unknown = Unresolved("E205", title, word.span, text, hint, name=word.text)
                self.problems.append(unknown)
        return [numbers[word.text] for word in words if word.text in numbers]


def _divisor(of: int, near: int) -> int:
    """The divisor of a number that is closest to another number."""
    return min((one for one in range(1, of + 1) if of % one == 0), key=lambda one: abs(one - near))


def _numbers(region: Region) -> dict[str, int]:
    """The places of a region by label."""
    return {label: region.base + number for number, label in enumerate(region.labels())}


def _of_sort(
    declared: Mapping[Key, Effective], sort: type[Declaration]
) -> Iterator[tuple[str, Declaration]]:
    for (_, name), effective in declared.items():
        if isinstance(effective.node, sort):
            yield name, effective.node


MOST_PLAYERS = 32

RESERVED = {
    "chance": "the seat for which cards are drawn and dice are rolled",
    "public": "the seat that knows what everybody knows",
}
"""Names that are those of special seats in every game, with their meaning."""


def symbols_of(
    declared: Mapping[Key, Effective],
    chosen: Mapping[str, n.SheetOption | str],
    boxes: Iterable[tuple[str, str]],
    ids: Mapping[str, Span],
    errors: ErrorSymbols,
) -> tuple[SymbolTable, list[Problem]]:
    """The symbol table of effective declarations, and problems. `chosen`: option values from the
    sheet or the caller. `ids`: the ids of cards in decks. `errors`: the error symbols so far.
    """
    entry = _NameEntry(SymbolTable(errors=errors), [])
    for name, problem in _name_clashes(declared, ids):
        entry.table.errors.names.add(name)
        entry.problems.append(problem)
    for (sort, name), effective in declared.items():
        entry.enter(name, effective.node)
        if sort != "option" and name in TYPE_WORDS:
            title, text = f"`{name}` is the name of a type", "Choose another name."
            entry.refuse(name, "E206", title, effective.node.span, text)
    for name, given in chosen.items():
        entry.choose(name, given)
    entry.seat()
    BoardEntry(entry.table, entry.problems).enter(declared, boxes)
    return entry.table, entry.problems


def check_players(table: SymbolTable, written: Written) -> None:
    """Reports a game without players."""
    if not table.players:
        title, text = "the game has no players", "A module must name the players."
        hint = "players one, two"
        problem = Unresolved("E210", title, written.span, text, hint, name="players")
        written.problems.append(problem)


class _NameEntry(Entry):
    """Enters declarations that are not about the board."""

    def enter(self, name: str, node: n.Component) -> None:
        match node:
            case n.Players():
                self._players(node)
            case n.Resources():
                self._resources(name, node)
            case n.Values():
                self.table.values[name] = tuple(word.text for word in node.members)
                self.report_duplicates(node.members)
                self._numbers(name, node)
            case n.CardKind():
                self.table.kinds[name] = {one.name.text: one for one in node.fields}
                self.report_duplicates(one.name for one in node.fields)
            case n.Option():
                self._option(name, node)

    def _numbers(self, name: str, node: n.Values) -> None:
        """The numbers of values; all values of a list have one, or none."""
        given = tuple(one for one in node.numbers if one is not None)
        if len(given) == len(node.numbers):
            self.table.numbers[name] = given
        elif given:
            word = node.members[node.numbers.index(None)]
            text = "Either all values of a list have numbers, or none has."
            title, hint = f"`{word.text}` has no number", f"{word.text} 1"
            self.refuse(name, "E333", title, word.span, text, hint)

    def _players(self, node: n.Players) -> None:
        players = tuple(word.text for word in node.names[:MOST_PLAYERS])
        self.table.players = players
        if len(node.names) > MOST_PLAYERS:
            text = f"At most {MOST_PLAYERS} can play; this declares {len(node.names):,}."
            self.report("E303", "too many players", node.span, text)
            self.table.errors.names.update(word.text for word in node.names)
        if len(set(players)) != len(players):
            title, text = "two players have the same name", "Each player needs a name of their own."
            self.report("E202", title, node.span, text)
        for word in node.names[:MOST_PLAYERS]:
            if meaning := RESERVED.get(word.text):
                title = f"no player can be called `{word.text}`"
                text = f"That is {meaning}."
                self.report("E202", title, word.span, text, f"{word.text}_player")
        if node.number is not None:
            self._number_of_players(node, *node.number)

    def _number_of_players(self, node: n.Players, least: int, most: int) -> None:
        """Makes the number of players an option, if it is variable; the least is the default."""
        named = len(node.names)
        if not 1 <= least < most or most != named:
            text = "The lower number comes first, and the higher is the number of names."
            names = ", ".join(word.text for word in node.names)
            hint = f"players {min(max(least, 1), max(named - 1, 1))} to {named}: {names}"
            title = f"not {least} to {most} of {named} players"
            self.report("E303", title, node.span, text, hint)
            return
        self.table.option_values[PLAYERS] = tuple(str(one) for one in range(least, most + 1))
        self.table.options[PLAYERS] = str(least)

    def seat(self) -> None:
        """Drops players beyond the chosen number."""
        if PLAYERS in self.table.options:
            self.table.players = self.table.players[: int(self.table.options[PLAYERS])]

    def _resources(self, name: str, node: n.Resources) -> None:
        for word in (*node.names, *([node.group] if node.group is not None else [])):
            if word.singular is not None:
                self._singular(word.text, word.singular)
        if node.group is None:
            self._resource(name, node.names[-1].span)
            return
        for word in node.names:
            self._resource(word.text, word.span)
        resources = self.table.resources
        self.table.groups[node.group.text] = tuple(
            resources.index(word.text) for word in node.names
        )

    def _singular(self, name: str, one: n.Word) -> None:
        taken = {*self.table.resources, *self.table.groups, *self.table.plurals}
        if one.text != name and one.text in taken:
            title = f"`{one.text}` already counts something else"
            text = "The name for one of a resource must not be that of another resource."
            self.report("E202", title, one.span, text)
        else:
            self.table.plurals[one.text] = name

    def _resource(self, name: str, span: Span) -> None:
        if name in self.table.resources or self.table.plurals.get(name, name) != name:
            title, text = f"`{name}` is already a resource", "A resource is declared once."
            self.report("E202", title, span, text)
        else:
            self.table.resources.append(name)

    def _option(self, name: str, node: n.Option) -> None:
        self.report_duplicates(node.values)
        values = tuple(word.text for word in node.values)
        if len(values) == 1 and name not in self.table.errors.names:
            title = f"option `{name}` has one value"
            text = "An option with only one value offers no choice."
            other = "on" if values[0] == "off" else "off"
            hint = f"option {name}: {other} or {values[0]}"
            if near := did_you_mean(name, self.table.option_values):
                text += f" To choose a value of `{near}`, indent the line, below `game`:"
                hint = f"  option {near}: {values[0]}"
            self.refuse(name, "E319", title, node.span, text, hint)
        self.table.option_values[name] = values
        self.table.options[name] = values[0]

    def _refuse_number(self, place: Span, given: str, numbers: tuple[str, ...] | None) -> None:
        """Reports a number of players that the game does not allow."""
        if numbers is None:
            title = "the number of players is fixed"
            text = f"The game is for {len(self.table.players)}. Leave the number out."
            self.report("E410", title, place, text)
        else:
            title = f"not a game for {given} players"
            *most, last = numbers
            self.report("E411", title, place, f"It is for {', '.join(most)} or {last} players.")

    def choose(self, name: str, given: n.SheetOption | str) -> None:
        """Sets an option to the value from the sheet or the caller."""
        option, value, text = _option_value(name, given)
        values = self.table.option_values.get(name)
        if name in self.table.errors:
            return
        if name == PLAYERS and self.table.players and text not in (values or ()):
            self._refuse_number(value, text, values)
        elif values is None:
            known = self.table.options
            title = f"unknown option `{name}`"
            why = f"The options are: {', '.join(known) or 'none'}."
            hint = suggestion(name, known)
            self.problems.append(Unresolved("E410", title, option, why, hint, name=name))
        elif text not in values:
            title, why = f"option `{name}` cannot be `{text}`", f"It can be: {', '.join(values)}."
            hint = suggestion(text, values, f"Its default is `{values[0]}`.")
            self.report("E411", title, value, why, hint)
        else:
            self.table.options[name] = text


def _option_value(name: str, given: n.SheetOption | str) -> tuple[Span, Span, str]:
    """The spans of an option and its value, and the value; those from the caller are in a source of
    their own.
    """
    if not isinstance(given, str):
        return given.option.span, given.value.span, given.value.text
    if name == PLAYERS:
        source = Source("--players", given)
        return source.span(0, len(given)), source.span(0, len(given)), given
    source = Source("--option", f"{name}={given}")
    option, value = source.span(0, len(name)), source.span(len(name) + 1, len(source.text))
    return option, value, given


# ---- namespaces ----


THINGS = (
    "player", "resource", "group of resources", "pool", "list of values", "value",
    "kind of card", "space", "named space", "zone", "piece", "variable", "set", "relation",
    "definition",
)  # fmt: skip
"""Kinds of names that a bare name, `X of ...` or a type can refer to."""
DEEDS = ("rule", "card", "standing ability")
"""Kinds of names that `do` and ids of answers refer to."""
NAMESPACES: tuple[tuple[tuple[str, ...], str], ...] = (
    (THINGS, "A name can stand for only one thing or definition of a game."),
    (
        DEEDS,
        "Rules, standing abilities and cards are named without a qualifier, and so are answers.",
    ),
    (
        ("score", "card", "standing ability"),
        "Points of cards and standing abilities are listed under their names.",
    ),
    (("field", "variable", "definition"), "For a card it would be unclear which is meant."),
)
"""Kinds of names that share a namespace, and why; options and their values, prohibitions and
exchanges have one of their own. Clashes within one kind are reported where its names are entered.
"""


def _name_clashes(
    declared: Mapping[Key, Effective], ids: Mapping[str, Span]
) -> Iterator[tuple[str, Problem]]:
    """Reports each name that stands for two things in one namespace. `ids`: those of cards."""
    places: dict[str, dict[str, Span]] = {}  # sorts and first places of each name
    for effective in declared.values():
        for sort, word in names(effective.node):
            places.setdefault(word.text, {}).setdefault(sort, word.span)
    for name, span in ids.items():
        if name in places:
            places[name].setdefault("card", span)
    for name, found in places.items():
        for stock, why in NAMESPACES:
            if len(shared := [sort for sort in found if sort in stock]) > 1:
                one, other, *_ = shared
                both = " and ".join(f"a{'n' * (sort[0] in 'aeo')} {sort}" for sort in (one, other))
                title, text = f"`{name}` is {both}", f"{why} Choose another name."
                label = Label(found[one], f"{both.partition(' and ')[0]} here")
                code = "E530" if other == "card" else "E202"
                yield name, Problem(code, title, found[other], text, labels=(label,))
                break
