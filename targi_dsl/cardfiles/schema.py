"""Nodes held against a JSON Schema, and what does not fit as problems with places.

Of draft 2020-12 the keywords are read that schema/ uses; a schema with another one is refused. The
nodes are walked themselves, so that every problem has its place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from targi_dsl.cardfiles.nodes import Mapping, Node, Scalar, Sequence, plain
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Span
from targi_dsl.text.suggestions import did_you_mean

Schema = dict[str, Any]

_ABOUT = {"$schema", "$defs", "title", "description", "examples"}
_ANY = {"$ref", "type", "const", "enum", "if", "then", "else", "anyOf"}
_TEXTS = {"pattern", "minLength", "maxLength"}
_NUMBERS = {"minimum", "maximum"}
_LISTS = {"items", "minItems", "maxItems"}
_BLOCKS = {"required", "properties", "additionalProperties", "propertyNames", "minProperties"}
KEYWORDS = frozenset(_ABOUT | _ANY | _TEXTS | _NUMBERS | _LISTS | _BLOCKS)


def validate(node: Node, schema: Schema) -> list[Problem]:
    """What does not fit the schema, by place, one problem for each fault."""
    once: dict[tuple[int, int, str], Problem] = {}
    for key, problem in _Validator(schema).faults(node, schema, None):
        once.setdefault(key, problem)
    return [once[key] for key in sorted(once)]


_Fault = tuple[tuple[int, int, str], Problem]
"""A problem, and what it is about: a span, and a name where a span can have several."""


class _Validator:
    """A schema with its definitions."""

    def __init__(self, schema: Schema) -> None:
        self.definitions: dict[str, Schema] = schema.get("$defs", {})

    def fits(self, node: Node, schema: Schema) -> bool:
        return next(self.faults(node, schema, None), None) is None

    def faults(self, node: Node, schema: Schema, key: Span | None) -> Iterator[_Fault]:
        """What does not fit; `key` is the place of the key that the node is the value of."""
        if unknown := schema.keys() - KEYWORDS:
            raise ValueError(f"keywords that are not read: {', '.join(sorted(unknown))}")
        if "type" in schema and not _has_type(node, schema["type"]):
            # A value of the wrong type breaks other demands too: the type is what to say.
            yield _fault(node.span, "", "E503", "wrong type of value", *_wrong_type(node, schema))
            return
        if "$ref" in schema:
            yield from self.faults(node, self.resolved(schema["$ref"]), key)
        if "if" in schema:
            branch = "then" if self.fits(node, schema["if"]) else "else"
            yield from self.faults(node, schema.get(branch, {}), key)
        if "anyOf" in schema and not any(self.fits(node, one) for one in schema["anyOf"]):
            text = "this has none of the forms that may stand here."
            yield _fault(node.span, "", "E506", "value does not fit", text)
        match node:
            case Scalar():
                yield from _scalar_faults(node, schema, key)
            case Sequence():
                yield from self.list_faults(node, schema)
            case Mapping():
                yield from self.block_faults(node, schema, key)

    def resolved(self, reference: str) -> Schema:
        return self.definitions[reference.removeprefix("#/$defs/")]

    def list_faults(self, node: Sequence, schema: Schema) -> Iterator[_Fault]:
        least, most = schema.get("minItems", 0), schema.get("maxItems", len(node.items))
        if not least <= len(node.items) <= most:
            bound = f"at least {least}" if len(node.items) < least else f"at most {most}"
            text = f"the list must have {bound} entries, not {len(node.items)}."
            yield _fault(node.span, "", "E506", "value does not fit", text)
        elif "items" in schema:
            for item in node.items:
                yield from self.faults(item, schema["items"], None)

    def block_faults(self, node: Mapping, schema: Schema, key: Span | None) -> Iterator[_Fault]:
        if len(node.entries) < schema.get("minProperties", 0):
            text = "at least one key is needed here."
            yield _fault(node.span, "", "E506", "value does not fit", text)
        yield from _missing(node, key, schema)
        if schema.get("additionalProperties") is False:
            yield from _unknown(node, schema)
        for name, value in node.entries.items():
            if "propertyNames" in schema:
                yield from self.name_faults(name, node.keys[name], schema["propertyNames"])
            inner = schema.get("properties", {}).get(name, schema.get("additionalProperties"))
            if isinstance(inner, dict):
                yield from self.faults(value, inner, node.keys[name])

    def name_faults(self, name: str, place: Span, schema: Schema) -> Iterator[_Fault]:
        if "$ref" in schema:
            schema = self.resolved(schema["$ref"])
        if (misfit := _text_misfit(name, schema)) is not None:
            yield _fault(place, name, "E506", "not a key", *misfit)


def _fault(span: Span, about: str, code: str, title: str, text: str, hint: str = "") -> _Fault:
    return (span.start, span.end, about), Problem(code, title, span, text, hint)


# ---- keys ----


def _missing(node: Mapping, key: Span | None, schema: Schema) -> Iterator[_Fault]:
    absent = [name for name in schema.get("required", ()) if name not in node.entries]
    if not absent:
        return
    misspelt = _unknown_keys(node, schema).values()
    for name in absent:
        if name not in misspelt:
            examples = schema.get("properties", {}).get(name, {}).get("examples", ["..."])
            text, hint = f'"{name}" is needed here.', f"Add `{name}: {examples[0]}`."
            place = key or _first_line(node.span)
            yield _fault(place, name, "E501", f'"{name}" is missing', text, hint)


def _first_line(span: Span) -> Span:
    length = span.text.find("\n")
    return span if length < 0 else Span(span.home, span.first, span.first + length)


def _unknown(node: Mapping, schema: Schema) -> Iterator[_Fault]:
    known = ", ".join(schema.get("properties", {}))
    text = f"there may be: {known}." if known else "no keys may stand here."
    for name, near in _unknown_keys(node, schema).items():
        yield _fault(node.keys[name], name, "E502", f'unknown key "{name}"', text, _mean(near))


def _unknown_keys(node: Mapping, schema: Schema) -> dict[str, str | None]:
    """The keys that may not stand there, each with the missing key that was probably meant."""
    if schema.get("additionalProperties") is not False:
        return {}
    known = schema.get("properties", {})
    missing = [name for name in known if name not in node.entries]
    return {name: did_you_mean(name, missing) for name in node.entries if name not in known}


def _mean(name: str | None) -> str:
    return f"Did you mean `{name}`?" if name else ""


# ---- types ----

_TYPES = {
    "integer": "a number",
    "string": "a text",
    "boolean": "true or false",
    "array": "a list",
    "object": "a block of keys",
}


def _has_type(node: Node, wanted: str | list[str]) -> bool:
    return _type(node) in ([wanted] if isinstance(wanted, str) else wanted)


def _type(node: Node) -> str:
    match node:
        case Sequence():
            return "array"
        case Mapping():
            return "object"
        case Scalar(value=bool()):
            return "boolean"
        case Scalar(value=int()):
            return "integer"
        case Scalar(value=str()):
            return "string"
        case Scalar():
            return "null"


def _wrong_type(node: Node, schema: Schema) -> tuple[str, str]:
    wanted = schema["type"]
    *most, last = (_TYPES[name] for name in ([wanted] if isinstance(wanted, str) else wanted))
    needed = f"{', '.join(most)} or {last}" if most else last
    value = plain(node)
    if value is None:
        return f"{needed} is needed here, and nothing is given.", ""
    hint = f'Write `"{json.dumps(value)}"` in quotes for a text.'
    quotable = "string" in wanted and isinstance(value, int)
    return f"{needed} is needed here, not {_described(value)}.", hint if quotable else ""


def _described(value: object) -> str:
    match value:
        case bool():
            return json.dumps(value)
        case int():
            return f"the number {value}"
        case str():
            return f"the text {_shown(value)}"
        case list():
            return "a list"
        case _:
            return "a block of keys"


def _shown(value: object) -> str:
    text = " ".join(str(value).split())
    return f"'{text[:37]}...'" if len(text) > 40 else f"'{text}'"


# ---- values ----


def _scalar_faults(node: Scalar, schema: Schema, key: Span | None) -> Iterator[_Fault]:
    value, span = node.value, node.span
    if "const" in schema and value != schema["const"]:
        yield _fault(span, "", *_wrong_constant(value, schema["const"], key))
    elif "enum" in schema and value not in schema["enum"]:
        near = did_you_mean(str(value), [str(one) for one in schema["enum"]])
        words = ", ".join(json.dumps(one, ensure_ascii=False) for one in schema["enum"])
        title = f"unknown value {_shown(value)}"
        yield _fault(span, "", "E504", title, f"only {words} may stand here.", _mean(near))
    elif isinstance(value, int):
        for word, limit, beyond in (
            ("at least", schema.get("minimum", value), "more"),
            ("at most", schema.get("maximum", value), "less"),
        ):
            if value < limit if beyond == "more" else value > limit:
                text, hint = f"the number must be {word} {limit}.", f"Write `{limit}` or {beyond}."
                yield _fault(span, "", "E506", "value does not fit", text, hint)
    elif isinstance(value, str) and (misfit := _text_misfit(value, schema)) is not None:
        yield _fault(span, "", "E506", "value does not fit", *misfit)


def _wrong_constant(value: object, wanted: Any, key: Span | None) -> tuple[str, str, str, str]:
    newer = isinstance(value, int) and isinstance(wanted, int) and value > wanted
    if newer and key is not None and key.text == "language":
        text = f"this file is written in language {value}; this program reads language {wanted}."
        return "E505", "newer language", text, "Use a newer version of the program."
    text = f"only {json.dumps(wanted)} may stand here."
    return "E504", f"unknown value {_shown(value)}", text, f"Write `{json.dumps(wanted)}`."


def _text_misfit(value: str, schema: Schema) -> tuple[str, str] | None:
    """Why a text does not fit, and a hint."""
    least, most = schema.get("minLength", 0), schema.get("maxLength", len(value))
    if not value and least:
        return "the text is empty.", ""
    if not least <= len(value) <= most:
        bound = f"at least {least}" if len(value) < least else f"at most {most}"
        return f"the text must have {bound} characters, not {len(value):,}.", ""
    if "pattern" not in schema or _pattern(schema["pattern"]).search(value):
        return None
    words = schema.get("examples", [])
    near = (found for one in value.split() if (found := did_you_mean(one, words)))
    hint = _mean(next(near, None)) or str(schema.get("description", ""))
    return f"{_shown(value)} is not written as is needed here.", hint


@cache
def _pattern(pattern: str) -> re.Pattern[str]:
    # In a JSON Schema `$` is the end; in Python it may also stand before a last line feed.
    return re.compile(pattern[:-1] + r"\Z" if pattern.endswith("$") else pattern)
