"""The things of a game, numbered: players, resources, values, card kinds, places, pieces, sets,
relations, options.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from targi_dsl.compiler import shared_names
from targi_dsl.compiler.changes import Effective, Key
from targi_dsl.compiler.error_symbols import ErrorSymbols, Unresolved
from targi_dsl.compiler.sheets import Written
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import PieceInfo, PlaceInfo
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.source import Source, Span
from targi_dsl.text.suggestions import did_you_mean, suggestion

LARGEST_AMOUNT = 9999
LARGEST_REGION = 1024
MOST_PLACES = 4096
"""Spaces and zones of all players together; so many pieces there may be as well."""
MOST_PLAYERS = 32
MOST_RELATED = 100_000
"""Pairs of spaces of a relation."""
TYPE_WORDS = (
    "number",
    "truth",
    "player",
    "space",
    "card",
    "piece",
    "resource",
    "cost",
    "action",
    "ability",
)


@dataclass(frozen=True, slots=True)
class Region:
    """A declared space or zone: places base .. , `size` for each owner."""

    name: str
    base: int
    size: int
    owned: bool
    is_zone: bool
    shape: str
    rows: int
    columns: int
    kind: str

    def of(self, player: int) -> tuple[int, ...]:
        """The places of one player, or all if nobody owns them."""
        start = self.base + (player * self.size if self.owned else 0)
        return tuple(range(start, start + self.size))


@dataclass(frozen=True, slots=True)
class PieceKind:
    name: str
    ids: tuple[int, ...]
    per_player: int  # 0: nobody owns them


@dataclass(slots=True)
class World:
    """Everything that has a number; filled by `number_things`."""

    players: tuple[str, ...] = ()
    resources: list[str] = field(default_factory=list)
    groups: dict[str, tuple[int, ...]] = field(default_factory=dict)
    values: dict[str, tuple[str, ...]] = field(default_factory=dict)
    kinds: dict[str, dict[str, n.Field]] = field(default_factory=dict)
    places: list[PlaceInfo] = field(default_factory=list)
    regions: dict[str, Region] = field(default_factory=dict)
    pieces: list[PieceInfo] = field(default_factory=list)
    piece_kinds: dict[str, PieceKind] = field(default_factory=dict)
    sets: dict[str, tuple[int, ...]] = field(default_factory=dict)
    relations: dict[str, dict[int, tuple[int, ...]]] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    option_values: dict[str, tuple[str, ...]] = field(default_factory=dict)
    errors: ErrorSymbols = field(default_factory=ErrorSymbols)

    def group_number(self, name: str) -> int:
        """The item number of a group."""
        return len(self.resources) + list(self.groups).index(name)

    def values_with(self, member: str) -> list[str]:
        return [name for name, members in self.values.items() if member in members]


def element_name(region: Region, number: int) -> str:
    """What the element with that number (from 0) is called: 1, 2, ... or b2: column b, row 2."""
    if region.is_zone or region.shape != "grid":
        return str(number + 1)
    return f"{_letters(number % region.columns)}{number // region.columns + 1}"


def _letters(number: int) -> str:
    return ("" if number < 26 else chr(96 + number // 26)) + chr(97 + number % 26)


def number_things(
    declared: Mapping[Key, Effective],
    chosen: Mapping[str, n.SheetOption | str],
    boxes: Iterable[tuple[str, str]],
    ids: Mapping[str, Span],
    errors: ErrorSymbols,
) -> tuple[World, list[Problem]]:
    """The world of effective declarations; `chosen` has the values the sheet gives to options.

    `ids` are those of the cards in the decks, and `refused` names whose declaration has been found
    at fault already.
    """
    world, problems = World(errors=errors), list[Problem]()
    for twin, problem in shared_names.twins(declared, ids):
        world.errors.names.add(twin)
        problems.append(problem)
    for (sort, name), effective in declared.items():
        node = effective.node
        match node:
            case n.Players():
                world.players = tuple(word.text for word in node.names[:MOST_PLAYERS])
                if len(node.names) > MOST_PLAYERS:
                    text = f"At most {MOST_PLAYERS} can play; here are {len(node.names):,}."
                    problems.append(Problem("E303", "too many players", node.span, text))
                    world.errors.names.update(word.text for word in node.names)
                if len(set(world.players)) != len(world.players):
                    problems.append(
                        Problem(
                            "E202",
                            "two players have one name",
                            node.span,
                            "Each player needs a name.",
                        )
                    )
            case n.Resources(group=None):
                _resource(world, name, node.span, problems)
            case n.Resources(group=n.Word() as group):
                for word in node.names:
                    _resource(world, word.text, word.span, problems)
                world.groups[group.text] = tuple(
                    world.resources.index(word.text) for word in node.names
                )
            case n.Values():
                world.values[name] = tuple(word.text for word in node.members)
                _no_twins(node.members, problems)
            case n.CardKind():
                world.kinds[name] = {one.name.text: one for one in node.fields}
                _no_twins([one.name for one in node.fields], problems)
            case n.Option():
                _no_twins(node.values, problems)
                if len(node.values) == 1:
                    text = "With one value there is nothing to choose."
                    hint = f"option {name}: {node.values[0].text} or ..."
                    problems.append(
                        Problem("E319", f"option `{name}` has one value", node.span, text, hint)
                    )
                world.option_values[name] = tuple(word.text for word in node.values)
                world.options[name] = node.values[0].text
            case _:
                pass
        if sort != "option" and name in TYPE_WORDS:
            problems.append(
                Problem(
                    "E206",
                    f"`{name}` is the name of a type",
                    node.span,
                    "Nothing else can have that name.",
                )
            )
            world.errors.names.add(name)
    _choose_options(world, chosen, problems)
    for name, effective in _of(declared, "space"):
        assert isinstance(effective.node, n.Space)
        _space(world, name, effective.node, problems)
    for name, effective in _of(declared, "zone"):
        assert isinstance(effective.node, n.Zone)
        _zone(world, name, effective.node, problems)
    for name, zone in boxes:
        world.regions[name] = Region(name, len(world.places), 1, False, True, "", 1, 1, "card")
        world.places.append(
            PlaceInfo(
                name,
                name,
                name,
                0,
                NOTHING,
                True,
                False,
                "nobody",
                "down",
                NOTHING,
                False,
                1,
                1,
                drawn_for=zone,
            )
        )
    _refills(world, declared, problems)
    for name, effective in _of(declared, "piece"):
        assert isinstance(effective.node, n.Piece)
        _piece(world, name, effective.node, problems)
    for name, effective in _of(declared, "set"):
        assert isinstance(effective.node, n.SpaceSet)
        region = _region(world, effective.node.region, problems)
        if region:
            found = [_element(region, word, problems) for word in effective.node.elements]
            world.sets[name] = tuple(sorted({one for one in found if one is not None}))
        else:
            world.errors.names.add(name)
    for name, effective in _of(declared, "relation"):
        assert isinstance(effective.node, n.Relation)
        _relation(world, name, effective.node, problems)
    return world, problems


def check_players(world: World, written: Written) -> None:
    """Somebody must play."""
    if not world.players:
        title, text = "the game has no players", "A module must say who plays."
        hint = "players one, two"
        problem = Unresolved("E210", title, written.span, text, hint, name="players")
        written.problems.append(problem)


def _of(declared: Mapping[Key, Effective], sort: str) -> list[tuple[str, Effective]]:
    return [(name, effective) for (kind, name), effective in declared.items() if kind == sort]


def _no_twins(words: Iterable[n.Word], problems: list[Problem]) -> None:
    seen: dict[str, Span] = {}
    for word in words:
        if word.text in seen:
            label = (Label(seen[word.text], "first here"),)
            problems.append(
                Problem(
                    "E202",
                    f"`{word.text}` stands twice",
                    word.span,
                    "Once is enough.",
                    labels=label,
                )
            )
        seen.setdefault(word.text, word.span)


def _resource(world: World, name: str, span: Span, problems: list[Problem]) -> None:
    if name in world.resources:
        problems.append(
            Problem("E202", f"`{name}` is a resource already", span, "A resource is declared once.")
        )
    else:
        world.resources.append(name)


def _choose_options(
    world: World, chosen: Mapping[str, n.SheetOption | str], problems: list[Problem]
) -> None:
    for name, given in chosen.items():
        value = given if isinstance(given, str) else given.value.text
        if name not in world.options:
            text = f"The options are: {', '.join(world.options) or 'none'}."
            hint = suggestion(name, world.options)
            span = _given(name, given)[0] if isinstance(given, str) else given.option.span
            title = f"unknown option `{name}`"
            problems.append(Unresolved("E410", title, span, text, hint, name=name))
        elif value not in world.option_values[name]:
            values = world.option_values[name]
            hint = suggestion(value, values, f"Usually it is `{values[0]}`.")
            span = _given(name, given)[1] if isinstance(given, str) else given.value.span
            text = f"It can be: {', '.join(values)}."
            problems.append(
                Problem("E411", f"option `{name}` cannot be `{value}`", span, text, hint)
            )
        else:
            world.options[name] = value


def _given(option: str, value: str) -> tuple[Span, Span]:
    """An option and its value that no file has, but whoever asks for the game."""
    source = Source("--option", f"{option}={value}")
    return source.span(0, len(option)), source.span(len(option) + 1, len(source.text))


def _each_player(world: World, each: n.Word | None, problems: list[Problem]) -> bool:
    if each is not None and each.text != "player":
        text = f"Only `for each player` can stand here, not `for each {each.text}`."
        problems.append(
            Problem("E203", "this cannot be owned by that", each.span, text, "for each player")
        )
    return each is not None


def _has_room(
    world: World, taken: int, size: int, owned: bool, name: str, span: Span, problems: list[Problem]
) -> bool:
    """Whether so many more spaces, zones or pieces are possible; told if not."""
    wanted = taken + size * (len(world.players) if owned else 1)
    if wanted > MOST_PLACES:
        text = f"With `{name}` there are {wanted:,}; at most {MOST_PLACES:,} are possible."
        problems.append(Problem("E303", "too many in all", span, text))
        world.errors.names.add(name)
    return wanted <= MOST_PLACES


def _space(world: World, name: str, node: n.Space, problems: list[Problem]) -> None:
    owned = _each_player(world, node.each, problems)
    size = node.rows * node.columns
    if not 1 <= size <= LARGEST_REGION:
        text = f"A region has from 1 to {LARGEST_REGION} spaces."
        problems.append(Problem("E303", f"`{name}` has {size} spaces", node.span, text))
        world.errors.names.add(name)
        return
    if not _has_room(world, len(world.places), size, owned, name, node.span, problems):
        return
    region = Region(
        name, len(world.places), size, owned, False, node.shape, node.rows, node.columns, ""
    )
    world.regions[name] = region
    for owner in range(len(world.players)) if owned else (NOTHING,):
        for number in range(size):
            label = element_name(region, number)
            whose = f" of {world.players[owner]}" if owned else ""
            row, column = divmod(number, node.columns)
            world.places.append(
                PlaceInfo(
                    f"{name} {label}{whose}",
                    name,
                    label,
                    number,
                    owner,
                    False,
                    node.active,
                    "all",
                    "up",
                    NOTHING,
                    False,
                    row + 1,
                    column + 1,
                )
            )


def _zone(world: World, name: str, node: n.Zone, problems: list[Problem]) -> None:
    owned = _each_player(world, node.each, problems)
    kind = node.kind.text
    if kind not in ("card", *world.kinds):
        text = "A zone says which kind of card lies in it."
        title, hint = f"unknown kind of card `{kind}`", suggestion(kind, world.kinds)
        problems.append(Unresolved("E201", title, node.kind.span, text, hint, name=kind))
    if node.seen == "owner" and not owned:
        text = "It belongs to nobody, so no owner can see it."
        problems.append(
            Problem(
                "E318",
                f"`{name}` has no owner",
                node.span,
                text,
                f"zone {name} for each player: ...",
            )
        )
    seen = node.seen or ("nobody" if node.facing == "down" else "all")
    facing = node.facing or ("up" if seen == "all" else "down")
    if not _has_room(world, len(world.places), 1, owned, name, node.span, problems):
        return
    region = Region(name, len(world.places), 1, owned, True, "", 1, 1, node.kind.text)
    world.regions[name] = region
    for owner in range(len(world.players)) if owned else (NOTHING,):
        label = name + (f" of {world.players[owner]}" if owned else "")
        world.places.append(
            PlaceInfo(
                label,
                name,
                label,
                0,
                owner,
                True,
                node.active,
                seen,
                facing,
                NOTHING,
                node.refill == "at_once",
                1,
                1,
            )
        )


def _refills(world: World, declared: Mapping[Key, Effective], problems: list[Problem]) -> None:
    for name, effective in _of(declared, "zone"):
        node = effective.node
        if not isinstance(node, n.Zone) or node.refilled_from is None or name not in world.regions:
            continue
        other = world.regions.get(node.refilled_from.text)
        if node.refilled_from.text in world.errors:
            continue
        own_region = world.regions[name]
        if (
            other is None
            or not other.is_zone
            or other is own_region
            or other.owned != own_region.owned
        ):
            zones = [
                one.name for one in world.regions.values() if one.is_zone and one is not own_region
            ]
            hint = suggestion(node.refilled_from.text, zones)
            title = f"`{node.refilled_from.text}` cannot refill `{name}`"
            text = "A zone is refilled from another zone with the same owners."
            problems.append(Problem("E203", title, node.refilled_from.span, text, hint))
            continue
        for place in range(len(world.players) if other.owned else 1):
            own, theirs = world.regions[name].base + place, other.base + place
            world.places[own] = replace(world.places[own], refill=theirs)


def _piece(world: World, name: str, node: n.Piece, problems: list[Problem]) -> None:
    owned = _each_player(world, node.each, problems)
    first = len(world.pieces)
    if not 1 <= node.number <= LARGEST_REGION:
        problems.append(
            Problem(
                "E303",
                f"{node.number} pieces",
                node.span,
                f"From 1 to {LARGEST_REGION} are possible.",
            )
        )
        world.errors.names.add(name)
        return
    if not _has_room(world, first, node.number, owned, name, node.span, problems):
        return
    for owner in range(len(world.players)) if owned else (NOTHING,):
        for number in range(node.number):
            label = name + (f" {number + 1}" if node.number > 1 else "")
            label += f" of {world.players[owner]}" if owned else ""
            world.pieces.append(PieceInfo(label, name, owner))
    world.piece_kinds[name] = PieceKind(
        name, tuple(range(first, len(world.pieces))), node.number if owned else 0
    )


def _region(world: World, word: n.Word, problems: list[Problem]) -> Region | None:
    if word.text in world.errors:
        return None
    region = world.regions.get(word.text)
    if region is None or region.is_zone or region.owned:
        boards = [one.name for one in world.regions.values() if not one.is_zone]
        text = "A set or relation is on a `space` that belongs to nobody."
        title, hint = f"unknown board part `{word.text}`", suggestion(word.text, boards)
        problems.append(Unresolved("E201", title, word.span, text, hint, name=word.text))
        return None
    return region


def _element(region: Region, word: n.Word, problems: list[Problem]) -> int | None:
    names = {element_name(region, number): number for number in range(region.size)}
    if word.text not in names:
        text = (
            f"Its spaces are {element_name(region, 0)} to {element_name(region, region.size - 1)}."
        )
        problems.append(
            Problem("E205", f"`{region.name}` has no space `{word.text}`", word.span, text)
        )
        return None
    return region.base + names[word.text]


def _relation(world: World, name: str, node: n.Relation, problems: list[Problem]) -> None:
    source, target = _region(world, node.source, problems), _region(world, node.target, problems)
    if source is None or target is None:
        world.errors.names.add(name)
        return
    related = sum(len(pair.left) * len(pair.right) for pair in node.pairs)
    if related > MOST_RELATED:
        text = f"A relation has at most {MOST_RELATED:,} pairs; this one has {related:,}."
        problems.append(Problem("E303", "too many pairs", node.span, text))
        world.errors.names.add(name)
        return
    found: dict[int, set[int]] = {}
    for pair in node.pairs:
        left = [_element(source, word, problems) for word in pair.left]
        right = [_element(target, word, problems) for word in pair.right]
        for a in left:
            for b in right:
                if a is None or b is None:
                    continue
                found.setdefault(a, set()).add(b)
                if node.both_ways:
                    found.setdefault(b, set()).add(a)
    world.relations[name] = {place: tuple(sorted(those)) for place, those in found.items()}


def finder(names: Iterable[str]) -> Callable[[str], str]:
    """A hint with the nearest of the names, or no hint."""
    known = tuple(names)

    def hint(word: str) -> str:
        near = did_you_mean(word, known)
        return f"Did you mean `{near}`?" if near else ""

    return hint
