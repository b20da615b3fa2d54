"""Enters the board into the symbol table: spaces, zones, pieces, sets of spaces and relations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import TypeVar

from targi_dsl.compiler.changes import Effective, Key
from targi_dsl.compiler.error_symbols import Unresolved
from targi_dsl.compiler.symbol_table import Entry, PieceKind, Region
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import PieceInfo, PlaceInfo
from targi_dsl.syntax import ast as n
from targi_dsl.text.source import Span
from targi_dsl.text.suggestions import suggestion

LARGEST_REGION = 1024
MOST_PLACES = 4096
"""The most spaces and zones of all players together, and the most pieces."""
MOST_RELATED = 100_000
"""The most pairs of spaces of all relations."""

Declaration = TypeVar("Declaration", bound=n.Component)


class BoardEntry(Entry):
    """Numbers places and pieces in the order of declaration, spaces before zones."""

    related = 0
    """The pairs of the relations entered so far."""

    def enter(self, declared: Mapping[Key, Effective], boxes: Iterable[tuple[str, str]]) -> None:
        """Enters everything; `boxes` are those that cards are drawn from before setup, with the
        zones they fill.
        """
        for name, space in _of(declared, n.Space):
            self._space(name, space)
        zones = list(_of(declared, n.Zone))
        for name, zone in zones:
            self._zone(name, zone)
        for name, drawn_for in boxes:
            self._box(name, drawn_for)
        for name, zone in zones:
            self._refill(name, zone)
        for name, piece in _of(declared, n.Piece):
            self._piece(name, piece)
        for name, those in _of(declared, n.SpaceSet):
            self._set(name, those)
        for name, relation in _of(declared, n.Relation):
            self._relation(name, relation)

    # ---- places ----

    def _space(self, name: str, node: n.Space) -> None:
        owned = self._is_owned(node.each)
        size = node.rows * node.columns
        if not 1 <= size <= LARGEST_REGION:
            text = f"A region has from 1 to {LARGEST_REGION} spaces."
            self.refuse(name, "E303", f"`{name}` has {size} spaces", node.span, text)
            return
        if not self._has_room(len(self.table.places), size, owned, name, node.span):
            return
        base = len(self.table.places)
        region = Region(name, base, size, owned, False, node.shape, node.rows, node.columns, "")
        self.table.regions[name] = region
        for owner, whose in self.table.owners(owned):
            for number, label in enumerate(region.labels()):
                row, column = divmod(number, node.columns)
                self.table.places.append(
                    PlaceInfo(
                        f"{name} {label}{whose}", name, label, number, owner,
                        active=node.active, row=row + 1, column=column + 1,
                    )
                )  # fmt: skip

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
        those = [(NOTHING, f" of {value}") for value in each] or self.table.owners(owned)
        for owner, whose in those:
            place = PlaceInfo(
                name + whose, name, name + whose, 0, owner, is_zone=True, active=node.active,
                seen=seen, facing=facing, refill_at_once=node.refill == "at_once",
                closed=node.closed,
            )  # fmt: skip
            self.table.places.append(place)

    def _check_zone(self, name: str, node: n.Zone, owned: bool) -> None:
        kind = node.kind.text
        if kind not in ("card", *self.table.kinds):
            kinds = ", ".join(("card", *self.table.kinds))
            text = f"A zone holds cards of one kind, or any `card`. It can be: {kinds}."
            title, hint = f"unknown kind of card `{kind}`", suggestion(kind, self.table.kinds)
            self.problems.append(Unresolved("E201", title, node.kind.span, text, hint, name=kind))
        if node.seen in ("owner", "others") and not owned:
            title = f"`{name}` has no owner"
            text = "It has no owner, so nobody is its `owner` and nobody one of the `others`."
            written = " ".join(node.span.text.split())
            hint = written.replace(f"zone {name}", f"zone {name} for each player", 1)
            self.report("E318", title, node.span, text, hint)
            self.table.errors.names.add(name)

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

    def _refill(self, name: str, node: n.Zone) -> None:
        table, word = self.table, node.refilled_from
        if word is None or name not in table.regions or word.text in table.errors:
            return
        own, other = table.regions[name], table.regions.get(word.text)
        fits = other is not None and other.is_zone and other is not own
        if other is None or not fits or (other.owned, other.values) != (own.owned, own.values):
            zones = [one.name for one in table.regions.values() if one.is_zone and one is not own]
            hint = suggestion(word.text, zones)
            if other is None:
                title, text = f"unknown zone `{word.text}`", "No zone has that name."
                wrong = Unresolved("E201", title, word.span, text, hint, name=word.text)
                self.problems.append(wrong)
                return
            title = f"`{word.text}` cannot refill `{name}`"
            text = "A zone can only be refilled from a zone with the same owner."
            self.report("E203", title, word.span, text, hint)
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
        """Whether the limits allow that many more spaces, zones or pieces; reports if not."""
        wanted = taken + size * (len(self.table.players) if owned else 1)
        if wanted > MOST_PLACES:
            text = (
                f"With `{name}` there are {wanted:,} spaces; at most {MOST_PLACES:,} are possible."
            )
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
        if region is None or region.is_zone or region.owned:
            text = "A set or relation needs a `space` without an owner."
            title = f"unknown board part `{word.text}`"
            hint = suggestion(word.text, self.table.boards())
            self.problems.append(Unresolved("E201", title, word.span, text, hint, name=word.text))
            return None
        return region

    def _elements(
        self, region: Region, numbers: Mapping[str, int], words: Iterable[n.Word]
    ) -> list[int]:
        """The places that words name; reports words that name none."""
        for word in words:
            if word.text not in numbers:
                first, *_, last = numbers if len(numbers) > 1 else [*numbers] * 2
                title = f"`{region.name}` has no space `{word.text}`"
                text = f"Its spaces are {first} to {last}."
                self.report("E205", title, word.span, text)
        return [numbers[word.text] for word in words if word.text in numbers]


def _numbers(region: Region) -> dict[str, int]:
    """The places of a region by their names."""
    return {label: region.base + number for number, label in enumerate(region.labels())}


def _of(
    declared: Mapping[Key, Effective], sort: type[Declaration]
) -> Iterator[tuple[str, Declaration]]:
    for (_, name), effective in declared.items():
        if isinstance(effective.node, sort):
            yield name, effective.node
