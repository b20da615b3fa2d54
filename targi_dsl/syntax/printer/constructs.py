"""Prints a node by the construct of the grammar that it was read from, with no more parentheses
than necessary.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from targi_dsl.syntax import ast as n
from targi_dsl.syntax.builder import VARIANTS, construct_name
from targi_dsl.syntax.printer.templates import Item, Optional, Part, Template, templates

CLAUSE, BREAK, INNER = "\v\f\x1c"
"""Blanks at which a long line may be broken: before a clause, which then has a line of its own;
where there is no room for more; and the same within parentheses.
"""
_MARKS = str.maketrans(dict.fromkeys((CLAUSE, BREAK, INNER), " "))

_MARKED = {
    **dict.fromkeys(("forbid", "replace_forbid"), ("because", CLAUSE)),
    **dict.fromkeys(("players", "resources", "resource_group", "space_set"), (",", BREAK)),
    "any_of": ("or", BREAK),
    "all_of": ("and", BREAK),
    "add": ("+", BREAK),
    "union": ("plus", BREAK),
    "difference": ("except", BREAK),
    "intersection": ("within", BREAK),
    "wording": ("as", BREAK),
    "shown": ("shows", CLAUSE),
    "deck_where": ("", ""),
}
"""For each construct, the word before which (for a comma: after which) a line may be broken, and
the mark for it; by default `where`.
"""

_LEVELS = {
    rule: level
    for rules in (
        ("list", "expr", "disjunction", "conjunction", "negation", "test", "sum", "product",
         "setop", "placed", "lying", "operand", "atom"),
        ("list", "deck_expr", "deck_sum", "deck_term", "deck_atom"),
    )
    for level, rule in enumerate(rules)
}  # fmt: skip
"""Precedence levels of rules: an operand of a lower level needs parentheses."""
_ATOM = _LEVELS["atom"]


def flat(text: str) -> str:
    """The text on one line."""
    return text.translate(_MARKS)


def print_expression(node: n.Expr, rule: str = "expr") -> str:
    """An expression on one line, in parentheses if the rule of the grammar needs them."""
    return flat(breakable(node, rule))


def breakable(node: n.Node, rule: str = "expr", level: int | None = None) -> str:
    """A node as an operand of a rule, with marks where the line may be broken."""
    text, own = _text(node, rule)
    is_tight = own >= (_LEVELS.get(rule, 0) if level is None else level)
    return text if is_tight else _enclosed(text)


def print_ability(node: n.Ability) -> str:
    """An ability on one line."""
    return flat(breakable(node))


def print_deck(node: n.DeckExpr) -> str:
    """A deck expression on one line."""
    return flat(breakable(node, "deck_expr"))


def _enclosed(text: str) -> str:
    return f"({text.replace(BREAK, INNER)})"


def _text(node: n.Node, rule: str) -> tuple[str, int]:
    """A node as text, with its precedence level."""
    if (special := _SPECIAL.get(type(node))) is not None:
        rule, say = special
        return say(node), _LEVELS[rule]
    if isinstance(node, _LAID_OUT):
        raise ValueError(f"{type(node).__name__} does not fit on one line")
    return _of_construct(node, rule)


def _of_construct(node: n.Node, rule: str, without: Collection[str] = ()) -> tuple[str, int]:
    """The text and level of a node by its construct, without some of its fields."""
    for construct, given in _constructs(type(node)):
        names = [one for one in type(node).__match_args__ if one not in (*given, *without)]
        values = [getattr(node, name) for name in names]
        for template in _templates(construct, rule) if _has(node, given) else ():
            if (text := _fill(construct, template, values, node)) is not None:
                return text, _LEVELS.get(template.rule, _ATOM)
    raise ValueError(f"the grammar has no form for {node}")


def _has(node: n.Node, given: Mapping[str, object]) -> bool:
    fields = ((getattr(node, name), value) for name, value in given.items())
    return all(one == value or type(one) is value for one, value in fields)


@cache
def _constructs(of: type[n.Node]) -> Sequence[tuple[str, Mapping[str, object]]]:
    """The constructs that are read into a class, with the field values that they fix; those that
    fix most come first.
    """
    found = [(name, given) for name, (cls, given) in (*VARIANTS.items(), *_MORE) if cls is of]
    found += [(construct_name(of), {})] if construct_name(of) not in dict(found) else []
    return sorted(found, key=lambda one: -len(one[1]))


@cache
def _templates(construct: str, rule: str) -> Sequence[Template]:
    """The templates of a construct; those of the given rule come first, then those of
    expressions.
    """
    return sorted(templates(construct), key=lambda one: (one.rule != rule, one.rule not in _LEVELS))


# ---- filling templates ----


class _Misfit(Exception):
    """Raised if a value does not fit a part of a template."""


def _fill(construct: str, template: Template, values: Iterable[object], node: n.Node) -> str | None:
    """A template filled with values; None if they do not fit."""
    left = deque(values)
    try:
        text = _joined(_pieces(template.items, left, construct, node))
    except _Misfit:
        return None
    is_whole = not any(map(_is_present, left))
    if template.items[0] == "(":
        text = text.replace(BREAK, INNER)
    return text if is_whole else None


def _is_present(value: object) -> bool:
    return value is not None and value is not False and value != "" and value != ()


_OPENING, _CLOSING = ("(", "{", ".."), (",", ":", ")", "}", "..")


def _joined(pieces: Iterable[str]) -> str:
    """Pieces separated by blanks, except at punctuation and marks."""
    text, is_tight = "", True
    for piece in filter(None, pieces):
        is_tight |= piece in _CLOSING or piece[:1] in (CLAUSE, BREAK)
        text += piece if is_tight else f" {piece}"
        is_tight = piece in _OPENING
    return text


def _pieces(
    items: Iterable[Item], left: deque[object], construct: str, node: n.Node
) -> Iterator[str]:
    """The pieces of a template; consumes the values."""
    word, mark = _MARKED.get(construct, ("where", BREAK))
    for item in items:
        match item:
            case str():
                yield mark + item if item == word else item
            case Optional(inner):
                values = deque(left.popleft() for _ in range(_width(inner)))
                if any(map(_is_present, values)):
                    yield from _pieces(inner, values, construct, node)
            case Part(rule, between):
                if rule.startswith("_"):
                    yield from _pieces(_form(rule), left, construct, node)
                elif not left:
                    raise _Misfit
                elif between is None:
                    yield _part(rule, left.popleft(), node)
                elif isinstance(parts := left.popleft(), tuple):
                    texts = [_part(rule, one, node) for one in parts]
                    yield from [_several(texts, between, word, mark)] if texts else []


def _several(texts: Sequence[str], between: str, word: str, mark: str) -> str:
    if not between:
        return _joined(texts)
    if between.startswith(","):
        return f"{between}{mark if word == between else ' '}".join(texts)
    return f"{mark if word == between else ' '}{between} ".join(texts)


def _width(items: Iterable[Item]) -> int:
    """The number of values that the parts of a template consume."""
    parts = [one for one in items if not isinstance(one, str)]
    inner = (one.items if isinstance(one, Optional) else _form(one.rule) for one in parts)
    return sum(
        1 if isinstance(one, Part) and not one.rule.startswith("_") else _width(those)
        for one, those in zip(parts, inner, strict=True)
    )


@cache
def _form(rule: str) -> tuple[Item, ...]:
    """The template of a rule that has no construct of its own; empty for others."""
    match templates(rule) if rule not in _LEVELS else ():
        case (Template(_, items),) if not isinstance(items[0], Part) or len(items) > 1:
            return items
        case (Template(_, (Part(_, str()),) as items),):
            return items
        case _:
            return ()


def _part(rule: str, value: object, node: n.Node) -> str:
    """A value as a part that the grammar names by a rule."""
    if rule in _PARTS:
        return _PARTS[rule](value)
    form = _form(rule)
    match value:
        case None:
            raise _Misfit
        case True:
            return " ".join(map(str, form))
        case int():
            return str(value)
        case str():
            return f'"{value}"' if rule == "TEXT" and value[:1] != '"' else value
        case n.Quoted(text):
            return text
        case n.Word(text) if type(value) is n.Word and _width(form) == 0:
            forms = (one.items for one in templates(rule) if one.is_word)
            words = [" ".join(map(str, one)) for one in forms]
            if (words and text not in words) or (rule == "NUMBER" and not text.isdecimal()):
                raise _Misfit
            return text
        case tuple() if not form:
            return " ".join(_part(rule, one, node) for one in value)
        case tuple() if _width(form) > 1:
            return _joined(_pieces(form, deque(value), rule, node))
        case tuple() | n.Node() if form and construct_name(type(value)) != rule:
            return _joined(_pieces(form, deque[object]((value,)), rule, node))
        case n.Node():
            text = breakable(value, rule, _level_for_people(node, value))
            return flat(text) if isinstance(node, n.Shown | n.DeckWhere) else text
    raise _Misfit


def _level_for_people(node: n.Node, part: n.Node) -> int | None:
    """The level required of an operand where parentheses help readers though the grammar needs
    none.
    """
    match node:
        case n.Logic() if isinstance(part, n.Logic):  # `(a and b) or c`
            return _ATOM
        case n.Binary("remainder" | ".." | "one_of" | "not_one_of"):
            return None
        case n.Binary() if isinstance(part, n.Fold | n.Reached):  # `(sum of a for (x in b)) - c`
            return _ATOM
        case n.Binary("plus" | "except" | "within" as op, n.Binary(other) as left, _):
            if part is left and other != op:  # `(a plus b) within c`
                return _LEVELS["placed"]
        case n.Put(n.On() as card, "on") if part is card:
            return _LEVELS["lying"]
    return None


# ---- nodes that are not printed by templates ----


def _conditional(node: n.Conditional) -> str:
    parts = (breakable(one, "disjunction") for one in (node.value, node.condition))
    text = " if ".join(parts).replace(BREAK, INNER)
    if node.otherwise is None:
        return text
    rest = breakable(node.otherwise)
    if not isinstance(node.otherwise, n.Conditional):
        rest = rest.replace(BREAK, INNER)
    return f"{text}{BREAK}otherwise {rest}"


def _deck_sum(node: n.DeckSum) -> str:
    return " + ".join(breakable(one, "deck_term") for one in node.parts)


def _can_do(node: n.CanDo) -> str:
    listed = ", ".join(breakable(one, "sum") for one in node.arguments)
    given = _enclosed(listed) if len(node.arguments) > 1 else listed
    return f"can do {node.rule.text}" + (f" with {given}" if given else "")


def _index(index: n.Expr) -> str:
    match index:
        case n.Binary("+" | "-" as op, n.Name(left), right):
            return f"{left} {op} {_index(right)}"
        case n.Number() | n.Name():
            return print_expression(index)
        case _:
            return f"({print_expression(index)})"


def reference(node: n.Expr) -> str:
    """A player or a reference to a price: `cost of card on space` needs no parentheses there."""
    if isinstance(node, n.Of) and node.index is None:
        return f"{node.name.text} of {print_expression(node.subject, 'lying')}"
    return print_expression(node, "atom")


def _price_or_reference(node: n.Price | n.Expr) -> str:
    return print_price(node) if isinstance(node, n.Price) else reference(node)


def quantity(node: n.Expr | None) -> str:
    """A quantity: `all`, a number, or an expression in parentheses."""
    match node:
        case None:
            return "all"
        case n.Number(value):
            return str(value)
        case _:
            return f"({print_expression(node)})"


def print_amounts(amounts: Iterable[n.Amount]) -> str:
    """`2 apples and 1 nuts`"""
    return " and ".join(breakable(one) for one in amounts)


def print_price(price: n.Price) -> str:
    """A price with its alternatives and its optional extra."""
    ways = " or ".join(map(print_amounts, price.alternatives))
    if not price.extra:
        return ways
    return f"{ways} (plus {print_amounts(price.extra)} for {print_amounts(price.reward)})"


_VERBS = {"won": ("win", "wins"), "lost": ("lose", "loses"), "out": ("are out", "is out")}


def _outcome(outcome: n.Outcome) -> str:
    who = outcome.who
    if outcome.outcome == "drawn":
        return "the game is a draw"
    several, alone = _VERBS[outcome.outcome]
    match who:
        case None:
            return f"everybody {alone}"
        case n.Those() | n.Keyword("you" | "players"):
            return f"{reference(who)} {several}"
        case _:
            return f"{reference(who)} {alone}"


def _when(scope: n.When) -> str:
    ending = "" if scope.actor == "you" else "es" if scope.verb == "do" else "s"
    giver = "" if scope.kind is None else f" from a {scope.kind.text}"
    return f"when {scope.actor} {scope.verb}{ending} {scope.name.text}{giver}"


# ---- statements on one line ----


def wording(words: n.Wording | None) -> str:
    """A wording, with a blank before it."""
    return "" if words is None else breakable(words)


def simple(statement: n.Statement) -> str:
    """A statement without its wording. Raises ValueError if it needs several lines."""
    return breakable(statement, "simple")


def _may(node: n.May) -> str:
    return f"may{wording(node.wording)} ({print_body(node.body)})"


def _one_of(node: n.OneOf) -> str:
    if node.otherwise or not all(map(is_plain, node.alternatives)):
        raise ValueError("these answers do not fit on one line")
    ways = (one.body for one in node.alternatives if isinstance(one, n.Alternative))
    return f"one of ({' | '.join(map(print_body, ways))})"


def is_plain(answer: n.Alternative | n.YourAbilities) -> bool:
    """Whether an answer has neither label, binding nor wording."""
    return isinstance(answer, n.Alternative) and not (answer.label or answer.name or answer.wording)


def head(node: n.Node, rule: str = "head") -> str:
    """The first line of a declaration or statement with a block."""
    return _of_construct(node, rule, _BELOW)[0]


def print_body(body: Sequence[n.Statement]) -> str:
    """The statements of a block on one line. Raises ValueError if they need several."""
    *most, last = body
    return flat(" then ".join([*map(_unworded, most), _last(last)]))


def _last(statement: n.Statement) -> str:
    match statement:
        case n.If(condition, then, ()):
            return f"if {breakable(condition)}: {print_body(then)}"
        case n.Governs():
            return f"{head(statement)}: {print_body(statement.body)}"
        case _:
            return _unworded(statement)


def _unworded(statement: n.Statement) -> str:
    inner = statement.statement if isinstance(statement, n.By) else statement
    if isinstance(inner, n.Worded) and inner.wording is not None:
        raise ValueError("words for people end a line")
    return simple(statement)


_BELOW = ("body", "lines", "fields", "changes")
"""Fields that are printed on lines of their own."""
_LAID_OUT = (n.If, n.AnyOrder, n.Governs)
"""Statements that need lines of their own, unless they are last."""

_SPECIAL: Mapping[type[n.Node], tuple[str, Callable[[Any], str]]] = {
    n.Keyword: ("atom", lambda node: node.text),
    n.Conditional: ("expr", _conditional),
    n.CanDo: ("test", _can_do),
    n.DeckSum: ("deck_sum", _deck_sum),
    n.Price: ("atom", print_price),
    n.Outcome: ("atom", _outcome),
    n.When: ("atom", _when),
    n.May: ("atom", _may),
    n.OneOf: ("atom", _one_of),
}
"""Nodes that are printed by a function: their level, and the function."""

_MORE = (("supply", (n.Transfer, {"source": n.Supply})),)
"""Further constructs of a class, with the classes of field values."""

_PARTS: Mapping[str, Callable[[Any], str]] = {
    **dict.fromkeys(("price", "subject", "reference"), _price_or_reference),
    **dict.fromkeys(("quantity", "how_much"), quantity),
    "index": _index,
    "inline": print_body,
}
"""Functions for parts that are not printed by templates, by rule."""
