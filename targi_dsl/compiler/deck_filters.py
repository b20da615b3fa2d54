"""Filters of decks: conditions on the fields of their cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import ge, gt, le, lt

from targi_dsl.cardfiles import CardEntry
from targi_dsl.compiler.deck_fields import Words, missing, said
from targi_dsl.compiler.symbol_table import SENTENCES
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.light import dataclass
from targi_dsl.text.source import Span
from targi_dsl.text.suggestions import suggestion

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
            yield from filter(None, [missing(test.field, entries)])
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
        said(entry, test.field.text, type_of(test.field), words), test
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
