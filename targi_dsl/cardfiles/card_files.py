"""Reads card files, entry by entry with a cache."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import pairwise

from targi_dsl.cardfiles.cards import CardCache, CardEntry, CardFile, Entries
from targi_dsl.cardfiles.nodes import Mapping, Node, Scalar, Sequence
from targi_dsl.cardfiles.schema import shipped_schema, validate
from targi_dsl.cardfiles.yaml_files import read_yaml
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.source import Section, Source, Span

_OWN_KEYS = ("id", "for_each", "number", "copies", "name", "short", "text", "source")


def read_cards(
    source: Source, cache: CardCache | None = None
) -> tuple[CardFile | None, list[Problem]]:
    """The cards of a file and all problems; no cards if it violates schema/cards.json. Whether the
    rules declare the kind and its fields is checked elsewhere.
    """
    if cache is not None and (node := _read_by_entry(source, cache)) is not None:
        return _validate(node)
    whole, problems = read_yaml(source)
    if whole is None or (isinstance(whole, Scalar) and whole.value is None):
        return None, problems or [_empty(source)]
    # A refused value is null in the node, and must not be reported again.
    known = {problem.span.start for problem in problems if problem.span is not None}
    misfits = validate(whole, shipped_schema("cards"))
    problems += [one for one in misfits if one.span is None or one.span.start not in known]
    if problems or not isinstance(whole, Mapping):
        return None, problems
    return _validate(whole)


def _validate(node: Mapping) -> tuple[CardFile, list[Problem]]:
    file = _card_file(node)
    return file, [*_given_twice(file, "id", "E508"), *_given_twice(file, "number", "E509")]


# ---- entry by entry ----

_CARDS = re.compile(r"^cards:[ ]*(?:#.*)?\n(?:[ ]*(?:#.*)?\n)*(?P<indent>[ ]*)(?=- )", re.MULTILINE)


def _read_by_entry(source: Source, cache: CardCache) -> Mapping | None:
    """Reads a file entry by entry; None if it must be read as a whole, to report its problems."""
    cached = cache.files.get(source.name, {})
    found: Entries = defaultdict(list)
    pieces = _pieces(source.text)
    head = _read_head(Section(source, 0, pieces[0])) if pieces else None
    entries = [_entry(source, start, end, cached) for start, end in pairwise(pieces)]
    for entry in entries:
        if entry is not None:
            found[entry[0].text].append(entry)
    cache.files[source.name] = found
    limit = shipped_schema("cards")["properties"]["cards"]["maxItems"]
    if head is None or None in entries or len(entries) > limit:
        return None
    items = tuple(entry[1] for entry in entries if entry is not None)
    dash = source.text.index("-", pieces[0])
    cards = Sequence(items, source.span(dash, items[-1].span.end))
    whole = source.span(head.span.start, cards.span.end)
    return Mapping({**head.entries, "cards": cards}, head.keys, whole)


def _pieces(text: str) -> list[int]:
    """The beginnings of entries and the end of the last one; empty if the layout is not as
    expected.
    """
    begin = _CARDS.search(text)
    if begin is None or re.compile(r"^[^\s#-]", re.MULTILINE).search(text, begin.end()):
        return []
    first = begin.start("indent")
    starts = re.compile(rf"^{begin['indent']}- ", re.MULTILINE).finditer(text, first)
    return [*(start.start() for start in starts), len(text)]


def _read_head(section: Section) -> Mapping | None:
    """The part above the entries, if it is valid."""
    node, problems = read_yaml(section)
    if problems or not isinstance(node, Mapping):
        return None
    cards = Sequence((), node.keys["cards"])
    head = Mapping({**node.entries, "cards": cards}, node.keys, node.span)
    return None if validate(head, shipped_schema("cards")) else head


def _entry(source: Source, start: int, end: int, cached: Entries) -> tuple[Section, Mapping] | None:
    """An entry, from the cache if it is unchanged; None if it is invalid."""
    if candidates := cached.get(source.text[start:end]):
        section, card = candidates.pop(0)
        section.move(source, start)
        return section, card
    section = Section(source, start, end)
    node, problems = read_yaml(section)
    if problems or not isinstance(node, Sequence) or len(node.items) != 1:
        return None
    item = node.items[0]
    return (section, item) if isinstance(item, Mapping) and not _misfits(item) else None


def entry_of(node: Mapping) -> tuple[CardEntry | None, list[Problem]]:
    """The card that a node describes, or its problems."""
    misfits = _misfits(node)
    return (None if misfits else _card(node)), misfits


def _misfits(node: Mapping) -> list[Problem]:
    """Violations of the schema in an entry."""
    return validate(node, {"$ref": "#/$defs/card", "$defs": shipped_schema("cards")["$defs"]})


def _empty(source: Source) -> Problem:
    text = "The file is empty. The smallest card file is:"
    hint = "language: 2\nset: my_set\nkind: my_kind\ncards: []"
    return Problem("E500", "empty card file", source.span(0, 0), text, hint)


def _card_file(node: Mapping) -> CardFile:
    """The values of a valid file."""
    cards = node.entries["cards"]
    items = cards.items if isinstance(cards, Sequence) else ()
    return CardFile(
        set=_text(node, "set"),
        kind=_text(node, "kind"),
        cards=tuple(_card(item) for item in items if isinstance(item, Mapping)),
        source=_text(node, "source"),
        node=node,
    )


def _card(node: Mapping) -> CardEntry:
    return CardEntry(
        id=_text(node, "id"),
        number=_number(node, "number"),
        copies=_number(node, "copies") or 1,
        names=_texts(node.entries["name"]),
        shorts=_shorts(node.entries.get("short")),
        texts=_texts(node.entries.get("text")),
        fields={
            key: value
            for key, value in node.entries.items()
            if key not in _OWN_KEYS and isinstance(value, Scalar | Sequence)
        },
        sources=_text(node, "source") or _texts(node.entries.get("source")),
        node=node,
    )


def _text(node: Mapping, key: str) -> str:
    found = node.entries.get(key)
    return found.value if isinstance(found, Scalar) and isinstance(found.value, str) else ""


def _number(node: Mapping, key: str) -> int | None:
    found = node.entries.get(key)
    return found.value if isinstance(found, Scalar) and isinstance(found.value, int) else None


def _texts(node: Node | None) -> dict[str, str]:
    return {key: _text(node, key) for key in node.entries} if isinstance(node, Mapping) else {}


def _shorts(node: Node | None) -> dict[str, str]:
    """Short names by language; a single one is English, the fallback."""
    return {"en": str(node.value)} if isinstance(node, Scalar) else _texts(node)


def _given_twice(file: CardFile, key: str, code: str) -> list[Problem]:
    """Problems of cards with the value of `key` that an earlier card has."""
    first: dict[object, Span] = {}
    problems = []
    for card in file.cards:
        found = card.node.entries.get(key)
        if not isinstance(found, Scalar):
            continue
        earlier = first.setdefault(found.value, found.span)
        if earlier != found.span:
            text = f"Another card of this file has the {key} {found.value}."
            labels = (Label(earlier, "first given here"),)
            problems.append(Problem(code, f"{key} given twice", found.span, text, labels=labels))
    return problems
