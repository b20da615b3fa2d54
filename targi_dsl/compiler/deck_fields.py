"""Card fields in deck expressions: filters, and draws of each value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import ge, gt, le, lt
from typing import assert_never

from targi_dsl.cardfiles import CardEntry, Scalar, Sequence, single_values
from targi_dsl.compiler.changes import Effective, Key
from targi_dsl.compiler.sorts import names as names_of_sort
from targi_dsl.syntax import ast as n
from targi_dsl.syntax import parse_ability, parse_action, parse_cost
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.light import dataclass
from targi_dsl.text.source import Span, Text
from targi_dsl.text.suggestions import suggestion

_TRUTH = ("no", "yes")
SENTENCES = ("action", "ability")
_OTHER_WAY = {"is": "has", "is_not": "has no", "has": "is", "has_no": "is not"}
_ORDER: Mapping[str, Callable[[int, int], bool]] = {
    "at_least": ge, "at_most": le, "more_than": gt, "less_than": lt,
}  # fmt: skip

TypeOf = Callable[[n.Word], n.Type | None]
"""Gives the type of a field of the cards in question."""


@dataclass(frozen=True, slots=True)
class Words:
    """What deck expressions can ask about cards: the fields of each kind, and the names of each
    type.
    """

    kinds: Mapping[str, Mapping[str, n.Type]]
    names: Mapping[str, tuple[str, ...]]
    resources: tuple[str, ...]
    """What amounts in a cost can name: resources, and groups of them."""
    plurals: Mapping[str, str]
    """The names of resources and groups by their singular."""
    declared: tuple[str, ...]
    """Every name that the rules declare."""

    @staticmethod
    def of(declared: Mapping[Key, Effective]) -> Words:
        """Collects them from a game's effective declarations."""
        kinds: dict[str, Mapping[str, n.Type]] = {}
        names: dict[str, tuple[str, ...]] = {"truth": _TRUTH, "player": (), "resource": ()}
        groups: tuple[str, ...] = ()
        plurals: dict[str, str] = {}
        for (_, name), effective in declared.items():
            match effective.node:
                case n.CardKind() as kind:
                    kinds[name] = {one.name.text: one.type for one in kind.fields}
                case n.Values() as values:
                    names[name] = tuple(word.text for word in values.members)
                case n.Players() as players:
                    names["player"] = tuple(word.text for word in players.names)
                case n.Resources() as resources:
                    names["resource"] += tuple(word.text for word in resources.names)
                    group = () if resources.group is None else (resources.group,)
                    groups += tuple(word.text for word in group)
                    counted = (*resources.names, *group)
                    plurals.update(
                        (one.singular.text, one.text) for one in counted if one.singular is not None
                    )
        known = (word.text for one in declared.values() for _, word in names_of_sort(one.node))
        return Words(kinds, names, (*names["resource"], *groups), plurals, tuple(known))

    def type(self, kinds: Iterable[str], field: str) -> n.Type | None:
        """The type of a field on cards of these kinds; None if it is not declared."""
        return next(
            (self.kinds[kind][field] for kind in kinds if field in self.kinds.get(kind, ())), None
        )

    def plural(self, word: n.Word) -> str:
        """The resource or group that a word of an amount names."""
        return self.plurals.get(word.text, word.text)


def fields(entry: CardEntry) -> set[str]:
    """The fields that a card has."""
    return {*entry.fields, *(["number"] if entry.number else [])}


def missing(word: n.Word, entries: Iterable[CardEntry]) -> Problem | None:
    """The problem of a field that does not exist on any card."""
    known = sorted({name for entry in entries for name in fields(entry)})
    if word.text in known:
        return None
    text = f"The cards have: {', '.join(known)}."
    hint = suggestion(word.text, known)
    return Problem("E520", f"no card has a `{word.text}`", word.span, text, hint)


def said(entry: CardEntry, field: str, type_: n.Type | None, words: Words) -> set[str]:
    """The names in a field of a card; for a cost, only of resources that must be paid, which
    excludes the optional extra.
    """
    if field == "number":
        return {str(entry.number)} if entry.number else set()
    given = entry.fields.get(field)
    if type_ is not None and type_.name in SENTENCES:
        return {word for it in single_values(given) for word in _words(it.text, type_.name, words)}
    if type_ is not None and type_.name == "truth":
        return {_TRUTH[isinstance(given, Scalar) and given.value is True]}
    if isinstance(given, Sequence):
        return {str(item.value) for item in single_values(given)}
    if not isinstance(given, Scalar):
        return set()
    if type_ is not None and type_.name == "cost":
        price, _ = parse_cost(given.text)
        ways = price.alternatives if price is not None else ()
        return {words.plural(amount.resource) for way in ways for amount in way}
    return {str(given.value)}


