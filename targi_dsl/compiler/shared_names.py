"""Name clashes: which sorts of things share a namespace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from targi_dsl.compiler.changes import Effective, Key
from targi_dsl.compiler.sorts import names
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.source import Span

THINGS = (
    "player", "resource", "group of resources", "pool", "list of values", "value",
    "kind of card", "space", "zone", "piece", "variable", "set", "relation", "definition",
)  # fmt: skip
"""Sorts that a bare name, `X of ...` or the name of a type can refer to."""
DEEDS = ("rule", "card", "standing ability")
"""Sorts that `do` and the ids of answers refer to."""
STOCKS: tuple[tuple[tuple[str, ...], str], ...] = (
    (THINGS, "A name stands for one thing or definition of a game."),
    (
        DEEDS,
        "Rules, standing abilities and cards are called by their names alone, and so are answers.",
    ),
    (
        ("score", "card", "standing ability"),
        "What cards and standing abilities score is listed under their names.",
    ),
    (("field", "variable", "definition"), "Of a card it would not be said which is meant."),
)
"""Sorts that share a namespace, and why. Clashes within a sort are reported where it is entered."""

_NO_STOCK = ("option", "option value", "prohibition", "exchange")
"""Sorts with a namespace of their own."""


def twins(
    declared: Mapping[Key, Effective], ids: Mapping[str, Span]
) -> Iterator[tuple[str, Problem]]:
    """Reports names used for two things of one namespace, each once; `ids` are those of the
    cards.
    """
    places: dict[str, dict[str, Span]] = {}  # sorts and first places of each name
    for effective in declared.values():
        for sort, word in names(effective.node):
            if sort in _NO_STOCK:
                continue
            places.setdefault(word.text, {}).setdefault(sort, word.span)
    for name, span in ids.items():
        if name in places:
            places[name].setdefault("card", span)
    for name, found in places.items():
        clash = next(_clashes(found), None)
        if clash is None:
            continue
        one, other, why = clash
        title = f"`{name}` is a {one} and a {other}"
        label = Label(found[one], f"a {one} here")
        code = "E530" if other == "card" else "E202"
        yield (
            name,
            Problem(code, title, found[other], f"{why} Another name is needed.", labels=(label,)),
        )


def _clashes(found: Mapping[str, Span]) -> Iterator[tuple[str, str, str]]:
    for stock, why in STOCKS:
        there = [sort for sort in found if sort in stock]
        if len(there) > 1:
            yield there[0], there[1], why
