"""The blocks of rules as written: walked, found by the name of a part, changed."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from targi_dsl.syntax import ast as n


def blocks(node: object) -> Iterator[tuple[Any, ...]]:
    """Every block and every list of alternatives in a body, outermost first."""
    if isinstance(node, tuple):
        if node and all(
            isinstance(part, n.Statement | n.Alternative | n.YourAbilities) for part in node
        ):
            yield node
        for part in node:
            yield from blocks(part)
    elif isinstance(node, n.Statement | n.Alternative):
        for field in dataclasses.fields(node):
            yield from blocks(getattr(node, field.name))


def _anchor_name(part: object) -> str | None:
    match part:
        case n.Do(rule=word) | n.Forbid(name=word) | n.Alternative(label=n.Word() as word):
            return word.text
        case n.Alternative(body=(n.Do(rule=word),)):
            return word.text
        case _:
            return None


def anchors(body: n.Block) -> set[str]:
    return {name for block in blocks(body) for part in block if (name := _anchor_name(part))}


def inserted(body: tuple[Any, ...], layer: n.ExtendRule) -> tuple[tuple[Any, ...], bool]:
    """The body with the layer's statements beside its anchor, and whether the anchor was found."""
    assert layer.anchor is not None
    for i, part in enumerate(body):
        if _anchor_name(part) == layer.anchor.text:
            at = i if layer.beside == "before" else i + 1
            alternatives = isinstance(part, n.Alternative)
            new = tuple(_as_alternative(one) for one in layer.body) if alternatives else layer.body
            return body[:at] + new + body[at:], True
    for i, part in enumerate(body):
        if not isinstance(part, n.Statement | n.Alternative):
            continue
        for field in dataclasses.fields(part):
            value = getattr(part, field.name)
            if (
                isinstance(value, tuple)
                and value
                and isinstance(value[0], n.Statement | n.Alternative)
            ):
                inner, done = inserted(value, layer)
                if done:
                    return (*body[:i], _with(part, {field.name: inner}), *body[i + 1 :]), True
    return body, False


def _with(part: Any, fields: Mapping[str, tuple[Any, ...]]) -> Any:
    return dataclasses.replace(part, **fields)


def _as_alternative(statement: Any) -> n.Alternative | n.YourAbilities:
    match statement:
        case n.Alternative() | n.YourAbilities():
            return statement
        case n.Each():
            return n.Alternative(
                None,
                statement.name,
                statement.within,
                statement.condition,
                statement.body,
                span=statement.span,
            )
        case _:
            return n.Alternative(None, None, None, None, (statement,), span=statement.span)


def forbids(node: n.Component) -> list[n.Forbid]:
    body = blocks(node.body) if isinstance(node, n.Rule) else ()
    return [part for block in body for part in block if isinstance(part, n.Forbid)]


def _is_forbid(part: object, name: str) -> bool:
    return isinstance(part, n.Forbid) and part.name.text == name


def without_forbid(body: tuple[Any, ...], name: str) -> tuple[Any, ...]:
    kept = []
    for part in body:
        if _is_forbid(part, name):
            continue
        if isinstance(part, n.Statement | n.Alternative):
            inner = {
                field.name: without_forbid(value, name)
                for field in dataclasses.fields(part)
                if isinstance(value := getattr(part, field.name), tuple)
                and value
                and isinstance(value[0], n.Statement | n.Alternative)
            }
            part = _with(part, inner)
        kept.append(part)
    return tuple(kept)
