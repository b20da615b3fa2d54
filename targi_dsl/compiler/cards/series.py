"""Expands series: entries of card files that stand for several cards (`for_each`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from math import prod
from typing import NamedTuple

from msgspec.structs import replace

from targi_dsl.cardfiles import CardEntry, Mapping, Scalar
from targi_dsl.compiler.cards.decks import MOST_CARDS, DeckCard, Words, with_copies
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.languages import words_of
from targi_dsl.text.source import Embedded, Span
from targi_dsl.text.suggestions import suggestion

_PART = re.compile(r"\s*(?P<field>[a-z][a-z0-9_]*)(?:\s+(?P<low>\d+)\s+to\s+(?P<high>\d+))?\s*$")
_SHORT = 8


class _Axis(NamedTuple):
    """A field of a series, its span, and its values on successive cards."""

    field: str
    span: Span
    values: tuple[str | int, ...]


def expand_series(
    cards: tuple[DeckCard, ...], words: Words, problems: list[Problem]
) -> tuple[DeckCard, ...]:
    """The cards of a set, with each series replaced by its cards."""
    entries = {card.entry.id: card for card in cards}
    series = {name: card for name, card in entries.items() if "for_each" in card.entry.node.entries}
    if not series:
        return cards
    made = {name: _series(card, words, problems) for name, card in series.items()}
    return with_copies(one for card in entries.values() for one in made.get(card.entry.id, (card,)))


def _series(card: DeckCard, words: Words, problems: list[Problem]) -> tuple[DeckCard, ...]:
    for_each = card.entry.node.entries["for_each"]
    if not isinstance(for_each, Scalar):
        return ()
    axes: list[_Axis] = []
    start = 0
    for part in str(for_each.value).split(","):
        axis_or_problem = _axis(card, for_each, start, part, words)
        start += len(part) + 1
        if isinstance(axis_or_problem, Problem):
            problems.append(axis_or_problem)
            return ()
        axes.append(axis_or_problem)
    count = prod(len(axis.values) for axis in axes)
    if count > MOST_CARDS:
        title, text = f"{count:,} cards are too many", f"A set has at most {MOST_CARDS} cards."
        problems.append(Problem("E506", title, for_each.span, text))
        return ()
    return tuple(
        card.with_entry(_entry(card.entry, axes, values))
        for values in product(*(axis.values for axis in axes))
    )


def _axis(card: DeckCard, for_each: Scalar, start: int, part: str, words: Words) -> _Axis | Problem:
    """Parses one part of a series, such as `colour` or `number 2 to 10`."""
    span = for_each.text.span(start, start + len(part))
    match = _PART.match(part)
    if match is None:
        text = "A series gives fields, each with a list of values or a range of numbers:"
        hint = "for_each: colour, number 2 to 10"
        return Problem("E506", f"`{part.strip()}` is not a series", span, text, hint)
    field = match["field"]
    at = for_each.text.span(start + match.start("field"), start + match.end("field"))
    known = [*words.kinds.get(card.kind, ()), "number"]
    if field not in known:
        text = f"Kind {card.kind} has: {', '.join(known)}."
        return Problem("E510", f"unknown field `{field}`", at, text, suggestion(field, known))
    if match["low"] is not None:
        return _Axis(field, at, tuple(range(int(match["low"]), int(match["high"]) + 1)))
    type_ = words.type([card.kind], field)
    if type_ is not None and type_.form == "range":
        return _Axis(field, at, tuple(range(type_.low, type_.high + 1)))
    if type_ is None or type_.form != "name" or not words.names.get(type_.name):
        text = "Its values are not a list. Give a range of numbers:"
        return Problem("E506", f"each `{field}`?", at, text, f"{field} 1 to 10")
    return _Axis(field, at, words.names[type_.name])


def _entry(entry: CardEntry, axes: list[_Axis], values: tuple[str | int, ...]) -> CardEntry:
    """The entry of one card of a series; its id and names contain its values."""
    given = {axis.field: value for axis, value in zip(axes, values, strict=True)}
    spans = {axis.field: axis.span for axis in axes}
    name = "_".join([entry.id, *map(str, values)])
    scalars = {field: _scalar(value, spans[field]) for field, value in given.items()}
    entries = {**entry.node.entries, "id": _scalar(name, entry.node.entries["id"].span), **scalars}
    node = Mapping(entries, {**entry.keys, **spans}, entry.span)
    number = given.get("number", entry.number)
    return replace(
        entry,
        id=name,
        number=number if isinstance(number, int) else None,
        names=dict(_fill_in(entry.names, given)),
        shorts=dict(_fill_in(entry.shorts, given)) or _short(entry.names.get("en", ""), values),
        texts=dict(_fill_in(entry.texts, given)),
        fields={**entry.fields, **{key: one for key, one in scalars.items() if key != "number"}},
        node=node,
    )


def _scalar(value: str | int, span: Span) -> Scalar:
    return Scalar(value, span, Embedded(span.home, "", (span.first,)))


def _fill_in(texts: dict[str, str], given: dict[str, str | int]) -> Iterator[tuple[str, str]]:
    """The texts with this card's values in place of fields in braces. Only English is filled in:
    values are translated separately for the other languages.
    """
    for language, text in texts.items():
        for field, value in given.items() if language == "en" else ():
            text = text.replace(f"{{{field}}}", words_of(str(value)))
        yield language, text


def _short(name: str, values: tuple[str | int, ...]) -> dict[str, str]:
    """A short name made of the values, truncated to its maximal length: `red 2`, `yello 10`. None
    if the name has other words at its beginning or end: `red bet`.
    """
    if name and not (name.startswith("{") and name.endswith("}")):
        return {}
    first, *others = map(words_of, map(str, values))
    rest = "".join(f" {one}" for one in others)[: _SHORT - 1]
    return {"en": first[: _SHORT - len(rest)] + rest}
