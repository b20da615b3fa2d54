"""Expressions, amounts and prices as text, with no more parentheses than they need."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import assert_never

from targi_dsl.syntax import ast as n

CLAUSE, BREAK, INNER = "\v\f\x1c"
"""Blanks where a line that is too long continues on the next: before a clause that then has a line
of its own; where there is no room for more; and the same within parentheses.
"""
_MARKS = str.maketrans(dict.fromkeys((CLAUSE, BREAK, INNER), " "))


def flat(text: str) -> str:
    """A text that is not broken."""
    return text.translate(_MARKS)


class Level(IntEnum):
    """How tightly the parts of an expression hold together, as in the grammar."""

    EXPRESSION, DISJUNCTION, CONJUNCTION, NEGATION, TEST, SUM, PRODUCT = range(7)
    SET, PLACED, LYING, OPERAND, ATOM = range(7, 12)


_L = Level
_BINARY: dict[str, tuple[str, Level, Level, Level]] = {
    "is": ("is", _L.TEST, _L.SUM, _L.SUM),
    "is_not": ("is not", _L.TEST, _L.SUM, _L.SUM),
    "in": ("is in", _L.TEST, _L.SUM, _L.SUM),
    "not_in": ("is not in", _L.TEST, _L.SUM, _L.SUM),
    "on": ("is on", _L.TEST, _L.SUM, _L.SUM),
    "not_on": ("is not on", _L.TEST, _L.SUM, _L.SUM),
    "at_least": ("is at least", _L.TEST, _L.SUM, _L.SUM),
    "at_most": ("is at most", _L.TEST, _L.SUM, _L.SUM),
    "more_than": ("is more than", _L.TEST, _L.SUM, _L.SUM),
    "less_than": ("is less than", _L.TEST, _L.SUM, _L.SUM),
    "+": ("+", _L.SUM, _L.SUM, _L.PRODUCT),
    "-": ("-", _L.SUM, _L.SUM, _L.PRODUCT),
    "*": ("*", _L.PRODUCT, _L.PRODUCT, _L.SET),
    "/": ("/", _L.PRODUCT, _L.PRODUCT, _L.SET),
    "plus": ("plus", _L.SET, _L.SET, _L.PLACED),
    "except": ("except", _L.SET, _L.SET, _L.PLACED),
    "within": ("within", _L.SET, _L.SET, _L.PLACED),
}
"""How an operator is written, the level of the whole, and those that its operands need."""
_UNARY = {
    "not": ("not", _L.NEGATION, _L.NEGATION),
    "any": ("any", _L.TEST, _L.SET),
    "no": ("no", _L.TEST, _L.SET),
    "top": ("top of", _L.OPERAND, _L.OPERAND),
    "bottom": ("bottom of", _L.OPERAND, _L.OPERAND),
    "count": ("count of", _L.OPERAND, _L.OPERAND),
    "first": ("first", _L.OPERAND, _L.OPERAND),
}


def print_expression(node: n.Expr, level: Level = Level.EXPRESSION) -> str:
    """An expression as one line; in parentheses if it holds together less tightly than `level`."""
    return flat(breakable(node, level))


def breakable(node: n.Expr, level: Level = Level.EXPRESSION) -> str:
    """The same with the places where the line may be broken."""
    text, own = _print(node)
    return text if own >= level else _enclosed(text)


def _enclosed(text: str) -> str:
    return f"({text.replace(BREAK, INNER)})"


def _print(node: n.Expr) -> tuple[str, Level]:
    match node:
        case n.Number(value):
            return str(value), _L.ATOM
        case n.Keyword(text) | n.Name(text):
            return text, _L.ATOM
        case n.Your(name):
            return f"your {name.text}", _L.ATOM
        case n.SpaceByName(region, element):
            return f"{region.text} {element.text}", _L.ATOM
        case n.CardNamed(all, card):
            return f"the card{'s' * all} {card.text}", _L.ATOM
        case n.Those():
            return _those(node), _L.ATOM
        case n.PriceValue(price):
            return f"{{{print_price(price)}}}", _L.ATOM
        case n.Of(name, index, subject):
            at = "" if index is None else f" {_index(index)}"
            return f"{name.text}{at} of {breakable(subject, _L.OPERAND)}", _L.OPERAND
        case n.List(items):
            return _enclosed(listed(items)), _L.ATOM
        case n.Binary("remainder", left, right):
            divided = f"{breakable(left, _L.OPERAND)} by {breakable(right, _L.OPERAND)}"
            return f"remainder of {divided}", _L.OPERAND
        case n.Binary("one_of" | "not_one_of" as op, left, n.List(items)):
            words = "is one of" if op == "one_of" else "is not one of"
            return f"{breakable(left, _L.SUM)} {words} {listed(items)}", _L.TEST
        case n.Reached(word, start, step, within):
            way = f"from {breakable(start, _L.OPERAND)} by {step.text}"
            return f"{word.text} {way} within {breakable(within, _L.OPERAND)}", _L.OPERAND
        case n.LongestLine(within):
            return f"longest line in {breakable(within, _L.OPERAND)}", _L.OPERAND
        case n.Fold(fold, value, those):
            of = " of" * (fold == "sum")
            return f"{fold}{of} {breakable(value, _L.SUM)} for {_those(those)}", _L.OPERAND
        case n.On(things, places):
            lying = f"{breakable(things, _L.OPERAND)} on {breakable(places, _L.OPERAND)}"
            return lying, _L.LYING
        case n.Binary("..", left, right):
            return f"{breakable(left, _L.LYING)}..{breakable(right, _L.LYING)}", _L.PLACED
        case n.Binary(operator, left, right):
            words, own, before, after = _BINARY[operator]
            if own == _L.SET and isinstance(left, n.Binary) and left.op != operator:
                before = _L.PLACED  # for people: `(a plus b) within c`
            if isinstance(left, n.Fold | n.Reached):
                before = _L.ATOM  # for people: `(sum of a for (x in b)) - c`
            if isinstance(right, n.Fold | n.Reached):
                after = _L.ATOM
            mark = BREAK if own == _L.SET or operator == "+" else " "
            return f"{breakable(left, before)}{mark}{words} {breakable(right, after)}", own
        case n.Unary(operator, operand):
            words, own, inner = _UNARY[operator]
            return f"{words} {breakable(operand, inner)}", own
        case n.Logic(op, parts):
            own = _L.DISJUNCTION if op == "or" else _L.CONJUNCTION
            levels = [  # for people: `(a and b) or c`
                _L.ATOM if isinstance(part, n.Logic) else Level(own + 1) for part in parts
            ]
            return f"{BREAK}{op} ".join(map(breakable, parts, levels)), own
        case n.Conditional(value, condition, otherwise):
            said = (breakable(one, _L.DISJUNCTION) for one in (value, condition))
            text = " if ".join(said).replace(BREAK, INNER)
            if otherwise is None:
                return text, _L.EXPRESSION
            rest = breakable(otherwise)
            if not isinstance(otherwise, n.Conditional):
                rest = rest.replace(BREAK, INNER)
            return f"{text}{BREAK}otherwise {rest}", _L.EXPRESSION
        case _:
            return _test(node), _L.TEST


def _test(
    node: n.IsKind | n.HasField | n.IsFacing | n.OptionIs | n.During | n.HasCome | n.CanPay
    | n.CanDo | n.Every,
) -> str:  # fmt: skip
    match node:
        case n.IsKind(subject, kind):
            return f"{breakable(subject, _L.SUM)} is a {kind.text}"
        case n.HasField(subject, article, field):
            return f"{breakable(subject, _L.SUM)} has {article} {field.text}"
        case n.IsFacing(subject, facing):
            return f"{breakable(subject, _L.SUM)} is face {facing}"
        case n.OptionIs(option, value):
            return f"option {option.text} is {value.text}"
        case n.During(rule):
            return f"during {rule.text}"
        case n.HasCome(times):
            return f"the position has come {times} times"
        case n.CanPay(price):
            return f"can pay {breakable(price, _L.SUM)}"
        case n.CanDo(rule, arguments):
            if len(arguments) > 1:
                return f"can do {rule.text} with {_enclosed(listed(arguments))}"
            given = "".join(f" with {breakable(one, _L.SUM)}" for one in arguments)
            return f"can do {rule.text}{given}"
        case n.Every(those, condition):
            return f"every {_those(those)} satisfies {breakable(condition, _L.TEST)}"
        case _:
            assert_never(node)


def listed(parts: Iterable[n.Expr]) -> str:
    """Expressions with commas between them."""
    return ", ".join(breakable(part, _L.SUM) for part in parts)


def _those(those: n.Those) -> str:
    return _enclosed(bound(those.name, those.within, those.condition))


def bound(name: n.Word, within: n.Expr, condition: n.Expr | None) -> str:
    """`x in SET where CONDITION`"""
    where = "" if condition is None else f"{BREAK}where {breakable(condition)}"
    return f"{name.text} in {breakable(within, _L.SUM)}{where}"


def _index(index: n.Expr) -> str:
    match index:
        case n.Binary("+" | "-" as op, n.Name(left), right):
            return f"{left} {op} {_index_part(right)}"
        case _:
            return _index_part(index)


def _index_part(index: n.Expr) -> str:
    text = print_expression(index)
    return text if isinstance(index, n.Number | n.Name) else f"({text})"


def reference(node: n.Expr) -> str:
    """Who acts, or what names a price: `cost of card on space` needs no parentheses there."""
    if isinstance(node, n.Of) and node.index is None:
        return f"{node.name.text} of {print_expression(node.subject, _L.LYING)}"
    return print_expression(node, _L.ATOM)


# ---- amounts and prices ----


def quantity(node: n.Expr | None) -> str:
    """How many: `all`, a number, or an expression in parentheses."""
    match node:
        case None:
            return "all"
        case n.Number(value):
            return str(value)
        case _:
            return f"({print_expression(node)})"


def print_amounts(amounts: Iterable[n.Amount]) -> str:
    """`2 apples and 1 nuts`"""
    hows = {"one": " of one", "other": " other", "": ""}
    return " and ".join(
        f"{quantity(one.quantity)}{hows[one.how]} {resource(one.resource)}" for one in amounts
    )


def resource(word: n.Word) -> str:
    """The resource of an amount."""
    return f"of {word.text}" if isinstance(word, n.Chosen) else word.text


def print_price(price: n.Price) -> str:
    """The ways to pay, and what may be paid in addition."""
    ways = " or ".join(map(print_amounts, price.alternatives))
    if not price.extra:
        return ways
    return f"{ways} (plus {print_amounts(price.extra)} for {print_amounts(price.reward)})"


def price_or_reference(price: n.Price | n.Expr) -> str:
    """A price, or what names one."""
    return print_price(price) if isinstance(price, n.Price) else reference(price)
