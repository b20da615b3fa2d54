"""Traverses and edits the blocks of rules as written."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from targi_dsl.compiler.layers.error_symbols import Unresolved
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.suggestions import suggestion

_ALTERNATIVE = n.Alternative | n.YourAbilities
_PART = n.Statement | _ALTERNATIVE

Parts = tuple[Any, ...]
"""A block, or a list of alternatives, either of which is changed in the same way."""


def blocks(node: object) -> Iterator[Parts]:
    """All blocks and lists of alternatives in a body, outermost first."""
    if isinstance(node, tuple):
        if node and all(isinstance(part, _PART) for part in node):
            yield node
        for part in node:
            yield from blocks(part)
    elif isinstance(node, n.By):
        yield from blocks((node.statement,))
    elif isinstance(node, n.Statement | n.Alternative):
        for field in n.field_names(type(node)):
            yield from blocks(getattr(node, field))


def anchor_name(part: object) -> str | None:
    """The name by which a module can place something beside a part of a body."""
    match part:
        case n.Do(rule=word) | n.Forbid(name=word) | n.Alternative(label=n.Word() as word):
            return word.text
        case n.Alternative(body=(n.Do(rule=word),)):
            return word.text
        case n.By(statement=statement):
            return anchor_name(statement)
        case _:
            return None


def anchors(body: Parts) -> set[str]:
    return {name for block in blocks(body) for part in block if (name := anchor_name(part))}


def extend_body(
    what: str, body: n.Block, layer: n.ExtendRule | n.ExtendAction, problems: list[Problem]
) -> n.Block:
    """The body of a rule or action with the additions of a module."""
    anchor = layer.anchor
    if anchor is None:
        if isinstance(layer, n.ExtendRule) and isinstance(layer.body[0], _ALTERNATIVE):
            return _add_alternatives(what, body, layer, problems)
        return body + tuple(part for part in layer.body if isinstance(part, n.Statement))
    longer, done = _insert(body, layer, anchor.text)
    names = sorted(anchors(body))
    if not done and anchor.text in names:
        text = "No question contains it, so nothing can be offered there. To do it always:"
        title = f"`{anchor.text}` is in no question of {what[0].lower()}{what[1:]}"
        hint = f"extend {what[0].lower()}{what[1:]} {layer.beside} {anchor.text}"
        problems.append(Problem("E404", title, anchor.span, text, hint))
    elif not done:
        text = (
            f"{what} has no `do`, prohibition or alternative of that name."
            f" It has: {', '.join(names) or 'none'}."
        )
        title = f"no `{anchor.text}` in {what[0].lower()}{what[1:]}"
        hint = suggestion(anchor.text, names)
        problems.append(Unresolved("E404", title, anchor.span, text, hint, name=anchor.text))
    return longer


def _insert(body: Parts, layer: n.ExtendRule | n.ExtendAction, anchor: str) -> tuple[Parts, bool]:
    """The body with the layer's statements next to their anchor, and whether there is a place for
    them. Alternatives stand next to that of the innermost question around their anchor.
    """
    offers = isinstance(layer.body[0], _ALTERNATIVE)
    for i, part in enumerate(body):
        if anchor_name(part) == anchor and (not offers or isinstance(part, n.Alternative)):
            return _beside(body, i, layer), True
    for i, part in enumerate(body):
        if not isinstance(part, n.Statement | n.Alternative):
            continue
        for field, inner in inner_blocks(part):
            longer, done = _insert(inner, layer, anchor)
            if done:
                return (*body[:i], with_blocks(part, {field: longer}), *body[i + 1 :]), True
        if offers and isinstance(part, n.Alternative) and anchor in anchors((part,)):
            return _beside(body, i, layer), True
    return body, False


def _beside(body: Parts, i: int, layer: n.ExtendRule | n.ExtendAction) -> Parts:
    at = i if layer.beside == "before" else i + 1
    alternatives = isinstance(body[i], n.Alternative)
    new = tuple(_as_alternative(one) for one in layer.body) if alternatives else layer.body
    return body[:at] + new + body[at:]


def _add_alternatives(
    what: str, body: Parts, layer: n.ExtendRule, problems: list[Problem]
) -> Parts:
    """The body with the layer's alternatives at the end of its only list of alternatives."""
    lists = [one for one in blocks(body) if isinstance(one[0], _ALTERNATIVE)]
    if len(lists) == 1:
        return _replace_block(body, lists[0], lists[0] + layer.body)
    names = ", ".join(sorted(anchors(body))) or "none"
    text = f"Write after which part of it `offering` adds something: {names}."
    title = f"{what[0].lower()}{what[1:]} asks {len(lists)} questions"
    if not lists:
        text = f"{what} has no `one of` and no `any of these in any order`."
        title = f"{what[0].lower()}{what[1:]} offers nothing"
    problems.append(Problem("E404", title, layer.rule.span, text))
    return body


def _replace_block(body: Parts, old: Parts, new: Parts) -> Parts:
    """The body with one of the blocks in it, known by identity, replaced."""
    if body is old:
        return new
    return tuple(
        with_blocks(
            part, {field: _replace_block(inner, old, new) for field, inner in inner_blocks(part)}
        )
        if isinstance(part, n.Statement | n.Alternative)
        else part
        for part in body
    )


def inner_blocks(part: n.Statement | n.Alternative) -> Iterator[tuple[str, Parts]]:
    """The fields of a part that are blocks or lists of alternatives."""
    for field in n.field_names(type(part)):
        value = getattr(part, field)
        if isinstance(value, tuple) and value and isinstance(value[0], _PART):
            yield field, value


def with_blocks(part: Any, fields: Mapping[str, Parts]) -> Any:
    """The part with other blocks in some of its fields."""
    return dataclasses.replace(part, **fields)


def _as_alternative(
    statement: n.Statement | n.Alternative | n.YourAbilities,
) -> n.Alternative | n.YourAbilities:
    match statement:
        case n.Alternative() | n.YourAbilities():
            return statement
        case n.Each():
            said = statement.name, statement.within, statement.condition
            return n.Alternative(None, *said, None, statement.body, span=statement.span)
        case _:
            return n.Alternative(None, None, None, None, None, (statement,), span=statement.span)


def forbids(node: n.Component) -> tuple[n.Forbid, ...]:
    """The prohibitions of a rule, wherever in it they stand."""
    return node.every(n.Forbid) if isinstance(node, n.Rule) else ()


def with_forbid(body: Parts, name: str, anew: Callable[[n.Forbid], n.Forbid | None]) -> Parts:
    """The body with every prohibition of that name replaced or removed."""
    kept = []
    for part in body:
        if isinstance(part, n.Forbid) and part.name.text == name:
            kept += [other] if (other := anew(part)) is not None else []
            continue
        if isinstance(part, n.Statement | n.Alternative):
            inner = {field: with_forbid(block, name, anew) for field, block in inner_blocks(part)}
            part = with_blocks(part, inner)
        kept.append(part)
    return tuple(kept)
