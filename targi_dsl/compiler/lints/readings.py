"""Warns of expressions that people may read differently (W918): `and` beside `or`, a division after
a sum, a conditional after an operator, `is different`.
"""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Problem


def of_two_readings(tree: n.Node) -> Iterator[Problem]:
    """The warnings about the expressions of a tree."""
    yield from _and_beside_or(tree)
    yield from _of_whole_numbers(tree)
    yield from _on_condition(tree)
    yield from _is_different(tree)


def _and_beside_or(tree: n.Node) -> Iterator[Problem]:
    """`A and B or C` without parentheses."""
    for either in tree.every(n.Logic):
        for part in either.parts if either.op == "or" else ():
            is_merged = either.span is either.parts[-1].span  # by `extend forbid`
            if isinstance(part, n.Logic) and not is_merged and not _is_closed(part):
                text, title = "`and` is stronger than `or`. Write:", "this can be read in two ways"
                yield Problem("W918", title, part.span, text, f"({part.span.text})").with_edit()


def _of_whole_numbers(tree: n.Node) -> Iterator[Problem]:
    """`A + 1 / 2`, which equals A."""
    title = "this can be read in two ways"
    for one in tree.every(n.Binary):
        match one:
            case n.Binary(
                "+" | "-" as op, left, n.Binary("/", n.Number(a), n.Number(b)) as part
            ) if b and a % b and not _is_closed(part):
                text = (
                    f"`/` is stronger than `{op}`, and `{part.span.text}` is rounded down. Write:"
                )
                hint = f"({left.span.text} {op} {a}) / {b}"
                yield Problem("W918", title, one.span, text, hint).with_edit()


_NEUTRAL = {"+": "0", "-": "0", "*": "1", "plus": "nothing", "except": "nothing"}
"""The neutral element of each operator."""


def _on_condition(tree: n.Node) -> Iterator[Problem]:
    """`A + B if C` and `set V to B if C`, which are 0 unless C; and `A + B if C otherwise 0` or
    another value that is not in `A + B`.
    """
    title = "this can be read in two ways"
    values = [step.value for step in tree.every(n.Assign)]
    for one in tree.every(n.Conditional):
        match one:
            case n.Conditional(n.Binary(op, left, right) as whole, condition, n.Node() as less) if (
                _is_single(op, less, whole) and not (_is_closed(whole) or _is_closed(right))
            ):
                asked, rest = condition.span.text, less.span.text
                if op == "-" and left.span.text in asked:
                    continue  # so that it is not below 0
                said = " ".join(whole.span.text.split())
                text = (
                    f"Unless {asked}, `{rest}` is all that is left of `{said}`. If that is meant,"
                )
                text += " put parentheses around the latter. If not, write:"
                hint = f"{left.span.text} {op} ({right.span.text} if {asked} otherwise {rest})"
                yield Problem("W918", title, one.span, text, hint)  # either may be meant: no edit
            case n.Conditional(n.Binary(op, left, right) as whole, condition, None) if (
                op in _NEUTRAL and op != "*" and not _is_closed(whole) and one not in values
            ):
                asked = condition.span.text
                said = " ".join(whole.span.text.split())
                text = f"Unless {asked}, nothing is left of `{said}`. Write:"
                hint = f"{left.span.text} {op} ({right.span.text} if {asked})"
                yield Problem("W918", title, one.span, text, hint).with_edit()
    for step in tree.every(n.Assign):
        match step.value:
            case n.Conditional(value, condition, None) as given if not _is_closed(given):
                name, asked = step.target.span.text, condition.span.text
                text = f"Unless {asked}, `{name}` becomes 0, or nothing. Write:"
                hint = f"if {asked}: set {name} to {value.span.text}"
                yield Problem("W918", title, step.span, text, hint)


def _is_single(op: str, less: n.Node, whole: n.Node) -> bool:
    """Whether a value may be meant instead of the right side of an operation only: the neutral
    element, or after `+` and `-` a number or name that the operation does not have.
    """
    is_other = isinstance(less, n.Number | n.Name) and all(less != one for one in whole.walk())
    return _NEUTRAL.get(op) == less.span.text or (op in ("+", "-") and is_other)


def _is_different(tree: n.Node) -> Iterator[Problem]:
    """`A is different V of x for (x in S)`, which compares A with a number of values."""
    for one in tree.every(n.Binary):
        match one:
            case n.Binary("is" | "is_not" as op, left, n.Fold("different", value, those) as count):
                if isinstance(left, n.Number) or _is_closed(count):
                    continue
                number = f"{'is' if op == 'is' else 'is not'} ({count.span.text})"
                text = "`different` counts values. If their number is meant, write"
                text += f" `{left.span.text} {number}`. If the value itself should be another:"
                also = "" if those.condition is None else f"{those.condition.span.text} and "
                also = f"({also[:-5]}) and " if isinstance(those.condition, n.Logic) else also
                some = f"{those.name.text} in {those.within.span.text}"
                equal = f"{also}{value.span.text} is {left.span.text}"
                hint = f"{'no' if op == 'is' else 'any'} ({some} where {equal})"
                yield Problem("W918", "this can be read in two ways", one.span, text, hint)
            case _:
                pass


def _is_closed(part: n.Node) -> bool:
    """Whether an expression is in parentheses."""
    text = part.span.home.text
    before, after = text[: part.span.first].rstrip(), text[part.span.last :].lstrip()
    return before.endswith("(") and after.startswith(")")
