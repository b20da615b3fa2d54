"""Card fields in deck expressions: what they say, draws of each value, conditions on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import ge, gt, le, lt

from targi_dsl.cardfiles import CardEntry, Scalar, Sequence, single_values
from targi_dsl.compiler.layers.changes import Effective, Key
from targi_dsl.compiler.layers.sorts import names as names_of_sort
from targi_dsl.syntax import ast as n
from targi_dsl.syntax import parse_ability, parse_action, parse_cost
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.light import dataclass
from targi_dsl.text.source import Span, Text
from targi_dsl.text.suggestions import suggestion

TRUTH = ("no", "yes")
SENTENCES = ("action", "ability")
"""Types of fields that hold sentences, which are lowered elsewhere."""


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
        names: dict[str, tuple[str, ...]] = {"truth": TRUTH, "player": (), "resource": ()}
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


def missing_field(word: n.Word | n.Name, entries: Iterable[CardEntry]) -> Problem | None:
    """The problem of a field that does not exist on any card."""
    known = sorted({name for entry in entries for name in fields(entry)})
    if word.text in known:
        return None
    text = f"The cards have: {', '.join(known)}."
    hint = suggestion(word.text, known)
    return Problem("E520", f"no card has a `{word.text}`", word.span, text, hint)


def names_in_field(entry: CardEntry, field: str, type_: n.Type | None, words: Words) -> set[str]:
    """The names in a field of a card; for a cost, only of resources that must be paid, which
    excludes the optional extra.
    """
    if field == "number":
        return {str(entry.number)} if entry.number else set()
    given = entry.fields.get(field)
    if type_ is not None and type_.name in SENTENCES:
        return {word for it in single_values(given) for word in _words(it.text, type_.name, words)}
    if type_ is not None and type_.name == "truth":
        return {TRUTH[isinstance(given, Scalar) and given.value is True]}
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


def piles(
    word: n.Word, entries: tuple[CardEntry, ...], type_: n.Type | None, words: Words
) -> dict[str, list[int]] | Problem:
    """The positions of the cards with each value of a field: of every value of its type, or for
    numbers of every number that occurs.
    """
    field = word.text
    if (problem := missing_field(word, entries)) is not None and (
        type_ is None or type_.name != "truth"
    ):
        return problem
    if type_ is not None and (type_.form == "list" or type_.name in ("cost", *SENTENCES)):
        text = "`draw N of each` needs a field with one value: a name, a number, or yes or no."
        return Problem("E535", f"cannot draw some of each `{field}`", word.span, text)
    found: dict[str, list[int]] = {}
    if type_ is not None and type_.name not in ("player", "resource"):
        found.update((value, []) for value in words.names.get(type_.name, ()))
    for at, entry in enumerate(entries):
        values = names_in_field(entry, field, type_, words)
        if not values:
            text = "So it is unclear which cards it would be drawn with."
            return Problem("E520", f"card `{entry.id}` has no `{field}`", word.span, text)
        found.setdefault(values.pop(), []).append(at)
    return found


_ORDER: Mapping[str, Callable[[int, int], bool]] = {
    "at_least": ge,
    "at_most": le,
    "more_than": gt,
    "less_than": lt,
}
_WITHIN = ("in", "not_in")
_NOT = ("is_not", "not_in")

TypeOf = Callable[[n.Name], n.Type | None]
"""Gives the type of a field of the cards in question."""


@dataclass(frozen=True, slots=True)
class Test:
    """`FIELD is VALUE` or another comparison; `VALUE is in FIELD`."""

    field: n.Name
    op: n.BinaryOperator
    value: str
    span: Span


def faults(
    node: n.Expr, entries: tuple[CardEntry, ...], type_of: TypeOf, words: Words
) -> Iterator[Problem]:
    """The problems of a filter."""
    for one in _leaves(node):
        test = _test(one)
        if test is None:
            yield _no_test(one)
        elif (type_ := type_of(test.field)) is None:
            yield from filter(None, [missing_field(test.field, entries)])
        else:
            yield from filter(None, [_wrong(test, type_, words)])


def holds(entry: CardEntry, node: n.Expr, type_of: TypeOf, words: Words) -> bool:
    """Whether a card passes a filter that has no faults."""
    match node:
        case n.Unary(op="not"):
            return not holds(entry, node.operand, type_of, words)
        case n.Logic(op="or"):
            return any(holds(entry, one, type_of, words) for one in node.parts)
        case n.Logic():
            return all(holds(entry, one, type_of, words) for one in node.parts)
    test = _test(node)
    return test is not None and _passes(
        names_in_field(entry, test.field.text, type_of(test.field), words), test
    )


def _leaves(node: n.Expr) -> Iterator[n.Expr]:
    """The conditions that `and`, `or` and `not` connect."""
    match node:
        case n.Unary(op="not"):
            yield from _leaves(node.operand)
        case n.Logic():
            for part in node.parts:
                yield from _leaves(part)
        case _:
            yield node


def _test(node: n.Expr) -> Test | None:
    match node:
        case n.Binary(left=left, right=n.Name() as field, op=op) if op in _WITHIN:
            value = left
        case n.Binary(left=n.Name() as field, right=right, op=op):
            value = right
        case _:
            return None
    if op not in (*_ORDER, *_WITHIN, "is", "is_not"):
        return None
    match value:
        case n.Name() | n.Keyword():
            return Test(field, op, value.text, value.span)
        case n.Number():
            return Test(field, op, str(value.value), value.span)
        case _:
            return None


def _passes(words: set[str], test: Test) -> bool:
    if test.op in _ORDER:
        limit = int(test.value)
        return any(_ORDER[test.op](int(one), limit) for one in words if one.isdecimal())
    return (test.value in words) != (test.op in _NOT)


def _no_test(node: n.Expr) -> Problem:
    title = "this says nothing about a field"
    text = "A filter compares a field with a value: `FIELD is VALUE`."
    hint = ""
    if isinstance(node, n.HasField):
        text = "What a field contains is asked by `is in`:"
        way = "is not in" if node.article == "no" else "is in"
        hint = f"where {node.field.text} {way} {node.subject.span.text}"
    return Problem("E535", title, node.span, text, hint)


def _wrong(test: Test, type_: n.Type, words: Words) -> Problem | None:
    """The problem of a test that a field of this type can never pass."""
    field, value, span = test.field.text, test.value, test.span
    number = type_.form == "range" or type_.name == "number"
    if test.op in _ORDER and not number:
        text = "Only numbers can be compared by more and less."
        return Problem("E535", f"`{field}` is not a number", test.field.span, text)
    several = type_.form == "list" or type_.name in ("cost", *SENTENCES)
    if several != (test.op in _WITHIN):
        return _other_way(test, several)
    if number:
        return _no_number(field, value, span, type_)
    sort, known = type_.name, words.names.get(type_.name, ())
    if type_.name == "cost":
        sort, known = "resource", words.resources
    if type_.name in SENTENCES:
        sort, known = "name", words.declared
    if value in known or not known:
        return None
    listed = f"It can be: {', '.join(known)}."
    if type_.name in SENTENCES:
        listed = "The rules declare nothing with that name."
    code = "E513" if sort == type_.name else "E201"
    return Problem(code, f"unknown {sort} `{value}`", span, listed, suggestion(value, known))


def _other_way(test: Test, several: bool) -> Problem:
    """The problem of `is` for a field with several values, and of `is in` for one value."""
    field, value, no = test.field.text, test.value, " not" * (test.op in _NOT)
    what = "several things" if several else "one value"
    hint = f"where {value} is{no} in {field}" if several else f"where {field} is{no} {value}"
    text = f"A filter by it says `{'is in' if several else 'is'}`:"
    return Problem("E535", f"`{field}` is {what}", test.field.span, text, hint)


def _no_number(field: str, value: str, span: Span, type_: n.Type) -> Problem | None:
    ranged = type_.form == "range"
    text = (
        f"`{field}` is a number from {type_.low} to {type_.high}."
        if ranged
        else f"`{field}` is a number."
    )
    if not value.isdecimal():
        return Problem("E503", "a number is needed here", span, text)
    if ranged and not type_.low <= int(value) <= type_.high:
        return Problem("E512", f"{value} is out of range", span, text)
    return None