def _words(text: Text, sort: str, words: Words) -> Iterator[str]:
    """The names in a sentence on a card."""
    found, _ = parse_action(text) if sort == "action" else parse_ability(text)
    for node in found if isinstance(found, tuple) else (found,):
        for part in node.walk() if node is not None else ():
            if isinstance(part, n.Name | n.Word):
                yield part.text
            elif isinstance(part, n.Amount):
                yield words.plural(part.resource)


def holds(entry: CardEntry, node: n.DeckCondition, type_of: TypeOf, words: Words) -> bool:
    """Whether a card passes a filter."""
    match node:
        case n.DeckNot():
            return not holds(entry, node.condition, type_of, words)
        case n.DeckLogic(op="or"):
            return any(holds(entry, one, type_of, words) for one in node.parts)
        case n.DeckLogic():
            return all(holds(entry, one, type_of, words) for one in node.parts)
        case n.DeckTest():
            return _passes(said(entry, node.field.text, type_of(node.field), words), node)
        case _:
            assert_never(node)


def _passes(said_: set[str], node: n.DeckTest) -> bool:
    value = node.value.text
    value = str(int(value)) if value.isdecimal() else value
    if node.op in _ORDER:
        return any(_ORDER[node.op](int(one), int(value)) for one in said_ if one.isdecimal())
    return (value in said_) == (node.op in ("is", "has"))


def wrong(node: n.DeckTest, type_: n.Type, words: Words) -> Problem | None:
    """The problem of a filter that a field of this type can never satisfy."""
    field, value, span = node.field.text, node.value.text, node.value.span
    number = type_.form == "range" or type_.name == "number"
    if node.op in _ORDER and not number:
        text = "Only numbers are more or less than others."
        return Problem("E535", f"`{field}` is no number", node.field.span, text)
    sentence = type_.name in SENTENCES
    several = type_.form == "list" or type_.name == "cost" or sentence
    if several != node.op.startswith("has"):
        what, way = ("several things", "has") if several else ("one value", "is")
        hint = f"where {field} {_OTHER_WAY[node.op]} {value}"
        hint = "" if value.isdecimal() and several else hint
        text = f"A filter by it says `{way}`" + (":" if hint else ".")
        return Problem("E535", f"`{field}` is {what}", node.field.span, text, hint)
    if number:
        return _no_number(field, value, span, type_)
    sort, known = type_.name, words.names.get(type_.name, ())
    if type_.name == "cost":
        sort, known = "resource", words.resources
    if sentence:
        sort, known = "name", words.declared
    if value in known or not known:
        return None
    listed = f"It can be: {', '.join(known)}."
    if sentence:
        listed = "The rules declare nothing of that name."
    code = "E513" if sort == type_.name else "E201"
    return Problem(code, f"unknown {sort} `{value}`", span, listed, suggestion(value, known))


def _no_number(field: str, value: str, span: Span, type_: n.Type) -> Problem | None:
    ranged = type_.form == "range"
    bounds = f" from {type_.low} to {type_.high}" if ranged else ""
    text = f"`{field}` is a number{bounds}."
    if not value.isdecimal():
        return Problem("E503", "a number is needed here", span, text)
    if ranged and not type_.low <= int(value) <= type_.high:
        return Problem("E512", f"{value} is out of range", span, text)
    return None


def piles(
    word: n.Word, entries: tuple[CardEntry, ...], type_: n.Type | None, words: Words
) -> dict[str, list[int]] | Problem:
    """The positions of the cards with each value of a field: of every value of its type, or for
    numbers of every number that occurs.
    """
    field = word.text
    if (problem := missing(word, entries)) is not None and (type_ is None or type_.name != "truth"):
        return problem
    if type_ is not None and (type_.form == "list" or type_.name in ("cost", *SENTENCES)):
        text = "A draw of each goes by a field with one value: a name, a number, or yes or no."
        return Problem("E535", f"no draw goes by each `{field}`", word.span, text)
    found: dict[str, list[int]] = {}
    if type_ is not None and type_.name not in ("player", "resource"):
        found.update((value, []) for value in words.names.get(type_.name, ()))
    for at, entry in enumerate(entries):
        values = said(entry, field, type_, words)
        if not values:
            text = "So it is not said with which cards it is to be drawn."
            return Problem("E520", f"card `{entry.id}` has no `{field}`", word.span, text)
        found.setdefault(values.pop(), []).append(at)
    return found
